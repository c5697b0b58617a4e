package realm

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// TestExport says what a program's values become as arguments of a call.
func TestExport(t *testing.T) {
	for _, x := range []struct{ src, want string }{
		{"1", "1"},
		{"1.5", "1.5"},
		{"-0", "-0"},
		{"1e21", "1e+21"},
		{"2**53", "9007199254740992"},
		{"'é😀'", `"é😀"`},
		{"null", "null"},
		{"undefined", "null"},
		{"true", "true"},
		{"[1,undefined,null]", "[1,null,null]"},
		{"[1,,2]", "[1,null,2]"},
		{"({b:1,a:undefined,c:{d:[]}})", `{"b":1,"c":{"d":[]}}`},
		{"new Date(0)", `"1970-01-01T00:00:00.000Z"`},
		{"new Map([['a',1],[2,new Set([3])]])", `{"a":1,"2":[3]}`},
		{"new Set(['x'])", `["x"]`},
		{"12345678901234567890n", "12345678901234567890"},
		{"JSON.parse('[12345678901234567890]')", "[12345678901234567890]"},
		{"({toJSON(){return {x:1}}})", `{"x":1}`},
		{"Object('s')", `"s"`},
		{"JSON.parse('{\"__proto__\":1,\"constructor\":2}')", `{"__proto__":1,"constructor":2}`},
		{"class P { constructor() { this.x = 1 } }; new P()", `{"x":1}`},
		{"({f(){}})", "TypeError: 'f' is a function. Call it first, or pass its result."},
		{"({a:{b:[1,NaN]}})", "TypeError: 'a.b[1]' is NaN, which no function takes. Check the arithmetic that gave it: an operand was probably undefined."},
		{"({a:Infinity})", "TypeError: 'a' is Infinity, which no function takes. Check the arithmetic that gave it, or leave the argument out."},
		{"const a = {}; a.b = {c: a}; a", "TypeError: 'b.c' is part of a cycle: it contains itself. Pass plain data, for instance { id: x.id }."},
		{"({p:Promise.resolve(1)})", "TypeError: 'p' is a promise. Write await before the call that gave it."},
		{"({'a b':RegExp('x')})", `TypeError: '["a b"]' is a regular expression. Pass its source as a string.`},
		{"({d:new Date(NaN)})", "TypeError: 'd' is an invalid date. Check the text the Date was made from."},
		{"({e:new Error('x')})", "TypeError: 'e' is an error. Pass its message."},
		{"({m:new Map([[{},1]])})", "TypeError: 'm' is a Map with objects as keys. Use strings as keys."},
		{"({s:Symbol('q')})", "TypeError: 's' is a symbol. Pass a string instead."},
		{"({i:[1].values()})", "TypeError: 'i' is not plain data. Pass plain objects, arrays, strings and numbers."},
		{"let o = 1; for (let i = 0; i < 2000; i++) o = {o}; o", "TypeError: '" + strings.Repeat("o.", 59) + "o…' is nested more than 512 levels deep. Pass flatter data."},
	} {
		s := newStage(t, sandbox.DefaultLimits())
		v, err := s.eval(x.src)
		if err != nil {
			t.Errorf("%s: %s", x.src, show(v, err))
			continue
		}
		var got string
		if err := s.Try(func() {
			out, fault := s.Export(v)
			if fault != nil {
				got = fault.Error()
				return
			}
			text, err := value.Append(nil, out)
			if err != nil {
				t.Fatal(err)
			}
			got = string(text)
		}); err != nil {
			t.Fatal(err)
		}
		if got != x.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", x.src, got, x.want)
		}
	}
}

