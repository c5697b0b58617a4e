// Package sqlspeed measures the SQL engine beside PostgreSQL (through pgx, analysed
// tables) and SQLite on the same rows in one run, and prints the ratios. It holds
// only tests and benchmarks:
//
//	go test ./bench/sqlspeed -run TestBeside -v -rows 100000
package sqlspeed
