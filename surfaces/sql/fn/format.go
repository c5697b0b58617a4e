package fn

import (
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

var errUnterminated = pgerr.New(pgerr.InvalidParameter, "unterminated format() type specifier").
	WithHint("For a single \"%%\" use \"%%%%\".")

// formatter expands format()'s template.
type formatter struct {
	e    *Env
	args []vector.Datum
	next int // the argument that comes next, from 0
	rest string
	out  growing
}

// specifier is one %[position$][flags][width]type.
type specifier struct {
	position   int // from 1; 0 for the next argument
	left       bool
	width      int
	widthGiven bool // by an argument
	widthArg   int  // its number from 1; 0 for the next argument
}

func formatText(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	if args[0].Null() {
		return nil, nil
	}
	f := &formatter{e: e, args: args[1:], rest: args[0].Value.(string)}
	for f.rest != "" {
		i := strings.IndexByte(f.rest, '%')
		if i < 0 {
			i = len(f.rest)
		}
		if err := f.write(f.rest[:i]); err != nil {
			return nil, err
		}
		if f.rest = f.rest[i:]; f.rest == "" {
			break
		}
		if f.rest = f.rest[1:]; f.rest == "" {
			return nil, errUnterminated
		}
		if f.rest[0] == '%' {
			f.rest = f.rest[1:]
			if err := f.write("%"); err != nil {
				return nil, err
			}
			continue
		}
		if err := f.conversion(); err != nil {
			return nil, err
		}
	}
	return string(f.out.text), nil
}

func (f *formatter) write(s string) *pgerr.Error {
	if err := f.out.room(f.e, len(s)); err != nil {
		return err
	}
	f.out.text = append(f.out.text, s...)
	return nil
}

// number reads digits; ok is false where there are none.
func (f *formatter) number() (n int, ok bool, err *pgerr.Error) {
	for f.rest != "" && f.rest[0] >= '0' && f.rest[0] <= '9' {
		if n = n*10 + int(f.rest[0]-'0'); n > 1<<31-1 {
			return 0, false, pgerr.New(pgerr.NumericOutOfRange, "number is out of range")
		}
		f.rest, ok = f.rest[1:], true
	}
	if f.rest == "" && ok {
		return 0, false, errUnterminated
	}
	return n, ok, nil
}

var errArgumentZero = pgerr.New(pgerr.InvalidParameter, "format specifies argument 0, but arguments are numbered from 1")

func (f *formatter) specifier() (s specifier, err *pgerr.Error) {
	n, ok, err := f.number()
	if err != nil {
		return s, err
	}
	if ok {
		if f.rest[0] != '$' {
			s.width = n // it was the width
			return s, nil
		}
		if n == 0 {
			return s, errArgumentZero
		}
		s.position = n
		if f.rest = f.rest[1:]; f.rest == "" {
			return s, errUnterminated
		}
	}
	for f.rest[0] == '-' {
		s.left = true
		if f.rest = f.rest[1:]; f.rest == "" {
			return s, errUnterminated
		}
	}
	if f.rest[0] != '*' {
		s.width, _, err = f.number()
		return s, err
	}
	if f.rest = f.rest[1:]; f.rest == "" {
		return s, errUnterminated
	}
	s.widthGiven = true
	n, ok, err = f.number()
	if err != nil || !ok {
		return s, err
	}
	if f.rest[0] != '$' {
		return s, pgerr.New(pgerr.InvalidParameter, "width argument position must be ended by \"$\"")
	}
	if n == 0 {
		return s, errArgumentZero
	}
	s.widthArg = n
	if f.rest = f.rest[1:]; f.rest == "" {
		return s, errUnterminated
	}
	return s, nil
}

// argument gives an argument by its number, or the next.
func (f *formatter) argument(position int) (vector.Datum, *pgerr.Error) {
	at := f.next
	if position > 0 {
		at = position - 1
	}
	if at >= len(f.args) {
		return vector.Datum{}, pgerr.New(pgerr.InvalidParameter, "too few arguments for format()")
	}
	f.next = at + 1
	return f.args[at], nil
}

func (f *formatter) conversion() *pgerr.Error {
	s, err := f.specifier()
	if err != nil {
		return err
	}
	r, size := utf8.DecodeRuneInString(f.rest)
	if !strings.ContainsRune("sIL", r) {
		return pgerr.New(pgerr.InvalidParameter, "unrecognized format() type specifier \"%c\"", r).
			WithHint("For a single \"%%\" use \"%%%%\".")
	}
	f.rest = f.rest[size:]
	if s.widthGiven {
		if s.width, err = f.widthOf(s.widthArg); err != nil {
			return err
		}
	}
	if s.width < 0 {
		s.left, s.width = true, -s.width
	}
	d, err := f.argument(s.position)
	if err != nil {
		return err
	}
	text, err := f.text(d, r)
	if err != nil {
		return err
	}
	return f.padded(text, s)
}

func (f *formatter) widthOf(position int) (int, *pgerr.Error) {
	d, err := f.argument(position)
	if err != nil || d.Null() {
		return 0, err
	}
	if n, ok := d.Value.(int64); ok {
		if n < -1<<31+1 {
			return 0, pgerr.New(pgerr.NumericOutOfRange, "number is out of range")
		}
		return int(n), nil
	}
	text, err := f.e.textOf(d)
	if err != nil {
		return 0, err
	}
	read, _ := InputOf(23)
	v, err := read(f.e, text, -1)
	if err != nil {
		return 0, err
	}
	return int(v.(int64)), nil
}

func (f *formatter) text(d vector.Datum, conversion rune) (string, *pgerr.Error) {
	if d.Null() {
		switch conversion {
		case 's':
			return "", nil
		case 'L':
			return "NULL", nil
		}
		return "", pgerr.New(pgerr.NullNotAllowed, "null values cannot be formatted as an SQL identifier")
	}
	text, err := f.e.textOf(d)
	switch {
	case err != nil || conversion == 's':
		return text, err
	case conversion == 'I':
		return quoteIdentifier(text), nil
	}
	return quoteLiteral(text), nil
}

func (f *formatter) padded(text string, s specifier) *pgerr.Error {
	blanks := max(s.width-utf8.RuneCountInString(text), 0)
	if err := f.out.room(f.e, blanks+len(text)); err != nil {
		return err
	}
	if !s.left {
		f.out.text = append(f.out.text, strings.Repeat(" ", blanks)...)
	}
	f.out.text = append(f.out.text, text...)
	if s.left {
		f.out.text = append(f.out.text, strings.Repeat(" ", blanks)...)
	}
	return nil
}
