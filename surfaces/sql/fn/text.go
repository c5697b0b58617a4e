package fn

import "github.com/polyglove/polyglove/surfaces/sql/pgerr"

// Input reads a value of a type from its text, with the server's errors. Where the
// input function of the type takes a length or precision (interval, bit) typmod
// is that, or -1; the length of varchar and the like is a function's matter.
type Input func(e *Env, text string, typmod int32) (any, *pgerr.Error)

// Output appends the text of a value that is not NULL.
type Output func(e *Env, dst []byte, v any) ([]byte, *pgerr.Error)
