package feed

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/tideline-feeds/tideline/feed/texts"
)

const (
	// searchWordsMax limits the words of a user and of a query. Names have fewer.
	searchWordsMax = 16
	// searchWordMax is the code points to which longer words are cut.
	searchWordMax = texts.HandleMax
	// placeBytes is the bytes of a word that make its place. placeMax is positive as an int64.
	placeBytes = 7
	placeMax   = 1<<(8*placeBytes) - 1
)

// SearchWords returns the words that a user is found by, each once. A query finds a user if each of
// its words is a prefix of one of theirs, because an index can answer that.
func SearchWords(handle, name string) []string {
	return firstOnce(append(wordsOf(handle), wordsOf(name)...))
}

// QueryWords returns words once, the longest first, because it finds the fewest users.
func QueryWords(query string) []string {
	words := firstOnce(wordsOf(query))
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	return words
}

// A text of symbols only, such as 🌊, is one word.
func wordsOf(text string) []string {
	text = strings.TrimSpace(texts.Fold(text))
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	if len(words) == 0 && text != "" {
		words = []string{text}
	}
	for i, w := range words {
		if runes := []rune(w); len(runes) > searchWordMax {
			words[i] = string(runes[:searchWordMax])
		}
	}
	return words
}

func firstOnce(words []string) []string {
	var once []string
	for _, w := range words {
		if !slices.Contains(once, w) && len(once) < searchWordsMax {
			once = append(once, w)
		}
	}
	return once
}

// WordPlace returns a word's place in search results: a number for cursors, larger places first.
func WordPlace(word string) int64 { return placeMax - leading(word, 0x00) }

// WithinPrefix returns the part of r with the places of all words that begin with prefix.
func WithinPrefix(r Range, prefix string) Range {
	first, last := placeMax-leading(prefix, 0x00), placeMax-leading(prefix, 0xff)
	r.Above = Newest(r.Above, Key{TS: last - 1, ID: math.MaxInt64})
	if end := (Key{TS: first + 1}); r.Below.Newer(end) {
		r.Below = end
	}
	return r
}

func leading(word string, fill byte) int64 {
	var n int64
	for i := range placeBytes {
		b := fill
		if i < len(word) {
			b = word[i]
		}
		n = n<<8 | int64(b)
	}
	return n
}
