package compile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestRandomProgramsAgreeWithCPython compares random programs with CPython:
// PYTHON_PROGRAMS sets their number, PYTHON_SEED the seed.
func TestRandomProgramsAgreeWithCPython(t *testing.T) {
	n, seed := 2000, uint64(1)
	if s := os.Getenv("PYTHON_PROGRAMS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("PYTHON_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	programs := make([]string, n)
	for i := range programs {
		g := &random{r: rand.New(rand.NewPCG(seed, uint64(i)))}
		programs[i] = g.program()
	}
	failed := 0
	for i, want := range ask(t, programs) {
		got := run(t, programs[i])
		if tooLarge(want) || strings.Contains(got.String(), "is not available") || strings.Contains(got.err, "needs more memory") {
			continue
		}
		if unordered(got) == unordered(want) {
			continue
		}
		if failed++; failed <= 60 {
			t.Errorf("program %d:\n%s\ngot:\n%swant:\n%s", i, programs[i], got, want)
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d programs differ", failed, n)
	}
}

var unlike = regexp.MustCompile(`'<' not supported between instances of '[\w.]+' and '[\w.]+'`)

var setDisplay = regexp.MustCompile(`\{[^{}:]*\}`)

// unordered gives an answer in which the order of a set's members plays no part:
// here they keep the order of insertion.
func unordered(a answer) string {
	// A lone surrogate does not survive the way back from CPython.
	text := strings.ToValidUTF8(a.String(), "\uFFFD")
	// Which two values of a list a sort compares first is its own affair.
	text = unlike.ReplaceAllString(text, "values that do not compare")
	return setDisplay.ReplaceAllStringFunc(text, func(s string) string {
		c := strings.Split(s, "")
		slices.Sort(c)
		return strings.Join(c, "")
	})
}

// tooLarge reports programs that CPython could not end within its limits.
func tooLarge(a answer) bool {
	return strings.Contains(a.String(), "TooLong") || strings.Contains(a.String(), "MemoryError")
}

// random makes random programs that mostly have an answer, and sometimes an error
// whose text counts too.
type random struct {
	r     *rand.Rand
	depth int
	vars  []string
}

// pick chooses a template and fills its places in.
func (g *random) pick(list ...string) string {
	s := list[g.r.IntN(len(list))]
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '$')
		if i < 0 || i+1 >= len(s) {
			return b.String() + s
		}
		b.WriteString(s[:i])
		b.WriteString(g.place(s[i+1]))
		s = s[i+2:]
	}
}

// place makes what a letter of a template stands for.
func (g *random) place(letter byte) string {
	switch letter {
	case 'A':
		return g.any()
	case 'L':
		return g.list()
	case 'D':
		return g.dict()
	case 'S':
		return g.string()
	case 'T':
		return g.tuple()
	case 'E':
		return g.set()
	case 'Q':
		return g.sequence()
	case 'I':
		return g.iterable()
	case 'N':
		return g.int()
	case 'R':
		return g.slice()
	}
	return g.scalar()
}

func (g *random) program() string {
	var b strings.Builder
	b.WriteString(moduleImports)
	b.WriteString("def show(v):\n    if isinstance(v, (set, frozenset)):\n        return type(v).__name__ + repr(sorted(v, key=repr))\n    return repr(v)\n")
	for i := range 1 + g.r.IntN(4) {
		name := fmt.Sprintf("v%d", i)
		fmt.Fprintf(&b, "%s = %s\n", name, g.any())
		g.vars = append(g.vars, name)
	}
	for range 1 + g.r.IntN(4) {
		b.WriteString(g.statement())
	}
	for range 1 + g.r.IntN(3) {
		fmt.Fprintf(&b, "try:\n    print(show(%s))\nexcept Exception as e:\n    print(type(e).__name__, e)\n", g.any())
	}
	return b.String()
}

