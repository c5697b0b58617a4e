package fn

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// maxArrayElements is how many elements an array may have, as in the server.
const maxArrayElements = 134217727

var errArrayTooLarge = pgerr.New(pgerr.ProgramLimitExceeded, "array size exceeds the maximum allowed (%d)", maxArrayElements)

// arrayOrNil gives the array of an argument, nil for NULL.
func arrayOrNil(d vector.Datum) *vector.Array {
	if d.Null() {
		return nil
	}
	return d.Value.(*vector.Array)
}

// elementsOf gives the elements in their order.
func elementsOf(a *vector.Array) []vector.Datum {
	out := make([]vector.Datum, a.Len())
	for i := range out {
		out[i] = a.At(i)
	}
	return out
}

// build makes an array of one dimension from a lower bound.
func (e *Env) buildArray(element pgcat.OID, values []vector.Datum, lower int) (*vector.Array, *pgerr.Error) {
	if len(values) > maxArrayElements {
		return nil, errArrayTooLarge
	}
	if err := e.Alloc(vector.Bytes(element, len(values))); err != nil {
		return nil, err
	}
	a := vector.ArrayOf(element, values)
	if len(a.Dimensions) > 0 {
		a.Dimensions[0].Lower = lower
	}
	return a, nil
}

func same(a, b vector.Datum) bool {
	return a.Null() == b.Null() && (a.Null() || vector.CompareDatum(a, b) == 0)
}

func elementOfResult(out *vector.Column) pgcat.OID { return pgcat.Default().ElementOf(out.Type) }

func arrayAppend(e *Env, args []vector.Datum, out *vector.Column) (any, *pgerr.Error) {
	element := elementOfResult(out)
	value := vector.Datum{Type: element, Value: args[1].Value}
	a := arrayOrNil(args[0])
	if a == nil || a.Len() == 0 {
		return anyOf(e.buildArray(element, []vector.Datum{value}, 1))
	}
	if len(a.Dimensions) > 1 {
		return nil, pgerr.New(pgerr.DataException, "argument must be empty or one-dimensional array")
	}
	if a.Dimensions[0].Lower+a.Len() > math.MaxInt32 {
		return nil, errIntegerRange
	}
	return anyOf(e.buildArray(element, append(elementsOf(a), value), a.Dimensions[0].Lower))
}

func arrayPrepend(e *Env, args []vector.Datum, out *vector.Column) (any, *pgerr.Error) {
	element := elementOfResult(out)
	value := vector.Datum{Type: element, Value: args[0].Value}
	a := arrayOrNil(args[1])
	if a == nil || a.Len() == 0 {
		return anyOf(e.buildArray(element, []vector.Datum{value}, 1))
	}
	if len(a.Dimensions) > 1 {
		return nil, pgerr.New(pgerr.DataException, "argument must be empty or one-dimensional array")
	}
	return anyOf(e.buildArray(element, append([]vector.Datum{value}, elementsOf(a)...), a.Dimensions[0].Lower))
}

var errIncompatible = pgerr.New(pgerr.ArraySubscript, "cannot concatenate incompatible arrays")

func arrayConcat(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	a, b := arrayOrNil(args[0]), arrayOrNil(args[1])
	switch {
	case a == nil && b == nil:
		return nil, nil
	case a == nil, a.Len() == 0 && b != nil:
		return b, nil
	case b == nil, b.Len() == 0:
		return a, nil
	}
	dimensions, err := joinedDimensions(a.Dimensions, b.Dimensions)
	if err != nil {
		return nil, err
	}
	joined, err := e.buildArray(a.Element, append(elementsOf(a), elementsOf(b)...), 1)
	if err != nil {
		return nil, err
	}
	joined.Dimensions = dimensions
	return joined, nil
}

