package dispatch

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// ask is one thing to ask a table's server: what is passed on of a statement's
// bindings.
type ask struct {
	key    string
	passed bound
	first  first
}

// args are the arguments of the first call for an ask, as policy and journal see
// them.
func (q ask) args() *value.Object {
	args := value.Of("where", q.passed.object())
	q.first.put(args)
	return args
}

// bindings gives the form that a table's Select takes.
func (q ask) bindings() toolfn.Bindings {
	b := q.passed.bindings()
	if q.first.none() {
		return b
	}
	return b.WithFirst(q.first.limit, q.first.order...)
}

// fetched are the rows that one ask gave. Nobody changes them.
type fetched struct {
	rows       []*value.Object
	consumed   []string
	incomplete string
	bytes      int64
	passed     bound
	began      uint64 // by the dispatcher's clock of reads and writes
	version    uint64 // of the table, when it began
	short      bool   // ended early, because the statement had enough
}

// fetch is one ask under way. It belongs to its program's goroutine.
type fetch struct {
	run     *Run
	t       *tableState
	at      Call
	ask     ask
	once    string // the key under which the run remembers it, "" if it does not
	limited bool   // it may end early

	began   uint64
	version uint64
	flight  *Flight   // the first page, under way
	first   *admitted // the first page, not asked for yet
	page    *page
	follow  *shared // another program is fetching the same
	lead    *shared // others may wait for this one

	done bool
	got  *fetched
	err  error
}

// page is a call for one page and, when it has answered, the way to the next.
type page struct {
	next func(context.Context) (toolfn.Rows, error)
}

// call gives what the server is asked for a page.
func (p *page) call(t *tableState, b toolfn.Bindings, next func(context.Context) (toolfn.Rows, error)) func(context.Context) (value.Value, error) {
	return func(ctx context.Context) (value.Value, error) {
		var rows toolfn.Rows
		var err error
		if next != nil {
			rows, err = next(ctx)
		} else {
			rows, err = t.Select(ctx, b)
		}
		if err != nil {
			return nil, err
		}
		p.next = rows.Next
		return pageValue(rows), nil
	}
}

// pageValue is a page as plain data, as the journal has it.
func pageValue(rows toolfn.Rows) value.Value {
	list := make([]value.Value, len(rows.Page))
	for i, row := range rows.Page {
		list[i] = row
	}
	o := value.Of("rows", list)
	if len(rows.Consumed) > 0 {
		names := make([]value.Value, len(rows.Consumed))
		for i, n := range rows.Consumed {
			names[i] = n
		}
		o.Set("consumed", names)
	}
	if rows.Next != nil {
		o.Set("more", true)
	}
	if rows.Incomplete != "" {
		o.Set("incomplete", rows.Incomplete)
	}
	return o
}

// pageCall makes the call of the n-th page, from 1.
func (f *fetch) pageCall(n int, next func(context.Context) (toolfn.Rows, error)) (*admitted, error) {
	args := f.ask.args()
	if n > 1 {
		args.Set("page", int64(n))
	}
	f.page = &page{}
	a := &admitted{fn: f.t.verbs[toolfn.Select], args: args, kept: args, at: f.at, shown: args}
	a.call = f.page.call(f.t, f.ask.bindings(), next)
	return a, f.run.part(a)
}

// start puts the first page under way beside the program.
func (f *fetch) start() error {
	a, err := f.pageCall(1, nil)
	if err != nil {
		return err
	}
	f.flight = &Flight{run: f.run, a: a}
	f.flight.take()
	return nil
}

// finish reads the fetch to its end. enough is asked after each page whether the
// statement has what it wants; nil never has.
func (f *fetch) finish(enough func([]*value.Object) bool) {
	if f.done {
		return
	}
	f.done = true
	if f.follow != nil && f.followed() {
		return
	}
	f.got, f.err = f.read(enough)
	if f.lead != nil {
		f.publish()
	} else {
		f.settle()
	}
}

