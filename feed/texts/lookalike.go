package texts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mtibben/confusables"
	"golang.org/x/text/unicode/norm"
)

// NewHandle returns the form in which a new handle is stored and shown, with compatibility
// characters replaced by what they stand for and case as it is, or what is wrong with s.
// Beyond [HandleFault] the letters of a new handle are of one script, and marks on Latin,
// Greek and Cyrillic letters are part of the letter. What passes may still look like
// another handle: see [Skeletons].
func NewHandle(s string) (handle, fault string) {
	if fault = HandleFault(s); fault != "" {
		return "", fault
	}
	handle = norm.NFKC.String(s)
	switch {
	case hasStrayMark(handle):
		return "", "must not contain combining marks that are no part of a letter"
	case mixesScripts(handle):
		return "", "must not mix letters of different scripts"
	}
	return handle, ""
}

// hasStrayMark reports whether a text in normal form C has a mark that is of no script of
// its own, such as a line through a letter. Letters that are written with such a mark have
// a code point with it, with few exceptions.
func hasStrayMark(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.M, r) && unicode.Is(unicode.Inherited, r) })
}

// The groups of scripts that occur together.
const (
	latin = "Latin"
	// eastAsian are the scripts of Chinese, Japanese and Korean, which mix with each
	// other, and with Latin.
	eastAsian = "East Asian"
)

// mixesScripts reports whether letters or digits of scripts that do not occur together
// stand in one handle. ASCII digits occur with every script.
func mixesScripts(s string) bool {
	var groups []string
	for _, r := range s {
		if !unicode.In(r, unicode.L, unicode.Nd) || '0' <= r && r <= '9' {
			continue
		}
		if g := scriptGroup(r); !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	slices.Sort(groups)
	return len(groups) > 1 && !slices.Equal(groups, []string{eastAsian, latin})
}

// scriptGroup names the script of r, or the group that it belongs to.
func scriptGroup(r rune) string {
	switch {
	case unicode.Is(unicode.Latin, r):
		return latin
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul):
		return eastAsian
	case '\u0660' <= r && r <= '\u0669':
		return "Arabic" // digits that Unicode counts as common to the scripts of that region
	case r >= '\u3000' && unicode.Is(unicode.Common, r):
		return eastAsian // such as the mark for a long vowel
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return ""
}

// Skeletons returns what a handle looks like, by Unicode Technical Standard 39: two
// handles that have a skeleton in common are easily taken for each other. There are one or
// two: of the handle as it is shown, and of its folded form, because a capital I looks like
// an l and a small i does not. They mean nothing else and are not to be shown.
func Skeletons(handle string) []string {
	handle = strings.Map(func(r rune) rune {
		if isInvisible(r) {
			return -1
		}
		return r
	}, handle)
	shown, folded := skeleton(norm.NFKC.String(handle)), skeleton(Fold(handle))
	if shown == folded {
		return []string{folded}
	}
	return []string{folded, shown}
}

// skeleton returns what s looks like, whatever the case. The data of the standard leads
// from some letters to capitals, such as O for the digit 0, which are looked up again when
// they have been folded. The dot above is removed from letters that have one already: full
// case folding makes such a pair of a capital I with a dot, and it looks like a plain i.
func skeleton(s string) string {
	s = norm.NFD.String(s)
	s = strings.ReplaceAll(strings.ReplaceAll(s, "i\u0307", "i"), "j\u0307", "j")
	for range 2 {
		s = Fold(confusables.Skeleton(strings.Map(missedLookalike, s)))
	}
	return s
}

// missedLookalike returns what r looks like if it is one of the letters that the data of
// the standard leaves out or leads elsewhere: small capitals, and three letters of which
// browsers say the same when they judge host names.
func missedLookalike(r rune) rune {
	const letters, like = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢĸƅӏ", "abcdefghijklmnopqrstuvwyzkbl"
	if r < utf8.RuneSelf {
		return r
	}
	place := 0
	for _, letter := range letters {
		if letter == r {
			return rune(like[place])
		}
		place++
	}
	return r
}
