package toolfn

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/toolfn/value"
)

// TestHostileSchemas takes in schemas that are made to cost much. Each must be
// usable or refused within a time that only a runaway exceeds.
func TestHostileSchemas(t *testing.T) {
	doubling := func(keyword string, last string) string {
		var b strings.Builder
		b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
		for i := range 40 {
			fmt.Fprintf(&b, `"d%d":{"%s":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, keyword, i+1, i+1)
		}
		return b.String() + `"d40":` + last + `}}`
	}
	deep := strings.Repeat(`{"properties":{"a":`, 200) + `{"type":"string"}` + strings.Repeat(`}}`, 200)
	wide := `{"type":"object","properties":{` + strings.TrimSuffix(strings.Repeat(`"p":{"type":"string","description":"`+strings.Repeat("x", 100)+`"},`, 1000), ",") + `}}`
	many := `{"type":"object","properties":{`
	for i := range 1500 {
		many += fmt.Sprintf(`"p%d":{"type":"string","description":"%s"},`, i, strings.Repeat("d", 40))
	}
	many += `"last":{"type":"string"}},"required":["last"]}`
	expr := `{"properties":{"e":{"$ref":"#/$defs/e"}},"$defs":{"e":{"anyOf":[{"type":"object","properties":{"a":{"$ref":"#/$defs/e"}}},{"type":"object","properties":{"a":{"$ref":"#/$defs/e"}},"required":["z"]},{"type":"object","properties":{"a":{"$ref":"#/$defs/e"}},"required":["y"]}],"required":["q"]}}}`
	nest := value.Of("q", int64(1))
	for range 60 {
		nest = value.Of("a", nest)
	}
	for name, c := range map[string]struct {
		schema string
		args   *value.Object
	}{
		"allOf doubled 40 times": {doubling("allOf", `{"required":["x"]}`), value.Of("y", int64(1))},
		"anyOf doubled 40 times": {doubling("anyOf", `{"required":["x"]}`), value.Of("y", int64(1))},
		"oneOf doubled 40 times": {doubling("oneOf", `{"required":["x"]}`), value.Of("x", int64(1))},
		"200 levels deep":        {deep, value.Of("a", value.Of("a", "b"))},
		"1,000 equal properties": {wide, value.Of("p", int64(1))},
		"1,501 properties":       {many, value.Of("q", int64(1))},
		"branches at each level": {expr, value.Of("e", nest)},
		"a long pattern":         {`{"properties":{"a":{"type":"string","pattern":"^(a+)+$"}}}`, value.Of("a", strings.Repeat("a", 50_000)+"b")},
	} {
		start := time.Now()
		f, err := DefineRaw("f", json.RawMessage(c.schema), nothing)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checkFuzzed(t, f, c.args)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", name, took)
		} else {
			t.Logf("%s took %v", name, took)
		}
	}
}

// TestLinesAreShort holds the bound of one-line entries in bytes, whatever the
// script of the description and the length of the name.
func TestLinesAreShort(t *testing.T) {
	for _, description := range []string{strings.Repeat("説明文", 200), strings.Repeat("🙂", 200), strings.Repeat("word ", 200), ""} {
		for _, name := range []string{"f", strings.Repeat("n", 128)} {
			f := must(DefineRaw(name, json.RawMessage(`{"properties":{"`+strings.Repeat("k", 90)+`":{"enum":["`+strings.Repeat("v", 90)+`"]},"b":{}},"required":["b"]}`), nothing,
				Description(description), Destroys()))
			line := Line(&f, Neutral)
			bounded(t, line, lineBytes)
			if !strings.HasPrefix(line, name+"(") {
				t.Error(line)
			}
		}
	}
}

// TestLargeSchemaStaysSmall shows that a function with a schema of 70 kB takes
// one short line.
func TestLargeSchemaStaysSmall(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"type":"object","description":"` + strings.Repeat("long ", 2000) + `","properties":{`)
	for i := range 300 {
		fmt.Fprintf(&b, `"argument_number_%d":{"type":"object","description":"%s","properties":{"a":{"enum":["one","two","three"]},"b":{"type":"string"}}},`, i, strings.Repeat("words ", 20))
	}
	b.WriteString(`"z":{"type":"string"}},"required":["z"]}`)
	if b.Len() < 70_000 {
		t.Fatalf("the schema has only %d bytes", b.Len())
	}
	f, err := DefineRaw("server__tool", json.RawMessage(b.String()), nothing, Description(strings.Repeat("What it does. ", 5000)))
	if err != nil {
		t.Fatal(err)
	}
	c := NewCatalog()
	if err := c.Register(f); err != nil {
		t.Fatal(err)
	}
	line := Line(c.All()[0], Neutral)
	if len(line) > lineBytes || !strings.Contains(line, "{z: string") {
		t.Errorf("%d bytes: %s", len(line), line)
	}
	text, fault := NewDiscovery(c, DiscoveryOptions{Style: Neutral}).DescribeText(t.Context(), "server__tool")
	if fault != nil || len(text) > textBytes+200 {
		t.Errorf("%d bytes, %v", len(text), fault)
	}
	if !strings.Contains(text, "more") {
		t.Errorf("no marker for what is left out: %s", text[len(text)-200:])
	}
}
