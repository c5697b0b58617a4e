package realm

import (
	"math"
	"strconv"
	"sync"

	"github.com/dop251/goja"
)

// maxArray is the largest array a program may make, in elements: the memory limit
// ends larger ones long before, save for arrays of nothing.
const maxArray = 1 << 24

// receiver gives the array a method was called on.
func (r *Realm) receiver(c call, name string) *goja.Object {
	if o := array(c.This); o != nil {
		return o
	}
	if c.This == nil || goja.IsUndefined(c.This) || goja.IsNull(c.This) {
		r.typeError("Array.prototype.%s called on null or undefined", name)
	}
	r.typeError("Array.prototype.%s was called on %s, which is no array. Use Array.from(...) first.", name, r.describe(c.This))
	return nil
}

// length is the length of an array.
func length(o *goja.Object) int {
	if n := o.Get("length"); n != nil {
		return int(n.ToInteger())
	}
	return 0
}

// dense gives the elements of an ordinary array without copying: the slice is the
// array's own, valid until the array next changes. A nil element is a hole. It
// reports false for sparse, frozen and otherwise special arrays.
func (r *Realm) dense(o *goja.Object) ([]goja.Value, bool) {
	n := length(o)
	if n == 0 {
		return nil, true
	}
	if n > sampleFrom && !r.likelyDense(o, n) {
		return nil, false
	}
	first := r.listOf(o)
	second := r.listOf(o)
	// The engine hands out the array's own slice if it is ordinary, else a copy,
	// which is another one each time.
	if len(first) != n || len(second) != n || &first[0] != &second[0] {
		return nil, false
	}
	return first, true
}

// sampleFrom is the length from which dense looks before it asks the engine, which
// makes a list as long as the array if that is not ordinary.
const sampleFrom = 1024

// likelyDense looks at some elements and at the memory that a list would take.
func (r *Realm) likelyDense(o *goja.Object, n int) bool {
	if int64(n)*2*elemBytes > r.meter.Limits().Memory-r.meter.Usage().Memory {
		return n <= maxDense && at(o, n/2) != nil && at(o, n/3) != nil && at(o, n-1) != nil
	}
	for i := range 32 {
		if at(o, n/32*i) == nil {
			return false
		}
	}
	return at(o, n-1) != nil
}

// listOf asks the engine for the elements of an array, through a function that
// remembers what it was called with.
func (r *Realm) listOf(o *goja.Object) []goja.Value {
	r.args[0], r.args[1] = goja.Undefined(), o
	r.apply(call{This: r.collector(), Arguments: r.args[:]})
	got := r.spread
	r.spread, r.args[1] = nil, nil
	return got
}

// collector is a function that remembers what it was called with.
func (r *Realm) collector() *goja.Object {
	if r.collect == nil {
		r.collect = r.Function("", 0, func(c call) goja.Value {
			r.spread = c.Arguments
			return goja.Undefined()
		})
	}
	return r.collect
}

// elements gives a copy of an array's elements; holes are nil. It charges.
func (r *Realm) elements(o *goja.Object) []goja.Value {
	n := length(o)
	r.checkLength(n)
	r.Alloc(int64(n) * elemBytes)
	r.Charge(int64(n) >> 3)
	list := make([]goja.Value, n)
	if d, ok := r.dense(o); ok {
		copy(list, d)
		return list
	}
	p := r.pace()
	for i := range list {
		p.step(4)
		list[i] = at(o, i)
	}
	p.end()
	return list
}

// at reads one element, nil for a hole.
func at(o *goja.Object, i int) goja.Value { return o.Get(indexName(i)) }

// indexNames are the names of the first elements, which need no new string.
var indexNames = sync.OnceValue(func() []string {
	list := make([]string, 2048)
	for i := range list {
		list[i] = strconv.Itoa(i)
	}
	return list
})

// indexName is the name of an element.
func indexName(i int) string {
	if names := indexNames(); i < len(names) && i >= 0 {
		return names[i]
	}
	return strconv.Itoa(i)
}

