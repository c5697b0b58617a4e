package module

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// layout is a compiled format of struct.
type layout struct {
	text  string
	order binary.AppendByteOrder
	read  binary.ByteOrder
	items []layoutItem
	size  int
}

// layoutItem is one code of a format.
type layoutItem struct {
	code  byte
	count int
	at    int // its first byte
}

// structSizes are the standard sizes of the codes (library reference, struct).
var structSizes = map[byte]int{
	'x': 1, 'c': 1, 'b': 1, 'B': 1, '?': 1, 'h': 2, 'H': 2, 'i': 4, 'I': 4, 'l': 4, 'L': 4, 'q': 8, 'Q': 8, 'e': 2, 'f': 4, 'd': 8, 's': 1, 'p': 1, 'n': 8, 'N': 8, 'P': 8,
}

var structError = object.Define("struct.error", object.ExceptionClass).Ready()

// mostPacked bounds what one format describes, in bytes.
const mostPacked = 1 << 26

// parseLayout reads a format.
func parseLayout(t *thread, v value) (*layout, *exception) {
	text, ok := textOf(v)
	if b, isBytes := v.Bytes(); isBytes {
		text, ok = b.String(), true
	}
	if !ok {
		return nil, t.RaiseType("Struct() argument 1 must be a str or bytes object, not %s", nameOf(v))
	}
	if x := t.Charge(int64(len(text))); x != nil {
		return nil, x
	}
	if x := t.Alloc(32 * len(text)); x != nil {
		return nil, x
	}
	l := &layout{text: text, order: binary.LittleEndian, read: binary.LittleEndian}
	native := true
	if text != "" {
		switch text[0] {
		case '<', '=':
			native, text = false, text[1:]
		case '>', '!':
			native, text = false, text[1:]
			l.order, l.read = binary.BigEndian, binary.BigEndian
		case '@':
			text = text[1:]
		}
	}
	return l, l.parse(t, text, native)
}

func (l *layout) parse(t *thread, text string, native bool) *exception {
	count := -1
	for i := range len(text) {
		c := text[i]
		if c >= '0' && c <= '9' {
			count = max(count, 0)*10 + int(c-'0')
			if count > mostPacked {
				return t.Raise(structError, "total struct size too long")
			}
			continue
		}
		if c == ' ' || c == '\t' || c == '\n' {
			continue
		}
		size, ok := structSizes[c]
		if !ok || !native && (c == 'n' || c == 'N' || c == 'P') {
			return t.Raise(structError, "bad char in struct format")
		}
		if native && (c == 'l' || c == 'L') {
			size = 8
		}
		if native && size > 1 {
			l.size = (l.size + size - 1) / size * size
		}
		n := count
		if n < 0 {
			n = 1
		}
		l.items = append(l.items, layoutItem{code: c, count: n, at: l.size})
		if l.size += n * size; l.size > mostPacked {
			return t.Raise(structError, "total struct size too long")
		}
		count = -1
	}
	if count >= 0 {
		return t.Raise(structError, "repeat count given without format specifier")
	}
	return nil
}

// width is the size of one value of an item.
func (l *layout) width(code byte) int {
	if (code == 'l' || code == 'L') && l.native() {
		return 8
	}
	return structSizes[code]
}

func (l *layout) native() bool {
	return l.text == "" || l.text[0] == '@' || l.text[0] != '<' && l.text[0] != '>' && l.text[0] != '=' && l.text[0] != '!'
}

// values counts the values that the format describes.
func (l *layout) values() int {
	n := 0
	for _, i := range l.items {
		switch i.code {
		case 'x':
		case 's', 'p':
			n++
		default:
			n += i.count
		}
	}
	return n
}

func (l *layout) pack(t *thread, args []value) (value, *exception) {
	if want := l.values(); len(args) != want {
		return raised(t.Raise(structError, "pack expected %d items for packing (got %d)", want, len(args)))
	}
	if x := t.Alloc(2 * l.size); x != nil {
		return value{}, x
	}
	out := make([]byte, 0, l.size)
	for _, i := range l.items {
		out = append(out, make([]byte, i.at-len(out))...)
		switch i.code {
		case 'x':
			out = append(out, make([]byte, i.count)...)
			continue
		case 's', 'p':
			b, x := packText(t, i, args[0])
			if x != nil {
				return value{}, x
			}
			out, args = append(out, b...), args[1:]
			continue
		}
		for range i.count {
			var x *exception
			if out, x = l.put(t, out, i.code, args[0]); x != nil {
				return value{}, x
			}
			args = args[1:]
		}
	}
	return t.Data(string(out))
}

