package toolfn

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

// suiteCase is one schema of the JSON Schema test suite with its instances.
type suiteCase struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// lenient are the cases of the suite in which we accept what it refuses, each
// with its reason. We never refuse what it accepts.
var lenient = map[string]string{
	"unevaluatedProperties":                  "keys of branches that do not hold count as evaluated",
	"unevaluatedItems":                       "beside combinations the items are not tracked",
	"dynamicRef":                             "a $dynamicRef of several meanings accepts any value",
	"refRemote":                              "nothing is ever fetched",
	"definitions":                            "the metaschema is never fetched",
	"defs":                                   "the metaschema is never fetched",
	"ref/remote ref, containing refs itself": "the metaschema is never fetched",
	"ref/ref creates new scope when adjacent to keywords": "keys of combined schemas count as evaluated",
}

// TestJSONSchemaSuite runs the published JSON Schema test suite, which the
// module of the schema types carries with it.
func TestJSONSchemaSuite(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Skipf("the module's folder is not known: %v", err)
	}
	for _, draft := range []string{"draft2020-12", "draft7"} {
		files, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "jsonschema", "testdata", draft, "*.json"))
		if len(files) == 0 {
			t.Skip("the module carries no test suite")
		}
		total, wrong := 0, 0
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var cases []suiteCase
			if err := json.Unmarshal(data, &cases); err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			for _, c := range cases {
				if draft == "draft7" {
					c.Schema = declareDraft(t, c.Schema, "http://json-schema.org/draft-07/schema#")
				}
				n, bad := runSuiteCase(t, name, c)
				total += n
				wrong += bad
			}
		}
		t.Logf("%s: %d of %d as the suite says, %d accepted with a listed reason", draft, total-wrong, total, wrong)
	}
}

// declareDraft puts $schema into a schema that leaves it to its file's place.
func declareDraft(t *testing.T, schema json.RawMessage, draft string) json.RawMessage {
	v, err := value.Decode(schema)
	if err != nil {
		t.Fatal(err)
	}
	o, ok := v.(*value.Object)
	if !ok || o.Has("$schema") {
		return schema
	}
	o.Set("$schema", draft)
	text, err := value.Append(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func runSuiteCase(t *testing.T, file string, c suiteCase) (total, wrong int) {
	s, _, err := ParseSchema(c.Schema)
	if err != nil {
		t.Errorf("%s/%s: %v", file, c.Description, err)
		return 0, 0
	}
	root := newCompiler(s).contract.root
	for _, test := range c.Tests {
		total++
		v, err := value.Decode(test.Data)
		if err != nil {
			t.Fatal(err)
		}
		got := (&walker{left: checkSteps}).check(root, v)
		if told := (&walker{left: checkSteps, report: &report{}}).check(root, v); told != got {
			t.Errorf("%s/%s/%s: %v without a report, %v with one", file, c.Description, test.Description, got, told)
		}
		if got == test.Valid {
			continue
		}
		wrong++
		if _, listed := reasonFor(file, c.Description); !got || !listed {
			t.Errorf("%s/%s/%s: got %v", file, c.Description, test.Description, got)
		}
	}
	return total, wrong
}

func reasonFor(file, description string) (string, bool) {
	for key, reason := range lenient {
		if strings.HasPrefix(file+"/"+description, key) {
			return reason, true
		}
	}
	return "", false
}
