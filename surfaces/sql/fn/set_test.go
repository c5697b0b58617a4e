package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// computeSet collects the rows of a set as the server does in an array of texts.
func (c call) computeSet(e *Env, f *pgcat.Function, args []vector.Datum, null bool, result pgcat.OID) (string, error) {
	if null && f.Strict {
		return "{}", nil
	}
	k, ok := SetReturning(f.OID)
	if !ok {
		return "", pgerr.New(pgerr.FeatureNotSupported, "no kernel")
	}
	columns := []pgcat.OID{result}
	if len(f.Outputs) > 0 {
		columns = columns[:0]
		for _, o := range f.Outputs {
			columns = append(columns, o.Type)
		}
	}
	set, err := k(e, args, columns)
	if err != nil {
		return "", err
	}
	var texts pgtype.ArrayText
	for {
		b, err := set.Next(e)
		if err != nil {
			return "", err
		}
		if b == nil {
			break
		}
		for i := range b.N {
			if err := c.addRow(e, &texts, b, i, len(columns) > 1); err != nil {
				return "", err
			}
		}
	}
	if n := len(texts.Elements); n > 0 {
		texts.Dimensions = []pgtype.Dimension{{Lower: 1, Length: n}}
	}
	return string(pgtype.AppendArray(nil, texts)), nil
}

func (c call) addRow(e *Env, texts *pgtype.ArrayText, b *vector.Batch, i int, asRecord bool) error {
	var d vector.Datum
	if asRecord {
		r := &vector.Record{}
		for _, col := range b.Columns {
			r.Fields = append(r.Fields, col.Datum(i))
		}
		d = vector.Datum{Type: pgcat.Record, Value: r}
	} else {
		d = b.Columns[0].Datum(i)
	}
	if d.Null() {
		texts.Elements = append(texts.Elements, nil)
		return nil
	}
	text, err := e.castText(d)
	if err != nil {
		return err
	}
	texts.Elements = append(texts.Elements, &text)
	return nil
}