// joinedDimensions are those of two arrays one after the other: both of as many
// dimensions, or one of one less, which is an element of the other.
func joinedDimensions(a, b []pgtype.Dimension) ([]pgtype.Dimension, *pgerr.Error) {
	alike := func(x, y []pgtype.Dimension) bool {
		for i := range x {
			if x[i] != y[i] {
				return false
			}
		}
		return true
	}
	switch {
	case len(a) == len(b):
		if !alike(a[1:], b[1:]) {
			return nil, errIncompatible.WithDetail("Arrays with differing element dimensions are not compatible for concatenation.")
		}
		out := append([]pgtype.Dimension(nil), a...)
		out[0].Length += b[0].Length
		return out, nil
	case len(a) == len(b)-1:
		if !alike(a, b[1:]) {
			return nil, errIncompatible.WithDetail("Arrays with differing dimensions are not compatible for concatenation.")
		}
		out := append([]pgtype.Dimension(nil), b...)
		out[0].Length++
		return out, nil
	case len(b) == len(a)-1:
		if !alike(b, a[1:]) {
			return nil, errIncompatible.WithDetail("Arrays with differing dimensions are not compatible for concatenation.")
		}
		out := append([]pgtype.Dimension(nil), a...)
		out[0].Length++
		return out, nil
	}
	return nil, errIncompatible.WithDetail("Arrays of %d and %d dimensions are not compatible for concatenation.", len(a), len(b))
}

// dimension gives a dimension by its number from 1.
func dimension(a *vector.Array, n int64) (pgtype.Dimension, bool) {
	if n < 1 || n > int64(len(a.Dimensions)) {
		return pgtype.Dimension{}, false
	}
	return a.Dimensions[n-1], true
}

func arrayBound(f func(d pgtype.Dimension) int) Kernel {
	return BinaryNull(func(_ *Env, v any, n int64) (Opt[int64], *pgerr.Error) {
		d, ok := dimension(v.(*vector.Array), n)
		if !ok {
			return None[int64](), nil
		}
		return Some(int64(f(d))), nil
	})
}

func arrayDims(_ *Env, v any) (Opt[string], *pgerr.Error) {
	a := v.(*vector.Array)
	if len(a.Dimensions) == 0 {
		return None[string](), nil
	}
	var out []byte
	for _, d := range a.Dimensions {
		out = append(appendInt(append(out, '['), int64(d.Lower)), ':')
		out = append(appendInt(out, int64(d.Lower+d.Length-1)), ']')
	}
	return Some(string(out)), nil
}

var errManyDimensionSearch = pgerr.New(pgerr.FeatureNotSupported, "searching for elements in multidimensional arrays is not supported")

// comparable reports the server's error of a type without equality.
func needEquality(t pgcat.OID) *pgerr.Error { return vector.Comparable(true, t) }

func arrayPosition(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	a := arrayOrNil(args[0])
	if a == nil {
		return nil, nil
	}
	if len(a.Dimensions) > 1 {
		return nil, errManyDimensionSearch
	}
	if len(args) == 3 && args[2].Null() {
		return nil, pgerr.New(pgerr.NullNotAllowed, "initial position must not be null")
	}
	if a.Len() == 0 {
		return nil, nil
	}
	if err := needEquality(a.Element); err != nil {
		return nil, err
	}
	from := 0
	if len(args) == 3 {
		from = int(max(args[2].Value.(int64)-int64(a.Dimensions[0].Lower), 0))
	}
	if err := e.Charge(int64(a.Len() / 16)); err != nil {
		return nil, err
	}
	for i := from; i < a.Len(); i++ {
		if same(a.At(i), args[1]) {
			return int64(a.Dimensions[0].Lower + i), nil
		}
	}
	return nil, nil
}

func arrayPositions(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	a := arrayOrNil(args[0])
	if a == nil {
		return nil, nil
	}
	if len(a.Dimensions) > 1 {
		return nil, errManyDimensionSearch
	}
	var found []vector.Datum
	for i := range a.Len() {
		if same(a.At(i), args[1]) {
			found = append(found, vector.Datum{Type: pgcat.Int4, Value: int64(a.Dimensions[0].Lower + i)})
		}
	}
	return anyOf(e.buildArray(pgcat.Int4, found, 1))
}

func arrayRemove(e *Env, args []vector.Datum, out *vector.Column) (any, *pgerr.Error) {
	a := arrayOrNil(args[0])
	if a == nil {
		return nil, nil
	}
	if len(a.Dimensions) > 1 {
		return nil, pgerr.New(pgerr.FeatureNotSupported, "removing elements from multidimensional arrays is not supported")
	}
	if err := needEquality(a.Element); err != nil {
		return nil, err
	}
	var kept []vector.Datum
	for _, d := range elementsOf(a) {
		if !same(d, args[1]) {
			kept = append(kept, d)
		}
	}
	if len(kept) == a.Len() {
		return a, nil
	}
	return anyOf(e.buildArray(a.Element, kept, a.Dimensions[0].Lower))
}

