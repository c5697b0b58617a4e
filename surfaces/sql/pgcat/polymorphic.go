package pgcat

import "github.com/polyglove/polyglove/surfaces/sql/pgerr"

// solution is what the polymorphic arguments of one call stand for; 0 is open.
type solution struct {
	element, array, rng, multirange OID

	compatible, compatibleRange, compatibleMultirange OID

	anyFamily, compatibleFamily bool // which families the declaration uses
	nonArray, enum              bool // what the element must not, or must, be
	compatibleNonArray          bool

	candidates []OID // for the common type of the compatible family
	elements   []OID // what ranges of that family demand it to be
}

// consistent reports whether the given types fit together where the declared ones
// are polymorphic. Where an enum is wanted, something must say which.
func (c *Catalog) consistent(given, declared []OID) bool {
	s, err := c.solve(given, declared, 0)
	return err == nil && (!s.enum || s.element != 0)
}

func (c *Catalog) solve(given, declared []OID, result OID) (*solution, *pgerr.Error) {
	s := &solution{nonArray: result == AnyNonArray, compatibleNonArray: result == AnyCompatibleNonArray}
	for i, from := range given {
		if err := c.collect(s, from, declared[i]); err != nil {
			return nil, err
		}
	}
	if err := c.solveAny(s); err != nil {
		return nil, err
	}
	if err := c.solveCompatible(s); err != nil {
		return nil, err
	}
	return s, nil
}

// collect takes in one argument.
func (c *Catalog) collect(s *solution, from, to OID) *pgerr.Error {
	s.anyFamily = s.anyFamily || to.anyElementFamily()
	s.compatibleFamily = s.compatibleFamily || to.anyCompatibleFamily()
	s.nonArray = s.nonArray || to == AnyNonArray
	s.enum = s.enum || to == AnyEnum
	s.compatibleNonArray = s.compatibleNonArray || to == AnyCompatibleNonArray
	if from == Unknown {
		return nil
	}
	switch to {
	case AnyElement, AnyNonArray, AnyEnum:
		return c.alike(&s.element, from, "anyelement")
	case AnyArray:
		return c.alike(&s.array, from, "anyarray")
	case AnyRange:
		return c.alike(&s.rng, from, "anyrange")
	case AnyMultirange:
		return c.alike(&s.multirange, from, "anymultirange")
	case AnyCompatible, AnyCompatibleNonArray:
		s.candidates = append(s.candidates, from)
	case AnyCompatibleArray:
		e := c.ElementOf(from)
		if e == 0 {
			return notA("anycompatiblearray", "an array", c.FormatType(from))
		}
		s.candidates = append(s.candidates, e)
	case AnyCompatibleRange:
		return c.collectRange(s, &s.compatibleRange, from, "anycompatiblerange", "a range type")
	case AnyCompatibleMultirange:
		return c.collectRange(s, &s.compatibleMultirange, from, "anycompatiblemultirange", "a multirange type")
	}
	return nil
}

func (c *Catalog) alike(slot *OID, from OID, name string) *pgerr.Error {
	if *slot != 0 && *slot != from {
		return pgerr.New(pgerr.DatatypeMismatch, "arguments declared \"%s\" are not all alike", name).
			WithDetail("%s versus %s", c.FormatType(*slot), c.FormatType(from))
	}
	*slot = from
	return nil
}

func (c *Catalog) collectRange(s *solution, slot *OID, from OID, name, what string) *pgerr.Error {
	if *slot != 0 {
		return c.alike(slot, from, name)
	}
	r, ok := c.rangeOf(from, name == "anycompatiblemultirange")
	if !ok {
		return notA(name, what, c.FormatType(from))
	}
	*slot = from
	s.candidates = append(s.candidates, r.Element)
	s.elements = append(s.elements, r.Element)
	return nil
}

func (c *Catalog) rangeOf(t OID, multi bool) (Range, bool) {
	r, ok := c.ranges[t]
	return r, ok && multi == (t == r.Multirange)
}

func notA(declared, what, given string) *pgerr.Error {
	return pgerr.New(pgerr.DatatypeMismatch, "argument declared %s is not %s but type %s", declared, what, given)
}

// solveAny makes element, array, range and multirange agree.
func (c *Catalog) solveAny(s *solution) *pgerr.Error {
	if s.array != 0 {
		e := c.ElementOf(s.array)
		if e == 0 {
			return notA("anyarray", "an array", c.FormatType(s.array))
		}
		if err := c.agree(&s.element, e, "anyarray", s.array); err != nil {
			return err
		}
	}
	if s.multirange != 0 {
		r, ok := c.rangeOf(s.multirange, true)
		if !ok {
			return notA("anymultirange", "a multirange type", c.FormatType(s.multirange))
		}
		if s.rng != 0 && s.rng != r.Range {
			return c.inconsistent("anymultirange", "anyrange", s.multirange, s.rng)
		}
		s.rng = r.Range
	}
	if s.rng != 0 {
		r, ok := c.rangeOf(s.rng, false)
		if !ok {
			return notA("anyrange", "a range type", c.FormatType(s.rng))
		}
		if err := c.agree(&s.element, r.Element, "anyrange", s.rng); err != nil {
			return err
		}
	}
	return c.checkElement(s)
}

