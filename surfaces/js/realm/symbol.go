package realm

import "github.com/dop251/goja"

// symbolFunction is Symbol. Of the well-known symbols a program gets those that
// it can use on objects of its own; the ones by which the engine looks up how to
// match, split or construct stay out of reach.
func (r *Realm) symbolFunction() goja.Value {
	return r.converter("Symbol", r.proto(symbolProto), func(r *Realm, c call) goja.Value {
		r.Alloc(objectBytes)
		if !given(c, 0) {
			return exported(r.engine.Get("Symbol"))(call{}) // without a description, which is not an empty one
		}
		return goja.NewSymbol(clipString(r.str(c.Arguments[0]), 10_000))
	})
}

func symbolStatics() []member {
	return append(closedSymbols(), []member{
		constant("iterator", goja.SymIterator),
		constant("hasInstance", goja.SymHasInstance),
		constant("toPrimitive", goja.SymToPrimitive),
		constant("toStringTag", goja.SymToStringTag),
		method("for", 1, func(r *Realm, c call) goja.Value {
			key := clipString(r.str(arg(c, 0)), 10_000)
			if s := r.symbols[key]; s != nil {
				return s
			}
			r.Alloc(objectBytes + int64(len(key)))
			if r.symbols == nil {
				r.symbols = make(map[string]*goja.Symbol)
			}
			r.symbols[key] = goja.NewSymbol(key)
			return r.symbols[key]
		}),
		method("keyFor", 1, func(r *Realm, c call) goja.Value {
			s, ok := arg(c, 0).(*goja.Symbol)
			if !ok {
				r.typeError("%s is not a symbol", r.describeArg(arg(c, 0)))
			}
			for key, t := range r.symbols {
				if s == t {
					return r.text(key)
				}
			}
			return goja.Undefined()
		}),
	}...)
}

// closedSymbols are the well-known symbols that are out of reach. Naming one is
// an error: were it undefined, a member under it would be called "undefined" and
// do nothing, in silence.
func closedSymbols() []member {
	var closed []member
	for _, name := range []string{
		"asyncIterator", "isConcatSpreadable", "match", "matchAll", "replace", "search", "species", "split", "unscopables",
	} {
		closed = append(closed, member{name: name, value: func(r *Realm) goja.Value {
			r.typeError("Symbol.%s is not available", name)
			return nil
		}})
	}
	return closed
}

// symbolText is Symbol(description).
func symbolText(s *goja.Symbol) string { return "Symbol(" + clipName(s.String()) + ")" }

func queueMicrotask(r *Realm, c call) goja.Value {
	f := r.callback(arg(c, 0))
	r.Alloc(3 * promiseBytes)
	p := r.enginePromise("resolve")(call{This: r.engine.Get("Promise")})
	r.engineOf(promiseProto, "then")(call{This: p, Arguments: []goja.Value{r.Function("", 0, func(goja.FunctionCall) goja.Value {
		return filled(f(call{This: goja.Undefined()}))
	})}})
	return goja.Undefined()
}
