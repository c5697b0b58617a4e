package dispatch

import (
	"encoding/json"
	"errors"
	"math/big"
	"slices"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// importer copies what a handler returned into plain data that shares nothing
// with it, charging each piece to the program's account before it is made.
type importer struct {
	m     *sandbox.Meter
	bytes int64
}

var errNotPlain = errors.New("it is not plain data")

// charge accounts n bytes.
func (im *importer) charge(n int64) error {
	im.bytes += n
	return im.m.Alloc(n)
}

// take gives the copy. The error is the meter's fault, or says why the value is
// not plain data.
func (im *importer) take(v any, depth int) (value.Value, error) {
	if depth > value.MaxDepth {
		return nil, value.ErrTooDeep
	}
	// Scalars are given on as v itself: x would be boxed anew.
	switch x := v.(type) {
	case nil, bool, int64, float64:
		return v, im.charge(8)
	case string:
		return v, im.charge(int64(len(x)) + 16)
	case []value.Value:
		return im.list(x, depth)
	case *value.Object:
		return im.object(x, depth)
	case *big.Int:
		return im.integer(x)
	case json.Number:
		n, ok := value.Number(string(x))
		if !ok {
			return nil, errors.New("it holds a number that cannot be read")
		}
		return n, im.charge(int64(len(x)) + 16)
	}
	return im.foreign(v, depth)
}

func (im *importer) list(v []value.Value, depth int) (value.Value, error) {
	if err := im.charge(int64(len(v))*16 + 24); err != nil {
		return nil, err
	}
	out := make([]value.Value, len(v))
	for i := 0; i < len(v); {
		n, err := im.block(out[i:], v[i:], depth+1)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			i += n
			continue
		}
		if out[i], err = im.take(v[i], depth+1); err != nil {
			return nil, err
		}
		i++
	}
	return out, nil
}

// mostBlock is how many rows are copied as one block: few enough that one row that
// outlives the others does not keep much.
const mostBlock = 64

// block copies the objects of one shape at the head of a list, and gives how many
// they were; 0 if it is not worth it. What a block takes is charged at once.
func (im *importer) block(out, v []value.Value, depth int) (int, error) {
	first, ok := v[0].(*value.Object)
	if !ok || first.Len() == 0 || depth > value.MaxDepth {
		return 0, nil
	}
	rows := alike(first.Keys(), v)
	if rows < 2 {
		return 0, nil
	}
	columns := first.Len()
	if err := im.charge(int64(rows) * (int64(columns)*16 + 48)); err != nil {
		return 0, err
	}
	vals := make([]value.Value, rows*columns)
	var size int64
	for i := range rows {
		row := v[i].(*value.Object)
		for j := range columns {
			e := row.At(j)
			switch x := e.(type) {
			case nil, bool, int64, float64:
				size += 8
			case string:
				size += int64(len(x)) + 16
			default:
				var err error
				if e, err = im.take(e, depth+1); err != nil {
					return 0, err
				}
			}
			vals[i*columns+j] = e
		}
	}
	block := value.NewRows(first.Keys(), vals)
	for i := range block {
		out[i] = &block[i]
	}
	return rows, im.charge(size)
}

// alike gives how many of a list's first elements are objects with these keys.
func alike(keys *value.Keys, v []value.Value) int {
	n := 1
	for n < min(len(v), mostBlock) {
		row, ok := v[n].(*value.Object)
		if !ok || row == nil || row.Keys() != keys && !slices.Equal(row.Keys().Names(), keys.Names()) {
			break
		}
		n++
	}
	return n
}

func (im *importer) object(o *value.Object, depth int) (value.Value, error) {
	if o == nil {
		return nil, im.charge(8)
	}
	n := o.Len()
	if err := im.charge(int64(n)*16 + 48); err != nil {
		return nil, err
	}
	if n == 0 {
		return value.NewObject(0), nil
	}
	vals := make([]value.Value, n)
	for i := range vals {
		var err error
		if vals[i], err = im.take(o.At(i), depth+1); err != nil {
			return nil, err
		}
	}
	return value.NewRow(o.Keys(), vals), nil
}

func (im *importer) integer(n *big.Int) (value.Value, error) {
	if n == nil {
		return nil, im.charge(8)
	}
	if n.IsInt64() {
		return n.Int64(), im.charge(8)
	}
	if err := im.charge(int64(n.BitLen())/8 + 40); err != nil {
		return nil, err
	}
	return new(big.Int).Set(n), nil
}

// foreign takes a Go value of another type by way of its JSON form. The handler
// has already allocated something of that size, so it is charged afterwards.
func (im *importer) foreign(v any, depth int) (value.Value, error) {
	plain, err := safeFrom(v)
	if err != nil {
		return nil, err
	}
	switch plain.(type) {
	case nil, bool, int64, float64, string, []value.Value, *value.Object, *big.Int, json.Number:
		return im.take(plain, depth)
	}
	return nil, errNotPlain
}

// safeFrom contains the panic of a MarshalJSON method.
func safeFrom(v any) (plain value.Value, err error) {
	defer func() {
		if recover() != nil {
			plain, err = nil, errNotPlain
		}
	}()
	return value.From(v)
}

// keep takes a result into the program's account.
func (r *Run) keep(v any) (got value.Value, size int64, err error) {
	defer func() {
		if recover() != nil { // the handler still writes to what it returned
			got, err = nil, errNotPlain
		}
	}()
	r.im = importer{m: r.m}
	got, err = r.im.take(v, 0)
	return got, r.im.bytes, err
}
