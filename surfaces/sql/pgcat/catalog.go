package pgcat

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"iter"
	"maps"
	"strconv"
	"strings"
	"sync"
)

// OID identifies a type, operator or function, by the server's own number.
type OID uint32

// Type is a row of pg_type.
type Type struct {
	OID       OID
	Name      string // the internal name: int4
	Length    int    // of the server's storage, in bytes; negative when it varies
	Kind      byte   // b base, p pseudo, r range, m multirange, e enum
	Category  byte   // as pg_type.typcategory
	Preferred bool
	Element   OID  // of an array
	Array     OID  // the array of this type
	TrueArray bool // whether subscripting and coercion treat it as an array
	Display   string
}

// Range is a row of pg_range.
type Range struct{ Range, Element, Multirange OID }

// Method is how a cast is done.
type Method byte

// The methods of a cast, as pg_cast.castmethod has them.
const (
	ByFunction Method = 'f'
	ByRelabel  Method = 'b' // the same representation
	ByText     Method = 'i' // the output of one type is the input of the other
)

// Cast is a row of pg_cast.
type Cast struct {
	Source, Target OID
	Function       OID // of ByFunction
	Context        Context
	Method         Method
}

// Operator is a row of pg_operator.
type Operator struct {
	OID        OID
	Name       string
	Args       []OID // one for a prefix operator
	Result     OID
	Commutator OID
	Negator    OID
	Function   OID
	Merges     bool
	Hashes     bool
}

// FunctionKind is as pg_proc.prokind.
type FunctionKind byte

// The kinds of function.
const (
	Ordinary  FunctionKind = 'f'
	Aggregate FunctionKind = 'a'
	Window    FunctionKind = 'w'
	Procedure FunctionKind = 'p'
)

// Function is a row of pg_proc.
type Function struct {
	OID        OID
	Name       string
	Kind       FunctionKind
	Variadic   OID // the element type of the last argument, or 0; ANY takes all types
	Strict     bool
	ReturnsSet bool
	Volatility byte // i immutable, s stable, v volatile
	Result     OID
	Args       []OID
	Defaults   int // how many of the last arguments have a default
	Outputs    []Output
	Internal   string // the server's C function, for those that have one
	// DefaultText holds the defaults as SQL, separated by ", ".
	DefaultText string

	names []string // of the input arguments; nil when there are none
}

// Output is an OUT, INOUT or TABLE argument: a column of the result.
type Output struct {
	Name string
	Type OID
}

// ArgName gives the name of the i-th input argument, or "".
func (f *Function) ArgName(i int) string {
	if i < 0 || i >= len(f.names) {
		return ""
	}
	return f.names[i]
}

// AggregateFacts is a row of pg_aggregate.
type AggregateFacts struct {
	Function   OID
	Kind       byte // n normal, o ordered-set, h hypothetical-set
	Direct     int  // how many arguments are direct, of an ordered-set aggregate
	Transition string
	Final      string
	State      OID
	Initial    string
}

// Ordering holds the operators that sort, compare and hash a type; 0 where the
// type has none.
type Ordering struct{ Less, Equal, Greater, HashEqual OID }

type castKey struct{ source, target OID }

// Catalog is the server's catalogue. It is never written after it is decoded.
type Catalog struct {
	Version string // of the server that was asked

	types      map[OID]*Type
	typeNames  map[string]*Type
	ranges     map[OID]Range // by range and by multirange
	casts      map[castKey]*Cast
	operators  map[OID]*Operator
	byOperator map[string][]*Operator
	functions  map[OID]*Function
	byFunction map[string][]*Function
	aggregates map[OID]*AggregateFacts
	orderings  map[OID]Ordering
}

//go:embed catalog.tsv.gz
var packed []byte

// Default gives the shared catalogue of PostgreSQL 17.
var Default = sync.OnceValue(func() *Catalog {
	c, err := decode(packed)
	if err != nil {
		// The bytes are part of the program and the tests decode them.
		panic("the embedded catalogue is damaged: " + err.Error())
	}
	return c
})

