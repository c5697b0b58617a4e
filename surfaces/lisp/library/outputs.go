package library

import (
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// Host is what the library asks of the session.
type Host interface {
	// Print takes what a program prints; it is bounded there.
	Print(text string)
	// Random gives a number of at least 0 and below 1, of the session's own seed.
	Random() float64
	// Datum gives a form as data.
	Datum(f *reader.Form) data.Value
}

func host(t *data.Thread) Host { return t.Host.(Host) }

// outputs are the functions that print and that give the text of values.
func outputs() []*data.Native {
	printing := func(name string, readably bool, end string) *data.Native {
		return fn(name, 0, any, "("+name+" x …)", "print", func(t *data.Thread, a []value) value {
			host(t).Print(joinedText(t, a, readably) + end)
			return data.Nil
		})
	}
	text := func(name string, readably bool, end string) *data.Native {
		return fn(name, 0, any, "("+name+" x …)", "the text that would be printed", func(t *data.Thread, a []value) value {
			return data.String(joinedText(t, a, readably) + end)
		})
	}
	return []*data.Native{
		printing("println", false, "\n"), printing("print", false, ""), printing("prn", true, "\n"), printing("pr", true, ""),
		fn("newline", 0, 0, "(newline)", "end the line", func(t *data.Thread, _ []value) value { host(t).Print("\n"); return data.Nil }),
		fn("flush", 0, 0, "(flush)", "nothing", func(*data.Thread, []value) value { return data.Nil }),
		text("pr-str", true, ""), text("prn-str", true, "\n"), text("print-str", false, ""), text("println-str", false, "\n"),
		fn("str", 0, any, "(str x …)", "the values as one text", str),
	}
}

func joinedText(t *data.Thread, a []value, readably bool) string {
	var out []byte
	for i, x := range a {
		if i > 0 {
			out = append(out, ' ')
		}
		s := data.Print(t, x, readably)
		t.Alloc(len(s))
		out = append(out, s...)
	}
	return string(out)
}

func str(t *data.Thread, a []value) value {
	if len(a) == 1 {
		if a[0].Kind() == data.KindString {
			return a[0]
		}
		return data.String(data.Str(t, a[0]))
	}
	parts := make([]string, len(a))
	n := 0
	for i, x := range a {
		parts[i] = data.Str(t, x)
		n += len(parts[i])
	}
	t.Alloc(n + 64)
	out := make([]byte, 0, n)
	for _, p := range parts {
		out = append(out, p...)
	}
	return data.String(string(out))
}
