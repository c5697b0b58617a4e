package compile

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// limitOf runs a program and gives the kind of limit that ended it, "" if none
// did, with what was printed.
func limitOf(t *testing.T, source string, limits func(*sandbox.Limits)) (sandbox.Kind, string) {
	t.Helper()
	m := NewMachine()
	out := &printed{}
	m.T.Printer = out
	meter := newMeter(t, limits)
	m.Begin(meter)
	p, err := m.Compile(source, Options{})
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	o := p.Run()
	if o.Raised == nil || o.Raised.Limit == nil {
		if o.Raised != nil {
			out.WriteString(o.Raised.Describe(m.T))
		}
		return "", out.String()
	}
	var f *sandbox.Fault
	if !errors.As(o.Raised.Limit, &f) {
		t.Fatalf("%s: %v", source, o.Raised.Limit)
	}
	if f.Kind == sandbox.KindInternal {
		t.Errorf("%s: %v", source, f.Cause)
	}
	return f.Kind, out.String()
}

// TestLimitsAreNotCaught runs programs that catch everything: none survives its
// limit, and no block of theirs runs after it.
func TestLimitsAreNotCaught(t *testing.T) {
	fuel := func(l *sandbox.Limits) { l.Fuel = 200_000 }
	for _, source := range []string{
		"while True: pass",
		"try:\n    while True: pass\nexcept:\n    print('caught')\nfinally:\n    print('finally')",
		"try:\n    while True: pass\nexcept BaseException:\n    print('caught')",
		"def g():\n    try:\n        while True: yield 1\n    finally:\n        print('finally')\nfor x in g(): pass",
		"class C:\n    def __enter__(self): pass\n    def __exit__(self, *a):\n        print('exit')\n        return True\nwith C():\n    while True: pass",
		"def f():\n    try:\n        f()\n    finally:\n        f()\nf()",
		"class C:\n    def __getattr__(self, n):\n        while True: pass\nhasattr(C(), 'x')\nprint('went on')",
		"class C:\n    def __eq__(self, o):\n        while True: pass\n    def __hash__(self): return 1\n{C(): 1, C(): 2}",
		"class C:\n    def __lt__(self, o):\n        while True: pass\nsorted([C(), C()])",
		"class C:\n    def __iter__(self): return self\n    def __next__(self): return 1\nlist(C())",
		"class C:\n    def __next__(self): return 1\n    def __iter__(self): return self\nsum(C())",
		"any(False for _ in iter(int, 1))",
		"zip_forever = zip(*[iter(int, 1)] * 3)\nfor z in zip_forever: pass",
		"sum(x for x in range(10**12))",
		"[x for x in range(10**12) if False]",
		"10**9 - 1.5 in range(10**12)",
		"'a' in map(str, iter(int, 1))",
		"max(iter(int, 1))",
		"dict.fromkeys(iter(int, 1))",
		"x = 3\nwhile True: x = x * x % (10 ** 4000)",
		"pow(3, 10 ** 6000, 10 ** 6000 + 1)",
		"s = 'ab' * 100000\nwhile True: s.find('zz')",
		"l = list(range(20000))\nwhile True:\n    try: l.index(-1)\n    except ValueError: pass",
		"l = list(range(20000))\nwhile True: l.insert(0, 1); l.pop(0)",
		"a = [[]] * 1000\nb = [[]] * 1000\nwhile True: a == b",
		"match 1:\n    case x if [y for y in iter(int, 1)]: pass",
		"f'{[x for x in iter(int, 1)]}'",
		"def d(f):\n    while True: pass\n@d\ndef g(): pass",
		"class M:\n    def __init_subclass__(cls):\n        while True: pass\nclass N(M): pass",
		"class P:\n    def __set_name__(self, o, n):\n        while True: pass\nclass Q:\n    x = P()",
	} {
		kind, out := limitOf(t, source, fuel)
		if kind != sandbox.KindFuel && kind != sandbox.KindDepth && kind != sandbox.KindMemory {
			t.Errorf("%s: ended with %q, printed %q", source, kind, out)
		}
		if out != "" {
			t.Errorf("%s: printed %q", source, out)
		}
	}
}

