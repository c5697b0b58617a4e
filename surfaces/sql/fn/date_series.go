package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// dateSeries are generate_series of timestamps.
func dateSeries() map[string]SetKernel {
	return map[string]SetKernel{
		"generate_series_timestamp": func(_ *Env, args []vector.Datum, columns []pgcat.OID) (Set, error) {
			return newMomentSeries(args, columns[0], pgtype.AddToTimestamp)
		},
		"generate_series_timestamptz": func(e *Env, args []vector.Datum, columns []pgcat.OID) (Set, error) {
			return newMomentSeries(args, columns[0], stepIn(e.moment().SessionZone()))
		},
		"generate_series_timestamptz_at_zone": func(e *Env, args []vector.Datum, columns []pgcat.OID) (Set, error) {
			zone, err := e.zone(args[3].Value.(string))
			if err != nil {
				return nil, err
			}
			return newMomentSeries(args, columns[0], stepIn(zone))
		},
	}
}

func stepIn(zone pgtype.Zone) func(int64, pgtype.Interval) (int64, *pgerr.Error) {
	return func(ts int64, v pgtype.Interval) (int64, *pgerr.Error) { return pgtype.AddToTimestamptz(ts, v, zone) }
}

// momentSeries steps from one timestamp to another.
type momentSeries struct {
	next, last int64
	step       pgtype.Interval
	down       bool
	column     pgcat.OID
	add        func(int64, pgtype.Interval) (int64, *pgerr.Error)
}

func newMomentSeries(args []vector.Datum, column pgcat.OID, add func(int64, pgtype.Interval) (int64, *pgerr.Error)) (Set, error) {
	s := &momentSeries{
		next: args[0].Value.(int64), last: args[1].Value.(int64), step: args[2].Value.(pgtype.Interval),
		column: column, add: add,
	}
	direction := pgtype.CompareInterval(s.step, pgtype.Interval{})
	s.down = direction < 0
	switch {
	case direction == 0:
		return nil, pgerr.New(pgerr.InvalidParameter, "step size cannot equal zero")
	case !s.step.Finite():
		return nil, pgerr.New(pgerr.InvalidParameter, "step size cannot be infinite")
	}
	return s, nil
}

func (s *momentSeries) ended() bool {
	if s.down {
		return s.next < s.last
	}
	return s.next > s.last
}

func (s *momentSeries) Next(e *Env) (*vector.Batch, error) {
	if s.ended() {
		return nil, nil
	}
	if err := e.Meter.Charge(vector.Size); err != nil {
		return nil, err
	}
	if err := e.Meter.Alloc(vector.Bytes(s.column, vector.Size)); err != nil {
		return nil, err
	}
	out := vector.Make(s.column, vector.Size)
	n := 0
	for ; n < vector.Size && !s.ended(); n++ {
		out.Ints[n] = s.next
		// The server takes the next step before it gives the row.
		next, err := s.add(s.next, s.step)
		if err != nil {
			return nil, err
		}
		s.next = next
	}
	return &vector.Batch{N: n, Columns: []*vector.Column{out.Slice(0, n)}}, nil
}
