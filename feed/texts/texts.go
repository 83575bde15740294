package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// brailleBlank has no dots, so it is blank although Unicode classifies it as a symbol.
const brailleBlank = '\u2800'

// IsBlank reports whether s is empty, or has only white space, control characters and characters
// that no font draws.
func IsBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !isControl(r) && !isInvisible(r) && r != brailleBlank
	})
}

// PlainFault checks any text. PostgreSQL stores only valid UTF-8 without NUL.
func PlainFault(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "must be valid UTF-8"
	case strings.ContainsRune(s, 0):
		return "must not contain a NUL character"
	}
	return ""
}

// LabelFault returns what is wrong with s as a name or title, except its length. A label is one
// line among others: it must not break the line, reorder the text around it, or be invisible.
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

// isControl includes the two separators that break lines.
func isControl(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp)
}

func isBidiControl(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }

// isInvisible reports whether r is drawn as nothing: a default-ignorable code point, or another
// format character except those that enclose the next characters.
func isInvisible(r rune) bool {
	if unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
