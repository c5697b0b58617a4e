package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/dispatch/store/storetest"
)

func TestContract(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a journal?#%.db")
	storetest.Contract(t, func(t *testing.T) store.Backend {
		b, err := Open(path, Relaxed())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		return b
	})
}
