package vector

// Absent, as a row number of [Gather], stands for a row of NULLs.
const Absent int32 = -1

// Gather makes dst the given rows of src, in their order; [Absent] gives NULL.
// It allocates only when dst has no room; the caller has charged that.
func Gather(dst, src *Column, rows []int32) {
	dst.Type, dst.Class = src.Type, src.Class
	dst.Resize(len(rows))
	if src.Const || src.Len == 0 {
		gatherConst(dst, src, rows)
		return
	}
	switch dst.Class {
	case ClassBool:
		gather(dst.Bools, src.Bools, rows)
	case ClassInt:
		gather(dst.Ints, src.Ints, rows)
	case ClassFloat:
		gather(dst.Floats, src.Floats, rows)
	case ClassNumeric:
		gather(dst.Numerics, src.Numerics, rows)
	case ClassText:
		gather(dst.Texts, src.Texts, rows)
	case ClassInterval:
		gather(dst.Intervals, src.Intervals, rows)
	default:
		gather(dst.Objects, src.Objects, rows)
	}
	gatherNulls(dst, src, rows)
}

func gather[T any](dst, src []T, rows []int32) {
	for k, r := range rows {
		if r >= 0 {
			dst[k] = src[r]
		}
	}
}

func gatherNulls(dst, src *Column, rows []int32) {
	if src.Nulls == nil {
		for k, r := range rows {
			if r < 0 {
				dst.SetNull(k)
			}
		}
		return
	}
	for k, r := range rows {
		if r < 0 || src.Nulls.Has(int(r)) {
			dst.SetNull(k)
		}
	}
}

func gatherConst(dst, src *Column, rows []int32) {
	null := src.Len == 0 || src.Null(0)
	for k, r := range rows {
		if r < 0 || null {
			dst.SetNull(k)
			continue
		}
		dst.copyCell(k, src, 0)
	}
}

// copyCell copies a stored cell that is not NULL.
func (c *Column) copyCell(to int, src *Column, from int) {
	switch c.Class {
	case ClassBool:
		c.Bools[to] = src.Bools[from]
	case ClassInt:
		c.Ints[to] = src.Ints[from]
	case ClassFloat:
		c.Floats[to] = src.Floats[from]
	case ClassNumeric:
		c.Numerics[to] = src.Numerics[from]
	case ClassText:
		c.Texts[to] = src.Texts[from]
	case ClassInterval:
		c.Intervals[to] = src.Intervals[from]
	default:
		c.Objects[to] = src.Objects[from]
	}
}

// Copy sets row to of the column to a row of another column of the same class.
func (c *Column) Copy(to int, src *Column, row int) {
	if src.Null(row) {
		c.SetNull(to)
		return
	}
	c.Nulls.Clear(to)
	c.copyCell(to, src, src.At(row))
}

// Append adds rows of src at the end; nil rows are all of it. The caller has
// charged what it takes.
func (c *Column) Append(src *Column, rows []int32) {
	n := len(rows)
	if rows == nil {
		n = src.Len
	}
	before := c.Len
	c.extend(n)
	switch {
	case src.Const:
		for k := range n {
			c.Copy(before+k, src, 0)
		}
		return
	case rows == nil:
		c.appendAll(src, before)
	default:
		c.appendRows(src, before, rows)
	}
	if src.Nulls == nil {
		return
	}
	for k := range n {
		r := k
		if rows != nil {
			r = int(rows[k])
		}
		if src.Nulls.Has(r) {
			c.SetNull(before + k)
		}
	}
}

func (c *Column) appendAll(src *Column, at int) {
	switch c.Class {
	case ClassBool:
		copy(c.Bools[at:], src.Bools[:src.Len])
	case ClassInt:
		copy(c.Ints[at:], src.Ints[:src.Len])
	case ClassFloat:
		copy(c.Floats[at:], src.Floats[:src.Len])
	case ClassNumeric:
		copy(c.Numerics[at:], src.Numerics[:src.Len])
	case ClassText:
		copy(c.Texts[at:], src.Texts[:src.Len])
	case ClassInterval:
		copy(c.Intervals[at:], src.Intervals[:src.Len])
	default:
		copy(c.Objects[at:], src.Objects[:src.Len])
	}
}

func (c *Column) appendRows(src *Column, at int, rows []int32) {
	switch c.Class {
	case ClassBool:
		gather(c.Bools[at:], src.Bools, rows)
	case ClassInt:
		gather(c.Ints[at:], src.Ints, rows)
	case ClassFloat:
		gather(c.Floats[at:], src.Floats, rows)
	case ClassNumeric:
		gather(c.Numerics[at:], src.Numerics, rows)
	case ClassText:
		gather(c.Texts[at:], src.Texts, rows)
	case ClassInterval:
		gather(c.Intervals[at:], src.Intervals, rows)
	default:
		gather(c.Objects[at:], src.Objects, rows)
	}
}

