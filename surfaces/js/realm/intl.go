package realm

import (
	"strings"

	"github.com/dop251/goja"
)

// locale is how numbers and dates are written in a language.
type locale struct {
	tag           string
	minus         string // of a negative number, where it is not -
	point         string
	separator     string
	percent       string
	fourTogether  bool // four digits are not grouped
	lakh          bool // groups of two after the first three
	currencyAfter bool
	order         string // of a numeric date: mdy, dmy, ymd
	between       string // of a numeric date
	pad           bool   // two digits for day and month
	twelve        bool   // AM and PM
	dayFirst      bool   // 5 January 2024
}

// locales are those that are offered. Any other is refused: a wrong format would
// not be seen.
var locales = map[string]locale{
	"en-US": {point: ".", separator: ",", percent: "%", order: "mdy", between: "/", twelve: true},
	"en-GB": {point: ".", separator: ",", percent: "%", order: "dmy", between: "/", pad: true, dayFirst: true},
	"en-CA": {point: ".", separator: ",", percent: "%", order: "ymd", between: "-", pad: true, twelve: true},
	"en-IN": {point: ".", separator: ",", percent: "%", order: "dmy", between: "/", twelve: true, lakh: true, dayFirst: true},
	"de-DE": {point: ",", separator: ".", percent: "\u00a0%", order: "dmy", between: ".", currencyAfter: true},
	"fr-FR": {point: ",", separator: "\u202f", percent: "\u00a0%", order: "dmy", between: "/", pad: true, currencyAfter: true},
	"es-ES": {point: ",", separator: ".", percent: "\u00a0%", order: "dmy", between: "/", fourTogether: true, currencyAfter: true},
	"it-IT": {point: ",", separator: ".", percent: "%", order: "dmy", between: "/", pad: true, fourTogether: true, currencyAfter: true},
	"sv-SE": {minus: "\u2212", point: ",", separator: "\u00a0", percent: "\u00a0%", order: "ymd", between: "-", pad: true, currencyAfter: true},
}

// localeNames lists them for a message.
const localeNames = "en-US, en-GB, en-CA, en-IN, de-DE, fr-FR, es-ES, it-IT, sv-SE"

// aliases are tags that mean one of them.
var aliases = map[string]string{"en": "en-US", "de": "de-DE", "fr": "fr-FR", "es": "es-ES", "it": "it-IT", "sv": "sv-SE", "default": "en-US", "en-us": "en-US"}

// localeOf reads a locales argument.
func (r *Realm) localeOf(v goja.Value) locale {
	if list := array(v); list != nil {
		v = goja.Undefined()
		if length(list) > 0 {
			v = filled(at(list, 0))
		}
	}
	if v == nil || goja.IsUndefined(v) {
		l := locales["en-US"]
		l.tag = "en-US"
		return l
	}
	if _, ok := v.(goja.String); !ok {
		r.typeError("Incorrect locale information provided")
	}
	tag := v.String()
	if len(tag) == 5 && (tag[2] == '-' || tag[2] == '_') {
		if tag[2] == '_' {
			r.rangeError("Incorrect locale information provided")
		}
		tag = strings.ToLower(tag[:2]) + "-" + strings.ToUpper(tag[3:])
	}
	if other, ok := aliases[tag]; ok {
		tag = other
	}
	l, ok := locales[tag]
	if !ok {
		r.rangeError("The locale '%s' is not available here. Use one of %s.", clipName(tag), localeNames)
	}
	l.tag = tag
	return l
}

// group writes the digits of a whole number in groups.
func (l locale) group(digits string) string {
	var b strings.Builder
	n := len(digits)
	for i := range n {
		left := n - i
		if i > 0 && (left%3 == 0 && (!l.lakh || left == 3) || l.lakh && left > 3 && left%2 == 1) {
			b.WriteString(l.separator)
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

func (r *Realm) intlNamespace() goja.Value { return r.namespace("Intl") }

func intlMembers() []member {
	return []member{
		{name: "NumberFormat", value: func(r *Realm) goja.Value {
			return r.formatter("NumberFormat", func(c call) func(goja.Value) goja.Value {
				style := r.numberFormat(arg(c, 0), arg(c, 1))
				return func(v goja.Value) goja.Value {
					v = r.primitive(v)
					if goja.IsBigInt(v) && style.style == "decimal" && style.notation == "standard" {
						return r.newText(style.group(bigOf(v).String()))
					}
					return r.newText(style.format(r.num(v)))
				}
			})
		}},
		{name: "DateTimeFormat", value: func(r *Realm) goja.Value {
			return r.formatter("DateTimeFormat", func(c call) func(goja.Value) goja.Value {
				style := r.dateStyle(arg(c, 0), arg(c, 1), true, false)
				return func(v goja.Value) goja.Value {
					ms := r.now()
					if !goja.IsUndefined(v) {
						ms = r.dateFor([]goja.Value{v})
					}
					if ms != ms {
						r.rangeError("Invalid time value")
					}
					return r.newText(style.format(ms))
				}
			})
		}},
	}
}

// formatter makes a constructor of objects with a format function.
func (r *Realm) formatter(name string, build func(c call) func(goja.Value) goja.Value) goja.Value {
	p := r.vm.NewObject()
	r.close(p)
	o := r.vm.ToValue(func(c goja.ConstructorCall) *goja.Object {
		r.Charge(10)
		r.Alloc(objectBytes + funcBytes)
		format := build(call{Arguments: c.Arguments})
		made := r.vm.CreateObject(p)
		r.fix(made, "format", r.Function("format", 1, func(c call) goja.Value {
			r.Charge(8)
			return format(arg(c, 0))
		}))
		return made
	}).(*goja.Object)
	r.fix(o, "prototype", p)
	r.label(o, name, 0)
	return o
}
