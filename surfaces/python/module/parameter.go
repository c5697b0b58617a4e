package module

import (
	"strconv"
	"strings"
)

// parameters are those of a function that CPython writes in Python, with its
// errors for arguments that do not fit.
type parameters struct {
	function string   // as errors show it
	self     string   // the name of a first parameter that is given already, "" for none
	names    []string // positional or by keyword
	keyword  []string // by keyword only
	defaults []value  // of names and keyword, unset where there is none
}

// bind gives a value for each parameter, names first.
func (p *parameters) bind(t *thread, a []value, names []string) ([]value, *exception) {
	pos := a[:len(a)-len(names)]
	all := append(append([]string(nil), p.names...), p.keyword...)
	if x := t.Alloc(16 * len(all)); x != nil {
		return nil, x
	}
	out := make([]value, len(all))
	copy(out[:len(p.names)], pos)
	for i, n := range names {
		k := indexOf(all, n)
		switch {
		case k < 0 || n == "":
			return nil, t.RaiseType("%s() got an unexpected keyword argument '%s'", p.function, n)
		case out[k].IsSet():
			return nil, t.RaiseType("%s() got multiple values for argument '%s'", p.function, n)
		}
		out[k] = a[len(pos)+i]
	}
	if len(pos) > len(p.names) {
		return nil, p.tooMany(t, len(pos), out)
	}
	var missing, missingKeyword []string
	for i := range out {
		switch {
		case out[i].IsSet():
		case i < len(p.defaults) && p.defaults[i].IsSet():
			out[i] = p.defaults[i]
		case i < len(p.names):
			missing = append(missing, "'"+all[i]+"'")
		default:
			missingKeyword = append(missingKeyword, "'"+all[i]+"'")
		}
	}
	switch {
	case len(missing) > 0:
		return nil, t.RaiseType("%s() missing %d required positional argument%s: %s", p.function, len(missing), pluralS(len(missing)), listed(missing))
	case len(missingKeyword) > 0:
		return nil, t.RaiseType("%s() missing %d required keyword-only argument%s: %s", p.function, len(missingKeyword), pluralS(len(missingKeyword)), listed(missingKeyword))
	}
	return out, nil
}

// tooMany is the error of more positional arguments than parameters.
func (p *parameters) tooMany(t *thread, n int, out []value) *exception {
	optional, keywords := 0, 0
	for i := range p.names {
		if i < len(p.defaults) && p.defaults[i].IsSet() {
			optional++
		}
	}
	for i := len(p.names); i < len(out); i++ {
		if out[i].IsSet() {
			keywords++
		}
	}
	most := len(p.names)
	if p.self != "" {
		most, n = most+1, n+1
	}
	takes := strconv.Itoa(most)
	if optional > 0 {
		takes = "from " + strconv.Itoa(most-optional) + " to " + takes
	}
	given := strconv.Itoa(n)
	verb := " were"
	if n == 1 && keywords == 0 {
		verb = " was"
	}
	if keywords > 0 {
		given += " positional argument" + pluralS(n) + " (and " + strconv.Itoa(keywords) + " keyword-only argument" + pluralS(keywords) + ")"
	}
	return t.RaiseType("%s() takes %s positional argument%s but %s%s given", p.function, takes, pluralS(most), given, verb)
}

func pluralS(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// listed joins names as errors list them: 'a', 'b', and 'c'.
func listed(names []string) string {
	n := len(names)
	switch n {
	case 1:
		return names[0]
	case 2:
		return names[0] + " and " + names[1]
	}
	return strings.Join(names[:n-1], ", ") + ", and " + names[n-1]
}
