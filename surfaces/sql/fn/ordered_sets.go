package fn

import (
	"math"
	"strconv"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// orderedSet keeps the sorted rows of each group and computes at the end.
type orderedSet struct {
	states []gathered
	result func(e *Env, values *vector.Column) (any, *pgerr.Error) // of some values
	check  func() *pgerr.Error                                     // of the direct argument; nil for none
}

func (o *orderedSet) Grow(e *Env, groups int) (err error) {
	o.states, err = roomFor(e, o.states, groups)
	return err
}

func (o *orderedSet) Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	mark := e.Mark()
	for k, row := range rows {
		if args[0].Null(int(row)) {
			continue
		}
		if err := o.states[groups[k]].add(e, args[0], int(row)); err != nil {
			return e.Fail(err)
		}
	}
	e.Keep(mark)
	return nil
}

func (o *orderedSet) Result(e *Env, from, to int, out *vector.Column) error {
	for g := from; g < to; g++ {
		var v any
		if o.check != nil {
			if err := o.check(); err != nil {
				return err
			}
		}
		if values := o.states[g].values; values != nil {
			var err *pgerr.Error
			if v, err = o.result(e, values); err != nil {
				return e.Fail(err)
			}
		}
		out.Set(g-from, vector.Datum{Type: out.Type, Value: v})
	}
	return nil
}

func checkPercentile(p float64) *pgerr.Error {
	if p < 0 || p > 1 || math.IsNaN(p) {
		return pgerr.New(pgerr.NumericOutOfRange, "percentile value %s is not between 0 and 1", shortG(p))
	}
	return nil
}

// shortG writes a number as C's %g does.
func shortG(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 0):
		return map[bool]string{true: "Infinity", false: "-Infinity"}[x > 0]
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// discrete gives the first value whose part of the rows is at least p.
func discrete(values *vector.Column, p float64) any {
	n := int(math.Ceil(p * float64(values.Len)))
	return values.Datum(max(n, 1) - 1).Value
}

// continuous interpolates between two neighbours.
func continuous(values *vector.Column, p float64) (any, *pgerr.Error) {
	at := p * float64(values.Len-1)
	first, second := math.Floor(at), math.Ceil(at)
	low := values.Datum(int(first)).Value
	if first == second {
		return low, nil
	}
	part, high := float64(at-first), values.Datum(int(second)).Value
	if a, ok := low.(float64); ok {
		return a + float64(part*(high.(float64)-a)), nil
	}
	return interpolateInterval(low.(pgtype.Interval), high.(pgtype.Interval), part)
}

// percentile makes percentile_cont or percentile_disc of one or many parts.
func percentile(pick func(values *vector.Column, p float64) (any, *pgerr.Error)) NewAccumulator {
	return func(_ *Env, spec AggregateSpec) (Accumulator, error) {
		direct := spec.Direct[0]
		o := &orderedSet{}
		p, single := direct.Value.(float64)
		if single {
			o.check = func() *pgerr.Error { return checkPercentile(p) }
		}
		o.result = func(e *Env, values *vector.Column) (any, *pgerr.Error) {
			switch {
			case direct.Null():
				return nil, nil
			case single:
				return pick(values, p)
			}
			return percentiles(e, values, direct.Value.(*vector.Array), pick)
		}
		return o, nil
	}
}

// percentiles gives an array of results of the shape of the array of parts.
func percentiles(e *Env, values *vector.Column, parts *vector.Array, pick func(*vector.Column, float64) (any, *pgerr.Error)) (any, *pgerr.Error) {
	if parts.Len() == 0 {
		return &vector.Array{Element: values.Type}, nil
	}
	for i := range parts.Len() {
		if d := parts.At(i); !d.Null() {
			if err := checkPercentile(d.Value.(float64)); err != nil {
				return nil, err
			}
		}
	}
	if err := e.Alloc(vector.Bytes(values.Type, parts.Len())); err != nil {
		return nil, err
	}
	out := vector.Make(values.Type, parts.Len())
	for i := range parts.Len() {
		d := parts.At(i)
		if d.Null() {
			out.SetNull(i)
			continue
		}
		v, err := pick(values, d.Value.(float64))
		if err != nil {
			return nil, err
		}
		out.Set(i, vector.Datum{Type: values.Type, Value: v})
	}
	return &vector.Array{Element: values.Type, Dimensions: parts.Dimensions, Values: out}, nil
}

