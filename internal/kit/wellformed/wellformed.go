// Package wellformed detects text that decoders alter silently: encoding/json and GraphQL lexers
// replace invalid UTF-8, and escapes of half a surrogate pair, by U+FFFD. Check inputs first.
package wellformed

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	// ErrInvalidUTF8 is the error for bytes that are not UTF-8.
	ErrInvalidUTF8 = errors.New("text that is not UTF-8")
	// ErrHalfSurrogate is the error for an escape that names half of a surrogate pair.
	ErrHalfSurrogate = errors.New(`a \u escape of half a surrogate pair`)
)

// JSON checks JSON text, or any part of it that begins and ends outside of strings. It returns
// [ErrInvalidUTF8], [ErrHalfSurrogate] or nil. It does not check the syntax.
func JSON(text []byte) error {
	switch {
	case !utf8.Valid(text):
		return ErrInvalidUTF8
	case HalfSurrogate(text) >= 0:
		return ErrHalfSurrogate
	}
	return nil
}

// Document checks a GraphQL document, as [JSON] checks JSON. Escapes count in quoted strings
// only, not in comments and block strings.
func Document(text string) error {
	if !utf8.ValidString(text) {
		return ErrInvalidUTF8
	}
	if !strings.Contains(text, `\u`) {
		return nil
	}
	for {
		start := strings.IndexAny(text, `#"`)
		if start < 0 {
			return nil
		}
		text = text[start:]
		switch {
		case text[0] == '#':
			text = text[lineLength(text):]
		case strings.HasPrefix(text, `"""`):
			text = text[blockLength(text):]
		default:
			n := stringLength(text)
			if HalfSurrogate(text[:n]) >= 0 {
				return ErrHalfSurrogate
			}
			text = text[n:]
		}
	}
}

// lineLength returns the number of bytes before the end of the line.
func lineLength(text string) int {
	if n := strings.IndexAny(text, "\r\n"); n >= 0 {
		return n
	}
	return len(text)
}

func blockLength(text string) int {
	const quotes = `"""`
	n := len(quotes)
	for {
		end := strings.Index(text[n:], quotes)
		if end < 0 {
			return len(text)
		}
		n += end + len(quotes)
		if text[n-len(quotes)-1] != '\\' {
			return n
		}
	}
}

// stringLength takes an unclosed string to end with its line; the parser rejects it.
func stringLength(text string) int {
	for n := 1; n < len(text); n++ {
		switch text[n] {
		case '\\':
			n++
		case '"', '\n', '\r':
			return n + 1
		}
	}
	return len(text)
}

// EscapeLength is the number of bytes of an escape such as \ud83d.
const EscapeLength = 6

// HalfSurrogate returns the index of the first escape of a surrogate that the next escape does
// not complete to a pair; -1 if there is none.
func HalfSurrogate[T string | []byte](text T) int {
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			i++
			continue
		}
		unit, ok := escaped(text[i:])
		if !ok {
			i += 2 // another escape, such as \\
			continue
		}
		i += EscapeLength
		if !utf16.IsSurrogate(unit) {
			continue
		}
		low, _ := escaped(text[i:])
		if utf16.DecodeRune(unit, low) == unicode.ReplacementChar {
			return i - EscapeLength
		}
		i += EscapeLength
	}
	return -1
}

// escaped returns the code unit of the escape at the beginning of text, and whether there is a
// valid one.
func escaped[T string | []byte](text T) (rune, bool) {
	if len(text) < EscapeLength || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:EscapeLength]), 16, 16)
	return rune(unit), err == nil
}
