//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// rawPos gives the position of an expression as written: its own or that of its
// first operand, when that is smaller; -1 is none.
func rawPos(n *pg.Node) int {
	switch x := n.GetNode().(type) {
	case nil:
		return -1
	case *pg.Node_AExpr:
		at := int(x.AExpr.Location)
		if x.AExpr.Lexpr != nil {
			at = leftmost(at, rawPos(x.AExpr.Lexpr))
		}
		return at
	case *pg.Node_FuncCall:
		return leftmost(int(x.FuncCall.Location), firstRaw(x.FuncCall.Args))
	case *pg.Node_TypeCast:
		return leftmost(rawPos(x.TypeCast.Arg), leftmost(int(x.TypeCast.TypeName.GetLocation()), int(x.TypeCast.Location)))
	case *pg.Node_BoolExpr:
		return leftmost(int(x.BoolExpr.Location), firstRaw(x.BoolExpr.Args))
	case *pg.Node_NullTest:
		return leftmost(int(x.NullTest.Location), rawPos(x.NullTest.Arg))
	case *pg.Node_BooleanTest:
		return leftmost(int(x.BooleanTest.Location), rawPos(x.BooleanTest.Arg))
	case *pg.Node_SubLink:
		return leftmost(int(x.SubLink.Location), rawPos(x.SubLink.Testexpr))
	case *pg.Node_AIndirection:
		return rawPos(x.AIndirection.Arg)
	case *pg.Node_CollateClause:
		return rawPos(x.CollateClause.Arg)
	case *pg.Node_SortBy:
		return rawPos(x.SortBy.Node)
	case *pg.Node_List:
		return firstRaw(x.List.Items)
	}
	return ownPos(n)
}

func firstRaw(list []*pg.Node) int {
	for _, n := range list {
		if at := rawPos(n); at >= 0 {
			return at
		}
	}
	return -1
}

// ownPos reads the position that a node itself has.
func ownPos(n *pg.Node) int {
	m := n.ProtoReflect()
	inner := m.WhichOneof(m.Descriptor().Oneofs().Get(0))
	if inner == nil || inner.Kind() != protoreflect.MessageKind {
		return -1
	}
	x := m.Get(inner).Message()
	if f := x.Descriptor().Fields().ByName("location"); f != nil {
		return int(x.Get(f).Int())
	}
	return -1
}
