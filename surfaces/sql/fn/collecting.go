package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// collecting is an aggregate whose state is what its rows brought, in order.
type collecting[S any] struct {
	states []S
	// take adds a row to a group's state.
	take func(e *Env, s *S, args []*vector.Column, row int) *pgerr.Error
	// result gives the value of a group, nil for NULL.
	result func(e *Env, s *S, out *vector.Column) (any, *pgerr.Error)
}

func (c *collecting[S]) Grow(e *Env, groups int) (err error) {
	c.states, err = roomFor(e, c.states, groups)
	return err
}

func (c *collecting[S]) Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	mark := e.Mark()
	for k, row := range rows {
		if err := c.take(e, &c.states[groups[k]], args, int(row)); err != nil {
			return e.Fail(err)
		}
	}
	e.Keep(mark)
	return nil
}

func (c *collecting[S]) Result(e *Env, from, to int, out *vector.Column) error {
	for g := from; g < to; g++ {
		v, err := c.result(e, &c.states[g], out)
		if err != nil {
			return e.Fail(err)
		}
		out.Set(g-from, vector.Datum{Type: out.Type, Value: v})
	}
	return nil
}

func collect[S any](take func(e *Env, s *S, args []*vector.Column, row int) *pgerr.Error, result func(e *Env, s *S, out *vector.Column) (any, *pgerr.Error)) NewAccumulator {
	return func(*Env, AggregateSpec) (Accumulator, error) {
		return &collecting[S]{take: take, result: result}, nil
	}
}

// text is a text that grows.
type growing struct {
	text []byte
	some bool
}

// grow charges what a text takes beyond its room.
func (g *growing) room(e *Env, n int) *pgerr.Error {
	if len(g.text)+n > textLimit {
		return errTooLong
	}
	if len(g.text)+n <= cap(g.text) {
		return nil
	}
	size := max(len(g.text)+n, 2*cap(g.text), 16)
	if err := e.Alloc(int64(size - cap(g.text))); err != nil {
		return err
	}
	more := make([]byte, len(g.text), size)
	copy(more, g.text)
	g.text = more
	return nil
}

func takeText(e *Env, g *growing, args []*vector.Column, row int) *pgerr.Error {
	if args[0].Null(row) {
		return nil
	}
	value, separator := args[0].Texts[args[0].At(row)], ""
	if g.some && !args[1].Null(row) {
		separator = args[1].Texts[args[1].At(row)]
	}
	if err := g.room(e, len(value)+len(separator)); err != nil {
		return err
	}
	g.text = append(append(g.text, separator...), value...)
	g.some = true
	return nil
}

// textResult gives a text that has some input.
func textResult(e *Env, g *growing, _ *vector.Column) (any, *pgerr.Error) {
	if !g.some {
		return nil, nil
	}
	if err := e.Alloc(int64(len(g.text))); err != nil {
		return nil, err
	}
	return string(g.text), nil
}

// column gathers values.
type gathered struct{ values *vector.Column }

func (g *gathered) add(e *Env, arg *vector.Column, row int) *pgerr.Error {
	if g.values == nil {
		if err := e.Alloc(vector.Bytes(arg.Type, 0)); err != nil {
			return err
		}
		g.values = vector.Make(arg.Type, 0)
	}
	d := arg.Datum(row)
	// The cells grow by doubling.
	if err := e.Alloc(2*(vector.Bytes(arg.Type, 1)-vector.Bytes(arg.Type, 0)) + d.Size()); err != nil {
		return err
	}
	g.values.AppendDatum(d)
	return nil
}

func takeElement(e *Env, g *gathered, args []*vector.Column, row int) *pgerr.Error {
	return g.add(e, args[0], row)
}

