package lisp_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// shop is a small catalogue for tests: orders as a function and as a table, and a
// letter box. Its effects are recorded.
type shop struct {
	mu   sync.Mutex
	sent []string
	rows []*value.Object
}

func newShop() *shop {
	s := &shop{}
	keys := value.NewKeys("id", "reader", "title", "copies", "state", "note")
	for _, r := range [][]value.Value{
		{"A-1", "ann", "Emma", int64(1), "open", nil},
		{"A-2", "bob", "Dracula", int64(3), "sent", "gift"},
		{"A-3", "ann", "Walden", int64(2), "open", nil},
		{"A-4", "cy", "Ulysses", int64(1), "lost", nil},
	} {
		s.rows = append(s.rows, value.NewRow(keys, r))
	}
	return s
}

func schema(required string, properties ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, p := range properties {
		name, kind, _ := strings.Cut(p, " ")
		s.Properties[name] = &jsonschema.Schema{Type: kind}
		s.PropertyOrder = append(s.PropertyOrder, name)
	}
	if required != "" {
		s.Required = strings.Split(required, " ")
	}
	return s
}

func (s *shop) listOrders(_ context.Context, args *value.Object) (value.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []value.Value{}
	for _, r := range s.rows {
		match := true
		for _, k := range []string{"reader", "state"} {
			want, asked := args.Get(k)
			have, _ := r.Get(k)
			match = match && (!asked || value.Equal(want, have))
		}
		if match {
			out = append(out, r)
		}
	}
	return out, nil
}

func (s *shop) send(_ context.Context, args *value.Object) (value.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to, _ := args.Get("to")
	if to == "nobody" {
		return nil, &toolfn.CallError{Code: "no_such_reader", Message: "there is no reader nobody"}
	}
	text, _ := args.Get("text")
	s.sent = append(s.sent, fmt.Sprintf("%v: %v", to, text))
	return value.Of("id", int64(len(s.sent)), "to", to), nil
}

func (s *shop) catalog(t testing.TB) *toolfn.Catalog {
	t.Helper()
	c := toolfn.NewCatalog()
	column := func(name, kind string) toolfn.Column { return toolfn.Column{Name: name, Type: kind} }
	err := c.Register(
		toolfn.ToolFn{
			Name: "shop__list_orders", Description: "List orders.", Input: schema("", "reader string", "state string"),
			Effect: toolfn.Effect{Impact: toolfn.Read}, Call: s.listOrders,
		},
		toolfn.ToolFn{
			Name: "mail__send", Description: "Send a letter.", Input: schema("to text", "to string", "text string"),
			Effect: toolfn.Effect{Impact: toolfn.Write}, Call: s.send,
		},
		toolfn.ResourceTable{
			Name: "orders", Description: "Orders of the shop.", Key: []string{"id"}, Volatility: toolfn.Stable,
			Columns: []toolfn.Column{
				column("id", "text"), column("reader", "text"), column("title", "text"), column("copies", "bigint"), column("state", "text"), column("note", "text"),
			},
			Select: func(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
				s.mu.Lock()
				defer s.mu.Unlock()
				return toolfn.Rows{Page: append([]*value.Object(nil), s.rows...)}, nil
			},
			Insert: func(_ context.Context, rows []*value.Object) (toolfn.Written, error) {
				s.mu.Lock()
				defer s.mu.Unlock()
				for _, r := range rows {
					if id, _ := r.Get("id"); id == "X" {
						return toolfn.Written{}, &toolfn.CallError{Code: "no_such_order", Message: "no order can be called X"}
					}
				}
				s.rows = append(s.rows, rows...)
				return toolfn.Written{Affected: len(rows), Rows: rows}, nil
			},
			Update: func(_ context.Context, set *value.Object, b toolfn.Bindings) (toolfn.Written, error) {
				s.mu.Lock()
				defer s.mu.Unlock()
				n := 0
				for i, r := range s.rows {
					id, _ := r.Get("id")
					for _, want := range b.All("id") {
						if value.Equal(id, want) {
							changed := value.Copy(r).(*value.Object)
							for k, v := range set.All() {
								changed.Set(k, v)
							}
							s.rows[i] = changed
							n++
						}
					}
				}
				return toolfn.Written{Affected: n}, nil
			},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func openSession(t testing.TB, s *shop, opts ...surfaces.Option) surfaces.Session {
	t.Helper()
	opts = append(opts, surfaces.WithClock(func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }))
	ws, err := surfaces.NewWorkspace(s.catalog(t), opts...)
	if err != nil {
		t.Fatal(err)
	}
	session, err := ws.Open(lisp.Language())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		ws.Close()
	})
	return session
}

