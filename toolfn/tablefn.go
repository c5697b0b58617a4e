package toolfn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// TableSpec describes a table whose verbs are functions.
type TableSpec struct {
	Name        string
	Description string
	// Columns are what the host declares. Each replaces the column of its name
	// that would be derived; the others are derived from the functions' schemas.
	Columns []Column
	// Sample is an example of what Select's function gives. Where the function
	// declares no output the columns come from it.
	Sample     value.Value
	Volatility Volatility
	// Key and Match are as in [ResourceTable]. Without a Key it is what Delete's,
	// else Update's, function requires.
	Key, Match []string

	Select, Insert, Update, Delete *VerbSpec
}

// VerbSpec is a function as a verb of a table.
type VerbSpec struct {
	Fn ToolFn
	// Inputs maps arguments of the function to columns where the names differ. ""
	// keeps an argument out of the table.
	Inputs map[string]string
	// Ranges maps further arguments of the function to comparisons of columns, such
	// as "created_at >=": a column and one of > >= < <= prefix like.
	Ranges map[string]string
	// Order says how the function is asked to order rows; nil if it is not.
	Order *Ordering
	// Limit is the argument for the number of rows that are wanted, "" for none.
	Limit string
	// Rows names the member of the result that holds the rows; "" finds it.
	Rows string
	// Page says how the result leads to the next page; nil is a single page.
	Page *Paging
}

// Ordering is how a function is asked to order rows by one column.
type Ordering struct {
	// Argument takes what rows are ordered by.
	Argument string
	// Direction takes asc or desc; "" if Argument says both.
	Direction string
	// Terms gives Argument's values: for a column, or, without Direction, for a
	// column and asc or desc, such as "created_at desc".
	Terms map[string]string
}

// Paging is how a function is asked for the next page.
type Paging struct {
	Argument string // of the function
	Next     string // member of the result; null, "" and false end it
}

// TableFromFn makes a table of functions. A read passes bound columns on as the
// arguments that they stand for; arguments that no row holds become columns that
// only the read knows. An argument that is a list takes all values at once; any
// other is asked value by value. Insert makes one call a row. Update keeps what
// finds the row apart from what is set: a column that the function takes only
// once cannot be both.
func TableFromFn(s TableSpec) (ResourceTable, error) {
	b := &tableBuilder{spec: s, sources: map[string]string{}}
	t, err := b.build()
	if err != nil {
		return ResourceTable{}, fmt.Errorf("table %q: %w", sandbox.Clip(Plain(s.Name, 80), 80), err)
	}
	return t, t.validate()
}

type tableBuilder struct {
	spec    TableSpec
	columns []Column
	sources map[string]string // column → member of a row
}

// verbs lists the verbs with their names for messages.
func (s *TableSpec) verbs() []*VerbSpec { return []*VerbSpec{s.Select, s.Insert, s.Update, s.Delete} }

func (b *tableBuilder) build() (ResourceTable, error) {
	s := &b.spec
	for _, v := range s.verbs() {
		if v != nil && v.Fn.Call == nil {
			return ResourceTable{}, fmt.Errorf("the function %q has no Call", v.Fn.Name)
		}
		if v != nil && v.Fn.contract == nil {
			own := *v
			own.Fn.prepare()
			*v = own
		}
	}
	if s.Select != nil {
		b.output()
		if len(b.columns) == 0 && len(s.Columns) == 0 {
			return ResourceTable{}, fmt.Errorf("the function %s declares no output: give the table Columns or a Sample", s.Select.Fn.Name)
		}
		b.arguments(s.Select)
	}
	for _, c := range s.Columns {
		b.put(c)
	}
	b.written()
	if err := b.further(s.Select); err != nil {
		return ResourceTable{}, err
	}
	t := ResourceTable{Name: s.Name, Description: s.Description, Volatility: s.Volatility, Key: b.key(), Match: s.Match, Effects: map[Verb]Effect{}}
	t.Columns = b.columns
	t.Limits = s.Select != nil && s.Select.Limit != ""
	if t.Description == "" && s.Select != nil {
		t.Description = Plain(s.Select.Fn.Description, 200)
	}
	b.attach(&t)
	return t, nil
}

// put adds a column, or replaces the one of its name.
func (b *tableBuilder) put(c Column) {
	for i := range b.columns {
		if b.columns[i].Name == c.Name {
			b.columns[i] = c
			return
		}
	}
	b.columns = append(b.columns, c)
}

func (b *tableBuilder) column(name string) *Column {
	for i := range b.columns {
		if b.columns[i].Name == name {
			return &b.columns[i]
		}
	}
	return nil
}

