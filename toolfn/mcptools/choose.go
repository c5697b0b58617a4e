package mcptools

import "path"

// chosen reports whether a server's tool is wanted.
func (s *Spec) chosen(tool string) bool {
	return !matches(s.Exclude, tool) && (len(s.Include) == 0 || matches(s.Include, tool))
}

func matches(patterns []string, name string) bool {
	for _, p := range patterns {
		if p == name {
			return true
		}
		if ok, err := path.Match(p, name); err == nil && ok {
			return true
		}
	}
	return false
}
