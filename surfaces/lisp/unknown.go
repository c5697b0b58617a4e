package lisp

import (
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/compile"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/library"
)

// advice is what to do instead of what Clojure has and the surface has not.
var advice = map[string]string{
	"eval": "Write the form itself.", "load-string": "Write the form itself.", "defmacro": "Write a function with defn.",
	"macroexpand": "There are no macros here.", "defprotocol": "Write a function that looks at the data: (case (:kind x) …).",
	"defrecord": "Use plain maps.", "deftype": "Use plain maps.", "reify": "Use a function or a map of functions.",
	"extend-protocol": "Write a function with cond or case.", "extend-type": "Write a function with cond or case.", "satisfies?": "Look at the data itself.",
	"defmulti": "Write a function with case or a map of functions.", "defmethod": "Write a function with case or a map of functions.",
	"proxy": "Use a function.", "gen-class": "Use functions.", "import": "There are no Java classes here.", "new": "There are no Java classes here.",
	"future": "Make the calls one after the other.", "pmap": "Use map.", "pcalls": "Make the calls one after the other.", "promise": "Keep the value with let or def.",
	"deliver": "Keep the value with let or def.", "agent": "Use an atom.", "send": "Use an atom with swap!.", "ref": "Use an atom.", "dosync": "Use an atom with swap!.",
	"alter": "Use swap! on an atom.", "locking": "Programs run alone.", "thread": "Programs run alone.", "binding": "Pass the value as an argument.",
	"with-redefs": "Pass the function as an argument.", "slurp": "There are no files here; call a function of the catalogue.", "spit": "There are no files here; call a function of the catalogue.",
	"with-open": "There are no files here.", "read-line": "There is no input here.", "System/exit": "End the program by its last form.",
	"set!": "Use an atom with reset!.", "alter-var-root": "Use def again.", "in-ns": "There is one namespace.", "refer": "The library is there already.",
	"transient": "Collections are fast as they are: use into or reduce with conj.", "persistent!": "Collections are fast as they are.",
	"conj!": "Use conj.", "assoc!": "Use assoc.", "into-array": "Use vec.", "to-array": "Use vec.", "make-array": "Use (vec (repeat n x)).", "aget": "Use nth.", "aset": "Use assoc.",
	"bigdec": "Use a ratio, or bigint.", "with-precision": "Use ratios.", "time": "Leave it out.", "with-out-str": "Use str or pr-str.",
	"inst-ms": "Times are texts here.", "random-uuid": "There is no chance but rand: number the items instead.", "uuid": "There is no chance but rand.",
	"clojure.pprint/pprint": "The result is shown anyway; use prn to print.", "pprint": "The result is shown anyway; use prn to print.",
	"clojure.string/format": "Use format.",
}

// mostShownName bounds a name in a message, in bytes.
const mostShownName = 60

// unknown is the fault of a name that nothing defines.
func (s *session) unknown(n string, called bool, locals []string) *sandbox.Fault {
	shown := sandbox.Clip(n, mostShownName)
	f := &sandbox.Fault{Kind: sandbox.KindName, Name: "NameError", Message: "Unable to resolve symbol: " + shown + " in this context"}
	switch {
	case advice[n] != "":
		f.Kind, f.Message, f.Hint = sandbox.KindRejected, shown+" is not available here.", advice[n]
	case strings.HasPrefix(n, ".") && len(n) > 1:
		f.Kind, f.Message, f.Hint = sandbox.KindRejected, "there are no Java methods here, so "+shown+" cannot be called.", javaAdvice(n[1:])
	case strings.HasSuffix(n, ".") && len(n) > 1:
		f.Kind, f.Message, f.Hint = sandbox.KindRejected, "there are no Java classes here, so "+shown+" cannot make one.", exceptionAdvice(n)
	case javaStatic(n):
		f.Kind, f.Message, f.Hint = sandbox.KindRejected, "there are no Java classes here, so "+shown+" is not available.", javaAdvice(n[strings.LastIndexByte(n, '/')+1:])
	case s.isMountedTool(n):
		f.Hint = "You are already inside it: write the program itself."
	default:
		f.Hint = s.suggestion(n, called, locals)
	}
	return f
}

func (s *session) isMountedTool(n string) bool {
	return strings.HasPrefix(n, "execute_") || strings.HasPrefix(n, "explain_")
}

// javaStatic reports a name such as Math/foo or java.util.UUID.
func javaStatic(n string) bool {
	space, _, ok := strings.Cut(n, "/")
	if !ok {
		space = n
	}
	short := space[strings.LastIndexByte(space, '.')+1:]
	return short != "" && short[0] >= 'A' && short[0] <= 'Z' && (ok || strings.Contains(space, "."))
}

