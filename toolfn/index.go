package toolfn

import (
	"math"
	"sort"
	"strings"
	"sync"
)

// index is the inverted index over the functions of one version of a catalogue.
type index struct {
	version  uint64
	fns      []*ToolFn
	ids      map[string]int32 // word → its place in postings
	postings [][]posting
	terms    []string // sorted, for prefixes
	pool     sync.Pool
}

// posting is a function that has a word, with how much the word weighs there.
type posting struct {
	doc    int32
	weight float32
}

// The weight of a word by where it stands.
const (
	weightName        = 4.0
	weightServer      = 3.0
	weightDescription = 1.0
	weightArgument    = 0.4
	prefixWeight      = 0.35 // of a word that only begins like the query's
	leastPrefix       = 3    // letters of a query word that may be a beginning
)

// searchIndex gives the index of the catalogue as it is now, built on first need.
// The catalogue stays open for changes while it is built.
func (c *Catalog) searchIndex() *index {
	c.views.Lock()
	defer c.views.Unlock()
	c.mu.RLock()
	version, fns := c.version, c.order[:len(c.order):len(c.order)]
	if c.index != nil && c.index.version == version {
		c.mu.RUnlock()
		return c.index
	}
	servers := c.serverTexts()
	c.mu.RUnlock()
	c.index = buildIndex(version, fns, servers)
	return c.index
}

// serverTexts gives what is said of each server, by name. The lock is held.
func (c *Catalog) serverTexts() map[string]string {
	m := make(map[string]string, len(c.servers))
	for name, s := range c.servers {
		m[name] = s.UpstreamName + " " + s.Description
	}
	return m
}

// find gives the functions that have a word.
func (x *index) find(word string) []posting {
	if id, ok := x.ids[word]; ok {
		return x.postings[id]
	}
	return nil
}

func buildIndex(version uint64, fns []*ToolFn, servers map[string]string) *index {
	x := &index{version: version, fns: fns, ids: make(map[string]int32, len(fns)+256)}
	b := newIndexBuilder(x, servers)
	for i, f := range fns {
		b.add(int32(i), f)
	}
	x.terms = make([]string, 0, len(x.ids))
	for t, id := range x.ids {
		if len(x.postings[id]) > 0 {
			x.terms = append(x.terms, t)
		}
	}
	sort.Strings(x.terms)
	x.pool.New = func() any {
		return &scores{total: make([]float64, len(fns)), word: make([]float32, len(fns)), hits: make([]uint64, len(fns))}
	}
	return x
}

// indexBuilder gathers the words of one function at a time. Words are numbers
// here, because the same few thousand come again and again.
type indexBuilder struct {
	index   *index
	servers map[string]string
	known   map[string][]int32 // of a word as it stands in a text
	texts   map[string][]int32 // of the texts that repeat: server names and descriptions
	phrases map[[2]int32]int32
	weights []float32 // of the function at hand, by word
	touched []int32   // the words that have a weight
	list    []int32   // of the text at hand
}

func newIndexBuilder(x *index, servers map[string]string) *indexBuilder {
	b := &indexBuilder{index: x, servers: servers, known: map[string][]int32{}, texts: map[string][]int32{}, phrases: map[[2]int32]int32{}}
	for _, phrase := range sortedNames(phrases) {
		if w := strings.Fields(phrase); len(w) == 2 {
			b.phrases[[2]int32{b.id(w[0]), b.id(w[1])}] = b.id(phrases[phrase])
		}
	}
	return b
}

// id gives the number of a word.
func (b *indexBuilder) id(word string) int32 {
	id, ok := b.index.ids[word]
	if !ok {
		id = int32(len(b.index.postings))
		b.index.ids[word] = id
		b.index.postings = append(b.index.postings, nil)
		b.weights = append(b.weights, 0)
	}
	return id
}

// words gives the words of a text, in memory that the next call uses again.
func (b *indexBuilder) words(text string) []int32 {
	b.list = b.list[:0]
	for _, w := range split(fold(text)) {
		ids, ok := b.known[w]
		if !ok {
			for _, g := range grams(w) {
				ids = append(ids, b.id(g))
			}
			b.known[w] = ids
		}
		b.list = append(b.list, ids...)
	}
	return b.list
}

// repeated gives the words of a text that many functions share.
func (b *indexBuilder) repeated(text string) []int32 {
	list, ok := b.texts[text]
	if !ok {
		list = append([]int32(nil), b.words(text)...)
		b.texts[text] = list
	}
	return list
}