// cursor reads the elements of an array one after the other, quickly as long as no
// code of the program runs in between.
type cursor struct {
	r     *Realm
	o     *goja.Object
	list  []goja.Value
	fresh bool
}

func (r *Realm) cursor(o *goja.Object) cursor {
	c := cursor{r: r, o: o}
	c.list, c.fresh = r.dense(o)
	return c
}

// get reads an element, nil for a hole.
func (c *cursor) get(i int) goja.Value {
	if c.fresh && i < len(c.list) {
		return c.list[i]
	}
	return at(c.o, i)
}

// stale says that code of the program may have run.
func (c *cursor) stale() { c.fresh = false }

// filled reads one element, undefined for a hole.
func filled(v goja.Value) goja.Value {
	if v == nil {
		return goja.Undefined()
	}
	return v
}

// put writes one element.
func (r *Realm) putAt(o *goja.Object, i int, v goja.Value) {
	if err := o.Set(strconv.Itoa(i), v); err != nil {
		panic(err)
	}
}

func (r *Realm) checkLength(n int) {
	if n > maxArray {
		r.Alloc(int64(n) * elemBytes)
		r.rangeError("Invalid array length")
	}
}

// newArray makes an array of values, charged. It copies them.
func (r *Realm) newArray(values []goja.Value) *goja.Object {
	r.Alloc(arrayBytes + int64(len(values))*elemBytes)
	return r.makeArray(values)
}

// Array makes an array of the program's of values of the host's.
func (r *Realm) Array(values []goja.Value) *goja.Object { return r.newArray(values) }

// makeArray is newArray for what has been charged.
func (r *Realm) makeArray(values []goja.Value) *goja.Object {
	if len(values) == 0 {
		return r.vm.NewArray()
	}
	if r.arrayOf == nil {
		r.arrayOf = exported(r.engine.Get("Array").(*goja.Object).Get("of"))
	}
	return r.arrayOf(call{Arguments: values}).(*goja.Object)
}

// like makes the array that a method of o gives: an instance of o's class, as
// ECMA-262 ArraySpeciesCreate says. Holes stay holes.
func (r *Realm) like(o *goja.Object, values []goja.Value) *goja.Object {
	if o.Prototype() == r.protos[arrayProto] {
		return r.withHoles(values)
	}
	c, ok := o.Get("constructor").(*goja.Object)
	if !ok || !isClass(c) {
		return r.withHoles(values)
	}
	ctor, _ := goja.AssertConstructor(c)
	made, err := ctor(nil, whole(0))
	if err != nil {
		panic(err)
	}
	for i, v := range values {
		if v != nil {
			r.Alloc(elemBytes)
			r.putAt(made, i, v)
		}
	}
	return made
}

// withHoles makes an array in which nil values are holes.
func (r *Realm) withHoles(values []goja.Value) *goja.Object {
	holes := false
	for _, v := range values {
		if v == nil {
			holes = true
			break
		}
	}
	if !holes {
		return r.newArray(values)
	}
	r.Alloc(arrayBytes + int64(len(values))*elemBytes)
	o := r.vm.NewArray()
	p := r.pace()
	for i, v := range values {
		p.step(1)
		if v != nil {
			p.step(4)
			r.putAt(o, i, v)
		}
	}
	p.end()
	if err := o.Set("length", len(values)); err != nil {
		panic(err)
	}
	return o
}

// replace gives an array new contents. Holes are removed elements.
func (r *Realm) replace(o *goja.Object, values []goja.Value) {
	r.write(o, values)
	if length(o) != len(values) {
		r.truncate(o, len(values))
	}
}

// write sets the first elements of an array.
func (r *Realm) write(o *goja.Object, values []goja.Value) {
	if d, ok := r.dense(o); ok && len(d) == len(values) && allPresent(values) && allPresent(d) {
		r.Charge(int64(len(d)) >> 4)
		copy(d, values) // the slice is the array's own
		return
	}
	p := r.pace()
	for i, v := range values {
		p.step(4)
		if v != nil {
			r.putAt(o, i, v)
		} else if err := o.Delete(strconv.Itoa(i)); err != nil {
			panic(err)
		}
	}
	p.end()
}

