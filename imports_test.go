package polyglove_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/polyglove/polyglove"

// floor is one level of the house. A package belongs to the floor with the
// longest path that it stands under.
type floor struct {
	path  string
	level int
	apart bool // its folders do not know each other
}

// floors are the levels from the top down: a package imports only what stands on
// a lower level, or in the same folder of its own level.
var floors = []floor{
	{"cmd", 9, true},
	{"bench", 8, false},
	{"internal/config", 8, false},
	{"surfaces/*", 7, true},
	{"surfaces", 6, false},
	{"surfaces/held", 5, false},
	{"egress", 5, false},
	{"dispatch", 4, false},
	{"toolfn/mcptools", 3, false},
	{"toolfn/openapi", 3, false},
	{"toolfn", 2, false},
	{"elide", 1, false},
	{"sandbox/regex", 1, false},
	{"sandbox", 0, false},
	{"toolfn/value", 0, false},
}

// confined are libraries that only the named packages may know.
var confined = map[string][]string{
	"github.com/modelcontextprotocol/go-sdk": {"toolfn/mcptools", "cmd", "bench"},
	"github.com/dop251/goja":                 {"surfaces/js", "bench"},
	"go.opentelemetry.io/otel":               {"dispatch/oteltrace"},
	"modernc.org/sqlite":                     {"dispatch/store/sqlite"},
}

// floorOf gives the level of a package and the folder within which its
// neighbours may know each other.
func floorOf(pkg string) (f floor, home string, ok bool) {
	best := -1
	for _, c := range floors {
		path := strings.TrimSuffix(c.path, "/*")
		under := strings.HasPrefix(pkg, path+"/")
		if pkg != path && !under || strings.HasSuffix(c.path, "/*") && !under || len(c.path) <= best {
			continue
		}
		best, f, ok, home = len(c.path), c, true, path
		if c.apart {
			rest, _, _ := strings.Cut(strings.TrimPrefix(pkg, path+"/"), "/")
			home = path + "/" + rest
		}
	}
	return f, home, ok
}

func TestFloors(t *testing.T) {
	for pkg, want := range map[string]string{
		"surfaces": "surfaces", "surfaces/js": "surfaces/js", "surfaces/js/compile": "surfaces/js",
		"toolfn/value": "toolfn/value", "toolfn/mcptools": "toolfn/mcptools", "toolfn": "toolfn", "cmd/polyglove": "cmd/polyglove",
	} {
		if _, home, ok := floorOf(pkg); !ok || home != want {
			t.Errorf("%s is at home in %q, want %q", pkg, home, want)
		}
	}
}

// TestImports holds the rule that data flows one way: imports point downwards
// only. Tests may look anywhere.
func TestImports(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return skip(path, d.Name())
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		seen++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if problem := judge(filepath.ToSlash(filepath.Dir(path)), imported); problem != "" {
				t.Errorf("%s imports %s: %s", path, imported, problem)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 50 {
		t.Errorf("only %d files were looked at", seen)
	}
}

// skip leaves out what is not part of the module.
func skip(path, name string) error {
	if path == "." {
		return nil
	}
	if strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

// judge says what is wrong with an import, "" if nothing is.
func judge(pkg, imported string) string {
	for library, allowed := range confined {
		if imported == library || strings.HasPrefix(imported, library+"/") {
			for _, a := range allowed {
				if pkg == a || strings.HasPrefix(pkg, a+"/") {
					return ""
				}
			}
			return "only " + strings.Join(allowed, ", ") + " may know this library"
		}
	}
	target, ours := strings.CutPrefix(imported, module+"/")
	if !ours || pkg == "." {
		return ""
	}
	from, home, ok := floorOf(pkg)
	if !ok {
		return "the package " + pkg + " has no floor; give it one in this test"
	}
	to, targetHome, ok := floorOf(target)
	switch {
	case !ok:
		return "the package " + target + " has no floor; give it one in this test"
	case home == targetHome:
		return ""
	case to.level >= from.level:
		return target + " does not stand below " + pkg
	}
	return ""
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		pkg, imported string
		fine          bool
	}{
		{"surfaces/js", module + "/surfaces", true},
		{"surfaces", module + "/surfaces/js", false},
		{"surfaces/js", module + "/surfaces/python", false},
		{"surfaces/js", module + "/surfaces/js/compile", true},
		{"toolfn", module + "/dispatch", false},
		{"elide", module + "/toolfn", false},
		{"toolfn", module + "/elide", true},
		{"toolfn/mcptools", module + "/toolfn/openapi", false},
		{"dispatch", "github.com/modelcontextprotocol/go-sdk/mcp", false},
		{"toolfn/mcptools", "github.com/modelcontextprotocol/go-sdk/mcp", true},
		{"nowhere", module + "/sandbox", false},
		{"sandbox", "fmt", true},
	} {
		if got := judge(c.pkg, c.imported); (got == "") != c.fine {
			t.Errorf("%s imports %s: %q", c.pkg, c.imported, got)
		}
	}
}