func (b *indexBuilder) add(doc int32, f *ToolFn) {
	b.text(b.words(f.Local()), weightName)
	b.text(b.repeated(f.Server), weightServer)
	b.text(b.repeated(b.servers[f.Server]), weightServer/2)
	if f.UpstreamName != "" {
		b.text(b.words(f.UpstreamName), weightName)
	}
	b.text(b.words(f.Description[:min(len(f.Description), maxIndexedText)]), weightDescription)
	if f.Input != nil {
		for _, name := range propertyOrder(f.Input) {
			b.text(b.repeated(name), weightArgument)
		}
	}
	for _, w := range b.touched {
		b.index.postings[w] = append(b.index.postings[w], posting{doc, b.weights[w]})
		b.weights[w] = 0
	}
	b.touched = b.touched[:0]
}

// text counts words, the first occurrence in full and further ones less and
// less, so that a long text does not win by repeating itself. Phrases that have
// an abbreviation count as that, too.
func (b *indexBuilder) text(list []int32, weight float32) {
	for i, w := range list {
		b.count(w, weight)
		if i > 0 {
			if short, ok := b.phrases[[2]int32{list[i-1], w}]; ok {
				b.count(short, weight)
			}
		}
	}
}

func (b *indexBuilder) count(w int32, weight float32) {
	have := b.weights[w]
	if have == 0 {
		b.touched = append(b.touched, w)
	}
	if have < weight {
		b.weights[w] = weight + have/4
	} else {
		b.weights[w] = have + weight/8
	}
}

// scores is the working memory of one search, one cell a function.
type scores struct {
	total   []float64
	word    []float32 // the best weight of the current query word
	hits    []uint64  // which query words were found, as bits
	touched []int32
	current []int32
}

// Hit is one function that a search found.
type Hit struct {
	Function *ToolFn
	Score    float64
}

// SearchResult is one page of what a search found.
type SearchResult struct {
	Hits   []Hit
	Offset int // of the first hit
	Total  int // hits in all
}

// Search ranks the functions whose name, server, description or arguments share
// words with the query, best first; equal scores keep the order of registration.
// A query without words finds every function in that order. It gives limit hits
// from offset on.
func (c *Catalog) Search(query string, limit, offset int) SearchResult {
	limit, offset = max(limit, 0), max(offset, 0)
	x := c.searchIndex()
	q := parseQuery(query)
	if len(q) == 0 {
		return x.everything(limit, offset)
	}
	s := x.pool.Get().(*scores)
	defer x.pool.Put(s)
	return x.rank(q, s, strings.TrimSpace(query), limit, offset)
}

func (x *index) everything(limit, offset int) SearchResult {
	r := SearchResult{Offset: offset, Total: len(x.fns)}
	for i := offset; i < len(x.fns) && len(r.Hits) < limit; i++ {
		r.Hits = append(r.Hits, Hit{Function: x.fns[i]})
	}
	return r
}

// term is one word of a query.
type term struct {
	word   string
	filler bool
	also   []meaning
}

// maxTerms bounds the words of a query; a longer one says no more.
const maxTerms = 24

func parseQuery(query string) []term {
	if len(query) > 4*maxIndexedText {
		query = query[:4*maxIndexedText]
	}
	var q []term
	seen := map[string]bool{}
	list := words(query)
	for i, w := range list {
		if len(q) == maxTerms {
			break
		}
		if seen[w] {
			continue
		}
		seen[w] = true
		t := term{word: w, filler: filler[w], also: meanings(w)}
		if i+1 < len(list) {
			if short, ok := phrases[w+" "+list[i+1]]; ok {
				t.also = append(t.also, meaning{[]string{short}, abbreviationWeight})
			}
		}
		q = append(q, t)
	}
	return q
}

// rank scores every function that has a word of the query.
func (x *index) rank(q []term, s *scores, query string, limit, offset int) SearchResult {
	weights := make([]float64, len(q))
	sum := 0.0
	for i := range q {
		weights[i] = x.weight(&q[i])
		sum += weights[i]
		x.gather(&q[i], s)
		for _, d := range s.current {
			if s.hits[d] == 0 {
				s.touched = append(s.touched, d)
			}
			s.hits[d] |= 1 << i
			s.total[d] += weights[i] * saturate(s.word[d])
			s.word[d] = 0
		}
		s.current = s.current[:0]
	}
	low := strings.ToLower(query)
	for _, d := range s.touched {
		s.total[d] *= 0.5 + coverage(s.hits[d], weights)/sum
		s.total[d] += x.bonus(d, low)
	}
	r := s.best(x, limit, offset)
	for _, d := range s.touched {
		s.total[d], s.hits[d] = 0, 0
	}
	s.touched = s.touched[:0]
	return r
}

