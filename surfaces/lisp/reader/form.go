package reader

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// Kind is the kind of a form.
type Kind uint8

// The kinds of forms.
const (
	Atom   Kind = iota // a number, string, character, keyword, symbol, nil, true, false
	List               // (…), and what is read as one: 'x, @x, #'x
	Vector             // […]
	Map                // {…}: keys and values in turn
	Set                // #{…}
	Regex              // #"…": Value is the pattern's text
	Lambda             // #(…): Items are the body's elements
)

// Form is one form of a program.
type Form struct {
	Kind     Kind
	Pos, End int        // byte offsets in the source
	Value    data.Value // of an atom
	Items    []*Form
	Meta     *Form // ^meta before it
}

// Symbol gives the text of a form that is a symbol, else "".
func (f *Form) Symbol() string {
	if f.Kind != Atom || !f.Value.IsSymbol() {
		return ""
	}
	return f.Value.Named().Full()
}

// Head gives the symbol that a list begins with, else "".
func (f *Form) Head() string {
	if f.Kind != List || len(f.Items) == 0 {
		return ""
	}
	return f.Items[0].Symbol()
}

// NewSymbol makes a symbol form at the place of another.
func NewSymbol(at *Form, name string) *Form {
	return &Form{Kind: Atom, Pos: at.Pos, End: at.End, Value: data.Symbol(name)}
}

// NewList makes a list form at the place of another.
func NewList(at *Form, items ...*Form) *Form {
	return &Form{Kind: List, Pos: at.Pos, End: at.End, Items: items}
}

// Place gives the line and the column, from 1 and in code points, of an offset.
func Place(source string, offset int) (line, column int) {
	line, column = 1, 1
	for i, r := range source {
		if i >= offset {
			break
		}
		if r == '\n' {
			line, column = line+1, 1
			continue
		}
		column++
	}
	return line, column
}

// FaultAt places a fault in the source.
func FaultAt(f *sandbox.Fault, source string, offset int) *sandbox.Fault {
	line, column := Place(source, offset)
	return f.At(source, line, column)
}
