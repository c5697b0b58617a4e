package module

import (
	"slices"
	"strings"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/sandbox/regex"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

type (
	value     = object.Value
	thread    = object.Thread
	exception = object.Exception
	class     = object.Class
	builtin   = object.NativeFunc
)

// Host is what the modules need to know of the world.
type Host struct {
	// Clock tells the time; nil means the machine's.
	Clock func() time.Time
	// Seed is where random and uuid4 begin.
	Seed uint64
}

// Library is the standard modules of one session.
type Library struct {
	host   Host
	loaded map[string]*object.Module
	random *mersenne
	tokens *mersenne // of uuid
	// Patterns of re are compiled once, and share the scratch of matching.
	patterns map[patternKey]*pattern
	matcher  regex.Matcher
	zones    map[string]value
	decimal  *decimalContext // the current one, nil until it is asked for
	start    time.Time       // the first reading of a counter
}

// New makes the library of a session.
func New(h Host) *Library {
	if h.Clock == nil {
		h.Clock = time.Now
	}
	return &Library{host: h, loaded: map[string]*object.Module{}}
}

// Install makes a library the one of a thread: what its imports find.
func (l *Library) Install(t *thread) {
	t.Library = l
	t.Importer = l.Import
}

// libraryOf gives the library of a thread.
func libraryOf(t *thread) *Library {
	if l, ok := t.Library.(*Library); ok {
		return l
	}
	l := New(Host{})
	t.Library = l
	return l
}

// builder makes a module for a session.
type builder func(l *Library) *object.Module

// builders are the modules that there are. Names with a dot stand in a package.
var builders = map[string]builder{}

// register adds a module; files call it when they are initialized.
func register(name string, b builder) struct{} {
	builders[name] = b
	return struct{}{}
}

// Names lists the modules that can be imported, in order.
func Names() []string {
	names := make([]string, 0, len(builders)+len(written))
	for n := range builders {
		names = append(names, n)
	}
	for n := range written {
		if n[0] != '_' {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names
}

// Import gives the module of a name, or the ModuleNotFoundError that says what to
// do instead.
func (l *Library) Import(t *thread, name string) (value, *exception) {
	if m, ok := l.loaded[name]; ok {
		return m.Value(), nil
	}
	if _, ok := written[name]; ok && name[0] != '_' {
		return l.importSource(t, name)
	}
	b, ok := builders[name]
	if !ok {
		return value{}, notFound(t, name)
	}
	if x := t.Charge(200); x != nil {
		return value{}, x
	}
	if x := t.Alloc(4096); x != nil {
		return value{}, x
	}
	m := b(l)
	l.loaded[name] = m
	return m.Value(), nil
}

// notFound says why a module is not there.
func notFound(t *thread, name string) *exception {
	text := "No module named '" + sandbox.Clip(name, 80) + "'"
	root, _, _ := strings.Cut(name, ".")
	switch advice, known := refused[root]; {
	case known:
		text += " here: " + advice
	default:
		text += "."
		if near, ok := nearest(name); ok {
			text += " Did you mean '" + near + "'?"
		}
		text += " The modules that can be imported are " + strings.Join(Names(), ", ") + "."
	}
	x := t.Raise(object.ModuleNotFound, "%s", text)
	if x.Attrs == nil {
		x.Attrs = object.NewDict()
	}
	if y := x.Attrs.SetName(t, "name", object.NewStr(name)); y != nil {
		return y
	}
	return x
}

const (
	noFiles   = "a program reaches no files and no processes; keep data in variables, or call a tool."
	noNetwork = "a program reaches no network; call a tool."
	noThreads = "a program runs on one thread; calls of tools inside asyncio.gather run side by side."
	noInside  = "the interpreter's inside cannot be reached."
)

// refused are modules that programs often ask for and cannot have.
var refused = map[string]string{
	"os": noFiles, "sys": noInside, "subprocess": noFiles, "pathlib": noFiles, "shutil": noFiles, "glob": noFiles, "tempfile": noFiles,
	"requests": noNetwork, "httpx": noNetwork, "aiohttp": noNetwork, "socket": noNetwork, "http": noNetwork, "urllib3": noNetwork, "ssl": noNetwork,
	"smtplib": noNetwork, "ftplib": noNetwork, "websockets": noNetwork,
	"threading": noThreads, "multiprocessing": noThreads, "concurrent": noThreads, "queue": noThreads, "signal": noThreads,
	"inspect": noInside, "importlib": noInside, "ast": noInside, "gc": noInside, "ctypes": noInside, "builtins": noInside, "traceback": noInside,
	"logging": "use print.", "argparse": "put the values into the program.", "getpass": "put the values into the program.",
	"pickle": "use json.", "shelve": "keep data in variables.", "sqlite3": "keep data in lists and dicts.", "secrets": "use random or uuid.",
	"numpy": "use lists, math and statistics.", "pandas": "use lists of dicts, collections and statistics.", "scipy": "use math and statistics.",
	"yaml": "use json.", "toml": "use json.", "tomllib": "use json.", "dateutil": "use datetime.", "pytz": "use zoneinfo.", "tabulate": "format rows with f-strings.",
	"matplotlib": "nothing can be drawn: return the numbers.", "warnings": "use print.", "unittest": "use assert.", "pytest": "use assert.", "timeit": "use time.",
	"pydantic": "use dataclasses.", "attr": "use dataclasses.", "attrs": "use dataclasses.", "platform": noInside, "weakref": noInside,
}
