package compile

// bannedNames are globals that a program may neither read nor assign, with what to
// write instead. Other well-known globals that do not exist here (fetch,
// setTimeout) are told when the program runs, because typeof may ask for them.
var bannedNames = map[string]string{
	"eval":       "Write the code itself.",
	"Function":   "Write a function or an arrow function.",
	"globalThis": "Use the names directly; declare your own with const.",
	"window":     "Use the names directly; there is no browser here.",
	"global":     "Use the names directly; declare your own with const.",
	"self":       "Use the names directly; there is no browser here.",
	"document":   "There is no browser here: call the tools for data.",
	"process":    "There is no operating system here: call the tools for data.",
	"require":    "There are no modules: everything available is a global; fns() lists the tools.",
	"module":     "There are no modules: end the program with the value itself.",
	"exports":    "There are no modules: end the program with the value itself.",
	"arguments":  "Use a rest parameter: (...args) => args.length.",
	"Reflect":    "Use the operators and Object's functions.",
	"Proxy":      "Use a plain object or a function.",
	"WeakRef":    "Keep the object itself.",
}
