package surfaces

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// codeSchema is the input of a code tool.
func codeSchema(l Language, tries bool) json.RawMessage {
	key, text, parameters := programInput(l)
	properties := value.Of(key, value.Of("type", "string", "description", text))
	if parameters != "" {
		properties.Set(paramsKey, value.Of("type", "array", "items", value.Of(), "description", parameters))
	}
	if tries {
		properties.Set(dryRunKey, value.Of("type", "boolean", "description", "Only try: reads run, every other call is checked and listed and not made."))
	}
	return encode(value.Of("type", "object", "properties", properties, "required", []value.Value{key}))
}

// dryRunKey is the argument that makes a program only try.
const dryRunKey = "dry_run"

// encode writes plain data of our own making as JSON.
func encode(v value.Value) json.RawMessage {
	b, err := value.Append(nil, v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}

// codeKeys are the names under which models send a program, ours first.
var codeKeys = []string{"code", "program", "script", "query", "input", "source", "statement", "expression", "command", "cmd", "text"}

// remarks are arguments with which models comment on a call. They say nothing
// about how it should run, so they may be passed over.
var remarks = []string{"description", "title", "explanation", "reason", "reasoning", "purpose", "thought", "comment", "summary", "name", "intent"}

// program is what a code tool was asked to run.
type program struct {
	code   string
	params []value.Value
	note   string // what was put right about the arguments
	dry    bool   // it only tries
}

// readProgram takes the program out of a tool's arguments. Arguments of other
// names than expected are taken where only one reading is possible; one that
// might change how the program should run is refused, because to pass over it
// in silence would run something else than was asked.
func readProgram(tool string, l Language, raw json.RawMessage, longest int, tries bool) (program, *sandbox.Fault) {
	// JSON takes at most six bytes for one; anything longer need not be decoded to
	// be refused.
	if len(raw) > 6*longest+4096 {
		return program{}, &sandbox.Fault{
			Kind: sandbox.KindRejected, Message: fmt.Sprintf("%s was not run: the program is longer than %d bytes.", tool, longest),
			Hint: "Split it over several programs, or fetch data with a function instead of writing it out.",
		}
	}
	given, err := value.Decode(raw)
	if err != nil {
		return program{}, misused(tool, l, "the arguments are not JSON")
	}
	switch v := given.(type) {
	case string:
		key, _, _ := programInput(l)
		return program{code: v, note: "the arguments were a bare string; send {\"" + key + "\": …}."}, nil
	case *value.Object:
		return programOf(tool, l, v, tries)
	}
	return program{}, misused(tool, l, "the arguments are "+value.Kind(given)+", not an object")
}

func programOf(tool string, l Language, args *value.Object, tries bool) (program, *sandbox.Fault) {
	key, fault := codeKey(tool, l, args)
	if fault != nil {
		return program{}, fault
	}
	v, _ := args.Get(key)
	code, ok := codeText(v)
	if !ok {
		return program{}, misused(tool, l, "'"+clipName(key)+"' is "+value.Kind(v)+", not a string")
	}
	p := program{code: code}
	own, _, parameters := programInput(l)
	if key != own {
		p.note = "the argument is called " + own + "; '" + clipName(key) + "' was taken for it."
	}
	for other, v := range args.All() {
		if other == key || member(remarks, other) || sameLanguage(l, other, v) {
			continue
		}
		if list, ok := v.([]value.Value); parameters != "" && member(paramsKeys, other) {
			if !ok && v != nil {
				return program{}, misused(tool, l, "'"+clipName(other)+"' is "+value.Kind(v)+", not a list of values")
			}
			p.params = list
			continue
		}
		if dry, ok := dryRun(other, v); ok && (tries || !dry) {
			p.dry = dry
			continue
		}
		if s, ok := v.(string); ok && isLanguageKey(other) {
			return program{}, misused(tool, l, "it runs "+l.Title()+", not "+clipName(s))
		}
		if strings.HasPrefix(other, "timeout") {
			p.note = strings.TrimPrefix(p.note+" '"+clipName(other)+"' was ignored: the host sets the time limits.", " ")
			continue
		}
		return program{}, misused(tool, l, "it takes only "+takes(l)+", and '"+clipName(other)+"' is not known")
	}
	return p, nil
}

// dryRun reads the argument that makes a program only try, as models spell it.
func dryRun(key string, v value.Value) (dry, ok bool) {
	switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key)) {
	case "dryrun":
	default:
		return false, false
	}
	switch v := v.(type) {
	case bool:
		return v, true
	case string:
		return v == "true", v == "true" || v == "false"
	case nil:
		return false, true
	}
	return false, false
}

// codeKey finds the member that holds the program.
func codeKey(tool string, l Language, args *value.Object) (string, *sandbox.Fault) {
	own, _, _ := programInput(l)
	for _, k := range append([]string{own}, append(codeKeys[:len(codeKeys):len(codeKeys)], l.Name(), strings.ToLower(l.Title()))...) {
		if args.Has(k) {
			return k, nil
		}
	}
	only := ""
	for k, v := range args.All() {
		if _, ok := v.(string); ok && !member(remarks, k) {
			if only != "" {
				return "", misused(tool, l, "the argument "+own+" is missing")
			}
			only = k
		}
	}
	if only == "" {
		return "", misused(tool, l, "the argument "+own+" is missing")
	}
	return only, nil
}

// codeText gives a program that is a string, or a list of its lines.
func codeText(v value.Value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []value.Value:
		lines := make([]string, len(v))
		for i, l := range v {
			s, ok := l.(string)
			if !ok {
				return "", false
			}
			lines[i] = s
		}
		return strings.Join(lines, "\n"), len(lines) > 0
	}
	return "", false
}

// sameLanguage reports whether an argument merely names the tool's language.
func sameLanguage(l Language, key string, v value.Value) bool {
	s, ok := v.(string)
	return ok && isLanguageKey(key) && (strings.EqualFold(s, l.Name()) || strings.EqualFold(s, l.Title()))
}

func isLanguageKey(key string) bool { return key == "language" || key == "lang" }

// paramsKeys are the names under which models send the values of parameters.
var paramsKeys = []string{paramsKey, "parameters", "args", "values", "bindings"}

// takes lists what a code tool takes.
func takes(l Language) string {
	key, _, parameters := programInput(l)
	if parameters != "" {
		return key + " and " + paramsKey
	}
	return key
}

func misused(tool string, l Language, why string) *sandbox.Fault {
	key, _, parameters := programInput(l)
	form := "{\"" + key + "\": \"…\"}"
	if parameters != "" {
		form = "{\"" + key + "\": \"…\", \"" + paramsKey + "\": […]}"
	}
	return &sandbox.Fault{
		Kind: sandbox.KindArgument, Message: tool + " was not run: " + why + ".",
		Hint: "Send " + form + " and nothing else.",
	}
}

func clipName(name string) string { return sandbox.Clip(visible(name), 60) }

func member(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
