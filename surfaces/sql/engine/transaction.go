package engine

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

const serializationFailure pgerr.Code = "40001"

// transaction holds the tables as its statements have left them, apart from the
// database's, and what they were when it began.
type transaction struct {
	began map[*Table]*version
	now   map[*Table]*version // the changed ones
}

// begin starts a transaction, which sees the tables as they are now.
func (d *DB) begin() *transaction {
	d.mu.RLock()
	defer d.mu.RUnlock()
	tx := &transaction{began: map[*Table]*version{}, now: map[*Table]*version{}}
	for _, t := range d.tables {
		tx.began[t] = t.current
	}
	return tx
}

// overlay makes a view the transaction's.
func (tx *transaction) overlay(v *view) {
	for t := range v.base {
		if was := tx.began[t]; was != nil {
			v.base[t] = was
		}
		if changed := tx.now[t]; changed != nil {
			v.base[t] = changed
		}
	}
}

// commit makes the transaction's changes the database's, unless another has changed
// one of the same tables meanwhile.
func (d *DB) commit(tx *transaction) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for t := range tx.now {
		if t.current != tx.began[t] {
			return pgerr.New(serializationFailure, "could not serialize access due to concurrent update").
				WithHint("Roll back and run the transaction again.")
		}
	}
	for t, v := range tx.now {
		t.current = v
	}
	return nil
}

// apply makes the changes of a statement those of the transaction or the database.
func (d *DB) apply(tx *transaction, changed map[*Table]*version, base map[*Table]*version) error {
	if tx != nil {
		for t, v := range changed {
			tx.now[t] = v
		}
		return nil
	}
	one := &transaction{began: base, now: changed}
	return d.commit(one)
}
