//go:build cgo

package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// replay runs the statements of one file.
type replay struct {
	tables  bool
	server  *server // nil for none
	db      *engine.DB
	session *engine.Session
	made    strings.Builder // the statements that are not run, in lower case
	unknown map[string]bool // relations whose content is not as the server had it
	set     bool            // whether a setting is not the usual one
}

func newReplay(tables bool, s *server) *replay {
	r := &replay{tables: tables, server: s, db: engine.Open(engine.Options{}), unknown: map[string]bool{}}
	r.session = r.db.Session()
	if tables {
		r.usualTables()
	}
	return r
}

// queries are the kinds of statement that the engine answers.
var queries = []string{"SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt", ""}

func (r *replay) run(cases []answered, out *report) {
	for _, c := range cases {
		switch {
		case c.Kind == "CreateStmt" && r.tables:
			r.create(c)
		case c.Kind == "DropStmt" && r.tables && c.OK:
			r.drop(c)
		case c.Kind == "VariableSetStmt":
			r.setting(c)
		case c.Kind == "TransactionStmt" && r.tables:
			r.transaction(c)
		case !slices.Contains(queries, c.Kind):
			r.notRun(c)
		case (len(c.Rels) > 0) == r.tables:
			r.judge(c, out)
		}
	}
}

// transaction begins or ends one. After what the engine has not, such as a
// savepoint, nothing is as the server had it until the file ends.
func (r *replay) transaction(c answered) {
	if _, err := r.session.Query(context.Background(), c.SQL); (err == nil) != c.OK || err != nil {
		r.set = true
	}
}

func (r *replay) notRun(c answered) {
	r.made.WriteString(strings.ToLower(c.SQL))
	r.made.WriteByte('\n')
	for _, rel := range c.Rels {
		// Whatever it did, the relation may have changed.
		if c.OK && c.Kind != "ExplainStmt" && !(c.Kind == "IndexStmt" && !strings.Contains(strings.ToUpper(c.SQL), "UNIQUE")) && c.Kind != "VacuumStmt" {
			r.unknown[rel] = true
		}
	}
}

// harmless are settings that change no answer.
var harmless = regexp.MustCompile(`(?i)^\s*(re)?set\s+(local\s+|session\s+)?(enable_|max_parallel|parallel_|min_parallel|jit|work_mem|hash_mem|random_page|seq_page|debug_|force_parallel|geqo|plan_cache|constraint_exclusion|from_collapse|join_collapse|cpu_|client_min)`)

func (r *replay) setting(c answered) {
	text := strings.ToLower(uncommented(c.SQL))
	switch {
	case harmless.MatchString(text):
	case strings.HasPrefix(text, "reset"):
		r.set = false
	default:
		r.set = true
	}
}

// uncommented drops the comments at the beginning.
func uncommented(sql string) string {
	for {
		sql = strings.TrimLeft(sql, " \t\r\n")
		if !strings.HasPrefix(sql, "--") {
			return sql
		}
		_, sql, _ = strings.Cut(sql, "\n")
	}
}

func (r *replay) judge(c answered, out *report) {
	result, err := r.query(c.SQL)
	v, what := judge(c, result, err)
	if v != agree && v != refused && r.depends(c, err) {
		v = needs
	}
	if v > needs && r.server != nil {
		if now, failed := r.server.ask(c); failed == nil {
			v, what = judge(now, result, err)
		}
	}
	if r.tables && (v == refused || v == fails || v == needs) && (c.Kind != "SelectStmt" || changing.MatchString(c.SQL)) && c.OK {
		// What it should have changed is not as the server had it from here on.
		for _, rel := range c.Rels {
			r.unknown[rel] = true
		}
	}
	out.add(c, v, what)
}

func (r *replay) query(sql string) (*engine.Result, error) {
	result, err := r.session.Query(context.Background(), sql)
	if err == nil {
		// Printing may be refused too.
		for i := range result.Len() {
			for j := range result.Columns {
				result.Text(i, j)
			}
		}
	}
	return result, err
}

