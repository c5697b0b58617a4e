//go:build !cgo

package guard

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Available reports whether this build can parse SQL.
const Available = false

// Unavailable is why it cannot, in one sentence.
const Unavailable = "SQL is not available: this build has no cgo, which PostgreSQL's parser needs; build with CGO_ENABLED=1 and a C compiler"

// Kind is what a statement is.
type Kind string

// Statement is one statement of a text.
type Statement struct {
	Kind   Kind
	Text   string
	Offset int
}

// Parse refuses every text, with the reason.
func Parse(string, Limits) ([]Statement, *sandbox.Fault) {
	return nil, pgerr.New(pgerr.FeatureNotSupported, Unavailable).Fault("")
}
