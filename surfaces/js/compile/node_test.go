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
	operands  = []string{
		"0", "1", "2", "3.5", `"a"`, "'b'", `""`, "null", "undefined", "true", "false", "NaN", "x", "y", "o", "a", "[1,2]", "({p:1})", "`t${x}`", "o.p", "a[0]", "a[x]",
		"o?.q", "o.q?.r", "f(1)", "g`z`", `/a/.test("a")`, "(()=>2)()", "new D(3).v", "1n", "2n", "[...a]", "x++", "--y", "a.length", "f?.(2)", `o["p"]`, "(x=>x)(5)", "typeof zz", "-0",
		"0x1F", "1e3", ".5", "[...gen(3)]", "h({p:x})", "new D(y).twice()", "D.made", "(function(){return this===undefined})()", "(function(){return arguments.length})(1,y)", "delete o.p",
		"[x,y]=[y,x]", "({p:x}=o)", "a.map((e,i)=>e*i)", "a.reduce((s,e)=>s+e)", "Object.keys(o)", "k(x)(y)", "1_000", "m?.n?.[x]", "new D(1) instanceof D", "`${o.p}${a}`", "((...r)=>r.length)(...a)",
	}
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
	for range 1 + w.IntN(3) {
		b.WriteString(w.statement(2) + w.pick("\n", " "))
	}
	b.WriteString(w.expression(2))
	return b.String()
}

// flowHead defines what programs about control flow use: L logs and gives its
// first argument.
const flowHead = `let x=1,y=2,o={a:1,b:"b"},arr=[1,2];const log=[];let n=0;function L(...v){if(++n>200)throw new RangeError('many');log.push(v.map(show).join());return v[0]}
function show(v){if(typeof v==='function')return 'fn';if(Array.isArray(v))return '['+v.slice(0,5).map(show)+']';if(v instanceof Error)return v.name;return v&&typeof v==='object'?'{'+Object.keys(v)+'}':String(v)}
class C{#v;static s(z){return L('s',z)}constructor(v){this.#v=v;L('C')}m(z){return this.#v??z}}class E extends C{f=L('fi');constructor(v){super(v);L('E')}m(z){return super.m(z)}}
`

// place is where a statement stands: what it may hold depends on it.
type place struct {
	function, generator, loop bool
	label                     string
	names                     []string
	next                      *int
}

func (p place) inFunction(generator bool) place {
	return place{function: true, generator: generator, names: []string{"p", "x"}, next: p.next}
}

func (p place) fresh(prefix string) string {
	*p.next++
	return prefix + fmt.Sprint(*p.next)
}

func (w writer) flowProgram() string {
	return w.flow(3, place{names: []string{"x", "y"}, next: new(int)}) + "\nlog.join('|')"
}

func (w writer) flowValue(depth int, p place) string {
	if depth <= 0 {
		return w.pick(append([]string{"1", "2", `"s"`, "null", "undefined", "L()", "o.a", "arr[0]", "arr", "o", "true"}, p.names...)...)
	}
	e := func() string { return w.flowValue(depth-1, p) }
	body := func(generator bool) string { return w.flow(depth-1, p.inFunction(generator)) }
	switch w.IntN(18) {
	case 0:
		return "(" + e() + "," + e() + ")"
	case 1:
		return "(" + e() + "?" + e() + ":" + e() + ")"
	case 2:
		return "[" + e() + ",...[" + e() + "]]"
	case 3:
		return "({a:" + e() + ",b:" + e() + ",...o})"
	case 4:
		return "((p,q=" + e() + ")=>p??q)(" + e() + ")"
	case 5:
		return "(function(p,...r){" + body(false) + " return p})(" + e() + ")"
	case 6:
		return "[...(function*(p){" + body(true) + " yield p})(" + e() + ")]"
	case 7:
		if p.generator {
			return "(yield " + e() + ")"
		}
	case 8:
		return "o?." + w.pick("a", "zz") + "?.[" + e() + "]"
	case 9:
		return "new " + w.pick("C", "E") + "(" + e() + ").m(" + e() + ")"
	case 10:
		return "arr.map((v,i)=>" + w.flowValue(depth-1, place{names: []string{"v", "i", "x"}, next: p.next}) + ")"
	case 11:
		return "(" + e() + " " + w.pick("+", "===", "&&", "||", "??", "<") + " " + e() + ")"
	case 12:
		return "({m(p){" + body(false) + "}}).m(" + e() + ")"
	case 13:
		return "o[" + w.pick(`"a"`, `"b"`, "x") + "]=" + e()
	case 14:
		return "(()=>{" + body(false) + "})()"
	case 15:
		return "C.s(" + e() + ")"
	}
	return "L(" + e() + ")"
}

