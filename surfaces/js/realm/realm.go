package realm

import (
	"math/rand/v2"
	"time"

	"github.com/dop251/goja"
	"golang.org/x/text/collate"

	"github.com/polyglove/polyglove/sandbox"
)

// Options configure a realm. The zero value is usable.
type Options struct {
	// Depth is how deep calls may nest, see [sandbox.Limits]; 0 means the default.
	Depth int
	// Now is the clock of Date; nil means time.Now.
	Now func() time.Time
	// Seed seeds Math.random: one seed gives one sequence.
	Seed uint64
	// Global gives the value of a global name that the realm does not define
	// itself: a capability, a namespace, a builtin of the session. It is asked
	// when [Realm.Prepare] meets a name that is not yet defined; nil means there is
	// no such name.
	Global func(name string) goja.Value
	// Note takes a remark for the model, for instance that digits were lost. The
	// same remark may come often.
	Note func(text string)
	// Reason sees why a promise was rejected, before the program's handler does; nil
	// means nobody.
	Reason func(v goja.Value)
}

// Realm is one hardened runtime. It is used by one goroutine at a time.
type Realm struct {
	vm      *goja.Runtime
	meter   *sandbox.Meter
	options Options
	random  *rand.Rand

	engine    *goja.Object // the engine's own global object; no program sees it
	global    *goja.Object
	reached   []uint64 // a bit for each entry of the index
	named     map[string]bool
	glancing  bool            // views run no getters
	freezing  bool            // imports are frozen
	accessors bool            // objects may have getters of the program's
	shutters  uint32          // prototypes that are shut
	defined   map[string]bool // global names
	protos    [protoCount]*goja.Object
	base      [protoCount]map[string]native // the engine's own functions
	ctors     map[string]goja.Constructor
	values    map[string]goja.Value // the realm's own globals, as they are built

	seal         native // Object.preventExtensions
	apply        native // Function.prototype.apply
	arrayOf      native // Array.of
	isExtensible native
	objectKeys   native
	collect      *goja.Object
	spread       []goja.Value // what collect was last called with
	args         [2]goja.Value
	step         *goja.Object // next of the realm's own iterators
	frames       []goja.StackFrame
	output       output
	scratch      []byte                  // for the next text
	busy         []*goja.Object          // arrays being turned into text
	symbols      map[string]*goja.Symbol // of Symbol.for
	regexes      regexCache
	collators    map[collatorKey]*collate.Collator
}

// hidden is the key of Go values on objects of the engine; no program can name it.
var hidden = goja.NewSymbol("")

