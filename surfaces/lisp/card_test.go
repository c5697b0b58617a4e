package lisp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp"
)

// claims are what the card's lines promise, by a part of the line.
var claims = []struct {
	says         string
	works, fails []string
}{
	{says: "Clojure's core", works: []string{
		`(let [{:keys [a]} {:a 1}] (cond (= a 1) (case a 1 (-> a inc))))`, `(for [x [1 2] :when (odd? x)] x)`, `(loop [n 3] (when (pos? n) (recur (dec n))))`,
		`(sort-by :a [{:a 1}])`, `(group-by odd? [1 2])`, `(frequencies [1])`, `(str/upper-case "a")`, `(set/union #{1} #{2})`, `(walk/postwalk identity [1])`,
	}},
	{says: "*1", works: []string{`(def kept 41)`, `(inc kept)`, `(assert (= *1 42))`}},
	{says: "endless", works: []string{`(assert (= [0 1] (take 2 (iterate inc 0))))`}, fails: []string{`(count (iterate inc 0))`}},
	{says: "ratios", works: []string{`(assert (= "7/2" (str (/ 7 2))))`, `(assert (= 3.5 (double 7/2)))`}},
	{says: "throws", works: []string{`(assert (string? (try (mail/send {:to "nobody" :text "x"}) (catch Exception e (ex-message e)))))`}},
	{says: "Not here", fails: []string{`(.toUpperCase "a")`, `(java.util.Date.)`, `(defmacro m [x] x)`, `(slurp "x")`, `(future 1)`, `(require '[clojure.java.io :as io])`}},
}

// TestCard holds the card's lines to the implementation.
func TestCard(t *testing.T) {
	card := strings.Join(lisp.Language().Card(), "\n")
	session := openSession(t, newShop())
	for _, c := range claims {
		if !strings.Contains(card, c.says) {
			t.Errorf("the card no longer says %q", c.says)
		}
		for _, p := range c.works {
			if r := session.Execute(context.Background(), p); r.Fault != nil {
				t.Errorf("%s: %v", p, r.Fault)
			}
		}
		for _, p := range c.fails {
			if r := session.Execute(context.Background(), p); r.Fault == nil {
				t.Errorf("%s did not fail", p)
			}
		}
	}
}

// TestTableLines runs what the preamble says of tables.
func TestTableLines(t *testing.T) {
	world := newShop()
	tab, ok := world.catalog(t).Table("orders")
	if !ok {
		t.Fatal("no table orders")
	}
	lines := strings.Join(lisp.Language().(surfaces.Tabular).TableLines(tab, true), "\n")
	session := openSession(t, world)
	for _, c := range []struct{ says, program string }{
		{"(orders) gives its rows", `(assert (map? (first (orders))))`},
		{"a map as in (orders {:id …})", `(assert (= 1 (count (orders {:id (:id (first (orders)))}))))`},
		{"a list of values there is a choice", `(assert (= 2 (count (orders {:id (map :id (take 2 (orders)))}))))`},
		{"(tables) lists them", `(assert (some #(= "orders" (:name %)) (tables)))`},
		{"(describe :orders) shows the columns", `(assert (seq (:columns (describe :orders))))`},
		{"(update! :table {:column new} {:key value})", `(assert (= 1 (:count (update! :orders {:state "sent"} {:id (:id (first (orders)))}))))`},
		{":all in place of the last map is every row", `(let [n (count (orders))] (assert (= n (:count (update! :orders {:note "x"} :all)))))`},
	} {
		if !strings.Contains(lines, c.says) {
			t.Errorf("the lines no longer say %q", c.says)
		}
		if r := session.Execute(context.Background(), c.program); r.Fault != nil {
			t.Errorf("%s: %v", c.program, r.Fault)
		}
	}
}
