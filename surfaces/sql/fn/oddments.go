package fn

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// versionText is what version() says.
const versionText = "PostgreSQL 17.5 compatible (polyglove)"

func constantText(s string) Kernel {
	return Nullary(func(*Env) (string, *pgerr.Error) { return s, nil })
}

func countNulls(want bool) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		for _, r := range rows {
			n := int64(0)
			for _, a := range args {
				if a.Null(int(r)) == want {
					n++
				}
			}
			out.Ints[r] = n
		}
		return nil
	}
}

// settings are what current_setting knows, as a session of the server has them.
var settings = map[string]string{
	"timezone": "UTC", "datestyle": "ISO, MDY", "intervalstyle": "postgres", "server_version": "17.5", "server_version_num": "170005",
	"server_encoding": "UTF8", "client_encoding": "UTF8", "search_path": `"$user", public`, "standard_conforming_strings": "on",
	"bytea_output": "hex", "extra_float_digits": "1", "default_transaction_isolation": "read committed", "transaction_isolation": "read committed",
	"lc_collate": "C", "is_superuser": "off", "max_identifier_length": "63", "integer_datetimes": "on",
}

func currentSetting(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	name := args[0].Value.(string)
	if strings.EqualFold(name, "timezone") {
		return e.Location().String(), nil
	}
	if v, ok := settings[strings.ToLower(name)]; ok {
		return v, nil
	}
	if len(args) > 1 && args[1].Value.(bool) {
		return nil, nil
	}
	return nil, pgerr.New(pgerr.UndefinedObject, "unrecognized configuration parameter \"%s\"", name)
}

// typeOf gives the number of the argument's type, which prints as its name.
func typeOf(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	for _, r := range rows {
		out.Ints[r] = int64(args[0].Type)
	}
	return nil
}

// inputIsValid tries the input function of a type.
func inputIsValid(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	t, typmod, err := typeNamed(args[1].Value.(string))
	if err != nil {
		return nil, err
	}
	read, ok := InputOf(t)
	if !ok {
		return nil, noInput(t)
	}
	if _, err := read(e, args[0].Value.(string), typmod); err == errStopped {
		return nil, err
	} else if err != nil {
		return false, nil
	}
	return true, nil
}

// typeNamed finds a type by the name that SQL gives it.
func typeNamed(name string) (pgcat.OID, int32, *pgerr.Error) {
	typmod := int32(-1)
	body, rest, found := strings.Cut(foldASCII(strings.TrimSpace(name)), "(")
	if found {
		inside, after, _ := strings.Cut(rest, ")")
		body = strings.TrimSpace(body) + after
		var precision, scale int
		n, _ := fmt.Sscanf(inside, "%d,%d", &precision, &scale)
		switch {
		case strings.HasPrefix(body, "numeric") || strings.HasPrefix(body, "decimal"):
			typmod = int32(precision<<16|scale&0x7ff) + 4
		case strings.HasPrefix(body, "bit"):
			typmod = int32(precision)
		case n >= 1:
			typmod = int32(precision) + 4
		}
	}
	body = strings.TrimPrefix(strings.TrimSpace(body), "pg_catalog.")
	array := strings.HasSuffix(body, "[]")
	body = strings.TrimSpace(strings.TrimSuffix(body, "[]"))
	t, ok := typesByName()[body]
	switch {
	case !ok && (identifierLength(body) != len(body) || body == "" || reserved[body]):
		return 0, 0, pgerr.New(pgerr.FeatureNotSupported, "the type name \"%s\" is not supported here", name).
			WithHint("Write the name of a built-in type, with a length or precision at most.")
	case !ok:
		return 0, 0, pgerr.New(pgerr.UndefinedObject, "type \"%s\" does not exist", body)
	}
	if array {
		t = pgcat.Default().ArrayOf(t)
	}
	return t, typmod, nil
}