func arrayReplace(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	a := arrayOrNil(args[0])
	if a == nil {
		return nil, nil
	}
	if err := needEquality(a.Element); err != nil {
		return nil, err
	}
	values := elementsOf(a)
	for i, d := range values {
		if same(d, args[1]) {
			values[i] = vector.Datum{Type: a.Element, Value: args[2].Value}
		}
	}
	replaced, err := e.buildArray(a.Element, values, 1)
	if err != nil {
		return nil, err
	}
	replaced.Dimensions = a.Dimensions
	return replaced, nil
}

func trimArray(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	a, n := args[0].Value.(*vector.Array), args[1].Value.(int64)
	length := 0
	if len(a.Dimensions) > 0 {
		length = a.Dimensions[0].Length
	}
	if n < 0 || n > int64(length) {
		return nil, pgerr.New(pgerr.ArraySubscript, "number of elements to trim must be between 0 and %d", length)
	}
	if length == 0 {
		return a, nil
	}
	kept := length - int(n)
	if kept == 0 {
		return &vector.Array{Element: a.Element}, nil
	}
	trimmed, err := e.buildArray(a.Element, elementsOf(a)[:a.Len()/length*kept], 1)
	if err != nil {
		return nil, err
	}
	// As of a slice, the bounds begin at 1.
	trimmed.Dimensions = append([]pgtype.Dimension(nil), a.Dimensions...)
	trimmed.Dimensions[0].Length = kept
	for i := range trimmed.Dimensions {
		trimmed.Dimensions[i].Lower = 1
	}
	return trimmed, nil
}

func arrayFill(e *Env, args []vector.Datum, out *vector.Column) (any, *pgerr.Error) {
	if args[1].Null() || len(args) == 3 && args[2].Null() {
		return nil, pgerr.New(pgerr.NullNotAllowed, "dimension array or low bound array cannot be null")
	}
	element := elementOfResult(out)
	lengths := args[1].Value.(*vector.Array)
	var lowers *vector.Array
	if len(args) == 3 {
		lowers = args[2].Value.(*vector.Array)
	}
	if len(lengths.Dimensions) > 1 {
		return nil, errSubscript.WithDetail("Dimension array must be one dimensional.")
	}
	if lengths.Len() > 6 {
		return nil, pgerr.New(pgerr.ProgramLimitExceeded, "number of array dimensions (%d) exceeds the maximum allowed (%d)", lengths.Len(), 6)
	}
	for _, given := range []*vector.Array{lengths, lowers} {
		for i := 0; given != nil && i < given.Len(); i++ {
			if given.At(i).Null() {
				return nil, pgerr.New(pgerr.NullNotAllowed, "dimension values cannot be null")
			}
		}
	}
	if lowers != nil && (len(lowers.Dimensions) > 1) {
		return nil, errSubscript.WithDetail("Dimension array must be one dimensional.")
	}
	if lowers != nil && lowers.Len() != lengths.Len() {
		return nil, errSubscript.WithDetail("Low bound array has different size than dimensions array.")
	}
	total := int64(1)
	var dimensions []pgtype.Dimension
	for i := range lengths.Len() {
		d := pgtype.Dimension{Lower: 1}
		n := lengths.At(i).Value.(int64)
		if n < 0 || n > maxArrayElements {
			return nil, errArrayTooLarge
		}
		d.Length = int(n)
		if lowers != nil {
			d.Lower = int(lowers.At(i).Value.(int64))
		}
		if total *= n; total > maxArrayElements {
			return nil, errArrayTooLarge
		}
		if d.Lower+d.Length > math.MaxInt32 {
			return nil, pgerr.New(pgerr.ProgramLimitExceeded, "array lower bound is too large: %d", d.Lower)
		}
		dimensions = append(dimensions, d)
	}
	if len(dimensions) == 0 || total == 0 {
		return &vector.Array{Element: element}, nil
	}
	if err := e.Alloc(vector.Bytes(element, int(total))); err != nil {
		return nil, err
	}
	if err := e.Charge(total / 16); err != nil {
		return nil, err
	}
	values := vector.Make(element, int(total))
	for i := range int(total) {
		values.Set(i, vector.Datum{Type: element, Value: args[0].Value})
	}
	return &vector.Array{Element: element, Dimensions: dimensions, Values: values}, nil
}

