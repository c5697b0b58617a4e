package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// unmetered is an account for what the host itself asks for.
func unmetered() *sandbox.Meter {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Memory, l.Compute = math.MaxInt64/2, math.MaxInt64/2, math.MaxInt64/4
	m, err := sandbox.NewMeter(context.Background(), l)
	if err != nil {
		panic(err) // constant limits
	}
	return m
}

// loader makes columns of rows of Go values.
type loader struct {
	env     *fn.Env
	shape   *query.Table
	columns []*vector.Column
	nulls   [][]int32 // the rows of each column that are NULL
	rows    int
}

func newLoader(e *fn.Env, t *query.Table) *loader {
	l := &loader{env: e, shape: t, nulls: make([][]int32, len(t.Columns))}
	for _, c := range t.Columns {
		l.columns = append(l.columns, vector.Make(c.Type, 0))
	}
	return l
}

func (l *loader) add(row []any) error {
	if len(row) != len(l.columns) {
		return fmt.Errorf("row %d has %d values for the %d columns of %s", l.rows+1, len(row), len(l.columns), l.shape.Name)
	}
	for i, v := range row {
		if err := l.put(i, v); err != nil {
			return fmt.Errorf("row %d, column %s: %w", l.rows+1, l.shape.Columns[i].Name, err)
		}
	}
	l.rows++
	return nil
}

// put appends one value to the cells of its column. What is common takes the short
// way.
func (l *loader) put(i int, v any) error {
	c := l.columns[i]
	switch x := v.(type) {
	case nil:
		l.nulls[i] = append(l.nulls[i], int32(l.rows))
	case string:
		if c.Type == pgcat.Text {
			c.Texts = append(c.Texts, x)
			return nil
		}
	case int:
		if c.Type == pgcat.Int8 || c.Type == pgcat.Int4 && x == int(int32(x)) {
			c.Ints = append(c.Ints, int64(x))
			return nil
		}
	case float64:
		if c.Type == pgcat.Float8 {
			c.Floats = append(c.Floats, x)
			return nil
		}
	case bool:
		if c.Type == pgcat.Bool {
			c.Bools = append(c.Bools, x)
			return nil
		}
	}
	d, err := datumOf(l.env, c.Type, l.shape.Columns[i].Mod, v)
	if err == nil {
		appendCell(c, d.Value)
	}
	return err
}

// appendCell appends a value, or a zero one for NULL, to the cells of a column.
func appendCell(c *vector.Column, v any) {
	switch c.Class {
	case vector.ClassBool:
		x, _ := v.(bool)
		c.Bools = append(c.Bools, x)
	case vector.ClassInt:
		x, _ := v.(int64)
		c.Ints = append(c.Ints, x)
	case vector.ClassFloat:
		x, _ := v.(float64)
		c.Floats = append(c.Floats, x)
	case vector.ClassNumeric:
		x, _ := v.(pgtype.Numeric)
		c.Numerics = append(c.Numerics, x)
	case vector.ClassText:
		x, _ := v.(string)
		c.Texts = append(c.Texts, x)
	case vector.ClassInterval:
		x, _ := v.(pgtype.Interval)
		c.Intervals = append(c.Intervals, x)
	default:
		c.Objects = append(c.Objects, v)
	}
}

// finish makes the columns whole and brings the values to their lengths.
func (l *loader) finish() error {
	for i, c := range l.columns {
		c.Len = l.rows
		if len(l.nulls[i]) > 0 {
			c.Nulls = vector.NewBitmap(l.rows)
			for _, r := range l.nulls[i] {
				c.Nulls.Set(int(r))
			}
		}
		fitted, err := fit(l.env, c, l.shape.Columns[i].Mod)
		if err != nil {
			return fmt.Errorf("column %s: %w", l.shape.Columns[i].Name, err)
		}
		l.columns[i] = fitted
	}
	return nil
}

// datumOf makes a value of a type of a Go value.
func datumOf(e *fn.Env, t pgcat.OID, mod int32, v any) (vector.Datum, error) {
	if v == nil {
		return vector.Null(t), nil
	}
	if d, ok := v.(vector.Datum); ok && (d.Type == t || d.Null()) {
		d.Type = t
		return d, nil
	}
	if plain, ok := direct(t, v); ok {
		return vector.Datum{Type: t, Value: plain}, nil
	}
	text, err := textFor(t, v)
	if err != nil {
		return vector.Datum{}, err
	}
	return read(e, t, mod, text)
}

// read reads a value from its text and brings it to its length.
func read(e *fn.Env, t pgcat.OID, mod int32, text string) (vector.Datum, error) {
	in, ok := fn.InputOf(t)
	if !ok {
		return vector.Datum{}, pgerr.New(pgerr.FeatureNotSupported, "values of the type %s are not supported", pgcat.Default().FormatType(t))
	}
	typmod := int32(-1)
	if t == pgcat.Interval {
		typmod = mod
	}
	value, perr := in(e, text, typmod)
	if perr != nil {
		return vector.Datum{}, e.Fail(perr)
	}
	return vector.Datum{Type: t, Value: value}, nil
}

