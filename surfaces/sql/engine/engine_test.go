//go:build cgo

package engine_test

import (
	"context"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
)

func TestSelectOne(t *testing.T) {
	db := engine.Open(engine.Options{})
	r, err := db.Query(context.Background(), "select 1 + 1 as two, 'a' || 'b'")
	if err != nil {
		t.Fatal(err)
	}
	if got := texts(r); len(got) != 1 || got[0] != "2 | ab" {
		t.Errorf("got %v", got)
	}
}