// typesByName are the types by their internal and their displayed names.
func typesByName() map[string]pgcat.OID {
	all := map[string]pgcat.OID{
		"int": pgcat.Int4, "decimal": pgcat.Numeric, "float": pgcat.Float8, "char": pgcat.Bpchar, "dec": pgcat.Numeric,
		"timestamp": pgcat.Timestamp, "time": pgcat.Time, "varchar": pgcat.Varchar,
	}
	for t := range pgcat.Default().Types() {
		if _, taken := all[t.Name]; !taken {
			all[t.Name] = t.OID
		}
		all[strings.ToLower(t.Display)] = t.OID
	}
	return all
}

func formatType(_ *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	if args[0].Null() {
		return nil, nil
	}
	oid := pgcat.OID(args[0].Value.(int64))
	if oid == 0 {
		return "-", nil
	}
	typmod := int32(-1)
	if !args[1].Null() {
		typmod = int32(args[1].Value.(int64))
	}
	return typeWithModifier(oid, typmod, !args[1].Null()), nil
}

// typeWithModifier writes a type with its length or precision.
func typeWithModifier(t pgcat.OID, typmod int32, given bool) string {
	c := pgcat.Default()
	if e := c.ElementOf(t); e != 0 && c.Type(t).TrueArray {
		return typeWithModifier(e, typmod, given) + "[]"
	}
	display := c.FormatType(t)
	if given && typmod < 0 && t == pgcat.Bpchar {
		return "bpchar"
	}
	if given && typmod < 0 && t == pgcat.Bit {
		return `"bit"`
	}
	if typmod < 0 {
		return display
	}
	switch t {
	case pgcat.Varchar, pgcat.Bpchar:
		if typmod < 4 {
			return display
		}
		return fmt.Sprintf("%s(%d)", display, typmod-4)
	case pgcat.Numeric:
		if typmod < 4 {
			return display
		}
		scale := int(typmod-4) & 0x7ff
		return fmt.Sprintf("numeric(%d,%d)", (typmod-4)>>16&0xffff, scale^1024-1024)
	case pgcat.Bit, pgcat.Varbit:
		return fmt.Sprintf("%s(%d)", display, typmod)
	case pgcat.Time, pgcat.Timetz, pgcat.Timestamp, pgcat.Timestamptz:
		name, rest, _ := strings.Cut(display, " ")
		return fmt.Sprintf("%s(%d) %s", name, typmod, rest)
	}
	if builtIn := c.Type(t); builtIn == nil || builtIn.Display != builtIn.Name {
		return display // the types with names of their own in the grammar
	}
	return fmt.Sprintf("%s(%d)", display, typmod)
}

// sizePretty writes a number of bytes for people, as pg_size_pretty does.
func sizePretty(_ *Env, n int64) (string, *pgerr.Error) {
	units := []struct {
		name  string
		limit int64
		round bool
		shift uint
	}{{"bytes", 10 * 1024, false, 0}, {"kB", 20*1024 - 1, true, 10}, {"MB", 20*1024 - 1, true, 20}, {"GB", 20*1024 - 1, true, 30}, {"TB", 20*1024 - 1, true, 40}, {"PB", 20*1024 - 1, true, 50}}
	size := n
	for i, u := range units {
		if i == len(units)-1 || magnitude(size) < uint64(u.limit) {
			if u.round {
				size = halfRounded(size)
			}
			return fmt.Sprintf("%d %s", size, u.name), nil
		}
		bits := units[i+1].shift - u.shift
		if units[i+1].round {
			bits--
		}
		if u.round {
			bits++
		}
		size /= 1 << bits
	}
	return "", nil
}

func halfRounded(n int64) int64 {
	if n >= 0 {
		return (n + 1) / 2
	}
	return (n - 1) / 2
}

// regtypeOf finds a type by name, NULL where there is none.
func regtypeOf(_ *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	t, _, err := typeNamed(args[0].Value.(string))
	switch {
	case err == nil:
		return int64(t), nil
	case err.SQLSTATE == pgerr.UndefinedObject:
		return nil, nil
	}
	return nil, err
}

