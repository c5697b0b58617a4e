package elide

// tableRows is the least number of like objects that is shown as a table.
const tableRows = 3

// table writes a list of objects with the same keys in the same order as
// {"columns": […], "rows": [[…], …]}, and reports whether it did.
func (w *writer) table(l List, n, depth int) bool {
	shown := min(n, w.limits.Items)
	if shown < tableRows || depth+1 >= w.limits.Depth {
		return false
	}
	first, ok := asMap(l.Index(0))
	if !ok || first.Len() == 0 || first.Len() > w.limits.Keys {
		return false
	}
	columns := make([]string, first.Len())
	for i := range columns {
		columns[i], _ = first.Entry(i)
	}
	for i := 1; i < shown; i++ {
		if m, ok := asMap(l.Index(i)); !ok || !hasColumns(m, columns) {
			return false
		}
	}
	w.tabular = true
	w.out = append(w.out, `{"columns":[`...)
	for i, c := range columns {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if head, cut := prefix(c, keyRunes); cut {
			w.elided = true
			c = head + "…"
		}
		w.string(c)
	}
	w.out = append(w.out, `],"rows":[`...)
	start := len(w.out)
	for i := range shown {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if w.row(l.Index(i), i, depth+1); w.full {
			return true
		}
	}
	w.more(l, n, shown, len(w.out)-start)
	w.out = append(w.out, "]}"...)
	return true
}

func hasColumns(m Map, columns []string) bool {
	if m.Len() != len(columns) {
		return false
	}
	for i, c := range columns {
		if key, _ := m.Entry(i); key != c {
			return false
		}
	}
	return true
}

func (w *writer) row(v any, i, depth int) {
	m, _ := asMap(v)
	if !w.enter(m, depth, "… (nested value, too deep)") {
		return
	}
	defer w.leave()
	w.path = append(w.path, Step{Index: i, IsIndex: true})
	w.out = append(w.out, '[')
	for j := range m.Len() {
		if j > 0 {
			w.out = append(w.out, ',')
		}
		key, cell := m.Entry(j)
		if w.step(Step{Key: key}, cell, depth+1); w.full {
			break
		}
	}
	w.out = append(w.out, ']')
	w.path = w.path[:len(w.path)-1]
}
