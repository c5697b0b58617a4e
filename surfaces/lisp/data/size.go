package data

// Size estimates what a value keeps alive, in bytes, up to about most. What is
// shared counts once.
func Size(v Value, most int64) int64 {
	w := sizing{left: most, seen: map[*Head]bool{}}
	w.value(v)
	return most - w.left
}

type sizing struct {
	left int64
	seen map[*Head]bool
}

// Holder is a value of another package that keeps values alive.
type Holder interface{ Held() []Value }

func (w *sizing) value(v Value) {
	stack := []Value{v}
	for len(stack) > 0 && w.left > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		w.left -= 16
		if v.o == nil || v.Kind() <= KindChar || w.seen[v.o] {
			continue
		}
		w.seen[v.o] = true
		stack = w.parts(v, stack)
	}
	w.left = max(w.left, 0)
}

// parts charges an object and adds what it holds.
func (w *sizing) parts(v Value, stack []Value) []Value {
	switch x := v.Unbox().(type) {
	case *Text:
		w.left -= 64 + int64(len(x.S))
	case *Name:
		w.left -= 96
	case *Big:
		w.left -= 64 + int64(len(x.N.Bits()))*8
	case *Ratio:
		w.left -= 128 + int64(len(x.R.Num().Bits())+len(x.R.Denom().Bits()))*8
	case *Vector:
		w.left -= vectorBytes
		for i := 0; i < x.n; {
			b := x.blockAt(i)
			stack = append(stack, b...)
			i += len(b)
		}
	case *Map:
		w.left -= mapBytes
		if x.root != nil {
			w.left -= int64(x.n) * leafBytes
		}
		x.Each(Unmetered(), func(k, val Value) bool {
			stack = append(stack, k, val)
			return int64(len(stack)) < w.left
		})
	case *Set:
		w.left -= setBytes
		x.Each(Unmetered(), func(e Value) bool {
			stack = append(stack, e)
			return int64(len(stack)) < w.left
		})
	case *List:
		w.left -= 48
		stack = append(stack, x.items...)
	case *Cons:
		w.left -= 80
		stack = append(stack, x.first, x.rest)
	case *Lazy:
		w.left -= lazyBytes
		if x.step == nil {
			stack = append(stack, x.seq)
		}
	case *Chunk:
		w.left -= 80
		stack = append(append(stack, x.items...), x.rest)
	case Holder:
		w.left -= 96
		stack = append(stack, x.Held()...)
	default:
		w.left -= 128
	}
	return stack
}
