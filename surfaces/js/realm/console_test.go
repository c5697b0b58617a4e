package realm

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
)

// printed are arguments of console.log.
var printed = list(`
	1, 'a', true, null, undefined
	'a', 'b c'
	{a:1,b:'x'}
	{a:{b:{c:{d:1}}}}
	[[[[1]]]]
	[1,2,3]
	['a','b']
	[]
	{}
	[undefined,null,,3]
	[,,]
	{a:[1,2,{b:3}]}
	new Map([['a',1],['b',{c:2}]])
	new Map()
	new Set([1,'a'])
	new Set()
	[new Map([[1,2]])]
	new Date(0)
	new Date(NaN)
	[new Date(0)]
	/a/g
	()=>1
	function foo(){}
	class A {}
	class A extends Map {}
	[()=>1, function foo(){}, class A {}]
	async()=>1
	Math.max
	-0
	[-0,0]
	10n
	[1.5,NaN,Infinity]
	Symbol('x')
	{[Symbol('k')]:1}
	{'a b':1,'c-d':2,3:4}
	{s:"it's"}
	{s:'say "hi"'}
	{s:'\n\t\\'}
	'multi\nline'
	['multi\nline']
	{toString(){return 'x'}}
	new (class Foo { constructor(){ this.x=1 } })()
	new (class Foo {})()
	Object.create(null)
	Promise.resolve(5)
	new Promise(()=>{})
	[Promise.resolve([1])]
	Array.from({length:10},(_, i)=>i)
	Array.from({length:30},(_, i)=>i*1000)
	Array.from({length:101},(_, i)=>i)
	Array.from({length:120},(_, i)=>'item'+i)
	Array.from({length:7},(_, i)=>'x'.repeat(i))
	Array.from({length:27},(_, i)=>({id:i}))
	['apple','banana','cherry','date','elderberry','fig','grape']
	[1,22,333,4444,55555,666666,7777777]
	[1.5,2.25,3,4,5,6,7,8]
	[true,false,true,false,true,false,true]
	{a:'x'.repeat(70)}
	{a:'x'.repeat(80)}
	{aaaaaaaaaaaaaaaaaaaa:1,bbbbbbbbbbbbbbbbbbbbbbbbbb:2,cccccccccccccccccccccc:3,dddddddddd:4}
	[{id:1,name:'alpha',tags:['x','y']},{id:2,name:'beta',tags:[]}]
	{rows:[{id:1,name:'alpha',owner:{login:'ann',team:{name:'core'}}}],total:1}
	{a:1,b:{c:[1,2,3,[4,[5]]]},d:new Map([[{x:1},'y']])}
	[[1,2,[3,4]],[5,6]]
	{list:Array.from({length:12},(_, i)=>i)}
	{a:undefined,b:null,f(){},g:()=>1}
	'%s is %d years', 'Bob', 42
	'%i %f', 3.7, '2.5'
	'%j', {a:1}
	'%%', 1
	'%s', {a:1}
	'100%', 5
	'%c styled', 'color: red'
	'a', {b:1}, [2]
	'x%sy', 1, 2
	'%s'
	[['a',1],['b',2]]
	Object.entries({a:1,b:2})
	'é😀', ['é😀']
	[null]
	{a:{}}
	{a:[]}
	{a:{b:{}}}
	{a:{b:{c:{}}}}
	[[[]]]
	[[[[]]]]
	new Map([['k',new Map([['j',1]])]])
	new Set([[1,2]])
	[1,2,3].entries()
	Object('s')
	Object(5)
	[Object(true)]
	Object.assign([1,2],{x:1})
	Object.assign(()=>1,{x:1})
	{error:null,code:'E_X',nested:{message:'bad thing happened',status:404,details:['one','two','three']}}
	{count:3,ids:['a1','b2','c3'],ok:true,ratio:0.25}
	{a:'line1\nline2'}
	{x:'a'.repeat(200)}
	Array(3)
	[,1,,2,,,]
	{a:Array(2)}
	Array.from({length:3},(_, i)=>Array.from({length:3},(_, j)=>i*j))
	Array.from({length:8},(_, i)=>[i,'n'+i])
	'a'.repeat(100), 'b'
	[-1,-22,333,-4444,5,6,7]
	['a','bb','ccc','dddd','eeeee','ffffff','ggggggg','hhhhhhhh','iiiiiiiii','jjjjjjjjjj']
	{get:1,set:2,'':3}
	new Map(Array.from({length:5},(_, i)=>['key'+i,{value:i,label:'label number '+i}]))
	new Set(Array.from({length:20},(_, i)=>'member-'+i))
	{m:new Map([['a',[1,2]]]),s:new Set([1]),d:new Date(0),r:/x/,n:null}
`)

// TestPrinted holds what console.log prints against Node's.
func TestPrinted(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node here")
	}
	in, err := json.Marshal(printed)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "testdata/printed.js")
	cmd.Stdin = bytes.NewReader(in)
	cmd.Env = append(os.Environ(), "TZ=UTC")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, src := range printed {
		var want string
		if err := json.Unmarshal([]byte(lines[i]), &want); err != nil {
			t.Fatal(err)
		}
		s := newStage(t, sandbox.DefaultLimits())
		v, err := s.eval("console.log(" + src + ")")
		if err != nil {
			t.Errorf("%s: %s", src, show(v, err))
			continue
		}
		if got := strings.Join(s.Output(), "\n"); got != want {
			t.Errorf("%s\n%s\nwant\n%s", src, got, want)
		}
	}
}
