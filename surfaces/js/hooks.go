package js

import (
	"github.com/polyglove/polyglove/surfaces/js/compile"
	"github.com/polyglove/polyglove/surfaces/js/realm"
)

// hookTable ties what compiled programs ask for to the realm and the session.
func (s *session) hookTable() compile.Hooks {
	r := s.realm
	return compile.Hooks{
		Scope:      s.scope.object,
		Spread:     r.Spread,
		Regex:      r.Regex,
		SetLength:  r.SetLength,
		Key:        r.Key,
		Member:     r.Member,
		Start:      s.start,
		Power:      r.Power,
		ShiftLeft:  r.ShiftLeft,
		NewError:   r.NewError,
		BigIntBits: realm.MaxBigIntBits,
	}
}
