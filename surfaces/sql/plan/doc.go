// Package plan turns an analysed statement into a tree of operators: it folds
// constants as the server does, puts conditions where they can be checked first,
// finds the equalities that joins go by, orders joins, turns EXISTS and IN into
// semi-joins where that gives the same rows, and drops the columns that nobody
// reads. Expressions of a plan refer to their input by [Slot] and to rows outside
// by [Outer].
//
// A plan is data; it is run by package exec. It knows no table's rows, only how
// many there are.
package plan
