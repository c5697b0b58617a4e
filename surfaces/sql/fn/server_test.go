package fn

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// The server that is asked is PostgreSQL 17 as the npm package
// @electric-sql/pglite@0.3.16 builds it, under node.
var (
	serverDir = flag.String("server", os.Getenv("POLYGLOVE_PGLITE"), "folder in whose node_modules @electric-sql/pglite is installed")
	record    = flag.Bool("record", false, "ask the server every call and write its answers into testdata")
	only      = flag.String("only", "", "only the functions whose signature begins so")
)

// call is one call of a function with arguments as literals; nil is NULL.
type call struct {
	Signature string
	Types     []string
	Args      []*string
	Answer    string
}

// sql writes the call as the server is asked it. set collects the rows.
func (c call) sql(f *pgcat.Function) string {
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		literal := "NULL"
		if a != nil {
			literal = "'" + strings.ReplaceAll(*a, "'", "''") + "'"
		}
		// Quoted, so that bit and bpchar are of any length.
		args[i] = fmt.Sprintf("%s::pg_catalog.%q", literal, c.Types[i])
		if f.Variadic != 0 && f.Variadic != pgcat.Any && i == len(c.Args)-1 {
			args[i] = "VARIADIC " + args[i]
		}
	}
	callText := fmt.Sprintf("pg_catalog.%q(%s)", f.Name, strings.Join(args, ", "))
	switch {
	case f.Kind == pgcat.Aggregate:
		return "" // see aggregate_test.go
	case f.ReturnsSet:
		return fmt.Sprintf("select array(select t::text from %s t)::text", callText)
	}
	return "select (" + callText + ")::text"
}

func testEnv(t testing.TB) *Env {
	t.Helper()
	limits := sandbox.DefaultLimits()
	limits.Fuel, limits.Memory = 1<<40, 4<<30
	m, err := sandbox.NewMeter(context.Background(), limits)
	if err != nil {
		t.Fatal(err)
	}
	return &Env{
		Meter: m, Now: time.Date(2024, 5, 6, 7, 8, 9, 123456000, time.UTC), Clock: time.Now,
		Random: rand.New(rand.NewPCG(1, 2)).Float64, Scratch: map[any]any{},
	}
}

// ours computes a call. The error is of the form of the server's answers.
func (c call) ours(e *Env, f *pgcat.Function) (answer string) {
	answer, err := c.compute(e, f)
	if err == nil {
		return answer
	}
	p := pgerr.From(err)
	if p == nil {
		return "!fault " + err.Error()
	}
	return "!" + string(p.SQLSTATE) + " " + p.Message + "|" + p.Detail + "|" + p.Hint
}

// orNil turns a typed nil into none.
func orNil(err *pgerr.Error) error {
	if err == nil {
		return nil
	}
	return err
}

func (c call) compute(e *Env, f *pgcat.Function) (string, error) {
	types, result, err := c.types(f)
	if err != nil {
		return "", err
	}
	args := make([]*vector.Column, len(c.Args))
	given := make([]vector.Datum, len(c.Args))
	null := false
	for i, a := range c.Args {
		given[i] = vector.Null(types[i])
		if a != nil {
			read, ok := InputOf(types[i])
			if !ok {
				return "", noInput(types[i])
			}
			v, err := read(e, *a, -1)
			if err != nil {
				return "", err
			}
			given[i].Value = v
		}
		null = null || a == nil
		args[i] = vector.Constant(given[i], 1)
	}
	if f.ReturnsSet {
		return c.computeSet(e, f, given, null, result)
	}
	if null && f.Strict {
		return "NULL", nil
	}
	k, ok := Lookup(f.OID)
	if !ok {
		return "", pgerr.New(pgerr.FeatureNotSupported, "no kernel")
	}
	out := vector.Make(result, 1)
	if err := k(e, args, []int32{0}, out); err != nil {
		return "", err
	}
	d := out.Datum(0)
	if d.Null() {
		return "NULL", nil
	}
	text, perr := e.castText(d)
	return text, orNil(perr)
}

// types gives the actual types of the arguments and the result.
func (c call) types(f *pgcat.Function) ([]pgcat.OID, pgcat.OID, error) {
	given := make([]pgcat.OID, len(c.Types))
	declared := slices.Clone(f.Args)
	for i, name := range c.Types {
		t := pgcat.Default().TypeNamed(name)
		if t == nil {
			return nil, 0, fmt.Errorf("no type %s", name)
		}
		given[i] = t.OID
		if i >= len(declared) {
			declared = append(declared, pgcat.Any)
		}
	}
	_, result, err := pgcat.Default().Concrete(given, declared, f.Result)
	return given, result, orNil(err)
}

