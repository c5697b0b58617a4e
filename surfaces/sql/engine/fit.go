package engine

import (
	"github.com/polyglove/polyglove/surfaces/sql/analyze"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// fit brings a column's values to its declared length or precision, as an
// assignment does.
func fit(e *fn.Env, c *vector.Column, mod int32) (*vector.Column, error) {
	f := analyze.LengthFunction(c.Type)
	if mod < 0 || f == nil || c.Len == 0 {
		return c, nil
	}
	kernel, ok := fn.Lookup(f.OID)
	if !ok {
		return nil, pgerr.New(pgerr.FeatureNotSupported, "a length of the type %s is not supported", pgcat.Default().FormatType(c.Type))
	}
	args := []*vector.Column{c, vector.Constant(vector.Datum{Type: pgcat.Int4, Value: int64(mod)}, c.Len)}
	if len(f.Args) == 3 {
		args = append(args, vector.Constant(vector.Datum{Type: pgcat.Bool, Value: false}, c.Len))
	}
	out := vector.Make(c.Type, c.Len)
	var rows []int32
	for r := range c.Len {
		if c.Null(r) {
			out.SetNull(r)
		} else {
			rows = append(rows, int32(r))
		}
	}
	return out, kernel(e, args, rows, out)
}