// mode gives the value that comes most often; of several the first.
func mode(_ *Env, values *vector.Column) (any, *pgerr.Error) {
	compare := vector.ComparatorOf(values.Type)
	best, most := 0, 0
	for from := 0; from < values.Len; {
		to := from + 1
		for to < values.Len && compare(values, from, values, to) == 0 {
			to++
		}
		if to-from > most {
			best, most = from, to-from
		}
		from = to
	}
	return values.Datum(best).Value, nil
}

// hypothetical places a row among the sorted ones.
type hypothetical struct {
	direct   []vector.Datum
	orders   []Order
	states   []placing
	distinct bool
	result   func(p *placing) any
}

// placing counts the rows before and beside the hypothetical one.
type placing struct {
	all, before, alike int64
	distinct           int64
	last               []vector.Datum
}

func newHypothetical(distinct bool, result func(p *placing) any) NewAccumulator {
	return func(_ *Env, spec AggregateSpec) (Accumulator, error) {
		return &hypothetical{direct: spec.Direct, orders: spec.Orders, distinct: distinct, result: result}, nil
	}
}

func (h *hypothetical) Grow(e *Env, groups int) (err error) {
	h.states, err = roomFor(e, h.states, groups)
	return err
}

func (h *hypothetical) Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	row := make([]vector.Datum, len(args))
	for k, r := range rows {
		for i, a := range args {
			row[i] = a.Datum(int(r))
		}
		p := &h.states[groups[k]]
		p.all++
		switch c := h.compare(row); {
		case c == 0:
			p.alike++
		case c < 0:
			p.before++
			if h.distinct && !alike(p.last, row) {
				p.distinct++
				p.last = append(p.last[:0], row...)
			}
		}
	}
	return nil
}

func alike(a, b []vector.Datum) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if vector.CompareDatum(a[i], b[i]) != 0 {
			return false
		}
	}
	return true
}

// compare orders a row against the hypothetical one, as the rows are sorted.
func (h *hypothetical) compare(row []vector.Datum) int {
	for i, d := range row {
		o := Order{}
		if i < len(h.orders) {
			o = h.orders[i]
		}
		x, y := d, h.direct[i]
		switch {
		case x.Null() && y.Null():
			continue
		case x.Null() || y.Null():
			if x.Null() == o.NullsFirst {
				return -1
			}
			return 1
		}
		if c := vector.CompareDatum(x, y); c != 0 {
			if o.Descending {
				return -c
			}
			return c
		}
	}
	return 0
}

func (h *hypothetical) Result(_ *Env, from, to int, out *vector.Column) error {
	for g := from; g < to; g++ {
		out.Set(g-from, vector.Datum{Type: out.Type, Value: h.result(&h.states[g])})
	}
	return nil
}

func orderedSetAggregates() map[string]NewAccumulator {
	disc := percentile(func(values *vector.Column, p float64) (any, *pgerr.Error) { return discrete(values, p), nil })
	cont := percentile(continuous)
	return map[string]NewAccumulator{
		"percentile_disc(float8,anyelement)": disc, "percentile_disc(_float8,anyelement)": disc,
		"percentile_cont(float8,float8)": cont, "percentile_cont(_float8,float8)": cont,
		"percentile_cont(float8,interval)": cont, "percentile_cont(_float8,interval)": cont,
		"mode(anyelement)": func(*Env, AggregateSpec) (Accumulator, error) { return &orderedSet{result: mode}, nil },
		"rank(any)":        newHypothetical(false, func(p *placing) any { return p.before + 1 }),
		"dense_rank(any)":  newHypothetical(true, func(p *placing) any { return p.distinct + 1 }),
		"percent_rank(any)": newHypothetical(false, func(p *placing) any {
			if p.all == 0 {
				return 0.0
			}
			return float64(p.before) / float64(p.all)
		}),
		"cume_dist(any)": newHypothetical(false, func(p *placing) any {
			return float64(p.before+p.alike+1) / float64(p.all+1)
		}),
	}
}

// interpolateInterval goes a part of the way between two spans.
func interpolateInterval(low, high pgtype.Interval, part float64) (any, *pgerr.Error) {
	way, err := high.Sub(low)
	if err != nil {
		return nil, err
	}
	if way, err = way.Mul(part); err != nil {
		return nil, err
	}
	return anyOf(way.Add(low))
}
