package engine

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
)

// Options are what a database takes from its host. All have defaults.
type Options struct {
	// Limits bounds each statement; the zero value is [DefaultLimits].
	Limits sandbox.Limits
	// Source bounds a statement's text, in bytes; 0 is the guard's own bound.
	Source int
	// Now gives a statement's time; the default is the host's clock.
	Now func() time.Time
	// Zone is the session's time zone; nil is UTC.
	Zone *time.Location
	// Seed feeds random() and gen_random_uuid(): the same seed gives the same values.
	Seed uint64
	// User and Database are what current_user and current_catalog give.
	User, Database string
}

// The bounds of a statement where the host sets none.
const (
	defaultFuel   = 2_000_000_000
	defaultMemory = 192 << 20
)

// DefaultLimits bounds a statement as suits tables of up to some million rows.
func DefaultLimits() sandbox.Limits {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Memory = defaultFuel, defaultMemory
	return l
}

// DB is a set of tables. It may be used by several goroutines at once.
type DB struct {
	options Options
	mu      sync.RWMutex
	tables  map[string]*Table
	random  *rand.Rand
	rolling sync.Mutex // guards random
}

// Open makes an empty database.
func Open(o Options) *DB {
	if o.Limits == (sandbox.Limits{}) {
		o.Limits = DefaultLimits()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &DB{options: o, tables: map[string]*Table{}, random: rand.New(rand.NewPCG(o.Seed, o.Seed))}
}

// environment makes what one statement's functions share.
func (d *DB) environment(ctx context.Context) (*fn.Env, error) {
	m, err := sandbox.NewMeter(ctx, d.options.Limits)
	if err != nil {
		return nil, err
	}
	return d.environmentOf(m), nil
}

func (d *DB) environmentOf(m *sandbox.Meter) *fn.Env {
	return &fn.Env{
		Meter: m, Now: d.options.Now(), Clock: d.options.Now, Zone: d.options.Zone,
		Random: d.roll, UUID: d.uuid, User: d.options.User, Database: d.options.Database, Scratch: map[any]any{},
	}
}

func (d *DB) roll() float64 {
	d.rolling.Lock()
	defer d.rolling.Unlock()
	return d.random.Float64()
}

// uuid makes a random UUID of version 4 (RFC 9562).
func (d *DB) uuid() (u [16]byte) {
	d.rolling.Lock()
	defer d.rolling.Unlock()
	for i := range u {
		u[i] = byte(d.random.Uint32())
	}
	u[6], u[8] = u[6]&0x0F|0x40, u[8]&0x3F|0x80
	return u
}
