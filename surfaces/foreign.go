package surfaces

import (
	"context"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Lender is a [Session] whose data programs of the workspace's other languages
// may read under the same names.
//
// A language takes part from both sides. As a lender it implements Lend. As a
// reader it asks [Workspace.Foreign] where a program names what neither the
// language nor the session defines, at most once a program and name, and gives
// the program something that cannot be changed in place: what a program changed
// would be lost with the program, in silence. Where the language has no such
// thing, the session compares at the end of the program and says in a note that
// the change was lost. A definition of the session's own always comes first; one
// that takes a foreign name is noted, once.
type Lender interface {
	// Lend copies what a name of the session holds now as plain data, by the rules
	// by which it would become an argument of a call. The copy is charged to the
	// reader's meter before it is made, and making it runs none of the program's
	// code. known is false for a name that the session does not define. What is no
	// plain data (a function, a class, a promise, a cycle) is a *[sandbox.Fault] of
	// [sandbox.KindType] that says so by name; so is nothing else, a limit of the
	// meter apart.
	Lend(m *sandbox.Meter, name string) (v value.Value, known bool, err error)
	// Lent tells what a name of the session holds now, without copying it. ok is
	// false for a name that the session does not define, or when the context ends.
	Lent(ctx context.Context, name string) (d Def, ok bool)
}

// Sharer marks a [Language] that takes part from both sides, so that texts may
// speak of it.
type Sharer interface {
	Shares()
}

// Foreign is a definition of another language of the workspace.
type Foreign struct {
	Def      Def    // as its language tells it
	Language string // the short name of the language: js
	Title    string // the language in prose: JavaScript
}

// Foreign gives a copy of what another language than the reader has under a name,
// as plain data that is the reader's to keep and that no program may change in
// place. Of several languages that have the name, the one counts whose program
// bound it last. A name that not every language can spell is found under its
// nearest spelling: open_prs for open-prs. from is nil if none has it. The error is a *[sandbox.Fault]: what
// is there cannot be shared, or a limit of the meter.
//
// It is for a program that runs in the workspace, and for an explanation of one.
// The programs of a workspace run one at a time in the order of their numbers, so
// a program that is run again from its journal reads what it read.
func (ws *Workspace) Foreign(reader string, m *sandbox.Meter, name string) (v value.Value, from *Foreign, err error) {
	spelt, owners := ws.owners(reader, name)
	for _, o := range owners {
		v, known, err := o.lender.Lend(m, spelt)
		if err == nil && !known {
			continue
		}
		f := &Foreign{Def: Def{Name: spelt}, Language: o.language, Title: o.title}
		if err != nil {
			return nil, f, err
		}
		return v, f, nil
	}
	return nil, nil, nil
}

// ForeignNames lists what a reader may ask [Workspace.Foreign] for, in the order
// in which the names were first bound. It copies nothing; what is under a name may
// be no plain data, which its Def.Kind tells.
func (ws *Workspace) ForeignNames(ctx context.Context, reader string) []Foreign {
	ws.mu.Lock()
	order := slices.Clone(ws.shared.order)
	ws.mu.Unlock()
	var all []Foreign
	for _, name := range order {
		_, owners := ws.owners(reader, name)
		for _, o := range owners {
			if d, ok := o.lender.Lent(ctx, name); ok {
				all = append(all, Foreign{d, o.language, o.title})
				break
			}
		}
	}
	return all
}

// Defines reports whether another language than the reader may have a name, as far
// as that is known without asking it: cheap enough for every name of a program.
func (ws *Workspace) Defines(reader, name string) bool {
	_, owners := ws.owners(reader, name)
	return len(owners) > 0
}

// shared is who has defined which name in a workspace.
type shared struct {
	byName map[string][]owner  // the one that bound the name last at the end
	spelt  map[string][]string // names by how a language spells them that has no dash in names
	order  []string
}

// spelling is a name as a language writes it that has no dash in names.
func spelling(name string) string { return strings.ReplaceAll(name, "-", "_") }

// owner is a language that has defined a name.
type owner struct {
	language, title string
	lender          Lender
}

// mostShared bounds the names that a workspace keeps track of.
const mostShared = 10_000

// publish takes note of what a program of a language has bound.
func (ws *Workspace) publish(l Language, s Session, defined []Def) {
	lender, ok := s.(Lender)
	if !ok || len(defined) == 0 {
		return
	}
	o := owner{l.Name(), l.Title(), lender}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for i := range defined {
		ws.shared.add(defined[i].Name, o)
	}
}

func (s *shared) add(name string, o owner) {
	owners, met := s.byName[name]
	if !met {
		if len(s.order) >= mostShared {
			return
		}
		if s.byName == nil {
			s.byName, s.spelt = map[string][]owner{}, map[string][]string{}
		}
		s.order = append(s.order, name)
		s.spelt[spelling(name)] = append(s.spelt[spelling(name)], name)
	}
	if n := len(owners); n > 0 && owners[n-1].language == o.language {
		return
	}
	owners = slices.DeleteFunc(owners, func(other owner) bool { return other.language == o.language })
	s.byName[name] = append(owners, o)
}

// owners lists who has defined a name, the one that bound it last first, and how
// they spell it. A spelling that two names share is nobody's.
func (ws *Workspace) owners(reader, name string) (spelt string, all []owner) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if all = ws.shared.others(reader, name); all != nil {
		return name, all
	}
	for _, other := range ws.shared.spelt[spelling(name)] {
		if found := ws.shared.others(reader, other); found != nil {
			if all != nil {
				return name, nil
			}
			spelt, all = other, found
		}
	}
	return spelt, all
}

func (s *shared) others(reader, name string) (all []owner) {
	for _, o := range slices.Backward(s.byName[name]) {
		if o.language != reader {
			all = append(all, o)
		}
	}
	return all
}
