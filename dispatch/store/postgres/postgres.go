// Package postgres keeps journals in a PostgreSQL database that several processes
// on several machines share; each workspace has one owner at a time. All times
// are the database's, so that the machines' clocks need not agree.
package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/polyglove/polyglove/dispatch/store"
)

// Backend is a database. It is a [store.Backend].
type Backend struct {
	pool *pgxpool.Pool
}

// Open connects to a database, as a URL or a list of settings names it (libpq,
// section 34.1.1), and brings its tables, whose names begin with polyglove_, to
// the newest version.
func Open(ctx context.Context, where string) (*Backend, error) {
	pool, err := pgxpool.New(ctx, where)
	if err != nil {
		return nil, errors.New("the journal's database is not named in a way that can be read") // the error may hold the password
	}
	b := &Backend{pool: pool}
	if err := b.migrate(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("the journal's database cannot be used: %w", err)
	}
	return b, nil
}

// migrating is the number of the advisory lock that a process holds while it
// changes the schema.
const migrating = 0x706f6c79676c6f76

func (b *Backend) migrate(ctx context.Context) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrating)); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS polyglove_schema (version int NOT NULL)`); err != nil {
			return err
		}
		var have int
		if err := tx.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM polyglove_schema`).Scan(&have); err != nil {
			return err
		}
		if have > len(versions) {
			return fmt.Errorf("it was written by a newer version of this program (schema %d, this one knows %d)", have, len(versions))
		}
		for i, step := range versions[have:] {
			if _, err := tx.Exec(ctx, step); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `INSERT INTO polyglove_schema VALUES ($1)`, have+i+1); err != nil {
				return err
			}
		}
		return nil
	})
}

// fault is an error of the database's of which trying again is of no use.
type fault struct{ error }

func (f fault) Unwrap() error   { return f.error }
func (f fault) Permanent() bool { return true }

// passing are the classes of errors (PostgreSQL, appendix A) that may be gone the
// next time: a lost connection, a rolled back transaction, a lack of resources,
// an operator's intervention, an error of the system.
var passing = []string{"08", "40", "53", "57", "58"}

func worded(err error) error {
	var e *pgconn.PgError
	if errors.As(err, &e) && !slices.Contains(passing, e.Code[:2]) {
		return fault{err}
	}
	return err
}