// containment reports whether each element of b, which may not be NULL, is in a.
func contains(e *Env, a, b *vector.Array) (bool, *pgerr.Error) {
	if err := e.Charge(int64(a.Len()) * int64(b.Len()) / 64); err != nil {
		return false, err
	}
	for i := range b.Len() {
		want := b.At(i)
		if want.Null() || !includes(a, want) {
			return false, nil
		}
	}
	return true, nil
}

func includes(a *vector.Array, want vector.Datum) bool {
	for i := range a.Len() {
		if d := a.At(i); !d.Null() && vector.CompareDatum(d, want) == 0 {
			return true
		}
	}
	return false
}

func arraysOverlap(e *Env, x, y any) (bool, *pgerr.Error) {
	a, b := x.(*vector.Array), y.(*vector.Array)
	if err := e.Charge(int64(a.Len()) * int64(b.Len()) / 64); err != nil {
		return false, err
	}
	for i := range b.Len() {
		if want := b.At(i); !want.Null() && includes(a, want) {
			return true, nil
		}
	}
	return false, nil
}

// arrayToText joins the elements that are not NULL; those that are become a text
// where one is given.
func arrayToText(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	if args[0].Null() || args[1].Null() {
		return nil, nil
	}
	a, separator := args[0].Value.(*vector.Array), args[1].Value.(string)
	var out []byte
	first := true
	for i := range a.Len() {
		d := a.At(i)
		var text string
		switch {
		case !d.Null():
			var err *pgerr.Error
			if text, err = e.textOf(d); err != nil {
				return nil, err
			}
		case len(args) == 3 && !args[2].Null():
			text = args[2].Value.(string)
		default:
			continue
		}
		if err := e.Alloc(int64(len(text) + len(separator))); err != nil {
			return nil, err
		}
		if !first {
			out = append(out, separator...)
		}
		first = false
		out = append(out, text...)
	}
	return string(out), nil
}

// splitText splits a text: at a separator, into its characters at NULL, not at all
// at an empty one.
func (e *Env) splitText(args []vector.Datum) ([]vector.Datum, *pgerr.Error) {
	s := args[0].Value.(string)
	var parts []string
	switch {
	case s == "":
	case args[1].Null():
		if err := e.Alloc(int64(40 * utf8.RuneCountInString(s))); err != nil {
			return nil, err
		}
		for i := 0; i < len(s); {
			_, n := utf8.DecodeRuneInString(s[i:])
			parts = append(parts, s[i:i+n])
			i += n
		}
	case args[1].Value.(string) == "":
		parts = []string{s}
	default:
		separator := args[1].Value.(string)
		if err := e.Alloc(int64(40 * (strings.Count(s, separator) + 1))); err != nil {
			return nil, err
		}
		parts = strings.Split(s, separator)
	}
	out := make([]vector.Datum, len(parts))
	for i, p := range parts {
		out[i] = vector.Datum{Type: pgcat.Text, Value: p}
		if len(args) == 3 && !args[2].Null() && args[2].Value.(string) == p {
			out[i].Value = nil
		}
	}
	return out, nil
}

func textToArray(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	if args[0].Null() {
		return nil, nil
	}
	parts, err := e.splitText(args)
	if err != nil {
		return nil, err
	}
	return anyOf(e.buildArray(pgcat.Text, parts, 1))
}

func textToTable(e *Env, args []vector.Datum, out *collected) *pgerr.Error {
	if args[0].Null() {
		return nil
	}
	parts, err := e.splitText(args)
	for _, p := range parts {
		if err != nil {
			return err
		}
		err = out.add(e, p.Value)
	}
	return err
}

// shuffled gives a random choice of the elements of the first dimension.
func shuffled(e *Env, a *vector.Array, n int) (any, *pgerr.Error) {
	if a.Len() == 0 {
		return a, nil
	}
	length := a.Dimensions[0].Length
	each := a.Len() / length
	order := make([]int, length)
	for i := range order {
		order[i] = i
	}
	values := make([]vector.Datum, 0, n*each)
	for i := range n {
		j := i + int(e.Random()*float64(length-i))
		order[i], order[j] = order[j], order[i]
		for k := range each {
			values = append(values, a.At(order[i]*each+k))
		}
	}
	if n == 0 {
		return &vector.Array{Element: a.Element}, nil
	}
	out, err := e.buildArray(a.Element, values, 1)
	if err != nil {
		return nil, err
	}
	out.Dimensions = append([]pgtype.Dimension(nil), a.Dimensions...)
	out.Dimensions[0].Length = n
	return out, nil
}

