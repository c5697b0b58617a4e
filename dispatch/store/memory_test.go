package store_test

import (
	"testing"

	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/dispatch/store/storetest"
)

func TestMemory(t *testing.T) {
	m := store.NewMemory()
	storetest.Contract(t, func(*testing.T) store.Backend { return m })
}
