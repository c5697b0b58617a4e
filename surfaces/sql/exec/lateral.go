package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/plan"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// lateral is a join whose right side is run anew for each left row.
type lateral struct {
	join   *join
	params []plan.Argument
	args   []expression

	batch   *vector.Batch
	columns []*vector.Column
	at      int
	active  bool
	left    *singleRow
	source  operator
}

// singleRow gives one row of a batch.
type singleRow struct {
	batch vector.Batch
	row   [1]int32
	given bool
}

func (s *singleRow) open(*run) error {
	s.given = false
	return nil
}

func (s *singleRow) next(*run) (*vector.Batch, error) {
	if s.given {
		return nil, nil
	}
	s.given = true
	return &s.batch, nil
}

func (l *lateral) open(x *run) error {
	if l.left == nil {
		l.left = &singleRow{}
		l.source, l.join.left = l.join.left, l.left
	}
	l.batch, l.active = nil, false
	return l.source.open(x)
}

func (l *lateral) next(x *run) (*vector.Batch, error) {
	for {
		if l.active {
			b, err := l.join.next(x)
			if err != nil {
				return nil, err
			}
			if b != nil {
				return b, nil
			}
			l.active = false
			l.at++
		}
		if l.batch == nil {
			b, err := l.source.next(x)
			if err != nil || b == nil {
				return nil, err
			}
			l.batch, l.at = b, 0
			if l.columns, err = evalList(x, l.args, b, rowsOf(b), l.columns); err != nil {
				return nil, err
			}
		}
		rows := rowsOf(l.batch)
		if l.at >= len(rows) {
			l.batch = nil
			continue
		}
		if err := l.begin(x, rows[l.at]); err != nil {
			return nil, err
		}
	}
}

// begin runs the join for one left row.
func (l *lateral) begin(x *run, row int32) error {
	if err := x.env.Meter.Charge(8); err != nil {
		return err
	}
	for i, p := range l.params {
		x.set(p.Param, l.columns[i], int(row))
	}
	l.left.row[0] = row
	l.left.batch = vector.Batch{N: l.batch.N, Columns: l.batch.Columns, Rows: l.left.row[:]}
	l.active = true
	return l.join.open(x)
}
