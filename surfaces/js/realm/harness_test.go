package realm

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/unistring"

	"github.com/polyglove/polyglove/sandbox"
)

// stage is a realm with a meter, for tests.
type stage struct {
	*Realm
	meter *sandbox.Meter
	notes []string
}

func newStage(t testing.TB, limits sandbox.Limits) *stage {
	t.Helper()
	s := &stage{}
	m, err := sandbox.NewMeter(context.Background(), limits)
	if err != nil {
		t.Fatal(err)
	}
	s.meter = m
	s.Realm = New(Options{
		Depth: limits.Depth,
		Now:   func() time.Time { return time.Date(2024, 2, 29, 12, 34, 56, 789e6, time.UTC) },
		Note:  func(text string) { s.notes = append(s.notes, text) },
	})
	s.SetMeter(m)
	return s
}

var identifier = regexp.MustCompile(`[A-Za-z_$][A-Za-z0-9_$]*`)

// eval evaluates program text with all its names prepared, as a compiled program
// would have them. Computed keys go unguarded unless they are passed to key().
func (s *stage) eval(src string) (v goja.Value, err error) {
	tree, err := goja.Parse("program", src)
	if err != nil {
		return nil, err
	}
	patterns(reflect.ValueOf(tree))
	p, err := goja.CompileAST(tree, true)
	if err != nil {
		return nil, err
	}
	names := identifier.FindAllString(src, -1)
	defer func() {
		if x := recover(); x != nil {
			if e, ok := x.(error); ok {
				err = e
				return
			}
			err = fmt.Errorf("PANIC %v", x)
		}
	}()
	if e := s.Try(func() {
		s.Prepare(names, names)
		s.SetGlobal("%re", s.Function("", 2, func(c goja.FunctionCall) goja.Value {
			return s.Regex(c.Argument(0).String(), c.Argument(1).String())
		}))
	}); e != nil {
		return nil, e
	}
	return s.vm.RunProgram(p)
}

// show gives a result, or the error, as text.
func show(v goja.Value, err error) string {
	if err != nil {
		var f *sandbox.Fault
		if errors.As(err, &f) {
			return "FAULT " + string(f.Kind)
		}
		var ex *goja.Exception
		if errors.As(err, &ex) {
			if o, ok := ex.Value().(*goja.Object); ok {
				return fmt.Sprintf("THROWS %v: %v", o.Get("name"), o.Get("message"))
			}
			return "THROWS " + ex.Value().String()
		}
		var deep *goja.StackOverflowError
		if errors.As(err, &deep) {
			return "FAULT depth"
		}
		return fmt.Sprintf("ERROR %T %v", err, err)
	}
	if v == nil {
		return "nil"
	}
	return v.String()
}

func limits() sandbox.Limits {
	l := sandbox.DefaultLimits()
	return l
}

// patterns replaces regular expression literals by calls of the hook that makes
// them, as the compiler does.
func patterns(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if lit, ok := v.Interface().(*ast.RegExpLiteral); ok && v.CanSet() {
			v.Set(reflect.ValueOf(&ast.CallExpression{
				Callee: &ast.Identifier{Name: "%re", Idx: lit.Idx},
				ArgumentList: []ast.Expression{
					&ast.StringLiteral{Value: unistring.NewFromString(lit.Pattern), Idx: lit.Idx},
					&ast.StringLiteral{Value: unistring.NewFromString(lit.Flags), Idx: lit.Idx},
				},
			}))
			return
		}
		patterns(v.Elem())
	case reflect.Pointer:
		if !v.IsNil() && v.Type() != reflect.TypeOf((*file.File)(nil)) {
			patterns(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				patterns(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			patterns(v.Index(i))
		}
	}
}
