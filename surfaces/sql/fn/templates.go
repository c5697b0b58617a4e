package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// templateKernels are to_char, to_date, to_timestamp and to_number.
func templateKernels() map[string]Kernel {
	return map[string]Kernel{
		"timestamp_to_char": BinaryNull(func(e *Env, ts int64, template string) (Opt[string], *pgerr.Error) {
			return e.dateText(template, func(t *pgtype.DateTemplate) (string, bool, *pgerr.Error) { return t.FormatTimestamp(ts) })
		}),
		"timestamptz_to_char": BinaryNull(func(e *Env, ts int64, template string) (Opt[string], *pgerr.Error) {
			return e.dateText(template, func(t *pgtype.DateTemplate) (string, bool, *pgerr.Error) {
				return t.FormatTimestamptz(ts, e.moment())
			})
		}),
		"interval_to_char": BinaryNull(func(e *Env, v pgtype.Interval, template string) (Opt[string], *pgerr.Error) {
			return e.dateText(template, func(t *pgtype.DateTemplate) (string, bool, *pgerr.Error) { return t.FormatInterval(v) })
		}),
		"to_date": Binary(func(e *Env, text, template string) (int64, *pgerr.Error) {
			t, err := e.dateTemplate(template)
			if err != nil {
				return 0, err
			}
			return t.Date(text)
		}),
		"to_timestamp": Binary(func(e *Env, text, template string) (int64, *pgerr.Error) {
			t, err := e.dateTemplate(template)
			if err != nil {
				return 0, err
			}
			return t.Timestamptz(text, e.moment())
		}),
		"numeric_to_char": Binary(func(e *Env, n pgtype.Numeric, template string) (string, *pgerr.Error) {
			return e.numberText(template, n.Size(), func(t *pgtype.NumberTemplate) (string, *pgerr.Error) { return t.FormatNumeric(n) })
		}),
		"int4_to_char": Binary(func(e *Env, n int64, template string) (string, *pgerr.Error) {
			return e.numberText(template, 0, func(t *pgtype.NumberTemplate) (string, *pgerr.Error) { return t.FormatInt(n, 32) })
		}),
		"int8_to_char": Binary(func(e *Env, n int64, template string) (string, *pgerr.Error) {
			return e.numberText(template, 0, func(t *pgtype.NumberTemplate) (string, *pgerr.Error) { return t.FormatInt(n, 64) })
		}),
		"float4_to_char": Binary(func(e *Env, f float64, template string) (string, *pgerr.Error) {
			return e.numberText(template, 0, func(t *pgtype.NumberTemplate) (string, *pgerr.Error) { return t.FormatFloat(f, 32) })
		}),
		"float8_to_char": Binary(func(e *Env, f float64, template string) (string, *pgerr.Error) {
			return e.numberText(template, 0, func(t *pgtype.NumberTemplate) (string, *pgerr.Error) { return t.FormatFloat(f, 64) })
		}),
		"numeric_to_number": BinaryNull(func(e *Env, text, template string) (Opt[pgtype.Numeric], *pgerr.Error) {
			if template == "" {
				return None[pgtype.Numeric](), nil
			}
			t, err := e.numberTemplate(template)
			if err != nil {
				return None[pgtype.Numeric](), err
			}
			if err := e.Charge(int64(len(text))); err != nil {
				return None[pgtype.Numeric](), err
			}
			n, err := t.Number(text)
			if err == nil {
				err = e.Alloc(n.Size())
			}
			return Some(n), err
		}),
	}
}

// The keys of templates in the statement's scratch space.
type (
	dateTemplateKey   string
	numberTemplateKey string
)

const (
	// templatePart is about what a pattern of one letter makes at most, in bytes.
	templatePart = 16
	// templateCache bounds how many templates a statement keeps.
	templateCache = 256
)

func (e *Env) dateTemplate(text string) (*pgtype.DateTemplate, *pgerr.Error) {
	return cachedTemplate(e, dateTemplateKey(text), len(text), func() (*pgtype.DateTemplate, *pgerr.Error) {
		return pgtype.NewDateTemplate(text), nil
	})
}

func (e *Env) numberTemplate(text string) (*pgtype.NumberTemplate, *pgerr.Error) {
	return cachedTemplate(e, numberTemplateKey(text), len(text), func() (*pgtype.NumberTemplate, *pgerr.Error) {
		return pgtype.NewNumberTemplate(text)
	})
}

// cachedTemplate reads a template once, and charges for what its pieces take and
// for the work of going through them.
func cachedTemplate[K comparable, T any](e *Env, key K, length int, read func() (T, *pgerr.Error)) (T, *pgerr.Error) {
	var none T
	if err := e.Charge(int64(length) / 4); err != nil {
		return none, err
	}
	if t, ok := e.Scratch[key].(T); ok {
		return t, nil
	}
	if err := e.Alloc(int64(length) * templatePart * 3); err != nil {
		return none, err
	}
	t, err := read()
	if err == nil && e.Scratch != nil && len(e.Scratch) < templateCache {
		e.Scratch[key] = t
	}
	return t, err
}

// dateText writes by a template of dates; an empty one gives NULL.
func (e *Env) dateText(template string, write func(*pgtype.DateTemplate) (string, bool, *pgerr.Error)) (Opt[string], *pgerr.Error) {
	if template == "" {
		return None[string](), nil
	}
	t, err := e.dateTemplate(template)
	if err != nil {
		return None[string](), err
	}
	var null bool
	text, err := e.bounded(int64(len(template))*templatePart, func() (string, *pgerr.Error) {
		text, ok, err := write(t)
		null = !ok
		return text, err
	})
	return Opt[string]{Value: text, Null: null}, err
}

// smallText is what may be written before it is charged, so that the many small
// texts of a query are charged with their own length.
const smallText = 1024

// bounded makes a text of at most so many bytes, and charges it: the bound before,
// when that is large.
func (e *Env) bounded(most int64, write func() (string, *pgerr.Error)) (string, *pgerr.Error) {
	if most > smallText {
		if err := e.Alloc(most); err != nil {
			return "", err
		}
		return write()
	}
	text, err := write()
	if err == nil {
		err = e.Alloc(int64(len(text)))
	}
	return text, err
}

// numberText writes by a template of numbers; an empty one gives no text.
func (e *Env) numberText(template string, size int64, write func(*pgtype.NumberTemplate) (string, *pgerr.Error)) (string, *pgerr.Error) {
	if template == "" {
		return "", nil
	}
	t, err := e.numberTemplate(template)
	if err != nil {
		return "", err
	}
	// The digits of the number become text, and those that the template adds.
	if err := e.Charge(size); err != nil {
		return "", err
	}
	return e.bounded(2*int64(len(template))+3*size+maxFloatText, func() (string, *pgerr.Error) { return write(t) })
}

// maxFloatText is the longest whole part of a float.
const maxFloatText = 320
