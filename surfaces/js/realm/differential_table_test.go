package realm

// The expressions of the differential test, by builtin.
var differential = []struct {
	name        string
	expressions []string
}{
	{"array", join(
		product("%s.%s", arrays, arrayCalls),
		product("%s.%s", []string{"[3,1,2]", "[10,9,1,'b','a',undefined,null,,3]", "['é','e','z','Z','a','A']", "[true,false]", "[]", "[[2],[1,5],[1]]", "[0.1,-1,1e21,NaN]"},
			[]string{"sort()", "toSorted()", "sort((a,b)=>a-b)", "sort((a,b)=>b-a)", "toSorted((a,b)=>a>b?1:-1)", "sort((a,b)=>a>b)", "sort(()=>0)", "sort(undefined)", "sort(null)", "sort(5)", "sort().length"}),
		list(`
			Array.from({length:3})
			Array.from({length:3},(_,i)=>i*2)
			Array.from('héy')
			Array.from(new Set([1,1,2]))
			Array.from(new Map([[1,2],[3,4]]))
			Array.from([1,,3])
			Array.from(5)
			Array.from(null)
			Array.from(undefined)
			Array.from({length:'2',0:'a'})
			Array.from({length:-1})
			Array.from([1,2],5)
			Array.from([1,2,3],function(x){return x+this.k},{k:10})
			Array.of(1,2,3)
			Array.of(7)
			Array(3).length
			Array(3)
			new Array(2,3)
			new Array('3')
			new Array(-1)
			new Array(1.5)
			Array.isArray([])
			Array.isArray({length:0})
			Array.isArray('a')
			[...[1,2].entries()]
			[...[1,2].keys()]
			[...[1,,2].values()]
			[...Array(3).keys()]
			[].concat([1],2,[[3]])
			[1].concat([,2])
			[1,2,3].length
			[..."ab"].reverse().join("")
			[1,2,3].indexOf(2,-1)
			let a=[1,2,3]; a.length=1; a
			let a=[1,2,3]; a[5]=1; a
			let a=[1,2,3]; delete a[1]; a
			let a=[5,4,3,2,1]; a.sort((x,y)=>{a.length=0; return x-y}); a
			let a=[5,4,3,2,1]; a.sort((x,y)=>{a.push(9); return x-y}); a.length
			let a=[1,2,3,4]; a.map(x=>{a.pop(); return x})
			let a=[1,2,3,4]; a.filter((x,i)=>{a.splice(0,1); return true})
			let a=[1,2,3]; let r=[]; a.forEach((x,i)=>{ if(i<3) a.push(x*10); r.push(x)}); r
			let a=[1,2,3]; a.splice(1,1,'x','y'); a
			let a=[1,2,3]; [a.splice(-2), a]
			let a=[1,2,3]; [a.splice(), a]
			let a=[1,2,3]; [a.splice(undefined), a]
			let a=[1,2,3]; [a.splice(1), a]
			let a=[1,,3]; [a.splice(0,2), a]
			let a=[1,2]; [a.unshift(9,8), a]
			let a=[1,2]; [a.shift(), a]
			let a=[]; [a.shift(), a.pop(), a]
			let a=[1,2]; [a.push(3,4), a]
			let a=[1,,3]; [a.pop(), a.pop(), a]
			let a=[1,2,3,4,5]; a.copyWithin(0,3)
			let a=[1,2,3,4,5]; a.copyWithin(1,0,3)
			let a=[1,2,3,4,5]; a.copyWithin(-2,-3,-1)
			let a=[1,2,3]; a.fill(0,1)
			let a=new Array(3); a.fill([]); a[0]===a[1]
			Array(3).fill().map((_,i)=>i)
			let a=Object.freeze([3,1,2]); try { a.sort(); } catch(e) { e.name }
			let a=Object.freeze([3,1,2]); try { a.push(1); } catch(e) { e.name }
			let a=Object.freeze([1,1]); try { a.sort(); } catch(e) { e.name }
			Object.freeze([3,1,2]).toSorted()
			class A extends Array {}; let a=new A(1,2,3); [a.length, a instanceof A, a.map(x=>x) instanceof A, a.filter(x=>x>1) instanceof A, a.slice(1) instanceof A]
			class A extends Array { sum(){ return this.reduce((a,b)=>a+b,0) } }; A.from([1,2,3]).sum()
			class A extends Array { sum(){ return this.reduce((a,b)=>a+b,0) } }; A.of(1,2,3).sum()
			[1,2,3].at(-1)+[1,2,3].at(5)
			[[1,2],[3,4]].map(([a,b])=>a+b)
			[1,[2,[3,[4]]]].flat()
			[1,[2,[3,[4]]]].flat(2)
			[1,[2,[3,[4]]]].flat(Infinity)
			[1,[2,[3]]].flat(0)
			[,1,[,2]].flat()
			[1,2].flatMap(x=>[x,[x*2]])
			['a b','c'].flatMap(s=>s.split(' '))
			[1,2,3,4,5,6,7,8,9,10].lastIndexOf(3,-8)
			[NaN].includes(NaN)
			[NaN].indexOf(NaN)
			[,].includes(undefined)
			[,].indexOf(undefined)
			[1,2,3].includes(2,2)
			[-0].includes(0)
			[null,undefined,1].join('-')
			[[1,[2,3]],4].join(';')
			[{},()=>1].toString().slice(0,20)
			String([1,[2,[3]]])
			[1,2]+[3]
			let a=[1]; a.push(a); a.join()
			let a=[1]; a.push(a); String(a)
			[1234.5,new Date(0)].toLocaleString()
			[3,2,1].reduce((a,b)=>a+b)
			[].reduce((a,b)=>a+b)
			[].reduce((a,b)=>a+b, 7)
			[,,].reduce((a,b)=>a+b)
			[1,2,3].reduceRight((a,b)=>a+'-'+b)
			[1,2,3].map(parseInt)
			['1','2','3'].map(Number)
			[1,2,3].map(String)
			[0,1,'',null,'a'].filter(Boolean)
			[1,2,3].map(5)
			[1,2,3].forEach()
			[1,2,3].find('x')
			[1,2,3].with(1,9)
			[1,2,3].with(-1,9)
			[1,2,3].with(5,9)
			[1,2,3].toSpliced(1,1)
			[1,2,3].toSpliced(0,0,'a','b')
			[1,2,3].toReversed()
			let a=[{k:2,i:0},{k:1,i:1},{k:2,i:2},{k:1,i:3}]; a.sort((x,y)=>x.k-y.k).map(x=>x.i)
			let a=Array.from({length:200},(_, i)=>({k:(i*7919)%13,i})); a.sort((x,y)=>x.k-y.k).map(x=>x.i).join()
			let a=Array.from({length:100},(_, i)=>(i*7919)%101); a.sort((x,y)=>x>y).join()
			Array.from({length:500},(_, i)=>'k'+(i*7919)%499).sort().join()
			Array.from({length:40},(_, i)=>(i*7)%40).sort((a,b)=>a%3-b%3).join()
			let m=[].map; try { m(x=>x) } catch(e) { e.name }
			[1,2,3].some(x=>x>2)
			[1,2,3].every((x,i,a)=>a.length===3)
			[1,2,3].findLast(x=>x<3)
			[1,2,3].findLastIndex(x=>x>5)
			[5,1].concat().sort()
			const [a,,b=5,...c]=[1,2,undefined,4,5]; [a,b,c]
			[..."a𝒳b"]
			Math.max(...[1,2,3], ...[9])
			[1,2,3].keys().next()
			let it=[1,2].values(); [it.next(), it.next(), it.next(), it.next()]
			let it=[1,2,3].values(); it.next(); [...it]
			let n=0; for (const x of [1,2,3]) { if (x==2) continue; n+=x } n
			let r=[]; for (const [i,x] of ['a','b'].entries()) r.push(i+x); r
			let r=[]; const a=[1,2]; for (const x of a) { r.push(x); if (a.length<5) a.push(x*2) } r
		`))},
	{"string", join(
		product("%s.%s", strings_, stringCalls),
		list(`
			String.raw({raw:['a','b','c']},1,2)
			String.fromCharCode(72,105,65536+65)
			String.fromCodePoint(128512,65)
			String.fromCodePoint(-1)
			String.fromCodePoint(1.5)
			String(null)+String(undefined)+String(true)+String(12n)
			String({})+String([])+String(()=>1).length
			String(-0)
			'abc'.at(-1)
			'abc'[1]
			'abc'.length
			'😀'.length
			'😀a'.codePointAt(0)
			'😀a'.charCodeAt(1)
			[...'😀a']
			'😀a'.split('')
			'a-b-c'.split('-',2)
			'abc'.split('')
			'abc'.split()
			''.split('')
			''.split(',')
			'a1b2'.split(/\d/)
			'a1b2'.split(/(\d)/)
			'abc'.split(/(?:)/)
			'abc'.split(/(?:)/u)
			'A<B>bold</B>and<CODE>coded</CODE>'.split(/<(\/)?([^<>]+)>/)
			'a,b,c'.split(/,/,2)
			'  a b  '.split(' ')
			'ab'.split(/(?=b)/)
			'aXbxc'.split(/x/i)
			'x'.split(/x/)
			''.split(/x/)
			''.split(/(?:)/)
			'test'.replace('t','$&$&')
			'test'.replace('t',"[$$|$\x60|$']")
			'test'.replaceAll('t','T')
			'test'.replaceAll('','-')
			'test'.replace('','-')
			'aaa'.replaceAll('a',(m,i)=>i)
			'aaa'.replace(/a/g,(m,i,s)=>m+i+s.length)
			'John Smith'.replace(/(\w+)\s(\w+)/,'$2, $1')
			'John Smith'.replace(/(?<f>\w+)\s(?<l>\w+)/,'$<l>, $<f>')
			'John Smith'.replace(/(?<f>\w+)\s(?<l>\w+)/,(...a)=>JSON.stringify(a[a.length-1]))
			'abc'.replace(/(b)(x)?/,'[$1|$2|$3|$10|$0]')
			'abc'.replace(/b/,'$1')
			'abc'.replace(/(?<n>b)/,'$<x>$<n>$<n')
			'abc'.replaceAll(/b/,'x')
			'aBc'.replace(/b/i,m=>m.toLowerCase())
			'abcabc'.replace(/b/y,'x')
			'bcabc'.replace(/b/y,'x')
			'x'.replace('x',undefined)
			'x'.replace('x',()=>undefined)
			'x'.replace(undefined,'y')
			'undefined'.replace(undefined,'y')
			'x'.replace('x')
			'a.b.c'.replaceAll('.','')
			'abc'.match(/b/)
			'abc'.match(/(?<x>b)(c)?(d)?/)
			'abcabc'.match(/b/g)
			'abc'.match(/x/g)
			'abc'.match(/x/)
			'abc'.match('b').index
			'abc'.match()
			'a.c'.match('.').index
			'abc'.match(/b/d).indices
			[...'a1b22'.matchAll(/\d+/g)].map(m=>m[0]+'@'+m.index)
			[...'a1b22'.matchAll('\\d')].length
			'abc'.matchAll(/b/)
			'abc'.search(/c/)
			'abc'.search('x')
			'abc'.search()
			'aaa'.lastIndexOf('a',1)
			'aaa'.lastIndexOf('')
			'aaa'.lastIndexOf('a',-5)
			'aaa'.lastIndexOf('a',NaN)
			'abc'.includes(/b/)
			'abc'.startsWith(/a/)
			'abc'.includes()
			'undefined'.includes()
			'ab'.padStart(5,'xyz')
			'ab'.padEnd(5)
			'ab'.padStart(1)
			'ab'.padStart(5,'')
			'ab'.padEnd(6,'é')
			'ab'.repeat(0)
			'ab'.repeat(2.9)
			'ab'.repeat(-1)
			'ab'.repeat(Infinity)
			'ab'.repeat('2')
			''.repeat(1e9)
			'\u1E9B\u0323'.normalize('NFKD').length
			'é'.normalize('NFD').length
			'e\u0301'.normalize()
			'x'.normalize('foo')
			'ﬁ'.normalize('NFKC')
			'İ'.toLowerCase().length
			'ß'.toUpperCase()
			'ΑΣ'.toLowerCase()
			'ΑΣ Β'.toLowerCase()
			'ŉ'.toUpperCase()
			'ǆ'.toUpperCase()
			'ﬃ'.toUpperCase()
			'straße'.toLocaleUpperCase()
			'\ud800'.isWellFormed()
			'a😀'.isWellFormed()
			'a\ud800b'.toWellFormed().charCodeAt(1)
			'\ufeff \u00a0\u2003x\u180e'.trim().length
			'abc'.substr(-2,1)
			'abc'.substring(2,0)
			'abc'.slice(2,0)
			'abc'.concat(1,null,undefined,{})
			'abc'.valueOf()
			'abc'.toString()
			'b'.localeCompare('a')
			'a'.localeCompare('B')
			'a'.localeCompare('á')
			'a'.localeCompare('A')
			'résumé'.localeCompare('resume')
			'a'.localeCompare('a')
			'item10'.localeCompare('item9')
			'item10'.localeCompare('item9',undefined,{numeric:true})
			'a'.localeCompare('A',undefined,{sensitivity:'base'})
			'a'.localeCompare('á',undefined,{sensitivity:'base'})
			'a'.localeCompare('á','en',{sensitivity:'accent'})
			['b','a','C','A','á','Z','z','_','1','10','2',' x','-y'].sort((a,b)=>a.localeCompare(b))
			['co-op','coop','co op','CO-OP','Coop','c.o'].sort((a,b)=>a.localeCompare(b))
			['alpha','Beta','gamma','ALPHA','beta'].sort((a,b)=>a.localeCompare(b))
			['a b','ab','a_b','a-b','a.b','A b'].sort((a,b)=>a.localeCompare(b))
			['#1','@2','!3','$4','a','1','?','(','[','{','/','\\'].sort((a,b)=>a.localeCompare(b))
			['file1.txt','file10.txt','file2.txt','File3.txt'].sort((a,b)=>a.localeCompare(b,undefined,{numeric:true,sensitivity:'base'}))
			'x'.localeCompare()
			'a' < 'B'
			'\x00'.localeCompare('')
			'a\nb'.split('\n')
			'a\r\nb\n'.split(/\r?\n/)
			'%E0%A4%A'.length
			encodeURIComponent('a b&c/d?é😀!*()')
			encodeURI('http://x.y/a b?q=é&z#h')
			decodeURIComponent('%E2%82%AC%20x')
			decodeURIComponent('%')
			decodeURIComponent('%E0%A4')
			decodeURIComponent('%C0%80')
			decodeURI('%2Fa%20b%23')
			encodeURIComponent('\ud800')
			btoa('hello')
			atob('aGVsbG8=')
			atob('aGVsbG8')
			atob(' aGVs bG8= ')
			btoa('')
			btoa('\xff')
			try { btoa('é😀') } catch (e) { e.name }
			try { atob('a') } catch (e) { e.name }
			try { atob('###') } catch (e) { e.name }
			parseInt('42px')+parseInt('0x1f')+parseInt('z',36)
			parseInt('')
			parseInt('  -7')
			parseInt('1e3')
			parseInt('123',37)
			parseInt('101',2)
			parseInt(null)
			parseInt('9007199254740993')
			parseInt('123456789012345678901234567890')
			parseInt('0b11')
			parseInt('-0')
			parseInt(0.0000005)
			parseFloat('3.14abc')
			parseFloat('.5.5')
			parseFloat('-.5e-3x')
			parseFloat('1e')
			parseFloat('1e+')
			parseFloat('Infinityx')
			parseFloat('-Infinity')
			parseFloat('0x10')
			parseFloat('')
			parseFloat('1_000')
			parseFloat('-0')
			Number('')+Number(' 12 ')
			Number('12px')
			Number('0x1F')+Number('0b11')+Number('0o17')
			Number('1e1000')
			Number('-Infinity')
			Number([])+Number([5])
			Number({})
			Number(null)
			Number(undefined)
			Number(true)
			Number('1,000')
			Number('.5')
			Number('5.')
			Number('+5')
			Number('--5')
			Number(new Date(5))
			Number(10n)
			Number(2n**64n)
			isNaN('x')+isNaN('5')
			isFinite('5')+isFinite(Infinity)
		`))},
	{"number", join(
		product("(%s).%s", numbers, []string{
			"toFixed()", "toFixed(2)", "toFixed(5)", "toFixed(20)", "toPrecision()", "toPrecision(1)", "toPrecision(3)", "toPrecision(21)", "toExponential()", "toExponential(0)",
			"toExponential(3)", "toString()", "toString(2)", "toString(16)", "toString(36)", "toString(7)", "toLocaleString()", "valueOf()",
		}),
		product("(%s).toLocaleString('en-US',%s)", numbers, []string{
			"{maximumFractionDigits:0}", "{maximumFractionDigits:2}", "{minimumFractionDigits:2}", "{minimumFractionDigits:2,maximumFractionDigits:2}", "{style:'percent'}",
			"{style:'percent',maximumFractionDigits:1}", "{style:'currency',currency:'USD'}", "{style:'currency',currency:'EUR'}", "{style:'currency',currency:'JPY'}", "{style:'currency',currency:'USD',maximumFractionDigits:0}",
			"{useGrouping:false}", "{minimumIntegerDigits:3}", "{maximumSignificantDigits:3}", "{minimumSignificantDigits:3}", "{notation:'compact'}", "{notation:'compact',compactDisplay:'long'}",
			"{notation:'compact',maximumFractionDigits:1}", "{signDisplay:'always'}", "{signDisplay:'exceptZero'}", "{style:'unit',unit:'kilometer'}", "{style:'unit',unit:'byte',unitDisplay:'long'}",
		}),
		product("(%s).toLocaleString('%s')", numbers, []string{"en-GB", "de-DE", "fr-FR", "en-IN", "es-ES", "it-IT", "sv-SE", "en-CA"}),
		product("(%s).toLocaleString('%s',{style:'currency',currency:'EUR'})", []string{"1234.5", "-5", "0"}, []string{"en-GB", "de-DE", "fr-FR", "es-ES", "it-IT", "sv-SE"}),
		product("(%s).toLocaleString('%s',{style:'percent'})", []string{"0.256"}, []string{"en-GB", "de-DE", "fr-FR", "es-ES", "it-IT", "sv-SE"}),
		list(`
			(1).toFixed(101)
			(1).toFixed(-1)
			(1).toPrecision(0)
			(1).toPrecision(101)
			(1).toExponential(-1)
			(1).toString(1)
			(1).toString(37)
			(1e21).toFixed(2)
			(1.005).toFixed(2)
			(1.45).toFixed(1)
			(8.345).toFixed(2)
			(0.000001234).toString()
			(-1.5).toFixed(0)
			(2.5).toFixed(0)
			(1.25).toPrecision(2)
			(0.5).toString(2)
			(0.1).toString(3)
			(-255).toString(16)
			(1e21).toString(7)
			Number.MAX_SAFE_INTEGER
			Number.EPSILON
			Number.MIN_VALUE
			Number.isInteger(5.0)
			Number.isInteger('5')
			Number.isSafeInteger(2**53)
			Number.isNaN('x')
			Number.isFinite('5')
			Number.parseFloat===parseFloat
			Number.parseInt===parseInt
			0.1+0.2
			1/3
			1e21
			123456789012345680000
			-0
			5e-324
			1.7976931348623157e308
			(25).toString(36)
			new Intl.NumberFormat('en-US').format(1234567.891)
			new Intl.NumberFormat('en-US',{style:'currency',currency:'USD'}).format(-1234.5)
			new Intl.NumberFormat().format(12n)
			(12345678901234567890n).toLocaleString()
			(255n).toString(16)
			BigInt(10)+5n
			BigInt('0x1f')
			BigInt('  12 ')
			BigInt('1.5')
			BigInt(1.5)
			BigInt('')
			BigInt(true)
			BigInt(null)
			typeof 5n
			5n == 5
			5n === 5
			2n > 1
			10n ** 20n
			7n / 2n
			-7n % 3n
			1n + 1
			JSON.stringify({a:1n.toString()})
		`))},
	{"math", join(
		product("Math.%s(%s)", list(`
			abs
			acos
			acosh
			asin
			asinh
			atan
			atanh
			cbrt
			ceil
			clz32
			cos
			cosh
			exp
			expm1
			floor
			fround
			log
			log10
			log1p
			log2
			round
			sign
			sin
			sinh
			sqrt
			tan
			tanh
			trunc
		`), []string{"0", "-0", "0.5", "-0.5", "1", "-1", "1.5", "2.5", "-2.5", "0.1", "3", "10", "100", "1000", "1e10", "-7.77", "NaN", "Infinity", "-Infinity", "'5'", "null", "undefined", "[]", "0.49999999999999994", "2**53", "4294967295.5", "12.34", "0.001", "1e-7", "8", "1024", "27"}),
		product("Math.pow(%s,%s)", []string{"0", "-0", "2", "-2", "0.5", "10", "1", "-1", "NaN", "Infinity", "1.1", "7"}, []string{"0", "1", "2", "-1", "0.5", "10", "-3", "NaN", "Infinity", "-Infinity", "1/3", "100"}),
		product("Math.atan2(%s,%s)", []string{"0", "-0", "1", "-1", "Infinity", "3"}, []string{"0", "-0", "1", "-1", "Infinity", "-Infinity", "4"}),
		list(`
			Math.max()
			Math.min()
			Math.max(1,NaN,3)
			Math.max(-0,0)
			Math.min(0,-0)
			Math.max('3',2)
			Math.max([])
			Math.max(undefined)
			Math.hypot(3,4)
			Math.hypot()
			Math.hypot(1,2,3,4,5)
			Math.hypot(NaN,Infinity)
			Math.imul(0xffffffff,5)
			Math.imul(2,4)
			Math.PI
			Math.E
			Math.SQRT1_2+Math.LN2
			Math.sign(-3)
			Math.max(1n)
			2**10
			2**0.5
			(-8)**(1/3)
			Math.round(-0.5)
			Math.round(0.5)
			Math.round(1.4999999999999998)
			Math.round(4503599627370495.5)
			5%3
			-5%3
			5.5%2
			1<<31
			1>>>0
			-1>>>0
			Math.random()>=0&&Math.random()<1
			typeof Math.foo
		`))},
	{"json", join(
		product("JSON.stringify(%s)", jsonValues),
		product("JSON.stringify(%s,null,2)", jsonValues),
		product("JSON.stringify(%s,['a','b','length'])", jsonValues),
		product("JSON.stringify(%s,(k,v)=>typeof v==='number'?v+1:v)", jsonValues),
		product("JSON.parse(%s)", list(`
			'1'
			'-1.5e3'
			'-0'
			'"a\\u0041\\n"'
			'[1,2,[3]]'
			'{"a":1,"b":{"c":[]}}'
			' [ ] '
			'{}'
			'null'
			'true'
			''
			' '
			'undefined'
			'{a:1}'
			'[1,]'
			'{"a":1,}'
			'[1 2]'
			'{"a" 1}'
			"{'a':1}"
			'01'
			'1.'
			'.5'
			'+1'
			'-'
			'1e'
			'tru'
			'nul'
			'truex'
			'"abc'
			'"a\\x"'
			'"\\u12"'
			'"\\u12G4"'
			'"a\tb"'
			'{"a":1,"a":2}'
			'{"__proto__":1}'
			'[1,2'
			'{"a":'
			'{"a"'
			'{'
			'['
			'[1,2]x'
			'"\\ud83d\\ude00"'
			'"\\ud800"'
			'{"b":1,"a":2,"1":3,"0":4}'
			'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz'
			'{"aaaaaaaaaaaaaaaaaaaa":1,"bbbbbbbbbbbbbbbbbbbbbbb":x,"ccccccccccccccccccccc":2}'
			'[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,'
			null
			undefined
			5
			{}
			[]
			'1e400'
			'123.456'
			'0.1'
			'1E5'
			'NaN'
			'{"a":[{"b":null}]}'
		`)),
		list(`
			JSON.parse('{"a":1,"b":[1,2]}',(k,v)=>typeof v==='number'?v*2:v)
			JSON.parse('{"a":1,"b":2}',(k,v)=>k==='a'?undefined:v)
			JSON.parse('[1,2,3]',function(k,v){return Array.isArray(this)&&k==='1'?undefined:v})
			let ks=[]; JSON.parse('{"a":[1,{"b":2}]}',(k,v)=>{ks.push(k);return v}); ks
			JSON.stringify({toJSON(){return {x:1}}})
			JSON.stringify({a:{toJSON(k){return 'key:'+k}}})
			JSON.stringify({date:new Date(0)})
			let a={}; a.a=a; try { JSON.stringify(a) } catch(e) { e.message }
			let a={x:{y:[]}}; a.x.y.push(a); try { JSON.stringify(a) } catch(e) { e.message }
			class K { constructor(){ this.me={k:this} } }; try { JSON.stringify(new K) } catch(e) { e.message }
			JSON.stringify({a:[1,{b:2}],c:'x'},null,'--')
			JSON.stringify([],null,2)+JSON.stringify({},null,2)
			JSON.stringify([[]],null,2)
			JSON.stringify({a:1},null,20)
			JSON.stringify({a:1},null,'12345678901234')
			JSON.stringify('\u2028\ud800é\x7f')
			JSON.stringify({undefined:undefined,f(){},n:null})
			JSON.stringify([undefined,()=>1,NaN,Infinity,-0])
			JSON.stringify(new Map([[1,2]]))+JSON.stringify(new Set([1]))
			JSON.stringify(Object.create(null))
			JSON.stringify({b:1,a:2,1:3,0:4})
			JSON.stringify('a"b\\c\n\t\b\f\r\x01')
			JSON.stringify({a:1,b:2,c:{a:3,d:4}},['a','c'])
			JSON.stringify({1:1,2:2},[1])
			JSON.stringify(undefined)
			JSON.stringify(()=>1)
			JSON.stringify(/x/g)
			JSON.stringify(new Error('x'))
			JSON.stringify(Promise.resolve(1))
			JSON.stringify([new Date(NaN)])
			JSON.stringify({a:'é😀'})
			JSON.stringify(1e21)+JSON.stringify(1e-7)+JSON.stringify(123456789.123)
			class P { constructor(){ this.x=1 } get y(){ return 2 } z(){} }; JSON.stringify(new P)
			JSON.stringify(JSON.parse('{"a":[1,2,{"b":null}],"c":"\\u00e9"}'))
		`))},
	{"object", list(`
		Object.keys({b:1,a:2,1:3})
		Object.values({b:1,a:2,1:3})
		Object.entries({b:1,a:2,1:3})
		Object.keys('ab')
		Object.entries('ab')
		Object.values('ab')
		Object.keys([1,,3])
		Object.entries([7,8])
		Object.keys(null)
		Object.keys(undefined)
		Object.keys(5)
		Object.assign({a:1},{b:2},null,{a:3})
		Object.assign({}, 'ab')
		Object.assign({}, [1,2])
		Object.assign(null,{})
		Object.assign({a:1})
		Object.fromEntries([['a',1],['b',2]])
		Object.fromEntries(new Map([['a',1]]))
		Object.fromEntries([['a']])
		Object.fromEntries([1])
		Object.fromEntries(null)
		Object.fromEntries(Object.entries({a:1,b:2}).map(([k,v])=>[k,v*2]))
		Object.freeze({a:1})
		Object.isFrozen(Object.freeze({a:1}))
		Object.isFrozen({})
		Object.isFrozen(5)
		Object.isFrozen([])
		let o=Object.freeze({a:1}); try { o.a=2 } catch(e) { e.name+o.a }
		let o=Object.freeze({a:1}); try { o.b=2 } catch(e) { e.name+Object.keys(o) }
		let o=Object.freeze({a:{b:1}}); o.a.b=2; o
		Object.is(NaN,NaN)
		Object.is(0,-0)
		Object.is('a','a')
		Object.is()
		Object.hasOwn({a:1},'a')
		Object.hasOwn({},'toString')
		Object.hasOwn('ab',0)
		Object.hasOwn(null,'a')
		({a:1}).hasOwnProperty('a')
		({a:1}).hasOwnProperty('b')
		[1].hasOwnProperty(0)
		[1].hasOwnProperty('length')
		({a:1}).propertyIsEnumerable('a')
		({}).toString()
		[].toString()
		String(new Map)+String(new Set)+String(Promise.resolve())
		String(function f(){})
		String(class A{})
		({}).toLocaleString()
		({a:1}).valueOf()
		Object.getOwnPropertyNames({b:1,a:2})
		Object.getOwnPropertyNames([1,2])
		Object.getOwnPropertyNames('ab')
		Object({a:1})
		new Object()
		Object(5)+1
		typeof Object('x')
		Object.create(null)
		Object.seal({a:1})
		Object.isSealed(Object.seal({a:1}))
		let o=Object.seal({a:1}); o.a=2; try { delete o.a } catch(e) { e.name+o.a }
		Object.isExtensible(Object.preventExtensions({}))
		({...{a:1},b:2,...null,...'xy',...[9]})
		const {a,...r}={a:1,b:2,c:3}; r
		let {x=5,y:{z=6}={}}={}; [x,z]
		'a' in {a:1}
		0 in [1]
		'toString' in {}
		delete {a:1}.a
		let r=[]; for (const k in {b:1,a:2,0:3}) r.push(k); r
		let r=[]; for (const k in [7,8]) r.push(k); r
		let o={toString(){return 'k'}}; let m={}; m[o]=1; m
		let o={valueOf(){return 5}}; o+1
		let o={valueOf(){return 5},toString(){return 'x'}}; String(o)+o+(o*2)
		({toString(){return {}},valueOf(){return 3}})+''
		try { ({toString(){return {}},valueOf(){return {}}})+'' } catch(e) { e.name }
		class A { constructor(x){this.x=x} }; [Object.keys(new A(1)), new A(1) instanceof A, String(new A)]
		class A {}; class B extends A {}; [new B instanceof A, B.name, A.length]
		class A { static s=1; #p=2; get p(){return this.#p} }; [A.s, new A().p]
		let o={message:'x',name:'y',toString:1,valueOf:2}; o.toString=5; o.hasOwnProperty=6; [o.toString,o.hasOwnProperty]
		({}).isPrototypeOf({})
		structuredClone({a:[1,{b:new Date(5)}],m:new Map([[1,{x:1}]]),s:new Set([1])})
		let a={x:1}; a.self=a; let b=structuredClone(a); b.self===b && b!==a
		structuredClone([1,,3])
		try { structuredClone(()=>1) } catch(e) { e.name }
		try { structuredClone({f(){}}) } catch(e) { e.name }
		structuredClone(/a/g)
		structuredClone(new RangeError('x'))
		structuredClone('s')
		structuredClone(undefined)
		typeof structuredClone
		(function f(a,b){}).length
		(function f(a,b){}).name
		(()=>1).name
		const f=()=>1; f.name
		Math.max.name+Math.max.length
		[].map.name+[].map.length
		typeof Map+typeof JSON+typeof Math
		Boolean('')
		Boolean([])
		Boolean(0)+Boolean('0')
		true.toString()
		false.valueOf()
		typeof null
		[typeof 1,typeof '',typeof {},typeof [],typeof undefined,typeof (()=>1)]
		null??5
		undefined?.x
		let o={a:null}; o?.a?.b
		let o={f(){return this.v},v:3}; o.f?.()
	`)},
	{"collection", list(`
		new Map([['a',1],['b',2]])
		new Map([['a',1]]).get('b')
		new Map([[NaN,1]]).get(NaN)
		new Map([[0,'z']]).get(-0)
		new Map([[1,'n'],['1','s']]).size
		new Map(null).size
		new Map(5)
		new Map([1])
		new Map([['a',1]]).set('b',2).size
		let m=new Map([['a',1]]); [m.delete('a'), m.delete('a'), m.size]
		let m=new Map([['a',1],['b',2]]); let r=[]; m.forEach((v,k,mm)=>r.push(k,v,mm===m)); r
		let m=new Map([['a',1],['b',2]]); m.clear(); m.size
		[...new Map([['a',1]]).keys()]
		[...new Map([['a',1]]).values()]
		[...new Map([['a',1]]).entries()]
		[...new Map([['a',1]])]
		new Map([['a',1]]).has('a')
		let o={}; new Map([[o,1]]).get(o)
		let m=new Map(); for (let i=0;i<5;i++) m.set(i%2, (m.get(i%2)||0)+i); m
		let m=new Map([['x',1]]); let r=[]; for (const [k,v] of m) { r.push(k); if (m.size<4) m.set('y'+m.size,2) } r
		let m=new Map([['a',1],['b',2],['c',3]]); let r=[]; for (const [k] of m) { r.push(k); m.delete('b') } r
		new Set([1,1,'1',NaN,NaN])
		new Set('hello')
		new Set([1,2]).has(2)
		new Set([1]).add(2).add(1).size
		new Set(undefined).size
		new Set(5)
		let s=new Set([1,2,3]); [s.delete(2), [...s]]
		let s=new Set([1,2]); let r=[]; s.forEach((v,k)=>r.push(v,k)); r
		[...new Set([3,1,3])].sort()
		Array.from(new Set([1,2]),x=>x*2)
		[...new Set([1,2]).entries()]
		[...new Set([1,2]).keys()]
		let it=new Map([['a',1]]).entries(); [it.next(), it.next()]
		let it=new Set([5]).values(); [it.next(), it.next()]
		class M extends Map { get2(k){ return this.get(k)*2 } }; new M([['a',2]]).get2('a')
		class S extends Set { sum(){ return [...this].reduce((a,b)=>a+b,0) } }; new S([1,2]).sum()
		let g=new Map().get; try { g('a') } catch(e) { e.name }
		Object.fromEntries(new Map([['a',1],['b',2]]))
		JSON.stringify([...new Map([['a',1]])])
		new Map(Object.entries({a:1}))
		new Map([[1,2]]).constructor === undefined || true
		new Map(new Map([[1,2]]))
		new Set(new Set([1,2]))
		new Map([[[1],2]]).get([1])
		new Map([[10n,'x']]).get(10n)
		new Set([1,2,3]).size
	`)},
	{"date", join(
		product("new Date(%s).getTime()", dateTexts),
		product("new Date(%s).%s", []string{"0", "NaN", "1709210096789", "-1", "'2024-01-05'", "8.64e15", "-62198755200000", "253402300800000"}, list(`
			toISOString()
			toString()
			toDateString()
			toTimeString()
			toUTCString()
			toJSON()
			toLocaleString()
			toLocaleDateString()
			toLocaleTimeString()
			getTime()
			getFullYear()
			getMonth()
			getDate()
			getDay()
			getHours()
			getMinutes()
			getSeconds()
			getMilliseconds()
			getUTCDay()
			getTimezoneOffset()
			getYear()
			valueOf()
			setFullYear(2020)
			setMonth(0,15)
			setDate(0)
			setDate(31)
			setHours(25)
			setMinutes(90,5)
			setSeconds(61)
			setMilliseconds(-1)
			setMonth()
			setUTCHours(1,2,3,4)
			setTime(5)
			setFullYear(2024,1,30)
		`)),
		product("new Date(%s).toLocaleDateString(%s)", []string{"1709210096789", "'2024-01-05T03:04:05Z'"}, dateFormats),
		product("new Date(%s).toLocaleTimeString(%s)", []string{"1709210096789", "'2024-01-05T00:04:05Z'", "'2024-01-05T12:00:00Z'"}, clockFormats),
		product("new Date(%s).toLocaleString(%s)", []string{"1709210096789", "'2024-01-05T03:04:05Z'"}, join(dateFormats, clockFormats)),
		list(`
			new Date(2024,0,31).toISOString()
			new Date(2024,1,31).toISOString()
			new Date(99,0).getFullYear()
			new Date(100,0).getFullYear()
			new Date(2024,0,1,10,20,30,400).toJSON()
			new Date(2024,12).getMonth()
			new Date(2024,NaN).getTime()
			new Date(undefined).getTime()
			new Date(null).getTime()
			new Date(true).getTime()
			new Date('').getTime()
			new Date(new Date(5)).getTime()
			new Date([2024,1,5]).getTime()
			new Date({}).getTime()
			new Date('2024','1').getTime()
			Date.UTC(2024,1,29)
			Date.UTC(2024)
			Date.UTC()
			Date.UTC(99)
			Date.parse('x')
			typeof Date.now()
			new Date(5)-new Date(3)
			new Date(5)+1
			new Date(5)>new Date(3)
			+new Date(7)
			new Date(7)==7
			new Date(5)<=5
			String(new Date(NaN))
			JSON.stringify(new Date(NaN))
			new Date(NaN).toISOString()
			new Date(8.64e15+1).getTime()
			Math.round((new Date('2024-03-10')-new Date('2024-02-28'))/864e5)
			new Date('2024-01-31').setMonth(1)
			let d=new Date(0); d.setDate(d.getDate()+40); d.toISOString()
			let d=new Date(0); d.foo=1; d.foo
			new Date(0) instanceof Date
			Object.keys(new Date(0))
			[new Date(3),new Date(1)].sort((a,b)=>a-b).map(d=>d.getTime())
			new Date(2019,0,1).toLocaleDateString('en-US',{timeZone:'America/New_York'})
			new Date(1709210096789).toLocaleString('en-US',{timeZone:'America/New_York'})
			new Date(1709210096789).toLocaleString('en-US',{timeZone:'Asia/Tokyo'})
			new Date(1709210096789).toLocaleString('en-US',{timeZone:'Europe/Berlin',timeZoneName:'short'})
			new Date(1709210096789).toLocaleString('en-US',{timeZone:'America/New_York',timeZoneName:'short'})
			new Date(1709210096789).toLocaleString('en-US',{timeZone:'Nope/Zone'})
			new Intl.DateTimeFormat('en-US').format(new Date(0))
			new Intl.DateTimeFormat('en-US',{month:'long',year:'numeric'}).format(0)
			new Intl.DateTimeFormat('en-US',{dateStyle:'medium'}).format(new Date(0))
			new Date('2024-01-05T10:00:00').toISOString()
			new Date('2024-01-05T10:00:00+02:00').toISOString()
			(new Date(0))[0]
			class D extends Date { y(){ return this.getFullYear() } }; new D(0).y()
		`))},
	{"regexp", list(`
		/a/.test('cat')
		/a/g.exec('banana').index
		let re=/a/g; [re.test('aa'), re.lastIndex, re.test('aa'), re.lastIndex, re.test('aa'), re.lastIndex]
		let re=/a/y; [re.test('ba'), re.lastIndex]
		let re=/a/y; re.lastIndex=1; [re.test('ba'), re.lastIndex]
		let re=/a/g; re.lastIndex=5; [re.exec('aa'), re.lastIndex]
		let re=/(\d+)/g, m, r=[]; while ((m=re.exec('a1b22'))) r.push(m[1]+m.index); r
		/(?<y>\d{4})-(?<m>\d\d)/.exec('2024-05').groups.y
		/(?<y>\d{4})-(?<m>\d\d)/.exec('2024-05')
		/(a)|(b)/.exec('b')
		/x/.exec('y')
		/a/gi.flags
		/a/dgimsuy.flags
		/a\/b/.source
		new RegExp('/').source
		new RegExp('').source
		new RegExp('\n').source
		String(new RegExp('a/b','g'))
		new RegExp(/a/g)
		new RegExp(/a/g,'i')
		new RegExp('(')
		new RegExp('a','z')
		new RegExp('a','gg')
		new RegExp('[z-a]')
		new RegExp('a{2,1}')
		new RegExp('*')
		RegExp('a').test('a')
		/a/ instanceof RegExp
		/\u{1F600}/u.test('😀')
		/^.$/u.test('😀')
		/^.$/.test('😀')
		/\p{L}+/u.exec('héllo wörld')[0]
		/\p{Lu}/u.test('a')
		/a.c/s.test('a\nc')
		/^b/m.test('a\nb')
		/(?<=\$)\d+/.exec('cost $42')[0]
		/(?<!a)b/.test('ab')
		/(\w)\1/.exec('hello')[0]
		/a/.toString()
		/a/.global
		/a/g.global
		/a/.ignoreCase
		/a/s.dotAll
		/a/.lastIndex
		/a/.unicode+'|'+/a/u.unicode
		/a/.sticky
		/a/.multiline
		/a/d.hasIndices
		/a(?<n>b)?/d.exec('ab').indices.groups.n
		/a/.test()
		/undefined/.test()
		/null/.test(null)
		'aaa'.replace(/a*?/g,'x')
		'abc'.replace(/(?:)/g,'-')
		'😀'.replace(/(?:)/g,'-').length
		'😀'.replace(/(?:)/gu,'-').length
		Object.keys(/a/)
		JSON.stringify(/a/)
		let re=/a/g; 'aXa'.replace(re,()=>{re.lastIndex=99;return 'b'})+re.lastIndex
		let re=/b/g; re.lastIndex=1; 'bb'.replace(re,'x')+re.lastIndex
		let re=/b/g; re.lastIndex=1; ['bb'.match(re), re.lastIndex]
		let re=/b/g; re.lastIndex=1; [[...'bb'.matchAll(re)].length, re.lastIndex]
		let re=/b/g; re.lastIndex=1; ['ab'.search(re), re.lastIndex]
		let re=/,/g; re.lastIndex=3; ['a,b'.split(re), re.lastIndex]
		/[\s\S]/.test('\n')
		/\bfoo\b/.test('a foo b')
		/[^]/.test('x')
		/(?:a|b)+/.exec('abab')[0]
		/a{2,3}/.exec('aaaa')[0]
		/^[\w.]+@[\w.]+\.\w+$/.test('a.b@c.de')
		/\d{3}-\d{4}/.exec('call 555-1234 now').index
	`)},
	{"symbol", list(`
		typeof Symbol('x')
		Symbol('x').toString()
		Symbol('x').description
		Symbol().description
		String(Symbol('q'))
		try { ''+Symbol('q') } catch(e) { e.name }
		Symbol.for('a')===Symbol.for('a')
		Symbol.keyFor(Symbol.for('a'))
		Symbol('a')===Symbol('a')
		const s=Symbol('k'); const o={[s]:1,b:2}; [o[s], Object.keys(o), JSON.stringify(o), s in o]
		const s=Symbol('k'); ({...{[s]:1}})[s]
		const s=Symbol('k'); Object.assign({},{[s]:1})[s]
		const s=Symbol('k'); Object.getOwnPropertySymbols({[s]:1,b:2}).length
		class C { *[Symbol.iterator]() { yield 1; yield 2 } }; [...new C()]
		class C { [Symbol.iterator]() { let n=0; return { next: () => ({ done: n>=3, value: n++ }) } } }; Array.from(new C())
		class C { [Symbol.iterator]() { let n=0; return { next: () => ({ done: n>=3, value: n++ }) } } }; new Set(new C())
		class C { [Symbol.iterator]() { let n=0; return { next: () => ({ done: n>=3, value: n++ }) } } }; const [a,...b]=new C(); [a,b]
		const o={[Symbol.toPrimitive](h){ return h==='number'?5:h }}; [+o, o*2, String(o), o+'']
		const o={[Symbol.toStringTag]:'Tag'}; String(o)
		class E { static [Symbol.hasInstance](x) { return x===1 } }; [1 instanceof E, 2 instanceof E]
		function* g(){ const x=yield 1; yield x*2 }; const it=g(); [it.next(), it.next(5), it.next()]
		function* g(){ try { yield 1 } finally { yield 9 } }; const it=g(); it.next(); [it.return(3), it.next()]
		function* inf(){ let n=0; while(true) yield n++ }; const r=[]; for (const x of inf()) { if (x>3) break; r.push(x) } r
		[...(function*(){ yield* [1,2]; yield* 'ab' })()]
		Object.fromEntries((function*(){ yield ['a',1] })())
		Math.max(...(function*(){ yield 3; yield 7 })())
		[1,2][Symbol.iterator]().next()
		new Map([[1,2]])[Symbol.iterator]().next().value
		BigInt.asUintN(8,300n)
		BigInt.asIntN(8,200n)
		BigInt.asIntN(64,2n**63n)
		BigInt.asUintN(64,-1n)
		BigInt.asIntN(0,5n)
		typeof queueMicrotask
	`)},
	{"error", list(`
		new Error('x')
		Error('x')
		new Error().message
		new Error(undefined).message
		new Error(5).message
		new Error('a',{cause:'b'}).cause
		new Error('a',{}).cause
		'cause' in new Error('a',{cause:undefined})
		new TypeError('t') instanceof Error
		new TypeError('t').name
		new RangeError('r')+''
		new AggregateError([1,2],'m').errors
		new AggregateError([1],'m').message
		String(new Error('x'))
		String(new Error(''))
		class V extends Error { constructor(m){ super(m); this.name='V'; this.extra=1 } }; let e=new V('q'); [e.name,e.message,e instanceof V,e instanceof Error,String(e),Object.keys(e)]
		class V extends Error {}; let e=new V('q'); [e.name,String(e),e instanceof V]
		class V extends TypeError { get name(){ return 'VV' } }; String(new V('q'))
		try { null.foo } catch(e) { e.name }
		try { undefinedVariable } catch(e) { e.name+e.message }
		try { (void 0)() } catch(e) { e instanceof TypeError }
		try { throw 5 } catch(e) { e }
		try { throw {a:1} } catch(e) { e }
		try { new Array(-1) } catch(e) { e.name+e.message }
		try { JSON.parse('{') } catch(e) { e.name }
		try { decodeURIComponent('%') } catch(e) { e.name+': '+e.message }
		try { 'x'.repeat(-1) } catch(e) { [e instanceof RangeError, e.message] }
		try { const a=1; a=2 } catch(e) { e.name }
		let e=new Error('x'); e.message='y'; e.name='Z'; String(e)
		let e=new Error('x'); e.code=5; [e.code, Object.keys(e)]
		Object.keys(new Error('x'))
		JSON.stringify(new Error('x'))
		new Error('x').toString()
		Error.prototype===undefined
		typeof Error.captureStackTrace
		let e=new Error('a',{cause:new Error('b')}); e.cause.message
		try { [].reduce((a,b)=>a) } catch(e) { e.message }
		typeof new Error('x').stack
		new EvalError('x') instanceof EvalError
		new URIError('x').name
		new SyntaxError('x')+''
		new ReferenceError('x')+''
		let e=new Error('m'); e.toString=()=>'custom'; String(e)
		try { throw new TypeError('t') } catch({name,message}) { name+message }
	`)},
}

