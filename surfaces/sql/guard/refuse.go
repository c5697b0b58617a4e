//go:build cgo

package guard

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// ownedByHost is why the definition of tables is refused.
const ownedByHost = "Tables are managed by the host, not by statements. Keep intermediate rows in a WITH query."

// refusals are the statements that are refused by their first keyword, before
// they are parsed, with what to do instead. Statements that begin with none of
// these are parsed, so that what is no statement at all has the parser's own
// error.
var refusals = map[pg.Token]string{
	pg.Token_CREATE:     ownedByHost,
	pg.Token_ALTER:      ownedByHost,
	pg.Token_DROP:       ownedByHost,
	pg.Token_COMMENT:    ownedByHost,
	pg.Token_SECURITY:   ownedByHost,
	pg.Token_IMPORT_P:   ownedByHost,
	pg.Token_REFRESH:    ownedByHost,
	pg.Token_TRUNCATE:   "Use DELETE FROM with a WHERE clause that selects the rows.",
	pg.Token_MERGE:      "Use INSERT … ON CONFLICT (key) DO UPDATE, or separate UPDATE, DELETE and INSERT statements.",
	pg.Token_COPY:       "Read rows with SELECT; write them with INSERT … VALUES or INSERT … SELECT.",
	pg.Token_GRANT:      "Permissions are the host's policy and cannot be changed by a statement.",
	pg.Token_REVOKE:     "Permissions are the host's policy and cannot be changed by a statement.",
	pg.Token_REASSIGN:   "Ownership is the host's and cannot be changed by a statement.",
	pg.Token_SET:        "Settings are fixed: time zone UTC, ISO dates, schema public. Write AT TIME ZONE 'name' or to_char(…) in the query.",
	pg.Token_RESET:      "Settings are fixed: time zone UTC, ISO dates, schema public.",
	pg.Token_VACUUM:     "Nothing needs maintenance here; leave it out.",
	pg.Token_ANALYZE:    "Nothing needs maintenance here; leave it out. For a plan write EXPLAIN followed by the statement.",
	pg.Token_ANALYSE:    "Nothing needs maintenance here; leave it out. For a plan write EXPLAIN followed by the statement.",
	pg.Token_REINDEX:    "There are no indexes to maintain; leave it out.",
	pg.Token_CLUSTER:    "There are no indexes to maintain; leave it out.",
	pg.Token_CHECKPOINT: "Nothing needs maintenance here; leave it out.",
	pg.Token_DISCARD:    "There is no session state to discard; leave it out.",
	pg.Token_LOAD:       "No libraries can be loaded.",
	pg.Token_CALL:       "There are no procedures. Call functions in SELECT; change rows with INSERT, UPDATE or DELETE.",
	pg.Token_DO:         "There is no procedural language. Send plain statements one after another.",
	pg.Token_LISTEN:     "There are no notifications; read the table again.",
	pg.Token_UNLISTEN:   "There are no notifications; leave it out.",
	pg.Token_NOTIFY:     "There are no notifications; write to a table.",
	pg.Token_PREPARE:    "Send the statement itself, with parameters $1, $2, ….",
	pg.Token_EXECUTE:    "Send the statement itself, with parameters $1, $2, ….",
	pg.Token_DEALLOCATE: "There are no prepared statements; leave it out.",
	pg.Token_DECLARE:    "There are no cursors. Use SELECT with ORDER BY, LIMIT and OFFSET.",
	pg.Token_FETCH:      "There are no cursors. Use SELECT with ORDER BY, LIMIT and OFFSET.",
	pg.Token_MOVE:       "There are no cursors. Use SELECT with ORDER BY, LIMIT and OFFSET.",
	pg.Token_CLOSE:      "There are no cursors; leave it out.",
	pg.Token_LOCK_P:     "Statements run one at a time; leave the lock out.",
	pg.Token_SAVEPOINT:  "There are no savepoints. Use BEGIN, COMMIT and ROLLBACK for the whole.",
	pg.Token_RELEASE:    "There are no savepoints. Use BEGIN, COMMIT and ROLLBACK for the whole.",
	pg.Token_SHOW:       "To list the tables: " + listTables + ". Settings are fixed: time zone UTC, ISO dates.",
}

// refuseByKeyword refuses the first statement of the text that must not even be
// parsed. Definitions can nest statements without brackets, which the estimate of
// the height does not follow.
func refuseByKeyword(source string, tokens []*pg.ScanToken) *pgerr.Error {
	first, open := true, 0
	for i, t := range tokens {
		switch t.Token {
		case pg.Token_SQL_COMMENT, pg.Token_C_COMMENT:
			continue
		case pg.Token_ASCII_40:
			open++
		case pg.Token_ASCII_41:
			open--
		}
		if t.Token == pg.Token_ASCII_59 {
			first = open <= 0
			continue
		}
		if !first {
			continue
		}
		first = false
		if hint, ok := refusals[t.Token]; ok {
			return refused(source, commandName(source, tokens[i:]), hint, int(t.Start))
		}
	}
	return nil
}

func refused(source, what, hint string, offset int) *pgerr.Error {
	e := pgerr.New(pgerr.FeatureNotSupported, "%s is not available", what)
	e.Hint = hint
	e.Position = pgerr.Character(source, offset)
	return e
}

// commandName gives the keywords that a statement begins with, at most three: the
// name by which the manual knows it. SHOW keeps its argument.
func commandName(source string, tokens []*pg.ScanToken) string {
	var words []string
	for _, t := range tokens {
		name := t.KeywordKind == pg.KeywordKind_NO_KEYWORD
		if name && (t.Token != pg.Token_IDENT || len(words) != 1 || !strings.EqualFold(words[0], "show")) {
			break
		}
		if t.Token == pg.Token_FROM || t.Token == pg.Token_TO || t.Token == pg.Token_ON || t.Token == pg.Token_IF_P {
			break
		}
		words = append(words, strings.ToUpper(source[t.Start:t.End]))
		if len(words) == 3 || len(words) == 1 && single[t.Token] {
			break
		}
	}
	return strings.Join(words, " ")
}

// single are the commands whose name is one word: what follows is an argument,
// which may be spelled like a keyword.
var single = map[pg.Token]bool{
	pg.Token_TRUNCATE: true, pg.Token_COPY: true, pg.Token_GRANT: true, pg.Token_REVOKE: true,
	pg.Token_SET: true, pg.Token_RESET: true, pg.Token_VACUUM: true, pg.Token_ANALYZE: true,
	pg.Token_ANALYSE: true, pg.Token_CALL: true, pg.Token_DO: true, pg.Token_LISTEN: true,
	pg.Token_NOTIFY: true, pg.Token_EXECUTE: true, pg.Token_DECLARE: true, pg.Token_FETCH: true,
	pg.Token_MOVE: true, pg.Token_CLOSE: true, pg.Token_SAVEPOINT: true, pg.Token_LOCK_P: true,
	pg.Token_CLUSTER: true, pg.Token_LOAD: true, pg.Token_UNLISTEN: true, pg.Token_DEALLOCATE: true,
	pg.Token_MERGE: true, pg.Token_COMMENT: true,
}