func arraySample(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	a, n := args[0].Value.(*vector.Array), args[1].Value.(int64)
	length := 0
	if a.Len() > 0 {
		length = a.Dimensions[0].Length
	}
	if n < 0 || n > int64(length) {
		return nil, pgerr.New(pgerr.InvalidParameter, "sample size must be between 0 and %d", length)
	}
	out, err := shuffled(e, a, int(n))
	if made, ok := out.(*vector.Array); ok && len(made.Dimensions) > 0 {
		made.Dimensions[0].Lower = 1
	}
	return out, err
}

func arrayKernels() map[string]Kernel {
	return map[string]Kernel{
		"array_append": Rowwise(arrayAppend), "array_prepend": Rowwise(arrayPrepend), "array_cat": Rowwise(arrayConcat),
		"array_lower":  arrayBound(func(d pgtype.Dimension) int { return d.Lower }),
		"array_upper":  arrayBound(func(d pgtype.Dimension) int { return d.Lower + d.Length - 1 }),
		"array_length": arrayBound(func(d pgtype.Dimension) int { return d.Length }),
		"array_dims":   UnaryNull(arrayDims),
		"array_ndims": UnaryNull(func(_ *Env, v any) (Opt[int64], *pgerr.Error) {
			n := len(v.(*vector.Array).Dimensions)
			return Opt[int64]{Value: int64(n), Null: n == 0}, nil
		}),
		"array_cardinality": Unary(func(_ *Env, v any) (int64, *pgerr.Error) { return int64(v.(*vector.Array).Len()), nil }),
		"array_position":    Rowwise(arrayPosition), "array_position_start": Rowwise(arrayPosition), "array_positions": Rowwise(arrayPositions),
		"array_remove": Rowwise(arrayRemove), "array_replace": Rowwise(arrayReplace), "trim_array": Rowwise(trimArray),
		"array_fill": Rowwise(arrayFill), "array_fill_with_lower_bounds": Rowwise(arrayFill),
		"arraycontains":  Binary(func(e *Env, a, b any) (bool, *pgerr.Error) { return contains(e, a.(*vector.Array), b.(*vector.Array)) }),
		"arraycontained": Binary(func(e *Env, a, b any) (bool, *pgerr.Error) { return contains(e, b.(*vector.Array), a.(*vector.Array)) }),
		"arrayoverlap":   Binary(arraysOverlap),
		"array_to_text":  Rowwise(arrayToText), "array_to_text_null": Rowwise(arrayToText),
		"text_to_array": Rowwise(textToArray), "text_to_array_null": Rowwise(textToArray),
		"array_shuffle": Rowwise(func(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
			a := args[0].Value.(*vector.Array)
			if a.Len() == 0 {
				return a, nil
			}
			return shuffled(e, a, a.Dimensions[0].Length)
		}),
		"array_sample": Rowwise(arraySample),
	}
}

// unnest gives the elements of an array as rows.
func unnest(_ *Env, args []vector.Datum, _ []pgcat.OID) (Set, error) {
	a := args[0].Value.(*vector.Array)
	if a.Len() == 0 {
		return Rows(), nil
	}
	return Rows(a.Values), nil
}

// subscripts is generate_subscripts.
func subscripts(e *Env, args []vector.Datum, _ []pgcat.OID) (Set, error) {
	d, ok := dimension(args[0].Value.(*vector.Array), args[1].Value.(int64))
	if !ok {
		return Rows(), nil
	}
	from, to, step := int64(d.Lower), int64(d.Lower+d.Length-1), int64(1)
	if len(args) == 3 && args[2].Value.(bool) {
		from, to, step = to, from, -1
	}
	return &intSeries{kind: pgcat.Int4, next: from, last: to, step: step, size: 4}, nil
}

// intSeries counts from a number to another.
type intSeries struct {
	kind             pgcat.OID
	next, last, step int64
	size             intSize
	done             bool
	batch            vector.Batch
}