// statement makes a statement that catches what it raises.
func (g *random) statement() string {
	body := ""
	switch g.r.IntN(9) {
	case 0:
		body = fmt.Sprintf("    for x in %s:\n        print(show(x), end=' ')\n    else:\n        print('end')\n", g.iterable())
	case 1:
		body = fmt.Sprintf("    a, *b = %s\n    print(show(a), b)\n", g.iterable())
	case 2:
		body = fmt.Sprintf("    d = %s\n    d[%s] = %s\n    print(d)\n", g.dict(), g.scalar(), g.scalar())
	case 3:
		body = fmt.Sprintf("    l = list(%s)\n    l[%s] = %s\n    print(l)\n", g.iterable(), g.slice(), g.list())
	case 4:
		body = fmt.Sprintf("    l = list(%s)\n    del l[%s]\n    print(l)\n", g.iterable(), g.slice())
	case 5:
		body = fmt.Sprintf("    x = %s\n    x %s= %s\n    print(show(x))\n", g.any(), g.pick("+", "-", "*", "//", "%", "|", "&", "^", "<<", ">>", "/"), g.any())
	case 6:
		body = fmt.Sprintf("    l = %s\n    l.%s\n    print(l)\n", g.list(), g.pick("sort()", "reverse()", "sort(key=str)", "sort(key=repr, reverse=True)", "append($C)",
			"insert($N, $C)", "extend($I)", "pop($N)", "remove($C)"))
	case 7:
		body = fmt.Sprintf("    def f(a, b=%s, *c, k=%s, **d):\n        return a, b, c, k, d\n    print(f(%s))\n", g.scalar(), g.scalar(), g.arguments())
	default:
		body = fmt.Sprintf("    if %s:\n        print('yes')\n    elif %s:\n        print('no')\n    else:\n        print('neither')\n", g.any(), g.any())
	}
	return "try:\n" + body + "except Exception as e:\n    print(type(e).__name__, e)\n"
}

func (g *random) arguments() string {
	return g.pick("1", "1, 2", "1, 2, 3, 4", "1, k=5", "*[1, 2, 3]", "**{'a': 1, 'z': 2}", "", "1, a=2", "b=2", "1, *'xy', k=3, **{'q': 1}", "1, **{'b': 1}, z=3", "*5", "**5")
}

// any makes an expression of any kind.
func (g *random) any() string {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 4 {
		return g.scalar()
	}
	if len(g.vars) > 0 && g.r.IntN(6) == 0 {
		return g.vars[g.r.IntN(len(g.vars))]
	}
	switch g.r.IntN(19) {
	case 0, 1:
		return g.scalar()
	case 2:
		return g.list()
	case 3:
		return g.dict()
	case 4:
		return g.tuple()
	case 5:
		return g.set()
	case 6, 7:
		return g.number()
	case 8, 9:
		return g.text()
	case 10:
		return g.comparison()
	case 11:
		return g.fold()
	case 12:
		return g.comprehension()
	case 13:
		return fmt.Sprintf("(%s %s %s)", g.any(), g.pick("+", "-", "*", "/", "//", "%", "and", "or", "|", "&", "^", "==", "<", "in"), g.any())
	case 14:
		return fmt.Sprintf("%s[%s]", g.sequence(), g.pick("$R", "$N"))
	}
	if g.r.IntN(4) > 0 {
		return g.modules()
	}
	return g.conversion()
}

func (g *random) int() string {
	return g.pick("0", "1", "-1", "2", "3", "-3", "7", "10", "255", "-100", "1000", "2**31", "-2**63", "2**63", "10**20", "-7", "5", "True", "False")
}

func (g *random) float() string {
	return g.pick("0.0", "-0.0", "1.0", "0.1", "0.5", "2.5", "-2.5", "1e16", "1e15", "123456789.123", "1e-5", "1e-4", "1e100", "3.14159", "-1.5", "1/3", "2.675", "1e22", "0.1+0.2", "float('inf')", "float('-inf')", "5e-324", "1.7976931348623157e308", "1234567.0")
}

func (g *random) string() string {
	return g.pick("''", "'a'", "'abc'", "'Hello World'", "'a,b,,c'", "'  x y  '", "'ab\\ncd\\r\\nef'", `"it's"`, `'say "hi"'`, `'\\'`, "'日本語'", "'é'", "'ß'", "'🎉x'", "'aXbXc'", "'12'", "' 7 '", "'-3'", "'1_000'", "'3.5'", "'\\t|'", "'\\x00\\x7f'", "'aaa'", "'İ'", "'ǆ'", "'²'", "'½'", "'٣'", "'\\ud800'", "'tEST sTRING'", "'x'*3", "'\\u200b'", "'\\xa0'")
}

