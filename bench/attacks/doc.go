// Package attacks runs programs that try to escape, tamper, hang, flood or crash,
// each in a process of its own, and holds how each ends against what its first
// line says must happen.
//
// A file begins with a line such as
//
//	// expect: reject|error
//
// of which one word must come true; //--- separates the programs of one session. A
// Python file writes # for //.
//
//   - reject: refused before anything ran.
//   - error: ended by an error that is no limit.
//   - budget: ended by a limit.
//   - safe: ended, in whatever way.
//   - value:JSON: ended with this value.
//
// In every case the process ends by itself, within ten seconds, without a signal,
// below 300 MB of resident memory, and no value says PWNED.
package attacks
