package mcptools

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// reader turns the result of one call into a value, as the package comment says.
type reader struct {
	function string // the catalogue's name, for messages
	server   *Server
	output   *jsonschema.Schema
	keep     *Attachments
}

// read gives the value or the error of a result as it stood on the wire.
func (r *reader) read(raw json.RawMessage) (value.Value, error) {
	decoded, err := value.Decode(raw)
	if err != nil {
		return nil, &toolfn.CallError{Code: "bad_result", Message: "its result cannot be read: " + err.Error() + ".", OutcomeUnknown: true, Cause: err}
	}
	result, ok := decoded.(*value.Object)
	if !ok {
		return nil, &toolfn.CallError{Code: "bad_result", Message: "its result is no protocol result, but " + article(value.Kind(decoded)) + ".", OutcomeUnknown: true}
	}
	if kind, _ := result.Get("resultType"); kind == "input_required" {
		return nil, inputRequired(result)
	}
	content, _ := result.Get("content")
	parts := listOf(content)
	structured, has := result.Get("structuredContent")
	has = has && structured != nil
	if failed, _ := result.Get("isError"); failed == true {
		return nil, r.failure(parts, structured)
	}
	if has {
		r.aside(parts, structured)
		return r.unwrap(structured), nil
	}
	return r.parts(result, parts)
}

func article(kind string) string {
	if strings.ContainsAny(kind[:1], "aeio") {
		return "an " + kind
	}
	return "a " + kind
}

// listOf gives a member that should be a list; one object stands for a list of it,
// and a string for a text.
func listOf(v value.Value) []value.Value {
	switch v := v.(type) {
	case []value.Value:
		return v
	case *value.Object:
		return []value.Value{v}
	case string:
		return []value.Value{value.Of("type", "text", "text", v)}
	}
	return nil
}

// parts gives the value of the content parts.
func (r *reader) parts(result *value.Object, parts []value.Value) (value.Value, error) {
	switch len(parts) {
	case 0:
		return leftover(result), nil
	case 1:
		return r.part(parts[0]), nil
	}
	values := make([]value.Value, len(parts))
	for i, p := range parts {
		values[i] = r.part(p)
	}
	return values, nil
}

// leftover gives what a result without content holds beside the protocol's own
// members: nothing in most cases, but a server of an early version or one that
// errs may have put its answer there.
func leftover(result *value.Object) value.Value {
	rest := value.NewObject(0)
	for k, v := range result.All() {
		switch k {
		case "content", "structuredContent", "isError", "_meta", "resultType":
		default:
			rest.Set(k, v)
		}
	}
	if answer, ok := rest.Get("toolResult"); ok && rest.Len() == 1 {
		return answer
	}
	if rest.Len() == 0 {
		return nil
	}
	return rest
}

// part gives the value of one content part.
func (r *reader) part(p value.Value) value.Value {
	o, ok := p.(*value.Object)
	if !ok {
		return p
	}
	switch text(o, "type") {
	case "text":
		return textValue(text(o, "text"))
	case "image", "audio":
		data, err := base64.StdEncoding.DecodeString(text(o, "data"))
		if err != nil {
			return p
		}
		return r.attach(Attachment{Kind: text(o, "type"), MIME: text(o, "mimeType"), Data: data, Size: int64(len(data))})
	case "resource_link":
		x := Attachment{Kind: "link", URI: text(o, "uri"), Name: text(o, "name"), MIME: text(o, "mimeType"), Size: -1, server: r.server}
		if n, ok := o.Get("size"); ok {
			if n, ok := n.(int64); ok {
				x.Size = n
			}
		}
		return r.attach(x)
	case "resource":
		inner, _ := o.Get("resource")
		if res, ok := inner.(*value.Object); ok {
			return r.resource(res, p)
		}
	}
	return p
}

// resource gives the value of a resource with its content. Text of a JSON type
// is its value; other text stays with its address.
func (r *reader) resource(res *value.Object, whole value.Value) value.Value {
	x := Attachment{Kind: "resource", URI: text(res, "uri"), MIME: text(res, "mimeType")}
	if body, ok := res.Get("text"); ok {
		content, ok := body.(string)
		if !ok {
			return whole
		}
		if jsonType(x.MIME) {
			if v, err := value.Decode([]byte(content)); err == nil {
				return v
			}
		}
		o := value.Of("kind", x.Kind, "uri", x.URI)
		if x.MIME != "" {
			o.Set("mime", x.MIME)
		}
		o.Set("size", int64(len(content)))
		o.Set("text", content)
		return o
	}
	data, err := base64.StdEncoding.DecodeString(text(res, "blob"))
	if err != nil {
		return whole
	}
	x.Data, x.Size = data, int64(len(data))
	return r.attach(x)
}

func (r *reader) attach(x Attachment) value.Value {
	x.From = r.function
	if x.Data == nil && x.Kind != "link" {
		x.Data = []byte{}
	}
	x.Handle = r.keep.Add(x)
	return x.descriptor()
}

