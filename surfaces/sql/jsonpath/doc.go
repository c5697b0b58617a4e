// Package jsonpath reads, writes and evaluates the path language of SQL/JSON as
// PostgreSQL 17 does: lax and strict mode, filters, arithmetic, item methods, dates
// and times. It knows jsonb values and nothing of tables, functions or the
// catalogue; regular expressions come from its caller.
package jsonpath
