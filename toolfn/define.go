package toolfn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Option sets what a definition leaves open.
type Option func(*ToolFn)

// Description sets the description.
func Description(text string) Option { return func(f *ToolFn) { f.Description = text } }

// InServer puts the function into a group.
func InServer(name string) Option { return func(f *ToolFn) { f.Server = name } }

// ReadOnly declares that a call changes nothing.
func ReadOnly() Option { return func(f *ToolFn) { f.Effect.Impact = Read } }

// Writes declares that a call changes something.
func Writes() Option { return func(f *ToolFn) { f.Effect.Impact = Write } }

// Destroys declares that a call removes or overwrites something.
func Destroys() Option { return func(f *ToolFn) { f.Effect.Impact = Destructive } }

// Idempotent declares that calling twice is the same as calling once.
func Idempotent() Option { return func(f *ToolFn) { f.Effect.Idempotent = true } }

// Unsampled keeps discovery from calling the function to learn its result's
// shape.
func Unsampled() Option { return func(f *ToolFn) { f.Unsampled = true } }

// WithExample adds a call that works.
func WithExample(note string, args *value.Object) Option {
	return func(f *ToolFn) { f.Examples = append(f.Examples, Example{Note: note, Args: args}) }
}

// WithOutput declares the result's schema as raw JSON Schema, read as by
// [ParseSchema].
func WithOutput(schema json.RawMessage) Option {
	return func(f *ToolFn) {
		s, w, err := ParseSchema(schema)
		if err != nil {
			f.notes = append(f.notes, Warning{Message: "the output schema is ignored: " + err.Error()})
			return
		}
		f.Output = s
		f.notes = append(f.notes, w...)
	}
}

// DefineRaw defines a function from raw JSON Schema, read as by [ParseSchema].
// What had to be put right in the schema becomes a warning at registration.
func DefineRaw(name string, input json.RawMessage, call func(context.Context, *value.Object) (value.Value, error), opts ...Option) (ToolFn, error) {
	f := ToolFn{Name: name, Call: call}
	s, w, err := ParseSchema(input)
	if err != nil {
		return ToolFn{}, fmt.Errorf("function %q: %w", name, err)
	}
	f.Input, f.notes = s, w
	for _, o := range opts {
		o(&f)
	}
	return f, nil
}

// schemaTypes are the Go types that travel otherwise than their kind says.
var schemaTypes = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[big.Int]():         {Type: "integer"},
	reflect.TypeFor[json.Number]():     {Type: "number"},
	reflect.TypeFor[[]byte]():          {Type: "string", ContentEncoding: "base64"},
	reflect.TypeFor[json.RawMessage](): {},
	reflect.TypeFor[value.Object]():    {Type: "object"},
}

// Define makes a function of a Go function. The schemas come from the types
// (jsonschema.For: json tags name the fields, omitempty makes one optional, a
// jsonschema tag describes it). Arguments arrive exact: integers of any size fit
// an int64, uint64 or big.Int field or are refused, an `any` field holds plain
// data as package value has it, a []byte field is base64. The result is what
// encoding/json would write, save that nil slices and maps are empty ones.
func Define[In, Out any](name string, fn func(context.Context, In) (Out, error), opts ...Option) (ToolFn, error) {
	if fn == nil {
		return ToolFn{}, fmt.Errorf("function %q has no Go function", name)
	}
	input, err := schemaOf[In]()
	if err != nil {
		return ToolFn{}, fmt.Errorf("function %q: arguments: %w", name, err)
	}
	output, err := schemaOf[Out]()
	if err != nil {
		return ToolFn{}, fmt.Errorf("function %q: result: %w", name, err)
	}
	if t := reflect.TypeFor[In](); input != nil && input.Type != "object" && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		return ToolFn{}, fmt.Errorf("function %q takes %s, want a struct or a map", name, t.Kind())
	}
	withoutNullLists(output)
	f := ToolFn{Name: name, Input: input, Output: output}
	bind, emit := binderOf(reflect.TypeFor[In]()), emitterOf(reflect.TypeFor[Out]())
	f.Call = func(ctx context.Context, args *value.Object) (value.Value, error) {
		var in In
		if err := bind(args, reflect.ValueOf(&in).Elem()); err != nil {
			return nil, &CallError{Code: "argument", Message: err.Error()}
		}
		out, err := fn(ctx, in)
		if err != nil {
			return nil, err
		}
		return emit(reflect.ValueOf(&out).Elem())
	}
	for _, o := range opts {
		o(&f)
	}
	return f, nil
}

// schemaOf infers a type's schema; nil for plain data of any form.
func schemaOf[T any]() (*jsonschema.Schema, error) {
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[value.Object]() || t.Kind() == reflect.Interface {
		return nil, nil
	}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: schemaTypes})
	if err != nil {
		return nil, errors.New("no schema for the Go type: " + err.Error())
	}
	return s, nil
}