// pool holds interesting values by type.
func poolOf(t string) []*string {
	values, ok := pools[t]
	if !ok {
		return nil
	}
	out := []*string{nil}
	for _, v := range values {
		out = append(out, &v)
	}
	return out
}

// standIns are what polymorphic types are tried with.
var standIns = map[pgcat.OID][]string{
	pgcat.AnyElement:            {"int4", "text", "numeric", "jsonb", "bool", "float8"},
	pgcat.AnyNonArray:           {"int4", "text", "bool", "numeric", "bpchar"},
	pgcat.AnyArray:              {"_int4", "_text"},
	pgcat.AnyCompatible:         {"int4", "text"},
	pgcat.AnyCompatibleArray:    {"_int4", "_text"},
	pgcat.AnyCompatibleNonArray: {"int4", "text"},
	pgcat.AnyRange:              {"int4range", "numrange"},
	pgcat.AnyMultirange:         {"int4multirange"},
}

const callsPerShape = 40

// calls makes the calls that a function is compared on.
func calls(f *pgcat.Function, signature string) []call {
	var out []call
	if f.Name == "generate_series" {
		return seriesCalls(f, signature)
	}
	h := fnv.New64a()
	h.Write([]byte(signature))
	random := rand.New(rand.NewPCG(h.Sum64(), 7))
	for _, types := range shapes(f) {
		out = append(out, callsOf(random, signature, types)...)
	}
	return out
}

func callsOf(random *rand.Rand, signature string, types []string) []call {
	choices := make([][]*string, len(types))
	product := 1
	for i, t := range types {
		if choices[i] = poolOf(t); choices[i] == nil {
			return nil
		}
		product = min(product*len(choices[i]), 1<<30)
	}
	var out []call
	seen := map[int]bool{}
	for n := range min(product, callsPerShape) {
		at := n
		if product > callsPerShape {
			for at = random.IntN(product); seen[at]; at = random.IntN(product) {
			}
			seen[at] = true
		}
		c := call{Signature: signature, Types: types, Args: make([]*string, len(types))}
		for i := range types {
			c.Args[i] = choices[i][at%len(choices[i])]
			at /= len(choices[i])
		}
		out = append(out, c)
	}
	return out
}

// shapes gives the combinations of types that a function is called with.
func shapes(f *pgcat.Function) [][]string {
	c := pgcat.Default()
	out := [][]string{{}}
	for i, a := range f.Args {
		var names []string
		switch {
		case a == pgcat.Any && f.Variadic == pgcat.Any && i == len(f.Args)-1:
			return variadicShapes(out)
		case a == pgcat.Any:
			names = []string{"int4", "text"}
		case a.Polymorphic():
			names = standIns[a]
		default:
			names = []string{c.Type(a).Name}
		}
		var next [][]string
		for _, head := range out {
			for _, n := range names {
				next = append(next, append(slices.Clone(head), n))
			}
		}
		out = next
	}
	return slices.DeleteFunc(out, func(types []string) bool { return !agrees(f, types) })
}

// agrees keeps the combinations in which the polymorphic types fit together.
func agrees(f *pgcat.Function, types []string) bool {
	given := make([]pgcat.OID, len(types))
	for i, t := range types {
		given[i] = pgcat.Default().TypeNamed(t).OID
	}
	concrete, _, err := pgcat.Default().Concrete(given, f.Args, f.Result)
	return err == nil && slices.Equal(concrete, given)
}

func variadicShapes(heads [][]string) [][]string {
	var out [][]string
	for _, head := range heads {
		for _, tail := range [][]string{{"int4"}, {"text"}, {"text", "int4"}, {"text", "bool", "text", "numeric"}, {"text", "_int4"}, {"jsonb", "text"}, {"text", "jsonb"}} {
			out = append(out, append(slices.Clone(head), tail...))
		}
	}
	return out
}

// unsteady are functions whose answers are not the same from call to call.
var unsteady = []string{
	"random", "gen_random_uuid", "clock_timestamp", "timeofday", "now", "statement_timestamp", "transaction_timestamp",
	"random_normal", "getpgusername", "pg_backend_pid", "pg_client_encoding", "convert_from", "convert_to", "json_to_record", "json_to_recordset", "jsonb_to_record", "jsonb_to_recordset", "age(timestamp)", "age(timestamptz)", "array_shuffle", "array_sample", "setseed", "version", "current_database", "current_user", "session_user",
}

