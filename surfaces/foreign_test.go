package surfaces

import (
	"strings"
	"testing"
)

// sharing is a toy that says that it shares.
type sharing struct{ toy }

func (sharing) Shares() {}

func TestTextsTellOfSharedDataWhereItIs(t *testing.T) {
	const says = "Data named at the top level in one of Toy and Game can be read under the same name in the others"
	for _, c := range []struct {
		name      string
		languages []Language
		want      bool
	}{
		{"one", []Language{sharing{toyA}}, false},
		{"one of two", []Language{sharing{toyA}, toyB}, false},
		{"two", []Language{sharing{toyA}, sharing{toyB}}, true},
	} {
		m := mounted(t, workspace(t, testCatalog(t)), MountOptions{Languages: c.languages})
		if strings.Contains(m.Preamble, says) != c.want {
			t.Errorf("%s:\n%s", c.name, m.Preamble)
		}
	}
}
