//go:build cgo

package analyze_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/analyze"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

type unsupported struct{ what string }

func (u unsupported) Error() string { return u.what }

func evalZZ(e *fn.Env, x query.Expr) (vector.Datum, error) {
	switch n := x.(type) {
	case *query.Const:
		return n.Datum, nil
	case *query.Relabel:
		d, err := evalZZ(e, n.Arg)
		d.Type = n.Type()
		return d, err
	case *query.Call:
		k, ok := fn.Lookup(n.Function.OID)
		if !ok {
			return vector.Datum{}, unsupported{"kernel " + n.Function.Name}
		}
		args := make([]*vector.Column, len(n.Args))
		null := false
		for i, a := range n.Args {
			d, err := evalZZ(e, a)
			if err != nil {
				return d, err
			}
			null = null || d.Null()
			args[i] = vector.Constant(d, 1)
		}
		if null && n.Function.Strict {
			return vector.Null(n.Type()), nil
		}
		out := vector.Make(n.Type(), 1)
		if err := k(e, args, []int32{0}, out); err != nil {
			return vector.Datum{}, err
		}
		return out.Datum(0), nil
	}
	return vector.Datum{}, unsupported{fmt.Sprintf("%T", x)}
}

func rowsZZ(e *fn.Env, n *query.Call) ([]string, error) {
	var args []vector.Datum
	for _, a := range n.Args {
		d, err := evalZZ(e, a)
		if err != nil {
			return nil, err
		}
		args = append(args, d)
	}
	k, ok := fn.SetReturning(n.Function.OID)
	if !ok {
		return nil, unsupported{"set " + n.Function.Name}
	}
	s, err := k(e, args, []pgcat.OID{n.Type()})
	if err != nil {
		return nil, err
	}
	var out []string
	for {
		b, err := s.Next(e)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return out, nil
		}
		for i := range b.N {
			out = append(out, textZZ(e, b.Columns[0].Datum(i)))
		}
	}
}

func textZZ(e *fn.Env, d vector.Datum) string {
	if d.Null() {
		return "NULL"
	}
	w, _ := fn.OutputOf(d.Type)
	b, _ := w(e, nil, d.Value)
	return string(b)
}

func TestZZPaths(t *testing.T) {
	var stmts []string
	b, _ := os.ReadFile("/tmp/PGDATE/jp.json")
	json.Unmarshal(b, &stmts)
	var ours []string
	for _, sql := range stmts {
		e := testEnv()
		e.Scratch = map[any]any{}
		res, err := analysed(sql, analyze.Options{Input: readWith(e)})
		if err != nil {
			pe := asError(err)
			ours = append(ours, "!"+string(pe.SQLSTATE)+" "+pe.Message+"|"+pe.Detail+"|"+pe.Hint)
			continue
		}
		var call query.Expr
		if len(res.Query.Relations) == 1 {
			r := fmt.Sprintf("%+v", res.Query.Relations[0].Kind)
			_ = r
			if len(res.Query.Relations[0].Functions) == 1 {
				call = res.Query.Relations[0].Functions[0].Call
			}
		} else if len(res.Query.Relations) == 0 && len(res.Query.Outputs()) == 1 {
			call = res.Query.Outputs()[0].Expr
		}
		c, ok := call.(*query.Call)
		if ok && c.Set {
			rows, err := rowsZZ(e, c)
			if err != nil {
				if pe := pgerr.From(err); pe != nil {
					ours = append(ours, "!"+string(pe.SQLSTATE)+" "+pe.Message+"|"+pe.Detail+"|"+pe.Hint)
				} else { ours = append(ours, "?"+err.Error()) }
				continue
			}
			ours = append(ours, strings.Join(rows, " ; "))
			continue
		}
		if call == nil {
			ours = append(ours, "?skip")
			continue
		}
		d, err := evalZZ(e, call)
		if err != nil {
			if pe := pgerr.From(err); pe != nil {
				ours = append(ours, "!"+string(pe.SQLSTATE)+" "+pe.Message+"|"+pe.Detail+"|"+pe.Hint)
			} else { ours = append(ours, "?"+err.Error()) }
			continue
		}
		ours = append(ours, textZZ(e, d))
	}
	b, _ = json.Marshal(ours)
	os.WriteFile("/tmp/PGDATE/jp_ours.json", b, 0o644)
}