func TestDepthIsBounded(t *testing.T) {
	deep := "x = []\nfor i in range(200000): x = [x]\n"
	for _, source := range []string{
		"def f(): return f()\nf()",
		"f = lambda: f()\nf()",
		"def f(n): return [g for g in [f(n + 1)]]\nf(0)",
		"class C:\n    def __getattr__(self, n): return getattr(self, n)\nC().x",
		"class C:\n    def __eq__(self, o): return self == o\nC() == C()",
		"class C:\n    def __repr__(self): return repr(self)\nrepr(C())",
		"class C:\n    def __hash__(self): return hash(self)\nhash(C())",
		"class C:\n    def __call__(self): return self()\nC()()",
		"class C:\n    def __iter__(self): return iter(self)\nlist(C())",
		"class C:\n    def __add__(self, o): return self + o\nC() + 1",
		"class C:\n    def __len__(self): return len(self)\nlen(C())",
		"class C:\n    def __bool__(self): return bool(self)\nbool(C())",
		"class C:\n    def __getitem__(self, i): return self[i]\nC()[0]",
		"def g(): yield from g()\nlist(g())",
		"def g(): yield next(g())\nlist(g())",
		"class C:\n    @property\n    def p(self): return self.p\nC().p",
		"class C:\n    def __init__(self): C()\nC()",
		"class C:\n    def __contains__(self, x): return x in self\n1 in C()",
		"class C:\n    def __enter__(self):\n        with self: pass\n    def __exit__(self, *a): pass\nwith C(): pass",
		"class C:\n    def __lt__(self, o): return sorted([self, o]) and True\nC() < C()",
		"class C:\n    def __format__(self, s): return format(self, s)\nf'{C()}'",
		"class C:\n    def __index__(self): return [1][self]\n[1][C()]",
		"class C:\n    def __setattr__(self, n, v): self.x = v\nC().x = 1",
		deep + "repr(x)", deep + "y = []\nfor i in range(200000): y = [y]\nx == y", "x = ()\nfor i in range(200000): x = (x,)\nhash(x)", deep + "str(x)", deep + "f'{x}'", deep + "print(x)", deep + "isinstance(1, tuple(x))",
		"x = {}\nfor i in range(200000): x = {1: x}\nrepr(x)",
		"x = int\nfor i in range(200000): x = (x,)\nisinstance('', x)",
		"x = iter([1])\nfor i in range(100000): x = map(int, x)\nnext(x)",
		"x = iter([1])\nfor i in range(100000): x = (y for y in x)\nnext(x)",
		"x = iter([1])\nfor i in range(100000): x = enumerate(x)\nnext(x)",
		"x = iter([1])\nfor i in range(100000): x = filter(None, x)\nnext(x)",
		"x = iter([1])\nfor i in range(100000): x = zip(x)\nnext(x)",
		"x = reversed([1])\nfor i in range(100000): x = iter(x)\nlist(x)",
		"f = lambda: 0\nfor i in range(100000): f = (lambda g: lambda: g())(f)\nf()",
		"e = ValueError()\nfor i in range(100000):\n    n = ValueError(e); n.__cause__ = e; e = n\nrepr(e)",
		"f = len\nfor i in range(100000): f = staticmethod(f)\nf([])",
		"p = object\nfor i in range(3000):\n    p = type('C', (p,), {})\np()",
	} {
		start := time.Now()
		kind, out := limitOf(t, source, func(l *sandbox.Limits) { l.Memory = 512 << 20 })
		if kind == "" && !strings.Contains(out, "maximum recursion depth") && !strings.Contains(source, "reversed") && !strings.Contains(source, "isinstance(1") && !strings.Contains(source, "p = object") {
			t.Errorf("%s: not bounded, %q", source, sandbox.Clip(out, 100))
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s took %v", source, d)
		}
	}
}

