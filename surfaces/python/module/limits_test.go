package module_test

import (
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
)

// greedy are programs that ask the modules for more than they may have: each ends
// by a limit or by an exception.
var greedy = []string{
	"from decimal import *\nint(Decimal('1e100000000'))",
	"from decimal import *\nformat(Decimal('1e999999999'), 'f')",
	"from decimal import *\ngetcontext().prec = 10**9\nDecimal(1) / 3",
	"from decimal import *\ngetcontext().prec = 10**6\nDecimal(2).exp()",
	"from decimal import *\ngetcontext().prec = 300000\nwhile True: Decimal(2).sqrt()",
	"from decimal import *\nDecimal('1e-999999999').as_integer_ratio()",
	"from decimal import *\nDecimal('9' * 100000) ** 10**9",
	"from decimal import *\nhash(Decimal('1e999999999999999999'))\nwhile True: Decimal('1.1') ** Decimal('1e17')",
	"from fractions import Fraction\nFraction(7, 3) ** 10**9",
	"from fractions import Fraction\nf'{Fraction(1, 3):.1000000000f}'",
	"import copy\nx = []\nfor i in range(10**6): x = [x]\ncopy.deepcopy(x)",
	"import textwrap\ntextwrap.wrap('a ' * 10**7)",
	"import difflib\nlist(difflib.ndiff(['a' * 3000] * 200, ['b' * 3000] * 200))",
	"import pprint\nx = []\nfor i in range(10**5): x = [x]\npprint.pformat(x)",
	"import io\nb = io.StringIO()\nwhile True: b.write('x' * 1000000)",
	"import io\nb = io.StringIO()\nb.seek(10**12)\nb.write('x')",
	"import io\nb = io.BytesIO()\nb.seek(10**11)\nb.write(b'x')",
	"import hashlib\nh = hashlib.sha256()\nwhile True: h.update(b'x' * 1000000)",
	"import heapq\nlist(heapq.merge(*[iter(int, 1)] * 3))",
	"import statistics\nstatistics.mean(iter(int, 1))",
	"import statistics\nstatistics.mean([1.1 ** i for i in range(7000)] * 1000)",
	"from enum import Enum\nEnum('E', [('m%d' % i, i) for i in range(10**7)])",
	"import enum\nF = enum.IntFlag('F', 'A B C')\nx = 0\nfor i in range(10**7): x = F(i)",
	"import html\nhtml.escape('<' * 10**7)",
	"import base64\nbase64.b64encode(b'x' * 10**8)",
	"import urllib.parse\nurllib.parse.quote('é' * 10**7)",
	"import csv, io\nw = csv.writer(io.StringIO())\nwhile True: w.writerow(['x' * 10**6])",
	"import collections\nd = collections.ChainMap()\nfor i in range(10**6): d = d.new_child()\nd['x']",
	"import math\nwhile True: math.sin(1e300)",
	"import unicodedata\nunicodedata.normalize('NFKD', '\\ufdfa' * 10**7)",
	"import calendar\nwhile True: calendar.calendar(2024)",
	"import contextlib\nwith contextlib.ExitStack() as s:\n    while True: s.callback(print)",
	"import string\nstring.Template('$' * 10**7).safe_substitute()",
}

// TestGreedyProgramsEnd runs them under small limits.
func TestGreedyProgramsEnd(t *testing.T) {
	for _, p := range greedy {
		limits := sandbox.DefaultLimits()
		limits.Fuel, limits.Memory, limits.Compute = 2_000_000, 32<<20, 5*time.Second
		out := run(t, p, limits)
		if out == "" || strings.Contains(out, "evaluator failed") {
			t.Errorf("%s\ngave %q", p, out)
		}
	}
}