var arrays = []string{"[1,2,3,2,1]", "[]", "['b','a',,'c']", "[[1],[2,[3]]]", "[NaN,0,-0,null,undefined]"}

var arrayCalls = list(`
	map(x=>x)
	map((x,i)=>i)
	filter(x=>x)
	filter((x,i)=>i%2)
	forEach(x=>x)
	find(x=>x)
	findIndex(x=>x==2)
	findLast(x=>x)
	findLastIndex(x=>x)
	some(x=>x)
	every(x=>x)
	reduce((a,b)=>a+b,'')
	reduceRight((a,b)=>a+b,'')
	flat()
	flatMap(x=>[x,x])
	join()
	join('')
	join('-')
	join(undefined)
	join(null)
	indexOf(2)
	indexOf(2,2)
	indexOf(2,-2)
	lastIndexOf(2)
	lastIndexOf(1,-2)
	includes(NaN)
	includes(undefined)
	includes(0)
	slice()
	slice(1)
	slice(-2)
	slice(1,-1)
	slice('1','3')
	slice(5,1)
	concat([9])
	concat(9,[8,[7]])
	reverse()
	toReversed()
	at(0)
	at(-1)
	at(9)
	at('1')
	fill(0)
	fill(0,1,2)
	fill(0,-1)
	keys().next()
	entries().next().value
	toString()
	toSorted()
	toSpliced(1,1,'x')
	with(0,'w')
	copyWithin(0,1)
	push(9)
	unshift(9)
	pop()
	shift()
	splice(1,1)
	splice(0,0,1,2)
	length
`)

