package lisp_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp"
	"github.com/polyglove/polyglove/toolfn"
)

// part gives the shop with only its functions, only its tables, or both.
func part(t *testing.T, s *shop, what string) *toolfn.Catalog {
	t.Helper()
	whole := s.catalog(t)
	c := toolfn.NewCatalog()
	for _, name := range []string{"shop__list_orders", "mail__send"} {
		if f, ok := whole.Lookup(name); ok && what != "tables" {
			if err := c.Register(*f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if tab, ok := whole.Table("orders"); ok && what != "functions" {
		if err := c.Register(*tab); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestMount holds what a mount tells a model, by frame and by what is mounted:
// `mount frame=repl with=tables`.
func TestMount(t *testing.T) {
	datadriven.RunTest(t, "testdata/mount.txt", func(t *testing.T, d *datadriven.TestData) string {
		var frame, with string
		d.ScanArgs(t, "frame", &frame)
		d.ScanArgs(t, "with", &with)
		ws, err := surfaces.NewWorkspace(part(t, newShop(), with))
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		m, err := surfaces.Mount(ws, surfaces.MountOptions{Languages: []surfaces.Language{lisp.Language()}, Frame: surfaces.Frame(frame)})
		if err != nil {
			return err.Error()
		}
		var b strings.Builder
		b.WriteString(m.Preamble + "\n")
		for _, tool := range m.Tools {
			b.WriteString("\n" + tool.Name + ": " + tool.Description + "\n")
		}
		return strings.ReplaceAll(b.String(), "\n\n", "\n \n")
	})
}
