package module

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// buffer is io.StringIO or io.BytesIO: text by code points, or bytes.
type buffer struct {
	object.Obj
	class   *class
	runes   []rune // of a StringIO
	data    []byte // of a BytesIO
	pos     int
	newline string // what "\n" is written as
	closed  bool
}

// Class is io.StringIO or io.BytesIO.
func (b *buffer) Class() *class { return b.class }

var (
	textBuffer   = defineIn("_io", "StringIO")
	bytesBuffer  = defineIn("_io", "BytesIO")
	unsupported  = object.Define("UnsupportedOperation", object.OSError, object.ValueError)
	bufferLines  = object.Define("line_iterator")
	bufferShared = []*class{textBuffer, bytesBuffer}
)

var _ = register("io", func(*Library) *object.Module {
	m := object.NewModule("io")
	m.Set("StringIO", textBuffer.Value()).Set("BytesIO", bytesBuffer.Value()).Set("UnsupportedOperation", unsupported.Value())
	m.Set("SEEK_SET", object.Int(0)).Set("SEEK_CUR", object.Int(1)).Set("SEEK_END", object.Int(2))
	m.Set("DEFAULT_BUFFER_SIZE", object.Int(8192))
	return m
})

func (b *buffer) isText() bool { return b.class == textBuffer }

func (b *buffer) len() int { return len(b.runes) + len(b.data) }

// slice gives a part as a value.
func (b *buffer) slice(t *thread, from, to int) (value, *exception) {
	if x := t.Charge(int64(to-from) / 8); x != nil {
		return value{}, x
	}
	if b.isText() {
		if x := t.Alloc(56 + 4*(to-from)); x != nil {
			return value{}, x
		}
		return object.NewStr(object.FromRunes(b.runes[from:to])), nil
	}
	return t.Data(string(b.data[from:to]))
}

func writeOver[T any](t *thread, to []T, pos int, what []T, size int) ([]T, *exception) {
	end := pos + len(what)
	if end > cap(to) {
		room := max(end, 2*cap(to), 64)
		if x := t.Alloc(room * size); x != nil {
			return nil, x
		}
		grown := make([]T, len(to), room)
		copy(grown, to)
		to = grown
	}
	if end > len(to) {
		old := len(to)
		to = to[:end]
		if pos > old {
			clear(to[old:pos])
		}
	}
	copy(to[pos:], what)
	return to, nil
}

// write puts text or bytes at the position.
func (b *buffer) write(t *thread, v value) (value, *exception) {
	var x *exception
	if !b.isText() {
		d, ok := v.Bytes()
		if !ok {
			return raised(t.RaiseType("a bytes-like object is required, not '%s'", nameOf(v)))
		}
		if b.data, x = writeOver(t, b.data, b.pos, []byte(d.String()), 1); x != nil {
			return value{}, x
		}
		b.pos += len(d.String())
		return object.Int(int64(len(d.String()))), t.Charge(int64(len(d.String())) / 16)
	}
	s, ok := object.StrOf(v)
	if !ok {
		return raised(t.RaiseType("string argument expected, got '%s'", nameOf(v)))
	}
	text := s.String()
	if b.newline != "" {
		text = strings.ReplaceAll(text, "\n", b.newline)
	}
	if x := t.Alloc(4 * len(text)); x != nil {
		return value{}, x
	}
	rs := object.Runes(text)
	if b.runes, x = writeOver(t, b.runes, b.pos, rs, 4); x != nil {
		return value{}, x
	}
	b.pos += len(rs)
	return object.Int(int64(s.Len())), t.Charge(int64(len(text)) / 8)
}

// lineEnd gives where the line at a position ends.
func (b *buffer) lineEnd(from int) int {
	for i := from; i < b.len(); i++ {
		if b.isText() && b.runes[i] == '\n' || !b.isText() && b.data[i] == '\n' {
			return i + 1
		}
	}
	return b.len()
}

// line reads a line; limit is the most it may give, negative for any.
func (b *buffer) line(t *thread, limit int64) (value, *exception) {
	from := min(b.pos, b.len())
	to := b.lineEnd(from)
	if limit >= 0 && int64(to-from) > limit {
		to = from + int(limit)
	}
	b.pos = max(b.pos, to)
	return b.slice(t, from, to)
}

