package object

// Sort sorts in place, stably, by the keys that a function gives; key and reverse
// may be unset.
func (t *Thread) Sort(items []Value, key, reverse Value) *Exception {
	back := false
	if reverse.IsSet() {
		n, x := t.Index(reverse)
		if x != nil {
			return x
		}
		if back, x = t.Truth(n); x != nil {
			return x
		}
	}
	s := &sorter{t: t, items: items}
	if key.IsSet() && !key.IsNone() {
		if x := t.Alloc(len(items) * valueSize); x != nil {
			return x
		}
		keys := make([]Value, len(items))
		defer t.Unpin(t.Pin(NewList(keys)))
		for i, v := range items {
			k, x := t.Call(key, v)
			if x != nil {
				return x
			}
			keys[i] = k
		}
		s.keys = keys
	}
	if x := t.Alloc(len(items) * 2 * valueSize); x != nil {
		return x
	}
	// A stable descending sort is an ascending one between two reversals.
	if back {
		s.reverse()
	}
	x := s.run()
	if back {
		s.reverse()
	}
	return x
}

// sorter is a merge sort of items, or of keys with the items following them. The
// comparison is chosen by what the keys are: strings, integers and floats compare
// without leaving Go.
type sorter struct {
	t     *Thread
	items []Value
	keys  []Value
	less  func(t *Thread, v, w Value) (bool, *Exception)
}

func (s *sorter) reverse() {
	reverseValues(s.items)
	reverseValues(s.keys)
}

func (s *sorter) sortKeys() []Value {
	if s.keys != nil {
		return s.keys
	}
	return s.items
}

// choose picks the comparison.
func (s *sorter) choose() {
	s.less = (*Thread).Less
	keys := s.sortKeys()
	if len(keys) == 0 {
		return
	}
	kind := keys[0].Kind()
	for _, k := range keys {
		if k.Kind() != kind {
			return
		}
	}
	switch kind {
	case KindInt:
		s.less = func(_ *Thread, v, w Value) (bool, *Exception) { return int64(v.n) < int64(w.n), nil }
	case KindFloat:
		s.less = func(_ *Thread, v, w Value) (bool, *Exception) {
			a, _ := v.Float()
			b, _ := w.Float()
			return a < b, nil
		}
	case KindStr:
		s.less = func(_ *Thread, v, w Value) (bool, *Exception) {
			return v.o.self.(*Str).s < w.o.self.(*Str).s, nil
		}
	case KindTuple:
		s.less = lessTuples
	}
}

// lessTuples compares tuples, as most keys of several parts are: the first items
// that differ decide.
func lessTuples(t *Thread, v, w Value) (bool, *Exception) {
	a, b := v.o.self.(*Tuple).items, w.o.self.(*Tuple).items
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		if r, ok := compareScalars(Lt, a[i], b[i]); ok {
			if r == True {
				return true, nil
			}
			if r, _ := compareScalars(Eq, a[i], b[i]); r == True {
				continue
			}
			return false, nil
		}
		return t.Less(v, w)
	}
	return len(a) < len(b), nil
}

const runLength = 12 // up to so many, insertion is faster than merging

func (s *sorter) run() *Exception {
	s.choose()
	n := len(s.items)
	if n < 64 {
		return s.small()
	}
	if sorted, x := s.ascending(); sorted || x != nil {
		return x
	}
	for a := 0; a < n; a += runLength {
		if x := s.insertion(a, min(a+runLength, n)); x != nil {
			return x
		}
	}
	if n <= runLength {
		return nil
	}
	items, keys := make([]Value, n), []Value(nil)
	if s.keys != nil {
		keys = make([]Value, n)
	}
	for size := runLength; size < n; size *= 2 {
		for a := 0; a+size < n; a += 2 * size {
			if x := s.merge(a, a+size, min(a+2*size, n), items, keys); x != nil {
				return x
			}
		}
	}
	return nil
}

