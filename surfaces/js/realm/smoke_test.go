package realm

import "testing"

func TestSmoke(t *testing.T) {
	for _, src := range []string{
		"1+1", "[1,2,3].map(x=>x*2).join('-')", "JSON.stringify({a:1,b:[1,2,{c:null}],d:'x'})", "JSON.stringify(JSON.parse('[1,{\"a\":12345678901234567890}]'))",
		"[3,1,2].sort().toString()", "[3,1,2].sort((a,b)=>b-a)+''", "'abc'.replace(RegExp('b','g'), m=>m.toUpperCase())", "new Map([[1,2]]).get(1)",
		"[...new Set([1,1,2])].length", "new Date(0).toISOString()", "new Date(0)+''", "(1234.5).toLocaleString()", "Math.max(...[1,5,3])",
		"Object.entries({a:1}).flat().join()", "[...'héllo'].length", "new Error('x').message", "try { null.x } catch(e) { e instanceof TypeError }",
		"class E extends Error { constructor(m){ super(m); this.name='E' } }; new E('q') + ''", "typeof Symbol", "String(123)+Number('4')", "parseInt('12px')",
		"const r=[]; for (const [k,v] of new Map([['a',1]])) r.push(k+v); r+''", "'a-b'.split('-').length", "[1,[2,[3]]].flat(Infinity)+''",
		"Promise.resolve(1) instanceof Promise", "console.log({a:1,b:[1,2]}); 1", "structuredClone({a:[1]}).a[0]", "12345678901234567890n+''", "[].constructor", "Object.keys.x = 1", "Math.max = 1", "[].map.x=1", "Function", "eval('1')",
	} {
		s := newStage(t, limits())
		v, err := s.eval(src)
		t.Logf("%-60s %s %v", src, show(v, err), s.Output())
	}
}
