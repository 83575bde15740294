package texts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mtibben/confusables"
	"golang.org/x/text/unicode/norm"
)

// NewHandle returns the form in which a new handle is stored and shown, or what is wrong with s. It
// replaces compatibility characters. Beyond [HandleFault], letters must be of one script, and marks
// on Latin, Greek and Cyrillic letters part of a letter. It may look like another ([Skeletons]).
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

// hasStrayMark finds marks without a script of their own, such as a line through a letter, in
// normal form C. There, with few exceptions, a letter with such a mark is one code point.
func hasStrayMark(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.M, r) && unicode.Is(unicode.Inherited, r) })
}

const (
	latin = "Latin"
	// eastAsian are the scripts of Chinese, Japanese and Korean, which mix, also with Latin.
	eastAsian = "East Asian"
)

// ASCII digits occur with every script.
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

// Skeletons returns one or two forms, only for comparison: two handles that share one are easily
// confused (Unicode Technical Standard 39). The handle as shown and its folded form differ, because
// a capital I looks like an l and a small i does not.
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

// The standard's data maps some letters to capitals, such as the digit 0 to O. These are folded and
// looked up again. Full case folding makes an i with a second dot of a capital I with a dot. The
// dot is removed, because the letter looks like a plain i.
func skeleton(s string) string {
	s = norm.NFD.String(s)
	s = strings.ReplaceAll(strings.ReplaceAll(s, "i\u0307", "i"), "j\u0307", "j")
	for range 2 {
		s = Fold(confusables.Skeleton(strings.Map(missedLookalike, s)))
	}
	return s
}

// missedLookalike maps letters that the standard's data lacks or maps elsewhere: small capitals,
// and three letters that browsers treat the same in host names.
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
