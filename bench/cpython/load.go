package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/module"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

//go:embed lib/*.py
var lib embed.FS

// stage is an evaluator with the modules that tests import.
type stage struct {
	m      *compile.Machine
	dir    string
	lib    *module.Library
	loaded map[string]object.Value
}

type quiet struct{}

func (quiet) Print(string) {}

func newStage(dir string) *stage {
	s := &stage{m: compile.NewMachine(), dir: dir, loaded: map[string]object.Value{}}
	s.m.T.Printer = quiet{}
	s.lib = module.New(module.Host{Clock: time.Now, Seed: 1})
	s.lib.Install(s.m.T)
	s.m.T.Importer = s.find
	return s
}

// begin starts an account for the next piece of work.
func (s *stage) begin() error {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Compute, l.Memory = 300_000_000, 20*time.Second, 512<<20
	meter, err := sandbox.NewMeter(context.Background(), l)
	if err != nil {
		return err
	}
	s.m.Begin(meter)
	return nil
}

// supported are the modules of the test package that lib/support.py stands for.
var supported = map[string]bool{
	"test.support": true, "test.support.import_helper": true, "test.support.warnings_helper": true, "test.support.os_helper": true, "test.support.script_helper": true,
	"test.support.threading_helper": true, "test.support.hashlib_helper": true, "support": true,
}

// find is what tests import with: the modules of lib, the test package's own
// files, and then the modules that programs can import.
func (s *stage) find(t *object.Thread, name string) (object.Value, *object.Exception) {
	if v, ok := s.loaded[name]; ok {
		return v, nil
	}
	file := name
	if supported[name] {
		file = "support"
	}
	if text, err := lib.ReadFile("lib/" + file + ".py"); err == nil {
		return s.module(name, string(text))
	}
	switch name {
	case "test", "test.test_json":
		m := object.NewModule(name)
		m.Lookup = func(t *object.Thread, part string) (object.Value, bool, *object.Exception) {
			v, x := s.find(t, name+"."+part)
			return v, x == nil, x
		}
		if name == "test.test_json" {
			if text, err := lib.ReadFile("lib/jsontest.py"); err == nil {
				return s.module(name, string(text))
			}
		}
		s.loaded[name] = m.Value()
		return m.Value(), nil
	}
	if rest, ok := strings.CutPrefix(name, "test."); ok {
		if text, err := os.ReadFile(filepath.Join(s.dir, strings.ReplaceAll(rest, ".", "/")+".py")); err == nil {
			return s.module(name, string(text))
		}
	}
	return s.lib.Import(t, name)
}

func (s *stage) module(name, source string) (object.Value, *object.Exception) {
	m, x := s.m.RunModule(name, source, s.find)
	if x != nil {
		return object.Value{}, x
	}
	if strings.HasPrefix(name, "test.support") || name == "support" {
		m.Lookup = func(t *object.Thread, part string) (object.Value, bool, *object.Exception) {
			if supported[name+"."+part] {
				v, x := s.find(t, name+"."+part)
				return v, x == nil, x
			}
			return object.Value{}, false, nil
		}
	}
	s.loaded[name] = m.Value()
	return m.Value(), nil
}

// load runs a file statement by statement, and tells what could not be run.
func (s *stage) load(source string) (failed []skip) {
	tree, err := syntax.Parse(source)
	if err != nil {
		return []skip{{"class, all of them", err.Error()}}
	}
	for _, st := range tree.Body {
		at := whole(st)
		text := source[at.Start:at.End]
		why := s.execute(text)
		if d, ok := st.(*syntax.ClassDef); ok && why != "" {
			if rest, without := s.runnable(source, d); len(without) > 0 {
				if s.execute(rest) == "" {
					failed = append(failed, without...)
					continue
				}
			}
		}
		if why != "" {
			failed = append(failed, skip{firstLine(text), why})
			s.substitute(st, why)
		}
	}
	return failed
}

// whole gives the place of a statement with its decorators.
func whole(st syntax.Stmt) syntax.Span {
	at := syntax.Place(st)
	var decorators []syntax.Expr
	switch d := st.(type) {
	case *syntax.FunctionDef:
		decorators = d.Decorators
	case *syntax.ClassDef:
		decorators = d.Decorators
	}
	for _, e := range decorators {
		at.Start = min(at.Start, syntax.Place(e).Start-1)
	}
	return at
}

// runnable gives a class without the methods that keep it from running, because they
// do not compile or because their decorators fail, and names those.
func (s *stage) runnable(source string, d *syntax.ClassDef) (rest string, without []skip) {
	class := whole(d)
	blank := func(text []byte, at syntax.Span) {
		for i := at.Start - class.Start; i < at.End-class.Start; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	kept := []byte(source[class.Start:class.End])
	for _, st := range d.Body {
		f, ok := st.(*syntax.FunctionDef)
		if !ok {
			continue
		}
		alone := []byte(source[class.Start:class.End])
		for _, other := range d.Body {
			if _, method := other.(*syntax.FunctionDef); method && other != st {
				blank(alone, whole(other))
			}
		}
		if why := s.execute(string(alone)); why != "" {
			without = append(without, skip{"class " + d.Name + "." + f.Name, why})
			blank(kept, whole(st))
		}
	}
	if len(without) == len(d.Body) {
		return "", nil
	}
	return string(kept), without
}

// execute runs a program of the stage and tells why it failed.
func (s *stage) execute(text string) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = "the compiler failed: " + fmt.Sprint(r)
		}
	}()
	if err := s.begin(); err != nil {
		return err.Error()
	}
	p, err := s.m.Compile(text, compile.Options{})
	if err != nil {
		return err.Error()
	}
	if x := p.Run().Raised; x != nil {
		return x.Describe(s.m.T)
	}
	return ""
}

// substitute gives the names that a statement would have bound a value that skips
// the tests which use it.
func (s *stage) substitute(st syntax.Stmt, why string) {
	put := func(name, what string) {
		if _, ok := s.m.Get(name); !ok {
			s.execute("import unittest\n" + name + " = unittest.Missing(" + quoted(what) + ")")
		}
	}
	switch d := st.(type) {
	case *syntax.Import:
		for _, a := range d.Names {
			text := "import " + a.Name
			name, _, _ := strings.Cut(a.Name, ".")
			if a.As != "" {
				text, name = text+" as "+a.As, a.As
			}
			if s.execute(text) != "" {
				put(name, a.Name)
			}
		}
	case *syntax.ImportFrom:
		for _, a := range d.Names {
			name := a.Name
			text := "from " + d.Module + " import " + a.Name
			if a.As != "" {
				text, name = text+" as "+a.As, a.As
			}
			if s.execute(text) != "" {
				put(name, d.Module+"."+a.Name)
			}
		}
	case *syntax.FunctionDef:
		put(d.Name, reason(why))
	case *syntax.ClassDef:
		put(d.Name, reason(why))
	case *syntax.Assign:
		for _, e := range d.Targets {
			if n, ok := e.(*syntax.Name); ok {
				put(n.ID, reason(why))
			}
		}
	}
}

func quoted(s string) string {
	return "'" + strings.NewReplacer("\\", "\\\\", "'", "\\'", "\n", " ").Replace(s) + "'"
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
