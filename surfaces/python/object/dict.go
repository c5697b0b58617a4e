package object

// entry is a key with its value; a deleted one has no key.
type entry struct {
	hash uint64
	key  Value
	val  Value
}

// Dict is a dict: a compact table in the order of insertion, with an index of open
// addressing once it has more than a few entries.
type Dict struct {
	Obj
	entries []entry
	index   []int32 // 0 free, -1 deleted, else entry+1
	gone    int     // deleted places of the index
	used    int
	changes uint32 // of the keys
	// Guard is set on the rows of tools: it answers attributes and names the
	// nearest field of a missing key. nil on a program's own dicts.
	Guard Guard
}

// Guard is what a session attaches to the rows of tools.
type Guard interface {
	// Attr reads a field as an attribute; ok is false where there is none.
	Attr(t *Thread, d *Dict, name string) (v Value, ok bool, raised *Exception)
	// MissingKey makes the KeyError of a field that is not there.
	MissingKey(t *Thread, d *Dict, key Value) *Exception
	// Missed takes note of a field that was asked for with a default and is not there.
	Missed(key Value)
}

const (
	dictSize  = 112
	entrySize = 48
	fewKeys   = 8 // up to so many, a scan is faster than an index
)

func newDict() *Dict {
	d := &Dict{}
	d.kind, d.self = KindDict, d
	return d
}

// NewDict makes an empty dict.
func NewDict() *Dict { return newDict() }

// Dict charges for an empty dict with room for n entries and makes it.
func (t *Thread) Dict(n int) (*Dict, *Exception) {
	if x := t.Alloc(dictSize + n*entrySize); x != nil {
		return nil, x
	}
	d := newDict()
	if n > 0 {
		d.entries = make([]entry, 0, n)
	}
	return d, nil
}

// DictOf gives the dict behind a value: of class dict or of a subclass.
func DictOf(v Value) (*Dict, bool) {
	if v.isKind(KindInstance) {
		v = v.o.self.(*Instance).Payload
	}
	return v.Dict()
}

// Value gives the dict as a value.
func (d *Dict) Value() Value { return Value{o: &d.Obj} }

// Len counts the keys.
func (d *Dict) Len() int { return d.used }

// mix spreads a hash over the index.
func mix(h uint64) uint64 { return h * 0x9E3779B97F4A7C15 >> 20 }

// sameKey compares keys of equal hash where no code of the program can be
// involved; sure is false where [Thread.Equal] must decide.
func sameKey(a, b Value) (same, sure bool) {
	if a == b {
		return true, true
	}
	if a.o.kind == KindStr && b.o.kind == KindStr {
		return a.o.self.(*Str).s == b.o.self.(*Str).s, true
	}
	if a.o == &headInt && b.o == &headInt {
		return false, true
	}
	return false, false
}

// find gives the entry of a key, -1 if there is none.
func (d *Dict) find(t *Thread, h uint64, key Value) (int, *Exception) {
	if d.index == nil {
		for i := range d.entries {
			e := &d.entries[i]
			if e.hash != h || !e.key.IsSet() {
				continue
			}
			same, sure := sameKey(e.key, key)
			if !sure {
				return d.findSlow(t, h, key)
			}
			if same {
				return i, nil
			}
		}
		return -1, nil
	}
	mask := uint64(len(d.index) - 1)
	probes := 0
	for i := mix(h) & mask; ; i = (i + 1) & mask {
		x := d.index[i]
		if x == 0 {
			return -1, nil
		}
		if x < 0 {
			continue
		}
		e := &d.entries[x-1]
		if e.hash == h {
			same, sure := sameKey(e.key, key)
			if !sure {
				return d.findSlow(t, h, key)
			}
			if same {
				return int(x - 1), nil
			}
		}
		if probes++; probes&31 == 0 {
			// Only keys made to collide come here often: the work is theirs.
			if y := t.Charge(8); y != nil {
				return -1, y
			}
		}
	}
}

// findSlow finds a key whose comparison may run code of the program, which may
// change the dict meanwhile: then the search begins again.
func (d *Dict) findSlow(t *Thread, h uint64, key Value) (int, *Exception) {
	for {
		changes := d.changes
		at, again, x := d.search(t, h, key, changes)
		if x != nil || !again {
			return at, x
		}
		if x := t.Charge(int64(len(d.entries)) + 1); x != nil {
			return -1, x
		}
	}
}

