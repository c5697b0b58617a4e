package compile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// writer writes random programs. They are meant to be valid most of the time and
// to reach every operator and statement beside every other.
type writer struct{ *rand.Rand }

func (w writer) pick(from ...string) string { return from[w.IntN(len(from))] }

var (
	operators = strings.Fields("+ - * / % ** << >> >>> < > <= >= == != === !== & | ^ && || ?? , in instanceof")
	prefixes  = []string{"-", "+", "!", "~", "typeof ", "void ", "- -", "!!"}
	operands  = []string{"0", "1", "2", "3.5", `"a"`, "'b'", `""`, "null", "undefined", "true", "false", "NaN", "x", "y", "o", "a", "[1,2]", "({p:1})", "`t${x}`", "o.p", "a[0]", "a[x]",
		"o?.q", "o.q?.r", "f(1)", "g`z`", `/a/.test("a")`, "(()=>2)()", "new D(3).v", "1n", "2n", "[...a]", "x++", "--y", "a.length", "f?.(2)", `o["p"]`, "(x=>x)(5)", "typeof zz", "-0",
		"0x1F", "1e3", ".5", "[...gen(3)]", "h({p:x})", "new D(y).twice()", "D.made", "(function(){return this===undefined})()", "(function(){return arguments.length})(1,y)", "delete o.p",
		"[x,y]=[y,x]", "({p:x}=o)", "a.map((e,i)=>e*i)", "a.reduce((s,e)=>s+e)", "Object.keys(o)", "k(x)(y)", "1_000", "m?.n?.[x]", "new D(1) instanceof D", "`${o.p}${a}`", "((...r)=>r.length)(...a)"}
	places = []string{"x", "y", "o.p", "a[1]", "o.n", `o["p"]`, "a[x]"}
	assign = []string{"=", "+=", "-=", "*=", "??=", "||=", "&&=", "**=", "<<=", "|=", "%="}
)

func (w writer) expression(depth int) string {
	if depth <= 0 || w.IntN(6) == 0 {
		return w.pick(operands...)
	}
	e := func() string { return w.expression(depth - 1) }
	switch w.IntN(10) {
	case 0:
		return w.pick(prefixes...) + e()
	case 1:
		return "(" + e() + ")"
	case 2:
		return e() + "?" + e() + ":" + e()
	case 3:
		return w.pick(places...) + w.pick(assign...) + e()
	case 4:
		return "[" + e() + "," + e() + "]"
	case 5:
		return "({k:" + e() + ",[" + e() + "]:" + e() + "})"
	}
	return e() + " " + w.pick(operators...) + " " + e()
}

func (w writer) statement(depth int) string {
	if depth <= 0 {
		return w.expression(2) + ";"
	}
	s := func() string { return w.statement(depth - 1) }
	switch w.IntN(16) {
	case 0:
		return "if(" + w.expression(2) + "){" + s() + "}else{" + s() + "}"
	case 1:
		return "for(let i=0;i<3;i++){" + s() + "}"
	case 2:
		return "for(const e of [1,2]){" + s() + "}"
	case 3:
		return "try{" + s() + "}catch(e){" + s() + "}finally{" + s() + "}"
	case 4:
		return "switch(" + w.expression(1) + "){case 1:" + s() + ";break;default:" + s() + "}"
	case 5:
		return "let v" + fmt.Sprint(w.IntN(1e6)) + "=" + w.expression(2) + ";" + w.expression(1) + ";"
	case 6:
		return "for(const k in o){" + s() + "}"
	case 7:
		return "L:for(let i=0;i<2;i++){for(let j=0;j<2;j++){if(j)" + w.pick("continue L", "break L", "break") + ";" + s() + "}}"
	case 8:
		return "do{" + s() + "}while(0);"
	case 9:
		return "{const {p,...rest}=o;" + s() + "}"
	case 10:
		return "var w" + fmt.Sprint(w.IntN(3)) + "=" + w.expression(2) + ";x;"
	}
	return w.expression(3) + ";"
}

const nodeHead = `let x=1,y=2,o={p:1,q:{r:2}},a=[1,2,3],m=null;function f(z){return z+1} function g(s,...r){return s.raw.join()+r}
class D{static made=4;#h=1;constructor(v){this.v=v} twice(){return this.v*2+this.#h}} function* gen(n){for(let i=0;i<n;i++)yield i} const h=({p=7}={})=>p, k=b=>c=>b+c;
`

