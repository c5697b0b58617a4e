package config

import (
	"strings"
	"time"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Journal says where programs and calls are recorded, and what is kept.
type Journal struct {
	// Store is a file, or the URL of a PostgreSQL database; "" for none.
	Store string
	// Lease is how long a gateway that is gone keeps its workspaces; 0 for the
	// default.
	Lease time.Duration
	// Relaxed lets what was recorded last be lost with the machine's power, not with
	// the process: an effect then waits for no disk. For a file only.
	Relaxed bool
	// What is kept; 0 for everything.
	Age        time.Duration
	Bytes      int64
	Workspaces int
}

var journalKeys = []string{"store", "lease_ms", "keep_days", "keep_mb", "keep_workspaces", "survives"}

// journal reads a text, which is the store, or an object.
func (r *reader) journal(v value.Value) {
	if _, ok := v.(string); ok {
		v = value.Of("store", v)
	}
	j := &r.config.Journal
	for key, v := range r.object("journal", v).All() {
		at := "journal." + key
		switch key {
		case "store":
			j.Store = r.expanded(at, v)
		case "survives":
			j.Relaxed = r.word(at, v, []string{"power_loss", "kill"}) == "kill"
		case "lease_ms":
			j.Lease = r.duration(at, v)
		case "keep_days":
			j.Age = time.Duration(r.count(at, v)) * 24 * time.Hour
		case "keep_mb":
			j.Bytes = r.count(at, v) << 20
		case "keep_workspaces":
			j.Workspaces = int(r.count(at, v))
		default:
			r.mistake("polyglove.journal: %s", unknown(key, journalKeys))
		}
	}
	if j.Relaxed && Database(j.Store) {
		r.mistake("polyglove.journal.survives: is for a file; a database decides by its own settings")
	}
	if j.Store == "" {
		r.mistake("polyglove.journal: needs a store, a file or the URL of a PostgreSQL database")
	}
}

// count reads a number of things to keep.
func (r *reader) count(where string, v value.Value) int64 {
	n, ok := v.(int64)
	if !ok || n < 1 || n > 100_000 {
		r.mistake("polyglove.%s: want a whole number from 1 to 100000", where)
		return 1
	}
	return n
}

// Database reports whether a store is the URL of a database.
func Database(store string) bool {
	return strings.HasPrefix(store, "postgres://") || strings.HasPrefix(store, "postgresql://")
}
