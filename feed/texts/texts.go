package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// brailleBlank is the braille pattern without dots. It is a symbol and not a space, so
// no property of Unicode says that it is empty.
const brailleBlank = '\u2800'

// IsBlank reports whether nothing of s is visible: s is empty, or consists of white
// space, control characters, and characters that no font draws.
func IsBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !isControl(r) && !isInvisible(r) && r != brailleBlank
	})
}

// PlainFault returns what is wrong with s as a text of any kind: PostgreSQL stores valid
// UTF-8 without NUL characters only.
func PlainFault(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "must be valid UTF-8"
	case strings.ContainsRune(s, 0):
		return "must not contain a NUL character"
	}
	return ""
}

// LabelFault returns what is wrong with s as a name or a title, whatever its length. A
// label is one line among other texts: it must not break the line, reorder what is
// around it, or be invisible.
func LabelFault(s string) string {
	if fault := PlainFault(s); fault != "" {
		return fault
	}
	switch {
	case strings.ContainsFunc(s, isControl):
		return "must not contain control characters or line breaks"
	case strings.ContainsFunc(s, isBidiControl):
		return "must not contain characters that change the direction of text"
	case IsBlank(s):
		return "must contain a visible character"
	}
	return ""
}

// isControl reports whether r is a control character or one of the two separators that
// break lines without being one.
func isControl(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp)
}

// isBidiControl reports whether r changes the direction of the text around it.
func isBidiControl(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }

// isInvisible reports whether r is drawn as nothing: the default-ignorable code points of
// Unicode, and the other format characters except the few that enclose what follows them.
func isInvisible(r rune) bool {
	if unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