// signed gives all functions that can be computed, by signature.
func signed() map[string]*pgcat.Function {
	out := map[string]*pgcat.Function{}
	for f := range pgcat.Default().Functions() {
		_, kernel := Lookup(f.OID)
		_, set := SetReturning(f.OID)
		if (kernel || set) && !slices.Contains(unsteady, f.Name) && !slices.Contains(unsteady, signature(pgcat.Default(), f)) {
			out[signature(pgcat.Default(), f)] = f
		}
	}
	return out
}

// TestFunctionsAgreeWithTheServer compares every function on the recorded calls,
// or, with a server, on calls put to it now.
func TestFunctionsAgreeWithTheServer(t *testing.T) {
	functions := signed()
	recorded := map[string][]call{}
	if !*record {
		recorded = readAnswers(t, "testdata/functions.jsonl.gz")
	}
	names := make([]string, 0, len(functions))
	for s := range functions {
		if strings.HasPrefix(s, *only) {
			names = append(names, s)
		}
	}
	slices.Sort(names)
	if *record {
		recorded = askCalls(t, names, functions)
	}
	total, wrong, unasked := 0, 0, 0
	shown := map[string]int{}
	for _, s := range names {
		f := functions[s]
		e := testEnv(t)
		if len(recorded[s]) == 0 && len(calls(f, s)) > 0 {
			unasked++
			t.Logf("no recorded answers for %s", s)
		}
		for _, c := range recorded[s] {
			total++
			got := c.ours(e, f)
			if got == c.Answer || excused(s, got, c.Answer) {
				continue
			}
			wrong++
			if shown[s]++; shown[s] <= 3 && len(shown) <= 60 {
				t.Errorf("%s: got %.300q, the server says %.300q", c.sql(f), got, c.Answer)
			}
		}
	}
	t.Logf("%d functions, %d of %d calls agree", len(names), total-wrong, total)
	if unasked > len(names)/20 {
		t.Errorf("%d functions have no recorded answers", unasked)
	}
	if *record && *only == "" {
		writeAnswers(t, "testdata/functions.jsonl.gz", names, recorded)
	}
}

func readAnswers(t *testing.T, file string) map[string][]call {
	t.Helper()
	out := map[string][]call{}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(z)
	for lines.More() {
		var c call
		row := []any{&c.Signature, &c.Types, &c.Args, &c.Answer}
		if err := lines.Decode(&row); err != nil {
			t.Fatal(err)
		}
		out[c.Signature] = append(out[c.Signature], c)
	}
	return out
}

func writeAnswers(t *testing.T, file string, names []string, all map[string][]call) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	for _, s := range names {
		for _, c := range all[s] {
			if err := enc.Encode([]any{c.Signature, c.Types, c.Args, c.Answer}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// askCalls puts the calls of all functions to the server.
func askCalls(t *testing.T, names []string, functions map[string]*pgcat.Function) map[string][]call {
	s := startServer(t)
	out := map[string][]call{}
	for _, name := range names {
		all := calls(functions[name], name)
		statements := make([]string, len(all))
		for i, c := range all {
			statements[i] = c.sql(functions[name])
		}
		for i, answer := range s.ask(t, statements) {
			all[i].Answer = answer
		}
		out[name] = all
	}
	return out
}

// server is a running one.
type server struct {
	in  io.WriteCloser
	out *bufio.Scanner
}

// startServer skips the test when there is no server.
func startServer(t *testing.T) *server {
	t.Helper()
	if *serverDir == "" {
		t.Skip("no server: set POLYGLOVE_PGLITE")
	}
	script, err := os.ReadFile("../pgtype/testdata/ask.mjs")
	if err != nil {
		t.Fatal(err)
	}
	// Modules are found from where the script stands.
	path := filepath.Join(*serverDir, fmt.Sprintf("ask-%d.mjs", os.Getpid()))
	if err := os.WriteFile(path, script, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", path)
	cmd.Dir, cmd.Stderr = *serverDir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
		os.Remove(path)
	})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 256<<20)
	return &server{in, lines}
}

// ask gives the answers to statements.
func (s *server) ask(t *testing.T, statements []string) []string {
	t.Helper()
	var all []string
	for len(statements) > 0 {
		n := min(len(statements), 500)
		asked := make([][2]string, n)
		for i, q := range statements[:n] {
			asked[i] = [2]string{"UTC", q}
		}
		line, err := json.Marshal(asked)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.in.Write(append(line, '\n')); err != nil {
			t.Fatal(err)
		}
		if !s.out.Scan() {
			t.Fatalf("the server is gone: %v", s.out.Err())
		}
		var answers []string
		if err := json.Unmarshal(s.out.Bytes(), &answers); err != nil {
			t.Fatal(err)
		}
		all = append(all, answers...)
		statements = statements[n:]
	}
	return all
}
