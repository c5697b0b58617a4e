package compile

import (
	"strings"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
)

// TestNothingEscapes runs programs that try to reach what is behind the values:
// each must fail, or give what the comment after it says.
func TestNothingEscapes(t *testing.T) {
	for _, source := range []string{
		// Attribute walks.
		"().__class__.__bases__[0].__subclasses__()", "''.__class__.__mro__[1].__subclasses__()", "().__class__.__base__", "[].__class__.mro()", "type(1).__subclasses__()", "object.__subclasses__()",
		"int.__mro__", "type.mro(int)", "(lambda: 0).__globals__", "(lambda: 0).__code__", "(lambda: 0).__closure__", "def f(): pass\nf.__builtins__", "def f(): pass\nf.__defaults__", "print.__self__", "[].append.__self__", "len.__self__.eval",
		"class A:\n    def m(self): pass\nA().m.__func__.__globals__", "class A: pass\nA.__dict__", "class A: pass\nA().__dict__", "class A: pass\nA.__subclasshook__", "x = 5\nx.__reduce__()", "x = 5\nx.__reduce_ex__(2)", "object().__getstate__()",
		"print.__module__.__class__.__base__", "super.__thisclass__", "(1).__class__.__class__.__bases__", "type(type(1)).__subclasses__(type)", "Exception().__traceback__", "try:\n    1/0\nexcept Exception as e:\n    e.__traceback__.tb_frame.f_globals",
		"try:\n    1/0\nexcept Exception as e:\n    e.with_traceback(None)", "def g(): yield\ng().gi_frame", "def g(): yield\ng().gi_code", "(x for x in [1]).gi_frame.f_back", "async def c(): pass\nc().cr_frame", "async def c(): pass\nc().cr_code",
		// The same by name.
		"getattr((), '__cla' + 'ss__').__bases__", "getattr(object, '__subclasses__')()", "getattr(lambda: 0, '__glo' + 'bals__')", "getattr(int, 'mro')()", "hasattr(object, '__subclasses__') and 1/1 or 1/0", "[getattr(int, n) for n in ('__mro__',)]",
		"from_name = '__subclasses__'\ngetattr(type, from_name)(object)", "vars(int)", "vars(print)", "vars()", "dir()", "setattr(int, 'x', 1)", "int.x = 1", "str.upper = None", "print.x = 1", "delattr(int, 'real')", "list.append = 5", "Exception.x = 1", "type(print).x = 1",
		"object.__getattribute__((), '__class__')", "type.__getattribute__(int, '__mro__')", "object.__setattr__(lambda: 0, '__code__', 1)", "def f(): pass\nf.__code__ = 1", "def f(): pass\nf.__globals__ = {}", "class A: pass\nA().__class__ = int", "class A: pass\nA.__bases__ = (int,)",
		"(lambda f: setattr(f, '__code__', 5))(lambda: 0)", "class A: pass\na = A()\na.__dict__ = {}", "class A:\n    def __getattribute__(self, n): return object.__getattribute__(self, '__dict__')\nA().x",
		// Format strings.
		"'{0.__class__.__mro__}'.format(1)", "'{0.__class__.__bases__[0].__subclasses__}'.format(())", "'{0.__globals__}'.format(lambda: 0)", "'{x.__code__}'.format(x=lambda: 0)", "'{0.__init__.__globals__}'.format(Exception())", "f'{().__class__.__base__}'", "'{0.gi_frame}'.format(x for x in [1])",
		"'{0.__self__}'.format(print)", "'{a.__subclasses__}'.format_map({'a': object})", "class F:\n    def __format__(self, s): return self.__dict__\nf'{F()}'",
		// Augmented targets, match, with, for, del, imports, star.
		"class A: pass\nA.__bases__ += (int,)", "(lambda: 0).__code__ += 1", "for (lambda: 0).__code__ in [1]: pass", "with open('x') as f: pass", "class A: pass\nA().__dict__['x'] = 1", "match ():\n    case object(__class__=c): c.__bases__", "match 5:\n    case int(__mro__=m): print(m)",
		"match (lambda: 0):\n    case object(__globals__=g): print(g)", "del (lambda: 0).__code__", "[0 for (lambda: 0).__code__ in [1]]", "(lambda: 0).__globals__, x = 1, 2", "class C:\n    __match_args__ = ('__dict__',)\nmatch C():\n    case C(d): print(d)",
		// Builtins that reach the host.
		"open('/etc/passwd')", "eval('1')", "exec('1')", "compile('1', '', 'eval')", "__import__('os')", "globals()", "locals()", "input()", "breakpoint()", "__builtins__", "__builtins__.open", "__loader__", "__spec__", "__file__", "help()", "exit()", "memoryview(b'')",
		"import os", "import sys", "import builtins", "import importlib", "import ctypes", "import subprocess", "from os import system", "import os.path", "from . import x", "import gc", "import inspect", "import __main__",
		"def f(x=open): return x('a')\nf()", "e = eval\ne('1')", "[f for f in [open]][0]('a')", "map(open, ['a']).__next__()", "sorted(['a'], key=open)", "(lambda g=globals: g())()",
		// Names that are the same after normalisation (PEP 3131).
		"ｅｖａｌ('1')", "𝘰𝘱𝘦𝘯('x')", "().__𝘤𝘭𝘢𝘴𝘴__.__ᵇases__", "object.__ｓubclasses__()", "().__class__.__bₐses__",
		// Classes and hooks.
		"class M(type): pass", "class A(metaclass=type('M', (), {})): pass", "class A(type(print)): pass", "class A(type(lambda: 0)): pass", "class A(bool): pass", "type('A', (), {'__dict__': 1})", "class A(type(None)): pass", "class A(type(x for x in [1])): pass", "type(lambda: 0)(1, {})", "type(print)()", "type(type)('a', (), {}).mro()",
		"type((lambda: 0))", "type(x for x in ())()", "class A(int, str): pass", "class A(5): pass", "super(int).__self_class__", "class A:\n    def __init_subclass__(c): c.__mro__\nclass B(A): pass", "class A:\n    def __set_name__(s, o, n): o.__subclasses__()\nclass B:\n    x = A()", "staticmethod(len).__wrapped__", "property(len).fget.__self__",
		"class D:\n    def __get__(self, i, o): return o.__mro__\nclass E:\n    x = D()\nE().x", "class A:\n    def __class_getitem__(c, k): return c.__bases__\nA[1]",
	} {
		got := run(t, source)
		if got.err == "" && source != "type((lambda: 0))" && source != "dir()" {
			t.Errorf("%s gave %s", source, got)
		}
		for _, leak := range []string{"goroutine", ".go:", "runtime error", "nil pointer", "*object", "*compile"} {
			if strings.Contains(got.String(), leak) {
				t.Errorf("%s shows the host: %s", source, got)
			}
		}
	}
}