// TestImport takes plain data in and writes it out again unchanged.
func TestImport(t *testing.T) {
	const text = `{"z":1,"a":[1.5,true,null,"é"],"big":12345678901234567890,"neg":-9007199254740993,"o":{"__proto__":{"x":1},"10":1,"constructor":2},"e":[],"f":{}}`
	data, err := value.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, sandbox.DefaultLimits())
	v := s.Import(data)
	s.SetGlobal("data", v)
	for src, want := range map[string]string{
		"JSON.stringify(data)":                                          strings.Replace(text, `"__proto__":{"x":1},"10":1`, `"10":1,"__proto__":{"x":1}`, 1), // integer keys come first, as ECMA-262 says
		"typeof data.big + typeof data.z":                               "bigintnumber",
		"data.big === 12345678901234567890n":                            "true",
		"data.big > 5":                                                  "true",
		"try { data.big + 1 } catch (e) { e.message }":                  "Cannot mix BigInt and other types, use explicit conversions",
		"`${data.big}`":                                                 "12345678901234567890",
		"new Map([[data.big, 'x']]).get(12345678901234567890n)":         "x",
		"[data.big, 3, data.neg].sort((a, b) => a < b ? -1 : 1).join()": "-9007199254740993,3,12345678901234567890",
		"data.big.toLocaleString()":                                     "12,345,678,901,234,567,890",
		"Object.keys(data).join()":                                      "z,a,big,neg,o,e,f",
		"data.o.x === undefined && ({}).x === undefined":                "true",
	} {
		got, err := s.eval(src)
		if show(got, err) != want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", src, show(got, err), want)
		}
	}
	s.Import(json.Number("0.12345678901234567890123"))
	if len(s.notes) != 1 || !strings.Contains(s.notes[0], "was rounded") {
		t.Errorf("notes %q", s.notes)
	}
	if got := s.Import(new(big.Int).Lsh(big.NewInt(1), 70)); !goja.IsBigInt(got) {
		t.Errorf("2**70 became a %s", Kind(got))
	}
}

// TestImportLimit imports more than the memory limit allows.
func TestImportLimit(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Memory = 1 << 20
	s := newStage(t, l)
	rows := make([]value.Value, 10_000)
	keys := value.NewKeys("id", "name")
	for i := range rows {
		rows[i] = value.NewRow(keys, []value.Value{int64(i), "row"})
	}
	err := s.Try(func() { s.Import(rows) })
	if got := show(nil, err); got != "FAULT memory" {
		t.Errorf("got %s", got)
	}
}

// TestView says how a program's values are shown.
func TestView(t *testing.T) {
	for _, x := range []struct{ src, want string }{
		{"1", "1"},
		{"-0", "0"},
		{"2**53", "9007199254740992"},
		{"1e21", "1e+21"},
		{"0.1", "0.1"},
		{"NaN", `"NaN"`},
		{"'x'", `"x"`},
		{"undefined", "null"},
		{"10n", "10"},
		{"[1,'a',undefined,()=>1]", `[1,"a",null,"[function (anonymous)]"]`},
		{"[,1]", "[null,1]"},
		{"({a:{b:1}})", `{"a":{"b":1}}`},
		{"new Map([['a',1],[2,'b'],[{},3]])", `{"a":1,"2":"b","[object]":3}`},
		{"new Set([1,{a:2}])", `[1,{"a":2}]`},
		{"new Date(0)", `"1970-01-01T00:00:00.000Z"`},
		{"new Date(NaN)", `"Invalid Date"`},
		{"RegExp('a/b','g')", `"/a\\/b/g"`},
		{"new TypeError('bad')", `"TypeError: bad"`},
		{"class A {}; A", `"[class A]"`},
		{"Math", `"[Math]"`},
		{"Math.max", `"[function max]"`},
		{"Promise.resolve(1)", "1"},
		{"new Promise(()=>{})", `"[pending promise]"`},
		{"[1].values()", `"[Array Iterator: spread it into an array, [...it]]"`},
		{"new Map().keys()", `"[Map Iterator: spread it into an array, [...it]]"`},
		{"Symbol('q')", `"Symbol(q)"`},
		{"Object('s')", `"s"`},
		{"const a=[1]; a.push(a); a", `[1,"… (cycle)"]`},
		{"({toString(){for(;;);}, valueOf(){for(;;);}})", `{"toString":"[function toString]","valueOf":"[function valueOf]"}`},
	} {
		s := newStage(t, sandbox.DefaultLimits())
		v, err := s.eval(x.src)
		if err != nil {
			t.Errorf("%s: %s", x.src, show(v, err))
			continue
		}
		if got := elide.New(elide.Options{}).Render(s.View(v), 4096).Text; got != x.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", x.src, got, x.want)
		}
	}
}

// TestSize counts shared values once and stops at its bound.
func TestSize(t *testing.T) {
	s := newStage(t, sandbox.DefaultLimits())
	size := func(src string) int64 {
		v, err := s.eval(src)
		if err != nil {
			t.Fatal(show(v, err))
		}
		return s.Size(v, 1<<30)
	}
	one := size("'x'.repeat(100000)")
	if one < 100_000 || one > 110_000 {
		t.Errorf("a string of 100,000: %d", one)
	}
	if n := size("(() => { const o = {s: 'y'.repeat(100000)}; return [o, o, o] })()"); n > 120_000 {
		t.Errorf("one object three times: %d", n)
	}
	if n := size("(() => { const m = new Map(); for (let i = 0; i < 1000; i++) m.set(i, i); return m })()"); n < 90_000 {
		t.Errorf("a map of 1000: %d", n)
	}
	v, _ := s.eval("Array.from({length: 100000}, (_, i) => ({i}))")
	if n := s.Size(v, 5000); n < 5000 || n > 1_700_000 {
		t.Errorf("bounded at 5000: %d", n)
	}
}

