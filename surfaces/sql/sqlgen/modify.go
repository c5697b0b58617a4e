package sqlgen

import "fmt"

// Modification makes an INSERT, UPDATE or DELETE, whose outcome does not depend on
// the order in which rows are found.
func (g *Generator) Modification() string {
	g.ctes, g.depth, g.names = nil, 0, 0
	three, two, one := g.tables[2], g.tables[1], g.tables[0]
	x := aliased("x", three)
	returning := func(s scope) string {
		if g.IntN(2) == 0 {
			return ""
		}
		return " returning x.*, " + g.expr(g.typ(), s, 2)
	}
	return g.choose(
		func() string {
			return fmt.Sprintf("update three as x set a = %s, c = %s where %s%s", g.expr(Int, x, 2), g.expr(Text, x, 2), g.expr(Bool, x, 2), returning(x))
		},
		func() string {
			s := append(aliased("x", two), aliased("y", one)...)
			return fmt.Sprintf("update two as x set n = %s, d = y.d from one as y where x.one_id = y.id and %s%s", g.expr(Numeric, s, 2), g.expr(Bool, s, 2), returning(s))
		},
		func() string {
			return fmt.Sprintf("update three as x set (b, a) = (%s, %s) where %s", g.expr(Big, x, 2), g.expr(Int, x, 2), g.expr(Bool, x, 2))
		},
		func() string {
			return fmt.Sprintf("delete from three as x where %s%s", g.expr(Bool, x, 3), returning(x))
		},
		func() string {
			s := append(aliased("x", three), aliased("y", one)...)
			return fmt.Sprintf("delete from three as x using one as y where x.a = y.id and %s%s", g.expr(Bool, s, 2), returning(s))
		},
		func() string {
			return "insert into three as x (c, a, b) " + g.query([]Type{Text, Int, Big}) + returning(x)
		},
		func() string {
			return fmt.Sprintf("insert into three as x values (%s, %s, %s), (%s, default, 'v')%s",
				g.expr(Int, nil, 2), g.expr(Big, nil, 1), g.expr(Text, nil, 2), g.expr(Int, nil, 1), returning(x))
		},
		func() string {
			return fmt.Sprintf("with gone as (delete from three as x where %s returning *) insert into two (id, c) select a, c || %s from gone returning *",
				g.expr(Bool, x, 2), g.expr(Text, nil, 1))
		},
		func() string {
			return fmt.Sprintf("with changed as (update three as x set a = %s where %s returning x.a, x.c) select count(*), (select count(*) from three where a is null) from changed",
				g.expr(Int, x, 2), g.expr(Bool, x, 2))
		},
	)
}

func aliased(name string, t Table) scope {
	var s scope
	for _, c := range t.Columns {
		s = append(s, Column{name + "." + c.Name, c.Type})
	}
	return s
}
