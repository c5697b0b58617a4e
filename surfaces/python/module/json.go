package module

import "github.com/polyglove/polyglove/surfaces/python/object"

var _ = register("json", func(*Library) *object.Module {
	m := object.NewModule("json")
	m.Func("dumps", "obj "+jsonSignature, func(t *thread, a []value) (value, *exception) { return dumpWith(t, a[0], a[1:]) })
	m.Func("dump", "obj fp "+jsonSignature, func(t *thread, a []value) (value, *exception) {
		s, x := dumpWith(t, a[0], a[2:])
		if x != nil {
			return value{}, x
		}
		_, x = callMethod(t, a[1], "write", s)
		return object.None, x
	})
	m.Func("loads", "s * cls? object_hook? parse_float? parse_int? parse_constant? object_pairs_hook?", func(t *thread, a []value) (value, *exception) {
		return loadWith(t, a[0], a[1:])
	})
	m.Func("load", "fp * cls? object_hook? parse_float? parse_int? parse_constant? object_pairs_hook?", func(t *thread, a []value) (value, *exception) {
		s, x := callMethod(t, a[0], "read")
		if x != nil {
			return value{}, x
		}
		return loadWith(t, s, a[1:])
	})
	m.Set("JSONDecodeError", jsonErrorClass.Value())
	m.Set("JSONEncoder", jsonEncoderClass.Value())
	m.Set("JSONDecoder", jsonDecoderClass.Value())
	return m
})

// dumpWith is json.dumps with cls= and the other options.
func dumpWith(t *thread, v value, options []value) (value, *exception) {
	o, x := readJSONOptions(t, options)
	if x != nil {
		return value{}, x
	}
	cls, ok := optional(options, 4)
	if !ok {
		return jsonDumps(t, v, o)
	}
	c, ok := cls.AsClass()
	if !ok || !c.IsSubclass(jsonEncoderClass) {
		return raised(t.RaiseType("cls must be a class that derives from json.JSONEncoder"))
	}
	var args []value
	var names []string
	for i, n := range []string{"skipkeys", "ensure_ascii", "check_circular", "allow_nan", "", "indent", "separators", "default", "sort_keys"} {
		if w, ok := given(options, i); ok && n != "" {
			args, names = append(args, w), append(names, n)
		}
	}
	e, x := t.Construct(c, args, names)
	if x != nil {
		return value{}, x
	}
	return callMethod(t, e, "encode", v)
}

func loadWith(t *thread, v value, a []value) (value, *exception) {
	if cls, ok := optional(a, 0); ok {
		d, x := t.Call(cls)
		if x != nil {
			return value{}, x
		}
		return callMethod(t, d, "decode", v)
	}
	s, x := jsonText(t, v)
	if x != nil {
		return value{}, x
	}
	var hooks []value
	if len(a) > 1 {
		hooks = a[1:]
	}
	h, x := readJSONHooks(t, hooks)
	if x != nil {
		return value{}, x
	}
	return jsonLoads(t, s, h)
}

// The classes of the json module.
var (
	jsonErrorClass   = object.Define("JSONDecodeError", object.ValueError)
	jsonEncoderClass = object.Define("JSONEncoder")
	jsonDecoderClass = object.Define("JSONDecoder")
)

func init() {
	c := jsonErrorClass
	c.Module = "json.decoder"
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		if len(a) != 3 || len(names) > 0 {
			return raised(t.RaiseType("JSONDecodeError() takes a message, a document and a position"))
		}
		msg, _ := textOf(a[0])
		doc, _ := textOf(a[1])
		n, x := integer(t, a[2])
		if x != nil {
			return value{}, x
		}
		at := 0
		for i := range doc {
			if n--; n < 0 {
				break
			}
			at = i + 1
		}
		e := jsonError(t, msg, doc, at)
		e.Cls = cls
		return e.Value(), nil
	}
	c.Ready()
}

func init() {
	c := jsonEncoderClass
	c.Module = "json.encoder"
	sig := object.NewBuiltin("JSONEncoder", "* skipkeys? ensure_ascii? check_circular? allow_nan? cls? indent? separators? default? sort_keys?", func(t *thread, a []value) (value, *exception) {
		o, x := readJSONOptions(t, a)
		if x != nil {
			return value{}, x
		}
		return object.Box(&o), nil
	})
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		v, x := sig.Call(t, a, names)
		if x != nil {
			return value{}, x
		}
		return t.Wrap(cls, c, v)
	}
	c.Own.Children = func(v value, visit func(value)) int { visit(v.Native().(*jsonOptions).fallback); return 120 }
	c.Method("default", "o /", func(t *thread, a []value) (value, *exception) {
		o, _ := object.NativeOf[*jsonOptions](a[0])
		if o.fallback.IsSet() {
			return t.Call(o.fallback, a[1])
		}
		return raised(t.RaiseType("Object of type %s is not JSON serializable", shortName(a[1])))
	})
	encode := func(t *thread, a []value) (value, *exception) {
		p, _ := object.NativeOf[*jsonOptions](a[0])
		o := *p
		if _, derived := a[0].Instance(); derived || o.fallback.IsSet() {
			f, x := t.GetAttr(a[0], "default")
			if x != nil {
				return value{}, x
			}
			o.fallback = f
		}
		return jsonDumps(t, a[1], o)
	}
	c.Method("encode", "o /", encode)
	c.Method("iterencode", "o /", func(t *thread, a []value) (value, *exception) {
		s, x := encode(t, a)
		if x != nil {
			return value{}, x
		}
		return t.List([]value{s})
	})
	c.Ready()

	d := jsonDecoderClass
	d.Module = "json.decoder"
	hooks := object.NewBuiltin("JSONDecoder", "* object_hook? parse_float? parse_int? parse_constant? object_pairs_hook? strict?", func(t *thread, a []value) (value, *exception) {
		h, x := readJSONHooks(t, append([]value(nil), a...))
		if x != nil {
			return value{}, x
		}
		return object.Box(&h), nil
	})
	d.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		v, x := hooks.Call(t, a, names)
		if x != nil {
			return value{}, x
		}
		return t.Wrap(cls, d, v)
	}
	d.Method("decode", "s /", func(t *thread, a []value) (value, *exception) {
		h, _ := object.NativeOf[*jsonHooks](a[0])
		s, x := jsonText(t, a[1])
		if x != nil {
			return value{}, x
		}
		return jsonLoads(t, s, *h)
	})
	d.Method("raw_decode", "s idx?", func(t *thread, a []value) (value, *exception) {
		h, _ := object.NativeOf[*jsonHooks](a[0])
		s, x := jsonText(t, a[1])
		if x != nil {
			return value{}, x
		}
		at := 0
		if v, ok := given(a, 2); ok {
			n, x := integer(t, v)
			if x != nil {
				return value{}, x
			}
			for ; n > 0 && at < len(s); n-- {
				_, w := object.FirstRune(s[at:])
				at += w
			}
		}
		r := jsonReader{jsonHooks: *h, s: s, i: at}
		v, x := r.value(t)
		if x != nil {
			return value{}, x
		}
		return t.Tuple(v, object.Int(int64(runeCount(s[:r.i]))))
	})
	d.Ready()
}
