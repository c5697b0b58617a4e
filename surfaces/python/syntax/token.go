package syntax

// kind is the kind of a token.
type kind uint8

const (
	endMarker kind = iota
	newline
	indent
	dedent
	name
	number
	stringToken
	fstringStart  // the prefix and opening quote
	fstringMiddle // literal text
	fstringEnd    // the closing quote
	operator
	keyword
	errorToken // the lexer stopped here; its error is told when the parser gets here
)

// Operator codes: an operator of one byte is that byte, the others follow.
const (
	opEq = iota + 128
	opNe
	opLe
	opGe
	opShl
	opShr
	opPow
	opFloorDiv
	opArrow
	opWalrus
	opEllipsis
	opAugmented // +=, -=, …: the token's text without its last byte is the operator
	kwFalse
	kwNone
	kwTrue
	kwAnd
	kwAs
	kwAssert
	kwAsync
	kwAwait
	kwBreak
	kwClass
	kwContinue
	kwDef
	kwDel
	kwElif
	kwElse
	kwExcept
	kwFinally
	kwFor
	kwFrom
	kwGlobal
	kwIf
	kwImport
	kwIn
	kwIs
	kwLambda
	kwNonlocal
	kwNot
	kwOr
	kwPass
	kwRaise
	kwReturn
	kwTry
	kwWhile
	kwWith
	kwYield
)

// keywordCode gives the code of a keyword, 0 for any other word.
func keywordCode(word string) uint8 {
	switch word {
	case "False":
		return kwFalse
	case "None":
		return kwNone
	case "True":
		return kwTrue
	case "and":
		return kwAnd
	case "as":
		return kwAs
	case "assert":
		return kwAssert
	case "async":
		return kwAsync
	case "await":
		return kwAwait
	case "break":
		return kwBreak
	case "class":
		return kwClass
	case "continue":
		return kwContinue
	case "def":
		return kwDef
	case "del":
		return kwDel
	case "elif":
		return kwElif
	case "else":
		return kwElse
	case "except":
		return kwExcept
	case "finally":
		return kwFinally
	case "for":
		return kwFor
	case "from":
		return kwFrom
	case "global":
		return kwGlobal
	case "if":
		return kwIf
	case "import":
		return kwImport
	case "in":
		return kwIn
	case "is":
		return kwIs
	case "lambda":
		return kwLambda
	case "nonlocal":
		return kwNonlocal
	case "not":
		return kwNot
	case "or":
		return kwOr
	case "pass":
		return kwPass
	case "raise":
		return kwRaise
	case "return":
		return kwReturn
	case "try":
		return kwTry
	case "while":
		return kwWhile
	case "with":
		return kwWith
	case "yield":
		return kwYield
	}
	return 0
}

// token is one token: its kind, the operator or keyword code, and its bytes.
type token struct {
	kind       kind
	code       uint8
	start, end int32
}