// TestFaults carries a fault through a program's hands.
func TestFaults(t *testing.T) {
	s := newStage(t, sandbox.DefaultLimits())
	fault := &sandbox.Fault{Kind: sandbox.KindCapability, Message: "shop.get: no such order.", Hint: "List the orders first."}
	s.SetGlobal("fail", s.Function("fail", 0, func(goja.FunctionCall) goja.Value { s.Throw(fault); return nil }))
	s.SetGlobal("limit", s.Function("limit", 0, func(goja.FunctionCall) goja.Value {
		s.Throw(&sandbox.Fault{Kind: sandbox.KindCalls, Message: "too many calls."})
		return nil
	}))
	v, err := s.eval("let e; try { fail() } catch (x) { e = x }; [e instanceof Error, e.message, e.code, Object.keys(e).length].join('|')")
	if got := show(v, err); got != "true|shop.get: no such order. List the orders first.|capability|0" {
		t.Errorf("got %s", got)
	}
	v, err = s.eval("e")
	if err != nil || s.Fault(v.(*goja.Object)) != fault {
		t.Errorf("the fault is lost: %s", show(v, err))
	}
	v, err = s.eval("let after = 0; try { try { limit() } catch (x) { after = 1 } finally { after = 2 } } catch (x) { after = 3 }; after")
	if got := show(v, err); got != "FAULT calls" {
		t.Errorf("a limit was caught: %s", got)
	}
	v, err = s.eval("after")
	if got := show(v, err); got != "0" {
		t.Errorf("code ran after a limit: %s", got)
	}
}

// TestUnprepared reaches for names that no program mentioned.
func TestUnprepared(t *testing.T) {
	s := newStage(t, sandbox.DefaultLimits())
	key := s.vm.ToValue("to" + "Sorted").(goja.String)
	arr := s.vm.NewArray(2, 1)
	before := arr.Get("toSorted")
	s.Key(key)
	after := arr.Get("toSorted")
	if before == after || !strings.Contains(after.String(), "toSorted") {
		t.Errorf("a computed key did not install the member")
	}
	for _, name := range []string{"constructor", "__proto__", "prototype", "call", "apply", "bind", "caller", "arguments", "__defineGetter__"} {
		err := s.Try(func() { s.Key(s.vm.ToValue(name)) })
		if got := show(nil, err); !strings.HasPrefix(got, "THROWS TypeError: '"+name+"' cannot be reached") {
			t.Errorf("%s: %s", name, got)
		}
	}
	n := 0
	s.SetGlobal("twice", s.Function("twice", 0, func(goja.FunctionCall) goja.Value { n++; return s.vm.ToValue([]string{"length", "constructor"}[n-1]) }))
	v, err := s.eval("({toString() { return twice() }})")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Key(v); got.String() != "length" || n != 1 {
		t.Errorf("a key was converted %d times, to %s", n, got)
	}
}

// TestEngineMembers lists every member of the engine's prototypes: each is offered,
// or closed by the gate. A new version of the engine that adds one fails here.
func TestEngineMembers(t *testing.T) {
	vm := goja.New()
	for expr, p := range map[string]proto{
		"Object.prototype": objectProto, "Function.prototype": functionProto, "Array.prototype": arrayProto, "String.prototype": stringProto,
		"Number.prototype": numberProto, "Boolean.prototype": booleanProto, "BigInt.prototype": bigintProto, "Symbol.prototype": symbolProto,
		"Promise.prototype": promiseProto, "Error.prototype": errorProto, "Map.prototype": mapProto, "Set.prototype": setProto,
	} {
		v, err := vm.RunString("Object.getOwnPropertyNames(" + expr + ")")
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range v.Export().([]any) {
			name := x.(string)
			_, closed := sandbox.JavaScript.Blocked(name)
			if closed || name == "length" || name == "name" && (p == functionProto || p == bigintProto) || memberOf(p, name) != nil {
				continue
			}
			t.Errorf("%s.%s of the engine is neither offered nor closed", expr, name)
		}
	}
}