// AppendDatum adds one value at the end.
func (c *Column) AppendDatum(d Datum) {
	c.extend(1)
	c.Set(c.Len-1, d)
}

// AppendNulls adds n NULLs at the end.
func (c *Column) AppendNulls(n int) {
	before := c.Len
	c.extend(n)
	if c.Nulls == nil {
		c.Nulls = NewBitmap(c.Len)
	}
	for i := before; i < c.Len; i++ {
		c.Nulls.Set(i)
	}
}

// Reserve makes room for n rows in all, so that appending up to there allocates
// nothing more. The caller has charged [Bytes].
func (c *Column) Reserve(n int) {
	switch c.Class {
	case ClassBool:
		c.Bools = reserve(c.Bools, n)
	case ClassInt:
		c.Ints = reserve(c.Ints, n)
	case ClassFloat:
		c.Floats = reserve(c.Floats, n)
	case ClassNumeric:
		c.Numerics = reserve(c.Numerics, n)
	case ClassText:
		c.Texts = reserve(c.Texts, n)
	case ClassInterval:
		c.Intervals = reserve(c.Intervals, n)
	default:
		c.Objects = reserve(c.Objects, n)
	}
}

func reserve[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s
	}
	more := make([]T, len(s), n)
	copy(more, s)
	return more
}

// extend adds n zero cells that are not NULL.
func (c *Column) extend(n int) {
	switch c.Class {
	case ClassBool:
		c.Bools = grow(c.Bools, n)
	case ClassInt:
		c.Ints = grow(c.Ints, n)
	case ClassFloat:
		c.Floats = grow(c.Floats, n)
	case ClassNumeric:
		c.Numerics = grow(c.Numerics, n)
	case ClassText:
		c.Texts = grow(c.Texts, n)
	case ClassInterval:
		c.Intervals = grow(c.Intervals, n)
	default:
		c.Objects = grow(c.Objects, n)
	}
	c.Len += n
	if c.Nulls != nil {
		for len(c.Nulls)*64 < c.Len {
			c.Nulls = append(c.Nulls, 0)
		}
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s[:len(s)+n]
	}
	more := make([]T, len(s)+n, max(2*cap(s), len(s)+n, 16))
	copy(more, s)
	return more
}

// Held is what the column takes with all that its cells hold, in bytes.
func (c *Column) Held() int64 {
	n := columnBytes + int64(c.cells())*c.Class.width() + int64(len(c.Nulls))*8
	return n + c.Payload(nil)
}

// Payload is what the cells of rows hold beside their fixed size, in bytes; nil
// rows are all stored cells.
func (c *Column) Payload(rows []int32) int64 {
	var n int64
	switch c.Class {
	case ClassText:
		n = payload(c, rows, func(i int) int64 { return int64(len(c.Texts[i])) })
	case ClassNumeric:
		n = payload(c, rows, func(i int) int64 { return c.Numerics[i].Size() })
	case ClassObject:
		n = payload(c, rows, func(i int) int64 {
			if s, ok := c.Objects[i].(Sized); ok {
				return s.Size()
			}
			return 0
		})
	}
	return n
}

func payload(c *Column, rows []int32, size func(i int) int64) int64 {
	var n int64
	if rows == nil {
		for i := range c.cells() {
			n += size(i)
		}
		return n
	}
	for _, r := range rows {
		n += size(c.At(int(r)))
	}
	return n
}

// Scatter copies the given rows of src to the same rows of dst, which is of the
// same class and not constant.
func Scatter(dst, src *Column, rows []int32) {
	if src.Const || src.Nulls != nil || dst.Nulls != nil {
		for _, r := range rows {
			dst.Copy(int(r), src, int(r))
		}
		return
	}
	switch dst.Class {
	case ClassBool:
		scatter(dst.Bools, src.Bools, rows)
	case ClassInt:
		scatter(dst.Ints, src.Ints, rows)
	case ClassFloat:
		scatter(dst.Floats, src.Floats, rows)
	case ClassNumeric:
		scatter(dst.Numerics, src.Numerics, rows)
	case ClassText:
		scatter(dst.Texts, src.Texts, rows)
	case ClassInterval:
		scatter(dst.Intervals, src.Intervals, rows)
	default:
		scatter(dst.Objects, src.Objects, rows)
	}
}

func scatter[T any](dst, src []T, rows []int32) {
	for _, r := range rows {
		dst[r] = src[r]
	}
}
