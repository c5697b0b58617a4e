package pgcat

import "github.com/polyglove/polyglove/surfaces/sql/pgerr"

// Context is how willing the place of an expression is to convert it.
type Context int

// The contexts of a conversion, from the least willing.
const (
	Implicit   Context = iota // an operand or argument
	Assignment                // the value of a column in INSERT and UPDATE
	Explicit                  // CAST and ::
)

var contexts = map[byte]Context{'i': Implicit, 'a': Assignment, 'e': Explicit}

// PathKind is how a value of one type becomes one of another.
type PathKind int

// The ways of a conversion.
const (
	NoPath       PathKind = iota
	Relabel               // nothing is done
	CallFunction          // Path.Function is called
	ElementWise           // an array: each element takes the path between the element types
	ThroughText           // output of the source, then input of the target
)

// Path is the way from one type to another.
type Path struct {
	Kind     PathKind
	Function OID // of CallFunction
}

// Path finds the way from source to target in a context; its kind is NoPath when
// there is none. It does not know unknown literals and polymorphic targets.
func (c *Catalog) Path(target, source OID, ctx Context) Path {
	if target == source {
		return Path{Kind: Relabel}
	}
	if cast := c.casts[castKey{source, target}]; cast != nil {
		return castPath(cast, ctx)
	}
	if p := c.arrayPath(target, source, ctx); p.Kind != NoPath {
		return p
	}
	if ctx >= Assignment && c.category(target) == 'S' || ctx >= Explicit && c.category(source) == 'S' {
		return Path{Kind: ThroughText}
	}
	return Path{}
}

func castPath(cast *Cast, ctx Context) Path {
	if ctx < cast.Context {
		return Path{}
	}
	switch cast.Method {
	case ByFunction:
		return Path{Kind: CallFunction, Function: cast.Function}
	case ByText:
		return Path{Kind: ThroughText}
	}
	return Path{Kind: Relabel}
}

// arrayPath converts arrays as their elements convert. The two vector types look
// like arrays and do not take part.
func (c *Catalog) arrayPath(target, source OID, ctx Context) Path {
	if target == OIDVector || target == Int2Vector {
		return Path{}
	}
	te, se := c.ElementOf(target), c.ElementOf(source)
	if te == 0 || se == 0 {
		return Path{}
	}
	switch p := c.Path(te, se, ctx); p.Kind {
	case NoPath:
		return Path{}
	case ThroughText:
		return p
	}
	return Path{Kind: ElementWise}
}

// ElementOf gives the element type of an array type, or 0.
func (c *Catalog) ElementOf(t OID) OID {
	if x := c.types[t]; x != nil && x.TrueArray {
		return x.Element
	}
	return 0
}

// ArrayOf gives the array type of an element type, or 0.
func (c *Catalog) ArrayOf(t OID) OID {
	if x := c.types[t]; x != nil {
		return x.Array
	}
	return 0
}

func (c *Catalog) category(t OID) byte {
	if x := c.types[t]; x != nil {
		return x.Category
	}
	return 0
}

func (c *Catalog) preferred(t OID) bool {
	x := c.types[t]
	return x != nil && x.Preferred
}

// CanCoerce reports whether every given type can stand where the declared one is
// wanted. An unknown literal can stand for anything: whether its text is valid is
// another question.
func (c *Catalog) CanCoerce(given, declared []OID, ctx Context) bool {
	generic := false
	for i, from := range given {
		to := declared[i]
		switch {
		case from == to || to == Any:
		case to.Polymorphic():
			generic = true
		case from == Unknown:
		case c.Path(to, from, ctx).Kind != NoPath:
		default:
			return false
		}
	}
	return !generic || c.consistent(given, declared)
}

// canCoerceOne is CanCoerce of one type, implicitly.
func (c *Catalog) canCoerceOne(from, to OID) bool {
	return from == to || to == Any || from == Unknown || c.Path(to, from, Implicit).Kind != NoPath
}

// BinaryCoercible reports whether a value of one type is one of the other as it
// is, without a conversion.
func (c *Catalog) BinaryCoercible(from, to OID) bool {
	switch {
	case from == to, to == Any, to == AnyElement, to == AnyCompatible:
		return true
	case to == AnyArray || to == AnyCompatibleArray:
		return c.ElementOf(from) != 0
	}
	cast := c.casts[castKey{from, to}]
	return cast != nil && cast.Method == ByRelabel && cast.Context == Implicit
}

// CommonType chooses the type of several expressions of equal standing: the
// branches of CASE, the columns of UNION and VALUES, the elements of ARRAY. It
// gives 0 and the two types that do not go together when there is none.
func (c *Catalog) CommonType(types []OID) (common, left, right OID) {
	common = types[0]
	for _, next := range types[1:] {
		switch {
		case next == Unknown || next == common:
		case common == Unknown:
			common = next
		case c.category(next) != c.category(common):
			return 0, common, next
		case !c.preferred(common) && c.canCoerceOne(common, next) && !c.canCoerceOne(next, common):
			common = next
		}
	}
	if common == Unknown {
		common = Text
	}
	return common, 0, 0
}

// ReconcileTypes is CommonType with the server's error, in which construct is what
// the expressions are part of: CASE, UNION, ARRAY, VALUES, COALESCE.
func (c *Catalog) ReconcileTypes(construct string, types []OID) (OID, *pgerr.Error) {
	common, left, right := c.CommonType(types)
	if common == 0 {
		return 0, pgerr.New(pgerr.DatatypeMismatch, "%s types %s and %s cannot be matched", construct, c.FormatType(left), c.FormatType(right))
	}
	return common, nil
}

// CastError is the error of a cast that does not exist.
func (c *Catalog) CastError(from, to OID) *pgerr.Error {
	return pgerr.New(pgerr.CannotCoerce, "cannot cast type %s to %s", c.FormatType(from), c.FormatType(to))
}
