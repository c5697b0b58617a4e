package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// files are the test files that are run if none is named.
var files = []string{
	"test_grammar", "test_builtin", "test_list", "test_dict", "test_set", "test_tuple", "test_unicode", "test_string", "test_fstring", "test_format", "test_int", "test_float", "test_complex",
	"test_bool", "test_range", "test_slice", "test_bytes", "test_generators", "test_genexps", "test_listcomps", "test_dictcomps", "test_setcomps", "test_exceptions", "test_baseexception", "test_raise", "test_exception_group", "test_except_star",
	"test_with", "test_scope", "test_class", "test_super", "test_property", "test_decorators", "test_keywordonlyarg", "test_positional_only_arg", "test_named_expressions", "test_patma", "test_unpack", "test_augassign", "test_compare", "test_contains", "test_iter", "test_enumerate", "test_sort", "test_dictviews",
	"test_collections", "test_deque", "test_defaultdict", "test_ordered_dict", "test_re", "test_itertools", "test_functools", "test_statistics", "test_math", "test_operator", "test_random", "test_textwrap", "test_heapq", "test_bisect", "test_fractions", "test_decimal", "test_copy", "test_contextlib", "test_enum",
	"test_difflib", "test_pprint", "test_csv", "test_html", "test_urlparse", "test_base64", "test_uuid", "test_hmac", "test_calendar", "test_abc", "test_types", "test_typing", "datetimetester",
	"test_json/test_decode", "test_json/test_default", "test_json/test_dump", "test_json/test_encode_basestring_ascii", "test_json/test_enum", "test_json/test_fail", "test_json/test_float", "test_json/test_indent",
	"test_json/test_pass1", "test_json/test_pass2", "test_json/test_pass3", "test_json/test_scanstring", "test_json/test_separators", "test_json/test_unicode",
}

func main() {
	dir := flag.String("dir", "", "the folder of CPython's test package; by default that of the interpreter PYTHON312 names, or python3.12")
	failures := flag.Bool("failures", false, "list every case that fails, with its error")
	skips := flag.Bool("skips", false, "list every case that is skipped, with its reason")
	flag.Parse()
	if *dir == "" {
		*dir = testFolder()
	}
	if _, err := os.Stat(filepath.Join(*dir, "test_grammar.py")); err != nil {
		fmt.Fprintln(os.Stderr, "there is no CPython test package; name its folder with --dir")
		os.Exit(2)
	}
	chosen := flag.Args()
	if len(chosen) == 0 {
		chosen = files
	}
	var all report
	fmt.Println("| file | run | passed | failed | skipped | reasons for skips |\n|---|---|---|---|---|---|")
	for _, name := range chosen {
		r := runFile(*dir, name)
		if r == nil {
			continue
		}
		all.add(r)
		fmt.Printf("| %s | %d | %d | %d | %d | %s |\n", name, r.passed+r.failed(), r.passed, r.failed(), r.skipped(), r.reasons(4))
		if *failures {
			for _, f := range r.failures {
				fmt.Println("    FAIL", f)
			}
		}
		if *skips {
			for _, s := range r.skips {
				fmt.Println("    SKIP", s.name, "-", s.why)
			}
		}
	}
	ran := all.passed + all.failed()
	fmt.Printf("| **all** | %d | %d | %d | %d | %.1f %% of those run pass |\n", ran, all.passed, all.failed(), all.skipped(), 100*float64(all.passed)/float64(max(ran, 1)))
}

// testFolder asks an interpreter where its tests are.
func testFolder() string {
	for _, bin := range []string{os.Getenv("PYTHON312"), "python3.12"} {
		if bin == "" {
			continue
		}
		out, err := exec.Command(bin, "-c", "import os, test; print(os.path.dirname(test.__file__))").Output()
		if err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	return ""
}

// report is how the cases of a file ended.
type report struct {
	passed   int
	failures []string
	skips    []skip
}

type skip struct{ name, why string }

func (r *report) failed() int  { return len(r.failures) }
func (r *report) skipped() int { return len(r.skips) }

func (r *report) add(o *report) {
	r.passed += o.passed
	r.failures = append(r.failures, o.failures...)
	r.skips = append(r.skips, o.skips...)
}

// reasons lists the most frequent reasons for skips.
func (r *report) reasons(most int) string {
	count := map[string]int{}
	for _, s := range r.skips {
		count[s.why]++
	}
	var all []string
	for why := range count {
		all = append(all, why)
	}
	slices.SortFunc(all, func(a, b string) int {
		if d := count[b] - count[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var parts []string
	rest := 0
	for i, why := range all {
		if i < most {
			parts = append(parts, fmt.Sprintf("%s (%d)", why, count[why]))
		} else {
			rest += count[why]
		}
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("others (%d)", rest))
	}
	return strings.Join(parts, ", ")
}
