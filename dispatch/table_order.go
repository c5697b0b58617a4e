package dispatch

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// checkOrder finds what a statement cannot be ordered by.
func checkOrder(t *toolfn.ResourceTable, keys []toolfn.OrderKey) error {
	for _, k := range keys {
		c, ok := t.Column(k.Column)
		switch {
		case !ok:
			return unknownColumn(t, k.Column)
		case c.Type == "jsonb":
			return refusedStatement(fmt.Sprintf("table %s cannot be ordered by %s: jsonb values have no order.", t.Name, k.Column), "Order by another column.")
		}
	}
	return nil
}

// compareRows orders two rows as a statement wants.
func compareRows(t *toolfn.ResourceTable, keys []toolfn.OrderKey) func(a, b *value.Object) int {
	columns := make([]*toolfn.Column, len(keys))
	for i, k := range keys {
		columns[i], _ = t.Column(k.Column)
	}
	return func(a, b *value.Object) int {
		for i, k := range keys {
			x, _ := a.Get(k.Column)
			y, _ := b.Get(k.Column)
			if order := compareCells(columns[i], k, x, y); order != 0 {
				return order
			}
		}
		return 0
	}
}

func compareCells(c *toolfn.Column, k toolfn.OrderKey, x, y value.Value) int {
	nulls := 1
	if k.NullsFirst {
		nulls = -1
	}
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return nulls
	case y == nil:
		return -nulls
	}
	order, _ := c.Order(x, y)
	if k.Desc {
		return -order
	}
	return order
}

// sorted gives rows in the order that the statement wants; rows that are equal in
// it stay as they come.
func (s *selecting) sorted(rows []*value.Object) ([]*value.Object, error) {
	if len(s.query.Order) == 0 || len(rows) < 2 {
		return rows, nil
	}
	n := int64(len(rows))
	if err := s.run.m.Charge(n * int64(strconv.IntSize/8) * int64(len(s.query.Order))); err != nil {
		return nil, err
	}
	if err := s.run.m.Alloc(n * 8); err != nil {
		return nil, err
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, compareRows(s.t.ResourceTable, s.query.Order))
	return rows, nil
}

// first is what of a statement a server is told about the rows that are wanted
// first.
type first struct {
	limit int
	order []toolfn.OrderKey
}

// none reports whether the server is told nothing of it.
func (f first) none() bool { return f.limit == 0 && len(f.order) == 0 }

// key tells asks apart that want different first rows.
func (f first) key() string {
	if f.none() {
		return ""
	}
	return fmt.Sprintf("\x00%d%v", f.limit, f.order)
}

// put writes it into the arguments that policy and journal see.
func (f first) put(args *value.Object) {
	if len(f.order) > 0 {
		args.Set("order", f.order[0].String())
	}
	if f.limit > 0 {
		args.Set("limit", int64(f.limit))
	}
}

// ordered reports whether a server that is told the order gives the rows that the
// statement wants first: by one column that it declares, and of which it returns no
// nulls, about whose place servers differ.
func (s *selecting) ordered(asks []ask) bool {
	if len(s.query.Order) != 1 || len(asks) == 0 {
		return false
	}
	c, _ := s.t.Column(s.query.Order[0].Column)
	return c.Does()&toolfn.HonoursOrder != 0 && (c.NotNull || asks[0].passed.has(c.Name) != nil)
}

// hint tells the server which rows are wanted first, where nothing is then left
// out that the statement wants: no write of ours is laid over the rows, and, for
// a number of rows, all that the statement demands is demanded of the server.
func (s *selecting) hint(asks []ask, exact bool) {
	q := s.query
	if q.Limit == 0 || s.whole || len(s.pending) > 0 || len(q.Order) > 0 && !s.ordered(asks) {
		return
	}
	f := first{order: q.Order}
	if s.t.Limits && exact && q.Where.Rest == nil {
		f.limit = q.Limit
	}
	if f.none() {
		return
	}
	for i := range asks {
		if f = s.run.toldBefore(s, asks[i], f); f.none() {
			return
		}
	}
	for i := range asks {
		asks[i].first = f
		asks[i].key += f.key()
	}
}

// toldBefore takes the hint back where the rows are remembered whole. A program
// that is run again decides as it did.
func (r *Run) toldBefore(s *selecting, q ask, f first) first {
	if s.query.Fresh || s.t.Volatility == toolfn.Volatile {
		return f
	}
	version := s.t.version.Load()
	if r.reads.remembered(q.key, version) != nil {
		return first{}
	}
	if s.t.Volatility != toolfn.Immutable {
		return f
	}
	if r.replay != nil {
		rec := r.replay.recorded(r.orders + 1)
		if rec != nil && rec.Index > 0 && rec.Function == s.t.verbs[toolfn.Select].Name && !rec.ArgsWithheld {
			told := q
			told.first = f
			switch {
			case value.Equal(rec.Args, q.args()):
				return first{}
			case value.Equal(rec.Args, told.args()):
				return f
			}
		}
	}
	if r.d.tables.cache.holds(q.key, version) {
		return first{}
	}
	return f
}

// misled reports whether a server that was told which rows are wanted first may
// have left some of them out: it was told a number of rows and gave one that is
// none of them, or rows in another order.
func (s *selecting) misled() bool {
	for _, f := range s.fetches {
		if f.ask.first.limit > 0 && f.got.short && s.dropped {
			return true
		}
		if order := f.ask.first.order; len(order) > 0 && !slices.IsSortedFunc(f.got.rows, compareRows(s.t.ResourceTable, order)) {
			return true
		}
	}
	return false
}

// again reads everything, after a server that did not do what it declares.
func (s *selecting) again() (*Selected, error) {
	s.whole, s.fetches, s.dropped = true, nil, false
	asks, _, err := s.run.asks(s.t, s.where, columnsSet(s.pending))
	if err != nil {
		return nil, err
	}
	at := Call{Function: s.t.verbs[toolfn.Select].Name, Line: s.query.Line, Column: s.query.Column}
	if err := s.begin(asks, at, false); err != nil {
		return nil, err
	}
	return s.finish()
}