// Type finds a type by its number, or nil.
func (c *Catalog) Type(oid OID) *Type { return c.types[oid] }

// TypeNamed finds a type by its internal name, or nil.
func (c *Catalog) TypeNamed(name string) *Type { return c.typeNames[name] }

// Types gives all types, in no order.
func (c *Catalog) Types() iter.Seq[*Type] { return maps.Values(c.types) }

// Operator finds an operator by its number, or nil.
func (c *Catalog) Operator(oid OID) *Operator { return c.operators[oid] }

// OperatorsNamed gives the operators of a name, in the order of their numbers.
func (c *Catalog) OperatorsNamed(name string) []*Operator { return c.byOperator[name] }

// Function finds a function by its number, or nil.
func (c *Catalog) Function(oid OID) *Function { return c.functions[oid] }

// Functions gives all functions, in no order.
func (c *Catalog) Functions() iter.Seq[*Function] { return maps.Values(c.functions) }

// FunctionsNamed gives the functions of a name, in the order of their numbers.
func (c *Catalog) FunctionsNamed(name string) []*Function { return c.byFunction[name] }

// Aggregate gives the facts of an aggregate function, or nil.
func (c *Catalog) Aggregate(function OID) *AggregateFacts { return c.aggregates[function] }

// Ordering gives the default operators of a type, those of the polymorphic array
// or range for one of these.
func (c *Catalog) Ordering(oid OID) Ordering {
	if o, ok := c.orderings[oid]; ok {
		return o
	}
	t := c.types[oid]
	switch {
	case t == nil:
		return Ordering{}
	case oid == Varchar:
		return c.orderings[Text]
	case t.TrueArray:
		return c.arrayOrdering(t)
	case t.Kind == 'r':
		return c.orderings[AnyRange]
	case t.Kind == 'm':
		return c.orderings[AnyMultirange]
	}
	return Ordering{}
}

// arrayOrdering compares arrays as far as their elements compare.
func (c *Catalog) arrayOrdering(t *Type) Ordering {
	o, e := c.orderings[AnyArray], c.Ordering(t.Element)
	if e.Less == 0 {
		o.Less, o.Greater = 0, 0
	}
	if e.Equal == 0 && e.HashEqual == 0 {
		o.Equal = 0
	}
	if e.HashEqual == 0 {
		o.HashEqual = 0
	}
	return o
}

// FormatType gives a type as error messages print it: integer, text[].
func (c *Catalog) FormatType(oid OID) string {
	if t := c.types[oid]; t != nil {
		return t.Display
	}
	return "???"
}

func decode(packed []byte) (*Catalog, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	c := &Catalog{
		types: map[OID]*Type{}, typeNames: map[string]*Type{}, ranges: map[OID]Range{},
		casts: map[castKey]*Cast{}, operators: map[OID]*Operator{}, byOperator: map[string][]*Operator{},
		functions: map[OID]*Function{}, byFunction: map[string][]*Function{},
		aggregates: map[OID]*AggregateFacts{}, orderings: map[OID]Ordering{},
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	section := ""
	for lines.Scan() {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "# "); ok {
			section = name
			continue
		}
		if err := c.add(section, &row{cells: strings.Split(line, "\t")}); err != nil {
			return nil, err
		}
	}
	return c, lines.Err()
}

// row reads the cells of a line in their order; it remembers the first mistake.
type row struct {
	cells []string
	next  int
	err   error
}

func (r *row) text() string {
	if r.next >= len(r.cells) {
		r.err = fmt.Errorf("a row of %d cells is too short", len(r.cells))
		return ""
	}
	r.next++
	return r.cells[r.next-1]
}

func (r *row) char() byte {
	s := r.text()
	if len(s) != 1 {
		r.err = fmt.Errorf("%q is not one character", s)
		return 0
	}
	return s[0]
}

