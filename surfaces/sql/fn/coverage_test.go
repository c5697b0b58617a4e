package fn

import (
	"slices"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
)

// inside are the types that only the server itself passes around.
var inside = []string{
	"internal", "cstring", "trigger", "event_trigger", "language_handler", "index_am_handler", "table_am_handler", "tsm_handler",
	"fdw_handler", "pg_brin_bloom_summary", "pg_brin_minmax_multi_summary", "pg_mcv_list", "pg_dependencies", "pg_ndistinct", "pg_node_tree", "gtsvector",
}

// TestCoverage prints how many of the catalogue's functions can be computed. The
// rest is refused by name with 0A000.
func TestCoverage(t *testing.T) {
	c := pgcat.Default()
	kinds := map[string][2]int{}
	for f := range c.Functions() {
		if internal(c, f) {
			continue
		}
		kind, have := "functions", false
		switch {
		case f.Kind == pgcat.Aggregate:
			kind = "aggregates"
			_, have = Aggregate(f.OID)
		case f.Kind == pgcat.Window || f.Kind == pgcat.Procedure:
			continue
		case f.ReturnsSet:
			kind = "set-returning functions"
			_, have = SetReturning(f.OID)
		default:
			_, have = Lookup(f.OID)
		}
		n := kinds[kind]
		n[1]++
		if have {
			n[0]++
		}
		kinds[kind] = n
	}
	for kind, n := range kinds {
		t.Logf("%s: %d of %d", kind, n[0], n[1])
	}
	if n := kinds["aggregates"]; n[0] < n[1]*9/10 {
		t.Errorf("only %d of %d aggregates", n[0], n[1])
	}
}

// internal reports whether a function is the server's own affair.
func internal(c *pgcat.Catalog, f *pgcat.Function) bool {
	for _, prefix := range []string{"pg_", "binary_upgrade_", "has_", "lo_", "brin_", "gin_", "gist_", "spg_", "ts_", "xml", "query_to_xml", "table_to_xml"} {
		if strings.HasPrefix(f.Name, prefix) {
			return true
		}
	}
	for _, t := range append([]pgcat.OID{f.Result}, f.Args...) {
		if x := c.Type(t); x == nil || slices.Contains(inside, x.Name) {
			return true
		}
	}
	return strings.HasSuffix(f.Name, "send") || strings.HasSuffix(f.Name, "recv") || strings.HasSuffix(f.Name, "typmodin") || strings.HasSuffix(f.Name, "out")
}
