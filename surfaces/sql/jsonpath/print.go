package jsonpath

import (
	"fmt"

	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// Append writes the path as the server does.
func (p *Path) Append(dst []byte) []byte {
	if p.strict {
		dst = append(dst, "strict "...)
	}
	return appendItem(dst, p.root, false, true)
}

// String gives the text of the path.
func (p *Path) String() string { return string(p.Append(nil)) }

var operatorSigns = map[kind]string{
	andItem: "&&", orItem: "||", equalItem: "==", unequalItem: "!=", lessItem: "<", greaterItem: ">", lessEqualItem: "<=", greaterEqualItem: ">=",
	addItem: "+", subItem: "-", mulItem: "*", divItem: "/", modItem: "%", startsItem: "starts with", plusItem: "+", minusItem: "-",
}

// priority orders operators by how they bind.
func (k kind) priority() int {
	switch k {
	case orItem:
		return 0
	case andItem:
		return 1
	case equalItem, unequalItem, lessItem, greaterItem, lessEqualItem, greaterEqualItem, startsItem:
		return 2
	case addItem, subItem:
		return 3
	case mulItem, divItem, modItem:
		return 4
	case plusItem, minusItem:
		return 5
	}
	return 6
}

// appendItem writes an item and those that follow it. Within an operator that
// binds as strongly or more it stands in parentheses.
func appendItem(dst []byte, i *item, inKey, brackets bool) []byte {
	for ; i != nil; i, inKey, brackets = i.next, true, true {
		dst = i.append(dst, inKey, brackets)
	}
	return dst
}

func (i *item) append(dst []byte, inKey, brackets bool) []byte {
	switch i.kind {
	case nullItem:
		return append(dst, "null"...)
	case stringItem:
		return pgtype.AppendJSONString(dst, i.text)
	case numberItem:
		if i.next != nil {
			return append(pgtype.AppendNumeric(append(dst, '('), i.number), ')')
		}
		return pgtype.AppendNumeric(dst, i.number)
	case boolItem:
		return fmt.Append(dst, i.truth)
	case variableItem:
		return pgtype.AppendJSONString(append(dst, '$'), i.text)
	case rootItem:
		return append(dst, '$')
	case currentItem:
		return append(dst, '@')
	case lastItem:
		return append(dst, "last"...)
	case notItem:
		return append(appendItem(append(dst, "!("...), i.left, false, false), ')')
	case unknownItem:
		return append(appendItem(append(dst, '('), i.left, false, false), ") is unknown"...)
	case existsItem:
		return append(appendItem(append(dst, "exists ("...), i.left, false, false), ')')
	case filterItem:
		return append(appendItem(append(dst, "?("...), i.left, false, false), ')')
	}
	if i.kind >= andItem && i.kind <= minusItem {
		return i.appendOperator(dst, brackets)
	}
	return i.appendAccessor(dst, inKey)
}

func (i *item) appendOperator(dst []byte, brackets bool) []byte {
	if brackets {
		dst = append(dst, '(')
	}
	operand := func(part *item) {
		dst = appendItem(dst, part, false, part.kind.priority() <= i.kind.priority())
	}
	switch i.kind {
	case plusItem, minusItem:
		dst = append(dst, operatorSigns[i.kind]...)
		operand(i.left)
	case regexItem:
		operand(i.left)
		dst = pgtype.AppendJSONString(append(dst, " like_regex "...), i.text)
		dst = i.appendFlags(dst)
	default:
		operand(i.left)
		dst = append(append(append(dst, ' '), operatorSigns[i.kind]...), ' ')
		operand(i.right)
	}
	if brackets {
		dst = append(dst, ')')
	}
	return dst
}

func (i *item) appendFlags(dst []byte) []byte {
	if i.flags == 0 {
		return dst
	}
	dst = append(dst, " flag \""...)
	for _, f := range flagLetters {
		if i.flags&f.flag != 0 {
			dst = append(dst, f.letter)
		}
	}
	return append(dst, '"')
}

func (i *item) appendAccessor(dst []byte, inKey bool) []byte {
	if inKey && (i.kind == keyItem || i.kind == anyKeyItem || i.kind == anyItem) {
		dst = append(dst, '.')
	}
	switch i.kind {
	case keyItem:
		return pgtype.AppendJSONString(dst, i.text)
	case anyKeyItem:
		return append(dst, '*')
	case anyArrayItem:
		return append(dst, "[*]"...)
	case anyItem:
		return i.appendLevels(append(dst, "**"...))
	case indexItem:
		dst = append(dst, '[')
		for n, s := range i.indexes {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = appendItem(dst, s.from, false, false)
			if s.to != nil {
				dst = appendItem(append(dst, " to "...), s.to, false, false)
			}
		}
		return append(dst, ']')
	}
	dst = append(append(append(dst, '.'), i.text...), '(')
	if i.left != nil {
		dst = pgtype.AppendJSONString(dst, i.left.text)
	}
	for n, a := range i.args {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = pgtype.AppendNumeric(dst, a)
	}
	return append(dst, ')')
}

func (i *item) appendLevels(dst []byte) []byte {
	level := func(n uint32) string {
		if n == anyLevel {
			return "last"
		}
		return fmt.Sprint(n)
	}
	switch {
	case i.first == 0 && i.last == anyLevel:
		return dst
	case i.first == i.last:
		return fmt.Appendf(dst, "{%s}", level(i.first))
	}
	return fmt.Appendf(dst, "{%s to %s}", level(i.first), level(i.last))
}
