package vector

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Comparable gives the server's error (42883) when values of a type have no
// default order, or for equality no equality.
func Comparable(equality bool, t pgcat.OID) *pgerr.Error {
	c := pgcat.Default()
	o, what := c.Ordering(t), "a comparison function"
	if equality {
		what = "an equality operator"
		if o.Equal != 0 || o.HashEqual != 0 {
			return nil
		}
	} else if o.Less != 0 {
		return nil
	}
	if t == pgcat.Record {
		return nil
	}
	return pgerr.New(pgerr.UndefinedFunction, "could not identify %s for type %s", what, c.FormatType(t))
}

// CompareRecords orders two records whose fields may not fit together, which is
// the server's error then (record_cmp and record_eq).
func CompareRecords(equality bool, a, b *Record) (int, *pgerr.Error) {
	for i := range min(len(a.Fields), len(b.Fields)) {
		x, y := a.Fields[i], b.Fields[i]
		if x.Type != y.Type {
			c := pgcat.Default()
			return 0, pgerr.New(pgerr.DatatypeMismatch, "cannot compare dissimilar column types %s and %s at record column %d",
				c.FormatType(x.Type), c.FormatType(y.Type), i+1)
		}
		if err := Comparable(equality, x.Type); err != nil {
			return 0, err
		}
		if c := CompareDatum(x, y); c != 0 {
			return c, nil
		}
	}
	if len(a.Fields) != len(b.Fields) {
		return 0, pgerr.New(pgerr.DatatypeMismatch, "cannot compare record types with different numbers of columns")
	}
	return 0, nil
}
