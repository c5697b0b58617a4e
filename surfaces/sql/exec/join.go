package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// joinKind is how unmatched rows are treated.
type joinKind uint8

const (
	innerJoin joinKind = iota
	leftJoin
	fullJoin
	semiJoin // left rows that have a match, once
	antiJoin // left rows that have none
)

// joinKey is an equality between the sides.
type joinKey struct {
	left, right expression
	nullSafe    bool // IS NOT DISTINCT FROM
}

// join pairs the rows of its left side, in their order, with those of its right
// side, which is read whole first. Without keys every right row is a candidate.
type join struct {
	kind        joinKind
	left, right operator
	rightTypes  []pgcat.OID
	leftTypes   []pgcat.OID
	keys        []joinKey
	residual    expression // on left and right columns side by side
	residualUse []int      // which columns of these it reads
	output      []int      // which of these columns the join gives
	label       *joinCount // for the message of a join that explodes

	// depends are the parameters that the right side reads.
	depends dependence

	store *rowStore
	index joinIndex

	cur       *vector.Batch
	rows      []int32 // of cur
	at        int     // of rows
	candidate int32   // where the current row's candidates go on; -2 before them
	found     []int32 // cur's candidates in the index, by position in rows
	pairs     pairList
	kept      pairList
	matched   bool          // the current row has a match already
	rightSeen vector.Bitmap // right rows that have a match, for a full join
	tail      int           // of the unmatched right rows
	combined  vector.Batch
	out       vector.Batch
	passed    []int32
	charged   bool
	done      bool
}

// pairList are candidates: right is vector.Absent at the end of a left row's.
type pairList struct{ left, right []int32 }

func (p *pairList) reset() { p.left, p.right = p.left[:0], p.right[:0] }
func (p *pairList) add(left, right int32) {
	p.left, p.right = append(p.left, left), append(p.right, right)
}

const (
	noCandidate int32 = -1
	notStarted  int32 = -2
)

func (j *join) open(x *run) error {
	if !j.charged {
		bytes := int64(vector.Size * 4 * 6)
		for _, c := range j.output {
			bytes += vector.Bytes(j.columnType(c), vector.Size)
		}
		for _, c := range j.residualUse {
			bytes += vector.Bytes(j.columnType(c), vector.Size)
		}
		if err := x.env.Meter.Alloc(bytes); err != nil {
			return err
		}
		j.charged = true
	}
	j.cur, j.done, j.tail = nil, false, 0
	if !j.depends.holds(x) {
		if err := j.build(x); err != nil {
			return err
		}
	}
	if j.kind == fullJoin {
		j.rightSeen = vector.NewBitmap(j.store.n)
	}
	return j.left.open(x)
}

func (j *join) columnType(c int) pgcat.OID {
	if c < len(j.leftTypes) {
		return j.leftTypes[c]
	}
	return j.rightTypes[c-len(j.leftTypes)]
}

// build reads the right side and indexes it.
func (j *join) build(x *run) error {
	if j.store != nil {
		j.store.release(x)
	}
	j.index.release(x)
	if err := j.right.open(x); err != nil {
		return err
	}
	store, err := whole(x, j.right, j.rightTypes)
	if err != nil {
		return err
	}
	j.store = store
	j.depends.computed(x)
	if j.label != nil {
		j.label.right = max(j.label.right, int64(store.n))
	}
	return j.index.build(x, store, j.keys)
}

func (j *join) next(x *run) (*vector.Batch, error) {
	for !j.done {
		if j.cur == nil {
			if err := j.pull(x); err != nil {
				return nil, err
			}
			continue
		}
		if err := j.collect(x); err != nil {
			return nil, err
		}
		b, err := j.emit(x)
		if err != nil {
			return nil, err
		}
		if j.at >= len(j.rows) {
			j.cur = nil
		}
		if b != nil {
			return b, nil
		}
	}
	return j.unmatchedRight(x)
}

// pull takes the next left batch and finds where the candidates begin.
func (j *join) pull(x *run) error {
	b, err := j.left.next(x)
	if err != nil {
		return err
	}
	if b == nil {
		j.done = true
		return nil
	}
	j.cur, j.rows, j.at, j.candidate, j.matched = b, rowsOf(b), 0, notStarted, false
	if j.label != nil {
		j.label.left += int64(len(j.rows))
	}
	if len(j.keys) == 0 {
		return nil
	}
	if cap(j.found) < vector.Size {
		j.found = make([]int32, vector.Size)
	}
	j.found = j.found[:len(j.rows)]
	return j.index.find(x, b, j.keys, j.rows, j.found)
}

// collect fills the list of pairs up to a batch.
func (j *join) collect(x *run) error {
	if j.pairs.left == nil {
		j.pairs = pairList{make([]int32, 0, vector.Size), make([]int32, 0, vector.Size)}
		j.kept = pairList{make([]int32, 0, vector.Size), make([]int32, 0, vector.Size)}
	}
	j.pairs.reset()
	ends := j.kind != innerJoin
	for j.at < len(j.rows) && len(j.pairs.left) < vector.Size {
		if j.candidate == notStarted {
			j.candidate = j.first()
		}
		row := j.rows[j.at]
		for j.candidate >= 0 && len(j.pairs.left) < vector.Size {
			j.pairs.add(row, j.candidate)
			j.candidate = j.following(j.candidate)
		}
		if j.candidate >= 0 || ends && len(j.pairs.left) == vector.Size {
			break
		}
		if ends {
			j.pairs.add(row, vector.Absent)
		}
		j.candidate = notStarted
		j.at++
	}
	if j.label != nil {
		j.label.pairs += int64(len(j.pairs.left))
	}
	return j.charge(x, int64(len(j.pairs.left)))
}

