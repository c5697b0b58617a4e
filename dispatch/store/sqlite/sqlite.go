// Package sqlite keeps journals in an SQLite file. Several processes of one
// machine may use one file; each workspace has one owner at a time.
//
// The file is in WAL mode. By default a commit reaches the disk before it counts
// (synchronous=FULL), so that what was about to be done is known even after the
// machine has lost its power; [Relaxed] survives the death of the process alone
// and is several times faster.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/polyglove/polyglove/dispatch/store"
)

// Backend is an SQLite file. It is a [store.Backend].
type Backend struct {
	db   *sql.DB
	mu   sync.Mutex // holds the one connection that writes
	conn *sql.Conn
	made map[string]*sql.Stmt // on conn

	numbers map[string]int64 // of the workspaces that this process has taken
}

// Option sets something up in [Open].
type Option func(*settings)

type settings struct{ synchronous string }

// Relaxed lets a commit count before it has reached the disk. It survives the
// death of the process, not that of the machine: after a power failure the last
// effects may be unknown to the journal.
func Relaxed() Option { return func(s *settings) { s.synchronous = "NORMAL" } }

// Open opens a file, making it if there is none.
func Open(path string, opts ...Option) (*Backend, error) {
	s := settings{synchronous: "FULL"}
	for _, o := range opts {
		o(&s)
	}
	pragmas := url.Values{"_pragma": {
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(" + s.synchronous + ")", "wal_autocheckpoint(4000)",
	}, "_txlock": {"immediate"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: url.PathEscape(path), RawQuery: pragmas.Encode()}).String())
	if err != nil {
		return nil, fmt.Errorf("the journal %s: %w", path, err)
	}
	b := &Backend{db: db, made: map[string]*sql.Stmt{}, numbers: map[string]int64{}}
	ctx := context.Background()
	if b.conn, err = db.Conn(ctx); err == nil {
		err = b.migrate(ctx)
	}
	if err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("the journal %s cannot be used: %w", path, err)
	}
	return b, nil
}

// migrate brings the schema to the newest version, which the file remembers as
// its user_version.
func (b *Backend) migrate(ctx context.Context) error {
	return b.write(ctx, func(tx *tx) error {
		var have int
		if err := b.conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
			return err
		}
		if have > len(versions) {
			return fmt.Errorf("it was written by a newer version of this program (schema %d, this one knows %d)", have, len(versions))
		}
		for _, step := range versions[have:] {
			if _, err := b.conn.ExecContext(ctx, step); err != nil {
				return err
			}
		}
		if have == len(versions) {
			return nil
		}
		_, err := b.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(versions)))
		return err
	})
}

// tx runs statements in the transaction under way.
type tx struct {
	b   *Backend
	ctx context.Context
}

// stmt gives a prepared statement.
func (t *tx) stmt(text string) (*sql.Stmt, error) {
	if s := t.b.made[text]; s != nil {
		return s, nil
	}
	s, err := t.b.conn.PrepareContext(t.ctx, text)
	if err == nil {
		t.b.made[text] = s
	}
	return s, err
}

