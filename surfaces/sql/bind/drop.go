package bind

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Drop takes a conjunct out of a query's WHERE and ON: it holds.
func Drop(q *query.Query, conjunct query.Expr) {
	q.Where = without(q.Where, conjunct)
	for _, item := range q.From {
		dropFrom(item, conjunct)
	}
}

func dropFrom(item query.From, conjunct query.Expr) {
	if j, ok := item.(*query.Join); ok {
		j.On = without(j.On, conjunct)
		dropFrom(j.Left, conjunct)
		dropFrom(j.Right, conjunct)
	}
}

func without(e, conjunct query.Expr) query.Expr {
	if e == nil {
		return nil
	}
	if e == conjunct {
		return &query.Const{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: e.Pos()}, Datum: vector.Datum{Type: pgcat.Bool, Value: true}}
	}
	if and, ok := e.(*query.And); ok {
		for i, a := range and.Args {
			and.Args[i] = without(a, conjunct)
		}
	}
	return e
}
