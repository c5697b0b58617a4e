//go:build cgo

package analyze

import (
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// names gives the parts of a qualified name.
func names(list []*pg.Node) []string {
	out := make([]string, 0, len(list))
	for _, n := range list {
		if s := n.GetString_(); s != nil {
			out = append(out, s.Sval)
		}
	}
	return out
}

// typeName resolves a type as written, with its length or precision.
func (a *analyzer) typeName(t *pg.TypeName) (pgcat.OID, int32) {
	at := int(t.Location)
	if t.PctType {
		a.unsupported(at, "%TYPE")
	}
	if t.Setof {
		a.fail(at, pgerr.DatatypeMismatch, "cannot cast to a set")
	}
	full := names(t.Names)
	typ := a.namedType(full, at)
	if len(t.ArrayBounds) > 0 {
		if typ.Kind == 'p' {
			typ = nil
		} else {
			typ = a.cat.Type(typ.Array)
		}
		if typ == nil {
			a.fail(at, pgerr.UndefinedObject, "type \"%s[]\" does not exist", strings.Join(full, "."))
		}
	}
	return typ.OID, a.typmod(t, typ)
}

func (a *analyzer) namedType(full []string, at int) *pgcat.Type {
	schema, name := "", full[len(full)-1]
	if len(full) > 1 {
		schema = full[len(full)-2]
	}
	if len(full) > 3 {
		a.fail(-1, pgerr.SyntaxError, "improper qualified name (too many dotted names): %s", strings.Join(full, "."))
	}
	if len(full) == 3 && full[0] != "postgres" {
		a.fail(-1, pgerr.FeatureNotSupported, "cross-database references are not implemented: %s", strings.Join(full, "."))
	}
	if schema == "" || schema == "pg_catalog" {
		if t := a.cat.TypeNamed(name); t != nil {
			return t
		}
	}
	if schema != "" && schema != "pg_catalog" && schema != "public" && schema != "information_schema" {
		a.fail(at, invalidSchema, "schema \"%s\" does not exist", schema)
	}
	if schema == "information_schema" || a.table(schema, name, at) != nil {
		a.unsupported(at, "the type "+strings.Join(full, "."))
	}
	a.fail(at, pgerr.UndefinedObject, "type \"%s\" does not exist", strings.Join(full, "."))
	return nil
}

// typmod computes the type modifier as the type's own function does.
func (a *analyzer) typmod(t *pg.TypeName, typ *pgcat.Type) int32 {
	if len(t.Typmods) == 0 {
		if t.Typemod != 0 {
			return t.Typemod
		}
		return -1
	}
	at := int(t.Location)
	element := typ
	if typ.TrueArray {
		element = a.cat.Type(typ.Element)
	}
	if !takesTypmod(element.OID) {
		a.fail(at, pgerr.SyntaxError, "type modifier is not allowed for type \"%s\"", strings.Join(names(t.Names), "."))
	}
	return a.typmodOf(element.OID, a.modifiers(t), at)
}

func takesTypmod(t pgcat.OID) bool {
	switch t {
	case pgcat.Varchar, pgcat.Bpchar, pgcat.Numeric, pgcat.Timestamp, pgcat.Timestamptz, pgcat.Time, pgcat.Timetz, pgcat.Interval, pgcat.Bit, pgcat.Varbit:
		return true
	}
	return false
}

// modifiers reads the list in parentheses, which must be of whole numbers.
func (a *analyzer) modifiers(t *pg.TypeName) []int64 {
	at := int(t.Location)
	var out []int64
	for _, n := range t.Typmods {
		c := n.GetAConst()
		text := ""
		switch {
		case c == nil:
			if ref := n.GetColumnRef(); ref != nil && len(ref.Fields) == 1 {
				text = ref.Fields[0].GetString_().GetSval()
				break
			}
			a.fail(at, pgerr.SyntaxError, "type modifiers must be simple constants or identifiers")
		case c.GetIval() != nil:
			out = append(out, int64(c.GetIval().Ival))
			continue
		case c.GetFval() != nil:
			text = c.GetFval().Fval
		case c.GetSval() != nil:
			text = c.GetSval().Sval
		case !c.Isnull:
			// A zero is sent as a constant without a value.
			out = append(out, 0)
			continue
		default:
			a.fail(at, pgerr.SyntaxError, "type modifiers must be simple constants or identifiers")
		}
		v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
		if err != nil {
			code, format := pgerr.InvalidText, "invalid input syntax for type integer: \"%s\""
			if ne, ok := err.(*strconv.NumError); ok && ne.Err == strconv.ErrRange {
				code, format = pgerr.NumericOutOfRange, "value \"%s\" is out of range for type integer"
			}
			a.fail(at, code, format, text)
		}
		out = append(out, v)
	}
	return out
}

const (
	maxLength       = 10485760
	maxBits         = 83886080
	varHeader       = 4
	maxTimeDigits   = 6
	fullPrecision   = 0xFFFF
	fullRange       = 0x7FFF
	maxNumericScale = 1000
)

func (a *analyzer) typmodOf(t pgcat.OID, m []int64, at int) int32 {
	switch t {
	case pgcat.Varchar:
		return a.length(m, "varchar", maxLength, at) + varHeader
	case pgcat.Bpchar:
		return a.length(m, "char", maxLength, at) + varHeader
	case pgcat.Bit:
		return a.length(m, "bit", maxBits, at)
	case pgcat.Varbit:
		return a.length(m, "varbit", maxBits, at)
	case pgcat.Numeric:
		return a.numericTypmod(m, at)
	case pgcat.Interval:
		return a.intervalTypmod(m, at)
	}
	if len(m) != 1 {
		a.fail(at, pgerr.InvalidParameter, "invalid type modifier")
	}
	name, zone := "TIMESTAMP", ""
	if t == pgcat.Time || t == pgcat.Timetz {
		name = "TIME"
	}
	if t == pgcat.Timestamptz || t == pgcat.Timetz {
		zone = " WITH TIME ZONE"
	}
	return a.precision(m[0], name, zone, at)
}

// precision is what the date and time types do with the number of digits.
func (a *analyzer) precision(n int64, name, zone string, at int) int32 {
	if n < 0 {
		a.fail(at, pgerr.InvalidParameter, "%s(%d)%s precision must not be negative", name, n, zone)
	}
	return int32(min(n, maxTimeDigits)) // the server warns above
}

func (a *analyzer) length(m []int64, name string, limit int64, at int) int32 {
	switch {
	case len(m) != 1:
		a.fail(at, pgerr.InvalidParameter, "invalid type modifier")
	case m[0] < 1:
		a.fail(at, pgerr.InvalidParameter, "length for type %s must be at least 1", name)
	case m[0] > limit:
		a.fail(at, pgerr.InvalidParameter, "length for type %s cannot exceed %d", name, limit)
	}
	return int32(m[0])
}

func (a *analyzer) numericTypmod(m []int64, at int) int32 {
	if len(m) < 1 || len(m) > 2 {
		a.fail(at, pgerr.InvalidParameter, "invalid NUMERIC type modifier")
	}
	if m[0] < 1 || m[0] > maxNumericScale {
		a.fail(at, pgerr.InvalidParameter, "NUMERIC precision %d must be between 1 and %d", m[0], maxNumericScale)
	}
	scale := int64(0)
	if len(m) == 2 {
		scale = m[1]
	}
	if scale < -maxNumericScale || scale > maxNumericScale {
		a.fail(at, pgerr.InvalidParameter, "NUMERIC scale %d must be between %d and %d", scale, -maxNumericScale, maxNumericScale)
	}
	return int32(m[0]<<16|scale&0x7FF) + varHeader
}

// intervalTypmod packs the fields that INTERVAL names, as the grammar gives them,
// and the digits of the seconds.
func (a *analyzer) intervalTypmod(m []int64, at int) int32 {
	if len(m) < 1 || len(m) > 2 {
		a.fail(at, pgerr.InvalidParameter, "invalid INTERVAL type modifier")
	}
	fields, digits := m[0], int64(fullPrecision)
	if len(m) == 2 {
		digits = m[1]
		if digits < 0 {
			a.fail(at, pgerr.InvalidParameter, "INTERVAL(%d) precision must not be negative", digits)
		}
		digits = min(digits, maxTimeDigits)
	}
	if fields == fullRange && len(m) == 1 {
		return -1
	}
	return int32((fields&fullRange)<<16 | digits)
}
