package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// program is one recorded program: what was run, call by call, and what the real
// language made of it.
type program struct {
	id          string
	lang        string
	group       string // programs of one group share a session
	scale       int
	distractors bool
	lost        bool // an earlier program of the group is missing
	calls       []string
	params      []value.Value // of every call
	want        []outcome
	effects     []effect       // nil where they were not recorded
	called      map[string]int // how often each function was called; nil where it was not recorded
	leniency    string         // the listed leniency that the program needs
	inspected   bool           // it prints objects in the real language's own form
	foreign     bool           // it is about tables of its own making, which no tool has
	toolError   bool           // an error's message is the recorder's, not the language's
}

// outcome is what one call gave.
type outcome struct {
	ok     bool
	value  value.Value
	long   *digest // the value was too long to be kept
	stdout []string
	err    string
	early  bool // the error came before anything ran
	apart  bool // the programs after it were recorded as if it had not been
}

// digest stands for a value by the length and the hash of its JSON.
type digest struct {
	length int
	sha256 string
}

// effect is one entry of the outbox.
type effect struct {
	kind    string
	payload *value.Object
}

// read reads a file of recorded programs, one JSON object a line, in any of the
// three forms: programs of groups, long programs, one-liners.
func read(path, lang string) ([]program, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	all, err := readAll(f, lang)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

func readAll(from io.Reader, lang string) ([]program, error) {
	var all []program
	lines := bufio.NewReader(from)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			p, err := readProgram(line, lang)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			if p.lang == lang && !p.foreign {
				all = append(all, p)
			}
		}
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// record has the members of all three forms.
type record struct {
	ID          string
	Kind        string
	Lang        string
	Group       string
	Scale       int
	Distractors int
	State       string
	Code        *string
	Calls       []string
	Params      json.RawMessage
	Oracle      json.RawMessage
	OracleError json.RawMessage `json:"oracle_error"`
	OracleOut   []string        `json:"oracle_stdout"`
	Effects     json.RawMessage
	Reference   struct {
		OK     bool
		Rows   json.RawMessage
		Called []struct {
			Name  string
			Calls int
		}
	}
	Class     struct{ Label, Kind string }
	Leniency  string
	Inspect   bool `json:"stdout_inspect"`
	ToolError bool `json:"tool_error"`
}

func readProgram(line []byte, lang string) (program, error) {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return program{}, err
	}
	p := program{
		id: r.ID, lang: r.Lang, group: r.Group, scale: max(r.Scale, 1), distractors: r.Distractors > 0,
		lost: r.State == "after_truncation", leniency: r.Leniency, inspected: r.Inspect, toolError: r.ToolError,
	}
	if p.group == "" {
		p.group = r.ID
	}
	if p.lang == "" {
		p.lang = lang
	}
	params, err := decoded(r.Params)
	if err != nil {
		return program{}, err
	}
	p.params, _ = params.([]value.Value)
	switch {
	case p.lang == "sql" && r.Calls != nil:
		err = p.readLongRows(r)
	case p.lang == "sql" && r.OracleError != nil:
		err = p.readOneRow(r)
	case p.lang == "sql" && r.Code != nil:
		err = p.readRows(r)
	case r.Calls != nil:
		err = p.readLong(r)
	case r.OracleError != nil:
		err = p.readLine(r)
	case r.Code != nil:
		err = p.readGrouped(r)
	default:
		err = fmt.Errorf("%s has no program", r.ID)
	}
	return p, err
}

// readGrouped reads the form of programs in groups: one oracle with ok, value,
// error and a list of printed lines.
func (p *program) readGrouped(r record) error {
	var o struct {
		OK     bool
		Value  json.RawMessage
		Nested json.RawMessage `json:"value_nested"` // of the last expression statement that ran
		Error  string
		Stdout []string
	}
	if err := json.Unmarshal(r.Oracle, &o); err != nil {
		return err
	}
	w := outcome{ok: o.OK, stdout: o.Stdout, err: o.Error, early: strings.HasPrefix(o.Error, "SyntaxError: ")}
	if len(o.Nested) > 0 {
		o.Value = o.Nested
	}
	if err := w.readValue(o.Value); err != nil {
		return err
	}
	p.calls, p.want = []string{*r.Code}, []outcome{w}
	if r.Reference.OK && r.Class.Label == "AGREE_OK" && r.Reference.Called != nil {
		p.called = map[string]int{}
		for _, c := range r.Reference.Called {
			p.called[c.Name] = c.Calls
		}
	}
	return nil
}

// readLong reads the form of long programs: an oracle a call, and the outbox.
func (p *program) readLong(r record) error {
	var oracle []struct {
		OK      bool
		Value   json.RawMessage
		Repr    string
		Stdout  string
		Inspect bool `json:"stdout_inspect"`
		Error   *struct{ Type, Message string }
	}
	if err := json.Unmarshal(r.Oracle, &oracle); err != nil {
		return err
	}
	if len(oracle) != len(r.Calls) {
		return fmt.Errorf("%s has %d calls and %d answers", p.id, len(r.Calls), len(oracle))
	}
	p.calls = r.Calls
	for _, o := range oracle {
		w := outcome{ok: o.OK, stdout: splitLines(o.Stdout)}
		if o.Error != nil {
			w.err = o.Error.Type + ": " + o.Error.Message
			w.early = o.Error.Type == "SyntaxError" && !strings.Contains(o.Error.Message, "in JSON at")
		}
		if err := w.readValue(o.Value); err != nil {
			return err
		}
		if w.value == nil && o.OK && p.lang == "python" && o.Repr != "" && o.Repr != "None" {
			w.value = value.Of("$repr", o.Repr) // JSON has no such value
		}
		p.inspected = p.inspected || o.Inspect
		p.want = append(p.want, w)
	}
	return p.readEffects(r.Effects)
}

// readLine reads the form of one-liners: the value itself, or an error.
func (p *program) readLine(r record) error {
	w := outcome{stdout: r.OracleOut}
	var failed *string
	if err := json.Unmarshal(r.OracleError, &failed); err != nil {
		return err
	}
	if w.ok = failed == nil; !w.ok {
		w.err = *failed
	}
	if err := w.readValue(r.Oracle); err != nil {
		return err
	}
	p.calls, p.want = []string{*r.Code}, []outcome{w}
	return nil
}

func (o *outcome) readValue(raw json.RawMessage) error {
	if len(raw) == 0 {
		return nil
	}
	v, err := value.Decode(raw)
	if err != nil {
		return err
	}
	o.value = v
	if m, ok := v.(*value.Object); ok {
		if n, ok := m.Get("__long__"); ok {
			hash, _ := m.Get("sha256")
			o.long = &digest{length: int(n.(int64)), sha256: hash.(string)}
		}
	}
	return nil
}

func (p *program) readEffects(raw json.RawMessage) error {
	v, err := value.Decode(raw)
	if err != nil {
		return err
	}
	p.effects = []effect{}
	list, _ := v.([]value.Value)
	for _, e := range list {
		m, _ := e.(*value.Object)
		kind, _ := m.Get("kind")
		payload, _ := m.Get("payload")
		args, _ := payload.(*value.Object)
		p.effects = append(p.effects, effect{kind.(string), args})
	}
	return nil
}

// splitLines splits printed text into lines; a last line break ends the last line.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