// size reads an optional length.
func bufferSize(t *thread, a []value) (int64, *exception) {
	v, ok := optional(a, 1)
	if !ok {
		return -1, nil
	}
	return integer(t, v)
}

func bufferNew(c *class) func(t *thread, cls *class, a []value, names []string) (value, *exception) {
	sig := "initial_value? newline?"
	if c == bytesBuffer {
		sig = "initial_bytes?"
	}
	build := object.NewBuiltin(c.ShortName(), sig, func(t *thread, a []value) (value, *exception) {
		if x := t.Alloc(160); x != nil {
			return value{}, x
		}
		b := &buffer{class: c}
		if v, ok := optional(a, 1); ok {
			s, isText := textOf(v)
			switch {
			case !isText:
				return raised(t.RaiseType("newline must be str or None, not %s", nameOf(v)))
			case s != "" && s != "\n" && s != "\r" && s != "\r\n":
				r, x := t.Repr(v)
				if x != nil {
					return value{}, x
				}
				return raised(t.RaiseValue("illegal newline value: %s", r))
			case s == "\r" || s == "\r\n":
				b.newline = s
			}
		}
		if v, ok := optional(a, 0); ok {
			if _, isText := object.StrOf(v); c == textBuffer && !isText {
				return raised(t.RaiseType("initial_value must be str or None, not %s", nameOf(v)))
			}
			if _, x := b.write(t, v); x != nil {
				return value{}, x
			}
			b.pos = 0
		}
		return object.Box(b), nil
	})
	return func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		v, x := build.Call(t, a, names)
		if x != nil {
			return value{}, x
		}
		return t.Wrap(cls, c, v)
	}
}

// bufferSeek moves the position.
func bufferSeek(t *thread, b *buffer, a []value) (value, *exception) {
	n, x := integer(t, a[1])
	if x != nil {
		return value{}, x
	}
	whence := int64(0)
	if v, ok := given(a, 2); ok {
		if whence, x = integer(t, v); x != nil {
			return value{}, x
		}
	}
	switch {
	case whence < 0 || whence > 2:
		return raised(t.RaiseValue("Invalid whence (%d, should be 0, 1 or 2)", whence))
	case whence == 0 && n < 0 && b.isText():
		return raised(t.RaiseValue("Negative seek position %d", n))
	case whence == 0 && n < 0:
		return raised(t.RaiseValue("negative seek value %d", n))
	case whence != 0 && n != 0 && b.isText():
		return raised(t.Raise(object.OSError, "Can't do nonzero cur-relative seeks"))
	}
	base := int64([]int{0, b.pos, b.len()}[whence])
	at := max(base+n, 0)
	if at > 1<<40 {
		return raised(t.Raise(object.OverflowError, "new position too large"))
	}
	b.pos = int(at)
	return object.Int(at), nil
}

