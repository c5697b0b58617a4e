package lisp

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// name is the language's short name.
const name = "lisp"

// lastValue is the name of the value of the last program.
const lastValue = "*1"

// Language is the Lisp surface.
func Language() surfaces.Language { return language{} }

type language struct{}

func (language) Name() string  { return name }
func (language) Title() string { return "Lisp" }

// Open starts a session.
func (language) Open(ws *surfaces.Workspace) (surfaces.Session, error) {
	s, err := open(ws)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// CallForm writes a call as a program spells it.
func (language) CallForm(function string, args *value.Object) string {
	return callText(spelled(function), args)
}

// spelled is how programs call a function: qualified where its name has a server.
func spelled(function string) string {
	if before, after, ok := strings.Cut(function, "__"); ok && before != "" && after != "" {
		return before + "/" + after
	}
	return function
}

// Signatures is how the language spells signatures and types in discovery.
func (language) Signatures() toolfn.Style { return signatures() }

func signatures() toolfn.Style {
	s := toolfn.Neutral
	s.Name = func(f *toolfn.ToolFn) string { return spelled(f.Name) }
	s.Call = [2]string{" ", ""}
	s.Args = [2]string{"{", "}"}
	s.Pair, s.Assign = " ", " "
	s.Key = func(k string) string { return ":" + k }
	s.Value = func(v value.Value) string { return literal(v, 200) }
	s.Form = func(f *toolfn.ToolFn, args *value.Object) string { return callText(spelled(f.Name), args) }
	s.Describe = `(describe "%s")`
	return s
}

// Style spells how a program reads on where a result was cut.
func (language) Style() elide.Style { return style() }

func style() elide.Style {
	return elide.Style{ReadOn: readOn, Hint: "count it, (take n …) of it, or keep it with def"}
}

// longestPath bounds the expression that reads on, in bytes.
const longestPath = 120

func readOn(path []elide.Step, from, to int) string {
	list := lastValue
	if len(path) > 0 {
		var b strings.Builder
		b.WriteString("(get-in " + lastValue + " [")
		for i, s := range path {
			if i > 0 {
				b.WriteByte(' ')
			}
			if s.IsIndex {
				fmt.Fprint(&b, s.Index)
			} else {
				b.WriteString(keyText(s.Key))
			}
		}
		b.WriteString("])")
		list = b.String()
	}
	if len(list) > longestPath {
		return ""
	}
	return fmt.Sprintf("(take %d (drop %d %s))", to-from, from, list)
}

// Card describes the language as implemented. The examples in it are run by a
// test.
func (language) Card() []string { return append([]string(nil), card...) }

var card = []string{
	"Clojure's core: let, fn, #(…), defn, if, when, cond, case, ->, ->>, for, doseq, loop/recur, try/catch, destructuring; map, filter, reduce, group-by, sort-by, frequencies and the rest of the sequence library; str/…, set/…, walk/….",
	"The value of the last form is the result. def and defn stay for the next program; *1 is the value of the last one.",
	"Call a function with one map, as in {call}. Rows are maps with keyword keys: (:state row).",
	"Sequences are lazy; endless ones need a bound: (take 10 (iterate inc 0)).",
	"Integers are exact, ratios too: (/ 7 2) is 7/2, (double 7/2) is 3.5.",
	"A failed call throws: (try … (catch Exception e (ex-message e))).",
	"Not here: Java interop, macros, eval, files, threads, require of other libraries.",
}
