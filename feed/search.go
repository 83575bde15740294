package feed

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/tideline-feeds/tideline/feed/texts"
)

// Users are found by words: those of the handle and those of the name, folded as handles
// are ([texts.Fold]), cut at everything that is no letter, digit or mark. A query finds a user
// when each of its words begins one of his. That is what an index can answer
// without reading anybody who is not found, as it could not for a word's middle.

const (
	// searchWordsMax is how many words a user is found by at most, and how many of a
	// query count: more than names have, and few enough that nobody fills the index.
	searchWordsMax = 16
	// searchWordMax is the length in code points at which longer words are cut.
	searchWordMax = texts.HandleMax
	// placeBytes is how many bytes of a word make its place, and placeMax what they
	// can come to: as many as leave a number positive.
	placeBytes = 7
	placeMax   = 1<<(8*placeBytes) - 1
)

// SearchWords returns the words that a user is found by, each once.
func SearchWords(handle, name string) []string {
	return firstOnce(append(wordsOf(handle), wordsOf(name)...))
}

// QueryWords returns the words of a query, each once, the longest first, because
// that one finds the fewest users. There are none only in a blank query.
func QueryWords(query string) []string {
	words := firstOnce(wordsOf(query))
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	return words
}

// wordsOf cuts a text. One of signs alone, such as 🌊, is a word as it is.
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

// firstOnce returns the first few words, each once.
func firstOnce(words []string) []string {
	var once []string
	for _, w := range words {
		if !slices.Contains(once, w) && len(once) < searchWordsMax {
			once = append(once, w)
		}
	}
	return once
}

// WordPlace returns a word's place in lists of users that were searched for. Like
// times it is larger the further to the front, so that lists are in alphabetical
// order, by the first seven bytes, and a word stands before all that it begins. It
// is a number, and not the word, because it stands in cursors.
func WordPlace(word string) int64 { return placeMax - leading(word, 0x00) }

// WithinPrefix returns the part of r in which the places of all words lie that
// begin with prefix.
func WithinPrefix(r Range, prefix string) Range {
	first, last := placeMax-leading(prefix, 0x00), placeMax-leading(prefix, 0xff)
	r.Above = Newest(r.Above, Key{TS: last - 1, ID: math.MaxInt64})
	if end := (Key{TS: first + 1}); r.Below.Newer(end) {
		r.Below = end
	}
	return r
}

// leading reads the first bytes of a word as a number, filling up a short one.
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
