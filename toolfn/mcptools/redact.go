package mcptools

import (
	"net/url"
	"sort"
	"strings"
)

// redactor takes secrets out of text before it leaves the package.
type redactor struct {
	replace *strings.Replacer
}

// shortest is the length below which a text is too common to be taken out.
const shortest = 4

// secretWords mark the names of variables whose values are secrets.
var secretWords = []string{"token", "key", "secret", "password", "passwd", "auth", "credential", "cookie", "session", "private"}

// LooksSecret reports whether the name of a variable says that its value is a
// secret.
func LooksSecret(name string) bool {
	low := strings.ToLower(name)
	for _, w := range secretWords {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

func newRedactor(s *Spec) *redactor {
	seen := map[string]bool{}
	add := func(text string) {
		if len(text) >= shortest {
			seen[text] = true
		}
	}
	for _, secret := range s.Secrets {
		add(secret)
	}
	for _, v := range s.Headers {
		add(v)
		if _, credential, ok := strings.Cut(v, " "); ok {
			add(credential) // "Bearer X" is also printed as X
		}
	}
	for name, v := range s.Env {
		if LooksSecret(name) {
			add(v)
		}
	}
	if u, err := url.Parse(s.URL); err == nil {
		if p, ok := u.User.Password(); ok {
			add(p)
		}
		if u.RawQuery != "" {
			add(u.RawQuery)
		}
	}
	secrets := make([]string, 0, len(seen))
	for text := range seen {
		secrets = append(secrets, text)
	}
	// The longest first, so that no secret is left half printed.
	sort.Slice(secrets, func(i, j int) bool {
		return len(secrets[i]) > len(secrets[j]) || len(secrets[i]) == len(secrets[j]) && secrets[i] < secrets[j]
	})
	pairs := make([]string, 0, 2*len(secrets))
	for _, text := range secrets {
		pairs = append(pairs, text, "•••")
	}
	return &redactor{strings.NewReplacer(pairs...)}
}

func (r *redactor) clean(text string) string { return r.replace.Replace(text) }