func packText(t *thread, i layoutItem, v value) ([]byte, *exception) {
	b, ok := v.Bytes()
	if !ok {
		return nil, t.Raise(structError, "argument for '%c' must be a bytes object", i.code)
	}
	text := b.String()
	out := make([]byte, i.count)
	if i.code == 's' {
		copy(out, text)
	} else if i.count > 0 {
		n := min(len(text), i.count-1, 255)
		out[0] = byte(n)
		copy(out[1:], text[:n])
	}
	return out, nil
}

func (l *layout) put(t *thread, out []byte, code byte, v value) ([]byte, *exception) {
	switch code {
	case 'c':
		b, ok := v.Bytes()
		if !ok || len(b.String()) != 1 {
			return nil, t.Raise(structError, "char format requires a bytes object of length 1")
		}
		return append(out, b.String()[0]), nil
	case '?':
		b, x := t.Truth(v)
		if b {
			return append(out, 1), x
		}
		return append(out, 0), x
	case 'f', 'd', 'e':
		f, x := t.ToFloat(v)
		if x != nil {
			return nil, t.Raise(structError, "required argument is not a float")
		}
		return l.putFloat(t, out, code, f)
	}
	width := l.width(code)
	n, x := structInt(t, code, width, v)
	if x != nil {
		return nil, x
	}
	switch width {
	case 1:
		return append(out, byte(n)), nil
	case 2:
		return l.order.AppendUint16(out, uint16(n)), nil
	case 4:
		return l.order.AppendUint32(out, uint32(n)), nil
	}
	return l.order.AppendUint64(out, n), nil
}

func (l *layout) putFloat(t *thread, out []byte, code byte, f float64) ([]byte, *exception) {
	switch code {
	case 'd':
		return l.order.AppendUint64(out, math.Float64bits(f)), nil
	case 'f':
		if g := float32(f); math.IsInf(float64(g), 0) && !math.IsInf(f, 0) {
			return nil, t.Raise(object.OverflowError, "float too large to pack with f format")
		}
		return l.order.AppendUint32(out, math.Float32bits(float32(f))), nil
	}
	return nil, t.Raise(structError, "half precision floats are not available here: use f")
}

// structInt gives the bits of an integer that fits.
func structInt(t *thread, code byte, width int, v value) (uint64, *exception) {
	i, x := t.Index(v)
	if x != nil {
		return 0, t.Raise(structError, "required argument is not an integer")
	}
	n, ok := i.Int()
	b := new(big.Int).SetInt64(n)
	if !ok {
		b, _ = object.BigOf(i)
	}
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(8*width))
	if code >= 'a' { // the small letters are signed
		high.Rsh(high, 1)
		low.Neg(high)
	}
	if b.Cmp(low) < 0 || b.Cmp(high) >= 0 {
		if width == 8 {
			return 0, t.Raise(structError, "int too large to convert")
		}
		return 0, t.Raise(structError, "'%c' format requires %s <= number <= %s", code, low, high.Sub(high, big.NewInt(1)))
	}
	if b.Sign() < 0 {
		b = new(big.Int).Add(b, new(big.Int).Lsh(big.NewInt(1), 64))
	}
	return b.Uint64(), nil
}

func (l *layout) unpack(t *thread, data string) (value, *exception) {
	if x := t.Alloc(56 + 48*l.values()); x != nil {
		return value{}, x
	}
	if x := t.Charge(int64(l.values())); x != nil {
		return value{}, x
	}
	var out []value
	for _, i := range l.items {
		at := i.at
		switch i.code {
		case 'x':
			continue
		case 's', 'p':
			part := data[at : at+i.count]
			if i.code == 'p' && i.count > 0 {
				part = part[1:min(1+int(part[0]), len(part))]
			}
			v, x := t.Data(part)
			if x != nil {
				return value{}, x
			}
			out = append(out, v)
			continue
		}
		width := l.width(i.code)
		for range i.count {
			out = append(out, l.get(i.code, []byte(data[at:at+width])))
			at += width
		}
	}
	return object.NewTuple(out), nil
}

