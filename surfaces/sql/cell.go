//go:build cgo

package sql

import (
	"encoding/json"
	"math"
	"math/big"
	"time"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
	"github.com/polyglove/polyglove/toolfn/value"
)

// cellOf makes a cell of a column of a value that a tool gave.
func cellOf(e *fn.Env, t pgcat.OID, v value.Value) (vector.Datum, error) {
	switch t {
	case pgcat.JSONB, pgcat.JSON:
		text, err := value.Append(nil, v)
		if err != nil {
			return vector.Datum{}, err
		}
		return engine.Convert(e, t, -1, string(text))
	}
	switch x := v.(type) {
	case []value.Value, *value.Object:
		text, err := value.Append(nil, v)
		if err != nil {
			return vector.Datum{}, err
		}
		return engine.Convert(e, t, -1, string(text))
	case json.Number:
		return engine.Convert(e, t, -1, string(x))
	case *big.Int:
		return engine.Convert(e, t, -1, x.String())
	}
	if t == pgcat.Text {
		if s, ok := v.(string); ok {
			return vector.Datum{Type: t, Value: s}, nil
		}
		text, err := value.Append(nil, v)
		if err != nil {
			return vector.Datum{}, err
		}
		return vector.Datum{Type: t, Value: string(text)}, nil
	}
	return engine.Convert(e, t, -1, v)
}

// postgresEpoch is where PostgreSQL's times begin: 2000-01-01 00:00 UTC.
var postgresEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// plain gives a value of a result, or for an argument, as plain data: times as ISO
// 8601, numbers with every digit, documents as they are.
func plain(e *fn.Env, d vector.Datum) (value.Value, error) {
	if d.Null() {
		return nil, nil
	}
	switch x := d.Value.(type) {
	case bool:
		return x, nil
	case int64:
		switch d.Type {
		case pgcat.Timestamptz:
			if x != math.MaxInt64 && x != math.MinInt64 {
				return isoTime(x) + "Z", nil
			}
		case pgcat.Timestamp:
			if x != math.MaxInt64 && x != math.MinInt64 {
				return isoTime(x), nil
			}
		case pgcat.Int2, pgcat.Int4, pgcat.Int8, pgcat.OIDType:
			return x, nil
		}
	case float64:
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			if d.Type == pgcat.Float4 {
				n, _ := value.Number(string(pgtype.AppendFloat(nil, x, 32)))
				return n, nil
			}
			return x, nil
		}
	case pgtype.Numeric:
		if n, ok := value.Number(string(pgtype.AppendNumeric(nil, x))); ok {
			return n, nil
		}
	case string:
		switch d.Type {
		case pgcat.Text, pgcat.Varchar, pgcat.Name, pgcat.Bpchar:
			return x, nil
		case pgcat.JSON:
			return value.Decode([]byte(x))
		}
	}
	return composite(e, d)
}

// composite gives documents and arrays as structures, and everything else as the
// text that the server prints.
func composite(e *fn.Env, d vector.Datum) (value.Value, error) {
	if a, ok := d.Value.(*vector.Array); ok {
		if v, ok, err := list(e, a); ok || err != nil {
			return v, err
		}
	}
	out, ok := fn.OutputOf(d.Type)
	if !ok {
		return "", nil
	}
	text, perr := out(e, nil, d.Value)
	if perr != nil {
		return nil, e.Fail(perr)
	}
	if d.Type == pgcat.JSONB {
		return value.Decode(text)
	}
	return string(text), nil
}

// list gives an array of one dimension; ok is false for one of several.
func list(e *fn.Env, a *vector.Array) (value.Value, bool, error) {
	if len(a.Dimensions) > 1 {
		return nil, false, nil
	}
	out := make([]value.Value, a.Len())
	for i := range out {
		v, err := plain(e, a.At(i))
		if err != nil {
			return nil, false, err
		}
		out[i] = v
	}
	return out, true, nil
}

// isoTime writes microseconds since PostgreSQL's epoch, with milliseconds, or with
// microseconds where there are any.
func isoTime(micros int64) string {
	t := postgresEpoch.Add(time.Duration(micros/1e6) * time.Second).Add(time.Duration(micros%1e6) * time.Microsecond)
	if micros%1000 != 0 {
		return t.Format("2006-01-02T15:04:05.000000")
	}
	return t.Format("2006-01-02T15:04:05.000")
}
