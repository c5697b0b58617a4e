package query_test

import (
	"fmt"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

func number(n int64) query.Expr {
	return &query.Const{Node: query.Node{OID: pgcat.Int4, Mod: -1, At: int(n)}, Datum: vector.Datum{Type: pgcat.Int4, Value: n}}
}

func column(relation, attribute, at int) query.Expr {
	return &query.Column{Node: query.Node{OID: pgcat.Int4, Mod: -1, At: at}, Relation: relation, Attribute: attribute}
}

// nodes makes one of each kind of node that has children, over two of them.
func nodes(a, b query.Expr) []query.Expr {
	n := query.Node{OID: pgcat.Int4, Mod: -1}
	list := func() []query.Expr { return []query.Expr{a, b} }
	call := func() *query.Call { return &query.Call{Node: n, Args: list()} }
	return []query.Expr{
		call(), &query.Relabel{Node: n, Arg: a}, &query.ThroughText{Node: n, Arg: a}, &query.ArrayCast{Node: n, Arg: a, Element: b},
		&query.And{Node: n, Args: list()}, &query.Or{Node: n, Args: list()}, &query.Not{Node: n, Arg: a}, &query.NullTest{Node: n, Arg: a},
		&query.BoolTest{Node: n, Arg: a}, &query.Case{Node: n, Arg: a, Whens: []query.When{{Condition: a, Result: b}}, Else: b},
		&query.Coalesce{Node: n, Args: list()}, &query.MinMax{Node: n, Args: list()}, &query.NullIf{Node: n, Comparison: call()},
		&query.Distinct{Node: n, Comparison: call()}, &query.Array{Node: n, Elements: list()}, &query.Row{Node: n, Fields: list()},
		&query.RowCompare{Node: n, Left: []query.Expr{a}, Right: []query.Expr{b}},
		&query.Subscript{Node: n, Container: a, Lower: []query.Expr{nil}, Upper: []query.Expr{b}, Slice: true},
		&query.SubscriptAssign{Node: n, Container: a, Upper: []query.Expr{b}, Value: b}, &query.Field{Node: n, Record: a},
		&query.ScalarArray{Node: n, Left: a, Array: b}, &query.Subquery{Node: n, Query: &query.Query{Where: a}, Test: b},
		&query.Aggregate{Node: n, Direct: []query.Expr{a}, Args: []query.Expr{b}, Extra: []query.Expr{a}, Filter: b},
		&query.WindowCall{Node: n, Args: list(), Filter: b}, &query.Grouping{Node: n, Args: list()}, &query.IsJSON{Node: n, Arg: a},
	}
}

func TestMapLeavesTheGivenAlone(t *testing.T) {
	for _, e := range nodes(column(0, 0, 1), column(0, 1, 2)) {
		before := fmt.Sprintf("%v", query.Children(e))
		mapped := query.Map(e, func(x query.Expr) query.Expr {
			if c, ok := x.(*query.Column); ok {
				return column(7, c.Attribute, c.At)
			}
			return nil
		})
		if after := fmt.Sprintf("%v", query.Children(e)); after != before {
			t.Errorf("%T was changed", e)
		}
		for _, c := range query.Children(mapped) {
			if c, ok := c.(*query.Column); !ok || c.Relation != 7 {
				t.Errorf("%T: a child was not replaced", e)
			}
		}
		if same := query.Map(e, func(query.Expr) query.Expr { return nil }); same != e {
			t.Errorf("%T was copied for nothing", e)
		}
	}
}

func TestEqualIgnoresPositions(t *testing.T) {
	here, there := nodes(column(0, 0, 1), number(2)), nodes(column(0, 0, 50), number(2))
	for i, e := range here {
		for j, o := range there {
			if got := query.Equal(e, o); got != (i == j) {
				t.Errorf("%T and %T: equal is %v", e, o, got)
			}
		}
	}
	other := nodes(column(0, 1, 1), number(2))
	for i, e := range here {
		if query.Equal(e, other[i]) {
			t.Errorf("%T: another column is the same", e)
		}
	}
}

func TestReplaceCountsLevels(t *testing.T) {
	inner := &query.Query{Where: number(1)}
	q := &query.Query{Where: number(0), Relations: []*query.Relation{{Kind: query.SubqueryRelation, Query: inner}}}
	var depths []int
	query.Replace(q, 3, func(e query.Expr, depth int) query.Expr {
		depths = append(depths, depth)
		return number(9)
	})
	if fmt.Sprint(depths) != "[3 4]" {
		t.Errorf("depths %v", depths)
	}
	if !query.Equal(q.Where, number(9)) || !query.Equal(inner.Where, number(9)) {
		t.Error("the expressions were not replaced")
	}
}