func setupBuffer(c *class) {
	c.Module = "_io"
	c.New = bufferNew(c)
	method := func(name, sig string, fn func(t *thread, b *buffer, a []value) (value, *exception)) {
		c.Method(name, sig, func(t *thread, a []value) (value, *exception) {
			b, _ := object.NativeOf[*buffer](a[0])
			if b.closed && name != "close" {
				return raised(t.RaiseValue("I/O operation on closed file%s", map[bool]string{false: "."}[b.isText()]))
			}
			return fn(t, b, a)
		})
	}
	method("write", "s /", func(t *thread, b *buffer, a []value) (value, *exception) { return b.write(t, a[1]) })
	method("writelines", "lines /", func(t *thread, b *buffer, a []value) (value, *exception) {
		return object.None, t.Each(a[1], func(v value) (bool, *exception) {
			_, x := b.write(t, v)
			return false, x
		})
	})
	method("read", "size? /", func(t *thread, b *buffer, a []value) (value, *exception) {
		n, x := bufferSize(t, a)
		if x != nil {
			return value{}, x
		}
		from := min(b.pos, b.len())
		to := b.len()
		if n >= 0 && int64(to-from) > n {
			to = from + int(n)
		}
		b.pos = max(b.pos, to)
		return b.slice(t, from, to)
	})
	method("readline", "size? /", func(t *thread, b *buffer, a []value) (value, *exception) {
		n, x := bufferSize(t, a)
		if x != nil {
			return value{}, x
		}
		return b.line(t, n)
	})
	method("readlines", "hint? /", func(t *thread, b *buffer, a []value) (value, *exception) {
		n, x := bufferSize(t, a)
		if x != nil {
			return value{}, x
		}
		out, x := t.List(nil)
		if x != nil {
			return value{}, x
		}
		l, _ := out.List()
		start := b.pos
		for b.pos < b.len() && (n <= 0 || int64(b.pos-start) < n) {
			v, x := b.line(t, -1)
			if x != nil {
				return value{}, x
			}
			if x := l.Append(t, v); x != nil {
				return value{}, x
			}
		}
		return out, nil
	})
	method("getvalue", "", func(t *thread, b *buffer, _ []value) (value, *exception) { return b.slice(t, 0, b.len()) })
	method("tell", "", func(_ *thread, b *buffer, _ []value) (value, *exception) { return object.Int(int64(b.pos)), nil })
	method("seek", "pos whence? /", bufferSeek)
	method("truncate", "pos? /", func(t *thread, b *buffer, a []value) (value, *exception) {
		n := int64(b.pos)
		if v, ok := optional(a, 1); ok {
			var x *exception
			if n, x = integer(t, v); x != nil {
				return value{}, x
			}
		}
		if n < 0 {
			if b.isText() {
				return raised(t.RaiseValue("Negative size value %d", n))
			}
			return raised(t.RaiseValue("negative size value %d", n))
		}
		if n < int64(b.len()) {
			if b.isText() {
				b.runes = b.runes[:n]
			} else {
				b.data = b.data[:n]
			}
		}
		return object.Int(n), nil
	})
	for _, name := range []string{"readable", "writable", "seekable"} {
		method(name, "", func(*thread, *buffer, []value) (value, *exception) { return object.True, nil })
	}
	method("isatty", "", func(*thread, *buffer, []value) (value, *exception) { return object.False, nil })
	method("flush", "", func(*thread, *buffer, []value) (value, *exception) { return object.None, nil })
	method("close", "", func(_ *thread, b *buffer, _ []value) (value, *exception) {
		b.closed, b.runes, b.data = true, nil, nil
		return object.None, nil
	})
	c.Getter("closed", func(_ *thread, v value) (value, *exception) {
		b, _ := object.NativeOf[*buffer](v)
		return object.Bool(b.closed), nil
	})
	c.Own.Repr = func(t *thread, v value) (string, *exception) { return object.Object.Own.Repr(t, v) }
	c.Own.Enter = func(t *thread, v value) (value, *exception) {
		if b, _ := object.NativeOf[*buffer](v); b.closed {
			return raised(t.RaiseValue("I/O operation on closed file."))
		}
		return v, nil
	}
	c.Own.Exit = func(t *thread, v value, _ *exception) (bool, *exception) {
		_, x := callMethod(t, v, "close")
		return false, x
	}
	c.Own.Iter = func(t *thread, v value) (object.Iterator, *exception) {
		b, _ := object.NativeOf[*buffer](v)
		if b.closed {
			return nil, t.RaiseValue("I/O operation on closed file.")
		}
		return lazy(bufferLines, func(t *thread) (value, *exception) {
			if b.pos >= b.len() {
				return value{}, nil
			}
			return b.line(t, -1)
		}, v), nil
	}
	c.Own.Next = func(t *thread, v value) (value, *exception) {
		b, _ := object.NativeOf[*buffer](v)
		if b.pos >= b.len() {
			return value{}, nil
		}
		return b.line(t, -1)
	}
	c.Own.Children = func(v value, _ func(value)) int {
		b, ok := v.Native().(*buffer)
		if !ok {
			return 64
		}
		return 160 + 4*cap(b.runes) + cap(b.data)
	}
	c.Ready()
}

func init() {
	unsupported.Module = "io"
	unsupported.Ready()
	object.ReadyIterator(bufferLines)
	for _, c := range bufferShared {
		setupBuffer(c)
	}
	bytesBuffer.Method("getbuffer", "", func(t *thread, a []value) (value, *exception) { return callMethod(t, a[0], "getvalue") })
}