func arrayResult(e *Env, g *gathered, out *vector.Column) (any, *pgerr.Error) {
	if g.values == nil {
		return nil, nil
	}
	if err := e.Alloc(vector.Bytes(g.values.Type, g.values.Len)); err != nil {
		return nil, err
	}
	values := vector.Make(g.values.Type, 0)
	values.Append(g.values, nil)
	return vector.NewArray(elementOfResult(out), values), nil
}

// stacked gathers arrays of one shape into one of a dimension more.
type stacked struct {
	gathered
	dimensions []pgtype.Dimension
	n          int
}

func takeArray(e *Env, s *stacked, args []*vector.Column, row int) *pgerr.Error {
	if args[0].Null(row) {
		return pgerr.New(pgerr.NullNotAllowed, "cannot accumulate null arrays")
	}
	a := args[0].Objects[args[0].At(row)].(*vector.Array)
	if s.n == 0 {
		if a.Len() == 0 {
			return pgerr.New(pgerr.ArraySubscript, "cannot accumulate empty arrays")
		}
		if len(a.Dimensions) >= 6 {
			return pgerr.New(pgerr.ProgramLimitExceeded, "number of array dimensions (%d) exceeds the maximum allowed (%d)", len(a.Dimensions)+1, 6)
		}
		s.dimensions = a.Dimensions
	}
	if len(a.Dimensions) != len(s.dimensions) {
		return errDifferent
	}
	for i := range a.Dimensions {
		if a.Dimensions[i] != s.dimensions[i] {
			return errDifferent
		}
	}
	s.n++
	for i := range a.Len() {
		if err := s.add(e, a.Values, i); err != nil {
			return err
		}
	}
	return nil
}

var errDifferent = pgerr.New(pgerr.ArraySubscript, "cannot accumulate arrays of different dimensionality")

func stackedResult(e *Env, s *stacked, out *vector.Column) (any, *pgerr.Error) {
	v, err := arrayResult(e, &s.gathered, out)
	if a, ok := v.(*vector.Array); ok {
		a.Dimensions = append([]pgtype.Dimension{{Lower: 1, Length: s.n}}, s.dimensions...)
	}
	return v, err
}

// jsonArray is the state of json_agg.
func takeJSON(strict bool) func(e *Env, g *growing, args []*vector.Column, row int) *pgerr.Error {
	return func(e *Env, g *growing, args []*vector.Column, row int) *pgerr.Error {
		d := args[0].Datum(row)
		if strict && d.Null() {
			if !g.some {
				g.some, g.text = true, append(g.text, '[')
			}
			return nil
		}
		value, err := e.appendJSON(nil, d, false)
		if err != nil {
			return err
		}
		if err := g.room(e, len(value)+4); err != nil {
			return err
		}
		switch {
		case !g.some:
			g.text = append(g.text, '[')
		case len(g.text) > 1:
			g.text = append(g.text, ", "...)
			switch d.Value.(type) {
			case *vector.Array, *vector.Record:
				g.text = append(g.text, "\n "...)
			}
		}
		g.some = true
		g.text = append(g.text, value...)
		return nil
	}
}

// closed ends an open text by a bracket.
func closed(bracket string) func(e *Env, g *growing, _ *vector.Column) (any, *pgerr.Error) {
	return func(e *Env, g *growing, _ *vector.Column) (any, *pgerr.Error) {
		if !g.some {
			return nil, nil
		}
		if err := e.Alloc(int64(len(g.text) + 2)); err != nil {
			return nil, err
		}
		return string(g.text) + bracket, nil
	}
}

// jsonItems is the state of jsonb_agg and jsonb_object_agg.
type jsonItems struct {
	keys  []string
	items []*pgtype.JSONB
	some  bool
}

func takeJSONB(strict bool) func(e *Env, s *jsonItems, args []*vector.Column, row int) *pgerr.Error {
	return func(e *Env, s *jsonItems, args []*vector.Column, row int) *pgerr.Error {
		s.some = true
		d := args[0].Datum(row)
		if strict && d.Null() {
			return nil
		}
		v, err := e.jsonbOf(d)
		if err != nil {
			return err
		}
		s.items = append(s.items, v)
		return e.Alloc(16)
	}
}

