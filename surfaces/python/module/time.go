package module

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
)

var _ = register("time", func(l *Library) *object.Module {
	m := object.NewModule("time")
	m.Func("time", "", func(*thread, []value) (value, *exception) {
		return object.Float(float64(l.host.Clock().UnixMicro()) / 1e6), nil
	})
	m.Func("time_ns", "", func(*thread, []value) (value, *exception) { return object.Int(l.host.Clock().UnixNano()), nil })
	for _, name := range []string{"monotonic", "perf_counter", "process_time"} {
		m.Func(name, "", func(*thread, []value) (value, *exception) {
			now := l.host.Clock()
			if l.start.IsZero() {
				l.start = now // only what a program reads is the same when it runs again
			}
			return object.Float(now.Sub(l.start).Seconds()), nil
		})
	}
	m.Func("sleep", "seconds /", func(t *thread, _ []value) (value, *exception) {
		return raised(t.Raise(object.RuntimeError, "sleep() is not available here: a program does not wait; call a tool again in a later program."))
	})
	timeFunctions(m, l.host.Clock)
	return m
})