func (d *Dict) search(t *Thread, h uint64, key Value, changes uint32) (at int, again bool, raised *Exception) {
	check := func(i int) (bool, bool, *Exception) {
		e := d.entries[i]
		if e.hash != h || !e.key.IsSet() {
			return false, false, nil
		}
		if x := t.Charge(1); x != nil {
			return false, false, x
		}
		eq, x := t.Equal(e.key, key)
		return eq, d.changes != changes, x
	}
	if d.index == nil {
		for i := 0; i < len(d.entries); i++ {
			if hit, again, x := check(i); hit || again || x != nil {
				return i, again, x
			}
		}
		return -1, false, nil
	}
	mask := uint64(len(d.index) - 1)
	for i := mix(h) & mask; ; i = (i + 1) & mask {
		x := d.index[i]
		if x == 0 {
			return -1, false, nil
		}
		if x < 0 {
			continue
		}
		if hit, again, y := check(int(x - 1)); hit || again || y != nil {
			return int(x - 1), again, y
		}
	}
}

// insert adds a key that is not there.
func (d *Dict) insert(t *Thread, h uint64, key, val Value) *Exception {
	if len(d.entries) == cap(d.entries) {
		if x := d.grow(t); x != nil {
			return x
		}
	}
	d.entries = append(d.entries, entry{h, key, val})
	d.used++
	d.changes++
	if d.index != nil {
		d.link(len(d.entries) - 1)
	} else if len(d.entries) > fewKeys {
		return d.reindex(t)
	}
	return nil
}

// link enters an entry into the index.
func (d *Dict) link(i int) {
	mask := uint64(len(d.index) - 1)
	at := mix(d.entries[i].hash) & mask
	for d.index[at] > 0 {
		at = (at + 1) & mask
	}
	if d.index[at] < 0 {
		d.gone--
	}
	d.index[at] = int32(i + 1)
}

// grow makes room for another entry, or takes out the deleted ones.
func (d *Dict) grow(t *Thread) *Exception {
	if d.used < len(d.entries)*3/4 {
		return d.compact(t)
	}
	room := max(4, 2*len(d.entries))
	if room > 1<<30 {
		return t.Raise(MemoryError, "")
	}
	if x := t.Alloc(room * entrySize); x != nil {
		return x
	}
	entries := make([]entry, len(d.entries), room)
	copy(entries, d.entries)
	d.entries = entries
	if room > fewKeys {
		return d.reindex(t)
	}
	return nil
}

// compact takes out the deleted entries.
func (d *Dict) compact(t *Thread) *Exception {
	if x := t.Charge(int64(len(d.entries) >> 3)); x != nil {
		return x
	}
	d.squeeze()
	if d.index != nil {
		return d.reindex(t)
	}
	return nil
}

// reindex builds the index for all the room there is.
func (d *Dict) reindex(t *Thread) *Exception {
	size := 32
	for size < 2*cap(d.entries) {
		size *= 2
	}
	if size == len(d.index) {
		clear(d.index)
	} else {
		if x := t.Alloc(4 * size); x != nil {
			return x
		}
		d.index = make([]int32, size)
	}
	d.relink()
	return nil
}

// relink enters every entry into an empty index.
func (d *Dict) relink() {
	d.gone = 0
	for i := range d.entries {
		if d.entries[i].key.IsSet() {
			d.link(i)
		}
	}
}

// unlink takes an entry out of the index.
func (d *Dict) unlink(i int) {
	mask := uint64(len(d.index) - 1)
	at := mix(d.entries[i].hash) & mask
	for d.index[at] != int32(i+1) {
		at = (at + 1) & mask
	}
	d.index[at] = -1
	d.gone++
}

// Get gives the value of a key; ok is false if it is not there.
func (d *Dict) Get(t *Thread, key Value) (v Value, ok bool, raised *Exception) {
	h, x := t.Hash(key)
	if x != nil {
		return Value{}, false, x
	}
	i, x := d.find(t, h, key)
	if x != nil || i < 0 {
		return Value{}, false, x
	}
	return d.entries[i].val, true, nil
}

// Set sets a key.
func (d *Dict) Set(t *Thread, key, val Value) *Exception {
	h, x := t.Hash(key)
	if x != nil {
		return x
	}
	return d.setHash(t, h, key, val)
}

