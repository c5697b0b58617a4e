package toolfn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Cell gives what a server sent as a value of the column's type, or an error
// that says what was wanted. Spellings of one value become that value: "42" in a
// bigint column is 42 and "false" in a boolean column false; anything but a text
// in a text column is its JSON text. Integers keep every digit. What has no
// reading in the type is an error, never a null.
func (c *Column) Cell(v value.Value) (value.Value, error) {
	if v == nil {
		return nil, nil
	}
	switch c.Type {
	case "text":
		return textCell(v)
	case "bigint":
		return integerCell(v)
	case "double precision":
		return doubleCell(v)
	case "numeric":
		return numericCell(v)
	case "boolean":
		return booleanCell(v)
	case "timestamptz":
		return timeCell(v)
	case "date":
		return dateCell(v)
	}
	return v, nil
}

// Given gives what a program gave for the column: a value to write, or to
// compare with. It is stricter than [Column.Cell]: a value of another type is an
// error, so that 1 and '1' are never taken for each other. Null is let through.
func (c *Column) Given(v value.Value) (value.Value, error) {
	ok := true
	switch v.(type) {
	case nil:
		return nil, nil
	case string:
		ok = c.Type == "text" || c.Type == "timestamptz" || c.Type == "date" || c.Type == "jsonb"
	case bool:
		ok = c.Type == "boolean" || c.Type == "jsonb"
	case int64, *big.Int, float64, json.Number:
		ok = c.Type == "bigint" || c.Type == "double precision" || c.Type == "numeric" || c.Type == "jsonb"
	case []value.Value, *value.Object:
		ok = c.Type == "jsonb"
	}
	if !ok {
		return nil, c.wrong(v)
	}
	return c.Cell(v)
}

// Allowed reports whether a value is one of the column's, where it lists them.
// Null is, because whether it may be null is another matter.
func (c *Column) Allowed(v value.Value) bool {
	return v == nil || len(c.Enum) == 0 || contains(c.Enum, v)
}

// wrong says that a value is of another type than the column's.
func (c *Column) wrong(v value.Value) error {
	return fmt.Errorf("want %s, got %s", c.Type, cellText(v))
}

// cellText shows a value in a message.
func cellText(v value.Value) string {
	text, err := value.Append(nil, v)
	if err != nil {
		return "a value that cannot be shown"
	}
	return sandbox.Clip(Plain(string(text), 200), 80)
}

func textCell(v value.Value) (value.Value, error) {
	if _, ok := v.(string); ok {
		return v, nil
	}
	text, err := value.Append(nil, v)
	if err != nil {
		return nil, fmt.Errorf("want text: %w", err)
	}
	return string(text), nil
}

func integerCell(v value.Value) (value.Value, error) {
	wrong := func() error { return fmt.Errorf("want bigint, got %s", cellText(v)) }
	given := v
	if s, ok := v.(string); ok {
		n, ok := decimalText(s)
		if !ok {
			return nil, wrong()
		}
		given = n
	}
	whole, ok := wholeNumber(given)
	if n, fits := whole.(int64); ok && fits {
		return n, nil
	}
	if ok {
		return nil, fmt.Errorf("%s does not fit bigint", cellText(v))
	}
	return nil, wrong()
}

// decimalText reads a decimal text exactly.
func decimalText(s string) (value.Value, bool) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "+")
	if s == "" || strings.Trim(s, "0123456789+-.eE") != "" || len(s) > 1000 {
		return nil, false
	}
	if _, err := strconv.ParseFloat(s, 64); err != nil && !strings.Contains(err.Error(), "out of range") {
		return nil, false
	}
	return value.Number(s)
}

func doubleCell(v value.Value) (value.Value, error) {
	switch x := v.(type) {
	case float64:
		return v, nil
	case int64:
		return float64(x), nil
	case *big.Int:
		f, _ := new(big.Float).SetInt(x).Float64()
		return f, nil
	case json.Number, string:
		f, err := strconv.ParseFloat(strings.TrimSpace(fmt.Sprint(x)), 64)
		if err == nil && !strings.ContainsAny(fmt.Sprint(x), "xX_") {
			return f, nil
		}
	}
	return nil, fmt.Errorf("want double precision, got %s", cellText(v))
}

func numericCell(v value.Value) (value.Value, error) {
	switch x := v.(type) {
	case int64, *big.Int, json.Number:
		return v, nil
	case float64:
		if !math.IsInf(x, 0) {
			return v, nil
		}
	case string:
		if n, ok := decimalText(x); ok {
			return n, nil
		}
	}
	return nil, fmt.Errorf("want numeric, got %s", cellText(v))
}

// booleanWords are PostgreSQL's spellings of boolean values.
var booleanWords = map[string]bool{
	"true": true, "t": true, "yes": true, "y": true, "on": true, "1": true,
	"false": false, "f": false, "no": false, "n": false, "off": false, "0": false,
}