// direct gives the value of a Go value that needs no reading.
func direct(t pgcat.OID, v any) (any, bool) {
	switch vector.ClassOf(t) {
	case vector.ClassBool:
		b, ok := v.(bool)
		return b, ok
	case vector.ClassInt:
		return directInt(t, v)
	case vector.ClassFloat:
		return directFloat(t, v)
	case vector.ClassNumeric:
		if i, ok := wholeOf(v); ok {
			return pgtype.NumericFromInt(i), true
		}
		n, ok := v.(pgtype.Numeric)
		return n, ok
	case vector.ClassText:
		return directText(t, v)
	}
	return nil, false
}

func wholeOf(v any) (int64, bool) {
	switch x := v.(type) {
	case int64:
		return x, true
	case int:
		return int64(x), true
	case int32:
		return int64(x), true
	case int16:
		return int64(x), true
	case int8:
		return int64(x), true
	case uint8:
		return int64(x), true
	case uint16:
		return int64(x), true
	case uint32:
		return int64(x), true
	}
	return 0, false
}

func directInt(t pgcat.OID, v any) (any, bool) {
	if m, ok := v.(time.Time); ok {
		return directTime(t, m)
	}
	i, ok := wholeOf(v)
	if !ok {
		return nil, false
	}
	switch t {
	case pgcat.Int8:
		return i, true
	case pgcat.Int4:
		return i, i == int64(int32(i))
	case pgcat.Int2:
		return i, i == int64(int16(i))
	}
	return nil, false
}

// epoch is where the server's dates and timestamps count from.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func directTime(t pgcat.OID, m time.Time) (any, bool) {
	switch t {
	case pgcat.Timestamptz:
		return m.UnixMicro() - epoch.UnixMicro(), true
	case pgcat.Timestamp:
		wall := time.Date(m.Year(), m.Month(), m.Day(), m.Hour(), m.Minute(), m.Second(), m.Nanosecond(), time.UTC)
		return wall.UnixMicro() - epoch.UnixMicro(), true
	case pgcat.Date:
		day := time.Date(m.Year(), m.Month(), m.Day(), 0, 0, 0, 0, time.UTC)
		return (day.Unix() - epoch.Unix()) / (24 * 60 * 60), true
	}
	return nil, false
}

func directFloat(t pgcat.OID, v any) (any, bool) {
	f, ok := v.(float64)
	if !ok {
		if x, isSmall := v.(float32); isSmall {
			f, ok = float64(x), true
		} else if i, isInt := wholeOf(v); isInt {
			f, ok = float64(i), true
		}
	}
	if t == pgcat.Float4 {
		f = float64(float32(f))
	}
	return f, ok
}

func directText(t pgcat.OID, v any) (any, bool) {
	switch x := v.(type) {
	case string:
		if t == pgcat.Text || t == pgcat.Varchar || t == pgcat.Name {
			return x, true
		}
	case []byte:
		if t == pgcat.Bytea {
			return string(x), true
		}
	case [16]byte:
		if t == pgcat.UUID {
			return string(x[:]), true
		}
	}
	return nil, false
}

// textFor writes a Go value as the text of a type.
func textFor(t pgcat.OID, v any) (string, error) {
	if t == pgcat.JSON || t == pgcat.JSONB {
		if s, ok := v.(string); ok {
			return s, nil
		}
		if raw, ok := v.([]byte); ok {
			return string(raw), nil
		}
		b, err := json.Marshal(v)
		return string(b), err
	}
	switch x := v.(type) {
	case string:
		return x, nil
	case []byte:
		return string(x), nil
	case bool:
		return strconv.FormatBool(x), nil
	case float64:
		return string(pgtype.AppendFloat(nil, x, 64)), nil
	case float32:
		return string(pgtype.AppendFloat(nil, float64(x), 32)), nil
	case *big.Int:
		return x.String(), nil
	case json.Number:
		return x.String(), nil
	case uint64:
		return strconv.FormatUint(x, 10), nil
	case time.Time:
		return x.Format("2006-01-02 15:04:05.999999-07:00"), nil
	case time.Duration:
		return strconv.FormatInt(x.Microseconds(), 10) + " microseconds", nil
	case []any:
		return arrayText(t, x)
	case fmt.Stringer:
		return x.String(), nil
	}
	if i, ok := wholeOf(v); ok {
		return strconv.FormatInt(i, 10), nil
	}
	return "", fmt.Errorf("a value of the Go type %T does not fit the type %s", v, pgcat.Default().FormatType(t))
}

// arrayText writes an array's elements as the text that reads back as it.
func arrayText(t pgcat.OID, list []any) (string, error) {
	element := pgcat.Default().ElementOf(t)
	if element == 0 {
		return "", fmt.Errorf("a list does not fit the type %s", pgcat.Default().FormatType(t))
	}
	out := []byte{'{'}
	for i, v := range list {
		if i > 0 {
			out = append(out, ',')
		}
		switch x := v.(type) {
		case nil:
			out = append(out, "NULL"...)
		case []any:
			inner, err := arrayText(t, x)
			if err != nil {
				return "", err
			}
			out = append(out, inner...)
		default:
			text, err := textFor(element, v)
			if err != nil {
				return "", err
			}
			out = appendQuoted(out, text)
		}
	}
	return string(append(out, '}')), nil
}

func appendQuoted(out []byte, text string) []byte {
	out = append(out, '"')
	for i := range len(text) {
		if text[i] == '"' || text[i] == '\\' {
			out = append(out, '\\')
		}
		out = append(out, text[i])
	}
	return append(out, '"')
}
