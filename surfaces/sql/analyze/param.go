//go:build cgo

package analyze

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// maxParams is the highest number of a parameter, as in the server's protocol.
const maxParams = 65535

// paramUse is what is known of a parameter: pgcat.Unknown until something asks for
// a type. A type of 0 is a parameter that the statement does not mention.
type paramUse struct {
	typ  pgcat.OID
	at   int
	used bool
}

func (a *analyzer) declareParams() {
	for _, t := range a.Options.Params {
		a.params = append(a.params, &paramUse{typ: t, at: -1})
	}
}

// param makes a reference to $number.
func (a *analyzer) param(number, at int) query.Expr {
	if number <= 0 || number > maxParams {
		a.fail(at, pgerr.UndefinedParameter, "there is no parameter $%d", number)
	}
	for len(a.params) < number {
		a.params = append(a.params, &paramUse{at: -1})
	}
	use := a.params[number-1]
	use.used = true
	if use.typ == 0 {
		use.typ = pgcat.Unknown
		use.at = at
	}
	return &query.Param{Node: query.Node{OID: use.typ, Mod: -1, At: at}, Number: number}
}

// typeParam settles the type of a parameter, or finds that it has another.
func (a *analyzer) typeParam(p *query.Param, t pgcat.OID) query.Expr {
	use := a.params[p.Number-1]
	switch use.typ {
	case pgcat.Unknown:
		use.typ = t
	case t:
	default:
		a.raise(p.At, pgerr.New(ambiguousParameter, "inconsistent types deduced for parameter $%d", p.Number).
			WithDetail("%s versus %s", a.cat.FormatType(use.typ), a.cat.FormatType(t)))
	}
	return &query.Param{Node: query.Node{OID: t, Mod: -1, At: p.At}, Number: p.Number}
}

// resolvedParams gives the types in the end, up to the highest parameter that the
// statement mentions. One of which nothing asked for a type is refused.
func (a *analyzer) resolvedParams() []pgcat.OID {
	used := len(a.params)
	for used > 0 && !a.params[used-1].used {
		used--
	}
	types := make([]pgcat.OID, used)
	for i, use := range a.params[:used] {
		if use.typ == pgcat.Unknown || use.typ == 0 {
			a.fail(use.at, pgerr.IndeterminateDatatype, "could not determine data type of parameter $%d", i+1)
		}
		types[i] = use.typ
	}
	return types
}
