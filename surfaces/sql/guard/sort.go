//go:build cgo

package guard

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// sortStatements gives each parsed statement its kind, or refuses it.
func sortStatements(source string, raw []*pg.RawStmt, tokens []*pg.ScanToken) ([]Statement, *pgerr.Error) {
	suspicious := mayHide(tokens)
	out := make([]Statement, 0, len(raw))
	for _, r := range raw {
		s := locate(source, r)
		kind, err := kindOf(source, s)
		if err != nil {
			return nil, err
		}
		s.Kind = kind
		if suspicious {
			if err := refuseInside(source, s); err != nil {
				return nil, err
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// locate finds the text of a statement. A length of zero means the rest.
func locate(source string, r *pg.RawStmt) Statement {
	start := int(r.StmtLocation)
	end := len(source)
	if r.StmtLen > 0 {
		end = start + int(r.StmtLen)
	}
	text := source[start:end]
	trimmed := strings.TrimLeft(text, " \t\r\n\f\v")
	return Statement{
		Text:   strings.TrimRight(trimmed, " \t\r\n\f\v"),
		Offset: start + len(text) - len(trimmed),
		Node:   r.Stmt,
	}
}

func kindOf(source string, s Statement) (Kind, *pgerr.Error) {
	switch n := s.Node.GetNode().(type) {
	case *pg.Node_SelectStmt:
		return Select, nil
	case *pg.Node_InsertStmt:
		return Insert, nil
	case *pg.Node_UpdateStmt:
		return Update, nil
	case *pg.Node_DeleteStmt:
		return Delete, nil
	case *pg.Node_ExplainStmt:
		return explainKind(source, s, n.ExplainStmt)
	case *pg.Node_TransactionStmt:
		return transactionKind(source, s, n.TransactionStmt)
	case *pg.Node_MergeStmt:
		return "", refused(source, "MERGE", refusals[pg.Token_MERGE], s.Offset)
	}
	return "", refused(source, leadingKeywords(s.Text), "Available are SELECT, INSERT, UPDATE, DELETE, EXPLAIN, BEGIN, COMMIT and ROLLBACK.", s.Offset)
}

// leadingKeywords names a statement of which no more is known by its first word.
func leadingKeywords(text string) string {
	return strings.ToUpper(firstWord(text))
}

func explainKind(source string, s Statement, e *pg.ExplainStmt) (Kind, *pgerr.Error) {
	switch e.Query.GetNode().(type) {
	case *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt:
		return Explain, nil
	}
	return "", refused(source, "EXPLAIN of that statement", "EXPLAIN takes SELECT, INSERT, UPDATE or DELETE.", s.Offset)
}

func transactionKind(source string, s Statement, t *pg.TransactionStmt) (Kind, *pgerr.Error) {
	const whole = "Use BEGIN, COMMIT and ROLLBACK for the whole."
	switch t.Kind {
	case pg.TransactionStmtKind_TRANS_STMT_BEGIN, pg.TransactionStmtKind_TRANS_STMT_START:
		return Begin, nil
	case pg.TransactionStmtKind_TRANS_STMT_COMMIT:
		if t.Chain {
			return "", refused(source, "COMMIT AND CHAIN", "Use COMMIT followed by BEGIN.", s.Offset)
		}
		return Commit, nil
	case pg.TransactionStmtKind_TRANS_STMT_ROLLBACK:
		if t.Chain {
			return "", refused(source, "ROLLBACK AND CHAIN", "Use ROLLBACK followed by BEGIN.", s.Offset)
		}
		return Rollback, nil
	case pg.TransactionStmtKind_TRANS_STMT_ROLLBACK_TO:
		return "", refused(source, "ROLLBACK TO SAVEPOINT", "There are no savepoints. "+whole, s.Offset)
	}
	return "", refused(source, "Two-phase commit", whole, s.Offset)
}

// mayHide reports whether the tokens hold a keyword of something that is refused
// wherever it stands, so that the tree is walked only then.
func mayHide(tokens []*pg.ScanToken) bool {
	previous := pg.Token_NUL
	for _, t := range tokens {
		switch t.Token {
		case pg.Token_MERGE, pg.Token_TABLESAMPLE:
			return true
		case pg.Token_INTO:
			if previous != pg.Token_INSERT {
				return true
			}
		case pg.Token_FOR:
			return true
		case pg.Token_CURRENT_P:
			return true
		}
		previous = t.Token
	}
	return false
}

// refuseInside walks the tree of one statement for what is refused at any depth.
// The depth of the tree is bounded by then.
func refuseInside(source string, s Statement) *pgerr.Error {
	var found *pgerr.Error
	var walk func(m protoreflect.Message)
	walk = func(m protoreflect.Message) {
		if found != nil {
			return
		}
		if found = refusedNode(source, s.Offset, m.Interface()); found != nil {
			return
		}
		m.Range(func(_ protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			eachMessage(v, walk)
			return found == nil
		})
	}
	walk(s.Node.ProtoReflect())
	return found
}

func eachMessage(v protoreflect.Value, visit func(protoreflect.Message)) {
	switch x := v.Interface().(type) {
	case protoreflect.Message:
		visit(x)
	case protoreflect.List:
		for i := range x.Len() {
			if m, ok := x.Get(i).Interface().(protoreflect.Message); ok {
				visit(m)
			}
		}
	}
}

func refusedNode(source string, offset int, m any) *pgerr.Error {
	switch n := m.(type) {
	case *pg.MergeStmt:
		return refused(source, "MERGE", refusals[pg.Token_MERGE], offset)
	case *pg.IntoClause:
		return refused(source, "SELECT INTO", ownedByHost, offset)
	case *pg.LockingClause:
		return refused(source, "FOR UPDATE, FOR SHARE and the like", "Statements run one at a time; leave the locking clause out.", offset)
	case *pg.CurrentOfExpr:
		return refused(source, "WHERE CURRENT OF", "There are no cursors; select the rows by their key.", offset)
	case *pg.RangeTableSample:
		return refused(source, "TABLESAMPLE", "Use ORDER BY random() LIMIT n.", int(n.Location))
	}
	return nil
}