// ColumnName gives the column for a member of a result or an argument:
// createdAt becomes created_at.
func ColumnName(member string) string {
	if unquotedName(member) {
		return member
	}
	var out []byte
	for i, r := range member {
		if r >= 'A' && r <= 'Z' && i > 0 && out[len(out)-1] != '_' && !(member[i-1] >= 'A' && member[i-1] <= 'Z') {
			out = append(out, '_')
		}
		out = append(out, string(r)...)
	}
	return sqlName(string(out))
}

// output derives columns from what Select's function gives.
func (b *tableBuilder) output() {
	v := b.spec.Select
	if row := rowSchema(v.Fn.Output, v.Rows); row != nil {
		for _, member := range schemaOrder(row) {
			c := columnOf(member, row.Properties[member], slices.Contains(row.Required, member))
			b.sources[c.Name] = member
			b.put(c)
		}
		return
	}
	rows, _, err := rowsIn(b.spec.Sample, v.Rows, nil)
	if err != nil {
		return
	}
	for _, row := range rows {
		for member, cell := range row.All() {
			c := Column{Name: ColumnName(member), Type: cellType(cell)}
			b.sources[c.Name] = member
			if have := b.column(c.Name); have == nil {
				b.put(c)
			} else if cell != nil && have.Type != c.Type {
				have.Type = wider(have.Type, c.Type)
			}
		}
	}
}

// rowSchema finds the schema of one row in that of a result.
func rowSchema(s *jsonschema.Schema, member string) *jsonschema.Schema {
	isRow := func(s *jsonschema.Schema) bool { return s != nil && len(s.Properties) > 0 }
	switch {
	case s == nil:
		return nil
	case s.Items != nil && isRow(s.Items):
		return s.Items
	case member != "":
		return rowSchema(s.Properties[member], "")
	case !isRow(s):
		return nil
	}
	var lists []*jsonschema.Schema
	for _, p := range s.Properties {
		if p.Items != nil && isRow(p.Items) {
			lists = append(lists, p.Items)
		}
	}
	if len(lists) == 1 {
		return lists[0]
	}
	return s
}

func schemaOrder(s *jsonschema.Schema) []string {
	names := slices.Clone(s.PropertyOrder)
	var rest []string
	for n := range s.Properties {
		if !slices.Contains(names, n) {
			rest = append(rest, n)
		}
	}
	slices.Sort(rest)
	return append(names, rest...)
}

// columnOf derives a column from a schema.
func columnOf(member string, s *jsonschema.Schema, required bool) Column {
	c := Column{Name: ColumnName(member), Type: "jsonb"}
	if s == nil {
		return c
	}
	c.Description = Plain(s.Description, 200)
	kind, null := s.Type, false
	for _, t := range s.Types {
		if null = null || t == "null"; t != "null" {
			kind = t
		}
	}
	if len(s.Types) > 2 || len(s.Types) == 2 && !null {
		kind = ""
	}
	switch {
	case kind == "string" && s.Format == "date-time":
		c.Type = "timestamptz"
	case kind == "string" && s.Format == "date":
		c.Type = "date"
	case kind == "string":
		c.Type = "text"
	case kind == "integer":
		c.Type = "bigint"
	case kind == "number":
		c.Type = "double precision"
	case kind == "boolean":
		c.Type = "boolean"
	}
	for _, v := range s.Enum {
		if v, err := value.From(v); err == nil && v != nil {
			c.Enum = append(c.Enum, v)
		}
	}
	c.NotNull = required && !null && kind != "" && !slices.Contains(s.Enum, nil)
	return c
}

// cellType gives the type of a column that holds a value.
func cellType(v value.Value) string {
	switch value.Kind(v) {
	case "boolean":
		return "boolean"
	case "string", "null":
		return "text"
	case "integer":
		return "bigint"
	case "number":
		return "double precision"
	}
	return "jsonb"
}

// wider gives a type that holds the values of two.
func wider(a, b string) string {
	numbers := []string{"bigint", "double precision"}
	if slices.Contains(numbers, a) && slices.Contains(numbers, b) {
		return "double precision"
	}
	return "jsonb"
}

// columnFor gives the column that an argument stands for, "" for none.
func (v *VerbSpec) columnFor(argument string) string {
	if name, ok := v.Inputs[argument]; ok {
		return name
	}
	if v.Page != nil && v.Page.Argument == argument || v.Limit == argument {
		return ""
	}
	if o := v.Order; o != nil && (o.Argument == argument || o.Direction == argument) {
		return ""
	}
	if _, ok := v.Ranges[argument]; ok {
		return ""
	}
	return ColumnName(argument)
}

