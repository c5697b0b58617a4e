package toolfn

import (
	"iter"

	"github.com/polyglove/polyglove/toolfn/value"
)

// TableFacts is what can be told of a table without asking anybody: what an
// information schema shows. Its slices belong to the catalogue and must not be
// changed.
type TableFacts struct {
	Name string
	// Server is the adopted server that the table came with, "" if the host
	// registered it.
	Server      string
	Description string
	Columns     []ColumnFacts
	Verbs       []Verb
	Effects     [4]Effect // by verb, for those that it has
	Required    []string  // columns that a read must fix
	Key, Match  []string  // see [ResourceTable]
	Volatility  Volatility
	Limits      bool // the server takes a number of rows
}

// ColumnFacts is what can be told of a column.
type ColumnFacts struct {
	*Column
	Position int // from 1
	// Equal and In say which equalities are passed on, Does what else is.
	Equal, In bool
	Does      Honours
	// Key says that the column is part of what names a row.
	Key bool
	// Enum lists the allowed values, nil for any.
	Enum []value.Value
}

// Facts tells of the table. Its cost is that of a short list; nothing is called.
func (t *ResourceTable) Facts() TableFacts {
	f := TableFacts{Name: t.Name, Description: t.Description, Verbs: t.Verbs(), Key: t.Key, Match: t.Match, Volatility: t.Volatility, Limits: t.Limits}
	for _, v := range f.Verbs {
		f.Effects[v] = t.EffectOf(v)
	}
	f.Columns = make([]ColumnFacts, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		f.Columns[i] = ColumnFacts{
			Column: c, Position: i + 1, Equal: c.Pushdown >= PushEqual || c.RequiredKey || c.Argument,
			In: c.Pushdown >= PushIn, Does: c.Does(), Enum: c.Enum,
		}
		for _, k := range t.Key {
			f.Columns[i].Key = f.Columns[i].Key || k == c.Name
		}
		if c.RequiredKey {
			f.Required = append(f.Required, c.Name)
		}
	}
	return f
}

// Facts tells of every table, in the order of registration, as they are when the
// iteration begins. Whoever keeps what it makes of them compares [Catalog.Version].
func (c *Catalog) Facts() iter.Seq[TableFacts] {
	return func(yield func(TableFacts) bool) {
		for _, t := range c.Tables() {
			f := t.Facts()
			f.Server = c.TableServer(t.Name)
			if !yield(f) {
				return
			}
		}
	}
}

// TableServer names the adopted server that a table came with, "" if the host
// registered it.
func (c *Catalog) TableServer(table string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.owners[table]
}