func newUUID(e *Env) (string, *pgerr.Error) {
	var b [16]byte
	if e.UUID != nil {
		b = e.UUID()
		return string(b[:]), nil
	}
	for i := range b {
		b[i] = byte(e.Random() * 256)
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return string(b[:]), nil
}

func schemas(e *Env, implicit bool) (any, *pgerr.Error) {
	values := []vector.Datum{{Type: pgcat.Name, Value: "public"}}
	if implicit {
		values = append([]vector.Datum{{Type: pgcat.Name, Value: "pg_catalog"}}, values...)
	}
	return anyOf(e.buildArray(pgcat.Name, values, 1))
}

func oddKernels() map[string]Kernel {
	return map[string]Kernel{
		"pgsql_version": constantText(versionText), "current_database": Nullary(func(e *Env) (string, *pgerr.Error) { return e.SessionDatabase(), nil }),
		"current_user": Nullary(sessionUser), "session_user": Nullary(sessionUser),
		"current_schema": constantText("public"), "getdatabaseencoding": constantText("UTF8"),
		"pg_client_encoding": constantText("UTF8"),
		"current_schemas":    Unary(schemas),
		"pg_typeof":          typeOf,
		"pg_num_nulls":       countNulls(true), "pg_num_nonnulls": countNulls(false),
		"show_config_by_name": Rowwise(currentSetting), "show_config_by_name_missing_ok": Rowwise(currentSetting),
		"text_format": Rowwise(formatText), "text_format_nv": Rowwise(formatText),
		"gen_random_uuid":      Nullary(newUUID),
		"format_type":          Rowwise(formatType),
		"pg_input_is_valid":    Rowwise(inputIsValid),
		"to_regtype":           Rowwise(regtypeOf),
		"pg_size_pretty(int8)": Unary(sizePretty),
		"pg_backend_pid":       Nullary(func(*Env) (int64, *pgerr.Error) { return 1, nil }),
		"int4inc":              intKernel1(4, func(a int64) (int64, bool) { return addInt(a, 1) }),
		"int8inc":              intKernel1(8, func(a int64) (int64, bool) { return addInt(a, 1) }),
		"int8dec":              intKernel1(8, func(a int64) (int64, bool) { return addInt(a, -1) }),
	}
}

// regtypeOutput writes a type by its name.
func regtypeOutput(_ *Env, dst []byte, v any) ([]byte, *pgerr.Error) {
	oid := pgcat.OID(v.(int64))
	switch {
	case oid == 0:
		return append(dst, '-'), nil
	case pgcat.Default().Type(oid) == nil:
		return appendInt(dst, int64(oid)), nil
	}
	return append(dst, pgcat.Default().FormatType(oid)...), nil
}

func regtypeInput(_ *Env, s string, _ int32) (any, *pgerr.Error) {
	if s == "-" {
		return int64(0), nil
	}
	if n, err := pgtype.ParseOID(s); err == nil {
		return n, nil
	}
	t, _, err := typeNamed(s)
	return int64(t), err
}

func sessionUser(e *Env) (string, *pgerr.Error) { return e.SessionUser(), nil }

// spreadKernels are the functions variadic in "any" for calls with VARIADIC array.
func spreadKernels() map[string]Kernel {
	return map[string]Kernel{
		"text_concat": Spread(Rowwise(concatAll), true), "text_concat_ws": Spread(Rowwise(concatWith), true),
		"text_format": Spread(Rowwise(formatText), false), "pg_num_nulls": Spread(countNulls(true), true), "pg_num_nonnulls": Spread(countNulls(false), true),
		"json_build_object": Spread(Rowwise(buildJSONObject), true), "json_build_array": Spread(Rowwise(buildJSONArray), true),
		"jsonb_build_object": Spread(Rowwise(buildJSONBObject), true), "jsonb_build_array": Spread(Rowwise(buildJSONBArray), true),
	}
}
