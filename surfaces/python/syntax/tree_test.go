package syntax

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// tree prints a module in the form of testdata/tree.py.
func tree(m *Module) string {
	d := &dumper{lines: m.Lines}
	d.list(reflect.ValueOf(m.Body))
	return d.String()
}

type dumper struct {
	strings.Builder
	lines *Lines
}

func (d *dumper) quoted(s string) {
	// The other side prints ASCII only.
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(surrogates(s))
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		switch {
		case r < 0x7f:
			d.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(d, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(d, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
}

// surrogates replaces each byte of an encoded lone surrogate, as the other side
// does.
func surrogates(s string) string {
	return string([]rune(s))
}

func (d *dumper) list(v reflect.Value) {
	d.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			d.WriteByte(' ')
		}
		d.value(v.Index(i))
	}
	d.WriteByte(']')
}

func (d *dumper) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			d.WriteByte('-')
			return
		}
		d.value(v.Elem())
	case reflect.Slice:
		d.list(v)
	case reflect.String:
		d.quoted(v.String())
	case reflect.Int:
		fmt.Fprint(d, v.Int())
	case reflect.Bool:
		if v.Bool() {
			d.WriteString("True")
		} else {
			d.WriteString("False")
		}
	case reflect.Struct:
		d.node(v)
	default:
		panic("cannot print " + v.Kind().String())
	}
}

func (d *dumper) node(v reflect.Value) {
	t := v.Type()
	d.WriteString("(" + t.Name())
	for i := range t.NumField() {
		f := t.Field(i)
		switch f.Name {
		case "Span":
			s := v.Field(i).Interface().(Span)
			d.place(s.Start)
			d.placeEnd(s.End)
			continue
		case "NameAt":
			continue
		}
		d.WriteByte(' ')
		if f.Type.Kind() == reflect.Interface && f.Type.NumMethod() == 0 {
			d.constant(v.Field(i).Interface())
			continue
		}
		d.value(v.Field(i))
	}
	d.WriteByte(')')
}

func (d *dumper) offset(at int32) (line int, column int32) {
	line = d.lines.Line(at)
	return line, at - d.lines.starts[line-1]
}

func (d *dumper) place(at int32)    { l, c := d.offset(at); fmt.Fprintf(d, "@%d:%d", l, c) }
func (d *dumper) placeEnd(at int32) { l, c := d.offset(at); fmt.Fprintf(d, "-%d:%d", l, c) }

func (d *dumper) constant(v any) {
	switch v := v.(type) {
	case NoneValue:
		d.WriteString("None")
	case EllipsisValue:
		d.WriteString("...")
	case bool:
		d.value(reflect.ValueOf(v))
	case string:
		d.quoted(v)
	case Bytes:
		d.WriteString("b" + hex.EncodeToString([]byte(v)))
	case int64:
		fmt.Fprint(d, v)
	case *big.Int:
		d.WriteString(v.String())
	case float64:
		d.WriteString(floatRepr(v))
	case complex128:
		d.WriteString("j" + floatRepr(imag(v)))
	default:
		panic(fmt.Sprintf("cannot print %v", v))
	}
}

// floatRepr is Python's repr of a float.
func floatRepr(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if s == "+Inf" {
		return "inf"
	}
	if r := strconv.FormatFloat(f, 'e', -1, 64); true {
		mantissa, e, _ := strings.Cut(r, "e")
		n, _ := strconv.Atoi(e)
		if n < -4 || n >= 16 {
			sign := "+"
			if n < 0 {
				sign, n = "-", -n
			}
			return fmt.Sprintf("%se%s%02d", mantissa, sign, n)
		}
	}
	s = strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
