package attacks

import "testing"

func TestParse(t *testing.T) {
	a, err := parse("// expect: error|value:[1]\n1\n//---\n2\n", "//")
	if err != nil || len(a.Expect) != 2 || len(a.Programs) != 2 || a.Programs[1] != "2\n" {
		t.Errorf("%+v, %v", a, err)
	}
	for _, bad := range []string{"1+1\n", "// expect: fine\n1\n", "// expect: value:{\n1\n"} {
		if _, err := parse(bad, "//"); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func TestJudge(t *testing.T) {
	value := func(text string) End { return End{Word: "value", Text: text} }
	limit, refused := End{Word: "budget", Kind: "fuel"}, End{Word: "reject", Kind: "gate"}
	for _, c := range []struct {
		expect string
		ends   []End
		fine   bool
	}{
		{"reject", []End{refused}, true},
		{"reject", []End{{Word: "reject", Calls: 1}}, false},
		{"reject", []End{{Word: "error"}}, false},
		{"error", []End{refused}, true},
		{"error", []End{limit}, false},
		{"budget", []End{limit}, true},
		{"budget", []End{limit, value("2")}, true},
		{"value:2", []End{{Word: "error"}, value("2")}, true},
		{"value:2", []End{value("3")}, false},
		{"value:{\"a\":[1]}", []End{value("{\"a\":[1.0]}")}, true},
		{"safe", []End{{Word: "error"}}, true},
		{"safe", []End{value("\"PWNED\"")}, false},
		{"safe", []End{{Word: "error", Text: "panic at meter.go:12"}}, false},
		{"safe", nil, false},
	} {
		a, err := parse("// expect: "+c.expect+"\nx", "//")
		if err != nil {
			t.Fatal(err)
		}
		if len(c.ends) > 0 {
			a.Programs = make([]string, len(c.ends))
		}
		if got := a.Judge(c.ends); (got == "") != c.fine {
			t.Errorf("%s with %+v: %q", c.expect, c.ends, got)
		}
	}
}