func booleanCell(v value.Value) (value.Value, error) {
	switch x := v.(type) {
	case bool:
		return v, nil
	case int64:
		if x == 0 || x == 1 {
			return x == 1, nil
		}
	case string:
		if b, ok := booleanWords[strings.ToLower(strings.TrimSpace(x))]; ok {
			return b, nil
		}
	}
	return nil, fmt.Errorf("want boolean, got %s", cellText(v))
}

// timeForms are the readings of a timestamp, RFC 3339 first; without a zone it
// is UTC.
var timeForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999Z07", "2006-01-02T15:04Z07:00",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999Z07",
	"2006-01-02 15:04:05.999999999 Z07:00", "2006-01-02 15:04:05.999999999 Z0700", "2006-01-02 15:04:05.999999999 UTC",
	"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
	"Mon, 02 Jan 2006 15:04:05 GMT", time.RFC1123Z,
}

// Instant reads the text of a timestamptz cell.
func Instant(s string) (time.Time, bool) {
	for _, form := range timeForms {
		if t, err := time.Parse(form, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// timeCell gives the RFC 3339 text of a moment: the server's own where it is
// one, else the same moment in UTC.
func timeCell(v value.Value) (value.Value, error) {
	s, ok := v.(string)
	if ok {
		if plainMoment(s) {
			return v, nil
		}
		if _, err := time.Parse(time.RFC3339Nano, s); err == nil {
			return v, nil
		}
		if t, ok := Instant(strings.TrimSpace(s)); ok {
			return t.UTC().Format(time.RFC3339Nano), nil
		}
	}
	return nil, fmt.Errorf("want timestamptz such as 2026-01-31T09:30:00Z, got %s", cellText(v))
}

// plainMoment reports whether a text is YYYY-MM-DDTHH:MM:SSZ, the usual moment,
// which need not be parsed. Days beyond the 28th are left to the parser.
func plainMoment(s string) bool {
	if len(s) != len("2006-01-02T15:04:05Z") || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != 'Z' {
		return false
	}
	two := func(at, least, most int) bool {
		a, b := s[at]-'0', s[at+1]-'0'
		n := int(a)*10 + int(b)
		return a <= 9 && b <= 9 && least <= n && n <= most
	}
	return two(0, 0, 99) && two(2, 0, 99) && two(5, 1, 12) && two(8, 1, 28) && two(11, 0, 23) && two(14, 0, 59) && two(17, 0, 59)
}

// dateCell gives the text YYYY-MM-DD. A moment with a time of day is no date:
// which day it is would depend on a zone.
func dateCell(v value.Value) (value.Value, error) {
	s, ok := v.(string)
	if ok {
		if _, err := time.Parse(time.DateOnly, s); err == nil {
			return v, nil
		}
		for _, form := range []string{"2006-01-02T00:00:00Z", "2006-01-02T00:00:00.000Z", "2006-01-02 00:00:00", "2006-01-02T00:00:00"} {
			if t, err := time.Parse(form, strings.TrimSpace(s)); err == nil {
				return t.Format(time.DateOnly), nil
			}
		}
	}
	return nil, fmt.Errorf("want a date such as 2026-01-31, got %s", cellText(v))
}

// SameCell compares two cells of the column's type: moments as moments, numbers
// by what they denote, all else as values. Null equals nothing.
func (c *Column) SameCell(a, b value.Value) bool {
	if a == nil || b == nil {
		return false
	}
	if x, ok := a.(string); ok {
		y, ok := b.(string)
		if x == y || !ok || c.Type != "timestamptz" {
			return ok && x == y
		}
		p, ok := Instant(x)
		q, ok2 := Instant(y)
		return ok && ok2 && p.Equal(q)
	}
	return value.Equal(a, b)
}

// Order compares two cells of the column's type: -1, 0 or 1. Text goes by code
// points, moments by time, numbers by value, false before true; ok is false where
// there is no order.
func (c *Column) Order(a, b value.Value) (order int, ok bool) {
	switch x := a.(type) {
	case int64:
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, y), true
		}
	case bool:
		y, ok := b.(bool)
		switch {
		case x == y:
			return 0, ok
		case x:
			return 1, ok
		}
		return -1, ok
	}
	x, text := a.(string)
	y, also := b.(string)
	switch {
	case text && also && c.Type == "timestamptz":
		p, ok := Instant(x)
		q, ok2 := Instant(y)
		return p.Compare(q), ok && ok2
	case text && also:
		return strings.Compare(x, y), true
	}
	p, ok := rational(a)
	q, ok2 := rational(b)
	if !ok || !ok2 {
		return 0, false
	}
	return p.Cmp(q), true
}
