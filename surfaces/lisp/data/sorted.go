package data

// Order is how a sorted map or set compares its keys.
type Order struct {
	// Compare orders two keys: negative, zero or positive.
	Compare func(t *Thread, a, b Value) int
	// Natural says that the order is that of compare.
	Natural bool
}

// Natural is the order of compare.
var Natural = &Order{Compare: Compare, Natural: true}

// NewSortedMap makes an empty sorted map.
func NewSortedMap(by *Order) *Map {
	m := newMap()
	m.by = by
	return m
}

// tree is a balanced tree (AVL) of keys; nil is the empty one.
type tree struct {
	key, val    Value
	left, right *tree
	height      int
}

const treeBytes = 64

func (n *tree) find(t *Thread, by *Order, k Value) *tree {
	for n != nil {
		t.Charge(1)
		switch c := by.Compare(t, k, n.key); {
		case c == 0:
			return n
		case c < 0:
			n = n.left
		default:
			n = n.right
		}
	}
	return nil
}

func (n *tree) tall() int {
	if n == nil {
		return 0
	}
	return n.height
}

func newTree(t *Thread, k, v Value, left, right *tree) *tree {
	t.Alloc(treeBytes)
	return &tree{key: k, val: v, left: left, right: right, height: 1 + max(left.tall(), right.tall())}
}

// balanced makes a tree of parts whose heights differ by two at most.
func balanced(t *Thread, k, v Value, left, right *tree) *tree {
	switch d := left.tall() - right.tall(); {
	case d > 1:
		if left.left.tall() >= left.right.tall() {
			return newTree(t, left.key, left.val, left.left, newTree(t, k, v, left.right, right))
		}
		m := left.right
		return newTree(t, m.key, m.val, newTree(t, left.key, left.val, left.left, m.left), newTree(t, k, v, m.right, right))
	case d < -1:
		if right.right.tall() >= right.left.tall() {
			return newTree(t, right.key, right.val, newTree(t, k, v, left, right.left), right.right)
		}
		m := right.left
		return newTree(t, m.key, m.val, newTree(t, k, v, left, m.left), newTree(t, right.key, right.val, m.right, right.right))
	}
	return newTree(t, k, v, left, right)
}

func (n *tree) with(t *Thread, by *Order, k, v Value) (*tree, bool) {
	if n == nil {
		by.Compare(t, k, k) // a key that cannot be compared is refused at once
		return newTree(t, k, v, nil, nil), true
	}
	switch c := by.Compare(t, k, n.key); {
	case c == 0:
		return newTree(t, n.key, v, n.left, n.right), false
	case c < 0:
		left, added := n.left.with(t, by, k, v)
		return balanced(t, n.key, n.val, left, n.right), added
	default:
		right, added := n.right.with(t, by, k, v)
		return balanced(t, n.key, n.val, n.left, right), added
	}
}

// without removes a key that is there.
func (n *tree) without(t *Thread, by *Order, k Value) *tree {
	switch c := by.Compare(t, k, n.key); {
	case c < 0:
		return balanced(t, n.key, n.val, n.left.without(t, by, k), n.right)
	case c > 0:
		return balanced(t, n.key, n.val, n.left, n.right.without(t, by, k))
	}
	if n.left == nil {
		return n.right
	}
	if n.right == nil {
		return n.left
	}
	least := n.right
	for least.left != nil {
		least = least.left
	}
	return balanced(t, least.key, least.val, n.left, n.right.withoutFirst(t))
}

func (n *tree) withoutFirst(t *Thread) *tree {
	if n.left == nil {
		return n.right
	}
	return balanced(t, n.key, n.val, n.left.withoutFirst(t), n.right)
}

func (n *tree) each(t *Thread, f func(k, v Value) bool) bool {
	if n == nil {
		return true
	}
	t.Charge(1)
	return n.left.each(t, f) && f(n.key, n.val) && n.right.each(t, f)
}

// Emptied gives an empty map of the same order.
func (m *Map) Emptied() *Map { return NewSortedMap(m.by) }

// Emptied gives an empty set of the same order.
func (s *Set) Emptied() *Set { return NewSortedSet(s.m.by) }