func (g *random) scalar() string {
	switch g.r.IntN(8) {
	case 0, 1, 2:
		return g.int()
	case 3, 4:
		return g.float()
	case 5, 6:
		return g.string()
	}
	return g.pick("None", "True", "False", "()", "''", "b'ab'")
}

func (g *random) items() string {
	list := make([]string, g.r.IntN(5))
	same := g.r.IntN(3)
	for i := range list {
		switch same {
		case 0:
			list[i] = g.int()
		case 1:
			list[i] = g.string()
		default:
			list[i] = g.any()
		}
	}
	return strings.Join(list, ", ")
}

func (g *random) list() string { return "[" + g.items() + "]" }

func (g *random) tuple() string {
	s := g.items()
	if s == "" {
		return "()"
	}
	return "(" + s + ",)"
}

func (g *random) set() string {
	return g.pick("set()", "{1, 2, 3}", "frozenset([1, 2])", "{1}", "set([1, 1])", "{1, 1.0, True}", "set([1, 2, 1])")
}

func (g *random) dict() string {
	n := g.r.IntN(4)
	parts := make([]string, n)
	for i := range parts {
		parts[i] = g.scalar() + ": " + g.any()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (g *random) sequence() string {
	return g.pick("$L", "$S", "$T", "range("+g.pick("10", "3, 20, 4", "10, 0, -3", "0")+")", "b'abcdef'")
}

func (g *random) iterable() string {
	return g.pick("$Q", g.dict(), "enumerate($Q)", "zip($Q, $Q)", "reversed($L)", "sorted($Q, key=repr)",
		"map(str, $Q)", "filter(None, $Q)", "$D.items()", "$D.values()", "(x for x in $Q if x)", "iter($S)")
}

func (g *random) slice() string {
	part := func() string { return g.pick("", "", "0", "1", "-1", "2", "-2", "5", "-10", "100", "None") }
	return g.pick(part()+":"+part(), part()+":"+part()+":"+g.pick("", "1", "2", "-1", "-2", "3"))
}

func (g *random) number() string {
	a, b := g.pick(g.int(), g.float()), g.pick(g.int(), g.float())
	switch g.r.IntN(9) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("+", "-", "*", "/", "//", "%"), b)
	case 3:
		return fmt.Sprintf("(%s %s %s)", g.int(), g.pick("&", "|", "^", ">>"), g.int())
	case 4:
		return fmt.Sprintf("round(%s%s)", a, g.pick("", ", 1", ", 2", ", -1", ", -2", ", 0", ", None"))
	case 5:
		return fmt.Sprintf("divmod(%s, %s)", a, b)
	case 6:
		return fmt.Sprintf("(%s ** %s)", a, g.pick("2", "3", "0", "-1", "0.5", "-2", "10"))
	case 7:
		return fmt.Sprintf("%s(%s)", g.pick("abs", "int", "float", "hash", "bool", "-", "+", "hex", "bin", "oct", "str", "repr", "not "), g.int())
	}
	return fmt.Sprintf("pow(%s, %s, %s)", g.int(), g.pick("2", "5", "-1", "0"), g.pick("7", "10", "-7", "1", "0"))
}

func (g *random) format() string {
	fill := g.pick("", "", "", "*", "0", "é")
	align := g.pick("", "<", ">", "^", "=")
	if align == "" {
		fill = ""
	}
	return fill + align + g.pick("", "", "+", "-", " ") + g.pick("", "", "#", "z") + g.pick("", "", "0") + g.pick("", "", "1", "8", "12", "20") + g.pick("", "", ",", "_") + g.pick("", "", ".0", ".1", ".2", ".5", ".10") +
		g.pick("", "", "d", "f", "e", "g", "%", "x", "X", "b", "o", "s", "c", "n", "E", "G", "F", "r")
}

