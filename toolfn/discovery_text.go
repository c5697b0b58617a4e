package toolfn

import (
	"context"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// textBytes bounds one text of discovery, about 2,000 tokens.
const textBytes = 8 << 10

// shownNames is how many of a server's functions a list of servers names.
const shownNames = 5

// lines gathers lines up to textBytes and counts what did not fit.
type lines struct {
	b    strings.Builder
	left int // lines that did not fit
}

func (l *lines) add(text string) {
	if l.left > 0 || l.b.Len()+len(text) > textBytes {
		l.left++
		return
	}
	l.b.WriteString(text + "\n")
}

// end gives the text, with a marker for what is left out.
func (l *lines) end(narrow string) string {
	if l.left > 0 {
		fmt.Fprintf(&l.b, "+%d more, %s", l.left, narrow)
	}
	return strings.TrimRight(l.b.String(), "\n")
}

// ServersText lists the servers, a line each.
func (d *Discovery) ServersText() string {
	var l lines
	groups := d.catalog.Servers()
	l.add(fmt.Sprintf("%d %s, %d %s.", len(groups), plural("server", len(groups)), d.catalog.Len(), plural("function", d.catalog.Len())))
	for _, g := range groups {
		names := make([]string, 0, shownNames+1)
		for i, f := range g.Functions {
			if i == shownNames {
				names = append(names, "…")
				break
			}
			names = append(names, f.Local())
		}
		text := fmt.Sprintf("%s (%d): %s", g.Name, len(g.Functions), strings.Join(names, ", "))
		if g.described {
			text += " — " + g.Description
		}
		l.add(text)
	}
	return l.end("search by words instead.")
}

// FunctionsText lists the functions of a server, or of all for "", a line each.
func (d *Discovery) FunctionsText(server string) (string, *sandbox.Fault) {
	fns, fault := d.functions(server)
	if fault != nil {
		return "", fault
	}
	var l lines
	for _, f := range fns {
		l.add(line(f, &d.style))
	}
	if len(fns) == 0 {
		return "There are no functions.", nil
	}
	if server == "" {
		return l.end("narrow with a server's name, or search by words."), nil
	}
	return l.end("narrow with a search by words."), nil
}

// SearchText ranks functions by a query, a line each.
func (d *Discovery) SearchText(query string, limit, offset int) string {
	r := d.catalog.Search(query, page(limit), offset)
	var l lines
	for _, h := range r.Hits {
		l.add(line(h.Function, &d.style))
	}
	text := l.end("ask for fewer at once.")
	if note := d.searchNote(r, query); note != "" {
		text = strings.TrimLeft(text+"\n"+note, "\n")
	}
	return text
}

// DescribeText shows one function in full. It may call the function once to
// learn its result's shape (see DiscoveryOptions.Sample).
func (d *Discovery) DescribeText(ctx context.Context, name string) (string, *sandbox.Fault) {
	o, fault := d.Description(ctx, name)
	if fault != nil {
		return "", fault
	}
	var l lines
	head := text(o, "name")
	if effect := text(o, "effect"); effect != "" {
		head += " [" + effect + "]"
	}
	if upstream := text(o, "upstream"); upstream != "" {
		head += " (upstream: " + upstream + ")"
	}
	l.add(head)
	if about := text(o, "description"); about != "" {
		l.add("Author's description: " + about)
	}
	d.parameterLines(&l, o)
	if returns := text(o, "returns"); returns != "" {
		if seen, _ := o.Get("observed"); seen == true {
			l.add("Returns (observed, not declared): " + returns)
		} else {
			l.add("Returns: " + returns)
		}
	}
	l.add("Call: " + text(o, "call"))
	return l.end("the rest is left out."), nil
}

func text(o *value.Object, key string) string {
	v, _ := o.Get(key)
	s, _ := v.(string)
	return s
}

func (d *Discovery) parameterLines(l *lines, o *value.Object) {
	v, _ := o.Get("params")
	list, _ := v.([]value.Value)
	open, _ := o.Get("open")
	switch {
	case len(list) == 0 && open == true:
		l.add("Arguments: any")
		return
	case len(list) == 0:
		l.add("Arguments: none")
		return
	}
	l.add("Arguments:")
	for _, e := range list {
		l.add("  " + d.parameterLine(e.(*value.Object)))
	}
	if open == true {
		l.add("  and any others")
	}
}

func (d *Discovery) parameterLine(p *value.Object) string {
	b := d.style.key(text(p, "name"))
	required, _ := p.Get("required")
	if required != true {
		b += d.style.Optional
	}
	kind := text(p, "type")
	if enum, ok := p.Get("enum"); ok {
		kind = (&shape{kind: shapeValues, values: enum.([]value.Value)}).print(&d.style, detail{values: 24})
	}
	b += d.style.Pair + kind
	if def, ok := p.Get("default"); ok {
		b += " = " + d.style.literal(def, 60)
	}
	if about := text(p, "description"); about != "" {
		b += " — " + about
	}
	return b
}
