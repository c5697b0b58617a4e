//go:build cgo

package surfaces_test

import (
	"context"
	"fmt"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

type ctx = context.Context

// books is a table that can be added to.
type books struct{ rows []*value.Object }

func (b *books) read(ctx, toolfn.Bindings) (toolfn.Rows, error) {
	return toolfn.Rows{Page: b.rows}, nil
}

func (b *books) insert(_ ctx, rows []*value.Object) (toolfn.Written, error) {
	var made []*value.Object
	for _, r := range rows {
		title, _ := r.Get("title")
		state, _ := r.Get("state")
		o := value.Of("id", fmt.Sprintf("B-%d", len(b.rows)+1), "title", title, "state", state)
		b.rows, made = append(b.rows, o), append(made, o)
	}
	return toolfn.Written{Affected: len(made), Rows: made}, nil
}