// small sorts as CPython sorts a list of less than 64 items, comparison by
// comparison, so that the same pair raises the same error: the run at the front,
// then binary insertion.
func (s *sorter) small() *Exception {
	keys := s.sortKeys()
	run, x := s.countRun(keys)
	if x != nil {
		return x
	}
	for i := run; i < len(keys); i++ {
		k, v := keys[i], s.items[i]
		low, high := 0, i
		for low < high {
			if x := s.t.Charge(1); x != nil {
				return x
			}
			mid := int(uint(low+high) >> 1)
			less, x := s.less(s.t, k, keys[mid])
			if x != nil {
				return x
			}
			if less {
				high = mid
			} else {
				low = mid + 1
			}
		}
		copy(s.items[low+1:i+1], s.items[low:i])
		if s.keys != nil {
			copy(s.keys[low+1:i+1], s.keys[low:i])
		}
		s.place(low, k, v)
	}
	return nil
}

// countRun gives the length of the ascending run at the front; a strictly
// descending one is reversed.
func (s *sorter) countRun(keys []Value) (int, *Exception) {
	if len(keys) < 2 {
		return len(keys), nil
	}
	down, x := s.less(s.t, keys[1], keys[0])
	if x != nil {
		return 0, x
	}
	n := 2
	for ; n < len(keys); n++ {
		if x := s.t.Charge(1); x != nil {
			return 0, x
		}
		less, x := s.less(s.t, keys[n], keys[n-1])
		if x != nil {
			return 0, x
		}
		if less != down {
			break
		}
	}
	if down {
		reverseValues(s.items[:n])
		if s.keys != nil {
			reverseValues(s.keys[:n])
		}
	}
	return n, nil
}

// ascending reports whether nothing is to be done: the case CPython finds in one
// pass too.
func (s *sorter) ascending() (bool, *Exception) {
	keys := s.sortKeys()
	for i := 1; i < len(keys); i++ {
		if x := s.t.Charge(1); x != nil {
			return false, x
		}
		less, x := s.less(s.t, keys[i], keys[i-1])
		if less || x != nil {
			return false, x
		}
	}
	return true, nil
}

func (s *sorter) insertion(a, b int) *Exception {
	keys := s.sortKeys()
	for i := a + 1; i < b; i++ {
		k, v := keys[i], s.items[i]
		j := i
		for ; j > a; j-- {
			if x := s.t.Charge(1); x != nil {
				return x
			}
			less, x := s.less(s.t, k, keys[j-1])
			if x != nil {
				s.place(j, k, v)
				return x
			}
			if !less {
				break
			}
			s.items[j] = s.items[j-1]
			keys[j] = keys[j-1]
		}
		s.place(j, k, v)
	}
	return nil
}

// place puts an item with its key into a free place.
func (s *sorter) place(j int, k, v Value) {
	s.sortKeys()[j] = k
	s.items[j] = v
}

// merge joins two sorted runs through a buffer. If a comparison raises, the items
// are left as a permutation, as in CPython.
func (s *sorter) merge(a, m, b int, items, keys []Value) *Exception {
	all := s.sortKeys()
	if less, x := s.less(s.t, all[m], all[m-1]); x != nil || !less {
		return x
	}
	n := m - a
	copy(items, s.items[a:m])
	left := items[:n]
	if s.keys != nil {
		copy(keys, s.keys[a:m])
		left = keys[:n]
	}
	i, j, k := 0, m, a
	var raised *Exception
	for i < n && j < b && raised == nil {
		if raised = s.t.Charge(1); raised != nil {
			break
		}
		less, x := s.less(s.t, all[j], left[i])
		if x != nil {
			raised = x
			break
		}
		if less {
			s.items[k] = s.items[j]
			if s.keys != nil {
				s.keys[k] = s.keys[j]
			}
			j++
		} else {
			s.items[k] = items[i]
			if s.keys != nil {
				s.keys[k] = keys[i]
			}
			i++
		}
		k++
	}
	copy(s.items[k:], items[i:n])
	if s.keys != nil {
		copy(s.keys[k:], keys[i:n])
	}
	return raised
}

// sorted is sorted().
func (t *Thread) sorted(v, key, reverse Value) (Value, *Exception) {
	items, x := t.Items(v)
	if x != nil {
		return Value{}, x
	}
	r := NewList(items)
	defer t.Unpin(t.Pin(r))
	return r, t.Sort(items, key, reverse)
}