// changing are queries that change something on the way.
var changing = regexp.MustCompile(`(?i)\b(insert|update|delete|merge)\b`)

// passing are values that the time of the statement decides.
var passing = regexp.MustCompile(`(?i)'now'|now\(\)|'today'|'tomorrow'|'yesterday'|current_(date|time)`)

var quoted = regexp.MustCompile(`"?([A-Za-z_][A-Za-z0-9_]*)"?`)

// depends reports whether a difference comes of something that is not here: a
// setting, a relation that is not loaded as it was, or an object that an earlier
// statement of the file made.
func (r *replay) depends(c answered, err error) bool {
	if r.set || passing.MatchString(c.SQL) {
		return true
	}
	for _, rel := range c.Rels {
		if r.unknown[rel] {
			return true
		}
	}
	e := pgerr.From(err)
	if e == nil {
		return false
	}
	switch e.SQLSTATE {
	case pgerr.UndefinedFunction, pgerr.UndefinedObject, pgerr.UndefinedTable, "3F000", "26000", pgerr.UndefinedColumn:
		if e.SQLSTATE == pgerr.UndefinedTable {
			return true // its rows are not given
		}
		for _, name := range quoted.FindAllStringSubmatch(e.Message, -1) {
			word := strings.ToLower(name[1])
			if len(word) > 2 && !slices.Contains([]string{"function", "does", "not", "exist", "operator", "type", "integer", "text"}, word) &&
				strings.Contains(r.made.String(), word) {
				return true
			}
		}
	}
	return false
}

func (r *replay) drop(c answered) {
	r.notRun(c)
	for _, word := range quoted.FindAllString(c.SQL, -1) {
		r.db.Drop("", strings.ToLower(word))
		delete(r.unknown, strings.ToLower(word))
	}
}

// usualTables are the small tables that the suite sets up before its files.
func (r *replay) usualTables() {
	for _, t := range []struct {
		spec   engine.TableSpec
		values string
	}{
		{engine.TableSpec{Name: "char_tbl", Columns: []engine.Column{{Name: "f1", Type: "char(4)"}}}, "('a'), ('ab'), ('abcd'), ('abcd    ')"},
		{engine.TableSpec{Name: "float8_tbl", Columns: []engine.Column{{Name: "f1", Type: "float8"}}}, "('0.0'), ('-34.84'), ('-1004.30'), ('-1.2345678901234e+200'), ('-1.2345678901234e-200')"},
		{engine.TableSpec{Name: "int2_tbl", Columns: []engine.Column{{Name: "f1", Type: "int2"}}}, "('0   '), ('  1234 '), ('    -1234'), ('32767'), ('-32767')"},
		{engine.TableSpec{Name: "int4_tbl", Columns: []engine.Column{{Name: "f1", Type: "int4"}}}, "('   0  '), ('123456     '), ('    -123456'), ('2147483647'), ('-2147483647')"},
		{engine.TableSpec{Name: "int8_tbl", Columns: []engine.Column{{Name: "q1", Type: "int8"}, {Name: "q2", Type: "int8"}}}, "('  123   ','  456'), ('123   ','4567890123456789'), ('4567890123456789','123'), (+4567890123456789,'4567890123456789'), ('+4567890123456789','-4567890123456789')"},
		{engine.TableSpec{Name: "text_tbl", Columns: []engine.Column{{Name: "f1", Type: "text"}}}, "('doh!'), ('hi de ho neighbor')"},
		{engine.TableSpec{Name: "varchar_tbl", Columns: []engine.Column{{Name: "f1", Type: "varchar(4)"}}}, "('a'), ('ab'), ('abcd'), ('abcd    ')"},
	} {
		if err := r.db.Create(t.spec); err != nil {
			r.unknown[t.spec.Name] = true
			continue
		}
		if _, err := r.query(fmt.Sprintf("insert into %s values %s", t.spec.Name, t.values)); err != nil {
			r.unknown[t.spec.Name] = true
		}
	}
}
