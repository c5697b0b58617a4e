// Package pgregex matches PostgreSQL's regular expressions (PostgreSQL 17
// documentation, section 9.7.3): advanced expressions with the rules of which
// match is taken that are the server's own - the leftmost, and of these the
// longest or the shortest as the expression prefers, not the first that a
// backtracking search meets.
//
// Where a match ends is found with automata in time proportional to the text;
// where the parts lie is found afterwards by dividing the match among the parts of
// the expression, as the server does. Every step is charged to a meter. The
// package knows nothing of SQL.
package pgregex
