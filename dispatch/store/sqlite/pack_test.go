package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/polyglove/polyglove/dispatch/store"
)

func TestPack(t *testing.T) {
	h := store.Hash{1, 2, 3}
	e := func(seq int64, result string, blob *store.Hash) store.Entry {
		out := store.Entry{Seq: seq, Data: []byte(fmt.Sprintf(`{"n":%d}`, seq)), Blob: blob}
		if result != "" {
			out.Result = []byte(result)
		}
		return out
	}
	cases := []struct {
		name    string
		entries []store.Entry
		rows    int
	}{
		{"one", []store.Entry{e(7, "", nil)}, 1},
		{"several", []store.Entry{e(7, "", nil), e(8, `"a"`, nil), e(9, `[]`, nil)}, 1},
		{"a blob first", []store.Entry{e(1, "", &h), e(2, "1", nil), e(3, "", nil)}, 2},
		{"a blob last", []store.Entry{e(1, "1", nil), e(2, "", &h)}, 2},
		{"blobs", []store.Entry{e(1, "", &h), e(2, "", &h)}, 2},
		{"a blob between", []store.Entry{e(1, "1", nil), e(2, "", &h), e(3, "3", nil)}, 3},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			rows := pack(c.entries)
			if len(rows) != c.rows {
				t.Errorf("%d rows, want %d", len(rows), c.rows)
			}
			var back []store.Entry
			for _, r := range rows {
				if err := r.unpack(func(e store.Entry) error { back = append(back, e); return nil }); err != nil {
					t.Fatal(err)
				}
			}
			if want, got := c.entries, back; !reflect.DeepEqual(want, got) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// A file of the first schema is read as before, and its lease is still held.
func TestFirstSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	hash := store.Hash{9}
	for _, step := range []struct {
		text string
		args []any
	}{
		{versions[0], nil},
		{"PRAGMA user_version = 1", nil},
		{`INSERT INTO workspaces VALUES ('b', 5, 'ann', 1000, 2000, 'x', 3, 9000000000000), ('a', 6, '', 1000, 3000, '', 1, 0)`, nil},
		{`INSERT INTO blobs VALUES (?, ?)`, []any{hash[:], []byte("[1]")}},
		{`INSERT INTO entries VALUES ('b', 1, CAST('{"n":1}' AS BLOB), NULL, NULL), ('b', 2, CAST('{"ü":2}' AS BLOB), CAST('"é"' AS BLOB), NULL), ('b', 3, CAST('{}' AS BLOB), NULL, ?), ('a', 1, CAST('{}' AS BLOB), CAST('7' AS BLOB), NULL)`, []any{hash[:]}},
	} {
		if _, err := db.Exec(step.text, step.args...); err != nil {
			t.Fatal(err)
		}
	}
	_ = db.Close()
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx := context.Background()
	read := func(workspace string) (all []store.Entry) {
		t.Helper()
		if err := b.Read(ctx, workspace, func(e store.Entry) error { all = append(all, e); return nil }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := []store.Entry{
		{Seq: 1, Data: []byte(`{"n":1}`)},
		{Seq: 2, Data: []byte(`{"ü":2}`), Result: []byte(`"é"`)},
		{Seq: 3, Data: []byte(`{}`), Blob: &hash},
	}
	if want, got := want, read("b"); !reflect.DeepEqual(want, got) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if _, _, err := b.Acquire(ctx, store.Claim{Workspace: "b", Holder: "y"}); err == nil {
		t.Error("a lease that is held was given away")
	}
	l, _, err := b.Acquire(ctx, store.Claim{Workspace: "b", Holder: "y", Over: "x"})
	if err != nil || l.Last != 3 || l.Token != 4 {
		t.Fatalf("got %+v, %v", l, err)
	}
	next := &store.Batch{Lease: l, Entries: []store.Entry{{Seq: 4, Data: []byte(`{}`)}, {Seq: 5, Data: []byte(`{}`), Result: []byte(`"ü"`)}}}
	for range 2 { // the second changes nothing
		if err := b.Append(ctx, []*store.Batch{next}); err != nil || next.Err != nil {
			t.Fatal(err, next.Err)
		}
	}
	if want, got := append(want, next.Entries...), read("b"); !reflect.DeepEqual(want, got) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if l, _, err = b.Acquire(ctx, store.Claim{Workspace: "b", Holder: "z", Over: "y"}); err != nil || l.Last != 5 {
		t.Errorf("the last is %d, %v", l.Last, err)
	}
	if err := b.Append(ctx, []*store.Batch{next}); err != nil || next.Err != store.ErrSuperseded {
		t.Errorf("the one before could write: %v, %v", err, next.Err)
	}
	all, err := b.Workspaces(ctx)
	if err != nil || len(all) != 2 || all[1].ID != "b" || all[1].Entries != 5 || all[0].Entries != 1 || all[0].Header.Seed != 6 {
		t.Errorf("workspaces %+v, %v", all, err)
	}
}

// A lease of a workspace that was deleted is of none, whoever has the name now.
func TestDeletedWorkspace(t *testing.T) {
	b, err := Open(filepath.Join(t.TempDir(), "journal.db"), Relaxed())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx := context.Background()
	old, _, err := b.Acquire(ctx, store.Claim{Workspace: "w", Holder: "x"})
	if err != nil {
		t.Fatal(err)
	}
	stale := b.numbers["w"]
	if err := b.Release(ctx, old); err != nil {
		t.Fatal(err)
	}
	if err := b.Drop(ctx, "w"); err != nil {
		t.Fatal(err)
	}
	fresh, _, err := b.Acquire(ctx, store.Claim{Workspace: "w", Holder: "y"})
	if err != nil || fresh.Token != old.Token || b.numbers["w"] == stale {
		t.Fatalf("got %+v after %+v, number %d after %d, %v", fresh, old, b.numbers["w"], stale, err)
	}
	b.numbers["w"] = stale // as another process has it
	late := &store.Batch{Lease: old, Entries: []store.Entry{{Seq: 1, Data: []byte(`{}`)}}}
	if err := b.Append(ctx, []*store.Batch{late}); err != nil || late.Err != store.ErrSuperseded {
		t.Errorf("it could write: %v, %v", err, late.Err)
	}
}