// inputs calls f for each argument that stands for a column.
func (v *VerbSpec) inputs(f func(argument, column string, s *jsonschema.Schema, required bool)) {
	if v == nil || v.Fn.Input == nil {
		return
	}
	for _, argument := range schemaOrder(v.Fn.Input) {
		if name := v.columnFor(argument); name != "" {
			f(argument, name, v.Fn.Input.Properties[argument], slices.Contains(v.Fn.Input.Required, argument))
		}
	}
}

// arguments makes columns of what a read can be asked by.
func (b *tableBuilder) arguments(v *VerbSpec) {
	v.inputs(func(_, name string, s *jsonschema.Schema, required bool) {
		push := PushEqual
		of := s
		if takesList(s) {
			push, of = PushIn, s.Items
		}
		c := b.column(name)
		if c == nil {
			own := columnOf(name, of, false)
			own.Argument, own.ReadOnly = true, true
			own.Name = name
			b.put(own)
			c = b.column(name)
		}
		c.Pushdown, c.RequiredKey = push, c.RequiredKey || required
		if len(c.Enum) == 0 && of != nil && !c.Argument {
			c.Enum = columnOf(name, of, false).Enum
		}
	})
}

func takesList(s *jsonschema.Schema) bool {
	return s != nil && s.Items != nil && (s.Type == "array" || slices.Contains(s.Types, "array"))
}

// written makes columns of what can be written, and marks the others read-only.
func (b *tableBuilder) written() {
	can := map[string]bool{}
	for i, v := range []*VerbSpec{b.spec.Insert, b.spec.Update} {
		v.inputs(func(_, name string, s *jsonschema.Schema, required bool) {
			can[name] = true
			if b.column(name) == nil {
				b.put(columnOf(name, s, false))
				b.column(name).Name = name
			}
			c := b.column(name)
			c.ReadOnly = false
			if i == 0 && required {
				c.RequiredInsert = true
			}
		})
	}
	for i := range b.columns {
		if !can[b.columns[i].Name] {
			b.columns[i].ReadOnly = true
		}
	}
}

// key is what names a row.
func (b *tableBuilder) key() []string {
	if len(b.spec.Key) > 0 {
		return b.spec.Key
	}
	var key []string
	for _, v := range []*VerbSpec{b.spec.Delete, b.spec.Update} {
		v.inputs(func(_, name string, _ *jsonschema.Schema, required bool) {
			if c := b.column(name); required && c != nil {
				key = append(key, name)
			} else if required {
				b.put(Column{Name: name, Type: "text", ReadOnly: true})
				key = append(key, name)
			}
		})
		if len(key) > 0 {
			break
		}
	}
	return key
}

// attach gives the table its verbs.
func (b *tableBuilder) attach(t *ResourceTable) {
	s := b.spec
	rows := &rowReader{columns: t.Columns, sources: b.sources}
	if v := s.Select; v != nil {
		t.Select = func(ctx context.Context, bind Bindings) (Rows, error) {
			return v.selectPage(ctx, v.arguments(bind), rows, nil)
		}
	}
	if v := s.Insert; v != nil {
		t.Effects[Insert] = v.Fn.Effect
		t.Insert = func(ctx context.Context, list []*value.Object) (Written, error) { return v.insert(ctx, list, rows) }
	}
	if v := s.Update; v != nil {
		t.Effects[Update] = v.Fn.Effect
		t.Update = func(ctx context.Context, set *value.Object, bind Bindings) (Written, error) {
			return v.update(ctx, set, bind, rows)
		}
	}
	if v := s.Delete; v != nil {
		t.Effects[Delete] = v.Fn.Effect
		t.Delete = func(ctx context.Context, bind Bindings) (Written, error) {
			if _, err := v.call(ctx, v.arguments(bind)); err != nil {
				return Written{}, err
			}
			return Written{Affected: -1}, nil
		}
	}
}

// arguments are the bindings as arguments.
func (v *VerbSpec) arguments(b Bindings) *value.Object {
	args := value.NewObject(b.Len())
	v.inputs(func(argument, name string, s *jsonschema.Schema, _ bool) {
		values := b.All(name)
		switch {
		case len(values) == 0:
		case takesList(s):
			args.Set(argument, values)
		case len(values) == 1:
			args.Set(argument, values[0])
		}
	})
	v.further(b, args)
	return args
}

