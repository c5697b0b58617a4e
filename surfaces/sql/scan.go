//go:build cgo

package sql

import (
	"fmt"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/infoschema"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// scan is one use of a table in a statement: the rows that were fetched for it, and
// what the statement wants written.
type scan struct {
	table   *toolfn.ResourceTable
	view    *infoschema.View // that the rows describe the catalogue in
	shape   *query.Table
	rows    []*value.Object
	fetched bool
	columns []*vector.Column // made when they are first read

	inserted []*value.Object
	changes  []rowChange
	deleted  []int32
}

// rowChange sets columns of one row.
type rowChange struct {
	row int32
	set *value.Object
}

// Count is how many rows were fetched, -1 before.
func (s *scan) Count() int {
	if !s.fetched {
		return -1
	}
	return len(s.rows)
}

// Read gives columns of the fetched rows.
func (s *scan) Read(e *fn.Env, columns []int) (int, []*vector.Column, error) {
	if !s.fetched {
		return 0, nil, pgerr.New(pgerr.FeatureNotSupported, "the rows of %s are needed where they have not been read yet", s.shape.Name)
	}
	if s.columns == nil {
		s.columns = make([]*vector.Column, len(s.shape.Columns))
	}
	out := make([]*vector.Column, len(columns))
	for i, c := range columns {
		if s.columns[c] == nil {
			made, err := s.column(e, c)
			if err != nil {
				return 0, nil, err
			}
			s.columns[c] = made
		}
		out[i] = s.columns[c]
	}
	return len(s.rows), out, nil
}

// column makes the cells of one column of all rows.
func (s *scan) column(e *fn.Env, c int) (*vector.Column, error) {
	def := &s.shape.Columns[c]
	if err := e.Meter.Alloc(vector.Bytes(def.Type, len(s.rows))); err != nil {
		return nil, err
	}
	if err := e.Meter.Charge(int64(len(s.rows))); err != nil {
		return nil, err
	}
	col := vector.Make(def.Type, 0)
	var keys *value.Keys
	at := -1
	for i, row := range s.rows {
		if k := row.Keys(); k != keys {
			keys, at = k, k.Index(def.Name)
		}
		var v value.Value
		if at >= 0 {
			v = row.At(at)
		}
		if v == nil {
			col.AppendNulls(1)
			continue
		}
		if stored, ok := engine.Direct(def.Type, v); ok {
			col.AppendDatum(vector.Datum{Type: def.Type, Value: stored})
			continue
		}
		d, err := cellOf(e, def.Type, v)
		if err != nil {
			return nil, s.misfit(def, i, v, err)
		}
		col.AppendDatum(d)
	}
	return col, nil
}

// misfit says that a cell is not of its column's type.
func (s *scan) misfit(def *query.TableColumn, row int, v value.Value, err error) error {
	if pgerr.From(err) == nil {
		return err // a limit
	}
	shown, _ := value.Append(nil, v)
	return &sandbox.Fault{
		Kind:    sandbox.KindCapability,
		Message: fmt.Sprintf("row %d of %s has %s in the column %s, which is no %s.", row+1, s.shape.Name, sandbox.Clip(string(shown), 60), def.Name, s.typeName(def.Name)),
		Hint:    "Leave the column out; the table declares it wrongly.",
		Cause:   err,
	}
}

func (s *scan) typeName(column string) string {
	if s.table != nil {
		if c, ok := s.table.Column(column); ok {
			return c.Type
		}
	}
	return "value of its type"
}

// Insert keeps rows to be inserted. Only the columns that the statement gives go to
// the table: see writes.
func (s *scan) Insert(e *fn.Env, rows int, columns []*vector.Column) error {
	for r := range rows {
		o := value.NewObject(len(columns))
		for c, col := range columns {
			v, err := plain(e, col.Datum(r))
			if err != nil {
				return err
			}
			o.Set(s.shape.Columns[c].Name, v)
		}
		if err := e.Meter.Alloc(int64(64 * len(columns))); err != nil {
			return err
		}
		s.inserted = append(s.inserted, o)
	}
	return nil
}

// Update keeps the changes of rows.
func (s *scan) Update(e *fn.Env, rows []int32, sets []int, values []*vector.Column) error {
	for i, r := range rows {
		set := value.NewObject(len(sets))
		for j, c := range sets {
			v, err := plain(e, values[j].Datum(i))
			if err != nil {
				return err
			}
			set.Set(s.shape.Columns[c].Name, v)
		}
		if err := e.Meter.Alloc(int64(64 * len(sets))); err != nil {
			return err
		}
		s.changes = append(s.changes, rowChange{r, set})
	}
	return nil
}

// Delete keeps the rows to be removed.
func (s *scan) Delete(e *fn.Env, rows []int32) error {
	if err := e.Meter.Alloc(int64(4 * len(rows))); err != nil {
		return err
	}
	s.deleted = append(s.deleted, rows...)
	return nil
}