func arrayMethods() []member {
	return []member{
		method("at", 1, arrayAt),
		method("concat", 1, arrayConcat),
		method("copyWithin", 2, arrayCopyWithin),
		method("entries", 0, func(r *Realm, c call) goja.Value { return r.arrayIterator(r.receiver(c, "entries"), eachEntry) }),
		iterating("every", 0),
		method("fill", 1, arrayFill),
		iterating("filter", elemBytes),
		iterating("find", 0),
		iterating("findIndex", 0),
		iterating("findLast", 0),
		iterating("findLastIndex", 0),
		method("flat", 0, arrayFlat),
		method("flatMap", 1, arrayFlatMap),
		iterating("forEach", 0),
		method("includes", 1, arrayIncludes),
		method("indexOf", 1, arrayIndexOf),
		method("join", 1, arrayJoin),
		method("keys", 0, func(r *Realm, c call) goja.Value { return r.arrayIterator(r.receiver(c, "keys"), eachKey) }),
		method("lastIndexOf", 1, arrayLastIndexOf),
		iterating("map", elemBytes),
		over("pop", 0, func(r *Realm, engine native) native {
			return func(c call) goja.Value { return filled(engine(call{This: r.receiver(c, "pop")})) }
		}),
		over("push", 1, func(r *Realm, engine native) native {
			return func(c call) goja.Value {
				if o := array(c.This); o != nil && len(c.Arguments) == 1 {
					r.Alloc(2 * elemBytes)
					return engine(c)
				}
				return arrayPush(r, c)
			}
		}),
		iterating("reduce", 0),
		iterating("reduceRight", 0),
		method("reverse", 0, arrayReverse),
		method("shift", 0, arrayShift),
		method("slice", 2, arraySlice),
		iterating("some", 0),
		method("sort", 1, arraySort),
		method("splice", 2, arraySplice),
		method("toLocaleString", 0, arrayToLocaleString),
		method("toReversed", 0, arrayToReversed),
		method("toSorted", 1, arrayToSorted),
		method("toSpliced", 2, arrayToSpliced),
		method("toString", 0, arrayToString),
		method("unshift", 1, arrayUnshift),
		method("values", 0, func(r *Realm, c call) goja.Value { return r.arrayIterator(r.receiver(c, "values"), eachValue) }),
		method("with", 2, arrayWith),
	}
}

func arrayAt(r *Realm, c call) goja.Value {
	o := r.receiver(c, "at")
	i := r.integer(arg(c, 0))
	n := length(o)
	if i < 0 {
		i += float64(n)
	}
	if i < 0 || i >= float64(n) {
		return goja.Undefined()
	}
	return filled(at(o, int(i)))
}

func arrayPush(r *Realm, c call) goja.Value {
	o := r.receiver(c, "push")
	n := len(c.Arguments)
	r.checkLength(length(o) + n)
	r.Alloc(int64(n) * 2 * elemBytes)
	p := r.pace()
	r.pushing(o, c.Arguments, &p)
	p.end()
	return whole(length(o))
}

// pushing hands values to the engine's push a batch at a time.
func (r *Realm) pushing(o *goja.Object, values []goja.Value, p *pacer) {
	push := r.engineOf(arrayProto, "push")
	for len(values) > 0 {
		n := min(len(values), pollEvery)
		p.step(n)
		push(call{This: o, Arguments: values[:n]})
		values = values[n:]
	}
}

func arrayShift(r *Realm, c call) goja.Value {
	o := r.receiver(c, "shift")
	n := length(o)
	if n == 0 {
		return goja.Undefined()
	}
	r.checkLength(n)
	r.Charge(int64(n) >> 5)
	if d, ok := r.dense(o); ok && r.extensible(o) {
		first := filled(d[0])
		// The engine's splice keeps the array an ordinary one; setting its length
		// would not.
		r.engineOf(arrayProto, "splice")(call{This: o, Arguments: []goja.Value{whole(0), whole(1)}})
		return first
	}
	list := r.elements(o)
	r.replace(o, list[1:])
	return filled(list[0])
}

