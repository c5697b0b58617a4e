package main

import (
	"strings"
	"testing"
)

func TestReadsTheThreeForms(t *testing.T) {
	all, err := readAll(strings.NewReader(
		`{"id":"a#0","group":"a","state":"after_truncation","scale":2,"distractors":30,"code":"x","oracle":{"ok":false,"error":"SyntaxError: no (1:2)","stdout":["p"]}}`+"\n"+
			`{"id":"b","lang":"js","scale":1,"calls":["f()","g()"],"leniency":"redeclare","stdout_inspect":true,"effects":[{"kind":"k","payload":{"n":9007199254740993}}],`+
			`"oracle":[{"ok":true,"value":[1],"stdout":"one\ntwo\n","error":null},{"ok":false,"value":null,"stdout":"","error":{"type":"TypeError","message":"m","line":1}}]}`+"\n\n"+
			`{"id":"c","lang":"js","code":"1","oracle":{"$undefined":true},"oracle_error":null,"oracle_stdout":[]}`+"\n"+
			`{"id":"d","lang":"python","code":"1","oracle":1,"oracle_error":null,"oracle_stdout":[]}`), "js")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 {
		t.Fatalf("%d programs", len(all))
	}
	a, b, c := all[0], all[1], all[2]
	if !a.lost || !a.distractors || a.scale != 2 || !a.want[0].early || a.effects != nil || a.want[0].stdout[0] != "p" {
		t.Errorf("%+v", a)
	}
	if len(b.calls) != 2 || b.group != "b" || len(b.want[0].stdout) != 2 || b.want[1].err != "TypeError: m" || b.want[1].early ||
		b.leniency != "redeclare" || !b.inspected || len(b.effects) != 1 || brief(b.effects[0].payload) != `{"n":9007199254740993}` {
		t.Errorf("%+v", b)
	}
	if !c.want[0].ok || c.scale != 1 || brief(c.want[0].value) != `{"$undefined":true}` {
		t.Errorf("%+v", c)
	}
	for _, bad := range []string{`{`, `{"id":"x"}`, `{"id":"x","calls":["a","b"],"oracle":[]}`} {
		if _, err := readAll(strings.NewReader(bad), "js"); err == nil || !strings.HasPrefix(err.Error(), "line 1: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestDigestIsOfTheRecordersJSON(t *testing.T) {
	for in, want := range map[string]digest{ // as Python's json.dumps(v, ensure_ascii=False) has it
		`[{"a":1,"b":"é"}]`:                            {20, "5c3c0e9466b50b578953ef211271c537bf7cbeef987e1cb6bdaf6c985be7a932"},
		`[1.5,null,true,"\n\u0007",1e+21,1e-7,0.0001]`: {51, "99b31f01584cef797294a4229c926e0d07f6c69892721b7cf1b86417afaaa1e4"},
	} {
		var o outcome
		if err := o.readValue([]byte(in)); err != nil {
			t.Fatal(err)
		}
		if got := digestOf(o.value); got != want {
			t.Errorf("%s: %+v", in, got)
		}
	}
}
