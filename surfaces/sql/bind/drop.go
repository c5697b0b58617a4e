package bind

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Drop takes the conjunct of a condition out of the statement: it holds for every row
// that was read. Where an outer join may put NULLs in the place of these rows, which
// the conjunct kept out, it leaves the question whether there is a row.
func Drop(c Condition) {
	for i, s := range c.Steps {
		is := there(s)
		if i == 0 {
			if is == nil {
				is = truth(c.Conjunct)
			}
			s.Query.Where = replaced(s.Query.Where, c.Conjunct, is)
			for _, item := range s.Query.From {
				dropFrom(item, c.Conjunct, is)
			}
			continue
		}
		if is != nil {
			s.Query.Where = both(s.Query.Where, is)
		}
	}
}

func dropFrom(item query.From, conjunct, is query.Expr) {
	if j, ok := item.(*query.Join); ok {
		j.On = replaced(j.On, conjunct, is)
		dropFrom(j.Left, conjunct, is)
		dropFrom(j.Right, conjunct, is)
	}
}

func replaced(e, conjunct, is query.Expr) query.Expr {
	if e == nil {
		return nil
	}
	if e == conjunct {
		return is
	}
	if and, ok := e.(*query.And); ok {
		for i, a := range and.Args {
			and.Args[i] = replaced(a, conjunct, is)
		}
	}
	return e
}

func both(a, b query.Expr) query.Expr {
	if a == nil {
		return b
	}
	return &query.And{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: a.Pos()}, Args: []query.Expr{a, b}}
}

func truth(at query.Expr) query.Expr {
	return &query.Const{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: at.Pos()}, Datum: vector.Datum{Type: pgcat.Bool, Value: true}}
}

// there asks whether a relation has a row, nil where it always has.
func there(s Step) query.Expr {
	for _, item := range s.Query.From {
		if nullable(item, s.Relation) {
			return &query.NullTest{
				Node: query.Node{OID: pgcat.Bool, Mod: -1, At: -1}, Not: true,
				Arg: &query.Column{Node: query.Node{OID: pgcat.Record, Mod: -1, At: -1}, Relation: s.Relation, Attribute: query.WholeRow},
			}
		}
	}
	return nil
}

// nullable reports whether an item of FROM may put NULLs in the place of a relation's
// rows.
func nullable(item query.From, relation int) bool {
	j, ok := item.(*query.Join)
	if !ok {
		return false
	}
	left, right := map[int]bool{}, map[int]bool{}
	members(j.Left, left)
	members(j.Right, right)
	switch {
	case right[relation] && (j.Kind == query.Left || j.Kind == query.Full), left[relation] && (j.Kind == query.Right || j.Kind == query.Full):
		return true
	}
	return nullable(j.Left, relation) || nullable(j.Right, relation)
}