// TestMemoryIsBounded runs programs that try to use more memory than they may, and
// looks at what the host had to give.
func TestMemoryIsBounded(t *testing.T) {
	for _, source := range []string{
		"x = 'a' * 10**12", "x = [0] * 10**10", "x = (1,) * 10**11", "b'a' * 10**11", "'a'.ljust(5 * 10**8)", "'1'.zfill(5 * 10**8)", "'x'.center(10**9)",
		"a = [0] * 1000\nwhile True: a = a + a", "a = 'ab'\nwhile True: a += a", "a = [0]\nwhile True: a += a", "a = [0]\nwhile True: a *= 2", "a = (0,)\nwhile True: a += a",
		"list(range(10**9))", "tuple(range(10**9))", "set(range(10**9))", "{x: x for x in range(10**9)}", "[x for x in range(10**9)]", "sorted(range(10**9))", "list('a' * 10**7) * 100",
		"2 ** 10**9", "1 << 10**9", "x = 3\nwhile True: x = x * x", "10 ** 10 ** 10", "x = 2\nwhile True: x **= x",
		"'%1000000000d' % 1", "f'{1:1000000000}'", "'{:1000000000}'.format(1)", "format('a', '>1000000000')", "'%.1000000000f' % 1", "f'{1.0:.1000000000f}'", "f'{1:,>999999999}'", "'%*d' % (10**9, 1)",
		"'a,' * 10**6 * 10**3", "('a' * 10**6).replace('a', 'b' * 1000)", "('a' * 10**6).replace('', 'b' * 1000)", "','.join(['a' * 10**6] * 1000)", "('\\t' * 10**6).expandtabs(1000)", "('ab' * 10**5).translate({97: 'x' * 10**6})",
		"d = {}\ni = 0\nwhile True:\n    d[i] = i\n    i += 1", "l = []\nwhile True: l.append(l)", "s = set()\ni = 0\nwhile True:\n    s.add(i)\n    i += 1", "l = []\nwhile True: l.append('x' * 1000)", "l = []\nwhile True: l.extend(l or [1])", "l = [1]\nfor x in l: l.append(x)",
		"class C: pass\nl = []\nwhile True:\n    c = C(); c.x = 1; l.append(c)", "l = []\nwhile True: l.append(lambda: l)", "l = []\nwhile True: l.append(iter(l))", "l = []\nwhile True: l.append({})", "l = []\nwhile True: l.append(object())",
		"def g():\n    x = [0] * 10**6\n    yield x\nl = []\nwhile True:\n    i = g(); next(i); l.append(i)",
		"t = ()\nwhile True: t = (t, t)", "t = None\nwhile True: t = [t]", "t = None\nwhile True: t = {1: t}", "x = 'a'\nwhile True: x = f'{x}{x}'", "x = 'a'\nwhile True: x = '%s%s' % (x, x)", "x = 'a'\nwhile True: x = x.join('abc')",
		"x = [0] * 100\nwhile True: x[0:0] = x", "x = [[1]]\nwhile True: x = x + [list(x)]", "l = []\nwhile True: l.append(ValueError('x' * 1000))", "l = []\nwhile True:\n    try: [][1]\n    except IndexError as e: l.append(e)",
		"def f(n): return [0] * 1000000 + f(n + 1)\nf(0)", "def f(*a): return f(*a, *a)\nf(1)", "def f(**k): return f(**k, **{str(len(k)): 1})\nf()", "def f(n):\n    x = [0] * 100000\n    return f(n + 1)\nf(0)",
		"def f(n):\n    for x in [[0] * 1000000]: f(n + 1)\nf(0)", "def f(n): return max([0] * 1000000 if i == 0 else f(n + 1) for i in range(2))\nf(0)", "def f(n): return sum((([0] * 1000000) if i else f(n + 1) for i in range(2)), [])\nf(0)",
		"def f(n): return {1: [0] * 1000000, 2: f(n + 1)}\nf(0)", "def f(n): return ([0] * 1000000, f(n + 1))\nf(0)", "def f(n): return [0] * 1000000 == f(n + 1)\nf(0)", "def f(n): return str([0] * 1000000)[f(n + 1)]\nf(0)",
		"def f(n):\n    with C([0] * 1000000): f(n + 1)\nclass C:\n    def __init__(self, x): self.x = x\n    def __enter__(self): pass\n    def __exit__(self, *a): pass\nf(0)", "def f(n): return sorted([1], key=lambda v: ([0] * 1000000, f(n + 1)))\nf(0)",
		"def f(n): return print([0] * 1000000, f(n + 1))\nf(0)", "def f(n):\n    x = yield [0] * 1000000\n    yield from f(n + 1)\nfor x in f(0): pass", "class C:\n    def __getattr__(self, n):\n        x = [0] * 1000000\n        return getattr(C(), n + 'a')\nC().x",
		"def f(n): return dict((i, f(n + 1) if i == 300000 else i) for i in range(10**6))\nf(0)", "def f(n): return list((f(n + 1) if i == 300000 else i) for i in range(10**6))\nf(0)",
		"def f(n): return set((len(f(n + 1)) if i == 300000 else i) for i in range(10**6))\nf(0)", "def f(n): return f'{\"x\" * 10**6}{f(n + 1)}'\nf(0)", "def f(n): return ','.join('x' * 10**6 if i == 0 else f(n + 1) for i in range(2))\nf(0)",
		"class C:\n    def __str__(self): return '%s%s' % ('x' * 10**6, C())\nstr(C())", "class C:\n    def __repr__(self): return repr(['x' * 10**6, C()])\nstr(C())", "class C:\n    def __format__(self, s): return '{}{}'.format('x' * 10**6, C())\nformat(C())",
		"repr(['x' * 10**6] * 1000)", "str({i: 'x' * 10**6 for i in range(30)}) * 100", "print(*['x' * 10**6] * 10**4)", "[*range(10**9)]", "{*range(10**9)}", "a, *b = range(10**9)", "print(*range(10**9))", "dict(zip(range(10**9), range(10**9)))", "bytes(10**11)", "(1).to_bytes(10**11, 'big')", "int('1' * 4000) ** 10**6", "str(2**3000000)", "'a'.encode() * 10**11",
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		kind, out := limitOf(t, source, func(l *sandbox.Limits) { l.Fuel = 100_000_000 })
		runtime.ReadMemStats(&after)
		if kind == "" && !strings.Contains(out, "Exceeds the limit") && !strings.Contains(out, "Error") {
			t.Errorf("%s: not bounded, %q", source, sandbox.Clip(out, 100))
		}
		if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 700<<20 {
			t.Errorf("%s: the heap grew by %d MB", source, grown>>20)
		}
	}
}