// New makes a realm. It runs nothing until [Realm.SetMeter] has said which
// account to charge.
func New(o Options) *Realm {
	if o.Depth <= 0 {
		o.Depth = sandbox.DefaultLimits().Depth
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &Realm{vm: goja.New(), options: o}
	r.vm.SetMaxCallStackSize(o.Depth)
	r.engine = r.vm.GlobalObject()
	r.global = r.vm.CreateObject(nil)
	_ = r.global.SetPrototype(r.fallback())
	r.vm.SetGlobalObject(r.global)
	r.reached = make([]uint64, (theIndex().count+63)/64)
	r.harden()
	return r
}

// Runtime is the engine. Its global object belongs to the realm.
func (r *Realm) Runtime() *goja.Runtime { return r.vm }

// SetMeter says which account everything charges from now on.
func (r *Realm) SetMeter(m *sandbox.Meter) { r.meter = m }

// Meter is the account that is charged.
func (r *Realm) Meter() *sandbox.Meter { return r.meter }

func (r *Realm) note(text string) {
	if r.options.Note != nil {
		r.options.Note(text)
	}
}

// harden closes what every program could reach without naming it.
func (r *Realm) harden() {
	r.meter = quietMeter()
	r.fix(r.global, "undefined", goja.Undefined())
	r.fix(r.global, "NaN", goja.NaN())
	r.fix(r.global, "Infinity", goja.PositiveInf())
	object := r.proto(objectProto)
	r.close(object)
	_ = object.Delete("__proto__")
	function := r.proto(functionProto)
	r.close(function)
	r.apply = exported(function.Get("apply"))
	r.seal = exported(r.engine.Get("Object").(*goja.Object).Get("preventExtensions"))
	for _, p := range r.compilers() {
		r.close(p)
	}
	// The engine turns arrays into text through join, and iterates through the
	// iterator symbol, without a program naming either. Its own toString and
	// valueOf are bounded.
	join := memberOf(arrayProto, "join")
	r.install(r.proto(arrayProto), arrayProto, join)
	r.installIterators()
}

// close cuts the way from a prototype to its constructor.
func (r *Realm) close(p *goja.Object) { r.fix(p, "constructor", goja.Undefined()) }

// compilerProbe evaluates to functions whose prototypes have constructors that
// compile source text.
var compilerProbe = goja.MustCompile("", "[async()=>{},function*(){}]", true)

func (r *Realm) compilers() [2]*goja.Object {
	v, err := r.vm.RunProgram(compilerProbe)
	if err != nil {
		panic(err)
	}
	var protos [2]*goja.Object
	for i := range protos {
		protos[i] = at(v.(*goja.Object), i).(*goja.Object).Prototype()
	}
	return protos
}

// exported gives the Go function behind a function of the engine. Called from
// inside a native it throws by panic, as natives do.
func exported(v goja.Value) native {
	if o, ok := v.(*goja.Object); ok {
		if f, ok := o.Export().(native); ok {
			return f
		}
	}
	return nil
}

// proto gives a prototype, and installs the members prepared so far when it is
// first needed.
func (r *Realm) proto(p proto) *goja.Object {
	if o := r.protos[p]; o != nil {
		return o
	}
	o := r.locate(p)
	r.protos[p] = o
	for name := range r.named {
		for _, at := range theIndex().byName[name].places {
			if at.proto == p {
				r.install(o, p, at.member)
			}
		}
	}
	return o
}

// locate gets a prototype from the engine, or makes it where the realm has its own.
func (r *Realm) locate(p proto) *goja.Object {
	wrapped := func(v any) *goja.Object { return r.vm.ToValue(v).ToObject(r.vm).Prototype() }
	of := func(name string) *goja.Object {
		return r.engine.Get(name).(*goja.Object).Get("prototype").(*goja.Object)
	}
	switch p {
	case objectProto:
		return r.vm.NewObject().Prototype()
	case functionProto:
		return r.engine.Get("isNaN").(*goja.Object).Prototype()
	case arrayProto:
		return r.vm.NewArray().Prototype()
	case stringProto:
		return wrapped("")
	case numberProto:
		return wrapped(0)
	case booleanProto:
		return wrapped(true)
	case bigintProto:
		return of("BigInt")
	case promiseProto:
		return of("Promise")
	case errorProto:
		return of("Error")
	case symbolProto:
		return of("Symbol")
	case mapProto:
		return r.hardenMap(of("Map"), "Map")
	case setProto:
		return r.hardenMap(of("Set"), "Set")
	}
	return r.vm.NewObject() // dates, patterns and iterators are the realm's own
}

// engineConstructor gives the engine's own constructor.
func (r *Realm) engineConstructor(name string) goja.Constructor {
	if c := r.ctors[name]; c != nil {
		return c
	}
	c, ok := goja.AssertConstructor(r.engine.Get(name))
	if !ok {
		panic("realm: no constructor " + name)
	}
	if r.ctors == nil {
		r.ctors = make(map[string]goja.Constructor)
	}
	r.ctors[name] = c
	return c
}

// Function makes a native function under a clean name that no program can change.
func (r *Realm) Function(name string, length int, f func(goja.FunctionCall) goja.Value) *goja.Object {
	o := r.vm.ToValue(f).(*goja.Object)
	r.label(o, name, length)
	return o
}

// label names a function of ours; the engine would name it after the Go symbol.
func (r *Realm) label(o *goja.Object, name string, length int) {
	r.fix(o, "name", r.vm.ToValue(name))
	r.fix(o, "length", r.vm.ToValue(length))
	r.seal(call{Arguments: []goja.Value{o}})
}
