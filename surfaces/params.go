package surfaces

import (
	"context"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Inputter is a Language whose code tool takes its program under a name of its own,
// or values of parameters beside it.
type Inputter interface {
	Language
	// ProgramInput names the argument that holds a program and says what it holds.
	// Parameters says what the argument params is; "" is a language without.
	ProgramInput() (key, description, parameters string)
}

// paramsKey is the argument with the values of parameters.
const paramsKey = "params"

// programInput is how a language's code tool takes a program.
func programInput(l Language) (key, description, parameters string) {
	if i, ok := l.(Inputter); ok {
		return i.ProgramInput()
	}
	return "code", l.Title() + " statements. The value of the last expression is returned; names bound at the top level persist.", ""
}

type paramsOf struct{}

// WithParams gives a program that runs in the context the values of its parameters,
// in their order.
func WithParams(ctx context.Context, params []value.Value) context.Context {
	return context.WithValue(ctx, paramsOf{}, params)
}

// Params gives the values of the parameters of a program that runs in the context.
func Params(ctx context.Context) []value.Value {
	params, _ := ctx.Value(paramsOf{}).([]value.Value)
	return params
}
