// Package compile turns the text of a JavaScript program into code that is safe
// to run on goja, or into one fault that says what is wrong and what to write
// instead. It evaluates nothing.
//
// A program passes through six stages:
//
//	normalise  a byte order mark, a hashbang and one surrounding markdown fence are blanked
//	prescan    one look at the tokens bounds what the parser will recurse into or read twice
//	parse      goja's parser reads the program as the body of an async function
//	resolve    what each name stands for, and which values can only be numbers
//	rewrite    one exhaustive walk refuses what is not available and inserts hooks
//	compile    goja compiles the tree
//
// Text is blanked and never spliced, but for the parentheses around an object at
// the end, so every position in a fault or a stack frame is one in the text that
// was given.
//
// # Bounds
//
// The parser and everything after it are recursive, and a Go stack that overflows
// kills the process. The prescan therefore bounds open brackets, arrow-parameter
// lists inside one another (the parser reads each twice, so their cost is
// exponential), and operators and statement bodies that are still open; the walks
// bound the depth of the tree, which chains such as a + b + c build without
// recursion in the parser. Where the scanner cannot tell a division from a regular
// expression it refuses, because a bracket that it overlooked would not be counted.
//
// # Hooks
//
// The walk inserts uses of names that begin with '%'. No program can write such a
// name, so none can read, shadow or replace one. They are parameters of the
// function that the code evaluates to; [Program.Link] passes them.
//
// The tick is not a call. It is a value whose truth is asked (if (%t) ;), and
// asking charges the meter: two instructions of the engine, where a call of a
// native function costs a frame. It stands at the start of every function, loop
// body and heavy branch and carries the static cost of the straight-line code
// after it. A computed key is tested in the same manner (%K === key). Charges and
// guards are left out where the values are known to be numbers.
//
// # Names at the top level
//
// Declarations at the top level outlive the program. They are properties of an
// object of the session's, so that a function made by an earlier program sees what
// a later one declares under the same name: the last binding wins. Names that no
// program declared are looked up on the global object.
//
// # What is mended
//
// The engine or its parser differ from ECMA-262 in places that a program can meet;
// the walk rewrites or refuses them:
//
//   - a < b < c is read as a < (b < c): refused;
//   - what a finally block throws runs the statement's own catch, and the block once
//     more: try, catch and finally become two statements;
//   - #name in object loses its operator: restored;
//   - a ?? (b)() && c passes: refused;
//   - what a constant condition makes unreachable can damage the code around it: no
//     condition is constant to the compiler;
//   - constant operands of && || ?? are evaluated while compiling, at exponential
//     cost: hidden from it;
//   - numbers with separators and a fraction do not parse: the separators are taken out.
package compile