// exec runs a statement and gives the number of rows that it changed.
func (t *tx) exec(text string, args ...any) (int64, error) {
	s, err := t.stmt(text)
	if err != nil {
		return 0, err
	}
	r, err := s.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// row reads one row, and reports whether there was one.
func (t *tx) row(text string, args []any, into ...any) (bool, error) {
	s, err := t.stmt(text)
	if err != nil {
		return false, err
	}
	err = s.QueryRowContext(t.ctx, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// write runs f in a transaction that holds the file's one write lock from its
// beginning, so that it cannot fail for another's writes in between.
func (b *Backend) write(ctx context.Context, f func(*tx) error) (err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := &tx{b, ctx}
	if _, err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return worded(err)
	}
	defer func() {
		if err != nil {
			_, _ = (&tx{b, context.WithoutCancel(ctx)}).exec("ROLLBACK")
		}
	}()
	if err := f(t); err != nil {
		return worded(err)
	}
	_, err = t.exec("COMMIT")
	return worded(err)
}

// fault is an error of the file's of which trying again is of no use.
type fault struct{ error }

func (f fault) Unwrap() error   { return f.error }
func (f fault) Permanent() bool { return true }

// worded tells the errors that pass from those that do not.
func worded(err error) error {
	var e *driver.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED, lib.SQLITE_INTERRUPT:
		return err
	}
	return fault{err}
}

func now() int64 { return time.Now().UnixMilli() }

// span is the range of the keys of a workspace's records, the first of which is
// never used.
func span(number int64) (from, to int64) { return number << 32, number<<32 | (1<<32 - 1) }

// further is how many records a row has after its first.
const further = `length(data) - length(CAST(replace(data, char(10), '') AS BLOB))`

// Acquire takes a lease.
func (b *Backend) Acquire(ctx context.Context, c store.Claim) (store.Lease, store.Header, error) {
	l := store.Lease{Workspace: c.Workspace, Holder: c.Holder}
	var h store.Header
	err := b.write(ctx, func(t *tx) error {
		at := now()
		if _, err := t.exec(`INSERT INTO workspaces (id, seed, actor, created, used) VALUES (?,?,?,?,?) ON CONFLICT DO NOTHING`,
			c.Workspace, int64(c.Fresh.Seed), c.Fresh.Actor, c.Fresh.Created.UnixMilli(), at); err != nil {
			return err
		}
		var seed, created, until, number int64
		var holder string
		if _, err := t.row(`SELECT number, seed, actor, created, holder, token, until FROM workspaces WHERE id = ?`, []any{c.Workspace},
			&number, &seed, &h.Actor, &created, &holder, &l.Token, &until); err != nil {
			return err
		}
		if holder != "" && holder != c.Holder && holder != c.Over && until > at {
			return &store.HeldError{Workspace: c.Workspace, Holder: holder, Until: time.UnixMilli(until)}
		}
		h.Seed, h.Created = uint64(seed), time.UnixMilli(created).UTC()
		l.Token++
		from, to := span(number)
		if _, err := t.row(`SELECT key - ?1 + `+further+` FROM records WHERE key BETWEEN ?1 AND ?2 ORDER BY key DESC LIMIT 1`, []any{from, to}, &l.Last); err != nil {
			return err
		}
		b.numbers[c.Workspace] = number
		_, err := t.exec(`UPDATE workspaces SET holder = ?, token = ?, until = ?, used = ? WHERE number = ?`,
			c.Holder, l.Token, at+c.TTL.Milliseconds(), at, number)
		return err
	})
	return l, h, err
}

// Renew prolongs leases.
func (b *Backend) Renew(ctx context.Context, leases []store.Lease, ttl time.Duration) (lost []store.Lease, err error) {
	err = b.write(ctx, func(t *tx) error {
		for _, l := range leases {
			n, err := t.exec(`UPDATE workspaces SET until = ?, used = ? WHERE id = ? AND token = ?`, now()+ttl.Milliseconds(), now(), l.Workspace, l.Token)
			if err != nil {
				return err
			}
			if n == 0 {
				lost = append(lost, l)
			}
		}
		return nil
	})
	return lost, err
}

// Release gives a lease back.
func (b *Backend) Release(ctx context.Context, l store.Lease) error {
	return b.write(ctx, func(t *tx) error {
		_, err := t.exec(`UPDATE workspaces SET holder = '', until = 0, used = ? WHERE id = ? AND token = ?`, now(), l.Workspace, l.Token)
		return err
	})
}

// Append appends batches in one transaction. It does not touch the workspaces'
// rows, so that a commit writes one page of the file in most cases.
func (b *Backend) Append(ctx context.Context, batches []*store.Batch) error {
	// The driver would watch a context that can end with a goroutine for each
	// statement. How long the file may be busy is bounded by itself.
	ctx = context.WithoutCancel(ctx)
	if len(batches) == 1 && len(batches[0].Blobs) == 0 {
		if rows := pack(batches[0].Entries); len(rows) == 1 {
			return b.appendRow(ctx, batches[0], rows[0])
		}
	}
	return b.write(ctx, func(t *tx) error {
		for _, batch := range batches {
			batch.Err = nil
			if err := appendBatch(t, batch); err != nil {
				return err
			}
		}
		return nil
	})
}

// appendRow appends a batch that is one row by one statement, which is a
// transaction of its own.
func (b *Backend) appendRow(ctx context.Context, batch *store.Batch, r row) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	batch.Err = nil
	t, number := &tx{b, ctx}, b.numbers[batch.Lease.Workspace]
	n, err := t.exec(`INSERT INTO records (key, data, blob) SELECT ?1, ?2, ?3 WHERE (SELECT token FROM workspaces WHERE number = ?4) = ?5 ON CONFLICT DO NOTHING`,
		number<<32|r.seq, r.data, r.blob, number, batch.Lease.Token)
	if err == nil && n == 0 {
		err = fence(t, batch) // else it was there already
	}
	return worded(err)
}

