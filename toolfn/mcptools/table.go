package mcptools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Table maps tools of a server to the verbs of a table; see
// [toolfn.TableFromFn].
type Table struct {
	Name        string
	Description string
	// The tools, by the server's own names; "" is a verb that the table lacks.
	Select, Insert, Update, Delete string
	// Key names the columns that name a row; without it they are what Delete's,
	// else Update's, tool requires.
	Key []string
	// Rows names the member of Select's result that holds the rows; "" finds it.
	Rows string
	// Inputs maps arguments of the tools to columns where the names differ; ""
	// keeps an argument out.
	Inputs map[string]string
	// Ranges, Order and Limit are what Select's tool takes beside values of columns;
	// see [toolfn.VerbSpec].
	Ranges map[string]string
	Order  *toolfn.Ordering
	Limit  string
	// PageArgument and PageNext are how the next page is asked for.
	PageArgument, PageNext string
	Volatility             toolfn.Volatility
	// Columns replace those that the output schema gives.
	Columns []toolfn.Column
	// Sample are arguments for one call of Select's tool when the server is
	// mounted, whose result shows the columns; nil makes no call. It is used only
	// where neither an output schema nor Columns tell.
	Sample *value.Object
}

// tables mounts the server's tables. While the server is just being connected, a
// sample could not be had: then they are mounted as soon as it is.
func (s *Server) tables(server string) []string {
	s.mu.Lock()
	connected := s.link != nil
	s.mu.Unlock()
	if connected {
		return s.mountTables(server)
	}
	go func() {
		for _, w := range s.mountTables(server) {
			s.set.logger.Warn(w, "server", s.spec.Name)
		}
	}()
	return nil
}

// mountTables puts the server's tables into the catalogue, in place of those that
// it had, and says what was left out.
func (s *Server) mountTables(server string) []string {
	var tables []toolfn.ResourceTable
	var left []string
	used := map[string]bool{}
	for _, m := range s.spec.Tables {
		t, err := s.table(server, &m)
		if err != nil {
			left = append(left, "left out: "+s.redact.clean(err.Error()))
			continue
		}
		tables = append(tables, t)
		for _, tool := range []string{m.Select, m.Insert, m.Update, m.Delete} {
			used[tool] = true
		}
	}
	if s.spec.AutoTables {
		tables = append(tables, s.autoTables(server, used)...)
	}
	for _, w := range s.set.catalog.AdoptTables(server, tables...) {
		left = append(left, "the table "+quoted(w.Name)+": "+w.Message)
	}
	return left
}

// table makes one table that the host maps.
func (s *Server) table(server string, m *Table) (toolfn.ResourceTable, error) {
	spec := toolfn.TableSpec{Name: m.Name, Description: m.Description, Columns: m.Columns, Key: m.Key, Volatility: m.Volatility}
	for _, v := range []struct {
		tool string
		verb **toolfn.VerbSpec
	}{{m.Select, &spec.Select}, {m.Insert, &spec.Insert}, {m.Update, &spec.Update}, {m.Delete, &spec.Delete}} {
		if v.tool == "" {
			continue
		}
		fn := s.offered(server, v.tool)
		if fn == nil {
			return toolfn.ResourceTable{}, fmt.Errorf("table %s: the server offers no tool %s", quoted(m.Name), quoted(v.tool))
		}
		*v.verb = &toolfn.VerbSpec{Fn: *fn, Inputs: m.Inputs}
	}
	if spec.Select != nil {
		spec.Select.Rows = m.Rows
		spec.Select.Ranges, spec.Select.Order, spec.Select.Limit = m.Ranges, m.Order, m.Limit
		if m.PageArgument != "" {
			spec.Select.Page = &toolfn.Paging{Argument: m.PageArgument, Next: m.PageNext}
		}
		if spec.Select.Fn.Output == nil && len(m.Columns) == 0 && m.Sample != nil {
			sample, err := s.sample(&spec.Select.Fn, m.Sample)
			if err != nil {
				return toolfn.ResourceTable{}, fmt.Errorf("table %s: the sample for its columns failed: %w", quoted(m.Name), err)
			}
			spec.Sample = sample
		}
	}
	return toolfn.TableFromFn(spec)
}

// offered gives the function of a tool, by the server's own name.
func (s *Server) offered(server, tool string) *toolfn.ToolFn {
	for _, fn := range s.set.catalog.Functions(server) {
		if fn.Upstream() == tool {
			return fn
		}
	}
	return nil
}

// sample makes one call to see what a tool gives, if it is declared to read.
func (s *Server) sample(fn *toolfn.ToolFn, args *value.Object) (value.Value, error) {
	if !fn.Effect.Reads() {
		return nil, fmt.Errorf("%s is not declared to read only", fn.Name)
	}
	checked, err := fn.Check(args)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.spec.start())
	defer cancel()
	return fn.Invoke(ctx, checked)
}

// autoTables makes tables of the tools that no mapping uses, as far as they show
// what their rows would be.
func (s *Server) autoTables(server string, used map[string]bool) []toolfn.ResourceTable {
	var tables []toolfn.ResourceTable
	for _, fn := range s.set.catalog.Functions(server) {
		if used[fn.Upstream()] {
			continue
		}
		spec := toolfn.TableSpec{Name: strings.ToLower(fn.Local()), Description: fn.Description}
		switch {
		case fn.Effect.Reads() && toolfn.HasRows(fn.Output):
			spec.Select, spec.Volatility = &toolfn.VerbSpec{Fn: *fn}, toolfn.Stable
		case fn.Effect.Impact == toolfn.Write && fn.Input != nil && len(fn.Input.Properties) > 0:
			spec.Insert = &toolfn.VerbSpec{Fn: *fn}
		default:
			continue
		}
		if _, taken := s.set.catalog.Table(spec.Name); taken || slices.ContainsFunc(tables, func(t toolfn.ResourceTable) bool { return t.Name == spec.Name }) {
			spec.Name = server + "_" + spec.Name
		}
		if t, err := toolfn.TableFromFn(spec); err == nil {
			tables = append(tables, t)
		}
	}
	return tables
}
