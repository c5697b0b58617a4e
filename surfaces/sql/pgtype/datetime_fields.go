package pgtype

// fieldKind is what a piece of a date or time looks like.
type fieldKind uint8

const (
	numberField  fieldKind = iota // digits, perhaps with a point
	dateField                     // digits and delimiters, or with text; a name of a zone
	timeField                     // digits and colons
	textField                     // letters
	specialField                  // a sign, then letters
	signedField                   // a sign, then digits and colons, points, hyphens
)

type field struct {
	kind fieldKind
	text string // in lower case
}

// The server splits into a buffer of fixed size and a fixed number of fields; what
// does not fit is no date or time.
const (
	maxFields         = 25
	timestampTextRoom = 128 + maxFields
	timeTextRoom      = 128 + 1
	intervalTextRoom  = 256
)

// splitFields cuts a text into the pieces that the rules for dates, times and
// intervals work on; false when it has a form that none of them has.
func splitFields(s string, room int) ([]field, bool) {
	c := fieldCutter{text: s, room: room, fields: make([]field, 0, 8)}
	for c.at < len(s) {
		b := s[c.at]
		if isSpace(b) {
			c.at++
			continue
		}
		if len(c.fields) >= maxFields {
			return nil, false
		}
		c.begin = len(c.buffer)
		ok := true
		switch {
		case isDigit(b):
			c.leadingDigit()
		case b == '.':
			c.take()
			c.takeWhile(isDigit)
			c.end(numberField)
		case isLetter(b):
			c.leadingLetter()
		case b == '+' || b == '-':
			ok = c.leadingSign()
		case isPunctuation(b):
			c.at++
		default:
			ok = false
		}
		if !ok || c.overfull {
			return nil, false
		}
	}
	return c.fields, true
}

type fieldCutter struct {
	text     string
	at       int
	buffer   []byte // the fields so far, each with a byte that ends it
	begin    int    // of the field in the buffer
	room     int
	overfull bool
	fields   []field
}

func (c *fieldCutter) next() byte {
	if c.at < len(c.text) {
		return c.text[c.at]
	}
	return 0
}

// take copies a byte to the field, in lower case.
func (c *fieldCutter) take() {
	if len(c.buffer)+1 >= c.room {
		c.overfull = true
	}
	b := c.text[c.at]
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	c.buffer = append(c.buffer, b)
	c.at++
}

func (c *fieldCutter) takeWhile(in func(byte) bool) {
	for c.at < len(c.text) && !c.overfull && in(c.text[c.at]) {
		c.take()
	}
}

func (c *fieldCutter) end(kind fieldKind) {
	c.fields = append(c.fields, field{kind, string(c.buffer[c.begin:])})
	c.buffer = append(c.buffer, 0)
}

// leadingDigit cuts a time, a date, or a number whose meaning is seen later.
func (c *fieldCutter) leadingDigit() {
	c.takeWhile(isDigit)
	delimiter := c.next()
	switch delimiter {
	case ':':
		c.take()
		c.takeWhile(func(b byte) bool { return isDigit(b) || b == ':' || b == '.' })
		c.end(timeField)
	case '-', '/', '.':
		c.take()
		c.end(c.afterDelimiter(delimiter))
	default:
		c.end(numberField)
	}
}

// afterDelimiter takes the rest of digits, a delimiter, and more: a date has the
// same delimiter twice, or a month in letters.
func (c *fieldCutter) afterDelimiter(delimiter byte) fieldKind {
	if !isDigit(c.next()) {
		c.takeWhile(func(b byte) bool { return isDigit(b) || isLetter(b) || b == delimiter })
		return dateField
	}
	c.takeWhile(isDigit)
	if c.next() == delimiter {
		c.takeWhile(func(b byte) bool { return isDigit(b) || b == delimiter })
		return dateField
	}
	if delimiter == '.' {
		return numberField
	}
	return dateField
}

// leadingLetter cuts a word, or a date or the name of a zone that begins with one.
func (c *fieldCutter) leadingLetter() {
	c.takeWhile(isLetter)
	joined := false
	switch b := c.next(); {
	case b == '-' || b == '/' || b == '.':
		joined = true
	case b == '+' || isDigit(b):
		// After a word of dates a number begins a field of its own.
		_, word := dateWords[clipWord(string(c.buffer[c.begin:]))]
		joined = !word
	}
	if !joined {
		c.end(textField)
		return
	}
	c.take()
	c.takeWhile(func(b byte) bool {
		switch b {
		case '+', '-', '/', '_', '.', ':':
			return true
		}
		return isDigit(b) || isLetter(b)
	})
	c.end(dateField)
}

func (c *fieldCutter) leadingSign() bool {
	c.take()
	for isSpace(c.next()) {
		c.at++
	}
	switch b := c.next(); {
	case isDigit(b):
		c.takeWhile(func(b byte) bool { return isDigit(b) || b == ':' || b == '.' || b == '-' })
		c.end(signedField)
	case isLetter(b):
		c.takeWhile(isLetter)
		c.end(specialField)
	default:
		return false
	}
	return true
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

func isPunctuation(b byte) bool { return b > ' ' && b < 0x7f && !isDigit(b) && !isLetter(b) }

// leadingInt reads an integer as C's strtol does: space, a sign and digits; without
// digits it is 0 and nothing is read. False beyond the given size in bits.
func leadingInt(s string, bits int) (n int64, rest string, fits bool) {
	i := 0
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	negative := i < len(s) && s[i] == '-'
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	begin, overflow := i, false
	limit := uint64(1) << (bits - 1) // of the magnitude, one less without a sign
	var m uint64
	for ; i < len(s) && isDigit(s[i]); i++ {
		if m > (1<<63)/10 {
			overflow = true
			continue
		}
		m = m*10 + uint64(s[i]-'0')
		overflow = overflow || m > 1<<63
	}
	if i == begin {
		return 0, s, true
	}
	if negative {
		return -int64(m), s[i:], !overflow && m <= limit
	}
	return int64(m), s[i:], !overflow && m < limit
}
