package compile

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
)

// pieces are what the parser, the walks or the engine's compiler might recurse
// into, read twice or evaluate, when a program is made of many of them.
var pieces = []string{
	"!", "- -", "typeof ", "await ", "new ", "delete ", "++", "a=", "a=>", "async a=>", "a?b:", "a?", "a**", "a<", "a in ", "a instanceof ", "if(a)", "if(a)b;else ",
	"if(a){}else ", "while(a)", "do ", "for(;;)", "for(a of b)", "a:", "(", "[", "{", "`${", ".b", "a?.b", "a+", "a,", "a;", "a\n", "a||", "a??", "1+", "1||", "1&&", "0||",
	"null??", "1||1&&", "'a'+", "!1||", "function(){", "()=>{", "(a=", "(a=(", "({a=", "[a=", "({a:", "f(", "f(a,", "a[", "a[0]", "a()", "a`b`", "a`${b}`", "class A{",
	"class A extends ", "class A{a=", "class A{[a", "class A{static{", "try{", "try{}catch{", "switch(a){case ", "var a=", "let a", "const {a,", "/a/,", "/*", "//", "'", "\"", "`",
	"{a:1},", "{...", "[...", "f(...", "yield ", "function*a(){yield ", "async(a=", "async(", "import(", "export ", "a!", "a as ", "a<b>(", "x:y|", "interface A{", "type A=", "<a>",
	"&lt;", "1n*", "2n**", "1n<<", "0x", "=>", "...", "?.", "@a ", "\u2028", "é", "==", "}", "]", ")", "async\n", "get a(){", "static ", "if(0){", "while(0){", "false?1:", "x=y=z=",
	"a=>{", "a=>(", "[a]=[", "({a}=", "(a,b)=>(", "(a)=>a,", "(a=()=>", "(a=>a,b=", "a??(", "(1||", "!(1||", "({a(){", "({[a", "({get ", "({async a(){", "a:{", "b:while(1)", "else ",
	"throw ", "return ", "super(", "function a(b=", "function a({b=", "class{constructor(){", "(class extends ", "a?.[", "a?.(", "a.b=c.d=", "a[b]=c[d]=", "1<<", "a*b*", "9999999999999999999,",
}

// TestHostilePrograms compiles programs made to overflow a stack, to be read
// exponentially often, or to be evaluated while they are compiled. That the test
// ends is what it holds, and that no fault is ours.
func TestHostilePrograms(t *testing.T) {
	check := func(src string) {
		t.Helper()
		if _, f := Compile(src, Options{}); f != nil && f.Kind == sandbox.KindInternal {
			t.Errorf("%q…: %v", src[:min(len(src), 40)], f.Cause)
		}
	}
	const full = 63 << 10
	for _, p := range pieces {
		for _, around := range [][2]string{{"", ""}, {"x=", "a"}, {"f(()=>{", "})"}} {
			check(around[0] + strings.Repeat(p, full/len(p)) + around[1])
			check(around[0] + closedUp(strings.Repeat(p, 150)+"a") + around[1])
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var b strings.Builder
		for b.Len() < 4000 {
			p := pieces[rng.IntN(len(pieces))]
			b.WriteString(strings.Repeat(p, 1+rng.IntN(40)))
		}
		check(b.String())
		check(closedUp(b.String()))
	}
}

// closedUp closes the brackets that a text leaves open.
func closedUp(src string) string {
	var open []string
	for i := range len(src) {
		switch src[i] {
		case '(':
			open = append(open, ")")
		case '[':
			open = append(open, "]")
		case '{':
			if i > 0 && src[i-1] == '$' {
				open = append(open, "}`")
			} else {
				open = append(open, "}")
			}
		case ')', ']', '}':
			open = open[:max(0, len(open)-1)]
		}
	}
	var b strings.Builder
	b.WriteString(src)
	for i := len(open) - 1; i >= 0; i-- {
		b.WriteString(open[i])
	}
	return b.String()
}

// TestBounds holds that each bound is told in its own words.
func TestBounds(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"brackets", strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300), "nested more than 200 deep"},
		{"arrows", "(a=(b=(c=(d=(e)=>1)=>1)=>1)=>1)=>1", "parameter lists"},
		{"pending", strings.Repeat("!", 2000) + "1", "nested too deeply"},
		{"bodies", strings.Repeat("if(a)", 1500) + "b", "statements are nested too deeply"},
		{"sum", strings.Repeat("a+", 4000) + "b", "too long"},
		{"members", "a" + strings.Repeat(".b", 4000), "too long"},
		{"functions", strings.Repeat("a=>", 100) + "b", "functions are nested too deeply"},
		{"size", strings.Repeat("a;", 64<<10), "at most 65536"},
	} {
		_, f := Compile(c.src, Options{})
		if f == nil || !strings.Contains(f.Message, c.want) {
			t.Errorf("%s: %v", c.name, f)
		}
	}
	for _, ok := range []string{
		strings.Repeat("if(a){b()}else ", 300) + "c()", "x=" + strings.Repeat("'a'+\n", 1000) + "'b'",
		strings.Repeat("(", 190) + "1" + strings.Repeat(")", 190), "[" + strings.Repeat("-1,", 20000) + "]",
		strings.Repeat("const f = x => x ? y : z\n", 1) + strings.Repeat("f(x => !x ? -y : z)\n", 2000), strings.Repeat("a = b\n", 1000),
	} {
		if _, f := Compile(ok, Options{}); f != nil {
			t.Errorf("%q…: %v", ok[:20], f)
		}
	}
}
