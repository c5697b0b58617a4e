// Command agreement holds a language surface against recordings of the real
// language: it replays recorded programs over the organisation they were written
// for and compares values, printed lines, errors and effects.
//
//	go run ./bench/agreement --lang js --corpus FILE --world DIR
//
// The programs of one group run in order, in one session, over a fresh world with
// writes enabled. The table counts the verdicts; with --json a line a program
// follows: id, verdict, got, want, error, why.
//
// Where the surface means to differ from the real language, a program is listed
// with the reason in divergences/LANG.jsonl. A listed program that agrees after
// all is reported, so that the list stays true.
package main