// TestSession runs each file's programs in one session over a fresh shop: run runs a
// program and shows what reaches the model, explain its plan, sent what was sent.
func TestSession(t *testing.T) {
	datadriven.Walk(t, "testdata/session", func(t *testing.T, path string) {
		s := newShop()
		session := openSession(t, s)
		texts := surfaces.NewRenderer(4000, lisp.Language().Style(), false)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "run":
				return texts.Text(session.Execute(context.Background(), d.Input)) + "\n"
			case "explain":
				return texts.Plan(session.Explain(context.Background(), d.Input), lisp.Language()) + "\n"
			case "sent":
				return strings.Join(s.sent, "\n") + "\n"
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}

// attacks are programs that must end soon, by a limit, an error or a bounded value,
// with the host unharmed.
var attacks = []string{
	`(count (reduce (fn [a _] (concat a a)) [1] (range 40)))`,
	`(reduce (fn [s _] (str s s)) "x" (range 60))`,
	`(reduce (fn [a _] [a a]) 1 (range 200))`,
	`(= (reduce (fn [a _] [a a]) 1 (range 60)) (reduce (fn [a _] [a a]) 2 (range 60)))`,
	`(str (reduce (fn [a _] [a a]) 1 (range 40)))`,
	`(pr-str (reduce (fn [a _] {:l a :r a}) {} (range 40)))`,
	`(flatten (reduce (fn [a _] [a a]) 1 (range 40)))`,
	`(clojure.walk/postwalk identity (reduce (fn [a _] [a a]) 1 (range 40)))`,
	`(doall (range))`,
	`(reduce + (iterate inc 0))`,
	`(count (cycle [1]))`,
	`(last (repeat 1))`,
	`(sort (range 0 1e12 1))`,
	`(vec (repeatedly rand))`,
	`(apply str (repeat 1000000000 "x"))`,
	`(reduce *' (repeat 10000000 9))`,
	`(reduce * (repeat 10000000 9N))`,
	`(loop [] (recur))`,
	`(while true 1)`,
	`((fn f [] (f)))`,
	`(defn f [n] (inc (f n))) (f 1)`,
	`(letfn [(a [] (b)) (b [] (a))] (a))`,
	`(trampoline (fn f [] f))`,
	`(def x (lazy-seq x)) (first x)`,
	`(nth (iterate (fn [x] (lazy-seq [x])) nil) 100000)`,
	`(reduce (fn [s i] (map inc s)) (range 10) (range 100000))`,
	`(first (reduce (fn [s i] (filter odd? s)) (range) (range 20000)))`,
	`(reduce (fn [m i] (assoc-in m (repeat 3000 :a) i)) {} (range 10))`,
	`(re-find #"(a+)+$" (apply str (concat (repeat 60 "a") "b")))`,
	`(re-seq #"(x*)*y" (apply str (repeat 5000 "x")))`,
	`(clojure.string/replace (apply str (repeat 100000 "a")) "a" (apply str (repeat 100000 "b")))`,
	`(format "%99999999d" 1)`,
	`(format "%.99999999f" 1.0)`,
	`(clojure.string/join (repeat 1000000 (apply str (repeat 1000 "x"))))`,
	`(println (repeat "x"))`,
	`(dotimes [i 100000000] (println i))`,
	`(def a (atom [])) (loop [] (swap! a conj a) (recur))`,
	`(def a (atom nil)) (reset! a a) (loop [n 0] (pr-str a) (recur (inc n)))`,
	`(into {} (map (fn [i] [i i]) (range)))`,
	`(frequencies (range))`,
	`(group-by identity (iterate inc 0))`,
	`(tree-seq (constantly true) (fn [n] [n n]) 1)`,
	`(partition 1000000000 (range))`,
	`(take 1000000000 (repeat 1))`,
	`(bit-shift-left 1 (reduce + (range 1e9)))`,
	`(hash (range))`,
	`(= (range) (range))`,
	`(compare (vec (range 1000000)) (vec (range 1000000)) 1)`,
	`(memoize (range)) ((memoize identity) (range))`,
	`(apply max (range))`,
	`(try (loop [] (recur)) (catch Throwable e :caught))`,
	`(try (loop [] (recur)) (finally (println "still here")))`,
	`(sort-by (fn [x] (throw (ex-info "no" {}))) [2 1])`,
	`(transduce (mapcat (fn [x] (range))) + 0 [1])`,
	`(read-string (apply str (repeat 100000 "(")))`,
	`(clojure.edn/read-string (apply str (repeat 5000 "[")))`,
	`(set (map (fn [i] (vec (range i))) (range)))`,
	`(zipmap (range) (range))`,
	`(interleave (range) (range))`,
	`(rationalize (reduce + (map (fn [n] (/ 1 (inc n))) (range 1000000))))`,
}

// TestAttacks runs each attack in a session of its own with the default limits, and
// a harmless program after it.
func TestAttacks(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of endless programs")
	}
	texts := surfaces.NewRenderer(4000, lisp.Language().Style(), false)
	limits := sandbox.DefaultLimits()
	limits.Memory, limits.Compute = 64<<20, 5*time.Second
	for _, src := range append(attacks, strings.Repeat("[", 100_000), strings.Repeat("(do ", 5000), strings.Repeat("'", 100_000), strings.Repeat("#_", 100_000), "#("+strings.Repeat("#(", 50)) {
		session := openSession(t, newShop(), surfaces.WithLimits(limits))
		start := time.Now()
		r := session.Execute(context.Background(), src)
		if r.Fault != nil && r.Fault.Kind == sandbox.KindInternal {
			t.Errorf("%.100s: %v", src, r.Fault.Cause)
		}
		if shown := texts.Text(r); len(shown) > 4000 {
			t.Errorf("%.100s shows %d bytes", src, len(shown))
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%.100s took %v", src, took)
		}
		if after := session.Execute(context.Background(), "(+ 1 1)"); after.Fault != nil {
			t.Errorf("after %.100s: %v", src, after.Fault)
		}
	}
}
