package js

// card is the language in a few lines for the preamble. Each line is held to the
// implementation by a test.
var card = []string{
	"Modern JavaScript (ES2022, strict): const, let, functions, arrow functions, classes, getters, generators, destructuring, spread, templates, optional chaining, for…of, for…in, switch, try/catch/finally, async/await, regular expressions.",
	"The value of the last expression is the result; `return x` at the top level works too. A last line like { count, ids } is an object.",
	"Top-level const, let, functions and classes stay for the next program and may be declared again. `_` is the whole value of the last program; vars(), del(\"name\") and reset() look after what is kept.",
	"Call a function with one object, as in {call}. It gives its value at once; await is optional. Promise.all(list.map(x => f({ id: x }))) makes reads side by side; writes keep their order.",
	"A failed call throws an Error with message, code and details; catch it or let it end the program.",
	"Built in: Array, Object, String, Number, Boolean, Math, JSON, Map, Set, Date (UTC), RegExp, Promise, Error, BigInt, structuredClone, encodeURIComponent, parseInt, parseFloat, console.log.",
	"Integers beyond 2^53 from a function arrive as BigInt, with every digit.",
	"Not here: import, require, fetch, timers, file system, eval, Proxy, Reflect.",
}
