package js

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/surfaces/js/compile"
)

// sources keeps the last programs of a session within a budget, because functions
// they defined may still fail, and a fault quotes the program it is in. The oldest
// go first; a fault in one of those has no position.
type sources struct {
	count int
	kept  []*compile.Program
	bytes int
}

// mostSources is how many bytes of program text a session keeps.
const mostSources = 256 << 10

// name gives the name to compile the next program under.
func (s *sources) name() string {
	s.count++
	return "program " + strconv.Itoa(s.count)
}

// keep adds a program.
func (s *sources) keep(p *compile.Program) {
	s.kept = append(s.kept, p)
	s.bytes += len(p.Source)
	for s.bytes > mostSources && len(s.kept) > 1 {
		s.bytes -= len(s.kept[0].Source)
		s.kept[0] = nil
		s.kept = s.kept[1:]
	}
}

// drop forgets the program kept last, none of whose code can run again.
func (s *sources) drop() {
	last := len(s.kept) - 1
	s.bytes -= len(s.kept[last].Source)
	s.kept[last] = nil
	s.kept = s.kept[:last]
}

// find gives a program by name, nil if it is not kept any more.
func (s *sources) find(name string) *compile.Program {
	for i := len(s.kept) - 1; i >= 0; i-- {
		if s.kept[i].Name == name {
			return s.kept[i]
		}
	}
	return nil
}

// any reports whether any program kept has a property, for a field.
func (s *sources) any(field string, has func(source, field string) bool) bool {
	for _, p := range s.kept {
		if has(p.Source, field) {
			return true
		}
	}
	return false
}

// all reports whether every program kept that mentions a field has a property.
func (s *sources) all(field string, has func(source, field string) bool) bool {
	found := false
	for _, p := range s.kept {
		if !strings.Contains(p.Source, field) {
			continue
		}
		if found = true; !has(p.Source, field) {
			return false
		}
	}
	return found
}

// spot is a place in a program of the session. The zero spot is nowhere.
type spot struct {
	program      *compile.Program
	line, column int
}

// spotOf gives the innermost place of a call stack that is in a program.
func (s *session) spotOf(frames []goja.StackFrame) spot {
	for i := range frames {
		pos := frames[i].Position()
		p := s.sources.find(pos.Filename)
		if p == nil || pos.Line < 1 {
			continue
		}
		line, column := p.Position(pos.Line, pos.Column)
		return spot{p, line, column}
	}
	return spot{}
}

// place gives the text at a spot.
func (at spot) place() place {
	if at.program == nil {
		return place{}
	}
	return place{at.program.Source, at.line, at.column}
}
