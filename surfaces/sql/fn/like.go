package fn

import (
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

var errLikeEnd = pgerr.New(pgerr.InvalidEscapeSequence, "LIKE pattern must not end with escape character")

// like matches a text against a LIKE pattern. width gives the bytes of the first
// character. What is tried again after a mismatch is only what follows the last %,
// so the work is at most the product of the lengths, which is charged.
func like(e *Env, s, pattern string, width func(s string) int) (bool, *pgerr.Error) {
	if err := e.Charge(int64(len(s)/32 + 1)); err != nil {
		return false, err
	}
	retryText, retryPattern := "", ""
	canRetry := false
	t, p := s, pattern
	work := 0
	for {
		if work++; work&1023 == 0 {
			if err := e.Charge(256); err != nil {
				return false, err
			}
		}
		matched := false
		switch {
		case p == "":
			matched = t == ""
			if matched {
				return true, nil
			}
		case p[0] == '%':
			for p != "" && p[0] == '%' {
				p = p[1:]
			}
			if p == "" {
				return true, nil
			}
			if p[0] == '\\' && len(p) < 2 {
				return false, errLikeEnd
			}
			retryText, retryPattern, canRetry = t, p, true
			continue
		case t == "":
			return strings.Trim(p, "%") == "", nil
		case p[0] == '_':
			t, p = t[width(t):], p[1:]
			matched = true
		default:
			if p[0] == '\\' {
				if len(p) < 2 {
					return false, errLikeEnd
				}
				if p[1] == t[0] {
					t, p = t[1:], p[2:]
					matched = true
				}
			} else if p[0] == t[0] {
				t, p = t[1:], p[1:]
				matched = true
			}
		}
		if matched {
			continue
		}
		if !canRetry || retryText == "" {
			return false, nil
		}
		retryText = retryText[width(retryText):]
		t, p = retryText, retryPattern
	}
}

func runeWidth(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

func byteWidth(string) int { return 1 }

func likeKernel(fold, want bool, width func(s string) int) Kernel {
	return Binary(func(e *Env, s, pattern string) (bool, *pgerr.Error) {
		if fold {
			if err := e.Charge(int64(len(s)+len(pattern)) / 8); err != nil {
				return false, err
			}
			s, pattern = strings.ToLower(s), strings.ToLower(pattern)
		}
		ok, err := like(e, s, pattern, width)
		return ok == want, err
	})
}

var errEscapeString = pgerr.New(pgerr.InvalidEscapeSequence, "invalid escape string").
	WithHint("Escape string must be empty or one character.")

// likeEscape turns a pattern with another escape character into one with a
// backslash; an empty one means that nothing escapes.
func likeEscape(e *Env, pattern, escape string) (string, *pgerr.Error) {
	if err := e.Alloc(int64(2 * len(pattern))); err != nil {
		return "", err
	}
	if escape == "" {
		return strings.ReplaceAll(pattern, `\`, `\\`), nil
	}
	mark, n := utf8.DecodeRuneInString(escape)
	if n != len(escape) {
		return "", errEscapeString
	}
	if mark == '\\' {
		return pattern, nil
	}
	var out strings.Builder
	after := false
	for _, r := range pattern {
		switch {
		case r == mark && !after:
			out.WriteByte('\\')
			after = true
		case r == '\\':
			out.WriteByte('\\')
			if !after {
				out.WriteByte('\\')
			}
			after = false
		default:
			out.WriteRune(r)
			after = false
		}
	}
	return out.String(), nil
}

// similarToRegex turns a SIMILAR TO pattern into a regular expression. Two escaped
// double quotes divide it into three parts, of which the middle one is captured.
func similarToRegex(e *Env, pattern, escape string) (string, *pgerr.Error) {
	if err := e.Alloc(int64(3*len(pattern) + 30)); err != nil {
		return "", err
	}
	mark := rune(-1)
	if escape != "" {
		r, n := utf8.DecodeRuneInString(escape)
		if n != len(escape) {
			return "", errEscapeString
		}
		mark = r
	}
	var out strings.Builder
	out.WriteString("^(?:")
	after, inClass, quotes := false, false, 0
	for _, r := range pattern {
		switch {
		case after && r == '"' && !inClass:
			switch quotes {
			case 0:
				out.WriteString("){1,1}?(")
			case 1:
				out.WriteString("){1,1}(?:")
			default:
				return "", pgerr.New("2200C", "SQL regular expression may not contain more than two escape-double-quote separators")
			}
			quotes++
			after = false
		case after:
			out.WriteByte('\\')
			out.WriteRune(r)
			after = false
		case r == mark:
			after = true
		case inClass:
			if r == '\\' {
				out.WriteByte('\\')
			}
			out.WriteRune(r)
			inClass = r != ']'
		case r == '[':
			out.WriteRune(r)
			inClass = true
		case r == '%':
			out.WriteString(".*")
		case r == '_':
			out.WriteByte('.')
		case r == '(':
			out.WriteString("(?:")
		case r == '\\' || r == '.' || r == '^' || r == '$':
			out.WriteByte('\\')
			out.WriteRune(r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteString(")$")
	return out.String(), nil
}

func likeKernels() map[string]Kernel {
	return map[string]Kernel{
		"textlike": likeKernel(false, true, runeWidth), "textnlike": likeKernel(false, false, runeWidth),
		"namelike": likeKernel(false, true, runeWidth), "namenlike": likeKernel(false, false, runeWidth),
		"texticlike": likeKernel(true, true, runeWidth), "texticnlike": likeKernel(true, false, runeWidth),
		"nameiclike": likeKernel(true, true, runeWidth), "nameicnlike": likeKernel(true, false, runeWidth),
		"bytealike": likeKernel(false, true, byteWidth), "byteanlike": likeKernel(false, false, byteWidth),
		"like_escape": Binary(likeEscape), "like_escape_bytea": Binary(likeEscapeBytes),
		"similar_to_escape_2": Binary(similarToRegex),
		"similar_to_escape_1": Unary(func(e *Env, p string) (string, *pgerr.Error) { return similarToRegex(e, p, `\`) }),
		"similar_escape": BinaryOpt(func(e *Env, p, escape Opt[string]) (Opt[string], *pgerr.Error) {
			if p.Null {
				return p, nil
			}
			if escape.Null {
				escape.Value = `\`
			}
			s, err := similarToRegex(e, p.Value, escape.Value)
			return Some(s), err
		}),
	}
}

// likeEscapeBytes is [likeEscape] of bytes: they are read as the characters of the
// same numbers, so that each stands for itself.
func likeEscapeBytes(e *Env, pattern, escape string) (string, *pgerr.Error) {
	widened, err := likeEscape(e, widen(pattern), widen(escape))
	out := make([]byte, 0, len(widened))
	for _, r := range widened {
		out = append(out, byte(r))
	}
	return string(out), err
}

func widen(data string) string {
	out := make([]rune, len(data))
	for i := range len(data) {
		out[i] = rune(data[i])
	}
	return string(out)
}
