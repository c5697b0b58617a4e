// Command cpython runs CPython's own test files on the Python surface's evaluator
// and prints a table: how many of their cases pass, fail and are skipped, with the
// reasons.
//
//	go run ./bench/cpython --dir /usr/lib/python3.12/test [--failures] [file ...]
//
// The files are read where they are and are not changed. A file is run statement
// by statement, so that one that asks for what is refused here leaves the others:
// what it would have defined then stands for a skip with the reason. The modules
// that only tests import (unittest, test.support, sys, ...) are the command's own,
// in lib; no program of a session can import them.
package main
