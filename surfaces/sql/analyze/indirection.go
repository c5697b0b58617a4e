//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// maxDimensions is how many dimensions an array may have.
const maxDimensions = 6

// indirection analyses subscripts and fields after an expression.
func (s *scope) indirection(x *pg.A_Indirection) query.Expr {
	e := s.expr(x.Arg)
	at := e.Pos()
	var subscripts []*pg.A_Indices
	flush := func() {
		if len(subscripts) > 0 {
			e = s.subscript(e, subscripts)
			subscripts = nil
		}
	}
	for _, n := range x.Indirection {
		switch i := n.GetNode().(type) {
		case *pg.Node_AIndices:
			subscripts = append(subscripts, i.AIndices)
		case *pg.Node_AStar:
			s.fail(at, pgerr.FeatureNotSupported, "row expansion via \"*\" is not supported here")
		case *pg.Node_String_:
			flush()
			e = s.fieldOrError(e, i.String_.Sval, at)
		}
	}
	flush()
	return e
}

func (s *scope) fieldOrError(e query.Expr, name string, at int) query.Expr {
	if r := s.projectOrCall(name, e, at); r != nil {
		return r
	}
	if c, ok := e.(*query.Column); ok && c.Attribute == query.WholeRow {
		s.fail(at, pgerr.UndefinedColumn, "column %s.%s does not exist", s.up(c.Levels).q.Relations[c.Relation].Name, name)
	}
	if e.Type() == pgcat.Record {
		s.fail(at, pgerr.UndefinedColumn, "could not identify column \"%s\" in record data type", name)
	}
	s.fail(at, pgerr.WrongObjectType, "column notation .%s applied to type %s, which is not a composite type", name, s.cat.FormatType(e.Type()))
	return nil
}

// subscript takes an element or a slice.
func (s *scope) subscript(e query.Expr, list []*pg.A_Indices) query.Expr {
	out := &query.Subscript{Node: query.Node{Mod: e.Typmod(), At: e.Pos()}, Container: e}
	for _, i := range list {
		out.Slice = out.Slice || i.IsSlice
	}
	t := e.Type()
	if t == pgcat.JSONB {
		s.jsonSubscript(out, list)
		return out
	}
	element := s.cat.ElementOf(t)
	if t == pgcat.OIDVector || t == pgcat.Int2Vector {
		element = s.cat.Type(t).Element
	}
	if element == 0 {
		if x := s.cat.Type(t); x != nil && x.Element != 0 {
			s.unsupported(e.Pos(), "subscripting the type "+s.cat.FormatType(t))
		}
		s.fail(e.Pos(), pgerr.DatatypeMismatch, "cannot subscript type %s because it does not support subscripting", s.cat.FormatType(t))
	}
	s.arraySubscripts(out, list)
	out.OID = element
	if out.Slice {
		out.OID = t
	}
	return out
}

func (s *scope) arraySubscripts(out *query.Subscript, list []*pg.A_Indices) {
	for _, i := range list {
		if out.Slice {
			switch {
			case i.Lidx != nil:
				out.Lower = append(out.Lower, s.index(i.Lidx))
			case !i.IsSlice:
				out.Lower = append(out.Lower, s.intConst(1))
			default:
				out.Lower = append(out.Lower, nil)
			}
		}
		if i.Uidx != nil {
			out.Upper = append(out.Upper, s.index(i.Uidx))
		} else {
			out.Upper = append(out.Upper, nil)
		}
	}
	if len(list) > maxDimensions {
		s.fail(-1, pgerr.ProgramLimitExceeded, "number of array dimensions (%d) exceeds the maximum allowed (%d)", len(list), maxDimensions)
	}
}

func (s *scope) index(n *pg.Node) query.Expr {
	e := s.expr(n)
	r := s.convert(e, pgcat.Int4, -1, pgcat.Assignment, -1)
	if r == nil {
		s.fail(e.Pos(), pgerr.DatatypeMismatch, "array subscript must have type integer")
	}
	return r
}

// jsonSubscript takes a member of a jsonb by numbers and names.
func (s *scope) jsonSubscript(out *query.Subscript, list []*pg.A_Indices) {
	out.OID, out.Mod = pgcat.JSONB, -1
	for _, i := range list {
		if i.IsSlice {
			at := -1
			if i.Uidx != nil {
				at = s.expr(i.Uidx).Pos()
			} else if i.Lidx != nil {
				at = s.expr(i.Lidx).Pos()
			}
			s.fail(at, pgerr.DatatypeMismatch, "jsonb subscript does not support slices")
		}
		out.Upper = append(out.Upper, s.jsonIndex(i.Uidx))
	}
	out.Slice = false
}

func (s *scope) jsonIndex(n *pg.Node) query.Expr {
	e := s.expr(n)
	t := e.Type()
	if t == pgcat.Unknown {
		return s.coerce(e, pgcat.Text, -1, pgcat.Implicit, -1)
	}
	number, text := s.canCoerce(t, pgcat.Int4, pgcat.Implicit), s.canCoerce(t, pgcat.Text, pgcat.Implicit)
	switch {
	case number && text:
		s.raise(e.Pos(), pgerr.New(pgerr.DatatypeMismatch, "subscript type %s is not supported", s.cat.FormatType(t)).
			WithHint("jsonb subscript must be coercible to only one type, integer or text."))
	case number:
		return s.coerce(e, pgcat.Int4, -1, pgcat.Implicit, -1)
	case text:
		return s.coerce(e, pgcat.Text, -1, pgcat.Implicit, -1)
	}
	s.raise(e.Pos(), pgerr.New(pgerr.DatatypeMismatch, "subscript type %s is not supported", s.cat.FormatType(t)).
		WithHint("jsonb subscript must be coercible to either integer or text."))
	return nil
}
