package lisp

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/toolfn/value"
)

// shapes keeps the keys that rows share as keywords, so that all rows of a result
// have one list of them.
type shapes struct {
	by   map[*value.Keys]*data.Shape
	last *value.Keys
	hit  *data.Shape
}

// mostShapes bounds the lists that are kept.
const mostShapes = 500

// of gives the keywords of a list of keys.
func (s *session) shapeOf(t *data.Thread, keys *value.Keys) *data.Shape {
	if s.shapes.last == keys {
		return s.shapes.hit
	}
	shape := s.shapes.by[keys]
	if shape == nil {
		names := keys.Names()
		t.Alloc(64 * len(names))
		words := make([]data.Value, len(names))
		for i, n := range names {
			words[i] = s.machine.Keyword(n)
		}
		shape = data.NewShape(t, words)
		if len(s.shapes.by) >= mostShapes {
			clear(s.shapes.by)
		}
		if s.shapes.by == nil {
			s.shapes.by = map[*value.Keys]*data.Shape{}
		}
		s.shapes.by[keys] = shape
	}
	s.shapes.last, s.shapes.hit = keys, shape
	return shape
}

// bring gives plain data as Lisp's: objects as maps with keyword keys. row marks the
// maps as rows of a capability; nil for none.
func (s *session) bring(t *data.Thread, v value.Value, row *data.Row) data.Value {
	switch v := v.(type) {
	case nil:
		return data.Nil
	case bool:
		return data.Bool(v)
	case int64:
		return data.Int(v)
	case float64:
		return data.Float(v)
	case string:
		t.Alloc(64)
		return data.String(v)
	case *big.Int:
		return data.Integer(v)
	case json.Number:
		return decimal(t, string(v))
	case []value.Value:
		t.Alloc(112 + 16*len(v))
		items := make([]data.Value, len(v))
		t.Enter()
		for i, x := range v {
			items[i] = s.bring(t, x, row)
		}
		t.Leave()
		return data.VectorOf(items)
	case *value.Object:
		return s.bringObject(t, v, row)
	case *dispatch.Placeholder:
		return data.Box(&placeholder{of: v})
	}
	return data.Nil
}

// decimal reads a number that no double denotes exactly: as a ratio, which does.
func decimal(t *data.Thread, text string) data.Value {
	if len(text) < 400 && !strings.ContainsAny(text, "eE") {
		if r, ok := new(big.Rat).SetString(text); ok {
			t.Alloc(2 * len(text))
			return data.Rational(r)
		}
	}
	n, err := json.Number(text).Float64()
	if err != nil {
		return data.String(text)
	}
	return data.Float(n)
}

func (s *session) bringObject(t *data.Thread, o *value.Object, row *data.Row) data.Value {
	shape := s.shapeOf(t, o.Keys())
	n := o.Len()
	t.Alloc(176 + 16*n)
	vals := make([]data.Value, n)
	t.Enter()
	for i := range vals {
		vals[i] = s.bring(t, o.At(i), row)
	}
	t.Leave()
	m := shape.NewRow(vals)
	m.Row = row
	return m.Value()
}

// send gives Lisp's data as plain data, for arguments: keywords as their names,
// sets and sequences as lists. What is no data is refused.
func send(t *data.Thread, v data.Value) value.Value {
	switch v.Kind() {
	case data.KindNil:
		return nil
	case data.KindBool:
		b, _ := v.Bool()
		return b
	case data.KindInt:
		n, _ := v.Int()
		return n
	case data.KindFloat:
		return sendFloat(t, v)
	case data.KindBig:
		n, _ := v.BigInt()
		return value.FromBig(n)
	case data.KindRatio:
		return sendRatio(v)
	case data.KindChar, data.KindString:
		return data.Str(t, v)
	case data.KindKeyword, data.KindSymbol:
		return v.Named().Full()
	case data.KindMap:
		return sendMap(t, v.Map())
	case data.KindVector, data.KindSet, data.KindList, data.KindCons, data.KindLazy, data.KindChunk, data.KindRange:
		t.Enter()
		out := []value.Value{}
		for it := data.Iterate(t, v); it.Next(); {
			t.Alloc(16)
			out = append(out, send(t, it.Value))
		}
		t.Leave()
		return out
	}
	if p, ok := v.Unbox().(*placeholder); ok {
		data.ThrowHint("IllegalArgumentException", "the result of "+p.of.Function+" is not known before (commit!), so it cannot be passed on.", "Commit first, and use the result then.")
	}
	data.ThrowHint("IllegalArgumentException", data.Describe(t, v)+" cannot be passed to a call: it is no data.", "Pass what it gives.")
	return nil
}

func sendFloat(t *data.Thread, v data.Value) value.Value {
	f, _ := v.Float()
	if f-f != 0 {
		data.ThrowHint("IllegalArgumentException", data.Print(t, v, true)+" cannot be passed to a call: JSON has no such number.", "Pass nil or a text.")
	}
	return f
}

// sendRatio gives a ratio as the decimal that it is, or as the nearest double.
func sendRatio(v data.Value) value.Value {
	r, _ := v.Ratio()
	if n, exact := r.FloatPrec(); exact && n < 40 {
		if x, ok := value.Number(r.FloatString(n)); ok {
			return x
		}
	}
	return data.ToFloat(v)
}

func sendMap(t *data.Thread, m *data.Map) value.Value {
	t.Enter()
	t.Alloc(64 + 48*m.Len())
	o := value.NewObject(m.Len())
	m.Each(t, func(k, v data.Value) bool {
		o.Set(keyOf(t, k), send(t, v))
		return true
	})
	t.Leave()
	return o
}

// keyOf is the key of an object that a map's key becomes.
func keyOf(t *data.Thread, k data.Value) string {
	switch k.Kind() {
	case data.KindKeyword, data.KindSymbol:
		return k.Named().Full()
	case data.KindString, data.KindChar, data.KindInt, data.KindBool:
		return data.Str(t, k)
	}
	data.ThrowHint("IllegalArgumentException", "a map with the key "+data.Brief(t, k, 60)+" cannot be passed to a call: keys are names.", "Use keywords or strings for keys.")
	return ""
}

// placeholder stands for the result of a call that is staged.
type placeholder struct {
	data.Head
	of *dispatch.Placeholder
}

func (p *placeholder) TypeName() string { return "the result of a staged call" }
func (p *placeholder) Printed() string  { return p.of.Opaque() }

// Lookup refuses: nothing of the result is known.
func (p *placeholder) Lookup(*data.Thread, data.Value) (data.Value, bool) {
	data.ThrowHint("IllegalStateException", "the result of "+p.of.Function+" is not known before (commit!): the call is staged.", "Commit first, and use the result then.")
	return data.Nil, false
}
