// Package pgerr is the form of an error in SQL: PostgreSQL's SQLSTATE, message,
// detail, hint and position, and how these become a fault that a model reads. It
// knows nothing of the grammar, the types or the executor.
package pgerr

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/sandbox"
)

// Code is a five-character SQLSTATE (PostgreSQL 17, appendix A).
type Code string

// The codes that the engine raises.
const (
	FeatureNotSupported     Code = "0A000"
	CardinalityViolation    Code = "21000"
	StringTruncation        Code = "22001"
	NumericOutOfRange       Code = "22003"
	NullNotAllowed          Code = "22004"
	InvalidDatetimeFormat   Code = "22007"
	DatetimeOverflow        Code = "22008"
	InvalidTimeZone         Code = "22009"
	SubstringError          Code = "22011"
	DivisionByZero          Code = "22012"
	IntervalOverflow        Code = "22015"
	InvalidLogArgument      Code = "2201E"
	InvalidPowerArgument    Code = "2201F"
	NotInRepertoire         Code = "22021"
	InvalidParameter        Code = "22023"
	InvalidEscapeSequence   Code = "22025"
	InvalidEscapeCharacter  Code = "22019"
	InvalidRegex            Code = "2201B"
	InvalidWidthBucket      Code = "2201G"
	DataException           Code = "22000"
	StringLengthMismatch    Code = "22026"
	DuplicateJSONKey        Code = "22030"
	InvalidJSONDatetime     Code = "22031"
	InvalidJSONText         Code = "22032"
	InvalidJSONSubscript    Code = "22033"
	MoreThanOneJSONItem     Code = "22034"
	NoJSONItem              Code = "22035"
	NonNumericJSONItem      Code = "22036"
	JSONScalarRequired      Code = "2203F"
	SingletonJSONRequired   Code = "22038"
	JSONArrayNotFound       Code = "22039"
	JSONMemberNotFound      Code = "2203A"
	JSONObjectNotFound      Code = "2203C"
	InvalidName             Code = "42602"
	ArraySubscript          Code = "2202E"
	InvalidText             Code = "22P02"
	UntranslatableCharacter Code = "22P05"
	NonstandardEscape       Code = "22P06"
	NotNullViolation        Code = "23502"
	InvalidTransaction      Code = "25000"
	SyntaxError             Code = "42601"
	UndefinedColumn         Code = "42703"
	AmbiguousColumn         Code = "42702"
	GroupingError           Code = "42803"
	DatatypeMismatch        Code = "42804"
	WrongObjectType         Code = "42809"
	UndefinedFunction       Code = "42883"
	AmbiguousFunction       Code = "42725"
	UndefinedObject         Code = "42704"
	UndefinedTable          Code = "42P01"
	UndefinedParameter      Code = "42P02"
	CannotCoerce            Code = "42846"
	WindowingError          Code = "42P20"
	IndeterminateDatatype   Code = "42P18"
	TooManyArguments        Code = "54023"
	ProgramLimitExceeded    Code = "54000"
	StatementTooComplex     Code = "54001"
)

// Error is an error as PostgreSQL reports it.
type Error struct {
	SQLSTATE Code
	Message  string
	Detail   string
	Hint     string
	Position int // in characters of the statement's text, from 1; 0 where there is none
}

// New makes an error of a code and a formatted message.
func New(code Code, format string, args ...any) *Error {
	return &Error{SQLSTATE: code, Message: fmt.Sprintf(format, args...)}
}

// Error gives the message and the code.
func (e *Error) Error() string { return e.Message + " (SQLSTATE " + string(e.SQLSTATE) + ")" }

// WithHint returns a copy of the error with a hint.
func (e *Error) WithHint(format string, args ...any) *Error {
	c := *e
	c.Hint = fmt.Sprintf(format, args...)
	return &c
}

// WithDetail returns a copy of the error with a detail.
func (e *Error) WithDetail(format string, args ...any) *Error {
	c := *e
	c.Detail = fmt.Sprintf(format, args...)
	return &c
}

// At returns the error with a position, in characters from 1, unless it already
// has one: the place nearest to the cause is set first.
func (e *Error) At(position int) *Error {
	if e.Position != 0 || position <= 0 {
		return e
	}
	c := *e
	c.Position = position
	return &c
}

// From finds the PostgreSQL error that an error or a fault carries, or nil.
func From(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// Character gives the position, in characters from 1, of a byte offset of the
// source. The parser's tree counts bytes; what the server reports are characters.
func Character(source string, offset int) int {
	if offset < 0 {
		return 0
	}
	return utf8.RuneCountInString(source[:min(offset, len(source))]) + 1
}

// excerptLimit is how much of a message reaches a model, in characters: a message
// quotes the program's own literals, which may be as long as a statement.
const excerptLimit = 500

// Fault turns the error into the fault that a program and a model see, with the
// line and a caret where the error has a position. The error stays its cause.
func (e *Error) Fault(source string) *sandbox.Fault {
	f := &sandbox.Fault{
		Kind:    kindOf(e.SQLSTATE),
		Name:    "ERROR " + string(e.SQLSTATE),
		Message: clip(e.Message),
		Hint:    clip(strings.TrimSpace(e.Detail + " " + e.Hint)),
		Cause:   e,
	}
	if e.Position > 0 {
		line, column := lineColumn(source, e.Position)
		return f.At(source, line, column)
	}
	return f
}

func clip(s string) string {
	if len(s) <= excerptLimit {
		return s
	}
	cut := excerptLimit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// kindOf classifies a code by its class, which is its first two characters.
func kindOf(code Code) sandbox.Kind {
	switch code {
	case SyntaxError:
		return sandbox.KindSyntax
	case UndefinedColumn, UndefinedTable, UndefinedFunction, UndefinedObject, UndefinedParameter, AmbiguousColumn, AmbiguousFunction:
		return sandbox.KindName
	case FeatureNotSupported:
		return sandbox.KindRejected
	}
	switch {
	case len(code) < 2:
		return sandbox.KindInternal
	case code[:2] == "54":
		return sandbox.KindRejected
	case code[:2] == "42":
		return sandbox.KindType
	}
	return sandbox.KindRange
}

// lineColumn turns a position in characters into a line and a column, from 1.
func lineColumn(source string, position int) (line, column int) {
	line, column = 1, 1
	for _, r := range source {
		if position--; position <= 0 {
			break
		}
		if r == '\n' {
			line, column = line+1, 1
			continue
		}
		column++
	}
	return line, column
}
