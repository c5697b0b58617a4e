package engine

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

const uniqueViolation pgerr.Code = "23505"

// check checks NOT NULL and the primary key on all rows.
func (v *version) check(t *query.Table) error {
	if err := checkNulls(t, v.columns, v.rows); err != nil {
		return err
	}
	return v.checkKey(t)
}

// checkNulls gives the server's error for the first row with a NULL where there
// must be none.
func checkNulls(t *query.Table, columns []*vector.Column, rows int) error {
	for i, c := range t.Columns {
		if !c.NotNull || !columns[i].Const && !columns[i].Nulls.Any() {
			continue
		}
		for r := range rows {
			if columns[i].Null(r) {
				return pgerr.New(pgerr.NotNullViolation, "null value in column \"%s\" of relation \"%s\" violates not-null constraint", c.Name, t.Name).
					WithDetail("Failing row contains (%s).", rowText(columns, r))
			}
		}
	}
	return nil
}

// checkKey finds two rows of one key.
func (v *version) checkKey(t *query.Table) error {
	if len(t.Key) == 0 || v.rows < 2 {
		return nil
	}
	hashes := make([]uint64, v.rows)
	for _, k := range t.Key {
		vector.Hash(v.columns[k], nil, hashes)
	}
	next := make([]int32, v.rows) // chains of rows of one hash, plus one
	last := make(map[uint64]int32, v.rows)
	for r, h := range hashes {
		for p := last[h]; p > 0; p = next[p-1] {
			if v.sameKey(t, int(p-1), r) {
				return v.duplicate(t, r)
			}
		}
		next[r], last[h] = last[h], int32(r+1)
	}
	return nil
}

func (v *version) sameKey(t *query.Table, a, b int) bool {
	for _, k := range t.Key {
		if !vector.Equal(v.columns[k], a, v.columns[k], b) {
			return false
		}
	}
	return true
}

func (v *version) duplicate(t *query.Table, row int) error {
	var names []string
	var columns []*vector.Column
	for _, k := range t.Key {
		names = append(names, t.Columns[k].Name)
		columns = append(columns, v.columns[k])
	}
	return pgerr.New(uniqueViolation, "duplicate key value violates unique constraint \"%s_pkey\"", t.Name).
		WithDetail("Key (%s)=(%s) already exists.", strings.Join(names, ", "), rowText(columns, row))
}

// maxRowText bounds a value of a row in an error, in bytes, as the server does.
const maxRowText = 64

// rowText prints a row as errors do.
func rowText(columns []*vector.Column, row int) string {
	e := &fn.Env{Meter: unmetered(), Scratch: map[any]any{}}
	var parts []string
	for _, c := range columns {
		text, ok := textOf(e, c, row)
		if !ok {
			text = "null"
		}
		if len(text) > maxRowText {
			text = strings.ToValidUTF8(text[:maxRowText], "") + "..."
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}