func (w writer) flow(depth int, p place) string {
	if depth <= 0 {
		return "L(" + w.flowValue(1, p) + ");"
	}
	var b strings.Builder
	for range 1 + w.IntN(2) {
		b.WriteString(w.flowStatement(depth, p))
	}
	return b.String()
}

func (w writer) flowStatement(depth int, p place) string {
	e := func() string { return w.flowValue(1, p) }
	block := func() string { return "{" + w.flow(depth-1, p) + "}" }
	inLoop := p
	inLoop.loop = true
	loop := func() string { return "{" + w.flow(depth-1, inLoop) + "}" }
	switch w.IntN(17) {
	case 0:
		return "if(" + e() + ")" + block() + "else " + block()
	case 1:
		v := p.fresh("i")
		return "for(let " + v + "=0;" + v + "<3;" + v + "++)" + loop()
	case 2:
		return "for(const " + p.fresh("k") + " of [1,2," + e() + "])" + loop()
	case 3, 4:
		return "try" + block() + "catch(e){L('c',e&&e.name);" + w.flow(depth-1, p) + "}finally" + block()
	case 5:
		return "try" + block() + w.pick("finally"+block(), "catch{L('C');}")
	case 6:
		if p.function {
			return "return " + e() + ";"
		}
	case 7:
		if p.loop {
			return w.pick("break;", "continue;")
		}
	case 8:
		return "throw " + w.pick("1", `new TypeError("t")`, "x") + ";"
	case 9:
		inLoop.label = p.fresh("l")
		return inLoop.label + ":for(let q=0;q<2;q++)" + loop()
	case 10:
		if p.label != "" {
			return w.pick("break ", "continue ") + p.label + ";"
		}
	case 11:
		return "switch(" + e() + "){case 1:L('one');" + w.pick("break;", "") + "case " + w.flowValue(0, p) + ":L('two');default:L('d');" + w.flow(depth-1, p) + "}"
	case 12:
		a, c := p.fresh("n"), p.fresh("n")
		pattern := w.pick("["+a+","+c+"=L(5)]", "{a:"+a+",b:"+c+"=L(6)}", "{a:["+a+"]=[L(7)],..."+c+"}", "[,"+a+",..."+c+"]", "{a:{z:"+a+"}={z:1},['b']:"+c+"}")
		return "const " + pattern + "=" + w.pick("arr", "o", "[1,2,3]", "{a:[1],b:2}", `"str"`) + ";L(" + a + "," + c + ");"
	case 13:
		f := p.fresh("f")
		return "function " + f + "(p){" + w.flow(depth-1, p.inFunction(false)) + "}L(" + f + "(" + e() + "));"
	case 14:
		f := p.fresh("F")
		return "const " + f + "=[];for(let z=0;z<2;z++){" + f + ".push(()=>z++);}L(" + f + ".map(f=>f())," + f + "[0]());"
	case 15:
		if p.generator {
			return "try{yield " + e() + ";}finally{L('gf');}"
		}
		return "for(const g of (function*(){try{yield 1;yield 2}finally{L('cl')}})())" + loop()
	}
	return "L(" + w.flowValue(2, p) + ");"
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
	t.Run("expressions", func(t *testing.T) {
		w := writer{rand.New(rand.NewPCG(7, 11))}
		againstNode(t, nodeHead, 1500, w.program)
	})
	t.Run("control flow", func(t *testing.T) {
		w := writer{rand.New(rand.NewPCG(5, 3))}
		againstNode(t, flowHead, 800, w.flowProgram)
	})
}

func againstNode(t *testing.T, head string, n int, program func() string) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	programs := make([]string, n)
	var in bytes.Buffer
	for i := range programs {
		programs[i] = head + program()
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
			t.Errorf("%s\n%s", strings.TrimPrefix(programs[i], head), problem)
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

// errorName is what String(e && e.name) gives for what was thrown.
func errorName(v goja.Value) string {
	o, ok := v.(*goja.Object)
	switch {
	case !ok && v != nil && (goja.IsNull(v) || v.String() == ""):
		return v.String()
	case !ok:
		return "undefined"
	}
	if name := o.Get("name"); name != nil {
		return name.String()
	}
	return "undefined"
}

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
		name := errorName(ex.Value())
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
