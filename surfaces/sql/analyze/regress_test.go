//go:build cgo

package analyze_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/analyze"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

func testEnv() *fn.Env {
	m, err := sandbox.NewMeter(context.Background(), sandbox.DefaultLimits())
	if err != nil {
		panic(err)
	}
	return &fn.Env{Meter: m, Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Scratch: map[any]any{}}
}

// define follows the definitions of tables in the corpus as far as they are plain.
func (s schema) define(sql string) {
	tree, err := pg.Parse(sql)
	if err != nil || len(tree.Stmts) != 1 {
		return
	}
	n := tree.Stmts[0].Stmt
	if d := n.GetDropStmt(); d != nil {
		for _, o := range d.Objects {
			list := o.GetList().GetItems()
			if len(list) > 0 {
				delete(s, list[len(list)-1].GetString_().GetSval())
			}
		}
	}
	if c := n.GetCreateTableAsStmt(); c != nil {
		s.defineAs(c)
	}
	c := n.GetCreateStmt()
	if c == nil {
		return
	}
	t := &query.Table{Schema: "public", Name: c.Relation.Relname}
	ok := len(c.InhRelations) == 0 && c.OfTypename == nil
	var key []string
	for _, e := range c.TableElts {
		if d := e.GetColumnDef(); d != nil {
			column, pk, good := readColumn(d)
			ok = ok && good
			if pk {
				key = append(key, d.Colname)
			}
			t.Columns = append(t.Columns, column)
		} else if k := e.GetConstraint(); k != nil && k.Contype == pg.ConstrType_CONSTR_PRIMARY {
			for _, x := range k.Keys {
				key = append(key, x.GetString_().GetSval())
			}
		} else if e.GetTableLikeClause() != nil {
			ok = false
		}
	}
	for _, name := range key {
		t.Key = append(t.Key, t.Column(name))
	}
	delete(s, t.Name)
	if ok {
		s[t.Name] = t
	}
}

func (s schema) defineAs(c *pg.CreateTableAsStmt) {
	delete(s, c.Into.Rel.Relname)
	res, err := analyze.Node("", c.Query, analyze.Options{Schema: s, Input: readWith(testEnv())})
	if err != nil {
		return
	}
	t := &query.Table{Schema: "public", Name: c.Into.Rel.Relname}
	for i, x := range res.Query.Outputs() {
		if x.Hidden {
			continue
		}
		name := x.Name
		if i < len(c.Into.ColNames) {
			name = c.Into.ColNames[i].GetString_().GetSval()
		}
		t.Columns = append(t.Columns, query.TableColumn{Name: name, Type: x.Expr.Type(), Mod: x.Expr.Typmod()})
	}
	s[t.Name] = t
}

var serials = map[string]string{"serial": "int4", "bigserial": "int8", "serial4": "int4", "serial8": "int8", "smallserial": "int2"}

func readColumn(d *pg.ColumnDef) (query.TableColumn, bool, bool) {
	out := query.TableColumn{Name: d.Colname}
	if d.TypeName == nil {
		return out, false, false
	}
	last := d.TypeName.Names[len(d.TypeName.Names)-1].GetString_()
	if real := serials[last.Sval]; real != "" {
		last.Sval = real
	}
	cast := &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: &pg.SelectStmt{TargetList: []*pg.Node{{Node: &pg.Node_ResTarget{ResTarget: &pg.ResTarget{
		Val: &pg.Node{Node: &pg.Node_TypeCast{TypeCast: &pg.TypeCast{Arg: &pg.Node{Node: &pg.Node_AConst{AConst: &pg.A_Const{Isnull: true}}}, TypeName: d.TypeName}}},
	}}}}}}}
	res, err := analyze.Node("", cast, analyze.Options{Input: readWith(testEnv())})
	if err != nil {
		return out, false, false
	}
	e := res.Query.Targets[0].Expr
	out.Type, out.Mod = e.Type(), e.Typmod()
	pk, good := false, true
	for _, k := range d.Constraints {
		switch k.GetConstraint().Contype {
		case pg.ConstrType_CONSTR_PRIMARY:
			pk = true
		case pg.ConstrType_CONSTR_GENERATED:
			out.Generated = true
		}
	}
	return out, pk, good
}

// outcome sorts one statement of the corpus.
func outcome(r recorded, s schema) (string, answer) {
	got := ask(r.SQL, s)
	want := answer{OK: r.OK, SQLState: r.SQLState, Message: r.Message, Detail: r.Detail, Hint: r.Hint, Position: r.Position}
	switch {
	case got.SQLState == "0A000" && want.SQLState != "0A000":
		return "refused", got
	case !got.OK && !want.OK && same(got, want):
		return "agree", got
	case !got.OK:
		return "differ", got
	case !want.OK && want.Position > 0 && strings.HasPrefix(want.SQLState, "42"):
		return "missed", got
	case !want.OK:
		return "later", got // an error of execution
	case slices.Equal(got.Columns, r.Columns) && slices.Equal(got.Types, r.Types):
		return "agree", got
	}
	return "columns", got
}

// TestRegressStatements counts how the corpus fares and shows what differs.
func TestRegressStatements(t *testing.T) {
	name := outside(t, "cases", "postgres-regress.jsonl")
	s := schema{}
	total := map[string]int{}
	for _, r := range readRecorded(t, name) {
		if r.OK {
			s.define(r.SQL)
		}
		switch r.Kind {
		case "SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt":
		default:
			continue
		}
		if slices.ContainsFunc(r.Rels, func(n string) bool { return s[n] == nil }) {
			total["without its tables"]++
			continue
		}
		kind, got := outcome(r, s)
		total[kind]++
		if kind != "agree" && kind != "later" && testing.Verbose() {
			t.Logf("%s %s/%d %s\n  we: %s\n  pg: %v %v %s %s at %d detail=%s hint=%s", strings.ToUpper(kind), r.File, r.N, clip(r.SQL), got, r.Columns, r.Types, r.SQLState, r.Message, r.Position, r.Detail, r.Hint)
		}
	}
	t.Log(total)
	if total["agree"] < 4000 {
		t.Errorf("only %d agree", total["agree"])
	}
}

func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 200 {
		return s[:200]
	}
	return s
}
