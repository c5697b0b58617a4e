package plan

import (
	"fmt"

	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Options is what planning needs to know of its surroundings.
type Options struct {
	Env    *fn.Env
	Params []vector.Datum
	// Count says how many rows a table has, or -1 when that is not known.
	Count func(*query.Table) int
}

// Plan is a statement ready to run.
type Plan struct {
	Root Node
	// Params is how many parameter cells a run needs.
	Params int
	// Modifiers are the data-modifying WITH queries, which run to their end whether
	// or not they are read, in this order.
	Modifiers []*Shared
	Names     []string // of the visible columns
	Typmods   []int32
}

// New plans a statement.
func New(q *query.Query, o Options) (*Plan, error) {
	p := &planner{options: o}
	s := &scope{p: p, q: q}
	root := s.plan()
	if p.err != nil {
		return nil, p.err
	}
	out := &Plan{Root: root, Params: p.params, Modifiers: p.modifiers}
	for _, t := range q.Outputs() {
		if !t.Hidden {
			out.Names = append(out.Names, t.Name)
			out.Typmods = append(out.Typmods, t.Expr.Typmod())
		}
	}
	return out, nil
}

// planner is what all queries of a statement share. The first error stays.
type planner struct {
	options   Options
	params    int
	modifiers []*Shared
	err       error
}

func (p *planner) fail(err error) {
	if p.err == nil && err != nil {
		p.err = err
	}
}

// refuse says that something is not available.
func (p *planner) refuse(format string, args ...any) {
	p.fail(pgerr.New(pgerr.FeatureNotSupported, format, args...))
}

func (p *planner) fold(e query.Expr) query.Expr {
	if e == nil || p.err != nil {
		return e
	}
	f := folder{env: p.options.Env, params: p.options.Params}
	r := f.fold(e)
	p.fail(f.err)
	return r
}

// scope is one query while it is planned.
type scope struct {
	p      *planner
	parent *scope
	q      *query.Query
	outer  []*use
	ctes   []*cte
	needed map[columnKey]int // how many conditions and others still read a column
	// shifted marks the scope of a function or VALUES in FROM, whose expressions
	// stand in the query itself: all that they read is outside of them.
	shifted bool
}

// use is something of an enclosing query that a query reads.
type use struct {
	level int        // 1 is the query around this one
	expr  query.Expr // at level 0 there
	key   string
	param int
}

type columnKey struct{ relation, attribute int }

// use gives the parameter for something of an enclosing query.
func (s *scope) use(level int, e query.Expr) int {
	key := refKey(e)
	for _, u := range s.outer {
		if u.level == level && u.key == key {
			return u.param
		}
	}
	param := -1
	// The same thing read from several queries within one has one parameter.
	if level > 1 && s.parent != nil {
		param = s.parent.use(s.parent.level(level-1), e)
	} else {
		param = s.p.params
		s.p.params++
	}
	s.outer = append(s.outer, &use{level, e, key, param})
	return param
}

// pass takes over a parameter that a query within, or a WITH query, needs.
func (s *scope) passOn(level int, u *use) {
	for _, v := range s.outer {
		if v.param == u.param {
			return
		}
	}
	s.outer = append(s.outer, &use{level, u.expr, u.key, u.param})
	if level > 1 && s.parent != nil {
		s.parent.passOn(s.parent.level(level-1), u)
	}
}

// level turns a count of queries into one of scopes.
func (s *scope) level(n int) int {
	if s.shifted {
		n++
	}
	return n
}

func refKey(e query.Expr) string {
	switch n := e.(type) {
	case *query.Column:
		return fmt.Sprintf("c%d.%d", n.Relation, n.Attribute)
	case *query.Key:
		return fmt.Sprintf("k%d", n.Number)
	}
	return fmt.Sprintf("%T%p", e, e)
}

// uses lists the parameters that a query depends on.
func (s *scope) uses() []int {
	var out []int
	for _, u := range s.outer {
		out = append(out, u.param)
	}
	return out
}

// layout says where things are in an operator's columns.
type layout struct {
	types   []pgcat.OID
	columns map[columnKey]int
	keys    map[int]int
	others  map[query.Expr]int // aggregates, window calls, groupings, by identity
}

func newLayout() *layout {
	return &layout{columns: map[columnKey]int{}, keys: map[int]int{}, others: map[query.Expr]int{}}
}

func (l *layout) add(t pgcat.OID) int {
	l.types = append(l.types, t)
	return len(l.types) - 1
}

func (l *layout) slot(i int, n query.Node) *Slot { return &Slot{Node: n, Index: i} }

// beside gives the layout of the columns of l followed by those of m.
func (l *layout) beside(m *layout) *layout {
	out := newLayout()
	out.types = append(append(out.types, l.types...), m.types...)
	for k, i := range l.columns {
		out.columns[k] = i
	}
	for k, i := range m.columns {
		out.columns[k] = i + len(l.types)
	}
	return out
}

// bind makes an expression refer to an input. It has been folded before.
func (s *scope) bind(e query.Expr, in *layout) query.Expr {
	return rewrite(e, func(e query.Expr) (query.Expr, bool) {
		switch n := e.(type) {
		case *query.Column:
			return s.bindColumn(n, in), true
		case *query.Key:
			if level := s.level(n.Levels); level > 0 {
				c := *n
				c.Levels = 0
				return s.outerValue(n.Node, level, &c), true
			}
			// Within an expression a key that is constant keeps its value where a
			// grouping set leaves it out, as on the server before version 18.
			if c, ok := s.p.fold(s.q.Group[n.Number].Expr).(*query.Const); ok {
				return c, true
			}
			if i, ok := in.keys[n.Number]; ok {
				return in.slot(i, n.Node), true
			}
			s.lost(n)
			return n, true
		case *query.Aggregate:
			if level := s.level(n.Levels); level > 0 {
				return s.outerValue(n.Node, level, n), true
			}
			return s.other(n, n.Node, in)
		case *query.Grouping:
			if level := s.level(n.Levels); level > 0 {
				return s.outerValue(n.Node, level, n), true
			}
			return s.other(n, n.Node, in)
		case *query.WindowCall:
			return s.other(n, n.Node, in)
		case *query.Subquery:
			return s.subplan(n, in), true
		case *query.MultiOutput:
			return s.multiOutput(n, in), true
		}
		return nil, false
	})
}

func (s *scope) other(e query.Expr, n query.Node, in *layout) (query.Expr, bool) {
	if i, ok := in.others[e]; ok {
		return in.slot(i, n), true
	}
	s.lost(e)
	return e, true
}

// lost reports an expression that refers to what is not there: a defect of ours.
func (s *scope) lost(e query.Expr) {
	s.p.fail(pgerr.New("XX000", "a %T refers to nothing that is at hand", e))
}

func (s *scope) outerValue(n query.Node, level int, e query.Expr) query.Expr {
	return &Outer{Node: n, Param: s.use(level, e)}
}

func (s *scope) bindColumn(n *query.Column, in *layout) query.Expr {
	if level := s.level(n.Levels); level > 0 {
		c := *n
		c.Levels = 0
		return s.outerValue(n.Node, level, &c)
	}
	if i, ok := in.columns[columnKey{n.Relation, n.Attribute}]; ok {
		return in.slot(i, n.Node)
	}
	if n.Attribute == query.WholeRow {
		return s.wholeRow(n, in)
	}
	s.lost(n)
	return n
}

// wholeRow makes a record of a relation's columns.
func (s *scope) wholeRow(n *query.Column, in *layout) query.Expr {
	r := s.q.Relations[n.Relation]
	row := &query.Row{Node: n.Node}
	for i, c := range r.Columns {
		slot, ok := in.columns[columnKey{n.Relation, i}]
		if !ok {
			s.lost(n)
			return n
		}
		row.Fields = append(row.Fields, in.slot(slot, query.Node{OID: c.Type, Mod: c.Mod, At: n.At}))
		name := c.Name
		if r.Kind == query.BaseTable {
			name = r.Table.Columns[i].Name // aliases of columns do not change the row's type
		}
		row.Names = append(row.Names, name)
	}
	return row
}

// within plans a query inside this one.
func (s *scope) within(q *query.Query) (*scope, Node) {
	child := &scope{p: s.p, parent: s, q: q}
	node := child.plan()
	return child, node
}

// subplan plans a sub-query of an expression.
func (s *scope) subplan(n *query.Subquery, in *layout) query.Expr {
	child, root := s.within(n.Query)
	if s.p.err != nil {
		return n
	}
	sub := &Subplan{Node: n.Node, Kind: n.Kind, Root: root, Width: len(in.types), Types: root.Types(), Uses: child.uses()}
	sub.Args = s.arguments(child, in)
	sub.Volatile = volatileQuery(n.Query)
	if n.Test != nil {
		sub.Test = s.bindTest(n.Test, in, sub)
	}
	return sub
}

// multiOutput plans a column of the row that SET (a, b) = (SELECT …) gives.
func (s *scope) multiOutput(n *query.MultiOutput, in *layout) query.Expr {
	q := s.q.Multi[n.Source]
	if volatileQuery(q) {
		s.p.refuse("SET of several columns from a volatile sub-query is not available; give each column its own sub-query")
		return n
	}
	child, root := s.within(q)
	if s.p.err != nil {
		return n
	}
	one := &Project{Row{[]pgcat.OID{n.OID}}, root, []query.Expr{&Slot{Node: n.Node, Index: n.Number}}}
	return &Subplan{
		Node: n.Node, Kind: query.Scalar, Root: one, Width: len(in.types), Types: one.Types(),
		Uses: child.uses(), Args: s.arguments(child, in),
	}
}

// arguments says what the parameters of a query within are set to.
func (s *scope) arguments(child *scope, in *layout) []Argument {
	var args []Argument
	for _, u := range child.outer {
		if u.level == 1 {
			args = append(args, Argument{u.param, s.argument(u.expr, in)})
		}
	}
	return args
}

// argument binds something of this query that a query within reads. Aggregates and
// groupings stand where the query within has them, and are known by themselves.
func (s *scope) argument(e query.Expr, in *layout) query.Expr {
	if i, ok := in.others[e]; ok {
		return &Slot{Node: query.Node{OID: e.Type(), Mod: e.Typmod(), At: e.Pos()}, Index: i}
	}
	return s.bind(e, in)
}

// bindTest binds the test of a sub-query, and finds the equalities it is made of.
func (s *scope) bindTest(test query.Expr, in *layout, sub *Subplan) query.Expr {
	if sub.Kind == query.Any {
		sub.Keys = s.testKeys(test, in)
	}
	return s.bindOutputs(test, in, len(in.types))
}

// bindOutputs binds an expression in which Output nodes stand for columns from a
// slot on.
func (s *scope) bindOutputs(e query.Expr, in *layout, from int) query.Expr {
	e = rewrite(e, func(e query.Expr) (query.Expr, bool) {
		if o, ok := e.(*query.Output); ok {
			return &Slot{Node: o.Node, Index: from + o.Number}, true
		}
		return nil, false
	})
	return s.bind(e, in)
}

// testKeys gives the equalities of a test that can be looked up by hashing, or nil
// when it is not made of such alone.
func (s *scope) testKeys(test query.Expr, in *layout) []Equality {
	var keys []Equality
	for _, c := range flattenAnd(test, nil) {
		call, ok := c.(*query.Call)
		if !ok || !hashable(call) {
			return nil
		}
		left, right := call.Args[0], call.Args[1]
		if hasOutput(left) || !onlyOutputs(right) {
			return nil
		}
		keys = append(keys, Equality{Left: s.bind(left, in), Right: s.bindOutputs(right, newLayout(), 0)})
	}
	return keys
}

func hasOutput(e query.Expr) (found bool) {
	visit(e, func(e query.Expr) bool {
		_, is := e.(*query.Output)
		found = found || is
		return true
	})
	return found
}

// onlyOutputs reports whether an expression reads nothing but the sub-query's row.
func onlyOutputs(e query.Expr) bool {
	only := true
	visit(e, func(e query.Expr) bool {
		switch e.(type) {
		case *query.Column, *query.Key, *query.Aggregate, *query.WindowCall, *query.Subquery, *query.Grouping:
			only = false
		}
		return true
	})
	return only
}

// hashable reports whether a call is an equality that hashing finds: of operands
// that are stored and compared alike.
func hashable(c *query.Call) bool {
	if c.Operator == nil || !c.Operator.Hashes || len(c.Args) != 2 {
		return false
	}
	a, b := c.Args[0].Type(), c.Args[1].Type()
	if a == b {
		return a != pgcat.Record
	}
	class := vector.ClassOf(a)
	return class == vector.ClassOf(b) && class != vector.ClassObject && (a == pgcat.Bpchar) == (b == pgcat.Bpchar)
}
