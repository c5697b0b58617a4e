package surfaces_test

import (
	"strings"
	"testing"

	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/surfaces/lisp"
	"github.com/polyglove/polyglove/surfaces/python"
	"github.com/polyglove/polyglove/toolfn"
)

// speaker is a language with the programs of TestLanguagesReadEachOther.
type speaker struct {
	language surfaces.Language
	data     string // defines NAME as [{"n": 1, "t": "a"}, {"n": 2, "t": "b"}]
	function string // defines the function NAME
	sum      string // adds up the n of NAME
	read     string // reads NAME
	still    bool   // nothing can be changed in place, so that nothing need be said
	more     string // adds {"n": 40, "t": "c"} to the end of NAME, for later programs to see
}

func speakers() []speaker {
	return []speaker{
		{js.Language(), `const NAME = [{ n: 1, t: "a" }, { n: 2, t: "b" }]`, `function NAME(x) { return x }`, `NAME.map(r => r.n).reduce((a, b) => a + b)`, `NAME`, false, `NAME.push({ n: 40, t: "c" })`},
		{python.Language(), `NAME = [{"n": 1, "t": "a"}, {"n": 2, "t": "b"}]`, "def NAME(x):\n    return x", `sum(r["n"] for r in NAME)`, `NAME`, false, `NAME.append({"n": 40, "t": "c"})`},
		{lisp.Language(), `(def NAME [{:n 1 :t "a"} {:n 2 :t "b"}])`, `(defn NAME [x] x)`, `(reduce + (map :n NAME))`, `NAME`, true, `(def NAME (conj NAME {:n 40 :t "c"}))`},
	}
}

// Each language reads what each other has defined, as it is now, by its own means;
// functions are refused by name; and a workspace that is opened again has read the
// same.
func TestLanguagesReadEachOther(t *testing.T) {
	for _, from := range speakers() {
		if _, ok := from.language.(surfaces.Sharer); !ok {
			t.Errorf("%s does not say that it shares", from.language.Title())
		}
		for _, to := range speakers() {
			if from.language.Name() == to.language.Name() {
				continue
			}
			t.Run(from.language.Name()+" to "+to.language.Name(), func(t *testing.T) {
				backend := store.NewMemory()
				var ws *surfaces.Workspace
				open := func() (end func()) {
					s, err := store.New(backend)
					if err != nil {
						t.Fatal(err)
					}
					j, err := s.Open(t.Context(), "w", "")
					if err != nil {
						t.Fatal(err)
					}
					if ws, err = surfaces.NewWorkspace(toolfn.NewCatalog(), surfaces.WithJournal(j)); err != nil {
						t.Fatal(err)
					}
					r, err := ws.Resume(t.Context(), from.language, to.language)
					if err != nil || len(r.Lost) > 0 {
						t.Fatal(err, r)
					}
					return func() { ws.Close(); _ = s.Close() }
				}
				run := func(l surfaces.Language, program, name string) string {
					t.Helper()
					s, err := ws.Open(l)
					if err != nil {
						t.Fatal(err)
					}
					res := s.Execute(t.Context(), strings.ReplaceAll(program, "NAME", name))
					return surfaces.NewRenderer(16<<10, l.Style(), false).Text(res)
				}
				wantFirst := func(got, want string) {
					t.Helper()
					if line, _, _ := strings.Cut(got, "\n"); line != want {
						t.Errorf("got %s, want %s", got, want)
					}
				}
				end := open()
				run(from.language, from.data, "rows")
				got := run(to.language, to.sum, "rows")
				wantFirst(got, "3")
				if told := strings.Contains(got, "copy of what "+from.language.Title()+" defined"); told == to.still {
					t.Errorf("of the copy is told: %t, in %s", told, got)
				}
				run(from.language, from.more, "rows")
				wantFirst(run(to.language, to.sum, "rows"), "43")
				run(from.language, from.function, "double_it")
				if got := run(to.language, to.read, "double_it"); !strings.Contains(got, "double_it is a function of "+from.language.Title()) {
					t.Errorf("a function: %s", got)
				}
				run(to.language, to.data, "rows")
				wantFirst(run(to.language, to.sum, "rows"), "3")
				wantFirst(run(from.language, from.sum, "rows"), "43")
				for range 2 {
					end()
					end = open()
					wantFirst(run(from.language, from.sum, "rows"), "43")
					wantFirst(run(to.language, to.sum, "rows"), "3")
				}
				end()
			})
		}
	}
}
