package fn

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

func dateEnv(t *testing.T, zone string) *Env {
	t.Helper()
	m, err := sandbox.NewMeter(context.Background(), sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	location, ok := pgtype.LookupZone(zone)
	if !ok {
		t.Fatalf("no zone %s", zone)
	}
	return &Env{Meter: m, Now: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC), Zone: location, Scratch: map[any]any{}}
}

// named finds a function by its signature.
func named(t *testing.T, name string) *pgcat.Function {
	t.Helper()
	for f := range pgcat.Default().Functions() {
		if signature(pgcat.Default(), f) == name {
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}

func datumOf(t *testing.T, e *Env, oid pgcat.OID, text string) vector.Datum {
	t.Helper()
	if text == "" {
		return vector.Null(oid)
	}
	read, _ := InputOf(oid)
	v, err := read(e, text, -1)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return vector.Datum{Type: oid, Value: v}
}

func written(t *testing.T, e *Env, d vector.Datum) string {
	t.Helper()
	if d.Null() {
		return "NULL"
	}
	write, _ := OutputOf(d.Type)
	b, err := write(e, nil, d.Value)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func refusal(err error) string {
	e := pgerr.From(err)
	return "!" + string(e.SQLSTATE) + " " + e.Message
}

// TestDateSeries has the server's answers.
func TestDateSeries(t *testing.T) {
	const plain, zoned, at = "generate_series(timestamp,timestamp,interval)", "generate_series(timestamptz,timestamptz,interval)", "generate_series(timestamptz,timestamptz,interval,text)"
	for _, test := range []struct{ call, args, want string }{
		{plain, "2024-01-31|2024-05-31|1 month", "2024-01-31 00:00:00, 2024-02-29 00:00:00, 2024-03-29 00:00:00, 2024-04-29 00:00:00, 2024-05-29 00:00:00"},
		{plain, "2024-01-31|2023-12-01|-1 month", "2024-01-31 00:00:00, 2023-12-31 00:00:00"},
		{plain, "2024-01-31|2024-01-01|1 month", ""},
		{plain, "2024-01-31|2024-01-01|0", "!22023 step size cannot equal zero"},
		{plain, "2024-01-31|2024-01-01|infinity", "!22023 step size cannot be infinite"},
		{plain, "2024-01-31|2024-01-01|1 mon -30 days", "!22023 step size cannot equal zero"},
		{plain, "294276-12-29|294276-12-31|1 day", "!22008 timestamp out of range"},
		{zoned, "2024-03-09 12:00|2024-03-11 12:00|1 day", "2024-03-09 12:00:00-05, 2024-03-10 12:00:00-04, 2024-03-11 12:00:00-04"},
		{zoned, "2024-03-09 12:00|2024-03-11 12:00|24 hours", "2024-03-09 12:00:00-05, 2024-03-10 13:00:00-04"},
		{at, "2024-03-09 12:00|2024-03-11 12:00|1 day|Europe/Berlin", "2024-03-09 12:00:00-05, 2024-03-10 13:00:00-04"},
		{at, "2024-03-09 12:00|2024-03-11 12:00|1 day|Nowhere", "!22023 time zone \"Nowhere\" not recognized"},
	} {
		e := dateEnv(t, "America/New_York")
		f := named(t, test.call)
		var args []vector.Datum
		for i, text := range strings.Split(test.args, "|") {
			args = append(args, datumOf(t, e, f.Args[i], text))
		}
		if got := seriesOf(t, e, f, args); got != test.want {
			t.Errorf("%s %s: got %s, the server says %s", test.call, test.args, got, test.want)
		}
	}
}

func seriesOf(t *testing.T, e *Env, f *pgcat.Function, args []vector.Datum) string {
	kernel, ok := SetReturning(f.OID)
	if !ok {
		t.Fatalf("no kernel of %s", f.Name)
	}
	set, err := kernel(e, args, []pgcat.OID{f.Result})
	if err != nil {
		return refusal(err)
	}
	var rows []string
	for {
		b, err := set.Next(e)
		if err != nil {
			return refusal(err)
		}
		if b == nil {
			return strings.Join(rows, ", ")
		}
		for i := range b.N {
			rows = append(rows, written(t, e, b.Columns[0].Datum(i)))
		}
	}
}

// TestLongSeries ends by the meter, in batches.
func TestLongSeries(t *testing.T) {
	e := dateEnv(t, "UTC")
	f := named(t, "generate_series(timestamp,timestamp,interval)")
	kernel, _ := SetReturning(f.OID)
	set, err := kernel(e, []vector.Datum{
		datumOf(t, e, f.Args[0], "-infinity"), datumOf(t, e, f.Args[1], "2024-01-01"), datumOf(t, e, f.Args[2], "1 day"),
	}, []pgcat.OID{f.Result})
	if err != nil {
		t.Fatal(err)
	}
	for {
		b, err := set.Next(e)
		if err != nil {
			if e.Meter.Err() == nil {
				t.Fatalf("ended with %v", err)
			}
			return
		}
		if b == nil || b.N != vector.Size {
			t.Fatal("an endless series ended")
		}
	}
}

// TestIntervalAggregates has the server's answers.
func TestIntervalAggregates(t *testing.T) {
	for _, test := range []struct{ values, sum, avg string }{
		{"1 day|2 days 3 hours||-1 mon", "-1 mons +3 days 03:00:00", "-9 days +01:00:00"},
		{"1 day|infinity", "infinity", "infinity"},
		{"-infinity", "-infinity", "-infinity"},
		{"-infinity|infinity", "!22008 interval out of range", "!22008 interval out of range"},
		{"", "NULL", "NULL"},
		{"2147483647 mons|1 mon", "!22008 interval out of range", "!22008 interval out of range"},
		{"1 mon|2 mons 1 day|10:00", "3 mons 1 day 10:00:00", "1 mon 11:20:00"},
	} {
		for name, want := range map[string]string{"sum(interval)": test.sum, "avg(interval)": test.avg} {
			if got := aggregateOf(t, name, strings.Split(test.values, "|")); got != want {
				t.Errorf("%s of %s: got %s, the server says %s", name, test.values, got, want)
			}
		}
	}
}

func aggregateOf(t *testing.T, name string, values []string) string {
	e := dateEnv(t, "UTC")
	f := named(t, name)
	column := vector.Make(pgcat.Interval, len(values))
	rows, groups := make([]int32, len(values)), make([]int32, len(values))
	for i, v := range values {
		column.Set(i, datumOf(t, e, pgcat.Interval, v))
		rows[i] = int32(i)
	}
	create, _ := Aggregate(f.OID)
	state, err := create(e, AggregateSpec{Function: f, Args: []pgcat.OID{pgcat.Interval}, Result: pgcat.Interval})
	if err != nil {
		t.Fatal(err)
	}
	out := vector.Make(pgcat.Interval, 1)
	for _, step := range []func() error{
		func() error { return state.Grow(e, 1) },
		func() error { return state.Add(e, groups, []*vector.Column{column}, rows) },
		func() error { return state.Result(e, 0, 1, out) },
	} {
		if err := step(); err != nil {
			return refusal(err)
		}
	}
	return written(t, e, out.Datum(0))
}

// TestIntervalSumsTakeBack removes what was added, infinite values too.
func TestIntervalSumsTakeBack(t *testing.T) {
	e := dateEnv(t, "UTC")
	create, _ := Aggregate(named(t, "sum(interval)").OID)
	state, err := create(e, AggregateSpec{})
	if err != nil {
		t.Fatal(err)
	}
	column := vector.Make(pgcat.Interval, 3)
	for i, v := range []string{"infinity", "1 day", "02:00"} {
		column.Set(i, datumOf(t, e, pgcat.Interval, v))
	}
	args := []*vector.Column{column}
	if err := state.Grow(e, 1); err != nil {
		t.Fatal(err)
	}
	if err := state.Add(e, []int32{0, 0, 0}, args, []int32{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	if ok, err := state.(Remover).Remove(e, []int32{0, 0}, args, []int32{0, 1}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	out := vector.Make(pgcat.Interval, 1)
	if err := state.Result(e, 0, 1, out); err != nil {
		t.Fatal(err)
	}
	if got := written(t, e, out.Datum(0)); got != "02:00:00" {
		t.Errorf("got %s", got)
	}
}

// TestUUIDTimes has the server's answers.
func TestUUIDTimes(t *testing.T) {
	for _, test := range []struct{ id, at, version string }{
		{"c232ab00-9414-11ec-b3c8-9f6bdeced846", "2022-02-22 19:22:22+00", "1"},
		{"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "NULL", "4"},
		{"a0eebc99-9c0b-4ef8-0b6d-6bb9bd380a11", "NULL", "NULL"},
	} {
		e := dateEnv(t, "UTC")
		id := vector.Constant(datumOf(t, e, pgcat.UUID, test.id), 1)
		for name, want := range map[string]string{"uuid_extract_timestamp(uuid)": test.at, "uuid_extract_version(uuid)": test.version} {
			f := named(t, name)
			kernel, _ := Lookup(f.OID)
			out := vector.Make(f.Result, 1)
			if err := kernel(e, []*vector.Column{id}, []int32{0}, out); err != nil {
				t.Fatal(err)
			}
			if got := written(t, e, out.Datum(0)); got != want {
				t.Errorf("%s of %s: got %s, the server says %s", name, test.id, got, want)
			}
		}
	}
}