// TestGateExplains looks at what a program is told.
func TestGateExplains(t *testing.T) {
	for source, want := range map[string]string{
		"class A: pass\nA().__dict__":          "Use vars(x)",
		"int.__mro__":                          "isinstance",
		"open('a')":                            "files cannot be reached",
		"eval('1')":                            "json.loads",
		"globals()":                            "dict of your own",
		"(lambda: 0).__globals__":              "Name the variable directly",
		"class M(type): pass":                  "__init_subclass__",
		"range(10 ** 20)":                      "64 bits",
		"__import__('os')":                     "import statement",
		"getattr(lambda: 0, '__glob' 'als__')": "Name the variable",
	} {
		if got := run(t, source); !strings.Contains(got.err, want) {
			t.Errorf("%s: %s, want %q", source, got.err, want)
		}
	}
}

// TestNamesAreReadable holds what programs often ask for.
func TestNamesAreReadable(t *testing.T) {
	for source, want := range map[string]string{
		"type(1).__name__":                            "'int'",
		"ValueError().__class__.__name__":             "'ValueError'",
		"__name__":                                    "'__main__'",
		"(lambda: 0).__name__":                        "'<lambda>'",
		"def f():\n    'doc'\nf.__name__ + f.__doc__": "'fdoc'",
		"class A:\n    'd'\nA.__doc__ + A.__qualname__ + A.__module__": "'dA__main__'",
		"len.__name__":                            "'len'",
		"[].append.__name__":                      "'append'",
		"(1).__class__ is int":                    "True",
		"[m for m in dir([]) if m[0] != '_'][:2]": "['append', 'clear']",
		"class A:\n    def __init__(self): self.x = 1\nvars(A())": "{'x': 1}",
		"(5).__add__(3)":              "8",
		"str.__len__('abc')":          "3",
		"list.__contains__([1], 1)":   "True",
		"dict.__getitem__({1: 2}, 1)": "2",
	} {
		if got := run(t, source); got.value != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

// FuzzRun looks for programs that the evaluator does not survive.
func FuzzRun(f *testing.F) {
	for _, s := range []string{"x = [1]\nx[0]", "def g():\n    yield 1\nlist(g())", "class A: pass\nA()", "match [1]:\n    case [x]: x", "f'{1:>{2}}'", "try: 1/0\nexcept* ZeroDivisionError: 1", "'%s' % (1,)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 2000 {
			return
		}
		runOn(t, NewMachine(), source, func(l *sandbox.Limits) { l.Fuel, l.Memory = 100_000, 8<<20 })
	})
}