var strings_ = []string{"'hello world'", "''", "'aXbXc'", "'héllo wörld'", "'😀 emoji 😀'", "'  padded\\t\\n'", "'ABC'"}

var stringCalls = list(`
	charAt(1)
	charAt(-1)
	charAt()
	charCodeAt(1)
	codePointAt(0)
	at(-1)
	at(99)
	concat('x',1)
	endsWith('d')
	endsWith('o',5)
	includes('l')
	includes('l',9)
	indexOf('l')
	indexOf('l',4)
	indexOf('')
	indexOf('',99)
	lastIndexOf('l')
	lastIndexOf('l',3)
	localeCompare('hello')
	match(/l/g)
	match(/(l)(.)/)
	normalize()
	padEnd(15,'.')
	padStart(15)
	repeat(2)
	replace('l','L')
	replace(/l/g,'L')
	replace(/(.)l/,'$1$1')
	replaceAll('l','L')
	replaceAll('X','')
	search(/o/)
	slice(1)
	slice(-3)
	slice(1,-1)
	slice(3,1)
	split('')
	split('l')
	split('X')
	split(/o/)
	split(' ',1)
	startsWith('he')
	startsWith('l',2)
	substring(3,1)
	substring(-1,2)
	substr(1,2)
	substr(-3)
	toLowerCase()
	toUpperCase()
	toLocaleUpperCase()
	trim()
	trimStart()
	trimEnd()
	valueOf()
	toString()
	length
	isWellFormed()
`)

