package realm

import (
	"context"
	"errors"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// Try runs what throws by panic, natives above all, and gives what it threw as
// an error: a *goja.Exception, or an error in which errors.As finds the limit's
// *sandbox.Fault. It is for Go code outside a program.
func (r *Realm) Try(f func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			if e, ok := x.(error); ok && uncatchable(e) {
				err = e
				return
			}
			panic(x)
		}
	}()
	if ex := r.vm.Try(f); ex != nil {
		return ex
	}
	return nil
}

// uncatchable reports whether an error is one that the engine lets no program
// catch: a limit's, whoever threw it, or the engine's own.
func uncatchable(err error) bool {
	var stopped *goja.InterruptedError
	var deep *goja.StackOverflowError
	return errors.Is(err, error(interrupt)) || errors.As(err, &stopped) || errors.As(err, &deep)
}

// quietly runs Go code that reads values, outside any account: what it costs is
// bounded by its caller.
func (r *Realm) quietly(f func()) (err error) {
	was := r.meter
	r.meter = quietMeter()
	defer func() { r.meter = was }()
	return r.Try(f)
}

// quietMeter is an account for looking at values after a program has ended, whose
// own account may be exhausted.
func quietMeter() *sandbox.Meter {
	m := &sandbox.Meter{}
	m.Reset(context.Background(), sandbox.DefaultLimits())
	return m
}

// Fault gives the fault that an error object was made from, nil for an error of
// the program's own.
func (r *Realm) Fault(o *goja.Object) *sandbox.Fault {
	if from, ok := r.attached(o).(*origin); ok {
		return from.fault
	}
	return nil
}
