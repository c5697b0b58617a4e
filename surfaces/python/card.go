package python

// card is the language in a few lines for the preamble. Each line is held to the
// implementation by a test.
var card = []string{
	"Python 3.12: functions, classes, dataclasses, decorators, generators, comprehensions, f-strings, slices, unpacking, with, match, try/except/finally, async/await.",
	"The value of the last expression statement is the result, also inside if, for, with and try; `return x` at the top level works too. A last line like count, ids is a tuple.",
	"Names at the top level stay for the next program. `_` is the whole value of the last program; vars(), `del name` and reset() look after what is kept.",
	"Call a function with keyword arguments, as in {call}; one dict works too. await is optional; await asyncio.gather(*[f(id=x) for x in xs]) makes reads side by side; writes keep their order.",
	"Rows are dicts; row.field reads a field too. A field that is not there raises an error that names the nearest one.",
	"A failed call raises ToolError with message, code and details; catch it or let it end the program.",
	"To import: collections, json, re, math, statistics, datetime, itertools, functools, random, dataclasses, string, operator, typing, asyncio and more of the standard library that only computes.",
	"Sets keep the order in which their members were added.",
	"Not here: files, processes, network, os, sys, requests, input, eval, exec, threads.",
}