var numbers = []string{"0", "-0", "1", "-1", "0.5", "1234.5678", "-1234.5", "1e21", "123456789", "1e-7", "0.000001", "99.995", "1.005", "NaN", "Infinity", "-Infinity", "255", "0.1", "1e6", "1.5e9", "999999", "1234567890123", "2.345", "12", "0.05", "1500", "0.285", "950000", "-0.001"}

var jsonValues = list(`
	null
	true
	0
	-0
	1.5
	'x'
	[]
	{}
	[1,[2,{a:3}]]
	{a:1,b:{c:[1,2],d:null},e:undefined}
	{a:NaN,b:Infinity}
	undefined
	()=>1
	[undefined]
	new Date(0)
	'é\u2028'
	{'a b':1,'':2}
	[[],{},'',0]
	{a:{b:{c:{}}}}
	new Map([[1,2]])
	Object('s')
	Object(5)
	[new Set([1])]
`)

var dateTexts = list(`
	'2024'
	'2024-01'
	'2024-01-05'
	'2024-13-01'
	'2024-02-30'
	'2024-1-5'
	'2024-01-05T10:20'
	'2024-01-05T10:20:30'
	'2024-01-05T10:20:30Z'
	'2024-01-05T10:20:30.5Z'
	'2024-01-05T10:20:30.123456Z'
	'2024-01-05T10:20:30+02:00'
	'2024-01-05T10:20:30-0530'
	'2024-01-05T24:00:00Z'
	'2024-01-05T24:00:01Z'
	'2024-01-05T10'
	'2024-01-05T10:20:30+25:00'
	'2024-01-05 10:20:30'
	'2024-01-05 10:20'
	'2024-01-05 10:20:30Z'
	'2024-01-05 10:20:30 UTC'
	'2024-01-05 10:20:30.123'
	'2024-01-05 10:20:30+02'
	'2024/01/05'
	'2024/1/5 10:20'
	'01/05/2024'
	'1/5/24'
	'1/5/2024 3:04 PM'
	'1/5/2024, 3:04:05 PM'
	'13/01/2024'
	'Jan 5, 2024'
	'January 5, 2024'
	'5 January 2024'
	'5 Jan 2024 10:00'
	'Jan 5 2024 10:00 GMT+0200'
	'Fri, 05 Jan 2024 10:00:00 GMT'
	'Fri Jan 05 2024 10:00:00 GMT+0000 (Coordinated Universal Time)'
	'Friday, January 5, 2024'
	'Jan 2024'
	'2024 Jan 5'
	'Jan 5'
	'January'
	'2024-Jan-05'
	'05-Jan-2024'
	'5-1-2024'
	'01-05-2024'
	'2024.01.05'
	'10:20'
	'12/25/1995'
	'Dec 25, 1995'
	'Mon, 25 Dec 1995 13:30:00 +0430'
	'Sat, 02 Mar 2024 12:00:00 EST'
	'Mar 2, 2024 12:00 PST'
	'tomorrow'
	'now'
	'2024-01-05T'
	'20240105'
	'1704445200000'
	'1704445200'
	'+002024-01-05T00:00:00Z'
	'-000001-01-01T00:00:00Z'
	'-000000-01-01T00:00:00Z'
	'2024-06-15T12:00:00.000+00:00'
	' 2024-01-05 '
	'2024-01-05T10:20:30z'
	'2024-01-05t10:20:30Z'
	'Jan 32 2024'
	'Feb 30 2024'
	'2024-00-01'
	'12:30 Jan 5 2024'
	'Jan 5 2024 12:30 AM'
	'Jan 5 2024 13:30 PM'
	'Jan 5 2024 12:30pm'
	'1 2 3'
	'1/2'
	'99/12/31'
	'2024-01-05 (comment) 10:00'
	'Sept 5 2024'
	'Thu, 29 Feb 2024 12:34:56 GMT'
	'2024W01'
	'Q1 2024'
	'2024-01-05T10:20:30.Z'
	'foo 2024'
	'foo2024'
	'2024 foo'
	0
	1704445200000
	-1
	1.9
	-1.9
	NaN
	Infinity
	8.64e15
	8.64e15+1
`)

