package fn

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// gathering is one call of an aggregate over rows of literals; nil is NULL.
type gathering struct {
	Signature string
	Types     []string // of all arguments, the direct ones first
	Direct    []*string
	Rows      [][]*string
	Answer    string
}

func literalOf(t string, v *string) string {
	literal := "NULL"
	if v != nil {
		literal = "'" + strings.ReplaceAll(*v, "'", "''") + "'"
	}
	return fmt.Sprintf("%s::pg_catalog.%q", literal, t)
}

func (g gathering) sql(f *pgcat.Function) string {
	types := g.Types[len(g.Direct):]
	var rows, columns, direct []string
	for i := range types {
		columns = append(columns, fmt.Sprintf("c%d", i))
	}
	for i, d := range g.Direct {
		direct = append(direct, literalOf(g.Types[i], d))
	}
	values := g.Rows
	where := ""
	if len(values) == 0 {
		values, where = [][]*string{make([]*string, len(types))}, " where false"
	}
	for _, r := range values {
		cells := make([]string, len(r))
		for i, v := range r {
			cells[i] = literalOf(types[i], v)
		}
		rows = append(rows, "("+strings.Join(cells, ", ")+")")
	}
	args := strings.Join(columns, ", ")
	call := fmt.Sprintf("pg_catalog.%q(%s)", f.Name, args)
	if kind := pgcat.Default().Aggregate(f.OID).Kind; kind != 'n' {
		call = fmt.Sprintf("pg_catalog.%q(%s) within group (order by %s)", f.Name, strings.Join(direct, ", "), args)
	}
	return fmt.Sprintf("select (%s)::text from (values %s) v(%s)%s", call, strings.Join(rows, ", "), strings.Join(columns, ", "), where)
}

func (g gathering) ours(e *Env, f *pgcat.Function) string {
	answer, err := g.compute(e, f)
	if err == nil {
		return answer
	}
	if p := pgerr.From(err); p != nil {
		return "!" + string(p.SQLSTATE) + " " + p.Message + "|" + p.Detail + "|" + p.Hint
	}
	return "!fault " + err.Error()
}

func (g gathering) compute(e *Env, f *pgcat.Function) (string, error) {
	given, err := g.columns(e)
	if err != nil {
		return "", err
	}
	declared := slices.Clone(f.Args)
	if n := len(g.Direct); n > 0 && pgcat.Default().Aggregate(f.OID).Kind == 'h' {
		declared = make([]pgcat.OID, len(g.Types))
		for i := range declared {
			declared[i] = pgcat.Any
		}
	}
	types := make([]pgcat.OID, len(g.Types))
	for i, t := range g.Types {
		types[i] = pgcat.Default().TypeNamed(t).OID
	}
	_, result, perr := pgcat.Default().Concrete(types, declared, f.Result)
	if perr != nil {
		return "", perr
	}
	spec := AggregateSpec{Function: f, Args: types[len(g.Direct):], Result: result, Orders: make([]Order, len(types)-len(g.Direct))}
	for i, d := range g.Direct {
		v := vector.Null(types[i])
		if d != nil {
			read, _ := InputOf(types[i])
			value, perr := read(e, *d, -1)
			if perr != nil {
				return "", perr
			}
			v.Value = value
		}
		spec.Direct = append(spec.Direct, v)
	}
	create, ok := Aggregate(f.OID)
	if !ok {
		return "", pgerr.New(pgerr.FeatureNotSupported, "no kernel")
	}
	a, err := create(e, spec)
	if err != nil {
		return "", err
	}
	if err := a.Grow(e, 1); err != nil {
		return "", err
	}
	rows := g.order(f, given)
	// Row by row, so that the state is carried from call to call.
	for _, r := range rows {
		if err := a.Add(e, []int32{0}, given, []int32{r}); err != nil {
			return "", err
		}
	}
	out := vector.Make(result, 1)
	if err := a.Result(e, 0, 1, out); err != nil {
		return "", err
	}
	if out.Null(0) {
		return "NULL", nil
	}
	text, perr := e.castText(out.Datum(0))
	return text, orNil(perr)
}

// strictTransitions are those whose rows with NULLs the executor takes away.
func (g gathering) order(f *pgcat.Function, given []*vector.Column) []int32 {
	var rows []int32
	kind := pgcat.Default().Aggregate(f.OID).Kind
	strict := kind == 'o'
	for _, t := range pgcat.Default().FunctionsNamed(pgcat.Default().Aggregate(f.OID).Transition) {
		strict = strict || t.Strict
	}
	for i := range g.Rows {
		null := false
		for _, c := range given {
			null = null || c.Null(i)
		}
		if !null || !strict {
			rows = append(rows, int32(i))
		}
	}
	if kind == 'n' {
		return rows
	}
	slices.SortStableFunc(rows, func(a, b int32) int {
		for _, c := range given {
			if d := vector.Compare(c, int(a), c, int(b)); d != 0 {
				return d
			}
		}
		return 0
	})
	return rows
}