// javaMethods tells the function that does what a method of Java does.
var javaMethods = map[string]string{
	"toUpperCase": "(str/upper-case s)", "toLowerCase": "(str/lower-case s)", "trim": "(str/trim s)", "split": "(str/split s #\"…\")",
	"replace": "(str/replace s a b)", "replaceAll": "(str/replace s #\"…\" b)", "contains": "(str/includes? s x)", "startsWith": "(str/starts-with? s x)",
	"endsWith": "(str/ends-with? s x)", "indexOf": "(str/index-of s x)", "lastIndexOf": "(str/last-index-of s x)", "length": "(count s)", "substring": "(subs s a b)",
	"charAt": "(nth s i)", "isEmpty": "(empty? s)", "equals": "(= a b)", "hashCode": "(hash x)", "toString": "(str x)", "size": "(count coll)", "get": "(get m k)",
	"getMessage": "(ex-message e)", "getCause": "(ex-cause e)", "getName": "(name x)", "getClass": "(class x)", "parseInt": "(parse-long s)", "parseLong": "(parse-long s)",
	"parseDouble": "(parse-double s)", "valueOf": "(parse-long s)", "currentTimeMillis": "a time from a function of the catalogue", "nanoTime": "nothing: leave it out",
	"format": "(format \"…\" x)", "compareTo": "(compare a b)", "concat": "(str a b)", "repeat": "(apply str (repeat n s))", "isBlank": "(str/blank? s)", "strip": "(str/trim s)",
	"setScale": "(format \"%.2f\" x)", "between": "arithmetic on the parts of the dates",
}

func javaAdvice(method string) string {
	if is, ok := javaMethods[strings.TrimPrefix(method, "-")]; ok {
		return "Write " + is + "."
	}
	return "Use the functions of the language: str/…, set/…, and those of clojure.core."
}

func exceptionAdvice(n string) string {
	if strings.Contains(n, "Exception") || strings.Contains(n, "Error") {
		return "Write (ex-info \"message\" {…})."
	}
	return "Use maps, vectors, sets and texts."
}

// suggestion is the advice for a name that is none of ours and none of Clojure's.
func (s *session) suggestion(n string, called bool, locals []string) string {
	if full := s.tails(n); len(full) > 0 {
		return "The function is " + strings.Join(full, " or ") + "."
	}
	candidates := append(append([]string(nil), locals...), s.machine.Names()...)
	for _, tab := range s.ws.Catalog().Tables() {
		candidates = append(candidates, tab.Name)
	}
	for _, fn := range s.ws.Catalog().All() {
		candidates = append(candidates, spelled(fn.Name), fn.Name)
	}
	if called {
		candidates = append(candidates, closeTo(n, library.Names())...)
		candidates = append(candidates, closeTo(n, compile.Specials())...)
		candidates = append(candidates, builtinNames...)
	}
	if near, ok := sandbox.Nearest(n, candidates); ok {
		return "Did you mean " + near + "?"
	}
	var ways []string
	if s.ws.Catalog().Len() > 0 {
		ways = append(ways, `(search "…") finds functions`)
	}
	if len(s.ws.Catalog().Tables()) > 0 {
		ways = append(ways, "(tables) lists the tables")
	}
	if len(ways) == 0 {
		return "(vars) lists what is defined."
	}
	return strings.Join(ways, ", ") + "."
}

// closeTo leaves of library names those that a short name can be a slip of: with the
// same first letter. Two edits turn most words of four letters into another.
func closeTo(n string, all []string) (near []string) {
	for _, b := range all {
		if len(n) > 5 || strings.EqualFold(n[:1], b[:1]) {
			near = append(near, b)
		}
	}
	return near
}

// tails lists the functions whose name without the server is n.
func (s *session) tails(n string) (full []string) {
	under := strings.ReplaceAll(n, "-", "_")
	for _, fn := range s.ws.Catalog().All() {
		if _, local, ok := strings.Cut(fn.Name, "__"); ok && (local == n || local == under) {
			if full = append(full, spelled(fn.Name)); len(full) == 3 {
				break
			}
		}
	}
	return full
}

func (s *session) nearFunction(n string) string {
	var all []string
	for _, fn := range s.ws.Catalog().All() {
		all = append(all, fn.Name)
	}
	if near, ok := sandbox.Nearest(n, all); ok {
		return "Did you mean " + spelled(near) + "?"
	}
	return `(search "…") finds functions.`
}

func libraryFunction(n string) (*data.Native, bool) {
	v, ok := library.Lookup(n)
	if !ok {
		return nil, false
	}
	f, ok := v.Unbox().(*data.Native)
	return f, ok
}