// Acquire takes a lease.
func (b *Backend) Acquire(ctx context.Context, c store.Claim) (store.Lease, store.Header, error) {
	l := store.Lease{Workspace: c.Workspace, Holder: c.Holder}
	var h store.Header
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO polyglove_workspaces (id, seed, actor, created) VALUES ($1,$2,$3,$4) ON CONFLICT DO NOTHING`,
			c.Workspace, int64(c.Fresh.Seed), c.Fresh.Actor, c.Fresh.Created); err != nil {
			return err
		}
		var seed, left int64
		var holder string
		var free bool
		if err := tx.QueryRow(ctx, `SELECT seed, actor, created, holder, token, last, until <= clock_timestamp(),
				CASE WHEN until > clock_timestamp() THEN (1000 * extract(epoch FROM until - clock_timestamp()))::bigint ELSE 0 END
			FROM polyglove_workspaces WHERE id = $1 FOR UPDATE`, c.Workspace).
			Scan(&seed, &h.Actor, &h.Created, &holder, &l.Token, &l.Last, &free, &left); err != nil {
			return err
		}
		if holder != "" && holder != c.Holder && holder != c.Over && !free {
			return &store.HeldError{Workspace: c.Workspace, Holder: holder, Until: time.Now().Add(time.Duration(left) * time.Millisecond)}
		}
		h.Seed, h.Created = uint64(seed), h.Created.UTC()
		l.Token++
		_, err := tx.Exec(ctx, `UPDATE polyglove_workspaces SET holder = $2, token = $3, until = clock_timestamp() + $4, used = clock_timestamp() WHERE id = $1`,
			c.Workspace, c.Holder, l.Token, c.TTL)
		return err
	})
	return l, h, worded(err)
}

// Renew prolongs leases.
func (b *Backend) Renew(ctx context.Context, leases []store.Lease, ttl time.Duration) (lost []store.Lease, err error) {
	ids, tokens := make([]string, len(leases)), make([]int64, len(leases))
	for i, l := range leases {
		ids[i], tokens[i] = l.Workspace, l.Token
	}
	rows, err := b.pool.Query(ctx, `UPDATE polyglove_workspaces w SET until = clock_timestamp() + $3
		FROM unnest($1::text[], $2::bigint[]) AS l (id, token) WHERE w.id = l.id AND w.token = l.token RETURNING w.id`, ids, tokens, ttl)
	if err != nil {
		return nil, worded(err)
	}
	kept, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, worded(err)
	}
	for _, l := range leases {
		if !slices.Contains(kept, l.Workspace) {
			lost = append(lost, l)
		}
	}
	return lost, nil
}

// Release gives a lease back.
func (b *Backend) Release(ctx context.Context, l store.Lease) error {
	_, err := b.pool.Exec(ctx, `UPDATE polyglove_workspaces SET holder = '', until = '-infinity', used = clock_timestamp() WHERE id = $1 AND token = $2`, l.Workspace, l.Token)
	return worded(err)
}

// Append appends batches in one transaction. Rows are locked in the order of
// their names, so that two processes never wait for each other.
func (b *Backend) Append(ctx context.Context, batches []*store.Batch) error {
	ctx, cancel := context.WithTimeout(ctx, longestAppend)
	defer cancel()
	order := slices.Clone(batches)
	slices.SortStableFunc(order, func(x, y *store.Batch) int { return strings.Compare(x.Lease.Workspace, y.Lease.Workspace) })
	for _, batch := range order {
		batch.Err = nil
	}
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		if err := fence(ctx, tx, order); err != nil {
			return err
		}
		return insert(ctx, tx, order)
	})
	return worded(err)
}

// longestAppend is how long a database may take for what is appended at once.
const longestAppend = 10 * time.Second

// fence finds the batches whose lease is another's, and accounts the others.
func fence(ctx context.Context, tx pgx.Tx, batches []*store.Batch) error {
	q := &pgx.Batch{}
	for _, b := range batches {
		q.Queue(`UPDATE polyglove_workspaces SET last = $3, bytes = bytes + $4, used = clock_timestamp() WHERE id = $1 AND token = $2`,
			b.Lease.Workspace, b.Lease.Token, b.Entries[len(b.Entries)-1].Seq, b.Bytes()).Exec(func(t pgconn.CommandTag) error {
			if t.RowsAffected() == 0 {
				b.Err = store.ErrSuperseded
			}
			return nil
		})
	}
	return tx.SendBatch(ctx, q).Close()
}

// insert adds entries and large results. One that is there already is marked as
// used, so that a sweep that runs beside leaves it.
func insert(ctx context.Context, tx pgx.Tx, batches []*store.Batch) error {
	q := &pgx.Batch{}
	var hashes []store.Hash
	blobs := map[store.Hash][]byte{}
	for _, b := range batches {
		if b.Err != nil {
			continue
		}
		for h, data := range b.Blobs {
			hashes = append(hashes, h)
			blobs[h] = data
		}
		for i := range b.Entries {
			e := &b.Entries[i]
			var blob []byte
			if e.Blob != nil {
				blob = e.Blob[:]
			}
			q.Queue(`INSERT INTO polyglove_entries (workspace, seq, data, result, blob) VALUES ($1,$2,$3,$4,$5) ON CONFLICT DO NOTHING`,
				b.Lease.Workspace, e.Seq, e.Data, e.Result, blob)
		}
	}
	slices.SortFunc(hashes, func(x, y store.Hash) int { return bytes.Compare(x[:], y[:]) })
	for _, h := range slices.Compact(hashes) {
		q.Queue(`INSERT INTO polyglove_blobs (hash, data) VALUES ($1,$2) ON CONFLICT (hash) DO UPDATE SET used = clock_timestamp()`, h[:], blobs[h])
	}
	if q.Len() == 0 {
		return nil
	}
	return tx.SendBatch(ctx, q).Close()
}

// Read gives a workspace's entries in order.
func (b *Backend) Read(ctx context.Context, workspace string, yield func(store.Entry) error) error {
	rows, err := b.pool.Query(ctx, `SELECT seq, data, result, blob FROM polyglove_entries WHERE workspace = $1 ORDER BY seq`, workspace)
	if err != nil {
		return worded(err)
	}
	defer rows.Close()
	for rows.Next() {
		var e store.Entry
		var blob []byte
		if err := rows.Scan(&e.Seq, &e.Data, &e.Result, &blob); err != nil {
			return worded(err)
		}
		if blob != nil {
			h := store.Hash(blob)
			e.Blob = &h
		}
		if err := yield(e); err != nil {
			return err
		}
	}
	return worded(rows.Err())
}

// Blob gives a large result.
func (b *Backend) Blob(ctx context.Context, h store.Hash) (data []byte, err error) {
	err = b.pool.QueryRow(ctx, `SELECT data FROM polyglove_blobs WHERE hash = $1`, h[:]).Scan(&data)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, store.ErrNoBlob
	}
	return data, worded(err)
}

// Workspaces lists the workspaces, the least recently used first.
func (b *Backend) Workspaces(ctx context.Context) ([]store.Info, error) {
	rows, err := b.pool.Query(ctx, `SELECT id, seed, actor, created, used, last, bytes, holder <> '' AND until > clock_timestamp() FROM polyglove_workspaces ORDER BY used, id`)
	if err != nil {
		return nil, worded(err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (w store.Info, err error) {
		var seed int64
		err = row.Scan(&w.ID, &seed, &w.Header.Actor, &w.Header.Created, &w.Used, &w.Entries, &w.Bytes, &w.Held)
		w.Header.Seed = uint64(seed)
		return w, err
	})
	return all, worded(err)
}

// Drop deletes a workspace that nobody holds.
func (b *Backend) Drop(ctx context.Context, workspace string) error {
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		var holder string
		var free bool
		err := tx.QueryRow(ctx, `SELECT holder, holder = '' OR until <= clock_timestamp() FROM polyglove_workspaces WHERE id = $1 FOR UPDATE`, workspace).Scan(&holder, &free)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return err
		case !free:
			return &store.HeldError{Workspace: workspace, Holder: holder}
		}
		_, err = tx.Exec(ctx, `DELETE FROM polyglove_workspaces WHERE id = $1`, workspace)
		return err
	})
	return worded(err)
}

// Sweep deletes the large results that no entry names. One that was used within
// the last minute may belong to a transaction that has not ended.
func (b *Backend) Sweep(ctx context.Context) error {
	_, err := b.pool.Exec(ctx, `DELETE FROM polyglove_blobs b WHERE used < clock_timestamp() - interval '1 minute'
		AND NOT EXISTS (SELECT 1 FROM polyglove_entries e WHERE e.blob = b.hash)`)
	return worded(err)
}

// Close closes the connections.
func (b *Backend) Close() error {
	b.pool.Close()
	return nil
}
