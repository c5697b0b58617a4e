package module

import "github.com/polyglove/polyglove/surfaces/python/object"

func makeProduct(t *thread, c *class, a []value) (value, *exception) {
	times := int64(1)
	if v, ok := given(a, 0); ok {
		var x *exception
		if times, x = integer(t, v); x != nil {
			return value{}, x
		}
		if times < 0 {
			return raised(t.RaiseValue("repeat argument cannot be negative"))
		}
	}
	var pools [][]value
	for _, v := range a[1:] {
		items, x := t.Items(v)
		if x != nil {
			return value{}, x
		}
		pools = append(pools, items)
	}
	if x := t.Alloc(int(min(times, 1<<30)) * len(pools) * 32); x != nil {
		return value{}, x
	}
	one := pools
	pools = nil
	for range times {
		if len(one) == 0 {
			break
		}
		pools = append(pools, one...)
	}
	var index []int
	it := lazy(c, func(t *thread) (value, *exception) {
		if index == nil {
			for _, p := range pools {
				if len(p) == 0 {
					return value{}, nil
				}
			}
			index = make([]int, len(pools))
			return chosen(t, pools, index)
		}
		i := len(index) - 1
		for ; i >= 0; i-- {
			if index[i]++; index[i] < len(pools[i]) {
				break
			}
			index[i] = 0
		}
		if i < 0 {
			return value{}, nil
		}
		return chosen(t, pools, index)
	})
	it.holds = func(visit func(value)) {
		for _, p := range one {
			for _, v := range p {
				visit(v)
			}
		}
	}
	return object.Box(it), nil
}

// chosen makes a tuple of one value of each pool.
func chosen(t *thread, pools [][]value, index []int) (value, *exception) {
	if x := t.Charge(int64(len(index) >> 2)); x != nil {
		return value{}, x
	}
	row := make([]value, len(index))
	for i, k := range index {
		row[i] = pools[i][k]
	}
	return t.Tuple(row...)
}

// picked makes a tuple of the values at some places of one pool.
func picked(t *thread, pool []value, index []int) (value, *exception) {
	if x := t.Charge(int64(len(index) >> 2)); x != nil {
		return value{}, x
	}
	row := make([]value, len(index))
	for i, k := range index {
		row[i] = pool[k]
	}
	return t.Tuple(row...)
}

// sizeOf reads how many to choose.
func sizeOf(t *thread, v value, what string) (int64, *exception) {
	if !isInt(v) && !v.Base().Is(object.True) && !v.Base().Is(object.False) {
		if what == "permutations" {
			return 0, t.RaiseType("Expected int as r")
		}
	}
	r, x := integer(t, v)
	if x != nil {
		return 0, x
	}
	if r < 0 {
		return 0, t.RaiseValue("r must be non-negative")
	}
	return r, nil
}

func makePermutations(t *thread, c *class, a []value) (value, *exception) {
	pool, x := t.Items(a[0])
	if x != nil {
		return value{}, x
	}
	n := len(pool)
	r := int64(n)
	if v, ok := optional(a, 1); ok {
		if r, x = sizeOf(t, v, "permutations"); x != nil {
			return value{}, x
		}
	}
	if x := t.Alloc(24 * n); x != nil {
		return value{}, x
	}
	var index, cycles []int
	it := lazy(c, func(t *thread) (value, *exception) {
		if index == nil {
			if r > int64(n) {
				return value{}, nil
			}
			index, cycles = make([]int, n), make([]int, r)
			for i := range index {
				index[i] = i
			}
			for i := range cycles {
				cycles[i] = n - i
			}
			return picked(t, pool, index[:r])
		}
		for i := int(r) - 1; i >= 0; i-- {
			if cycles[i]--; cycles[i] > 0 {
				j := n - cycles[i]
				index[i], index[j] = index[j], index[i]
				return picked(t, pool, index[:r])
			}
			first := index[i]
			copy(index[i:], index[i+1:])
			index[n-1] = first
			cycles[i] = n - i
			if x := t.Charge(int64(n-i) >> 2); x != nil {
				return value{}, x
			}
		}
		return value{}, nil
	}, pool...)
	return object.Box(it), nil
}

// makeCombinations is combinations, with replacement too.
func makeCombinations(t *thread, c *class, a []value, again bool) (value, *exception) {
	pool, x := t.Items(a[0])
	if x != nil {
		return value{}, x
	}
	r, x := sizeOf(t, a[1], "combinations")
	if x != nil {
		return value{}, x
	}
	n := len(pool)
	if again && n > 0 || int64(n) >= r {
		if x := t.Alloc(int(min(r, 1<<40)) * 8); x != nil {
			return value{}, x
		}
	}
	var index []int
	it := lazy(c, func(t *thread) (value, *exception) {
		if index == nil {
			if r > int64(n) && !again || again && n == 0 && r > 0 {
				return value{}, nil
			}
			index = make([]int, r)
			for i := range index {
				if !again {
					index[i] = i
				}
			}
			return picked(t, pool, index)
		}
		i := int(r) - 1
		for ; i >= 0; i-- {
			most := n - 1
			if !again {
				most = i + n - int(r)
			}
			if index[i] != most {
				break
			}
		}
		if i < 0 {
			return value{}, nil
		}
		index[i]++
		for j := i + 1; j < int(r); j++ {
			index[j] = index[j-1]
			if !again {
				index[j]++
			}
		}
		return picked(t, pool, index)
	}, pool...)
	return object.Box(it), nil
}