var dateFormats = list(`
	'en-US'
	undefined
	'en-US',{year:'numeric'}
	'en-US',{month:'long'}
	'en-US',{month:'short'}
	'en-US',{month:'numeric'}
	'en-US',{month:'2-digit'}
	'en-US',{day:'numeric'}
	'en-US',{day:'2-digit'}
	'en-US',{weekday:'long'}
	'en-US',{weekday:'short'}
	'en-US',{month:'long',day:'numeric'}
	'en-US',{month:'short',day:'numeric'}
	'en-US',{month:'numeric',day:'numeric'}
	'en-US',{month:'2-digit',day:'2-digit'}
	'en-US',{month:'long',year:'numeric'}
	'en-US',{month:'short',year:'numeric'}
	'en-US',{month:'short',year:'2-digit'}
	'en-US',{month:'numeric',year:'numeric'}
	'en-US',{month:'2-digit',year:'numeric'}
	'en-US',{year:'numeric',month:'long',day:'numeric'}
	'en-US',{year:'numeric',month:'short',day:'numeric'}
	'en-US',{year:'numeric',month:'short',day:'2-digit'}
	'en-US',{year:'numeric',month:'2-digit',day:'2-digit'}
	'en-US',{year:'numeric',month:'numeric',day:'numeric'}
	'en-US',{year:'2-digit',month:'numeric',day:'numeric'}
	'en-US',{weekday:'long',year:'numeric',month:'long',day:'numeric'}
	'en-US',{weekday:'short',year:'numeric',month:'short',day:'numeric'}
	'en-US',{weekday:'short',month:'short',day:'numeric'}
	'en-US',{weekday:'long',month:'long',day:'numeric'}
	'en-US',{weekday:'short',month:'numeric',day:'numeric'}
	'en-US',{weekday:'long',day:'numeric'}
	'en-US',{dateStyle:'full'}
	'en-US',{dateStyle:'long'}
	'en-US',{dateStyle:'medium'}
	'en-US',{dateStyle:'short'}
	'en-US',{timeZone:'UTC'}
	'en-GB'
	'en-GB',{day:'numeric',month:'long',year:'numeric'}
	'en-GB',{day:'numeric',month:'short',year:'numeric'}
	'en-GB',{weekday:'long',day:'numeric',month:'long',year:'numeric'}
	'en-GB',{weekday:'short',day:'numeric',month:'short'}
	'en-CA'
	'sv-SE'
	'de-DE'
	'fr-FR'
	'es-ES'
	'it-IT'
	'en-IN'
`)

var clockFormats = list(`
	'en-US'
	'en-US',{hour:'numeric'}
	'en-US',{hour:'2-digit'}
	'en-US',{hour:'numeric',minute:'2-digit'}
	'en-US',{hour:'2-digit',minute:'2-digit'}
	'en-US',{hour:'2-digit',minute:'2-digit',hour12:false}
	'en-US',{hour12:false}
	'en-US',{hourCycle:'h23'}
	'en-US',{hour:'2-digit',minute:'2-digit',second:'2-digit',hourCycle:'h23'}
	'en-US',{hour:'numeric',minute:'numeric',hour12:true}
	'en-US',{minute:'2-digit',second:'2-digit'}
	'en-US',{minute:'numeric'}
	'en-US',{second:'numeric'}
	'en-US',{timeStyle:'short'}
	'en-US',{timeStyle:'medium'}
	'en-US',{timeStyle:'long'}
	'en-US',{timeZoneName:'short'}
	'en-US',{hour:'numeric',minute:'2-digit',second:'2-digit',fractionalSecondDigits:3}
	'en-GB'
	'en-GB',{hour:'2-digit',minute:'2-digit'}
	'de-DE'
	'sv-SE'
`)