func jsonbArrayResult(e *Env, s *jsonItems, _ *vector.Column) (any, *pgerr.Error) {
	if !s.some {
		return nil, nil
	}
	return pgtype.JSONBFromItems(append([]*pgtype.JSONB(nil), s.items...)), e.Alloc(int64(16 * len(s.items)))
}

// objectRules are the forms of json_object_agg.
type objectRules struct{ strict, unique bool }

// jsonFields is the state of json_object_agg.
type jsonFields struct {
	growing
	seen map[string]bool
}

func duplicateKey(key string) *pgerr.Error {
	return pgerr.New(pgerr.DuplicateJSONKey, "duplicate JSON object key value: %s", key)
}

func (r objectRules) takeField(e *Env, s *jsonFields, args []*vector.Column, row int) *pgerr.Error {
	k, v := args[0].Datum(row), args[1].Datum(row)
	if k.Null() {
		return errNullKey
	}
	if !s.some {
		s.some, s.text = true, append(s.text, "{ "...)
	}
	key, err := e.jsonKey(k)
	if err != nil {
		return err
	}
	quoted := string(pgtype.AppendJSONString(nil, key))
	if r.unique {
		if s.seen == nil {
			s.seen = map[string]bool{}
		}
		if s.seen[key] {
			return duplicateKey(quoted)
		}
		s.seen[key] = true
		if err := e.Alloc(int64(len(key) + 48)); err != nil {
			return err
		}
	}
	if r.strict && v.Null() {
		return nil
	}
	value, err := e.appendJSON(nil, v, false)
	if err != nil {
		return err
	}
	if err := s.room(e, len(value)+len(quoted)+8); err != nil {
		return err
	}
	if len(s.text) > 2 {
		s.text = append(s.text, ", "...)
	}
	s.text = append(append(append(s.text, quoted...), " : "...), value...)
	return nil
}

func (r objectRules) takeJSONBField(e *Env, s *jsonItems, args []*vector.Column, row int) *pgerr.Error {
	s.some = true
	k, v := args[0].Datum(row), args[1].Datum(row)
	if k.Null() {
		return pgerr.New(pgerr.InvalidParameter, "field name must not be null")
	}
	if r.strict && v.Null() && !r.unique {
		return nil
	}
	key, err := e.jsonKey(k)
	if err != nil {
		return err
	}
	if r.strict && v.Null() {
		// It does not appear, but its key must be unique all the same.
		s.keys, s.items = append(s.keys, key), append(s.items, nil)
		return e.Alloc(int64(len(key) + 32))
	}
	value, err := e.jsonbOf(v)
	if err != nil {
		return err
	}
	s.keys, s.items = append(s.keys, key), append(s.items, value)
	return e.Alloc(int64(len(key) + 32))
}

func (r objectRules) jsonbObjectResult(e *Env, s *jsonItems, _ *vector.Column) (any, *pgerr.Error) {
	if !s.some {
		return nil, nil
	}
	if err := e.Alloc(int64(40 * len(s.items))); err != nil {
		return nil, err
	}
	if r.unique {
		seen := map[string]bool{}
		for _, k := range s.keys {
			if seen[k] {
				return nil, pgerr.New(pgerr.DuplicateJSONKey, "duplicate JSON object key value")
			}
			seen[k] = true
		}
	}
	keys, items := make([]string, 0, len(s.keys)), make([]*pgtype.JSONB, 0, len(s.keys))
	for i, item := range s.items {
		if item != nil {
			keys, items = append(keys, s.keys[i]), append(items, item)
		}
	}
	return pgtype.JSONBFromPairs(keys, items), nil
}

// first keeps the first value.
func takeFirst(e *Env, g *gathered, args []*vector.Column, row int) *pgerr.Error {
	if g.values != nil || args[0].Null(row) {
		return nil
	}
	return g.add(e, args[0], row)
}