func (g *random) text() string {
	s := g.string()
	switch g.r.IntN(12) {
	case 0:
		return fmt.Sprintf("format(%s, '%s')", g.scalar(), g.format())
	case 1:
		return fmt.Sprintf("f'{%s!r:>%d}|{%s:%s}'", g.int(), g.r.IntN(12), g.pick(g.int(), g.float(), "'ab'"), g.format())
	case 2:
		return fmt.Sprintf("%s.format(%s, %s, k=%s)", g.pick("'{} {}'", "'{1} {0}'", "'{k}'", "'{0!r:>8}'", "'{:{}}'", "'{{}}'", "'{2}'", "'{x}'", "'{0[0]}'", "'{0.real}'", "'{'", "'}'", "'{0'", "'{!x}'"), g.scalar(), g.scalar(), g.scalar())
	case 3:
		return fmt.Sprintf("'%%%s%s%s%s' %% %s", g.pick("", "-", "+", "0", " ", "#"), g.pick("", "5", "10"), g.pick("", ".2", ".0"), g.pick("s", "r", "d", "f", "x", "e", "g", "c", "i", "o", "a", "%", "q"), g.pick("$C", "($C,)", "($C, 1)"))
	case 4:
		return s + "." + g.pick("upper", "lower", "title", "capitalize", "swapcase", "strip", "lstrip", "rstrip", "casefold", "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "istitle", "isnumeric", "isdecimal", "isidentifier", "isprintable", "split", "rsplit", "splitlines", "expandtabs", "isascii") + "()"
	case 5:
		return fmt.Sprintf("%s.%s(%s)", s, g.pick("split", "rsplit", "find", "rfind", "index", "count", "startswith", "endswith", "partition", "rpartition", "strip", "removeprefix", "removesuffix", "join", "replace"), g.pick("'a'", "','", "'X'", "''", "' '", "None", "1", "'l'", "'日'", "'a', 1", "'X', 1", "'b', -2", "'a', 'zz'", "'', '-'"))
	case 6:
		return fmt.Sprintf("%s.%s(%s)", s, g.pick("ljust", "rjust", "center", "zfill"), g.pick("10", "5", "0", "11, '*'", "6, 'é'", "7, ''"))
	case 7:
		return fmt.Sprintf("(%s %s %s)", s, g.pick("+", "*", "in", "<", "==", "%"), g.pick("$S", "$N"))
	case 8:
		return fmt.Sprintf("%s[%s]", s, g.pick("$R", "$N"))
	case 9:
		return fmt.Sprintf("%s(%s)", g.pick("repr", "ascii", "len", "list", "sorted", "tuple", "str", "max", "min", "ord", "int", "float"), s)
	case 10:
		return fmt.Sprintf("%s.join(%s)", s, g.pick("['a', 'b']", "'abc'", "map(str, [1, 2])", "[1]", "[]", "{'k': 1}"))
	}
	return fmt.Sprintf("%s.%s", s, g.pick("encode()", "encode('ascii', 'replace')", "encode('latin-1', 'ignore')", "translate({97: 'X', 98: None})", "translate(str.maketrans('ab', 'xy', 'c'))", "encode('ascii')", "splitlines(True)", "title().swapcase()"))
}

func (g *random) comparison() string {
	op := func() string {
		return g.pick("==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not")
	}
	a, b := g.any(), g.any()
	if g.r.IntN(3) == 0 {
		return fmt.Sprintf("(%s %s %s %s %s)", g.int(), g.pick("<", "==", ">="), g.int(), g.pick("<", "!=", ">"), g.int())
	}
	o := op()
	if o == "is" || o == "is not" {
		return fmt.Sprintf("(%s %s None)", a, o)
	}
	return fmt.Sprintf("(%s %s %s)", a, o, b)
}

func (g *random) fold() string {
	return fmt.Sprintf("%s(%s)", g.pick("sum", "min", "max", "any", "all", "list", "tuple", "sorted", "len", "dict", "bool", "next", "bytes"),
		g.pick("$I", "$I", "$A"))
}

func (g *random) comprehension() string {
	x := g.pick("x", "(x, 1)", "str(x)", "x if x else 0", "[x]", "x == 1", "f'{x}'", "(lambda: x)()")
	src := g.iterable()
	cond := g.pick("", "", " if x", " if not x", " if x != 1")
	switch g.r.IntN(4) {
	case 0:
		return fmt.Sprintf("[%s for x in %s%s]", x, src, cond)
	case 1:
		return fmt.Sprintf("{repr(x): %s for x in %s%s}", x, src, cond)
	case 2:
		return fmt.Sprintf("sorted({repr(x) for x in %s%s})", src, cond)
	}
	return fmt.Sprintf("[(x, y) for x in %s for y in %s%s]", src, g.sequence(), cond)
}

func (g *random) conversion() string {
	return g.pick(
		"list($A)", "str($A)", "repr($A)", "bool($A)", "type($A).__name__", "len($A)", "isinstance($A, (int, str))", "int($A)", "float($A)",
		"tuple($A)", "sorted($A)", "sum($A, $C)", "dict(a=$A)", "[*$Q, $A]", "{**$D, 'k': $A}", "hash($A) == hash($A)",
		"max($A, default=0)", "min($I, key=repr)", "sorted($I, key=repr, reverse=True)", "list(reversed($A))", "getattr($A, 'nope', 5)", "$A.nope",
		"$D.get($A)", "$D.pop($A, 0)", "$D.setdefault($A, 1)", "$E | $E", "$E & $E", "$E - $E", "$E ^ $E", "$E <= $E",
		"$D | $D", "slice(1, 2).indices(5)", "callable($A)", "$L * $N", "$L.count($A)", "$L.index($A)", "$T + $T", "zip($Q, $Q, strict=True).__next__()",
		"list(zip($Q, $Q, strict=True))", "print($A, $A, sep='-', end='')", "int($S, "+g.pick("0", "2", "10", "16", "36", "37")+")")
}

// moduleImports begins every program: its expressions use the modules.
const moduleImports = "import math, json, re, itertools, functools, collections, operator, string, statistics, textwrap, heapq, bisect, copy, base64, hashlib, html, datetime, enum, urllib.parse, csv, io, calendar, difflib, pprint, uuid, random\n" +
	"from fractions import Fraction\nfrom decimal import Decimal\n"

// modules makes an expression that calls a standard module.
func (g *random) modules() string {
	n, f := g.int(), g.pick(g.int(), g.float())
	switch g.r.IntN(16) {
	case 0:
		return fmt.Sprintf("math.%s(%s)", g.pick("floor", "ceil", "trunc", "sqrt", "isqrt", "factorial", "fabs", "isnan", "isinf", "isfinite", "degrees", "radians", "frexp", "modf", "exp", "log", "log2", "log10"), f)
	case 1:
		return fmt.Sprintf("math.%s(%s, %s)", g.pick("gcd", "lcm", "comb", "perm", "fmod", "copysign", "pow", "hypot", "isclose", "ldexp", "dist", "remainder", "nextafter", "ulp"), n, f)
	case 2:
		return fmt.Sprintf("json.dumps(%s%s)", g.any(), g.pick("", "", ", indent=2", ", sort_keys=True", ", separators=(',', ':')", ", ensure_ascii=False", ", default=str", ", allow_nan=False", ", skipkeys=True"))
	case 3:
		return fmt.Sprintf("json.loads(%s)", g.pick("'[1, 2.50, \"a\\\\u00e9\", null, true]'", "'{\"a\": {\"b\": []}}'", "'[1,]'", "'{\"a\" 1}'", "'1e400'", "'NaN'", "'-0.0'", "''", "'\"\\\\ud83d\\\\ude00\"'", "json.dumps($D)", "'[1] x'", "'{\"a\":1,\"a\":2}'", "$S"))
	case 4:
		p := g.pick("r'a'", "r'(\\w)(\\w)?'", "r'[a-c]+'", "r'^\\s*'", "r'(?P<x>.)\\d*'", "r'x|y|'", "r'\\b'", "r'(?i)A.'", "r'(a)|(b)'", "r'('", "r'.*?,'", "r'\\W+'")
		return g.pick("re.findall("+p+", $S)", "re.split("+p+", $S)", "re.sub("+p+", '<\\\\g<0>>', $S)", "bool(re.search("+p+", $S))", "[m.span() for m in re.finditer("+p+", $S)]", "(lambda m: m and (m.groups(), m.groupdict(), m.start()))(re.match("+p+", $S))", "re.escape($S)", "re.subn("+p+", lambda m: m[0].upper(), $S)")
	case 5:
		return g.pick("list(itertools.islice($I, $N, 5))", "list(itertools.chain($I, $I))", "list(itertools.zip_longest($I, $I, fillvalue=0))", "list(itertools.product($L, repeat=2))[:9]", "list(itertools.combinations($Q, 2))[:9]", "list(itertools.permutations($L, 2))[:9]",
			"list(itertools.accumulate($L))", "[(k, list(v)) for k, v in itertools.groupby(sorted($Q, key=repr), key=lambda x: repr(x)[:1])]", "list(itertools.pairwise($I))", "list(itertools.batched($I, 2))", "list(itertools.takewhile(bool, $I))", "list(itertools.dropwhile(bool, $I))", "list(itertools.compress($I, [1, 0, 1]))", "list(itertools.starmap(lambda *a: a, [$T, $T]))")
	case 6:
		return g.pick("functools.reduce(operator.add, $L)", "functools.reduce(lambda a, b: (a, b), $I, $C)", "functools.partial(max, $C)($C)", "sorted($L, key=functools.cmp_to_key(lambda a, b: (repr(a) > repr(b)) - (repr(a) < repr(b))))", "operator.itemgetter(0, -1)($Q)", "list(map(operator.itemgetter(0), [$T, $T]))", "operator.attrgetter('real')($N)", "operator.methodcaller('upper')($S)")
	case 7:
		return g.pick("collections.Counter($I)", "collections.Counter($S).most_common(2)", "dict(collections.OrderedDict($D))", "list(collections.deque($I, 3))", "collections.ChainMap($D, $D)", "collections.deque($L)", "(lambda d: (d.rotate(2), d)[1])(collections.deque($L))", "collections.namedtuple('P', 'a b')($C, $C)", "collections.Counter($S) + collections.Counter($S)", "collections.Counter($S) - collections.Counter($S)", "dict(collections.defaultdict(list, a=$L))")
	case 8:
		return fmt.Sprintf("statistics.%s(%s)", g.pick("mean", "median", "mode", "stdev", "pvariance", "multimode", "quantiles", "fmean", "median_low", "harmonic_mean", "geometric_mean", "variance"), g.pick("$L", "["+n+", "+f+"]", "["+n+", "+n+", "+g.int()+", "+g.float()+"]", "[Fraction(1, 3), "+n+"]", "[Decimal('1.5'), "+n+"]", "range(7)"))
	case 9:
		fr := func() string {
			return g.pick("Fraction("+g.int()+", "+g.int()+")", "Fraction("+f+")", "Fraction('3/7')", "Fraction("+g.string()+")", "Fraction('-1.25e-2')")
		}
		return g.pick(fr(), "("+fr()+" "+g.pick("+", "-", "*", "/", "//", "%", "<", "==", "**")+" "+g.pick(fr(), "2", g.float(), "3")+")", "round("+fr()+", 2)", "math.floor("+fr()+")", "format("+fr()+", '"+g.pick(".2f", "+.3e", ",.1f", "010.3f", ".3g", "%", "")+"')", "hash("+fr()+")", "("+fr()+").limit_denominator(10)")
	case 10:
		d := func() string {
			return g.pick("Decimal("+g.int()+")", "Decimal('1.10')", "Decimal('-2.675')", "Decimal('1E+5')", "Decimal("+g.string()+")", "Decimal(0.1)", "Decimal('Infinity')", "Decimal('123456789.987654321')", "Decimal('0.000')")
		}
		return g.pick(d(), "("+d()+" "+g.pick("+", "-", "*", "/", "//", "%", "<", "==")+" "+g.pick(d(), "2", "3", g.float())+")", d()+".quantize(Decimal('0.01'))", "round("+d()+", 1)", "format("+d()+", '"+g.pick(".2f", ",", "e", "%", ">12", "+.1f", "g", "08.2f")+"')", d()+".sqrt()", "int("+d()+")", "hash("+d()+")", d()+".normalize()", d()+".as_tuple()", d()+" ** 3", "divmod("+d()+", 7)")
	case 11:
		return g.pick("heapq.nlargest(2, $L)", "heapq.nsmallest(2, $I)", "(lambda h: (heapq.heapify(h), h)[1])($L)", "list(heapq.merge(sorted($L, key=repr), [], key=repr))", "bisect.bisect(sorted($L), $C)", "bisect.bisect_left([1, 3, 5], $C)", "copy.deepcopy($A)", "copy.copy($A)", "textwrap.wrap($S * 5, 10)", "textwrap.fill($S * 9, 12)", "textwrap.dedent($S)", "textwrap.shorten($S * 4, 12)", "textwrap.indent($S, '> ')", "string.capwords($S)", "string.Template(chr(36) + 'x ' + chr(36) + '{y}').safe_substitute(x=$C)")
	case 12:
		return g.pick("base64.b64encode($S.encode('utf-8', 'replace'))", "base64.b64decode($S)", "hashlib.sha256($S.encode('utf-8', 'replace')).hexdigest()", "html.escape($S)", "html.unescape($S + '&lt;&eacute;&#65;')", "urllib.parse.quote($S)", "urllib.parse.unquote($S + '%41%zz')", "urllib.parse.urlencode($D)", "urllib.parse.urlparse('http://h/' + $S)", "urllib.parse.parse_qs('a=1&b=' + $S)", "list(csv.reader([$S, $S]))", "(lambda b: (csv.writer(b, lineterminator='|').writerow($L), b.getvalue())[1])(io.StringIO())", "uuid.uuid5(uuid.NAMESPACE_DNS, $S)")
	case 13:
		date := func() string {
			return g.pick("datetime.date(2024, 2, 29)", "datetime.date(2023, 12, 31)", "datetime.datetime(2024, 3, 1, 13, 5, 9)", "datetime.datetime(1999, 1, 1, 0, 0, 0, 123456)", "datetime.datetime(2024, 1, 31, 12, tzinfo=datetime.timezone.utc)")
		}
		delta := func() string {
			return g.pick("datetime.timedelta(days="+g.int()+")", "datetime.timedelta(hours=5, minutes=-3)", "datetime.timedelta(seconds="+f+")", "datetime.timedelta(weeks=1, microseconds=1.5)")
		}
		return g.pick("("+date()+" "+g.pick("+", "-")+" "+delta()+")", "("+date()+" - "+date()+")", date()+".isoformat()", date()+".strftime('%Y-%j %a %b %d %H:%M:%S %p %U %%')", date()+".isocalendar()", date()+".weekday()", "("+delta()+" "+g.pick("*", "/", "//", "+", "<")+" "+g.pick("2", "3", "1.5", delta())+")", delta()+".total_seconds()", "str("+delta()+")", "repr("+date()+")", "datetime.date.fromisoformat($S)", "datetime.datetime.strptime('2024-02-29 1:05 PM', '%Y-%m-%d %I:%M %p')", date()+".replace(day=1)", "("+date()+" < "+date()+")", "calendar.monthrange(2024, "+n+")", "calendar.month(2023, 2)")
	case 14:
		return g.pick("difflib.get_close_matches($S, ['abc', 'Hello World', 'aXbXc'])", "list(difflib.unified_diff(list($S), list($S), lineterm=''))", "difflib.SequenceMatcher(None, $S, $S).ratio()", "difflib.SequenceMatcher(None, $Q, $Q).get_opcodes()", "pprint.pformat($A, width=20)", "pprint.pformat($A, compact=True)", "pprint.pformat($L, width=12, indent=2)", "list(difflib.ndiff($S.splitlines(1), $S.splitlines(1)))")
	}
	return g.pick("list(enum.Enum('E', 'A B C'))", "enum.Enum('E', 'A B')("+n+")", "enum.IntFlag('F', 'R W X')("+n+")", "enum.Flag('F', 'R W X')("+n+")", "repr(enum.IntEnum('I', 'A B').B + "+n+")", "enum.StrEnum('S', ['A', 'b']).A.upper()", "(lambda r: (r.seed(7), r.random(), r.randint(1, 9), r.sample(range(20), 3), r.choice('abc'))[1:])(random)", "(lambda r: (r.seed($C), r.randrange(1000), r.uniform(0, 1), r.gauss(0, 1))[1:])(random)")
}