func (l *layout) get(code byte, b []byte) value {
	var n uint64
	switch len(b) {
	case 1:
		n = uint64(b[0])
	case 2:
		n = uint64(l.read.Uint16(b))
	case 4:
		n = uint64(l.read.Uint32(b))
	case 8:
		n = l.read.Uint64(b)
	}
	switch code {
	case 'c':
		return object.NewBytes(string(b))
	case '?':
		return object.Bool(n != 0)
	case 'd':
		return object.Float(math.Float64frombits(n))
	case 'f':
		return object.Float(float64(math.Float32frombits(uint32(n))))
	case 'e':
		return object.Float(math.NaN())
	}
	if code >= 'a' {
		shift := 64 - 8*len(b)
		return object.Int(int64(n<<shift) >> shift)
	}
	if n > math.MaxInt64 {
		return object.Big(new(big.Int).SetUint64(n))
	}
	return object.Int(int64(n))
}

// bufferOf gives the bytes that a program unpacks.
func bufferOf(t *thread, v value) (string, *exception) {
	b, ok := v.Bytes()
	if !ok {
		return "", t.RaiseType("a bytes-like object is required, not '%s'", nameOf(v))
	}
	return b.String(), nil
}

var _ = register("struct", func(*Library) *object.Module {
	m := object.NewModule("struct")
	m.Set("error", structError.Value())
	with := func(name, sig string, f func(t *thread, l *layout, a []value) (value, *exception)) {
		m.Func(name, sig, func(t *thread, a []value) (value, *exception) {
			l, x := parseLayout(t, a[0])
			if x != nil {
				return value{}, x
			}
			for _, i := range l.items {
				if i.code == 'e' {
					return raised(t.Raise(structError, "half precision floats are not available here: use f"))
				}
			}
			return f(t, l, a[1:])
		})
	}
	with("calcsize", "format /", func(_ *thread, l *layout, _ []value) (value, *exception) { return object.Int(int64(l.size)), nil })
	with("pack", "format *v", func(t *thread, l *layout, a []value) (value, *exception) { return l.pack(t, a) })
	with("unpack", "format buffer /", func(t *thread, l *layout, a []value) (value, *exception) {
		data, x := bufferOf(t, a[0])
		if x != nil {
			return value{}, x
		}
		if len(data) != l.size {
			return raised(t.Raise(structError, "unpack requires a buffer of %d bytes", l.size))
		}
		return l.unpack(t, data)
	})
	with("unpack_from", "format buffer offset?", func(t *thread, l *layout, a []value) (value, *exception) {
		data, x := bufferOf(t, a[0])
		if x != nil {
			return value{}, x
		}
		at := int64(0)
		if v := object.Arg(a, 1); v.IsSet() {
			if at, x = t.IndexInt(v); x != nil {
				return value{}, x
			}
		}
		if at < 0 {
			at += int64(len(data))
		}
		if at < 0 || at > int64(len(data)) || int64(len(data))-at < int64(l.size) {
			return raised(t.Raise(structError, "unpack_from requires a buffer of at least %d bytes for unpacking %d bytes at offset %d (actual buffer size is %d)", at+int64(l.size), l.size, at, len(data)))
		}
		return l.unpack(t, data[at:at+int64(l.size)])
	})
	with("iter_unpack", "format buffer /", func(t *thread, l *layout, a []value) (value, *exception) {
		data, x := bufferOf(t, a[0])
		if x != nil {
			return value{}, x
		}
		if l.size == 0 {
			return raised(t.Raise(structError, "cannot iteratively unpack with a struct of length 0"))
		}
		if len(data)%l.size != 0 {
			return raised(t.Raise(structError, "iterative unpacking requires a buffer of a multiple of %d bytes", l.size))
		}
		var rows []value
		for at := 0; at < len(data); at += l.size {
			v, x := l.unpack(t, data[at:at+l.size])
			if x != nil {
				return value{}, x
			}
			rows = append(rows, v)
		}
		list, x := t.List(rows)
		if x != nil {
			return value{}, x
		}
		it, x := t.Iter(list)
		if x != nil {
			return value{}, x
		}
		return object.IterValue(it), nil
	})
	return m
})
