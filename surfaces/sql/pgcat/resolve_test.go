package pgcat

import (
	"strconv"
	"strings"
	"testing"
)

// parseCall reads f(integer, name => unknown, variadic text[]).
func parseCall(t *testing.T, text string) Call {
	t.Helper()
	name, rest, _ := strings.Cut(text, "(")
	call := Call{Name: name}
	for _, a := range strings.Split(strings.TrimSuffix(rest, ")"), ", ") {
		if a == "" {
			continue
		}
		if label, typeName, ok := strings.Cut(a, " => "); ok {
			call.Names, a = append(call.Names, label), typeName
		}
		if strings.HasPrefix(a, "variadic ") {
			call.Variadic, a = true, a[len("variadic "):]
		}
		call.Types = append(call.Types, typeDisplayed(t, a))
	}
	return call
}

func typeDisplayed(t *testing.T, display string) OID {
	t.Helper()
	for _, x := range Default().types {
		if x.Display == display {
			return x.OID
		}
	}
	t.Fatalf("no type %s", display)
	return 0
}

// The expected texts are a PostgreSQL 17 server's.
func TestResolveFunction(t *testing.T) {
	for _, c := range []struct{ call, want string }{
		{"make_interval(days => integer)", "interval"},
		{"make_interval(integer, hours => integer)", "interval"},
		{"make_interval(integer, years => integer)", "42883 function make_interval(integer, years => integer) does not exist"},
		{"make_interval(nope => integer)", "42883 function make_interval(nope => integer) does not exist"},
		{"concat(variadic integer[])", "text"},
		{"concat(variadic integer)", "42804 VARIADIC argument must be an array"},
		{"format(unknown, variadic text[])", "text"},
		{"abs(variadic integer[])", "42883 function abs(integer[]) does not exist"},
		{"jsonb_build_object(variadic text[])", "jsonb"},
		{"num_nonnulls(integer, unknown, numeric)", "integer"},
		{"json_extract_path(json, unknown, unknown)", "json"},
		{"json_extract_path(json, variadic text[])", "json"},
		{"json_extract_path(json)", "42883 function json_extract_path(json) does not exist"},
		{"array_append(integer[], numeric)", "numeric[]"},
		{"array_append(integer[], text)", "42883 function array_append(integer[], text) does not exist"},
		{"parse_ident(str => unknown, strict => unknown)", "text[]"},
		{"parse_ident(strict => unknown)", "42883 function parse_ident(strict => unknown) does not exist"},
		{"date(unknown)", "date"},
		{"text(integer)", "text"},
		{"int4(numeric)", "integer"},
		{"nope(integer, unknown, unknown)", "42883 function nope(integer, unknown, unknown) does not exist"},
		{"rank()", "42809 window function rank requires an OVER clause"},
		{"count()", "42809 count(*) must be used to call a parameterless aggregate function"},
	} {
		r, err := Default().ResolveFunction(parseCall(t, c.call))
		got := display(r.ResultType)
		if err != nil {
			got = string(err.SQLSTATE) + " " + err.Message
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.call, got, c.want)
		}
	}
}

func TestResolvedFunctionSaysHowToCall(t *testing.T) {
	c := Default()
	r, err := c.ResolveFunction(Call{Name: "make_interval", Types: []OID{Int4, Int4}, Names: []string{"mins", "hours"}})
	if err != nil || len(r.Numbers) != 2 || r.Numbers[0] != 5 || r.Numbers[1] != 4 || r.Defaults != 5 {
		t.Errorf("numbers %v, defaults %d, error %v", r.Numbers, r.Defaults, err)
	}
	r, err = c.ResolveFunction(Call{Name: "num_nulls", Types: []OID{Int4, Unknown, Text}})
	if err != nil || r.Expanded != 3 || r.ArgTypes[0] != Int4 {
		t.Errorf("expanded %d, arguments %v, error %v", r.Expanded, r.ArgTypes, err)
	}
	r, err = c.ResolveFunction(Call{Name: "varchar", Types: []OID{Int4}})
	if err != nil || r.Cast != Varchar {
		t.Errorf("a cast to %d, error %v", r.Cast, err)
	}
}

func TestOperatorErrors(t *testing.T) {
	c := Default()
	_, err := c.ResolveOperator("+", Text, Text)
	if err == nil || err.Message != "operator does not exist: text + text" || !strings.Contains(err.Hint, "types. You might need to add explicit type casts.") {
		t.Errorf("got %v", err)
	}
	_, err = c.ResolveOperator("-", Unknown)
	if err == nil || err.Message != "operator is not unique: - unknown" {
		t.Errorf("got %v", err)
	}
}

func TestReconcileTypes(t *testing.T) {
	c := Default()
	if got, err := c.ReconcileTypes("COALESCE", []OID{Int4, Unknown, Numeric}); err != nil || got != Numeric {
		t.Errorf("got %s, %v", strconv.Itoa(int(got)), err)
	}
	if _, err := c.ReconcileTypes("GREATEST", []OID{Int4, Text}); err == nil || err.Message != "GREATEST types integer and text cannot be matched" {
		t.Errorf("got %v", err)
	}
}

func TestOrdering(t *testing.T) {
	c := Default()
	if o := c.Ordering(JSON); o != (Ordering{}) {
		t.Errorf("json sorts by %v", o)
	}
	if o := c.Ordering(c.ArrayOf(JSON)); o.Less != 0 || o.Equal != 0 {
		t.Errorf("json[] sorts by %v", o)
	}
	if o := c.Ordering(Varchar); c.Operator(o.Less).Name != "<" {
		t.Errorf("varchar sorts by %v", o)
	}
}

func BenchmarkResolveOperator(b *testing.B) {
	c := Default()
	for b.Loop() {
		if _, err := c.ResolveOperator("+", Int4, Numeric); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for b.Loop() {
		if _, err := decode(packed); err != nil {
			b.Fatal(err)
		}
	}
}
