package realm

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// grower writes random expressions over everything that is offered, with
// arguments that no one would pass.
type grower struct {
	random *rand.Rand
	b      strings.Builder
}

var leaves = []string{
	"0", "-0", "1", "-1", "0.5", "NaN", "Infinity", "-Infinity", "2**31", "1e21", "4294967295", "12345678901234567890n", "undefined", "null", "true", "''", "'a'", "'é😀'", "'abc def'",
	"'\\ud800'", "[]", "{}", "[1,2,3]", "[,1,,]", "[[1],[2,[3]]]", "{a:1}", "{length:5}", "{length:-1}", "{valueOf(){return 3}}", "{toString(){return 'x'}}", "{toJSON(){return 1}}", "x=>x", "(a,b)=>a-b",
	"()=>{throw 1}", "x=>[x,x]", "Math.max", "String", "new Map([[1,2]])", "new Set([1,'a'])", "new Date(0)", "new Date(NaN)", "RegExp('a','g')", "RegExp('(?<n>.)','y')", "new Error('e')", "Promise.resolve(1)",
	"[1].values()", "Object.freeze([1,2])", "Object.freeze({a:1})", "'en-US'", "{style:'percent'}", "{month:'long'}", "'2024-01-05'", "'[1,{\"a\":2}]'", "shared", "cyclic",
}

var kinds = []string{"array", "string", "number", "object", "map", "set", "date", "regexp", "promise", "error", "bigint", "function", "boolean"}

func (g *grower) pick(list []string) string { return list[g.random.IntN(len(list))] }

func (g *grower) expression(depth int) {
	if depth <= 0 {
		g.b.WriteString("(" + g.pick(leaves) + ")")
		return
	}
	switch g.random.IntN(10) {
	case 0:
		g.b.WriteString("(" + g.pick(leaves) + ")")
	case 1, 2, 3, 4:
		g.expression(depth - 1)
		g.b.WriteString("." + g.pick(Members(g.pick(kinds))))
		g.arguments(depth)
	case 5, 6:
		name := g.pick(GlobalNames())
		if list := Members("static " + name); len(list) > 0 {
			name += "." + g.pick(list)
		}
		g.b.WriteString(name)
		g.arguments(depth)
	case 7:
		g.b.WriteString("new " + g.pick(GlobalNames()))
		g.arguments(depth)
	case 8:
		g.b.WriteString("[...")
		g.expression(depth - 1)
		g.b.WriteString("]")
	default:
		g.b.WriteString("(")
		g.expression(depth - 1)
		g.b.WriteString(g.pick([]string{"+", "<", "==", "===", ",", "??", "&&", " in ", " instanceof "}))
		g.expression(depth - 1)
		g.b.WriteString(")")
	}
}

func (g *grower) arguments(depth int) {
	g.b.WriteString("(")
	for i := range g.random.IntN(4) {
		if i > 0 {
			g.b.WriteString(",")
		}
		g.expression(depth - 1)
	}
	g.b.WriteString(")")
}

// FuzzBuiltins runs random expressions under a small account: nothing panics,
// nothing exceeds the account, and everything ends.
func FuzzBuiltins(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(seed, uint8(3))
	}
	f.Fuzz(func(t *testing.T, seed uint64, depth uint8) {
		g := &grower{random: rand.New(rand.NewPCG(seed, 1))}
		g.b.WriteString("const shared = [1,2,3]; const cyclic = {}; cyclic.c = cyclic; const out = []; ")
		for range 5 {
			g.b.WriteString("try { out.push(")
			g.expression(int(depth % 5))
			g.b.WriteString(") } catch (e) { out.push(e) } ")
		}
		g.b.WriteString("out")
		src := g.b.String()
		l := sandbox.DefaultLimits()
		l.Fuel, l.Memory = 300_000, 4<<20
		s := newStage(t, l)
		v, err := s.eval(src)
		checkOutcome(t, src, err)
		if u := s.meter.Usage(); u.Fuel > l.Fuel+8192 || u.Memory > l.Memory {
			t.Errorf("used %s of fuel and %s of memory: %s", strconv.FormatInt(u.Fuel, 10), strconv.FormatInt(u.Memory, 10), src)
		}
		inspectAll(s, v)
	})
}

// checkOutcome accepts what a program may end with.
func checkOutcome(t *testing.T, src string, err error) {
	if err == nil {
		return
	}
	var f *sandbox.Fault
	var ex *goja.Exception
	var deep *goja.StackOverflowError
	var syntax *goja.CompilerSyntaxError
	switch {
	case errors.As(err, &f) && f.Kind != sandbox.KindInternal:
	case errors.As(err, &ex), errors.As(err, &deep), errors.As(err, &syntax):
	default:
		t.Errorf("%s\n\t%T %v", src, err, err)
	}
}
