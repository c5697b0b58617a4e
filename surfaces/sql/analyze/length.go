package analyze

import "github.com/polyglove/polyglove/surfaces/sql/pgcat"

// LengthFunction finds the function that brings values of a type to a length or
// precision: its arguments are the value, the modifier and, for some, whether the
// cast was written. It gives nil for a type that has none.
func LengthFunction(t pgcat.OID) *pgcat.Function {
	for _, f := range pgcat.Default().FunctionsNamed(lengthFunctions[t]) {
		if len(f.Args) >= 2 && f.Args[0] == t && f.Args[1] == pgcat.Int4 && f.Result == t {
			return f
		}
	}
	return nil
}

// lengthFunctions names the functions of casts from a type to itself.
var lengthFunctions = map[pgcat.OID]string{
	pgcat.Varchar: "varchar", pgcat.Bpchar: "bpchar", pgcat.Numeric: "numeric", pgcat.Timestamp: "timestamp",
	pgcat.Timestamptz: "timestamptz", pgcat.Time: "time", pgcat.Timetz: "timetz", pgcat.Interval: "interval",
	pgcat.Bit: "bit", pgcat.Varbit: "varbit",
}