func (j *join) first() int32 {
	if len(j.keys) == 0 {
		if j.store.n == 0 {
			return noCandidate
		}
		return 0
	}
	return j.found[j.at]
}

func (j *join) following(c int32) int32 {
	if len(j.keys) == 0 {
		if int(c)+1 < j.store.n {
			return c + 1
		}
		return noCandidate
	}
	return j.index.next[c]
}

// emit turns the collected pairs into rows.
func (j *join) emit(x *run) (*vector.Batch, error) {
	if len(j.pairs.left) == 0 {
		return nil, nil
	}
	if j.residual == nil && j.kind == innerJoin {
		return j.gather(&j.pairs), nil
	}
	passed := j.passed[:0]
	if j.residual != nil {
		var err error
		if passed, err = j.filter(x); err != nil {
			return nil, err
		}
		j.passed = passed
	}
	j.resolve(passed)
	if len(j.kept.left) == 0 {
		return nil, nil
	}
	return j.gather(&j.kept), nil
}

// filter gives the pairs at which the residual condition holds.
func (j *join) filter(x *run) ([]int32, error) {
	if j.combined.Columns == nil {
		j.combined.Columns = make([]*vector.Column, len(j.leftTypes)+len(j.rightTypes))
		for _, c := range j.residualUse {
			j.combined.Columns[c] = vector.Make(j.columnType(c), 0)
		}
		j.passed = make([]int32, 0, vector.Size)
	}
	for _, c := range j.residualUse {
		j.gatherColumn(j.combined.Columns[c], c, &j.pairs)
	}
	j.combined.N = len(j.pairs.left)
	rows := identity[:len(j.pairs.left)]
	if j.kind != innerJoin {
		real := j.passed[:0]
		for k, r := range j.pairs.right {
			if r >= 0 {
				real = append(real, int32(k))
			}
		}
		rows = real
		if len(rows) == 0 {
			return rows, nil
		}
	}
	c, err := j.residual.eval(x, &j.combined, rows)
	if err != nil {
		return nil, err
	}
	return pass(c, rows, j.passed), nil
}

// resolve decides what each left row gives: its matches, one of them, or itself.
func (j *join) resolve(passed []int32) {
	j.kept.reset()
	p := 0
	for k, right := range j.pairs.right {
		left := j.pairs.left[k]
		if right == vector.Absent {
			if !j.matched && (j.kind == leftJoin || j.kind == fullJoin || j.kind == antiJoin) {
				j.kept.add(left, vector.Absent)
			}
			j.matched = false
			continue
		}
		if j.residual != nil {
			if p >= len(passed) || passed[p] != int32(k) {
				continue
			}
			p++
		}
		switch j.kind {
		case semiJoin:
			if !j.matched {
				j.kept.add(left, right)
			}
		case antiJoin:
		case fullJoin:
			j.rightSeen.Set(int(right))
			j.kept.add(left, right)
		default:
			j.kept.add(left, right)
		}
		j.matched = true
	}
}

// gather makes the output rows of a list of pairs.
func (j *join) gather(p *pairList) *vector.Batch {
	if j.out.Columns == nil {
		j.out.Columns = make([]*vector.Column, len(j.output))
		for i, c := range j.output {
			j.out.Columns[i] = vector.Make(j.columnType(c), 0)
		}
	}
	for i, c := range j.output {
		j.gatherColumn(j.out.Columns[i], c, p)
	}
	j.out.N, j.out.Rows = len(p.left), nil
	return &j.out
}

func (j *join) gatherColumn(dst *vector.Column, c int, p *pairList) {
	if c < len(j.leftTypes) {
		vector.Gather(dst, j.cur.Columns[c], p.left)
		return
	}
	vector.Gather(dst, j.store.columns[c-len(j.leftTypes)], p.right)
}

// unmatchedRight gives the right rows of a full join that no left row matched.
func (j *join) unmatchedRight(x *run) (*vector.Batch, error) {
	if j.kind != fullJoin || j.tail >= j.store.n {
		return nil, nil
	}
	j.kept.reset()
	for j.tail < j.store.n && len(j.kept.left) < vector.Size {
		if !j.rightSeen.Has(j.tail) {
			j.kept.add(vector.Absent, int32(j.tail))
		}
		j.tail++
	}
	if err := j.charge(x, int64(len(j.kept.left))); err != nil {
		return nil, err
	}
	if j.cur == nil {
		j.cur = j.emptyLeft()
	}
	return j.gather(&j.kept), nil
}

// emptyLeft stands for a left batch when only its absence is needed.
func (j *join) emptyLeft() *vector.Batch {
	b := &vector.Batch{}
	for _, t := range j.leftTypes {
		b.Columns = append(b.Columns, vector.Make(t, 0))
	}
	return b
}
