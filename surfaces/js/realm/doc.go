// Package realm is the hardened JavaScript runtime: goja with an allowlist of
// globals and members, each charged to a [sandbox.Meter] before it works or
// allocates. A realm, in the sense of ECMA-262 section 9.3, is one set of
// intrinsics; every session has its own.
//
// # Laziness
//
// A realm starts almost empty. [Realm.Prepare] is told the global names and the
// member names that a program mentions (compile.Program.Globals and Members) and
// installs exactly those; [Realm.Key], which sees every computed key before it is
// used, does the same at run time. A name that was never prepared is either
// absent (the global object is the realm's own and has no prototype) or one of
// the engine's own intrinsics that no program can spell. What the engine itself
// looks up without being asked, toString and valueOf above all, is installed when
// the realm is made.
//
// # Limits
//
// A limit stops a program with a panic that goja treats as an interrupt: no
// catch, finally or promise sees it. Natives charge in proportion to their input
// before they start, and look at the meter at least every few thousand elements.
// Program code that a native calls is charged by its own ticks.
//
// # Exact integers
//
// An integer beyond 2⁵³−1 that comes from a tool or from JSON.parse is a BigInt:
// it prints with all digits, compares exactly, and arithmetic with a Number is a
// TypeError, as in ECMA-262 section 6.1.6.2. BigInts are bounded by
// [MaxBigIntBits]. Because the engine multiplies without asking, the compiler
// has to route a*b, a**b and a<<b (and their assignment forms) through
// [Realm.Multiply], [Realm.Power] and [Realm.ShiftLeft] wherever neither operand
// is a literal number; every other operation grows a BigInt by one bit at most.
// An integer literal that a Number cannot hold exactly should be compiled as the
// BigInt it spells, so that it equals the same digits from a tool.
//
// # What is safe to leave as the engine has it
//
// Prototypes are not reachable as values, because the names prototype,
// constructor and __proto__ are closed and nothing else returns one; so their
// properties stay writable and programs may shadow toString or message on their
// own objects. Constructors, namespaces and functions are reachable and are
// frozen. The constructors that compile source text (of functions, async functions
// and generators) are cut off from their prototypes when the realm is made.
//
// # What the compiler has to do
//
// The realm charges what its natives do. What the engine does by itself, the
// compiler charges through its hooks: text built by +, spread, for…in and rest
// through [Realm.Spread], a caught error through [Realm.CatchCost], an assignment to
// length through [Realm.SetLength], computed keys through [Realm.Key].
package realm
