package surfaces

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/toolfn"
)

// shownCatalog is the part of the preamble that shows the catalogue, and what it
// was made from.
type shownCatalog struct {
	version uint64
	detail  detail
	text    string // headings and lines, "" where nothing is listed
	example example
	effects bool // some function may change something

	tables    detail // how much of the tables is shown, to a relational language
	tableText string
}

// detail is how much of the catalogue is shown.
type detail uint8

const (
	counts     detail = iota // numbers, and the way to search
	names                    // the names of the functions, by server
	signatures               // a line for each function
)

// EstimateTokens estimates how many tokens a text is for a model: about one for
// each 4 bytes, which is on the high side for prose and low for dense code.
func EstimateTokens(text string) int { return (len(text) + 3) / 4 }

// catalogAsShown decides how much of the catalogue is shown and writes it: the
// most detailed form that fits the ceiling.
func (m *mount) catalogAsShown() shownCatalog {
	cat := m.ws.catalog
	s := shownCatalog{version: cat.Version(), example: m.pickExample(), effects: hasEffects(cat) || m.showsTables() && m.writable()}
	ceiling := m.opts.CatalogTokens
	switch {
	case m.opts.Discovery == Progressive:
		return s
	case ceiling > 0:
	case m.opts.Discovery == Full:
		ceiling = FullTokens
	default:
		ceiling = AutoTokens
	}
	if m.showsTables() {
		s.tables, s.tableText = m.tablesAsShown(ceiling)
	}
	if text, ok := m.listSignatures(ceiling); ok {
		s.detail, s.text = signatures, text
	} else if text, ok := m.listNames(ceiling); ok {
		s.detail, s.text = names, text
	}
	return s
}

func hasEffects(cat *toolfn.Catalog) bool {
	for _, f := range cat.All() {
		if !f.Effect.Reads() {
			return true
		}
	}
	return false
}

// listSignatures lists each function's signature, unless that takes more tokens
// than the ceiling. Several languages share the list, in the first one's words.
func (m *mount) listSignatures(ceiling int) (string, bool) {
	var b strings.Builder
	style := m.lead().language.Signatures()
	for _, g := range m.ws.catalog.Servers() {
		b.WriteString("### " + g.Name + "\n")
		for _, f := range g.Functions {
			b.WriteString(toolfn.Line(f, style) + "\n")
			if EstimateTokens(b.String()) > ceiling {
				return "", false
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n"), b.Len() > 0
}

// listNames lists the names of the functions, unless that takes more tokens than
// the ceiling.
func (m *mount) listNames(ceiling int) (string, bool) {
	var b strings.Builder
	for _, g := range m.ws.catalog.Servers() {
		fmt.Fprintf(&b, "%s (%d): ", g.Name, len(g.Functions))
		for i, f := range g.Functions {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(f.Local())
		}
		b.WriteByte('\n')
		if EstimateTokens(b.String()) > ceiling {
			return "", false
		}
	}
	return strings.TrimSuffix(b.String(), "\n"), b.Len() > 0
}

// lead is the tool that the shared text speaks of: where there are two roles, the
// one that acts.
func (m *mount) lead() role {
	if m.opts.Roles {
		return m.roles[1]
	}
	return m.roles[0]
}

// example is a function of this catalogue that texts may use to show how things
// are done; nil if the catalogue has none.
type example struct{ fn *toolfn.ToolFn }

// pickExample takes the function that is quickest to understand: a read, with an
// author's example or without required arguments, in a server.
func (m *mount) pickExample() example {
	var best *toolfn.ToolFn
	bestRank := 0
	for _, f := range m.ws.catalog.All() {
		rank := 1
		if f.Effect.Reads() {
			rank += 16
		}
		if f.Server != "" {
			rank += 4
		}
		if len(f.Examples) > 0 && f.Examples[0].Args.Len() > 0 {
			rank += 10
		} else if f.Input != nil && len(f.Input.Required) == 0 {
			rank += 8
		}
		if rank > bestRank {
			best, bestRank = f, rank
		}
	}
	return example{best}
}

// call is the example as a program of a language spells it.
func (e example) call(l Language) string { return l.Signatures().Skeleton(e.fn) }

// words are what somebody who needs the example function would search for.
func (e example) words() string {
	if e.fn == nil {
		return "what you need"
	}
	words := strings.FieldsFunc(e.fn.Local(), func(r rune) bool { return r == '_' })
	for _, lead := range []string{"get", "list", "search", "find", "fetch", "read"} {
		if len(words) > 1 && words[0] == lead {
			words = words[1:]
		}
	}
	return strings.ToLower(strings.Join(words, " "))
}
