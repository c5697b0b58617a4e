// Package bind finds out, from an analysed statement, what each use of a table asks
// for: which columns it reads, and to which values the statement fixes them, by
// constants, by sub-queries, or by the rows of another table that it is joined with.
//
// A condition is taken only where it holds for every row of the use that can reach
// the result: a WHERE conjunct that a NULL fails, a conjunct of ON for the side that
// it narrows. Two uses of a table never share conditions. What is found here is for
// fetching; the executor checks every condition again.
package bind