// TestGarbageIsGivenBack runs programs that use little memory at a time and much
// in all.
func TestGarbageIsGivenBack(t *testing.T) {
	for _, source := range []string{
		"for i in range(400000): x = [i] * 100",
		"n = 0\nfor i in range(300000): n += len('x' * 1000 + str(i))",
		"def f(i): return {'a': i, 'b': [i, i]}\nfor i in range(300000): f(i)",
		"sum(len(str(i) * 100) for i in range(300000))",
		"keep = list(range(100000))\nfor i in range(100000): [keep[i]] * 200\nlen(keep)",
		"def g():\n    for i in range(300000): yield [i] * 50\nsum(len(x) for x in g())",
		"class C:\n    def __init__(self, x): self.x = [x] * 50\nfor i in range(200000): C(i)",
		"for i in range(200000):\n    try: raise ValueError('x' * 500)\n    except ValueError as e: pass",
		"d = {}\nfor i in range(300000): d[i % 10] = 'x' * 1000",
	} {
		kind, out := limitOf(t, source, func(l *sandbox.Limits) { l.Fuel = 1_000_000_000; l.Memory = 32 << 20 })
		if kind != "" || out != "" {
			t.Errorf("%s: %s %s", source, kind, out)
		}
	}
}

// TestFuelIsDeterministic runs a program twice, in fresh machines.
func TestFuelIsDeterministic(t *testing.T) {
	source := "d = {}\nfor i in range(5000):\n    d[str(i)] = sorted([i, -i, i % 7], key=lambda v: (v % 3, v))\nx = [f'{k}:{v}' for k, v in d.items() if len(k) > 2]\nlen(' '.join(x))"
	var used [2]sandbox.Usage
	for i := range used {
		m := NewMachine()
		meter := newMeter(t, nil)
		m.Begin(meter)
		p, err := m.Compile(source, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if o := p.Run(); o.Raised != nil {
			t.Fatal(o.Raised.Describe(m.T))
		}
		used[i] = meter.Usage()
	}
	if used[0] != used[1] {
		t.Errorf("%+v and %+v", used[0], used[1])
	}
}

func TestCancellation(t *testing.T) {
	for _, source := range []string{
		"while True: pass", "sorted(range(10**6), key=lambda v: -v) and [sorted(range(10**5), key=str) for _ in iter(int, 1)]", "x = 3\nwhile True: x = x * x % (10 ** 40000)", "s = 'a' * 10**6\nwhile True: s.count('ab')",
	} {
		ctx, cancel := context.WithCancel(context.Background())
		l := sandbox.DefaultLimits()
		l.Fuel, l.Memory = 1<<50, 1<<32
		meter, err := sandbox.NewMeter(ctx, l)
		if err != nil {
			t.Fatal(err)
		}
		m := NewMachine()
		m.Begin(meter)
		p, err := m.Compile(source, Options{})
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(30*time.Millisecond, cancel)
		start := time.Now()
		o := p.Run()
		if o.Raised == nil || o.Raised.Limit == nil {
			t.Errorf("%s: not cancelled", source)
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("%s: stopped after %v", source, d)
		}
		cancel()
	}
}

// TestMachineSurvivesFailures uses a machine after each kind of failure.
func TestMachineSurvivesFailures(t *testing.T) {
	m := NewMachine()
	runOn(t, m, "kept = [1]\ndef f(n): return f(n + 1)", nil)
	for _, source := range []string{"f(0)", "while True: pass", "1/0", "x = [0] * 10**10", "(", "raise KeyError"} {
		runOn(t, m, source, func(l *sandbox.Limits) { l.Fuel = 100_000 })
		if a := runOn(t, m, "kept.append(len(kept))\nkept[-1]", nil); a.err != "" {
			t.Errorf("after %s: %s", source, a)
		}
	}
	if a := runOn(t, m, "kept", nil); a.value != "[1, 1, 2, 3, 4, 5, 6]" {
		t.Errorf("got %s", a)
	}
	if v, ok := m.Get("kept"); !ok || v.Kind() != object.KindList {
		t.Error("the global is gone")
	}
}