func firstResult(_ *Env, g *gathered, _ *vector.Column) (any, *pgerr.Error) {
	if g.values == nil {
		return nil, nil
	}
	return g.values.Datum(0).Value, nil
}

// bitsState is the state of bit_and, bit_or and bit_xor.
type bitsState struct {
	v    int64
	some bool
}

func bitAggregate(f func(a, b int64) int64) NewAccumulator {
	return passOver(fold(func(_ *Env, s *bitsState, v int64) error {
		if s.some {
			v = f(s.v, v)
		}
		s.v, s.some = v, true
		return nil
	}, func(_ *Env, s *bitsState, out *vector.Column, row int) error {
		if !s.some {
			out.SetNull(row)
			return nil
		}
		out.Ints[row] = s.v
		return nil
	}))
}

// bitStringAggregate is the same for bit strings.
func bitStringAggregate(name string, f func(a, b byte) bool) NewAccumulator {
	take := func(e *Env, g *growing, args []*vector.Column, row int) *pgerr.Error {
		if args[0].Null(row) {
			return nil
		}
		s := args[0].Texts[args[0].At(row)]
		if !g.some {
			g.some = true
			if err := g.room(e, len(s)); err != nil {
				return err
			}
			g.text = append(g.text, s...)
			return nil
		}
		if len(s) != len(g.text) {
			return pgerr.New(pgerr.StringLengthMismatch, "cannot %s bit strings of different sizes", name)
		}
		for i := range g.text {
			c := byte('0')
			if f(g.text[i], s[i]) {
				c = '1'
			}
			g.text[i] = c
		}
		return nil
	}
	return collect(take, textResult)
}

func collectingAggregates() map[string]NewAccumulator {
	all := map[string]NewAccumulator{
		"string_agg(text,text)": collect(takeText, textResult), "string_agg(bytea,bytea)": collect(takeText, textResult),
		"array_agg(anynonarray)": collect(takeElement, arrayResult), "array_agg(anyarray)": collect(takeArray, stackedResult),
		"json_agg(anyelement)": collect(takeJSON(false), closed("]")), "json_agg_strict(anyelement)": collect(takeJSON(true), closed("]")),
		"jsonb_agg(anyelement)": collect(takeJSONB(false), jsonbArrayResult), "jsonb_agg_strict(anyelement)": collect(takeJSONB(true), jsonbArrayResult),
		"any_value(anyelement)": collect(takeFirst, firstResult),
		"bit_and(bit)":          bitStringAggregate("AND", func(a, b byte) bool { return a == '1' && b == '1' }),
		"bit_or(bit)":           bitStringAggregate("OR", func(a, b byte) bool { return a == '1' || b == '1' }),
		"bit_xor(bit)":          bitStringAggregate("XOR", func(a, b byte) bool { return a != b }),
	}
	for suffix, r := range map[string]objectRules{
		"": {}, "_strict": {strict: true}, "_unique": {unique: true}, "_unique_strict": {strict: true, unique: true},
	} {
		end := closed(" }")
		all["json_object_agg"+suffix+"(any,any)"] = collect(r.takeField, func(e *Env, s *jsonFields, out *vector.Column) (any, *pgerr.Error) {
			return end(e, &s.growing, out)
		})
		all["jsonb_object_agg"+suffix+"(any,any)"] = collect(r.takeJSONBField, r.jsonbObjectResult)
	}
	for _, t := range []string{"int2", "int4", "int8"} {
		all["bit_and("+t+")"] = bitAggregate(func(a, b int64) int64 { return a & b })
		all["bit_or("+t+")"] = bitAggregate(func(a, b int64) int64 { return a | b })
		all["bit_xor("+t+")"] = bitAggregate(func(a, b int64) int64 { return a ^ b })
	}
	return all
}