// fence finds out whether a batch's lease is another's now.
func fence(t *tx, b *store.Batch) error {
	var token int64
	_, err := t.row(`SELECT token FROM workspaces WHERE number = ?`, []any{t.b.numbers[b.Lease.Workspace]}, &token)
	if err == nil && token != b.Lease.Token {
		b.Err = store.ErrSuperseded
	}
	return err
}

func appendBatch(t *tx, b *store.Batch) error {
	if err := fence(t, b); err != nil || b.Err != nil {
		return err
	}
	for h, data := range b.Blobs {
		if _, err := t.exec(`INSERT INTO blobs (hash, data) VALUES (?,?) ON CONFLICT DO NOTHING`, h[:], data); err != nil {
			return err
		}
	}
	number := t.b.numbers[b.Lease.Workspace]
	for _, r := range pack(b.Entries) {
		if _, err := t.exec(`INSERT INTO records (key, data, blob) VALUES (?,?,?) ON CONFLICT DO NOTHING`, number<<32|r.seq, r.data, r.blob); err != nil {
			return err
		}
	}
	return nil
}

// Read gives a workspace's entries in order.
func (b *Backend) Read(ctx context.Context, workspace string, yield func(store.Entry) error) error {
	var number int64
	err := b.db.QueryRowContext(ctx, `SELECT number FROM workspaces WHERE id = ?`, workspace).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return worded(err)
	}
	from, to := span(number)
	rows, err := b.db.QueryContext(ctx, `SELECT key - ?1, data, blob FROM records WHERE key BETWEEN ?1 AND ?2 ORDER BY key`, from, to)
	if err != nil {
		return worded(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.seq, &r.data, &r.blob); err != nil {
			return worded(err)
		}
		if err := r.unpack(yield); err != nil {
			return err
		}
	}
	return worded(rows.Err())
}

// Blob gives a large result.
func (b *Backend) Blob(ctx context.Context, h store.Hash) (data []byte, err error) {
	err = b.db.QueryRowContext(ctx, `SELECT data FROM blobs WHERE hash = ?`, h[:]).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, store.ErrNoBlob
	}
	return data, worded(err)
}

// Workspaces lists the workspaces, the least recently used first.
func (b *Backend) Workspaces(ctx context.Context) ([]store.Info, error) {
	rows, err := b.db.QueryContext(ctx, `SELECT id, seed, actor, created, used, coalesce(sum(1 + records.further), 0),
			coalesce(sum(length(records.data) + coalesce(length(blobs.data), 0)), 0), holder <> '' AND until > ?
		FROM workspaces LEFT JOIN (SELECT key, data, blob, `+further+` AS further FROM records) AS records ON key BETWEEN number << 32 AND number << 32 | 0xffffffff LEFT JOIN blobs ON hash = blob
		GROUP BY number ORDER BY used, id`, now())
	if err != nil {
		return nil, worded(err)
	}
	defer rows.Close()
	var all []store.Info
	for rows.Next() {
		var w store.Info
		var seed, created, used int64
		if err := rows.Scan(&w.ID, &seed, &w.Header.Actor, &created, &used, &w.Entries, &w.Bytes, &w.Held); err != nil {
			return nil, worded(err)
		}
		w.Header.Seed, w.Header.Created, w.Used = uint64(seed), time.UnixMilli(created).UTC(), time.UnixMilli(used)
		all = append(all, w)
	}
	return all, worded(rows.Err())
}

// Drop deletes a workspace that nobody holds.
func (b *Backend) Drop(ctx context.Context, workspace string) error {
	return b.write(ctx, func(t *tx) error {
		var holder string
		var until, number int64
		found, err := t.row(`SELECT holder, until, number FROM workspaces WHERE id = ?`, []any{workspace}, &holder, &until, &number)
		if err != nil || !found {
			return err
		}
		if holder != "" && until > now() {
			return &store.HeldError{Workspace: workspace, Holder: holder, Until: time.UnixMilli(until)}
		}
		from, to := span(number)
		if _, err = t.exec(`DELETE FROM records WHERE key BETWEEN ? AND ?`, from, to); err == nil {
			_, err = t.exec(`DELETE FROM workspaces WHERE number = ?`, number)
		}
		return err
	})
}

// Sweep deletes the large results that no entry names.
func (b *Backend) Sweep(ctx context.Context) error {
	return b.write(ctx, func(t *tx) error {
		_, err := t.exec(`DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM records WHERE records.blob = blobs.hash)`)
		return err
	})
}

// Close closes the file.
func (b *Backend) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var errs []error
	for _, s := range b.made {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, b.conn.Close(), b.db.Close())...)
}