func (f *fetch) read(enough func([]*value.Object) bool) (*fetched, error) {
	got := &fetched{passed: f.ask.passed, began: f.began, version: f.version}
	bounds := f.run.d.tables.bounds
	d := decoder{run: f.run, t: f.t.ResourceTable, passed: f.ask.passed}
	var next func(context.Context) (toolfn.Rows, error)
	for n := 1; ; n++ {
		v, err := f.readPage(n, next)
		if err != nil {
			return nil, err
		}
		more, err := d.page(got, v)
		if err != nil {
			return nil, err
		}
		next = f.page.next
		if n := f.ask.first.limit; n > 0 && len(got.rows) >= n {
			got.short = true
			return got, d.check(got)
		}
		switch {
		case !more:
			return got, d.check(got)
		case len(got.rows) >= bounds.Rows:
			got.incomplete = fmt.Sprintf("there are more than the %d rows that one read may take", bounds.Rows)
		case n == bounds.Pages:
			got.incomplete = fmt.Sprintf("there are more than the %s that one read may take", plural(bounds.Pages, "page", "pages"))
		case enough != nil && enough(got.rows):
			got.short = true
		default:
			continue
		}
		return got, d.check(got)
	}
}

// readPage waits for the first page, or asks for another.
func (f *fetch) readPage(n int, next func(context.Context) (toolfn.Rows, error)) (value.Value, error) {
	if n == 1 && f.flight != nil {
		return f.flight.Wait()
	}
	if n == 1 && f.first != nil {
		return f.run.make(f.first)
	}
	a, err := f.pageCall(n, next)
	if err != nil {
		return nil, err
	}
	return f.run.make(a)
}

// make makes an admitted read and waits for it: beside the program if others are
// under way there, so that the bound on concurrent reads holds.
func (r *Run) make(a *admitted) (value.Value, error) {
	if !r.lanes.busy() {
		return r.now(a)
	}
	f := &Flight{run: r, a: a}
	f.take()
	return f.Wait()
}

// part admits one call of a statement that has been permitted as a whole.
func (r *Run) part(a *admitted) error {
	if err := r.m.Charge(callFuel); err != nil {
		return err
	}
	r.orders++
	a.order = r.orders
	switch {
	case r.replay != nil:
		if err := r.permitAgain(a); err != nil {
			return err
		}
	case r.calls >= r.limits.Calls:
		return r.m.Fail(r.tooManyCalls(a.at))
	default:
		if f := r.d.stragglers.fault(a.fn); f != nil {
			return r.refuse(a, f)
		}
	}
	if r.ctx.Err() != nil {
		return r.stopped()
	}
	r.calls++
	a.index = r.calls
	return nil
}

// failedRead is the fault of a statement some of whose fetches failed.
func failedRead(t *tableState, fetches []*fetch) error {
	var bad, good []*fetch
	for _, f := range fetches {
		var fault *sandbox.Fault
		switch {
		case f.err == nil:
			good = append(good, f)
		case errors.As(f.err, &fault) && fault.Kind.Limit():
			return f.err
		default:
			bad = append(bad, f)
		}
	}
	if len(bad) == 0 {
		return nil
	}
	if len(fetches) == 1 {
		return bad[0].err
	}
	var first *sandbox.Fault
	if !errors.As(bad[0].err, &first) {
		return bad[0].err
	}
	g := *first
	g.Message = fmt.Sprintf("%s of the %d reads of table %s failed: %s (%s).", strconv.Itoa(len(bad)), len(fetches), t.Name, shownFetches(bad), Sentence(first.Message))
	if len(good) > 0 {
		g.Hint = fmt.Sprintf("It can be read for %s. %s", shownFetches(good), first.Hint)
	}
	return &g
}

func shownFetches(list []*fetch) string {
	var parts []string
	for i, f := range list {
		if i == 8 {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		parts = append(parts, shownRow(f.ask.passed.object()))
	}
	return strings.Join(parts, "; ")
}