// truncate sets a smaller length.
func (r *Realm) truncate(o *goja.Object, n int) {
	if err := o.Set("length", n); err != nil {
		panic(err)
	}
}

func arrayUnshift(r *Realm, c call) goja.Value {
	o := r.receiver(c, "unshift")
	if len(c.Arguments) == 0 {
		return whole(length(o))
	}
	added := append([]goja.Value(nil), c.Arguments...)
	r.checkLength(length(o) + len(added))
	list := append(added, r.elements(o)...)
	r.Alloc(int64(len(added)) * 2 * elemBytes)
	r.rewrite(o, list)
	return whole(len(list))
}

// rewrite gives an array contents of another length.
func (r *Realm) rewrite(o *goja.Object, values []goja.Value) {
	n := length(o)
	if n > len(values) {
		r.truncate(o, len(values))
		n = len(values)
	}
	if d, ok := r.dense(o); ok && len(d) == n && allPresent(values) {
		r.replace(o, values[:n])
		p := r.pace()
		r.pushing(o, values[n:], &p)
		p.end()
		return
	}
	r.replace(o, values)
}

func allPresent(values []goja.Value) bool {
	for _, v := range values {
		if v == nil {
			return false
		}
	}
	return true
}

func arrayReverse(r *Realm, c call) goja.Value {
	o := r.receiver(c, "reverse")
	if d, ok := r.dense(o); ok && allPresent(d) {
		p := r.pace()
		for i, j := 0, len(d)-1; i < j; i, j = i+1, j-1 {
			p.step(1)
			d[i], d[j] = d[j], d[i] // the slice is the array's own
		}
		p.end()
		return o
	}
	list := r.elements(o)
	reverse(list)
	r.replace(o, list)
	r.meter.Release(int64(len(list)) * elemBytes)
	return o
}

func reverse(list []goja.Value) {
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
}

func arrayToReversed(r *Realm, c call) goja.Value {
	list := r.elements(r.receiver(c, "toReversed"))
	reverse(list)
	fill(list)
	return r.newArray(list)
}

// fill turns holes into undefined.
func fill(list []goja.Value) {
	for i, v := range list {
		if v == nil {
			list[i] = goja.Undefined()
		}
	}
}

// span resolves the start and end arguments of slice, fill and copyWithin.
func (r *Realm) span(c call, from, n int) (int, int) {
	start := relative(r.integer(arg(c, from)), n)
	end := n
	if given(c, from+1) {
		end = relative(r.integer(c.Arguments[from+1]), n)
	}
	return start, max(start, end)
}

func arraySlice(r *Realm, c call) goja.Value {
	o := r.receiver(c, "slice")
	n := length(o)
	start, end := r.span(c, 0, n)
	if length(o) != n { // an argument's valueOf changed it
		end = min(end, length(o))
		start = min(start, end)
	}
	r.checkLength(end - start)
	r.Charge(int64(end-start) >> 3)
	if d, ok := r.dense(o); ok {
		return r.like(o, d[start:end])
	}
	list := make([]goja.Value, 0, min(end-start, pollEvery))
	p := r.pace()
	for i := start; i < end; i++ {
		p.step(4)
		list = append(list, at(o, i))
	}
	p.end()
	return r.like(o, list)
}

func arrayConcat(r *Realm, c call) goja.Value {
	o := r.receiver(c, "concat")
	total := length(o)
	for _, a := range c.Arguments {
		if x := array(a); x != nil {
			total += length(x)
		} else {
			total++
		}
	}
	r.checkLength(total)
	r.Alloc(int64(total) * elemBytes)
	r.Charge(int64(total) >> 3)
	list := make([]goja.Value, 0, total)
	list = r.appendElements(list, o)
	for _, a := range c.Arguments {
		if x := array(a); x != nil {
			list = r.appendElements(list, x)
		} else {
			list = append(list, filled(a))
		}
	}
	made := r.like(o, list)
	r.meter.Release(int64(total) * elemBytes)
	return made
}

