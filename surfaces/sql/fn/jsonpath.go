package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/jsonpath"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgregex"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// pathTable are the functions of SQL/JSON paths, and their type.
func pathTable() table {
	t := table{
		kernels: map[string]Kernel{
			"jsonb_path_exists_opr": Rowwise(func(e *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
				return pathExists(e, a, jsonpath.Options{Silent: true})
			}),
			"jsonb_path_match_opr": Rowwise(func(e *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
				return pathMatch(e, a, jsonpath.Options{Silent: true})
			}),
		},
		sets:    map[string]SetKernel{},
		inputs:  map[pgcat.OID]Input{pgcat.JSONPath: func(e *Env, s string, _ int32) (any, *pgerr.Error) { return anyOf(e.parsePath(s)) }},
		outputs: map[pgcat.OID]Output{pgcat.JSONPath: plainOutput(func(dst []byte, p *jsonpath.Path) []byte { return p.Append(dst) })},
	}
	for suffix, zoned := range map[string]bool{"": false, "_tz": true} {
		for name, f := range map[string]func(*Env, []vector.Datum, jsonpath.Options) (any, *pgerr.Error){
			"exists": pathExists, "match": pathMatch, "query_array": pathArray, "query_first": pathFirst,
		} {
			t.kernels["jsonb_path_"+name+suffix] = Rowwise(func(e *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
				return f(e, a, pathOptions(a, zoned))
			})
		}
		t.sets["jsonb_path_query"+suffix] = func(e *Env, a []vector.Datum, columns []pgcat.OID) (Set, error) {
			values, err := pathQuery(e, a, pathOptions(a, zoned))
			if err != nil {
				return nil, e.Fail(err)
			}
			rows := newCollected(columns)
			for _, v := range values {
				if err := rows.add(e, v); err != nil {
					return nil, e.Fail(err)
				}
			}
			return rows.set(), nil
		}
	}
	return t
}

// parsePath reads a path, and charges what it makes of it.
func (e *Env) parsePath(text string) (*jsonpath.Path, *pgerr.Error) {
	if err := e.Charge(int64(len(text))); err != nil {
		return nil, err
	}
	// An item takes some two hundred bytes, for one of text at worst.
	if err := e.Alloc(int64(len(text)) * 200); err != nil {
		return nil, err
	}
	return jsonpath.Parse(text, e.pathRegex)
}

// pathRegex compiles a pattern of like_regex: PostgreSQL's expressions with XQuery's
// flags.
func (e *Env) pathRegex(r jsonpath.Regex) (func(string) (bool, *pgerr.Error), *pgerr.Error) {
	o := pgregex.Options{IgnoreCase: r.IgnoreCase, Literal: r.Literal}
	if !r.Literal {
		o.NoNewline, o.LineAnchors = !r.AnyMatchesNewline, r.Lines
	}
	if _, err := e.regex(r.Pattern, o); err != nil {
		return nil, err
	}
	return func(text string) (bool, *pgerr.Error) { return e.regexMatch(text, r.Pattern, o) }, nil
}

// pathOptions takes the variables and the silence from a call's arguments.
func pathOptions(args []vector.Datum, zoned bool) jsonpath.Options {
	return jsonpath.Options{Vars: args[2].Value.(*pgtype.JSONB), Silent: args[3].Value.(bool), Zoned: zoned}
}

// ready completes the options with what the statement has.
func (e *Env) ready(o jsonpath.Options) jsonpath.Options {
	o.Clock, o.Regex = e.moment(), e.pathRegex
	o.Charge = func(work, bytes int64) *pgerr.Error {
		if err := e.Charge(work); err != nil || bytes == 0 {
			return err
		}
		return e.Alloc(bytes)
	}
	return o
}

func pathQuery(e *Env, args []vector.Datum, o jsonpath.Options) ([]*pgtype.JSONB, *pgerr.Error) {
	return args[1].Value.(*jsonpath.Path).Query(args[0].Value.(*pgtype.JSONB), e.ready(o))
}

func pathExists(e *Env, args []vector.Datum, o jsonpath.Options) (any, *pgerr.Error) {
	exists, silenced, err := args[1].Value.(*jsonpath.Path).Exists(args[0].Value.(*pgtype.JSONB), e.ready(o))
	if err != nil || silenced {
		return nil, err
	}
	return exists, nil
}

// pathMatch gives the truth that the path finds: NULL for null and, in silence, for
// what is no truth.
func pathMatch(e *Env, args []vector.Datum, o jsonpath.Options) (any, *pgerr.Error) {
	values, err := pathQuery(e, args, o)
	if err != nil {
		return nil, err
	}
	if len(values) == 1 {
		switch values[0].Kind {
		case pgtype.JSONBool:
			return values[0].Bool, nil
		case pgtype.JSONNull:
			return nil, nil
		}
	}
	if o.Silent {
		return nil, nil
	}
	return nil, pgerr.New("22038", "single boolean result is expected")
}

func pathArray(e *Env, args []vector.Datum, o jsonpath.Options) (any, *pgerr.Error) {
	values, err := pathQuery(e, args, o)
	if err != nil {
		return nil, err
	}
	return pgtype.JSONBFromItems(values), nil
}

func pathFirst(e *Env, args []vector.Datum, o jsonpath.Options) (any, *pgerr.Error) {
	values, err := pathQuery(e, args, o)
	if err != nil || len(values) == 0 {
		return nil, err
	}
	return values[0], nil
}
