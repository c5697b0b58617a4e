//go:build cgo

package sql

import (
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// checkKeys refuses, before anything is written, a change of rows that their keys do
// not tell from others: a row without its key, or one that shares it with a row that
// the statement's WHERE does not admit.
func (sc *scan) checkKeys(rows []int32) error {
	if len(sc.table.Key) == 0 || len(rows) == 0 {
		return nil
	}
	chosen := map[int32]bool{}
	keys := map[string]bool{}
	for _, r := range rows {
		text, ok := sc.keyOf(sc.rows[r])
		if !ok {
			return sc.notTold("a row that it is about has no " + strings.Join(sc.table.Key, " and "))
		}
		chosen[r], keys[text] = true, true
	}
	for i, row := range sc.rows {
		if chosen[int32(i)] {
			continue
		}
		if text, ok := sc.keyOf(row); ok && keys[text] {
			return sc.notTold("another row, which WHERE does not admit, has the same " + strings.Join(sc.table.Key, " and ") + " " + sandbox.Clip(text, 60))
		}
	}
	return nil
}

func (sc *scan) keyOf(row *value.Object) (string, bool) {
	cells := make([]value.Value, len(sc.table.Key))
	for i, k := range sc.table.Key {
		if cells[i], _ = row.Get(k); cells[i] == nil {
			return "", false
		}
	}
	text, err := value.Append(nil, value.Value(cells))
	return string(text), err == nil
}

func (sc *scan) notTold(why string) error {
	return &sandbox.Fault{
		Kind: sandbox.KindCapability, Message: "the rows of " + sc.table.Name + " cannot be told apart: " + why + ". Nothing was changed.",
		Hint: "Change the rows with a function of the server, or leave these rows out with WHERE.",
	}
}

// wrongFirst puts a change that the table does not take before the others, so that it
// is refused before any of them is made.
func wrongFirst(t *toolfn.ResourceTable, groups []*changeGroup) {
	for i, g := range groups {
		if !takes(t, g.set) {
			groups[0], groups[i] = groups[i], groups[0]
			return
		}
	}
}

func takes(t *toolfn.ResourceTable, set *value.Object) bool {
	for name, v := range set.All() {
		c, ok := t.Column(name)
		if !ok || v == nil && c.NotNull {
			return false
		}
		cell, err := c.Given(v)
		if err != nil || !c.Allowed(cell) {
			return false
		}
	}
	return true
}
