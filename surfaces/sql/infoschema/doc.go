// Package infoschema describes the catalogue as PostgreSQL describes a database: the
// views of information_schema (ISO/IEC 9075-11) and the tables of pg_catalog that
// tools and models ask for, with the server's names, types and values, and with
// columns of our own at the end.
//
// A view is rows made when a statement reads it. What the statement fixes, such as
// table_name, is compared before rows are made, so that one table out of thousands
// costs one table. A column of the server that is not here is an error to ask for,
// never a NULL.
package infoschema
