package world

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

func (w *World) loadDistractors(dir string) error {
	var fleet struct{ Servers []recordedService }
	if err := readJSON(filepath.Join(dir, "distractors.json"), &fleet); err != nil {
		return err
	}
	path := filepath.Join(dir, "distractor-data.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	v, err := value.Decode(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	collections, ok := v.(*value.Object)
	if !ok {
		return fmt.Errorf("%s: want an object of collections", path)
	}
	for name, list := range collections.All() {
		if err := w.addRows(name, list); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, s := range fleet.Servers {
		d, err := s.declare(nil)
		if err != nil {
			return err
		}
		w.mount(d)
	}
	return nil
}

// distractor is what a tool of a distractor does, told by its name: list, get and
// search read its collection, anything else is an effect of a kind of its own.
func distractor(service, name, subject string) action {
	verb, _, _ := strings.Cut(name, "_")
	switch verb {
	case "list":
		return limited(rows(subject, equals("status")))
	case "get":
		return one(subject, "id")
	case "search":
		return limited(rows(subject, within("query", "name")))
	}
	return func(c *call) (value.Value, error) {
		c.world.record(service+"."+name, c.args)
		return value.Of("id", c.arg("id", nil), "ok", true), nil
	}
}

// limited keeps as many of a list as the argument limit says.
func limited(a action) action {
	return func(c *call) (value.Value, error) {
		v, err := a(c)
		most, given := c.arg("limit", nil).(int64)
		if l, ok := v.([]value.Value); ok && given && most >= 0 && int(most) < len(l) {
			v = l[:most]
		}
		return v, err
	}
}
