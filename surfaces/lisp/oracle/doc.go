// Package oracle lets tests ask a live Clojure what a program gives. It is test
// support: nothing else imports it.
package oracle
