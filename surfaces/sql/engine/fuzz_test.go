//go:build cgo

package engine_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/sqlgen"
)

// FuzzStatement runs any text on small tables within small limits: the outcome is
// rows that can be printed or an error that is not a defect of ours.
func FuzzStatement(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	tables := sqlgen.Tables(r, 6)
	g := sqlgen.New(r, tables)
	for range 300 {
		f.Add(g.Statement())
		f.Add(g.Modification())
	}
	text, err := os.ReadFile("../analyze/generate/statements.txt")
	if err != nil {
		f.Fatal(err)
	}
	names := strings.NewReplacer("pair", "three", "emp", "one", "dept", "two")
	for line := range strings.Lines(string(text)) {
		f.Add(names.Replace(strings.TrimSpace(line)))
	}
	limits := sandbox.DefaultLimits()
	limits.Fuel, limits.Memory, limits.Compute = 2_000_000, 8<<20, time.Second
	db := engine.Open(engine.Options{Limits: limits})
	for _, t := range tables {
		spec := engine.TableSpec{Name: t.Name}
		for _, c := range t.Columns {
			spec.Columns = append(spec.Columns, engine.Column{Name: c.Name, Type: string(c.Type)})
		}
		if err := db.Register(spec, slicesOf(t.Rows)); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, sql string) {
		s := db.Session()
		if _, err := s.Query(context.Background(), "begin"); err != nil {
			t.Fatal(err)
		}
		res, err := s.Query(context.Background(), sql)
		if err != nil {
			if e := pgerr.From(err); e != nil && e.SQLSTATE == "XX000" {
				t.Errorf("%q: %s %s", sql, e.Message, e.Detail)
			}
			return
		}
		for i := range min(res.Len(), 50) {
			for j := range res.Columns {
				res.Text(i, j)
			}
		}
	})
}
