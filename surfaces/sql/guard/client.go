//go:build cgo

package guard

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// listTables and listColumns are what the commands of interactive clients are
// redirected to.
const (
	listTables  = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
	listColumns = "SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = '%s'"
)

// redirectClient answers a text that begins with a command of a client program
// rather than a statement: psql's backslash commands. The server never sees
// these, so its own answer would be a bare syntax error.
func redirectClient(source string) *pgerr.Error {
	text := strings.TrimLeft(source, " \t\r\n")
	if !strings.HasPrefix(text, `\`) {
		return nil
	}
	word := firstWord(text)
	e := pgerr.New(pgerr.SyntaxError, "%s is a command of the psql program, not a statement", quoted(word))
	e.Position = pgerr.Character(source, len(source)-len(text))
	argument := firstWord(strings.TrimLeft(text[len(word):], " \t"))
	if strings.HasPrefix(word, `\d`) && argument != "" {
		return e.WithHint("Use: "+listColumns, safeName(argument))
	}
	if strings.HasPrefix(word, `\d`) || strings.HasPrefix(word, `\l`) {
		return e.WithHint("Use: %s", listTables)
	}
	return e.WithHint("Send SQL statements only: SELECT, INSERT, UPDATE, DELETE.")
}

func firstWord(s string) string {
	if i := strings.IndexAny(s, " \t\r\n;"); i >= 0 {
		s = s[:i]
	}
	return s[:min(len(s), 64)]
}

func quoted(s string) string { return `"` + s + `"` }

// safeName strips from a name whatever would not stand inside a quoted literal.
func safeName(s string) string {
	s = strings.TrimPrefix(strings.Trim(s, `";`), "public.")
	return strings.ReplaceAll(s, "'", "''")
}

// advise adds to a syntax error of a text that begins like a command of another
// database or client what to write instead.
func advise(source string, e *pgerr.Error) *pgerr.Error {
	if e.SQLSTATE != pgerr.SyntaxError || e.Hint != "" {
		return e
	}
	words := strings.Fields(source[:min(len(source), 256)])
	if len(words) == 0 {
		return e
	}
	switch strings.ToLower(strings.Trim(words[0], ";")) {
	case "describe", "desc":
		if len(words) > 1 {
			name := words[len(words)-1]
			if strings.EqualFold(words[1], "table") || len(words) == 2 {
				return e.WithHint("DESCRIBE is not PostgreSQL. Use: "+listColumns, safeName(name))
			}
		}
		return e.WithHint("DESCRIBE is not PostgreSQL. Use: %s", listTables)
	case ".tables", ".schema", "pragma":
		return e.WithHint("That is SQLite's, not PostgreSQL's. Use: %s", listTables)
	case "show":
		return e.WithHint("Use: %s", listTables)
	case "use":
		return e.WithHint("There is one database; name its tables directly. To list them: %s", listTables)
	case "replace", "upsert":
		return e.WithHint("Use INSERT … ON CONFLICT (key) DO UPDATE SET ….")
	}
	return e
}
