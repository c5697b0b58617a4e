package sqlite

import (
	"bytes"

	"github.com/polyglove/polyglove/dispatch/store"
)

// What is appended at once goes into as few rows as possible: a row is one record
// a line, its result behind a tab. Both are JSON, in which neither character can
// stand. A record whose result is kept apart has a row of its own.
const (
	newRecord = '\n'
	newResult = '\t'
)

// row is one row of the table of records.
type row struct {
	seq  int64 // of its first record
	data []byte
	blob []byte // the hash of the result that is kept apart, nil if there is none
}

// pack puts entries into rows.
func pack(entries []store.Entry) []row {
	rows := make([]row, 0, 1)
	open := false // the last row may take more
	for i := range entries {
		e := &entries[i]
		if e.Blob != nil {
			rows = append(rows, row{e.Seq, e.Data, e.Blob[:]})
			open = false
			continue
		}
		if !open {
			rows = append(rows, row{seq: e.Seq, data: make([]byte, 0, packedSize(entries[i:]))})
			open = true
		} else {
			last := &rows[len(rows)-1]
			last.data = append(last.data, newRecord)
		}
		last := &rows[len(rows)-1]
		last.data = append(last.data, e.Data...)
		if e.Result != nil {
			last.data = append(append(last.data, newResult), e.Result...)
		}
	}
	return rows
}

// packedSize is how long the row gets that the first of the entries begins.
func packedSize(entries []store.Entry) (n int) {
	for i := range entries {
		if entries[i].Blob != nil {
			break
		}
		n += len(entries[i].Data) + len(entries[i].Result) + 2
	}
	return n
}

// unpack gives the entries of a row.
func (r row) unpack(yield func(store.Entry) error) error {
	for seq, rest, more := r.seq, r.data, true; more; seq++ {
		var line []byte
		line, rest, more = bytes.Cut(rest, []byte{newRecord})
		e := store.Entry{Seq: seq}
		var ok bool
		if e.Data, e.Result, ok = bytes.Cut(line, []byte{newResult}); !ok {
			e.Result = nil
		}
		if r.blob != nil {
			h := store.Hash(r.blob)
			e.Blob = &h
		}
		if err := yield(e); err != nil {
			return err
		}
	}
	return nil
}