// appendElements appends the elements of an array; their number has been charged.
func (r *Realm) appendElements(list []goja.Value, o *goja.Object) []goja.Value {
	if d, ok := r.dense(o); ok {
		return append(list, d...)
	}
	p := r.pace()
	for i := range length(o) {
		p.step(4)
		list = append(list, at(o, i))
	}
	p.end()
	return list
}

func arraySplice(r *Realm, c call) goja.Value {
	o := r.receiver(c, "splice")
	n := length(o)
	start := relative(r.integer(arg(c, 0)), n)
	remove := r.removal(c, n, start)
	var added []goja.Value
	if len(c.Arguments) > 2 {
		added = append(added, c.Arguments[2:]...)
	}
	if _, ok := r.dense(o); ok && remove <= pollEvery && length(o) == n && r.ordinary(o) {
		r.Charge(int64(n) >> 5)
		r.Alloc(arrayBytes + int64(remove+2*len(added))*elemBytes)
		return r.engineOf(arrayProto, "splice")(call{This: o, Arguments: append([]goja.Value{whole(start), whole(remove)}, added...)})
	}
	list := r.elements(o)
	if len(list) < start+remove {
		start = min(start, len(list))
		remove = min(remove, len(list)-start)
	}
	removed := r.like(o, list[start:start+remove])
	next := make([]goja.Value, 0, len(list)-remove+len(added))
	r.Alloc(int64(len(added)) * 2 * elemBytes)
	next = append(append(append(next, list[:start]...), added...), list[start+remove:]...)
	r.rewrite(o, next)
	r.meter.Release(int64(len(list)) * elemBytes)
	return removed
}

// ordinary reports an array of no subclass that may grow and shrink.
func (r *Realm) ordinary(o *goja.Object) bool {
	return o.Prototype() == r.protos[arrayProto] && r.extensible(o)
}

// removal is the number of elements that splice and toSpliced remove.
func (r *Realm) removal(c call, n, start int) int {
	switch len(c.Arguments) {
	case 0:
		return 0
	case 1:
		return n - start
	}
	return int(math.Min(math.Max(r.integer(c.Arguments[1]), 0), float64(n-start)))
}

func arrayToSpliced(r *Realm, c call) goja.Value {
	o := r.receiver(c, "toSpliced")
	n := length(o)
	start := relative(r.integer(arg(c, 0)), n)
	remove := r.removal(c, n, start)
	list := r.elements(o)
	start = min(start, len(list))
	remove = min(remove, len(list)-start)
	next := append([]goja.Value(nil), list[:start]...)
	if len(c.Arguments) > 2 {
		next = append(next, c.Arguments[2:]...)
	}
	next = append(next, list[start+remove:]...)
	fill(next)
	return r.newArray(next)
}

func arrayWith(r *Realm, c call) goja.Value {
	o := r.receiver(c, "with")
	i := r.integer(arg(c, 0))
	n := length(o)
	if i < 0 {
		i += float64(n)
	}
	if i < 0 || i >= float64(n) {
		r.rangeError("Invalid index : %s", numberText(r.integer(arg(c, 0))))
	}
	list := r.elements(o)
	list[int(i)] = arg(c, 1)
	fill(list)
	return r.newArray(list)
}

func arrayFill(r *Realm, c call) goja.Value {
	o := r.receiver(c, "fill")
	n := length(o)
	start, end := r.span(c, 1, n)
	r.checkLength(end - start)
	r.Alloc(int64(end-start) * elemBytes)
	v := arg(c, 0)
	if start == 0 && end == n && r.extensible(o) && at(o, 0) == nil {
		// The array is new and empty: give it all its elements at once.
		list := make([]goja.Value, n)
		for i := range list {
			list[i] = v
		}
		r.truncate(o, 0)
		p := r.pace()
		r.pushing(o, list, &p)
		p.end()
		return o
	}
	engine := r.engineOf(arrayProto, "fill")
	for start < end {
		to := min(end, start+pollEvery)
		r.Charge(int64(to - start))
		engine(call{This: o, Arguments: []goja.Value{v, whole(start), whole(to)}})
		start = to
	}
	return o
}

