package python_test

import (
	"context"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/python"
	"github.com/polyglove/polyglove/toolfn/value"
)

// cardClaims are programs for each line of the card, in order: what it promises
// must work, and what it says is not here must be refused.
var cardClaims = []struct {
	begins string
	works  []string
	fails  []string
}{
	{begins: "Python 3.12", works: []string{
		"def f(a, *b, c=1, **d): return a + len(b) + c + len(d)\nassert f(1, 2, c=3, e=4) == 6",
		"class A:\n    def m(self): return 1\nclass B(A): pass\nassert B().m() == 1",
		"from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int = 1\nassert P() == P(1)",
		"def g():\n    yield 1\nassert list(g()) == [1] and {k: v for k, v in [(1, 2)]} == {1: 2}",
		"assert f'{3.14159:.2f} {1!r}' == '3.14 1' and [1, 2, 3][::-1] == [3, 2, 1]",
		"a, *b = [1, 2, 3]\nassert b == [2, 3] and {**{'x': 1}} == {'x': 1}",
		"match {'k': [1]}:\n    case {'k': [n]}: assert n == 1\n    case _: assert False",
		"try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    pass\nfinally:\n    x = 1",
		"async def h(): return 1\nassert await h() == 1",
	}},
	{begins: "The value of the last", works: []string{"1; 2", "return 5", "count, ids = 1, [2]\ncount, ids", "for i in [1]: i"}},
	{begins: "Names at the top level", works: []string{"kept = 1", "assert kept == 1; 7", "assert _ == 7", "vars()", "del kept", "reset()"}},
	{begins: "Call a function", works: []string{
		"assert len(shop.list_orders(state='open')) == 2 and len(await shop.list_orders({'state': 'open'})) == 2",
		"import asyncio\nxs = ['A-1', 'A-2']\nassert len(await asyncio.gather(*[shop.get_order(id=x) for x in xs])) == 2",
	}},
	{begins: "Rows are dicts", works: []string{"r = shop.list_orders()[0]\nassert isinstance(r, dict) and r.title == r['title']"}, fails: []string{"shop.list_orders()[0].titel", "shop.list_orders()[0]['titel']"}},
	{
		begins: "A failed call", works: []string{"try:\n    shop.get_order(id='none')\nexcept ToolError as e:\n    assert e.code == 'not_found' and e.message and e.details"},
		fails: []string{"shop.get_order(id='none')"},
	},
	{begins: "To import", works: []string{
		"import collections, json, re, math, statistics, datetime, itertools, functools, random, dataclasses, string, operator, typing, asyncio",
	}},
	{begins: "Sets keep", works: []string{"assert list({3, 1, 2}) == [3, 1, 2]"}},
	{begins: "Not here", fails: []string{
		"open('x')", "import os", "import sys", "import requests", "import subprocess", "import socket", "input()", "eval('1')", "exec('1')", "import threading",
	}},
}

// TestCard holds each line of the card to the implementation.
func TestCard(t *testing.T) {
	card := python.Language().Card()
	if len(card) != len(cardClaims) {
		t.Fatalf("%d lines, %d of them tested", len(card), len(cardClaims))
	}
	s, _ := newSession(t)
	for i, c := range cardClaims {
		if !strings.HasPrefix(card[i], c.begins) {
			t.Errorf("line %d is %q, tested is %q", i, card[i], c.begins)
		}
		for _, p := range c.works {
			if r := s.Execute(context.Background(), p); r.Fault != nil {
				t.Errorf("%s: %v", p, r.Fault)
			}
		}
		for _, p := range c.fails {
			if r := s.Execute(context.Background(), p); r.Fault == nil {
				t.Errorf("%s: gave %s", p, render(r.Value))
			}
		}
	}
}

// TestCallForm spells calls as programs do, and runs them.
func TestCallForm(t *testing.T) {
	l := python.Language()
	for _, c := range []struct {
		function string
		args     *value.Object
		want     string
	}{
		{"shop__list_orders", nil, "shop.list_orders()"},
		{"shop__list_orders", value.Of("state", "open"), `shop.list_orders(state='open')`},
		{"echo", value.Of("a-b", []value.Value{int64(1), nil, true}, "n", value.Of("x", 1.5)), `echo({'a-b': [1, None, True], 'n': {'x': 1.5}})`},
		{"echo", value.Of("from", "x"), `echo({'from': 'x'})`},
	} {
		if got := l.CallForm(c.function, c.args); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		s, _ := newSession(t)
		if r := s.Execute(context.Background(), c.want); r.Fault != nil {
			t.Errorf("%s: %v", c.want, r.Fault)
		}
	}
}

// TestReadOn runs what a cut list advises.
func TestReadOn(t *testing.T) {
	s, _ := newSession(t)
	r := s.Execute(context.Background(), "{'a': [{'b c': list(range(100))}]}")
	text := render(r.Value)
	const advice = `_['a'][0]['b c'][25:50]`
	if !strings.Contains(text, advice) {
		t.Fatalf("no advice in %s", text)
	}
	if r := s.Execute(context.Background(), advice); !strings.HasPrefix(render(r.Value), "[25,26,") {
		t.Errorf("it gave %s %v", render(r.Value), r.Fault)
	}
}