func (s *intSeries) Next(e *Env) (*vector.Batch, error) {
	if s.done || s.step > 0 && s.next > s.last || s.step < 0 && s.next < s.last {
		return nil, nil
	}
	if s.batch.Columns == nil {
		if err := e.Meter.Alloc(vector.Bytes(s.kind, vector.Size)); err != nil {
			return nil, err
		}
		s.batch.Columns = []*vector.Column{vector.Make(s.kind, vector.Size)}
	}
	c := s.batch.Columns[0]
	c.Resize(vector.Size)
	n := 0
	for n < vector.Size && !s.done && !(s.step > 0 && s.next > s.last) && !(s.step < 0 && s.next < s.last) {
		c.Ints[n] = s.next
		n++
		next, ok := addInt(s.next, s.step)
		s.next, s.done = next, !ok || !s.size.fits(next)
	}
	if err := e.Meter.Charge(int64(n)); err != nil {
		return nil, err
	}
	c.Resize(n)
	s.batch.N = n
	return &s.batch, nil
}

var errZeroStep = pgerr.New(pgerr.InvalidParameter, "step size cannot equal zero")

func generateInts(size intSize) SetKernel {
	kind := map[intSize]pgcat.OID{4: pgcat.Int4, 8: pgcat.Int8}[size]
	return func(_ *Env, args []vector.Datum, _ []pgcat.OID) (Set, error) {
		s := &intSeries{kind: kind, next: args[0].Value.(int64), last: args[1].Value.(int64), step: 1, size: size}
		if len(args) == 3 {
			if s.step = args[2].Value.(int64); s.step == 0 {
				return nil, errZeroStep
			}
		}
		return s, nil
	}
}

// numericSeries counts in exact decimals.
type numericCounting struct {
	next, last, step pgtype.Numeric
	done             bool
}

func (s *numericCounting) Next(e *Env) (*vector.Batch, error) {
	if s.done {
		return nil, nil
	}
	size := vector.Bytes(pgcat.Numeric, vector.Size)
	if err := e.Meter.Alloc(size); err != nil {
		return nil, err
	}
	c := vector.Make(pgcat.Numeric, vector.Size)
	n := 0
	for n < vector.Size {
		if d := pgtype.CompareNumeric(s.next, s.last); s.done || d*s.step.Sign() > 0 {
			s.done = true
			break
		}
		if err := e.Meter.Charge(1); err != nil {
			return nil, err
		}
		c.Numerics[n] = s.next
		n++
		next, err := s.next.Add(s.step)
		if err != nil {
			// Beyond the largest number there is nothing up to the last one.
			s.done = true
			break
		}
		s.next = next
	}
	if n == 0 {
		return nil, nil
	}
	c.Resize(n)
	return &vector.Batch{N: n, Columns: []*vector.Column{c}}, nil
}

func generateNumerics(_ *Env, args []vector.Datum, _ []pgcat.OID) (Set, error) {
	s := &numericCounting{step: pgtype.NumericFromInt(1)}
	for i, what := range []string{"start", "stop", "step size"} {
		if i >= len(args) {
			break
		}
		n := args[i].Value.(pgtype.Numeric)
		if !n.Finite() {
			kind := "infinity"
			if n.IsNaN() {
				kind = "NaN"
			}
			value := " value"
			if i == 2 {
				value = ""
			}
			return nil, pgerr.New(pgerr.InvalidParameter, "%s%s cannot be %s", what, value, kind)
		}
		*[]*pgtype.Numeric{&s.next, &s.last, &s.step}[i] = n
	}
	if s.step.Sign() == 0 {
		return nil, errZeroStep
	}
	return s, nil
}

func arraySets() map[string]SetKernel {
	return map[string]SetKernel{
		"array_unnest": unnest, "generate_subscripts": subscripts, "generate_subscripts_nodir": subscripts,
		"generate_series_int4": generateInts(4), "generate_series_step_int4": generateInts(4),
		"generate_series_int8": generateInts(8), "generate_series_step_int8": generateInts(8),
		"generate_series_numeric": generateNumerics, "generate_series_step_numeric": generateNumerics,
		"text_to_table": setOf(textToTable), "text_to_table_null": setOf(textToTable),
	}
}