// saturate lets a word in the name count much more than one in the description,
// and a word in both not twice.
func saturate(w float32) float64 { return float64(w) / (float64(w) + 1.5) }

// coverage sums the weights of the query words that were found.
func coverage(hits uint64, weights []float64) float64 {
	sum := 0.0
	for i, w := range weights {
		if hits&(1<<i) != 0 {
			sum += w
		}
	}
	return sum
}

// weight is a word's inverse document frequency, as BM25 has it. A word that no
// function has counts by what else it means, and less the farther that is.
func (x *index) weight(t *term) float64 {
	n, near := len(x.find(t.word)), 1.0
	if n == 0 {
		near = 0
		for _, m := range t.also {
			if have := len(x.find(m.words[0])); have > 0 {
				n, near = max(n, have), max(near, m.weight)
			}
		}
		near = 0.4 + 0.6*near
	}
	w := near * math.Log(1+(float64(len(x.fns)-n)+0.5)/(float64(n)+0.5))
	if t.filler {
		w *= 0.05
	}
	return w
}

// gather puts the best weight of a query word, its other meanings and the words
// it begins into s.word, and lists the functions in s.current.
func (x *index) gather(t *term, s *scores) {
	x.put(t.word, 1, s)
	for _, m := range t.also {
		if len(m.words) == 1 {
			x.put(m.words[0], float32(m.weight), s)
		} else {
			x.putPhrase(m, s)
		}
	}
	if t.filler || len([]rune(t.word)) < leastPrefix {
		return
	}
	from := sort.SearchStrings(x.terms, t.word)
	for _, longer := range x.terms[from:] {
		if !strings.HasPrefix(longer, t.word) {
			break
		}
		if longer != t.word {
			x.put(longer, prefixWeight, s)
		}
	}
}

func (x *index) put(word string, factor float32, s *scores) {
	for _, p := range x.find(word) {
		w := p.weight * factor
		if s.word[p.doc] == 0 {
			s.current = append(s.current, p.doc)
		}
		if w > s.word[p.doc] {
			s.word[p.doc] = w
		}
	}
}

// putPhrase puts the functions that have every word of a phrase.
func (x *index) putPhrase(m meaning, s *scores) {
	have := map[int32]float32{}
	for i, word := range m.words {
		next := map[int32]float32{}
		for _, p := range x.find(word) {
			if w, ok := have[p.doc]; ok || i == 0 {
				next[p.doc] = max(w, p.weight)
			}
		}
		have = next
	}
	for _, p := range x.find(m.words[0]) {
		if w, ok := have[p.doc]; ok {
			if s.word[p.doc] == 0 {
				s.current = append(s.current, p.doc)
			}
			s.word[p.doc] = max(s.word[p.doc], w*float32(m.weight))
		}
	}
}

// bonus lifts a function whose name is what was asked for.
func (x *index) bonus(d int32, query string) float64 {
	f := x.fns[d]
	if strings.EqualFold(f.Name, query) || strings.EqualFold(f.Local(), query) || f.UpstreamName != "" && strings.EqualFold(f.UpstreamName, query) {
		return 100
	}
	return 0
}

// best gives a page of the functions by score.
func (s *scores) best(x *index, limit, offset int) SearchResult {
	r := SearchResult{Offset: offset, Total: len(s.touched)}
	if offset >= len(s.touched) || limit == 0 {
		return r
	}
	top := topDocs(s.touched, s.total, min(offset+limit, len(s.touched)))
	for _, d := range top[offset:] {
		r.Hits = append(r.Hits, Hit{Function: x.fns[d], Score: s.total[d]})
	}
	return r
}

// topDocs gives the n best documents in order.
func topDocs(docs []int32, score []float64, n int) []int32 {
	before := func(a, b int32) bool {
		if score[a] != score[b] {
			return score[a] > score[b]
		}
		return a < b
	}
	if n > 64 || n >= len(docs) {
		sorted := append([]int32(nil), docs...)
		sort.Slice(sorted, func(i, j int) bool { return before(sorted[i], sorted[j]) })
		return sorted[:n]
	}
	top := make([]int32, 0, n+1)
	for _, d := range docs {
		if len(top) == n && !before(d, top[n-1]) {
			continue
		}
		at := sort.Search(len(top), func(i int) bool { return before(d, top[i]) })
		top = append(top, 0)
		copy(top[at+1:], top[at:])
		top[at] = d
		top = top[:min(len(top), n)]
	}
	return top
}