func (c *Catalog) agree(element *OID, e OID, name string, whole OID) *pgerr.Error {
	if *element != 0 && *element != e {
		return c.inconsistent(name, "anyelement", whole, *element)
	}
	*element = e
	return nil
}

func (c *Catalog) inconsistent(a, b string, given, other OID) *pgerr.Error {
	return pgerr.New(pgerr.DatatypeMismatch, "argument declared %s is not consistent with argument declared %s", a, b).
		WithDetail("%s versus %s", c.FormatType(given), c.FormatType(other))
}

func (c *Catalog) checkElement(s *solution) *pgerr.Error {
	if s.element == 0 {
		return nil
	}
	if s.nonArray && c.ElementOf(s.element) != 0 {
		return pgerr.New(pgerr.DatatypeMismatch, "type matched to anynonarray is an array type: %s", c.FormatType(s.element))
	}
	if t := c.types[s.element]; s.enum && (t == nil || t.Kind != 'e') {
		return pgerr.New(pgerr.DatatypeMismatch, "type matched to anyenum is not an enum type: %s", c.FormatType(s.element))
	}
	return nil
}

func (c *Catalog) solveCompatible(s *solution) *pgerr.Error {
	if len(s.candidates) == 0 {
		return nil
	}
	common, _, _ := c.CommonType(s.candidates)
	for _, t := range s.candidates {
		if common == 0 || !c.canCoerceOne(t, common) {
			return pgerr.New(pgerr.DatatypeMismatch, "arguments of anycompatible family cannot be cast to a common type")
		}
	}
	s.compatible = common
	if s.compatibleNonArray && c.ElementOf(common) != 0 {
		return pgerr.New(pgerr.DatatypeMismatch, "type matched to anycompatiblenonarray is an array type: %s", c.FormatType(common))
	}
	for _, e := range s.elements {
		if e != common {
			whole := s.compatibleRange
			if whole == 0 {
				whole = s.compatibleMultirange
			}
			return pgerr.New(pgerr.DatatypeMismatch, "anycompatiblerange type %s does not match anycompatible type %s", c.FormatType(whole), c.FormatType(common))
		}
	}
	return nil
}

// Concrete replaces the polymorphic types of a chosen declaration: it gives the
// type each argument is to be converted to, and the type of the result.
func (c *Catalog) Concrete(given, declared []OID, result OID) (args []OID, out OID, err *pgerr.Error) {
	s, err := c.solve(given, declared, result)
	if err != nil {
		return nil, 0, err
	}
	if s.anyFamily && s.element == 0 {
		return nil, 0, pgerr.New(pgerr.DatatypeMismatch, "could not determine polymorphic type because input has type %s", "unknown")
	}
	if s.compatibleFamily && s.compatible == 0 {
		s.compatible = Text
	}
	args = make([]OID, len(given))
	for i, d := range declared[:len(given)] {
		if args[i], err = c.concreteArg(s, given[i], d); err != nil {
			return nil, 0, err
		}
	}
	out, err = c.standsFor(s, result)
	return args, out, err
}

// concreteArg leaves a given type as it is where the family demands equality.
func (c *Catalog) concreteArg(s *solution, from, to OID) (OID, *pgerr.Error) {
	switch {
	case to == Any:
		return from, nil
	case to.anyElementFamily() && from != Unknown:
		return from, nil
	}
	return c.standsFor(s, to)
}

// standsFor gives what a declared type means in a solved call.
func (c *Catalog) standsFor(s *solution, t OID) (OID, *pgerr.Error) {
	switch t {
	case AnyElement, AnyNonArray, AnyEnum:
		return s.element, nil
	case AnyArray:
		if s.array != 0 {
			return s.array, nil
		}
		return c.arrayOrError(s.element)
	case AnyRange:
		return determined(s.rng, "anyrange")
	case AnyMultirange:
		return determined(c.multirangeOf(s.multirange, s.rng), "anymultirange")
	case AnyCompatible, AnyCompatibleNonArray:
		return s.compatible, nil
	case AnyCompatibleArray:
		return c.arrayOrError(s.compatible)
	case AnyCompatibleRange:
		return determined(c.compatibleRangeOf(s), "anycompatiblerange")
	case AnyCompatibleMultirange:
		return determined(c.multirangeOf(s.compatibleMultirange, s.compatibleRange), "anycompatiblemultirange")
	}
	return t, nil
}

func (c *Catalog) multirangeOf(multirange, rng OID) OID {
	if multirange != 0 {
		return multirange
	}
	return c.ranges[rng].Multirange
}

func (c *Catalog) compatibleRangeOf(s *solution) OID {
	if s.compatibleRange != 0 {
		return s.compatibleRange
	}
	return c.ranges[s.compatibleMultirange].Range
}

func (c *Catalog) arrayOrError(element OID) (OID, *pgerr.Error) {
	if a := c.ArrayOf(element); a != 0 {
		return a, nil
	}
	return 0, pgerr.New(pgerr.UndefinedObject, "could not find array type for data type %s", c.FormatType(element))
}

func determined(t OID, name string) (OID, *pgerr.Error) {
	if t != 0 {
		return t, nil
	}
	return 0, pgerr.New(pgerr.DatatypeMismatch, "could not determine polymorphic type %s because input has type %s", name, "unknown")
}
