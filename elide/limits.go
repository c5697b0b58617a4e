package elide

// Limits bound what is shown of one value, level by level.
type Limits struct {
	Items int // elements of one list
	Runes int // code points of one string
	Keys  int // members of one object
	Depth int // containers inside one another
}

// Default are the limits a value is first tried with.
func Default() Limits { return Limits{Items: 25, Runes: 300, Keys: 40, Depth: 6} }

// Peek are the limits of a glance at a definition.
func Peek() Limits { return Limits{Items: 3, Runes: 40, Keys: 4, Depth: 2} }

// keyRunes is the longest key, in code points.
const keyRunes = 100

// tighter gives the ladder of limits below l: first fewer items with whole
// fields, then shorter strings, then fewer members and levels.
func (l Limits) tighter() []Limits {
	steps := []Limits{
		{15, 300, 40, 6},
		{10, 300, 40, 6},
		{10, 120, 40, 6},
		{5, 120, 40, 6},
		{5, 60, 40, 6},
		{3, 60, 40, 6},
		{3, 60, 20, 4},
		{2, 40, 10, 3},
		{1, 30, 6, 2},
		{1, 20, 3, 1},
	}
	ladder := []Limits{l}
	for _, s := range steps {
		s = Limits{min(s.Items, l.Items), min(s.Runes, l.Runes), min(s.Keys, l.Keys), min(s.Depth, l.Depth)}
		if s != ladder[len(ladder)-1] {
			ladder = append(ladder, s)
		}
	}
	return ladder
}
