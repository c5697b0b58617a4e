package realm

import (
	"github.com/dop251/goja"
)

func arraySort(r *Realm, c call) goja.Value {
	o := r.receiver(c, "sort")
	compare := r.comparator(c)
	list := r.elements(o)
	present := sortable(list)
	r.sort(present, compare)
	r.write(o, list)
	r.meter.Release(int64(len(list)) * elemBytes)
	return o
}

func arrayToSorted(r *Realm, c call) goja.Value {
	o := r.receiver(c, "toSorted")
	compare := r.comparator(c)
	list := r.elements(o)
	r.sort(sortable(list), compare)
	fill(list)
	return r.newArray(list)
}

// comparator gives the comparison function, nil for the default order.
func (r *Realm) comparator(c call) native {
	if !given(c, 0) {
		return nil
	}
	if !isFunction(c.Arguments[0]) {
		r.typeError("The comparison function must be either a function or undefined")
	}
	return r.callback(c.Arguments[0])
}

// sortable moves undefined values and then holes to the end, as ECMA-262
// SortIndexedProperties does, and gives the part that is to be sorted.
func sortable(list []goja.Value) []goja.Value {
	n, undefined := 0, 0
	for _, v := range list {
		switch {
		case v == nil:
		case goja.IsUndefined(v):
			undefined++
		default:
			list[n] = v
			n++
		}
	}
	for i := n; i < len(list); i++ {
		list[i] = nil
		if i < n+undefined {
			list[i] = goja.Undefined()
		}
	}
	return list[:n]
}

// sort sorts stably by a comparison function, or by text.
func (r *Realm) sort(list []goja.Value, compare native) {
	r.Charge(int64(len(list)))
	if compare == nil {
		r.sortByText(list)
		return
	}
	args := make([]goja.Value, 2)
	noted := false
	p := r.pace()
	defer p.end()
	sorter := merger[goja.Value]{less: func(a, b goja.Value) bool {
		p.step(1)
		args[0], args[1] = a, b
		v := compare(call{This: goja.Undefined(), Arguments: args})
		if !goja.IsNumber(v) {
			if !noted && (v == valueTrue || v == valueFalse) {
				noted = true
				r.note("A sort comparator returned true or false, which does not sort: return a negative or positive number, such as a - b.")
			}
			return r.order(v) < 0
		}
		return v.ToFloat() < 0
	}}
	r.Alloc(int64(len(list)) / 2 * elemBytes)
	sorter.sort(list)
	r.meter.Release(int64(len(list)) / 2 * elemBytes)
}

// order is the number that a comparison gave; a BigInt counts by its sign, because
// the difference of two exact integers is one.
func (r *Realm) order(v goja.Value) float64 {
	if v == nil {
		return 0
	}
	if goja.IsBigInt(v) {
		return float64(bigOf(v).Sign())
	}
	return r.num(v)
}

// keyed is a value with the text it is sorted by.
type keyed struct {
	key   goja.String
	ascii string
	plain bool
	value goja.Value
}

// sortByText sorts by the UTF-16 order of the values as strings.
func (r *Realm) sortByText(list []goja.Value) {
	r.Alloc(int64(len(list)) * 64)
	keys := make([]keyed, len(list))
	p := r.pace()
	for i, v := range list {
		p.step(2)
		s := r.str(v)
		keys[i] = keyed{key: s, value: v}
		if text, ok := asciiOf(s); ok {
			keys[i].ascii, keys[i].plain = text, true
		}
	}
	sorter := merger[keyed]{less: func(a, b keyed) bool {
		p.step(1)
		if a.plain && b.plain {
			if n := min(len(a.ascii), len(b.ascii)); n > 64 {
				p.step(n >> 6)
			}
			return a.ascii < b.ascii
		}
		p.step(min(a.key.Length(), b.key.Length()) >> 4)
		return a.key.CompareTo(b.key) < 0
	}}
	sorter.sort(keys)
	p.end()
	for i := range keys {
		list[i] = keys[i].value
	}
	r.meter.Release(int64(len(list)) * 64)
}

// merger is a stable merge sort over runs made by binary insertion. Lists below
// 64 elements are sorted with the same comparisons in the same order as V8's, so
// that a comparator without a consistent order gives what it gives in Node.
type merger[T any] struct {
	less   func(a, b T) bool
	buffer []T
}

const runLength = 64

func (m *merger[T]) sort(list []T) {
	n := len(list)
	if n < runLength {
		m.insert(list, m.run(list))
		return
	}
	run := minRun(n)
	var starts []int
	for at := 0; at < n; {
		k := m.run(list[at:])
		if k < run {
			forced := min(run, n-at)
			m.insert(list[at:at+forced], k)
			k = forced
		}
		starts = append(starts, at)
		at += k
	}
	m.buffer = make([]T, (n+1)/2)
	for len(starts) > 1 {
		kept := starts[:0]
		for i := 0; i < len(starts); i += 2 {
			if i+1 < len(starts) {
				end := n
				if i+2 < len(starts) {
					end = starts[i+2]
				}
				m.merge(list[starts[i]:end], starts[i+1]-starts[i])
			}
			kept = append(kept, starts[i])
		}
		starts = kept
	}
}

// minRun is the length of a run that n elements are divided into.
func minRun(n int) int {
	odd := 0
	for n >= runLength {
		odd |= n & 1
		n >>= 1
	}
	return n + odd
}

// run finds the ordered run at the start of a list, reverses it if it descends,
// and gives its length.
func (m *merger[T]) run(list []T) int {
	if len(list) < 2 {
		return len(list)
	}
	n := 2
	if m.less(list[1], list[0]) {
		for n < len(list) && m.less(list[n], list[n-1]) {
			n++
		}
		for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
			list[i], list[j] = list[j], list[i]
		}
		return n
	}
	for n < len(list) && !m.less(list[n], list[n-1]) {
		n++
	}
	return n
}

// insert sorts a list whose first sorted elements are in order.
func (m *merger[T]) insert(list []T, sorted int) {
	for i := max(sorted, 1); i < len(list); i++ {
		pivot := list[i]
		low, high := 0, i
		for low < high {
			mid := low + (high-low)>>1
			if m.less(pivot, list[mid]) {
				high = mid
			} else {
				low = mid + 1
			}
		}
		copy(list[low+1:i+1], list[low:i])
		list[low] = pivot
	}
}

// merge merges two ordered halves of a list.
func (m *merger[T]) merge(list []T, half int) {
	if !m.less(list[half], list[half-1]) {
		return
	}
	if len(m.buffer) < half {
		m.buffer = make([]T, half)
	}
	left := m.buffer[:copy(m.buffer, list[:half])]
	i, j, k := 0, half, 0
	for i < len(left) && j < len(list) {
		if m.less(list[j], left[i]) {
			list[k] = list[j]
			j++
		} else {
			list[k] = left[i]
			i++
		}
		k++
	}
	copy(list[k:], left[i:])
}
