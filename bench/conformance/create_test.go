//go:build cgo

package main

import (
	"testing"

	pg_query "github.com/pganalyze/pg_query_go/v6"
)

func TestTableOfCreate(t *testing.T) {
	for _, test := range []struct{ sql, want string }{
		{"CREATE TABLE a (f1 bool, n numeric(10,2) not null, t text[] default '{}')", "f1 bool, n numeric(10, 2), t text[]"},
		{"CREATE TABLE a (id int primary key)", "id int"},
		{"CREATE TABLE a (id serial)", "more"},
		{"CREATE TABLE a (id int check (id > 0))", "more"},
	} {
		tree, err := pg_query.Parse(test.sql)
		if err != nil {
			t.Fatal(err)
		}
		spec, ok := tableOf(tree.Stmts[0].Stmt.GetCreateStmt())
		got := "more"
		if ok {
			got = ""
			for i, c := range spec.Columns {
				if i > 0 {
					got += ", "
				}
				got += c.Name + " " + c.Type
			}
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.sql, got, test.want)
		}
	}
}
