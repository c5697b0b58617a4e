package library_test

import (
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/library"
)

// expected are the functions that programs count on, by what they are about.
var expected = map[string]string{
	"arithmetic": "+ * - / mod inc dec abs max min rem quot even? odd? zero? pos? neg? int double round floor ceil pow sqrt Math/round Math/floor Math/ceil Math/pow Math/sqrt math/round math/floor math/ceil math/pow math/sqrt",
	"comparison": "< <= > >= = not= not nil? some? boolean identity compare distinct?",
	"predicates": "number? integer? string? keyword? map? vector? seq? coll? fn? true? false? every-pred some-fn not-any? not-every? empty? contains?",
	"sequences": "count first second last rest nth take drop reverse concat flatten range not-empty map mapcat filter remove reduce some every? take-while drop-while sort sort-by distinct " +
		"group-by frequencies max-key min-key max-by min-by sum avg zipmap apply comp partial doall run! map-indexed into set vec key val juxt mapv filterv " +
		"take-last drop-last butlast next cons conj list vector hash-map sorted-map interleave interpose partition partition-all partition-by split-at split-with dedupe keep keep-indexed " +
		"reductions repeat peek pop subvec nthrest constantly complement fnil memoize iterate cycle repeatedly rand shuffle random-sample iteration count-by",
	"maps":   "get get-in assoc dissoc merge select-keys update assoc-in keys vals update-vals update-keys reduce-kv merge-with update-in find",
	"sets":   "disj union intersection difference set/union set/intersection set/difference clojure.set/rename-keys",
	"texts":  "str upper-case lower-case capitalize trim includes? starts-with? ends-with? split join replace subs str/join clojure.string/split string/join blank? triml trimr index-of split-lines str/reverse format name keyword symbol re-find re-matches re-seq re-pattern parse-long parse-double pr-str",
	"output": "println prn print",
}

// TestNames walks the list: each is there, with a usage text that calls it.
func TestNames(t *testing.T) {
	for about, names := range expected {
		for _, name := range strings.Fields(names) {
			v, ok := library.Lookup(name)
			if !ok {
				t.Errorf("%s: there is no %s", about, name)
				continue
			}
			if n, ok := v.Unbox().(*data.Native); !ok || n.Doc == "" || !strings.HasPrefix(n.Usage, "(") {
				t.Errorf("%s: %s has no usage text", about, name)
			}
		}
	}
}

// TestUsages holds every function's usage text to the reader's shape: brackets close.
func TestUsages(t *testing.T) {
	for _, name := range library.Names() {
		v, _ := library.Lookup(name)
		n := v.Unbox().(*data.Native)
		if strings.Count(n.Usage, "(") != strings.Count(n.Usage, ")") || n.Usage == "" || n.Doc == "" {
			t.Errorf("%s: usage %q, doc %q", name, n.Usage, n.Doc)
		}
	}
}
