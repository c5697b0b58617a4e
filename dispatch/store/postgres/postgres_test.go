package postgres

import (
	"testing"
	"time"

	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/dispatch/store/postgres/pgtest"
	"github.com/polyglove/polyglove/dispatch/store/storetest"
)

func TestContract(t *testing.T) {
	url := pgtest.Start(t)
	storetest.Contract(t, func(t *testing.T) store.Backend {
		var b *Backend
		var err error
		for range 50 { // it may still be starting
			if b, err = Open(t.Context(), url); err == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		return b
	})
}
