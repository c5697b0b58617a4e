package compile
import ("testing";"context")
func TestQuick(t *testing.T) {
	for _, src := range []string{"1+1","const a=1; const b=[2];\n{ count: a, ids: b }","let t=0; for (let i=0;i<10;i++) t+=i; t","const {a,...r}={a:1,b:2}; function f(x){return x*a} f(21)",
	"class A { get x(){return 5} static y = 3; z = 4; constructor(){ this.q = 1 } } const o = new A(); o.x+A.y+o.z+o.q","const k='b'; const o={a:1,[k]:2}; for (const n in o) o[n]+=1; JSON.stringify(o)",
	"let x = 5; if (x>3) { 'big' } else { 'small' }", "for (var i=0;i<3;i++) { i*2 }", "const s = `a${1}b${'x'+2}`; s", "await Promise.resolve(5)", "const f = () => 1; f.name", "async () => 7",
	"function* g(){ yield 1; yield 2 } [...g()].join()", "x => 1", "3n*4n", "const z=[3,1,2]; z.length=1; z", "9007199254740993 === 9007199254740993", "(function(){return arguments.length})(1,2)",
	"try{throw new Error('boom')}catch(e){e.message}finally{1}","switch(3){case 1:'a';break;case 3:'b';default:'c'}", "const {p=3,q:[w]=[1]}={}; p+w","/a(b)/g.test('ab')", "let q; q ??= 3; q **= 2; q", "outer: for(let i=0;i<3;i++){for(let j=0;j<3;j++){if(j==1)continue outer; if(i==2)break outer}} 'ok'"} {
		e := newEngine(t)
		p, f := Compile(src, e.options())
		if f != nil { t.Errorf("%s: %v", src, f); continue }
		v, err := e.run(context.Background(), p, testLimits())
		if err != nil { t.Errorf("%s: %v", src, err); continue }
		t.Logf("%q => %v %v", src, v, p.Notes)
	}
}
