package module

// The modules written in Python.
var (
	_ = registerSource("contextlib", "contextlib.py")
	_ = registerSource("numbers", "numbers.py")
	_ = registerSource("fractions", "fractions.py")
	_ = registerSource("statistics", "statistics.py")
	_ = registerSource("types", "types.py")
	_ = registerSource("collections.abc", "collections_abc.py")
	_ = registerSource("_heapq", "heapq.py")
	_ = registerSource("textwrap", "textwrap.py")
	_ = registerSource("calendar", "calendar.py")
	_ = registerSource("pprint", "pprint.py")
	_ = registerSource("difflib", "difflib.py")
)
