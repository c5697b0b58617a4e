package config

import (
	"slices"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/mcptools"
	"github.com/polyglove/polyglove/toolfn/value"
)

// The entries of a table and of its columns.
var (
	tableKeys    = []string{"select", "insert", "update", "delete", "key", "rows", "inputs", "ranges", "order", "limit", "page", "volatility", "columns", "sample", "description"}
	columnKeys   = []string{"type", "description", "required_key", "required_insert", "enum", "pushdown", "honours", "not_null", "read_only", "argument", "default"}
	volatilities = []string{"volatile", "stable", "immutable"}
	pushdowns    = []string{"none", "equal", "in", "range"}
)

// tables reads which tools of a server are the verbs of which tables; "auto"
// makes tables of all that show rows.
func (r *reader) tables(spec *mcptools.Spec, where string, v value.Value) {
	if v == "auto" {
		spec.AutoTables = true
		return
	}
	for name, v := range r.object(where, v).All() {
		t := mcptools.Table{Name: name, Volatility: toolfn.Stable}
		at := where + "." + shown(name)
		for key, v := range r.object(at, v).All() {
			r.table(&t, at, key, v)
		}
		if (t.PageArgument == "") != (t.PageNext == "") {
			r.mistake("polyglove.%s.page: want both argument and next", at)
		}
		spec.Tables = append(spec.Tables, t)
	}
}

func (r *reader) table(t *mcptools.Table, where, key string, v value.Value) {
	at := where + "." + key
	switch key {
	case "select":
		t.Select = r.text(at, v)
	case "insert":
		t.Insert = r.text(at, v)
	case "update":
		t.Update = r.text(at, v)
	case "delete":
		t.Delete = r.text(at, v)
	case "description":
		t.Description = r.text(at, v)
	case "rows":
		t.Rows = r.text(at, v)
	case "key":
		t.Key = r.list(at, v)
	case "volatility":
		t.Volatility = toolfn.Volatility(max(0, slices.Index(volatilities, r.word(at, v, volatilities))))
	case "inputs":
		t.Inputs = map[string]string{}
		for argument, v := range r.object(at, v).All() {
			if v == nil {
				t.Inputs[argument] = ""
			} else {
				t.Inputs[argument] = r.text(at+"."+shown(argument), v)
			}
		}
	case "ranges":
		t.Ranges = r.texts(at, v)
	case "limit":
		t.Limit = r.text(at, v)
	case "order":
		t.Order = r.ordering(at, v)
	case "page":
		for key, v := range r.object(at, v).All() {
			switch key {
			case "argument":
				t.PageArgument = r.text(at+".argument", v)
			case "next":
				t.PageNext = r.text(at+".next", v)
			default:
				r.mistake("polyglove.%s: %s", at, unknown(key, []string{"argument", "next"}))
			}
		}
	case "sample":
		t.Sample = r.object(at, v)
	case "columns":
		for name, v := range r.object(at, v).All() {
			t.Columns = append(t.Columns, r.column(name, at+"."+shown(name), v))
		}
	default:
		r.mistake("polyglove.%s: %s", where, unknown(key, tableKeys))
	}
}

func (r *reader) column(name, where string, v value.Value) toolfn.Column {
	c := toolfn.Column{Name: name, Type: "text"}
	if s, ok := v.(string); ok {
		c.Type = r.word(where, s, toolfn.ColumnTypes())
		return c
	}
	for key, v := range r.object(where, v).All() {
		at := where + "." + key
		switch key {
		case "type":
			c.Type = r.word(at, v, toolfn.ColumnTypes())
		case "description":
			c.Description = r.text(at, v)
		case "required_key":
			c.RequiredKey = r.flag(at, v)
		case "required_insert":
			c.RequiredInsert = r.flag(at, v)
		case "not_null":
			c.NotNull = r.flag(at, v)
		case "read_only":
			c.ReadOnly = r.flag(at, v)
		case "argument":
			c.Argument = r.flag(at, v)
		case "default":
			c.Default = v
		case "enum":
			list, ok := v.([]value.Value)
			if !ok {
				r.mistake("polyglove.%s: want a list, got %s", at, value.Kind(v))
			}
			c.Enum = list
		case "honours":
			for _, word := range r.list(at, v) {
				does, _ := toolfn.HonoursOf(r.word(at, word, toolfn.HonourWords()))
				c.Honours |= does
			}
		case "pushdown":
			c.Pushdown = toolfn.Pushdown(max(0, slices.Index(pushdowns, r.word(at, v, pushdowns))))
		default:
			r.mistake("polyglove.%s: %s", where, unknown(key, columnKeys))
		}
	}
	return c
}

// ordering reads how a tool is asked to order rows.
func (r *reader) ordering(where string, v value.Value) *toolfn.Ordering {
	o := &toolfn.Ordering{}
	for key, v := range r.object(where, v).All() {
		switch key {
		case "argument":
			o.Argument = r.text(where+".argument", v)
		case "direction":
			o.Direction = r.text(where+".direction", v)
		case "terms":
			o.Terms = r.texts(where+".terms", v)
		default:
			r.mistake("polyglove.%s: %s", where, unknown(key, []string{"argument", "direction", "terms"}))
		}
	}
	return o
}

// texts reads an object of texts.
func (r *reader) texts(where string, v value.Value) map[string]string {
	m := map[string]string{}
	for key, v := range r.object(where, v).All() {
		m[key] = r.text(where+"."+shown(key), v)
	}
	return m
}

// flag reads true or false.
func (r *reader) flag(where string, v value.Value) bool {
	b, ok := v.(bool)
	if !ok {
		r.mistake("polyglove.%s: want true or false, got %s", where, value.Kind(v))
	}
	return b
}
