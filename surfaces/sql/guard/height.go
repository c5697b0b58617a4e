//go:build cgo

package guard

import pg "github.com/pganalyze/pg_query_go/v6"

// Height estimates from above how high the syntax tree of a sequence of tokens
// can be. Every inner node of the tree stands for at least one token that is
// neither a name nor a constant, so along one expression the count of such tokens
// bounds its height; what closes an expression (a comma, a flattened AND or OR, a
// clause's keyword) lets the count begin again. Parentheses, brackets and CASE
// open a level, whose height is added below the expression that holds it.
//
// A name after a dot may be spelled like any keyword, and ends nothing.
func Height(tokens []*pg.ScanToken) int {
	h := heights{levels: []level{{}}}
	dotted := false
	for _, t := range tokens {
		if t.Token == pg.Token_SQL_COMMENT || t.Token == pg.Token_C_COMMENT {
			continue
		}
		if dotted && t.KeywordKind != pg.KeywordKind_NO_KEYWORD {
			dotted = false
			continue
		}
		dotted = t.Token == pg.Token_ASCII_46
		h.add(t)
	}
	for len(h.levels) > 1 {
		h.close()
	}
	return max(h.highest, h.top().height())
}

// level is what stands between an opening bracket and its end.
type level struct {
	opener  pg.Token
	count   int // tokens that may make a node of the expression that is open now
	below   int // the highest of the levels inside that expression
	done    int // the highest expression that has ended
	joins   int // joins nest whatever their conditions are
	sets    int // so do set operations
	between int // BETWEENs whose AND is still to come
}

// perLevel is what a level costs by itself: the nodes of a sub-query, of its
// target list and of flattened AND and OR.
const perLevel = 4

func (l *level) endExpression() {
	l.done = max(l.done, l.count+l.below)
	l.count, l.below, l.between = 0, 0, 0
}

func (l *level) height() int {
	return max(l.done, l.count+l.below) + l.joins + l.sets
}

type heights struct {
	levels  []level
	highest int // of the statements that have ended
}

func (h *heights) top() *level { return &h.levels[len(h.levels)-1] }

func (h *heights) open(by pg.Token) { h.levels = append(h.levels, level{opener: by}) }

// close ends the innermost level. A closing bracket that matches nothing is left
// alone: the parser refuses it there and builds no more.
func (h *heights) close() {
	inner := h.top().height() + perLevel
	h.levels = h.levels[:len(h.levels)-1]
	h.top().below = max(h.top().below, inner)
}

func (h *heights) closes(opener pg.Token) bool {
	return len(h.levels) > 1 && h.top().opener == opener
}

func (h *heights) add(t *pg.ScanToken) {
	top := h.top()
	switch t.Token {
	case pg.Token_ASCII_40, pg.Token_ASCII_91, pg.Token_CASE:
		h.open(t.Token)
	case pg.Token_ASCII_41:
		h.closeIf(pg.Token_ASCII_40)
	case pg.Token_ASCII_93:
		h.closeIf(pg.Token_ASCII_91)
	case pg.Token_END_P:
		h.closeIf(pg.Token_CASE)
	case pg.Token_ASCII_44, pg.Token_OR, pg.Token_WHERE, pg.Token_ON, pg.Token_SELECT,
		pg.Token_WHEN, pg.Token_THEN, pg.Token_ELSE:
		top.endExpression()
	case pg.Token_AND:
		h.and(top)
	case pg.Token_BETWEEN:
		top.between++
		top.count++
	case pg.Token_JOIN:
		top.joins++
	case pg.Token_UNION, pg.Token_INTERSECT, pg.Token_EXCEPT:
		top.sets++
	case pg.Token_ASCII_59:
		h.semicolon(top)
	default:
		if !leaf(t.Token) {
			top.count++
		}
	}
}

func (h *heights) closeIf(opener pg.Token) {
	if h.closes(opener) {
		h.close()
		return
	}
	h.top().count++
}

// and ends an expression unless it belongs to a BETWEEN, whose right side may go
// on as a prefix operator and nest.
func (h *heights) and(top *level) {
	if top.between > 0 {
		top.between--
		top.count++
		return
	}
	top.endExpression()
}

func (h *heights) semicolon(top *level) {
	if len(h.levels) > 1 {
		top.count++
		return
	}
	h.highest = max(h.highest, top.height())
	*top = level{}
}

// leaf reports whether a token can only be a part of a leaf of the tree: a name, a
// constant, a parameter, a dot.
func leaf(t pg.Token) bool {
	switch t {
	case pg.Token_IDENT, pg.Token_UIDENT, pg.Token_FCONST, pg.Token_ICONST, pg.Token_SCONST,
		pg.Token_USCONST, pg.Token_BCONST, pg.Token_XCONST, pg.Token_PARAM, pg.Token_ASCII_46:
		return true
	}
	return false
}
