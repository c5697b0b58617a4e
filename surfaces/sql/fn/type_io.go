package fn

import (
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// nameLength is how many bytes a name holds.
const nameLength = 63

// regtype is the number of the type regtype.
const regtype pgcat.OID = 2206

// generalInputs read the types that are not dates.
func generalInputs() map[pgcat.OID]Input {
	all := map[pgcat.OID]Input{
		pgcat.Bool:    func(_ *Env, s string, _ int32) (any, *pgerr.Error) { return anyOf(pgtype.ParseBool(s)) },
		pgcat.Int2:    intInput(16),
		pgcat.Int4:    intInput(32),
		pgcat.Int8:    intInput(64),
		pgcat.OIDType: func(_ *Env, s string, _ int32) (any, *pgerr.Error) { return anyOf(pgtype.ParseOID(s)) },
		pgcat.Float4:  floatInput(32),
		pgcat.Float8:  floatInput(64),
		pgcat.Numeric: func(_ *Env, s string, typmod int32) (any, *pgerr.Error) {
			n, err := pgtype.ParseNumeric(s)
			if err == nil && typmod >= 4 {
				n, err = fitNumeric(n, typmod)
			}
			return anyOf(n, err)
		},
		pgcat.Text: textInput, pgcat.Unknown: textInput, pgcat.Cstring: textInput,
		pgcat.Varchar: func(e *Env, s string, typmod int32) (any, *pgerr.Error) {
			if typmod < 4 {
				return textInput(e, s, -1)
			}
			return anyOf(pgtype.FitVarchar(s, int(typmod-4), false))
		},
		pgcat.Bpchar: func(e *Env, s string, typmod int32) (any, *pgerr.Error) {
			if typmod < 4 {
				return textInput(e, s, -1)
			}
			return anyOf(pgtype.FitBpchar(s, int(typmod-4), false))
		},
		pgcat.Name: func(_ *Env, s string, _ int32) (any, *pgerr.Error) { return cutName(s), nil },
		pgcat.Char: func(_ *Env, s string, _ int32) (any, *pgerr.Error) { return pgtype.ParseChar(s), nil },
		pgcat.Bytea: func(_ *Env, s string, _ int32) (any, *pgerr.Error) {
			b, err := pgtype.ParseBytea(s)
			return string(b), err
		},
		pgcat.UUID: func(_ *Env, s string, _ int32) (any, *pgerr.Error) {
			u, err := pgtype.ParseUUID(s)
			return string(u[:]), err
		},
		pgcat.JSON: func(e *Env, s string, _ int32) (any, *pgerr.Error) {
			if err := e.jsonWork(s); err != nil {
				return nil, err
			}
			_, err := pgtype.ReadJSON(s, false)
			return s, err
		},
		pgcat.JSONB: func(e *Env, s string, _ int32) (any, *pgerr.Error) { return anyOf(e.parseJSONB(s)) },
		pgcat.Bit: func(_ *Env, s string, typmod int32) (any, *pgerr.Error) {
			return anyOf(pgtype.ParseBit(s, int(typmod)))
		},
		pgcat.Varbit: func(_ *Env, s string, typmod int32) (any, *pgerr.Error) {
			return anyOf(pgtype.ParseVarbit(s, int(typmod)))
		},
		regtype:    regtypeInput,
		pgcat.Void: func(*Env, string, int32) (any, *pgerr.Error) { return "", nil },
		pgcat.Record: func(*Env, string, int32) (any, *pgerr.Error) {
			return nil, pgerr.New(pgerr.FeatureNotSupported, "input of anonymous composite types is not implemented")
		},
	}
	for t := range pgcat.Default().Types() {
		if t.TrueArray {
			all[t.OID] = arrayInput(t.Element)
		}
	}
	// They look like arrays and are not, in too many places.
	delete(all, pgcat.Int2Vector)
	delete(all, pgcat.OIDVector)
	return all
}

// anyOf gives a value as any.
func anyOf[T any](v T, err *pgerr.Error) (any, *pgerr.Error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

func textInput(_ *Env, s string, _ int32) (any, *pgerr.Error) { return s, nil }

func intInput(bits int) Input {
	return func(_ *Env, s string, _ int32) (any, *pgerr.Error) { return anyOf(pgtype.ParseInt(s, bits)) }
}

func floatInput(bits int) Input {
	return func(_ *Env, s string, _ int32) (any, *pgerr.Error) { return anyOf(pgtype.ParseFloat(s, bits)) }
}

// cutName cuts a text to what a name holds, between two characters.
func cutName(s string) string {
	if len(s) <= nameLength {
		return s
	}
	n := nameLength
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// fitNumeric applies the typmod of a numeric(p, s).
func fitNumeric(n pgtype.Numeric, typmod int32) (pgtype.Numeric, *pgerr.Error) {
	if typmod < 4 {
		return n, nil
	}
	precision := int((typmod - 4) >> 16 & 0xffff)
	scale := int(typmod-4) & 0x7ff
	return n.Fit(precision, (scale^1024)-1024)
}

// jsonWork charges what reading a JSON text takes for the moment.
func (e *Env) jsonWork(s string) *pgerr.Error { return e.Charge(int64(len(s) / 8)) }

// parseJSONB reads a JSON text and charges what it makes of it.
func (e *Env) parseJSONB(s string) (*pgtype.JSONB, *pgerr.Error) {
	if err := e.jsonWork(s); err != nil {
		return nil, err
	}
	// A node takes some two hundred bytes for two of text at worst, for some thirty
	// usually.
	if err := e.Alloc(int64(nodesOf(s)) * 200); err != nil {
		return nil, err
	}
	return pgtype.ParseJSONB(s)
}

// nodesOf bounds how many values a JSON text has.
func nodesOf(s string) int {
	return 1 + strings.Count(s, ",") + strings.Count(s, "[") + strings.Count(s, "{") + len(s)/64
}

// arrayInput reads arrays of a type.
func arrayInput(element pgcat.OID) Input {
	return func(e *Env, s string, typmod int32) (any, *pgerr.Error) {
		if err := e.Charge(int64(len(s) / 8)); err != nil {
			return nil, err
		}
		if err := e.Alloc(int64(len(s)) * 16); err != nil {
			return nil, err
		}
		text, err := pgtype.ParseArray(s)
		if err != nil {
			return nil, err
		}
		return anyOf(arrayOfTexts(e, text, element, typmod))
	}
}

func arrayOfTexts(e *Env, text pgtype.ArrayText, element pgcat.OID, typmod int32) (*vector.Array, *pgerr.Error) {
	read, ok := InputOf(element)
	if !ok {
		return nil, noInput(element)
	}
	values := vector.Make(element, len(text.Elements))
	for i, t := range text.Elements {
		if t == nil {
			values.SetNull(i)
			continue
		}
		v, err := read(e, *t, typmod)
		if err != nil {
			return nil, err
		}
		values.Set(i, vector.Datum{Type: element, Value: v})
	}
	return &vector.Array{Element: element, Dimensions: text.Dimensions, Values: values}, nil
}

func noInput(t pgcat.OID) *pgerr.Error {
	return pgerr.New(pgerr.FeatureNotSupported, "reading values of type %s is not supported", pgcat.Default().FormatType(t))
}

func noOutput(t pgcat.OID) *pgerr.Error {
	return pgerr.New(pgerr.FeatureNotSupported, "writing values of type %s is not supported", pgcat.Default().FormatType(t))
}

// generalOutputs write the types that are not dates.
func generalOutputs() map[pgcat.OID]Output {
	all := map[pgcat.OID]Output{
		pgcat.Bool:    plainOutput(pgtype.AppendBool),
		pgcat.Int2:    plainOutput(appendInt),
		pgcat.Int4:    plainOutput(appendInt),
		pgcat.Int8:    plainOutput(appendInt),
		pgcat.OIDType: plainOutput(appendInt),
		pgcat.Float4:  plainOutput(func(dst []byte, v float64) []byte { return pgtype.AppendFloat(dst, v, 32) }),
		pgcat.Float8:  plainOutput(func(dst []byte, v float64) []byte { return pgtype.AppendFloat(dst, v, 64) }),
		pgcat.Numeric: plainOutput(pgtype.AppendNumeric),
		pgcat.Char:    plainOutput(pgtype.AppendChar),
		pgcat.Bytea:   plainOutput(func(dst []byte, v string) []byte { return pgtype.AppendBytea(dst, []byte(v)) }),
		pgcat.UUID:    plainOutput(func(dst []byte, v string) []byte { return pgtype.AppendUUID(dst, [16]byte([]byte(v))) }),
		pgcat.JSONB:   plainOutput(pgtype.AppendJSONB),
		pgcat.Record:  recordOutput,
		regtype:       regtypeOutput,
	}
	for _, t := range []pgcat.OID{
		pgcat.Text, pgcat.Varchar, pgcat.Bpchar, pgcat.Name, pgcat.Unknown, pgcat.Cstring, pgcat.JSON, pgcat.Bit, pgcat.Varbit, pgcat.Void,
	} {
		all[t] = plainOutput(func(dst []byte, v string) []byte { return append(dst, v...) })
	}
	for t := range pgcat.Default().Types() {
		if t.TrueArray {
			all[t.OID] = arrayOutput
		}
	}
	delete(all, pgcat.Int2Vector)
	delete(all, pgcat.OIDVector)
	return all
}

func plainOutput[T any](f func(dst []byte, v T) []byte) Output {
	return func(_ *Env, dst []byte, v any) ([]byte, *pgerr.Error) { return f(dst, v.(T)), nil }
}

func arrayOutput(e *Env, dst []byte, v any) ([]byte, *pgerr.Error) {
	a := v.(*vector.Array)
	write, ok := OutputOf(a.Element)
	if !ok {
		return dst, noOutput(a.Element)
	}
	text := pgtype.ArrayText{Dimensions: a.Dimensions, Elements: make([]*string, a.Len())}
	for i := range text.Elements {
		d := a.At(i)
		if d.Null() {
			continue
		}
		b, err := write(e, nil, d.Value)
		if err != nil {
			return dst, err
		}
		s := string(b)
		text.Elements[i] = &s
	}
	return pgtype.AppendArray(dst, text), nil
}

// recordOutput writes (a,"b c",): fields that are empty or hold something of the
// syntax are quoted, NULLs are nothing.
func recordOutput(e *Env, dst []byte, v any) ([]byte, *pgerr.Error) {
	dst = append(dst, '(')
	for i, f := range v.(*vector.Record).Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		if f.Null() {
			continue
		}
		text, err := e.textOf(f)
		if err != nil {
			return dst, err
		}
		dst = appendField(dst, text)
	}
	return append(dst, ')'), nil
}

func appendField(dst []byte, text string) []byte {
	if text != "" && !strings.ContainsAny(text, "\"\\(), \t\n\v\f\r") {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for i := range len(text) {
		if c := text[i]; c == '"' || c == '\\' {
			dst = append(dst, c)
		}
		dst = append(dst, text[i])
	}
	return append(dst, '"')
}

// textOf gives the output of a value that is not NULL.
func (e *Env) textOf(d vector.Datum) (string, *pgerr.Error) {
	if s, ok := d.Value.(string); ok && pgcat.Default().Type(d.Type) != nil && plainText(d.Type) {
		return s, nil
	}
	write, ok := OutputOf(d.Type)
	if !ok {
		return "", noOutput(d.Type)
	}
	b, err := write(e, nil, d.Value)
	return string(b), err
}

// plainText reports whether the cells of a type are its text.
func plainText(t pgcat.OID) bool {
	switch t {
	case pgcat.Text, pgcat.Varchar, pgcat.Bpchar, pgcat.Name, pgcat.Unknown, pgcat.Cstring, pgcat.JSON, pgcat.Bit, pgcat.Varbit:
		return true
	}
	return false
}
