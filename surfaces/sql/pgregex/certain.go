package pgregex

import (
	"maps"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// A back reference to a group that may have taken no part - in another branch, or
// in a repetition that may be of no turn - is refused: what it matches then depends
// on how far the server has tried before.
var errUncertain = pgerr.New(pgerr.FeatureNotSupported, "a back reference to a group that may not have matched is not supported").
	WithHint("Refer only to groups that stand before it on every way through the pattern.")

// certain walks a node and gives the groups that have matched after it when those
// of before have matched ahead of it. ok is false where a reference is uncertain.
func certain(n *node, before map[int]bool) (after map[int]bool, ok bool) {
	switch n.kind {
	case backref:
		return before, before[n.number]
	case group:
		after, ok = certain(n.parts[0], before)
		if n.number > 0 {
			after = maps.Clone(after)
			after[n.number] = true
		}
		return after, ok
	case concat:
		after = before
		for _, part := range n.parts {
			if after, ok = certain(part, after); !ok {
				return after, false
			}
		}
		return after, true
	case alternate:
		return certainBranches(n, before)
	case repeat:
		after, ok = certain(n.parts[0], before)
		if n.min == 0 {
			after = before
		}
		return after, ok
	}
	return before, true
}

// certainBranches keeps the groups that every branch has.
func certainBranches(n *node, before map[int]bool) (map[int]bool, bool) {
	var common map[int]bool
	for i, part := range n.parts {
		after, ok := certain(part, before)
		if !ok {
			return before, false
		}
		if i == 0 {
			common = maps.Clone(after)
			continue
		}
		maps.DeleteFunc(common, func(k int, _ bool) bool { return !after[k] })
	}
	return common, true
}
