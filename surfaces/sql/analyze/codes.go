package analyze

import "github.com/polyglove/polyglove/surfaces/sql/pgerr"

// The codes of errors that only analysis raises (PostgreSQL 17, appendix A).
const (
	invalidColumnReference pgerr.Code = "42P10"
	invalidRecursion       pgerr.Code = "42P19"
	ambiguousParameter     pgerr.Code = "42P08"
	ambiguousAlias         pgerr.Code = "42P09"
	duplicateAlias         pgerr.Code = "42712"
	duplicateColumn        pgerr.Code = "42701"
	invalidSchema          pgerr.Code = "3F000"
	invalidTableDefinition pgerr.Code = "42P16"
	invalidColumnDefault   pgerr.Code = "428C9"
	tooManyColumns         pgerr.Code = "54011"
	internalError          pgerr.Code = "XX000"
)
