// Package compile turns the text of a JavaScript program into code that is safe
// to run on goja, or into one fault that says what is wrong and what to write
// instead. It evaluates nothing.
//
// A program passes through five stages:
//
//	normalise  a byte order mark, a hashbang and one surrounding markdown fence are blanked
//	prescan    one linear look at the tokens bounds what the parser may recurse into
//	parse      goja's parser reads the program as the body of an async function
//	rewrite    one exhaustive walk over the tree rejects what is not available and inserts hooks
//	compile    goja compiles the tree
//
// Text is never spliced after the prescan, only blanked, so every position that a
// program or a fault reports is a position in the text that was given.
//
// # Hooks
//
// The walk inserts uses of names that begin with '%'. No program can write such a
// name, so none can read, shadow or replace one. They are parameters of the
// function that the code evaluates to; [Program.Link] passes them.
//
// The tick is not a call. It is a value whose truth is asked (if (%t) ;), and
// asking charges the meter: two instructions of the engine instead of the ten and
// a call frame that a native function costs. The charge for text built by + is
// of the same kind (%p === text).
//
// # Names at the top level
//
// Declarations at the top level of a program outlive it. They are properties of
// one scope object of the session, passed as the hook %g, so that a function made
// by an earlier program sees what a later one declares under the same name: the
// last binding wins. Names that no program declared are looked up on the global
// object as usual.
package compile
