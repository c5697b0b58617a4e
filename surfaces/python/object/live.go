package object

// The account of live memory. Charges only ever add up, and a program that makes
// many short-lived values would soon be out of them; so when a program reaches
// its limit, what it can still reach is measured, and the rest is given back.
// Every root is known: the engine's variables and stacks, and what natives pin
// while they gather values. The measure costs fuel, and if little was free the
// program has reached its limit.

// reclaim gives back the bytes of values that can no longer be reached.
func (t *Thread) reclaim() *Exception {
	live, visited := t.measure()
	if err := t.Meter.Charge(visited / 4); err != nil {
		return limit(err)
	}
	used := t.Meter.Usage().Memory
	most := t.Meter.Limits().Memory
	if live > most*3/4 {
		return nil
	}
	t.live = live
	t.Meter.Release(used - live)
	t.credit = min(t.credit, 0)
	return nil
}

// Live gives the bytes of all values that can be reached, in the same measure as
// the charges.
func (t *Thread) Live() int64 {
	n, _ := t.measure()
	return n
}

// Size gives the bytes of what can be reached from a value, in the same measure as
// the charges. It stops counting past most. What an earlier call of the same sum
// has counted is not counted again; a sum begins with [Thread.BeginSize].
func (t *Thread) Size(v Value, most int64) int64 {
	m := &measurer{epoch: t.epoch}
	m.visit(v)
	for len(m.todo) > 0 && m.bytes <= most {
		v := m.todo[len(m.todo)-1]
		m.todo = m.todo[:len(m.todo)-1]
		m.bytes += int64(m.size(v))
	}
	return m.bytes
}

// BeginSize begins a sum of sizes.
func (t *Thread) BeginSize() { t.epoch++ }

// measure walks over all that can be reached, without recursion.
func (t *Thread) measure() (bytes, visited int64) {
	t.epoch++
	m := &measurer{epoch: t.epoch}
	if t.Engine != nil {
		t.Engine.Roots(m.visit)
	}
	for _, v := range t.pinned {
		m.visit(v)
	}
	for _, v := range t.argStack[:t.argTop] {
		m.visit(v)
	}
	for _, x := range t.Handled {
		m.visit(x.Value())
	}
	for len(m.todo) > 0 {
		v := m.todo[len(m.todo)-1]
		m.todo = m.todo[:len(m.todo)-1]
		m.bytes += int64(m.size(v))
		m.count++
	}
	return m.bytes + t.built, m.count
}

type measurer struct {
	epoch uint32
	todo  []Value
	bytes int64
	count int64
}

// visit notes a value that is met for the first time.
func (m *measurer) visit(v Value) {
	if v.o == nil || v.o.self == nil {
		return
	}
	switch v.o.kind {
	case KindBuiltin, KindModule:
		return
	case KindStr:
		// A leaf that threads may share is not marked: counted where it is held.
		m.bytes += int64(strSize + len(v.o.self.(*Str).s))
		return
	case KindClass:
		if !v.o.self.(*Class).Heap {
			return
		}
	}
	if v.o.mark == m.epoch {
		return
	}
	v.o.mark = m.epoch
	m.todo = append(m.todo, v)
}

func (m *measurer) visitDict(d *Dict) int {
	for i := range d.entries {
		m.visit(d.entries[i].key)
		m.visit(d.entries[i].val)
	}
	return dictSize + cap(d.entries)*entrySize + 4*len(d.index)
}

// size gives a value's own bytes and notes what it holds.
func (m *measurer) size(v Value) int {
	switch o := v.o.self.(type) {
	case *BigInt:
		return 48 + o.n.BitLen()/8
	case *Bytes:
		return strSize + len(o.s)
	case *List:
		for _, e := range o.items {
			m.visit(e)
		}
		return listSize + cap(o.items)*valueSize
	case *Tuple:
		for _, e := range o.items {
			m.visit(e)
		}
		return tupleSize + cap(o.items)*valueSize
	case *Dict:
		return m.visitDict(o)
	case *Set:
		return m.visitDict(&o.d) + setSize - dictSize
	case *Slice:
		m.visit(o.Start)
		m.visit(o.Stop)
		m.visit(o.Step)
		return 96
	case *Instance:
		m.visit(o.Payload)
		m.visit(o.Cls.Value())
		if o.Attrs != nil {
			m.visit(o.Attrs.Value())
		}
		return instanceSize - dictSize
	case *Method:
		m.visit(o.Self)
		m.visit(o.Func)
		return 64
	case *Function:
		if o.Attrs != nil {
			m.visit(o.Attrs.Value())
		}
		return 160 + o.Code.Children(m.visit)
	case *Class:
		for _, n := range o.Attrs.names {
			m.visit(o.Attrs.values[n])
		}
		for _, b := range o.Bases {
			m.visit(b.Value())
		}
		for _, k := range o.subs { // which a class keeps alive
			m.visit(k.Value())
		}
		return 900 + 64*len(o.Attrs.names)
	case *Exception:
		return BaseException.Own.Children(v, m.visit)
	}
	return m.native(v)
}

// native measures a value of a module's own type, and the iterators.
func (m *measurer) native(v Value) int {
	switch o := v.o.self.(type) {
	case *listIter:
		if o.l != nil {
			m.visit(o.l.Value())
		}
		return 48
	case *tupleIter:
		for _, e := range o.items[o.i:] {
			m.visit(e)
		}
		return 64
	case *dictIter:
		if o.d != nil {
			m.visit(o.d.Value())
		}
		return 80
	case *setIter:
		if o.s != nil {
			m.visit(o.s.Value())
		}
		return 64
	case *strIter:
		return 40 + len(o.s)
	case *enumerateIter:
		m.iterators(o.it)
		return 96
	case *zipIter:
		m.iterators(o.its...)
		return 80
	case *mapIter:
		m.visit(o.fn)
		m.iterators(o.its...)
		return 160
	case *filterIter:
		m.visit(o.fn)
		m.iterators(o.it)
		return 96
	case *reverseIter:
		m.visit(o.v)
		return 64
	case *asyncIter:
		m.visit(o.v)
		return 64
	case *indexIter:
		m.visit(o.v)
		return 64
	}
	if f := v.Class().slots.Children; f != nil {
		return f(v, m.visit)
	}
	return 64
}

func (m *measurer) iterators(its ...Iterator) {
	for _, it := range its {
		m.visit(IterValue(it))
	}
}
