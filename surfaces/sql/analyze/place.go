//go:build cgo

package analyze

// place is where an expression stands, which decides what it may contain.
type place int

const (
	nowhere place = iota
	inJoinOn
	inJoinUsing
	inFromSubselect
	inFromFunction
	inWhere
	inHaving
	inFilter
	inWindowPartition
	inWindowOrder
	inFrameRange
	inFrameRows
	inFrameGroups
	inSelectTarget
	inInsertTarget
	inUpdateSource
	inUpdateTarget
	inGroupBy
	inOrderBy
	inDistinctOn
	inLimit
	inOffset
	inReturning
	inValues
	inSingleValues
	inDefault
)

var placeNames = map[place]string{
	inJoinOn: "JOIN/ON", inJoinUsing: "JOIN/USING", inFromSubselect: "sub-SELECT in FROM", inFromFunction: "function in FROM",
	inWhere: "WHERE", inHaving: "HAVING", inFilter: "FILTER", inWindowPartition: "window PARTITION BY",
	inWindowOrder: "window ORDER BY", inFrameRange: "window RANGE", inFrameRows: "window ROWS", inFrameGroups: "window GROUPS",
	inSelectTarget: "SELECT", inInsertTarget: "INSERT", inUpdateSource: "UPDATE", inUpdateTarget: "UPDATE", inGroupBy: "GROUP BY",
	inOrderBy: "ORDER BY", inDistinctOn: "DISTINCT ON", inLimit: "LIMIT", inOffset: "OFFSET", inReturning: "RETURNING",
	inValues: "VALUES", inSingleValues: "VALUES", inDefault: "DEFAULT",
}

func (p place) String() string { return placeNames[p] }

// refusesAggregate gives the message when an aggregate, or GROUPING, must not
// stand here; "" allows it.
func (p place) refusesAggregate(what string) string {
	switch p {
	case inHaving, inWindowPartition, inWindowOrder, inSelectTarget, inOrderBy, inDistinctOn, nowhere:
		return ""
	case inJoinOn, inJoinUsing:
		return what + " are not allowed in JOIN conditions"
	case inFromSubselect:
		return what + " are not allowed in FROM clause of their own query level"
	case inFromFunction:
		return what + " are not allowed in functions in FROM"
	}
	return what + " are not allowed in " + p.String()
}

// refusesWindow gives the message when a window function must not stand here.
func (p place) refusesWindow() string {
	const what = "window functions are not allowed in "
	switch p {
	case inSelectTarget, inOrderBy, inDistinctOn, nowhere:
		return ""
	case inJoinOn, inJoinUsing:
		return what + "JOIN conditions"
	case inFromFunction:
		return what + "functions in FROM"
	case inWindowPartition, inWindowOrder, inFrameRange, inFrameRows, inFrameGroups:
		return what + "window definitions"
	}
	return what + p.String()
}

// refusesSet gives the message when a set-returning function must not stand here.
func (p place) refusesSet() string {
	const what = "set-returning functions are not allowed in "
	switch p {
	case inSelectTarget, inInsertTarget, inGroupBy, inOrderBy, inDistinctOn, inWindowPartition, inWindowOrder, inSingleValues, inFromFunction, nowhere:
		return ""
	case inJoinOn, inJoinUsing:
		return what + "JOIN conditions"
	case inFrameRange, inFrameRows, inFrameGroups:
		return what + "window definitions"
	}
	return what + p.String()
}