func (d *Dict) setHash(t *Thread, h uint64, key, val Value) *Exception {
	i, x := d.find(t, h, key)
	if x != nil {
		return x
	}
	if i >= 0 {
		d.entries[i].val = val
		return nil
	}
	return d.insert(t, h, key, val)
}

// Delete removes a key and gives its value; ok is false if it is not there.
func (d *Dict) Delete(t *Thread, key Value) (v Value, ok bool, raised *Exception) {
	h, x := t.Hash(key)
	if x != nil {
		return Value{}, false, x
	}
	i, x := d.find(t, h, key)
	if x != nil || i < 0 {
		return Value{}, false, x
	}
	return d.removeAt(i), true, nil
}

// removeAt removes an entry that is there.
func (d *Dict) removeAt(i int) Value {
	v := d.entries[i].val
	if d.index != nil {
		d.unlink(i)
	}
	d.entries[i].key, d.entries[i].val = Value{}, Value{}
	d.used--
	d.changes++
	if d.used == 0 {
		d.Clear()
		return v
	}
	for n := len(d.entries); n > 0 && !d.entries[n-1].key.IsSet(); n-- {
		d.entries = d.entries[:n-1]
	}
	switch {
	case d.index == nil && len(d.entries) > 2*d.used+fewKeys:
		d.squeeze() // a scan must not pass ever more deleted entries
	case d.index != nil && d.gone > len(d.index)/4:
		clear(d.index)
		d.relink()
	}
	return v
}

// squeeze takes out the deleted entries; the index must be built anew after it.
func (d *Dict) squeeze() {
	kept := d.entries[:0]
	for _, e := range d.entries {
		if e.key.IsSet() {
			kept = append(kept, e)
		}
	}
	clear(d.entries[len(kept):])
	d.entries = kept
	d.changes++
}

// Clear removes all keys.
func (d *Dict) Clear() {
	d.entries, d.index, d.used, d.gone = nil, nil, 0, 0
	d.changes++
}

// Entry gives the key and value at a position of the table; the key is unset
// where one was deleted. Positions go up to [Dict.Room].
func (d *Dict) Entry(i int) (key, val Value) { return d.entries[i].key, d.entries[i].val }

// Room is the number of positions of the table, deleted ones included.
func (d *Dict) Room() int { return len(d.entries) }

// last gives the position of the last key, -1 in an empty dict.
func (d *Dict) last() int { return len(d.entries) - 1 }

// copyOf gives a copy that has been charged.
func (d *Dict) copyOf(t *Thread) (*Dict, *Exception) {
	c, x := t.Dict(d.used)
	if x != nil {
		return nil, x
	}
	if x := t.Charge(int64(d.used) >> 2); x != nil {
		return nil, x
	}
	for _, e := range d.entries {
		if e.key.IsSet() {
			c.entries = append(c.entries, e)
		}
	}
	c.used = len(c.entries)
	if c.used > fewKeys {
		return c, c.reindex(t)
	}
	return c, nil
}

// GetName gives the value of a string key.
func (d *Dict) GetName(name string) (Value, bool) {
	if i := d.findName(name); i >= 0 {
		return d.entries[i].val, true
	}
	return Value{}, false
}

// findName finds a string key, without running any code of the program.
func (d *Dict) findName(name string) int {
	if d.index == nil {
		for i := range d.entries {
			e := &d.entries[i]
			if e.key.isKind(KindStr) && e.key.o.self.(*Str).s == name {
				return i
			}
		}
		return -1
	}
	key := Str{s: name}
	h := key.Hash()
	mask := uint64(len(d.index) - 1)
	for i := mix(h) & mask; ; i = (i + 1) & mask {
		x := d.index[i]
		if x == 0 {
			return -1
		}
		if x < 0 {
			continue
		}
		e := &d.entries[x-1]
		if e.hash == h && e.key.isKind(KindStr) && e.key.o.self.(*Str).s == name {
			return int(x - 1)
		}
	}
}

// SetName sets a string key.
func (d *Dict) SetName(t *Thread, name string, v Value) *Exception {
	if i := d.findName(name); i >= 0 {
		d.entries[i].val = v
		return nil
	}
	key := t.intern(name)
	return d.insert(t, key.o.self.(*Str).Hash(), key, v)
}

func (d *Dict) deleteName(name string) bool {
	i := d.findName(name)
	if i < 0 {
		return false
	}
	d.removeAt(i)
	return true
}
