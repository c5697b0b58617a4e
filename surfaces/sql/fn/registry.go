package fn

import (
	"slices"
	"strings"
	"sync"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
)

// table is a part of the functions, kept beside their code.
type table struct {
	kernels    map[string]Kernel         // by C function, or by signature
	spreads    map[string]Kernel         // of calls with a VARIADIC array, of functions variadic in "any"
	aggregates map[string]NewAccumulator // by signature: "sum(int4)"
	sets       map[string]SetKernel      // by C function, or by signature
	inputs     map[pgcat.OID]Input
	outputs    map[pgcat.OID]Output
}

// tables are all parts. Each owner lists his in a file of his own.
func tables() []table { return slices.Concat(hotTables(), dateTables(), generalTables()) }

// registry is all that can be computed.
type registry struct {
	kernels    map[pgcat.OID]Kernel
	spreads    map[pgcat.OID]Kernel
	aggregates map[pgcat.OID]NewAccumulator
	sets       map[pgcat.OID]SetKernel
	inputs     map[pgcat.OID]Input
	outputs    map[pgcat.OID]Output
	clashes    []string // names that two parts give, or that the catalogue does not have
}

// registered is built once; it is never written afterwards. Functions of the
// tables look others up here, so it cannot be initialised where it is declared.
var registered func() *registry

func init() { registered = sync.OnceValue(register) }

func register() *registry {
	r := &registry{inputs: map[pgcat.OID]Input{}, outputs: map[pgcat.OID]Output{}}
	var kernels, spreads []map[string]Kernel
	var aggregates []map[string]NewAccumulator
	var sets []map[string]SetKernel
	for _, t := range tables() {
		kernels, spreads = append(kernels, t.kernels), append(spreads, t.spreads)
		aggregates, sets = append(aggregates, t.aggregates), append(sets, t.sets)
		enterType(r, r.inputs, t.inputs)
		enterType(r, r.outputs, t.outputs)
	}
	names := indexNames(pgcat.Default())
	r.kernels = enter(r, names, kernels)
	r.spreads = enter(r, names, spreads)
	r.aggregates = enter(r, names, aggregates)
	r.sets = enter(r, names, sets)
	slices.Sort(r.clashes)
	return r
}

// Lookup finds the kernel of a function.
func Lookup(oid pgcat.OID) (Kernel, bool) { return find(registered().kernels, oid) }

// LookupSpread finds the kernel of a function variadic in "any" for calls whose
// last argument is a VARIADIC array.
func LookupSpread(oid pgcat.OID) (Kernel, bool) { return find(registered().spreads, oid) }

// Aggregate finds how to make the state of an aggregate.
func Aggregate(oid pgcat.OID) (NewAccumulator, bool) { return find(registered().aggregates, oid) }

// SetReturning finds a set-returning function.
func SetReturning(oid pgcat.OID) (SetKernel, bool) { return find(registered().sets, oid) }

func find[T any](all map[pgcat.OID]T, oid pgcat.OID) (T, bool) {
	v, ok := all[oid]
	return v, ok
}

// nameIndex finds functions by what a table may call them.
type nameIndex map[string][]pgcat.OID

func indexNames(c *pgcat.Catalog) nameIndex {
	n := nameIndex{}
	for f := range c.Functions() {
		if f.Internal != "" {
			n[f.Internal] = append(n[f.Internal], f.OID)
		}
		n[signature(c, f)] = append(n[signature(c, f)], f.OID)
	}
	return n
}

// signature names a function with its arguments: "sum(int4)".
func signature(c *pgcat.Catalog, f *pgcat.Function) string {
	args := make([]string, len(f.Args))
	for i, a := range f.Args {
		args[i] = "?"
		if t := c.Type(a); t != nil {
			args[i] = t.Name
		}
	}
	return f.Name + "(" + strings.Join(args, ",") + ")"
}

// enter merges the parts: first what goes by C function, then the signatures,
// which win.
func enter[T any](r *registry, names nameIndex, parts []map[string]T) map[pgcat.OID]T {
	all, given := map[pgcat.OID]T{}, map[string]bool{}
	for _, signatures := range []bool{false, true} {
		for _, part := range parts {
			for name, v := range part {
				if strings.HasSuffix(name, ")") != signatures {
					continue
				}
				if given[name] {
					r.clashes = append(r.clashes, name+": two parts have it")
				}
				given[name] = true
				if len(names[name]) == 0 {
					r.clashes = append(r.clashes, name+": the catalogue has no such function")
				}
				for _, oid := range names[name] {
					all[oid] = v
				}
			}
		}
	}
	return all
}

func enterType[T any](r *registry, all, part map[pgcat.OID]T) {
	for oid, v := range part {
		if _, taken := all[oid]; taken {
			r.clashes = append(r.clashes, pgcat.Default().FormatType(oid)+": two parts read or write this type")
		}
		all[oid] = v
	}
}

// InputOf finds how a type is read.
func InputOf(t pgcat.OID) (Input, bool) { return find(registered().inputs, t) }

// OutputOf finds how a type is written.
func OutputOf(t pgcat.OID) (Output, bool) { return find(registered().outputs, t) }