func (g gathering) columns(e *Env) ([]*vector.Column, error) {
	var out []*vector.Column
	for i, name := range g.Types[len(g.Direct):] {
		t := pgcat.Default().TypeNamed(name).OID
		read, ok := InputOf(t)
		if !ok {
			return nil, noInput(t)
		}
		c := vector.Make(t, len(g.Rows))
		for r, row := range g.Rows {
			if row[i] == nil {
				c.SetNull(r)
				continue
			}
			v, err := read(e, *row[i], -1)
			if err != nil {
				return nil, err
			}
			c.Set(r, vector.Datum{Type: t, Value: v})
		}
		out = append(out, c)
	}
	return out, nil
}

// shapesOfAggregate gives the types of the arguments it is called with.
func shapesOfAggregate(f *pgcat.Function) (all [][]string, direct int) {
	facts := pgcat.Default().Aggregate(f.OID)
	if facts.Kind == 'h' {
		return [][]string{{"int4", "int4"}, {"text", "text"}, {"numeric", "float8", "numeric", "float8"}}, -1
	}
	return shapes(f), facts.Direct
}

func gatherings(f *pgcat.Function, signature string) []gathering {
	h := fnv.New64a()
	h.Write([]byte(signature))
	random := rand.New(rand.NewPCG(h.Sum64(), 11))
	all, direct := shapesOfAggregate(f)
	var out []gathering
	for _, types := range all {
		n := direct
		if n < 0 {
			n = len(types) / 2
		}
		for k := range 14 {
			g := gathering{Signature: signature, Types: types, Rows: [][]*string{}}
			pick := func(t string) *string {
				p := poolOf(t)
				if len(p) == 0 {
					return nil
				}
				if t == "float8" && k < 7 {
					p = p[:12] // the plain ones alone, so that sums stay finite
				}
				return p[random.IntN(len(p))]
			}
			for _, t := range types[:n] {
				g.Direct = append(g.Direct, pick(t))
			}
			width := len(types) - n
			for range min(k, 9) {
				row := make([]*string, width)
				for i := range row {
					row[i] = pick(types[n+i])
				}
				g.Rows = append(g.Rows, row)
			}
			out = append(out, g)
		}
	}
	return out
}

func signedAggregates() map[string]*pgcat.Function {
	out := map[string]*pgcat.Function{}
	for f := range pgcat.Default().Functions() {
		if _, ok := Aggregate(f.OID); ok && len(f.Args) > 0 && readable(f) {
			out[signature(pgcat.Default(), f)] = f
		}
	}
	return out
}

// TestAggregatesAgreeWithTheServer compares every aggregate on recorded rows, or,
// with a server, on rows put to it now.
func TestAggregatesAgreeWithTheServer(t *testing.T) {
	const file = "testdata/aggregates.jsonl.gz"
	functions := signedAggregates()
	var names []string
	for s := range functions {
		if strings.HasPrefix(s, *only) {
			names = append(names, s)
		}
	}
	slices.Sort(names)
	recorded := map[string][]gathering{}
	if *record {
		s := startServer(t)
		for _, name := range names {
			all := gatherings(functions[name], name)
			statements := make([]string, len(all))
			for i, g := range all {
				statements[i] = g.sql(functions[name])
			}
			for i, answer := range s.ask(t, statements) {
				all[i].Answer = answer
			}
			recorded[name] = all
		}
	} else {
		recorded = readGatherings(t, file)
	}
	total, wrong := 0, 0
	for _, name := range names {
		if len(recorded[name]) == 0 {
			t.Errorf("no recorded answers for %s", name)
		}
		e := testEnv(t)
		shown := 0
		for _, g := range recorded[name] {
			total++
			got := g.ours(e, functions[name])
			if got == g.Answer || excused(name, got, g.Answer) {
				continue
			}
			wrong++
			if shown++; shown <= 3 {
				t.Errorf("%s: got %.300q, the server says %.300q", g.sql(functions[name]), got, g.Answer)
			}
		}
	}
	t.Logf("%d aggregates, %d of %d calls agree", len(names), total-wrong, total)
	if *record && *only == "" {
		writeGatherings(t, file, names, recorded)
	}
}

func readGatherings(t *testing.T, file string) map[string][]gathering {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]gathering{}
	lines := json.NewDecoder(z)
	for lines.More() {
		var g gathering
		if err := lines.Decode(&g); err != nil {
			t.Fatal(err)
		}
		out[g.Signature] = append(out[g.Signature], g)
	}
	return out
}

func writeGatherings(t *testing.T, file string, names []string, all map[string][]gathering) {
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
		for _, g := range all[s] {
			if err := enc.Encode(g); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// readable reports whether values of all argument types can be read from text.
func readable(f *pgcat.Function) bool {
	return !slices.ContainsFunc(f.Args, func(t pgcat.OID) bool {
		_, ok := InputOf(t)
		return !ok && !t.Polymorphic() && t != pgcat.Any
	})
}