// call checks and makes a call.
func (v *VerbSpec) call(ctx context.Context, args *value.Object) (value.Value, error) {
	checked, err := v.Fn.Check(args)
	if err != nil {
		return nil, err
	}
	return v.Fn.Call(ctx, checked)
}

// selectPage asks for a page; seen are the marks of the pages before it, so that a
// server that leads in a circle is not followed.
func (v *VerbSpec) selectPage(ctx context.Context, args *value.Object, rows *rowReader, seen []value.Value) (Rows, error) {
	result, err := v.call(ctx, args)
	if err != nil {
		return Rows{}, err
	}
	list, rest, err := rowsIn(result, v.Rows, rows.members())
	if err != nil {
		return Rows{}, &CallError{Code: "result", Message: err.Error(), Cause: err}
	}
	got := Rows{Page: rows.named(list)}
	if v.Page == nil {
		if more := leadsOn(rest); more != "" {
			got.Incomplete = "the server has further pages (" + more + "), and the table does not say how to ask for them"
		}
		return got, nil
	}
	next, _ := rest.Get(v.Page.Next)
	if contains(seen, next) {
		got.Incomplete = "the server leads back to a page that was read already"
		return got, nil
	}
	if next != nil && next != "" && next != false {
		got.Next = func(ctx context.Context) (Rows, error) {
			again, _ := value.Copy(args).(*value.Object)
			again.Set(v.Page.Argument, next)
			return v.selectPage(ctx, again, rows, append(seen[:len(seen):len(seen)], next))
		}
	}
	return got, nil
}

func (v *VerbSpec) insert(ctx context.Context, list []*value.Object, rows *rowReader) (Written, error) {
	w := Written{}
	told := true
	for _, row := range list {
		args, err := v.row(row, nil)
		if err != nil {
			return w, err
		}
		result, err := v.call(ctx, args)
		if err != nil {
			return w, err
		}
		w.Affected++
		if one := rows.single(result, v.Rows); one != nil && told {
			w.Rows = append(w.Rows, one)
		} else {
			told, w.Rows = false, nil
		}
	}
	return w, nil
}

// row gives columns that are written as arguments, beside those that are taken.
func (v *VerbSpec) row(row, taken *value.Object) (*value.Object, error) {
	args := value.NewObject(row.Len() + taken.Len())
	for k, e := range taken.All() {
		args.Set(k, e)
	}
	var put []string
	var twice string
	v.inputs(func(argument, name string, _ *jsonschema.Schema, _ bool) {
		e, ok := row.Get(name)
		if !ok {
			return
		}
		put = append(put, name)
		if taken.Has(argument) {
			twice = name
		}
		args.Set(argument, e)
	})
	if twice != "" {
		return nil, refusedRow(fmt.Sprintf("column %s finds the row, so %s cannot set it as well.", twice, v.Fn.Name))
	}
	for name := range row.All() {
		if !slices.Contains(put, name) {
			return nil, refusedRow(fmt.Sprintf("column %s cannot be written: %s has no argument for it.", name, v.Fn.Name))
		}
	}
	return args, nil
}

func refusedRow(message string) error {
	return &sandbox.Fault{Kind: sandbox.KindArgument, Message: message, Hint: "Nothing was changed; leave the column out."}
}

func (v *VerbSpec) update(ctx context.Context, set *value.Object, b Bindings, rows *rowReader) (Written, error) {
	args, err := v.row(set, v.arguments(b))
	if err != nil {
		return Written{}, err
	}
	result, err := v.call(ctx, args)
	if err != nil {
		return Written{}, err
	}
	w := Written{Affected: -1}
	if one := rows.single(result, v.Rows); one != nil && holds(one, set) {
		w.Affected, w.Rows = 1, []*value.Object{one} // the row as it now is
	}
	return w, nil
}

// holds reports whether a row has every column of another.
func holds(row, columns *value.Object) bool {
	for name := range columns.All() {
		if !row.Has(name) {
			return false
		}
	}
	return true
}

// rowReader gives the members of results the names of columns.
type rowReader struct {
	columns []Column
	sources map[string]string
}

// member is what a column is called in a result.
func (r *rowReader) member(column string) string {
	if m, ok := r.sources[column]; ok {
		return m
	}
	return column
}

// members are what a row of a result may hold.
func (r *rowReader) members() []string {
	var names []string
	for i := range r.columns {
		if !r.columns[i].Argument {
			names = append(names, r.member(r.columns[i].Name))
		}
	}
	return names
}