func arrayCopyWithin(r *Realm, c call) goja.Value {
	o := r.receiver(c, "copyWithin")
	n := length(o)
	to := relative(r.integer(arg(c, 0)), n)
	start, end := r.span(c, 1, n)
	count := min(end-start, n-to)
	list := r.elements(o)
	if count > 0 && len(list) == n {
		copy(list[to:to+count], append([]goja.Value(nil), list[start:start+count]...))
		r.replace(o, list)
	}
	return o
}

// from resolves the fromIndex argument of the searching methods.
func (r *Realm) searchFrom(c call, n int) int { return relative(r.integer(arg(c, 1)), n) }

func arrayIndexOf(r *Realm, c call) goja.Value {
	o := r.receiver(c, "indexOf")
	n := length(o)
	i := 0
	if len(c.Arguments) > 1 {
		i = r.searchFrom(c, n)
	}
	return whole(r.search(o, i, n, arg(c, 0), false))
}

func arrayIncludes(r *Realm, c call) goja.Value {
	o := r.receiver(c, "includes")
	n := length(o)
	i := 0
	if len(c.Arguments) > 1 {
		i = r.searchFrom(c, n)
	}
	return boolean(r.search(o, i, n, arg(c, 0), true) >= 0)
}

// search finds a value from i on; zero counts NaN as itself and holes as
// undefined, as includes does.
func (r *Realm) search(o *goja.Object, i, n int, v goja.Value, zero bool) int {
	p := r.pace()
	defer p.end()
	matches := matcher(v, zero)
	if d, ok := r.dense(o); ok {
		for ; i < len(d) && i < n; i++ {
			p.step(1)
			if x := d[i]; x != nil {
				if matches(x, &p) {
					return i
				}
			} else if zero && goja.IsUndefined(v) {
				return i
			}
		}
		return -1
	}
	r.checkLength(n)
	for ; i < n; i++ {
		p.step(3)
		x := at(o, i)
		if x == nil {
			if zero && goja.IsUndefined(v) {
				return i
			}
			continue
		}
		if matches(x, &p) {
			return i
		}
	}
	return -1
}

// matcher compares with one value; comparing long strings is accounted.
func matcher(v goja.Value, zero bool) func(x goja.Value, p *pacer) bool {
	if s, ok := v.(goja.String); ok {
		cost := s.Length() >> 5
		return func(x goja.Value, p *pacer) bool {
			t, ok := x.(goja.String)
			if !ok {
				return false
			}
			if cost > 0 {
				p.step(cost)
			}
			return t.StrictEquals(s)
		}
	}
	if zero && goja.IsNaN(v) {
		return func(x goja.Value, _ *pacer) bool { return goja.IsNaN(x) }
	}
	return func(x goja.Value, _ *pacer) bool { return x.StrictEquals(v) }
}

func arrayLastIndexOf(r *Realm, c call) goja.Value {
	o := r.receiver(c, "lastIndexOf")
	n := length(o)
	i := float64(n - 1)
	if len(c.Arguments) > 1 {
		if f := r.integer(c.Arguments[1]); f < 0 {
			i = f + float64(n)
		} else {
			i = math.Min(f, i)
		}
	}
	if i < 0 {
		return whole(-1)
	}
	r.checkLength(n)
	p := r.pace()
	defer p.end()
	matches := matcher(arg(c, 0), false)
	d, ok := r.dense(o)
	for k := int(i); k >= 0; k-- {
		p.step(1)
		var x goja.Value
		if ok && k < len(d) {
			x = d[k]
		} else {
			p.step(3)
			x = at(o, k)
		}
		if x != nil && matches(x, &p) {
			return whole(k)
		}
	}
	return whole(-1)
}