func (w writer) program() string {
	var b strings.Builder
	b.WriteString(nodeHead)
	for range 1 + w.IntN(3) {
		b.WriteString(w.statement(2) + w.pick("\n", " "))
	}
	b.WriteString(w.expression(2))
	return b.String()
}

// shown makes a value comparable as text, the same way in both engines.
const shown = `(function (v) {
	if (typeof v === "function") return "function";
	if (typeof v === "bigint") return v + "n";
	if (typeof v === "number") return Object.is(v, -0) ? "-0" : String(v);
	try {
		const s = JSON.stringify(v, (k, x) => typeof x === "bigint" ? x + "n" : x === undefined ? "undefined" : typeof x === "number" && !isFinite(x) ? String(x) : x);
		return s === undefined ? String(v) : s;
	} catch (e) { return "cyclic"; }
})`

const nodeScript = `const vm = require("vm"), lines = require("fs").readFileSync(0, "utf8").trim().split("\n"), show = ` + shown + `;
for (const line of lines) {
	let r, script;
	try { script = new vm.Script('"use strict";' + JSON.parse(line)); } catch (e) { r = { syntax: e.message }; }
	if (script) try { r = { value: show(script.runInContext(vm.createContext({}), { timeout: 1000 })) }; } catch (e) { r = { error: String(e && e.name) }; }
	console.log(JSON.stringify(r));
}`

type nodeAnswer struct{ Value, Error, Syntax *string }

// TestAgainstNode runs random programs here and in Node: what both accept must
// give the same value or the same class of error, and what Node refuses must be
// refused. It is skipped where there is no Node.
func TestAgainstNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	w := writer{rand.New(rand.NewPCG(7, 11))}
	const n = 1500
	programs := make([]string, n)
	var in bytes.Buffer
	for i := range programs {
		programs[i] = w.program()
		line, err := json.Marshal(programs[i])
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.Command(node, "-e", nodeScript)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(answers) != n {
		t.Fatalf("%d answers to %d programs", len(answers), n)
	}
	same := 0
	for i, line := range answers {
		var want nodeAnswer
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatal(err)
		}
		if problem := compareWithNode(t, programs[i], want); problem != "" {
			t.Errorf("%s\n%s", strings.TrimPrefix(programs[i], nodeHead), problem)
		} else if want.Value != nil {
			same++
		}
	}
	if same < n/3 {
		t.Errorf("only %d programs had a value to compare", same)
	}
}

// refusedOnPurpose are the beginnings of the faults for what Node accepts.
var refusedOnPurpose = []string{"comparisons cannot be chained", "it is not clear whether the /", "using the old length", "delete works on members"}

func compareWithNode(t *testing.T, src string, want nodeAnswer) string {
	e := newEngine(t)
	p, f := Compile(src, Options{})
	if f != nil {
		if want.Syntax != nil {
			return ""
		}
		for _, ok := range refusedOnPurpose {
			if strings.HasPrefix(f.Message, ok) {
				return ""
			}
		}
		return "refused: " + f.Error()
	}
	if want.Syntax != nil {
		return "Node refuses it: " + *want.Syntax
	}
	v, err := e.run(context.Background(), p, testLimits())
	var ex *goja.Exception
	switch {
	case errors.As(err, &ex):
		name := ""
		if o, ok := ex.Value().(*goja.Object); ok {
			name = o.Get("name").String()
		}
		if want.Error == nil {
			return "Node gives " + *want.Value + ", here it throws " + err.Error()
		}
		if name != *want.Error {
			return "Node throws " + *want.Error + ", here it throws " + err.Error()
		}
		return ""
	case err != nil:
		return err.Error()
	case want.Error != nil:
		return "Node throws " + *want.Error + ", here the value is " + v.String()
	}
	show, ok := goja.AssertFunction(must(e.rt.RunString(shown)))
	if !ok {
		return "no function"
	}
	got, err := show(goja.Undefined(), v)
	if err != nil {
		return err.Error()
	}
	if got.String() != *want.Value {
		return "Node gives " + *want.Value + ", here it is " + got.String()
	}
	return ""
}