func text(o *value.Object, key string) string {
	v, _ := o.Get(key)
	s, _ := v.(string)
	return s
}

// textValue decodes text that is one JSON object or array; any other text is
// itself, numbers and words among them, because a server that means a number
// can say so in structured content.
func textValue(s string) value.Value {
	trimmed := strings.TrimSpace(s)
	if trimmed != "" && (trimmed[0] == '{' || trimmed[0] == '[') {
		if v, err := value.Decode([]byte(trimmed)); err == nil {
			return v
		}
	}
	return s
}

// aside keeps the parts that say more than the structured content does.
func (r *reader) aside(parts []value.Value, structured value.Value) {
	for _, p := range parts {
		o, ok := p.(*value.Object)
		if !ok || text(o, "type") != "text" {
			r.part(p) // an image or a link is kept too
			continue
		}
		s := text(o, "text")
		if s == "" || repeats(s, structured) {
			continue
		}
		r.attach(Attachment{Kind: "text", MIME: "text/plain", Data: []byte(s), Size: int64(len(s))})
	}
}

// repeats reports whether text only writes out the structured content or the
// one member of it.
func repeats(s string, structured value.Value) bool {
	v, err := value.Decode([]byte(strings.TrimSpace(s)))
	if err != nil {
		v = s
	}
	if value.Equal(v, structured) {
		return true
	}
	o, ok := structured.(*value.Object)
	return ok && o.Len() == 1 && (value.Equal(v, o.At(0)) || value.Equal(s, o.At(0)))
}

// unwrap takes the wrapper off a result that is no object.
func (r *reader) unwrap(structured value.Value) value.Value {
	if wrapped(r.output) == nil {
		return structured
	}
	if o, ok := structured.(*value.Object); ok && o.Len() == 1 && o.Key(0) == "result" {
		return o.At(0)
	}
	return structured
}

// wrapped gives the schema inside the wrapper {result: …} that SDKs put round a
// result that is no object, or nil if a schema is no such wrapper: it has other
// properties, or its one property is itself an object.
func wrapped(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil || len(s.Properties) != 1 {
		return nil
	}
	inner, ok := s.Properties["result"]
	if !ok || inner == nil || len(s.Required) != 1 || s.Required[0] != "result" {
		return nil
	}
	if inner.Type == "object" || inner.Ref != "" || inner.Properties != nil {
		return nil
	}
	return inner
}

// failure is the error of a result that says it is one.
func (r *reader) failure(parts []value.Value, structured value.Value) *toolfn.CallError {
	e := &toolfn.CallError{Details: structured}
	var texts []string
	for _, p := range parts {
		o, ok := p.(*value.Object)
		switch {
		case !ok:
		case text(o, "type") == "text":
			if s := strings.TrimSpace(text(o, "text")); s != "" {
				texts = append(texts, s)
			}
		default:
			if v := r.part(p); e.Details == nil {
				e.Details = v
			}
		}
	}
	e.Message = strings.Join(texts, "\n")
	if e.Details == nil && len(texts) == 1 {
		if o, ok := textValue(texts[0]).(*value.Object); ok {
			e.Details = o
		}
	}
	if o, ok := e.Details.(*value.Object); ok {
		e.Code = code(o)
		if e.Message == "" || len(texts) == 1 && e.Details != structured {
			e.Message = tell(o)
		}
	}
	if e.Message == "" && e.Details != nil {
		e.Message = compact(e.Details)
	}
	if e.Message == "" {
		e.Message = "it failed and gave no details."
	}
	e.Message = sandbox.Clip(e.Message, 4_000)
	return e
}

// code finds the error's code in its details.
func code(o *value.Object) string {
	for _, key := range []string{"code", "errorCode", "error_code"} {
		if v, ok := o.Get(key); ok {
			switch v := v.(type) {
			case string:
				return sandbox.Clip(v, 100)
			case int64:
				return compact(v)
			}
		}
	}
	if inner, ok := o.Get("error"); ok {
		if inner, ok := inner.(*value.Object); ok {
			return code(inner)
		}
	}
	return ""
}

// tell writes details as one line of text.
func tell(o *value.Object) string {
	for _, key := range []string{"message", "error"} {
		if s := text(o, key); s != "" && o.Len() <= 2 {
			if c := code(o); c != "" && c != s {
				return c + ": " + s
			}
			if o.Len() == 1 {
				return s
			}
		}
	}
	return compact(o)
}

func compact(v value.Value) string {
	data, err := value.Append(nil, v)
	if err != nil {
		return ""
	}
	return sandbox.Clip(string(data), 2_000)
}

// inputRequired is the error of a tool that wants to ask a person.
func inputRequired(result *value.Object) *toolfn.CallError {
	e := &toolfn.CallError{
		Code:    "input_required",
		Message: "it asks for more input from a person, which is not supported here. Give it everything in the arguments, or report that it needs a person.",
	}
	if requests, ok := result.Get("inputRequests"); ok {
		e.Details = value.Of("inputRequests", requests)
	}
	return e
}