func (r *row) number() int {
	n, err := strconv.Atoi(r.text())
	if err != nil {
		r.err = err
	}
	return n
}

func (r *row) oid() OID  { return OID(r.number()) }
func (r *row) yes() bool { return r.text() == "t" }
func (r *row) oids() []OID {
	fields := strings.Fields(r.text())
	out := make([]OID, 0, len(fields))
	for _, f := range fields {
		n, err := strconv.ParseUint(f, 10, 32)
		if err != nil {
			r.err = err
		}
		out = append(out, OID(n))
	}
	return out
}

func (c *Catalog) add(section string, r *row) error {
	switch section {
	case "version":
		c.Version = r.text()
	case "type":
		c.addType(r)
	case "range":
		x := Range{r.oid(), r.oid(), r.oid()}
		c.ranges[x.Range], c.ranges[x.Multirange] = x, x
	case "cast":
		x := &Cast{Source: r.oid(), Target: r.oid(), Function: r.oid(), Context: contexts[r.char()], Method: Method(r.char())}
		c.casts[castKey{x.Source, x.Target}] = x
	case "operator":
		c.addOperator(r)
	case "function":
		c.addFunction(r)
	case "aggregate":
		x := &AggregateFacts{Function: r.oid(), Kind: r.char(), Direct: r.number(), Transition: r.text(), Final: r.text(), State: r.oid(), Initial: r.text()}
		c.aggregates[x.Function] = x
	case "ordering":
		c.orderings[r.oid()] = Ordering{r.oid(), r.oid(), r.oid(), r.oid()}
	default:
		return fmt.Errorf("unknown section %q", section)
	}
	return r.err
}

func (c *Catalog) addType(r *row) {
	t := &Type{
		OID: r.oid(), Name: r.text(), Length: r.number(), Kind: r.char(), Category: r.char(),
		Preferred: r.yes(), Element: r.oid(), Array: r.oid(), TrueArray: r.yes(), Display: r.text(),
	}
	c.types[t.OID], c.typeNames[t.Name] = t, t
}

func (c *Catalog) addOperator(r *row) {
	o := &Operator{OID: r.oid(), Name: r.text()}
	prefix := r.char() == 'l'
	left, right := r.oid(), r.oid()
	o.Args = []OID{left, right}
	if prefix {
		o.Args = []OID{right}
	}
	o.Result, o.Commutator, o.Negator, o.Function = r.oid(), r.oid(), r.oid(), r.oid()
	o.Merges, o.Hashes = r.yes(), r.yes()
	c.operators[o.OID] = o
	c.byOperator[o.Name] = append(c.byOperator[o.Name], o)
}

func (c *Catalog) addFunction(r *row) {
	f := &Function{
		OID: r.oid(), Name: r.text(), Kind: FunctionKind(r.char()), Variadic: r.oid(), Strict: r.yes(),
		ReturnsSet: r.yes(), Volatility: r.char(), Result: r.oid(), Args: r.oids(), Defaults: r.number(),
	}
	names, modes, all := r.text(), r.text(), r.oids()
	f.Internal, f.DefaultText = r.text(), r.text()
	f.nameArgs(names, modes, all)
	c.functions[f.OID] = f
	c.byFunction[f.Name] = append(c.byFunction[f.Name], f)
}

// nameArgs sorts the names of all arguments into those of the inputs and the
// columns of the result. Without modes, all arguments are inputs.
func (f *Function) nameArgs(names, modes string, all []OID) {
	if names == "" {
		return
	}
	for i, name := range strings.Split(names, ",") {
		mode := byte('i')
		if i < len(modes) {
			mode = modes[i]
		}
		if mode == 'i' || mode == 'b' || mode == 'v' {
			f.names = append(f.names, name)
		}
		if (mode == 'o' || mode == 'b' || mode == 't') && i < len(all) {
			f.Outputs = append(f.Outputs, Output{name, all[i]})
		}
	}
}
