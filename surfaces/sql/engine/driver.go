package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"time"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// DriverName is the name that the package registers with database/sql. A data
// source opened by name is a new, empty database; to reach tables that are there,
// use sql.OpenDB with a [Connector].
const DriverName = "polyglove"

func init() { sql.Register(DriverName, sqlDriver{}) }

type sqlDriver struct{}

// Open makes a connection to a new, empty database.
func (sqlDriver) Open(string) (driver.Conn, error) {
	return &conn{session: Open(Options{}).Session()}, nil
}

// OpenConnector makes a connector to a new, empty database, which all connections
// of a pool share.
func (sqlDriver) OpenConnector(string) (driver.Connector, error) {
	return Connector{Open(Options{})}, nil
}

// Connector connects database/sql to a database: sql.OpenDB(engine.Connector{DB: db}).
//
// Values come as int64, float64, bool, string, []byte for bytea and time.Time for
// date, timestamp and timestamptz; all else as the server's text.
type Connector struct{ DB *DB }

// Connect starts a session.
func (c Connector) Connect(context.Context) (driver.Conn, error) {
	return &conn{session: c.DB.Session()}, nil
}

// Driver gives the registered driver.
func (c Connector) Driver() driver.Driver { return sqlDriver{} }

type conn struct{ session *Session }

// Prepare keeps a statement's text; it is analysed each time it runs.
func (c *conn) Prepare(text string) (driver.Stmt, error) { return &stmt{c, text}, nil }

// Close ends the session and what it has not committed.
func (c *conn) Close() error { return nil }

// Begin starts a transaction.
func (c *conn) Begin() (driver.Tx, error) { return c.BeginTx(context.Background(), driver.TxOptions{}) }

// BeginTx starts a transaction, which is isolated from others whatever is asked.
func (c *conn) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	_, err := c.session.Query(ctx, "BEGIN")
	return tx{c}, err
}

// QueryContext runs a statement that returns rows.
func (c *conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	r, err := c.run(ctx, text, args)
	if err != nil {
		return nil, err
	}
	return &sqlRows{result: r}, nil
}

// ExecContext runs a statement for its effect.
func (c *conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	r, err := c.run(ctx, text, args)
	if err != nil {
		return nil, err
	}
	return driver.RowsAffected(r.Changed), nil
}

var errNamed = errors.New("parameters have numbers, not names: write $1")

func (c *conn) run(ctx context.Context, text string, args []driver.NamedValue) (*Result, error) {
	params := make([]any, len(args))
	for i, a := range args {
		if a.Name != "" {
			return nil, errNamed
		}
		params[i] = a.Value
	}
	return c.session.Query(ctx, text, params...)
}

type tx struct{ c *conn }

// Commit ends the transaction and keeps its changes.
func (t tx) Commit() error { return t.end("COMMIT") }

// Rollback ends the transaction and drops its changes.
func (t tx) Rollback() error { return t.end("ROLLBACK") }

var errRolledBack = errors.New("the transaction had failed and was rolled back")

func (t tx) end(word string) error {
	r, err := t.c.session.Query(context.Background(), word)
	if err == nil && r.Tag != word {
		return errRolledBack
	}
	return err
}

type stmt struct {
	c    *conn
	text string
}

// Close does nothing.
func (s *stmt) Close() error { return nil }

// NumInput says that the number of parameters is checked when the statement runs.
func (s *stmt) NumInput() int { return -1 }

// Exec runs the statement.
func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.c.ExecContext(context.Background(), s.text, named(args))
}

// Query runs the statement.
func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.c.QueryContext(context.Background(), s.text, named(args))
}

func named(args []driver.Value) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, v := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out
}

type sqlRows struct {
	result *Result
	at     int
}

// Columns names the columns.
func (r *sqlRows) Columns() []string {
	out := make([]string, len(r.result.Columns))
	for i, c := range r.result.Columns {
		out[i] = c.Name
	}
	return out
}

// ColumnTypeDatabaseTypeName names a column's type.
func (r *sqlRows) ColumnTypeDatabaseTypeName(i int) string { return r.result.Columns[i].Type }

// Close does nothing.
func (r *sqlRows) Close() error { return nil }

// Next gives a row.
func (r *sqlRows) Next(dest []driver.Value) error {
	if r.at >= r.result.Len() {
		return io.EOF
	}
	for i := range dest {
		dest[i] = r.value(i)
	}
	r.at++
	return nil
}

func (r *sqlRows) value(i int) driver.Value {
	d := r.result.Datum(r.at, i)
	if d.Null() {
		return nil
	}
	switch d.Type {
	case pgcat.Bool, pgcat.Int2, pgcat.Int4, pgcat.Int8, pgcat.Float4, pgcat.Float8:
		return d.Value
	case pgcat.Bytea:
		return []byte(d.Value.(string))
	case pgcat.Date, pgcat.Timestamp, pgcat.Timestamptz:
		if t, ok := timeOf(d); ok {
			return t
		}
	}
	text, _ := r.result.Text(r.at, i)
	return text
}

// timeOf gives a moment that is not infinite and that time.Time can hold.
func timeOf(d vector.Datum) (time.Time, bool) {
	n := d.Value.(int64)
	if d.Type == pgcat.Date {
		const far = 3_000_000
		return epoch.AddDate(0, 0, int(n)), n > -far && n < far
	}
	const far = 250_000_000_000_000_000
	return time.UnixMicro(epoch.UnixMicro() + n).UTC(), n > -far && n < far
}
