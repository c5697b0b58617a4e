//go:build cgo

package engine_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/sqlgen"
)

// TestRandomModifications changes the same tables on both sides, each time in a
// transaction that is rolled back, and compares what RETURNING gives and what the
// tables hold.
func TestRandomModifications(t *testing.T) {
	if *serverURL == "" {
		t.Skip("no server: set POLYGLOVE_POSTGRES")
	}
	ctx := context.Background()
	server, err := pgx.Connect(ctx, *serverURL)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close(ctx)
	r := rand.New(rand.NewPCG(*seed, *seed))
	tables := sqlgen.Tables(r, 9)
	db := engine.Open(engine.Options{})
	both(t, db, server, tables)
	g := sqlgen.New(r, tables)
	agree, refused := 0, map[string]int{}
	for range *queries / 2 {
		sql := g.Modification()
		ours, theirs := changeHere(t, db, sql), changeThere(t, server, sql)
		if ours[0].code == "0A000" {
			refused[ours[0].message]++
			continue
		}
		same := len(ours) == len(theirs)
		for i := range min(len(ours), len(theirs)) {
			same = same && alike(ours[i], theirs[i], false)
		}
		if !same {
			t.Errorf("%s\n  here:  %v\n  there: %v", sql, ours, theirs)
			continue
		}
		agree++
	}
	t.Logf("%d agree, refused: %v", agree, refused)
	if agree == 0 {
		t.Error("nothing was compared")
	}
}

const lookTwo, lookThree = "select * from two", "select * from three"

func changeHere(t *testing.T, db *engine.DB, sql string) []outcome {
	t.Helper()
	s := db.Session()
	run := func(sql string) outcome {
		res, err := s.Query(context.Background(), sql)
		return outcomeOf(res, err)
	}
	run("begin")
	out := []outcome{run(sql)}
	if out[0].code == "" {
		out = append(out, run(lookTwo), run(lookThree))
	}
	run("rollback")
	return out
}

func changeThere(t *testing.T, server *pgx.Conn, sql string) []outcome {
	t.Helper()
	must(t, server, "begin")
	out := []outcome{runThere(t, server, sql)}
	if out[0].code == "" {
		out = append(out, runThere(t, server, lookTwo), runThere(t, server, lookThree))
	}
	must(t, server, "rollback")
	return out
}
