package syntax

import "math/big"

// Span is the range of source bytes that a node covers.
type Span struct{ Start, End int32 }

func (s *Span) span() *Span { return s }

// Node is any node of the tree that has a place.
type Node interface{ span() *Span }

// Place gives the byte range of a node.
func Place(n Node) Span { return *n.span() }

// Expr is an expression.
type Expr interface{ Node }

// Stmt is a statement.
type Stmt interface{ Node }

// Pattern is a pattern of a case.
type Pattern interface{ Node }

// NoneValue and EllipsisValue are the values of the constants None and ….
type (
	NoneValue     struct{}
	EllipsisValue struct{}
	// Bytes is the value of a bytes literal.
	Bytes string
)

var _ *big.Int // a Constant may hold one

// The expressions, named and shaped as in CPython's ast module.
type (
	Name struct {
		Span
		ID string
	}
	// Constant holds NoneValue, EllipsisValue, bool, int64, *big.Int, float64,
	// complex128, string or Bytes.
	Constant struct {
		Span
		Value any
	}
	JoinedStr struct {
		Span
		Values []Expr
	}
	FormattedValue struct {
		Span
		Value      Expr
		Conversion int // -1, or 's', 'r', 'a'
		Spec       Expr
	}
	List struct {
		Span
		Elts []Expr
	}
	Tuple struct {
		Span
		Elts []Expr
	}
	Set struct {
		Span
		Elts []Expr
	}
	// Dict has a nil key for each ** entry.
	Dict struct {
		Span
		Keys, Values []Expr
	}
	BoolOp struct {
		Span
		Op     string // and, or
		Values []Expr
	}
	BinOp struct {
		Span
		Left  Expr
		Op    string
		Right Expr
	}
	UnaryOp struct {
		Span
		Op      string // not, -, +, ~
		Operand Expr
	}
	Compare struct {
		Span
		Left        Expr
		Ops         []string
		Comparators []Expr
	}
	// Keyword has an empty Arg for **.
	Keyword struct {
		Span
		Arg   string
		Value Expr
	}
	Call struct {
		Span
		Func     Expr
		Args     []Expr
		Keywords []*Keyword
	}
	IfExp struct {
		Span
		Test, Body, OrElse Expr
	}
	Attribute struct {
		Span
		Value Expr
		Attr  string
	}
	Subscript struct {
		Span
		Value, Index Expr
	}
	Starred struct {
		Span
		Value Expr
	}
	NamedExpr struct {
		Span
		Target *Name
		Value  Expr
	}
	Comprehension struct {
		Target, Iter Expr
		Ifs          []Expr
		Async        bool
	}
	ListComp struct {
		Span
		Elt        Expr
		Generators []*Comprehension
	}
	SetComp struct {
		Span
		Elt        Expr
		Generators []*Comprehension
	}
	GeneratorExp struct {
		Span
		Elt        Expr
		Generators []*Comprehension
	}
	DictComp struct {
		Span
		Key, Value Expr
		Generators []*Comprehension
	}
	Lambda struct {
		Span
		Args *Arguments
		Body Expr
	}
	Slice struct {
		Span
		Lower, Upper, Step Expr
	}
	Yield struct {
		Span
		Value Expr
	}
	YieldFrom struct {
		Span
		Value Expr
	}
	Await struct {
		Span
		Value Expr
	}
)

// Arg is one parameter.
type Arg struct {
	Span
	Name       string
	Annotation Expr
}

// Arguments are the parameters of a function. Defaults belong to the last of
// PosOnly and Args; KwDefaults has a nil for each parameter without one.
type Arguments struct {
	PosOnly, Args []*Arg
	Vararg        *Arg
	KwOnly        []*Arg
	KwDefaults    []Expr
	Kwarg         *Arg
	Defaults      []Expr
}

// TypeParam is a type parameter of PEP 695. Star is "", "*" or "**".
type TypeParam struct {
	Span
	Star  string
	Name  string
	Bound Expr
}

// The statements, named and shaped as in CPython's ast module.
type (
	FunctionDef struct {
		Span
		Name       string
		NameAt     Span
		TypeParams []*TypeParam
		Args       *Arguments
		Body       []Stmt
		Decorators []Expr
		Returns    Expr
		Async      bool
	}
	ClassDef struct {
		Span
		Name       string
		NameAt     Span
		TypeParams []*TypeParam
		Bases      []Expr
		Keywords   []*Keyword
		Body       []Stmt
		Decorators []Expr
	}
	TypeAlias struct {
		Span
		Name       *Name
		TypeParams []*TypeParam
		Value      Expr
	}
	Return struct {
		Span
		Value Expr
	}
	Delete struct {
		Span
		Targets []Expr
	}
	Assign struct {
		Span
		Targets []Expr
		Value   Expr
	}
	AugAssign struct {
		Span
		Target Expr
		Op     string
		Value  Expr
	}
	AnnAssign struct {
		Span
		Target, Annotation, Value Expr
		Simple                    bool
	}
	For struct {
		Span
		Target, Iter Expr
		Body, OrElse []Stmt
		Async        bool
	}
	While struct {
		Span
		Test         Expr
		Body, OrElse []Stmt
	}
	If struct {
		Span
		Test         Expr
		Body, OrElse []Stmt
	}
	WithItem struct{ Context, Target Expr }
	With     struct {
		Span
		Items []WithItem
		Body  []Stmt
		Async bool
	}
	Raise struct {
		Span
		Exc, Cause Expr
	}
	ExceptHandler struct {
		Span
		Type   Expr
		Name   string
		NameAt Span
		Body   []Stmt
	}
	Try struct {
		Span
		Body     []Stmt
		Handlers []*ExceptHandler
		OrElse   []Stmt
		Finally  []Stmt
		Star     bool // except*
	}
	Assert struct {
		Span
		Test, Message Expr
	}
	Alias struct {
		Span
		Name, As string
	}
	Import struct {
		Span
		Names []*Alias
	}
	ImportFrom struct {
		Span
		Module string
		Names  []*Alias
		Level  int
	}
	Global struct {
		Span
		Names []string
	}
	Nonlocal struct {
		Span
		Names []string
	}
	ExprStmt struct {
		Span
		Value Expr
	}
	Pass     struct{ Span }
	Break    struct{ Span }
	Continue struct{ Span }
	Case     struct {
		Pattern Pattern
		Guard   Expr
		Body    []Stmt
	}
	Match struct {
		Span
		Subject Expr
		Cases   []*Case
	}
)

// The patterns, named and shaped as in CPython's ast module.
type (
	MatchValue struct {
		Span
		Value Expr
	}
	MatchSingleton struct {
		Span
		Value any // NoneValue or bool
	}
	MatchSequence struct {
		Span
		Patterns []Pattern
	}
	MatchMapping struct {
		Span
		Keys     []Expr
		Patterns []Pattern
		Rest     string
	}
	MatchClass struct {
		Span
		Class           Expr
		Patterns        []Pattern
		KeywordNames    []string
		KeywordPatterns []Pattern
	}
	MatchStar struct {
		Span
		Name string // "" for _
	}
	MatchAs struct {
		Span
		Pattern Pattern // nil for a plain capture
		Name    string  // "" for _
	}
	MatchOr struct {
		Span
		Patterns []Pattern
	}
)

// Module is a parsed program.
type Module struct {
	Body  []Stmt
	Lines *Lines
}