func (r *rowReader) named(list []*value.Object) []*value.Object {
	same := true
	for c, m := range r.sources {
		same = same && c == m
	}
	if same {
		return list
	}
	out := make([]*value.Object, len(list))
	for i, row := range list {
		out[i] = value.NewObject(row.Len())
		for j := range r.columns {
			name := r.columns[j].Name
			if v, ok := row.Get(r.member(name)); ok {
				out[i].Set(name, v)
			}
		}
	}
	return out
}

// single gives the one row that a write told of, nil if it told of none.
func (r *rowReader) single(result value.Value, rows string) *value.Object {
	list, _, err := rowsIn(result, rows, r.members())
	if err != nil || len(list) != 1 {
		return nil
	}
	known := false
	for i := range r.columns {
		known = known || list[0].Has(r.member(r.columns[i].Name))
	}
	if !known {
		return nil
	}
	return r.named(list)[0]
}

// rowsIn finds the rows of a result: a list of objects, an object that is a row,
// or the list that an object holds. Values that are no objects become rows with a
// column value; a text that is JSON is read. rest is the object around the list,
// nil if there is none. known are the members of a row, as far as they are.
func rowsIn(v value.Value, member string, known []string) (rows []*value.Object, rest *value.Object, err error) {
	if s, ok := v.(string); ok {
		if t := strings.TrimSpace(s); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
			if decoded, err := value.Decode([]byte(t)); err == nil {
				v = decoded
			}
		}
	}
	if member != "" {
		o, ok := v.(*value.Object)
		inner, has := o.Get(member)
		if !ok || !has {
			return nil, nil, fmt.Errorf("the result has no member %q, which should hold the rows", member)
		}
		rows, _, err := rowsIn(inner, "", nil)
		return rows, o, err
	}
	switch v := v.(type) {
	case nil:
		return nil, nil, nil
	case []value.Value:
		return objects(v), nil, nil
	case *value.Object:
		return rowsOfObject(v, known)
	}
	return []*value.Object{value.Of("value", v)}, nil, nil
}

func objects(list []value.Value) []*value.Object {
	out := make([]*value.Object, len(list))
	for i, e := range list {
		if o, ok := e.(*value.Object); ok && o != nil {
			out[i] = o
		} else {
			out[i] = value.Of("value", e)
		}
	}
	return out
}

// rowsOfObject takes an object that has a known member for a row, and any other
// for what is around the one list of objects that it holds.
func rowsOfObject(o *value.Object, known []string) ([]*value.Object, *value.Object, error) {
	if slices.ContainsFunc(known, o.Has) {
		return []*value.Object{o}, nil, nil
	}
	var lists []string
	for name, v := range o.All() {
		if list, ok := v.([]value.Value); ok && (len(list) == 0 || value.Kind(list[0]) == "object") {
			lists = append(lists, name)
		}
	}
	switch {
	case len(lists) > 1:
		return nil, nil, fmt.Errorf("the rows may be in %s: the table has to say which (Rows)", strings.Join(lists, " or "))
	case len(lists) == 1:
		inner, _ := o.Get(lists[0])
		list, _ := inner.([]value.Value)
		return objects(list), o, nil
	case o.Len() == 0:
		return nil, nil, nil
	case len(known) > 0:
		return nil, nil, fmt.Errorf("the result is an object with %s, and none of these is a column", strings.Join(memberNames(o), ", "))
	}
	return []*value.Object{o}, nil, nil
}

// memberNames lists an object's members for a message.
func memberNames(o *value.Object) []string {
	var names []string
	for name := range o.All() {
		if len(names) == 8 {
			return append(names, "…")
		}
		names = append(names, Plain(name, 40))
	}
	return names
}

// leadsOn names the member of an object around rows that says that there are
// more, "" if none does.
func leadsOn(o *value.Object) string {
	for name, v := range o.All() {
		switch strings.ReplaceAll(strings.ToLower(name), "_", "") {
		case "next", "nextpage", "nextpagetoken", "nexttoken", "nextcursor", "cursor", "hasmore", "hasnextpage", "continuation":
			if v != nil && v != "" && v != false {
				return name
			}
		case "pageinfo", "responsemetadata":
			if inner, ok := v.(*value.Object); ok {
				if more := leadsOn(inner); more != "" {
					return name + "." + more
				}
			}
		}
	}
	return ""
}

// HasRows reports whether a result's schema declares a list of objects, at its
// top or as the one list in an object.
func HasRows(s *jsonschema.Schema) bool {
	row := rowSchema(s, "")
	return row != nil && row != s
}
