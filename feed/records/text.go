package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

// encoding/json silently replaces invalid UTF-8 by U+FFFD, and takes the last of duplicate
// fields. Such lines are bad, because a record must not be altered.

// checkUTF8 returns an error with the position of the first invalid byte.
func checkUTF8(text []byte) error {
	if utf8.Valid(text) {
		return nil
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return fmt.Errorf("byte %d (0x%02x) is not valid UTF-8", i+1, text[i])
		}
		i += size
	}
	return nil
}

// checkEscapes returns an error if a \u escape is half a surrogate pair.
func checkEscapes(text []byte) error {
	at := wellformed.HalfSurrogate(text)
	if at < 0 {
		return nil
	}
	return fmt.Errorf("byte %d: the escape %s is one half of a surrogate pair", at+1, text[at:at+wellformed.EscapeLength])
}

// member is a field of a line. Its value is JSON, or a text if value is nil.
type member struct {
	name  string
	value json.RawMessage
	text  string
}

// membersOf returns the fields of an object in order; none if the text is anything else.
func membersOf(text []byte) []member {
	text = bytes.TrimLeft(text, blanks)
	if len(text) == 0 || text[0] != '{' || !json.Valid(text) {
		return nil
	}
	// The text is valid, so only the ends of names and values are to be found.
	members := make([]member, 0, 8)
	for rest := skip(text[1:]); rest[0] == '"'; rest = skip(rest) {
		n := valueLength(rest)
		m := member{name: nameIn(rest[:n])}
		rest = skip(rest[n:])
		n = valueLength(rest)
		m.value, rest = json.RawMessage(rest[:n]), rest[n:]
		members = append(members, m)
	}
	return members
}

const blanks = " \t\r\n"

// skip returns what follows blanks, commas and colons.
func skip(text []byte) []byte { return bytes.TrimLeft(text, blanks+",:") }

// nameIn decodes a name, which rarely has escapes.
func nameIn(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var name string
	_ = json.Unmarshal(quoted, &name) // valid
	return name
}

// valueLength returns the length of the value with which valid JSON begins.
func valueLength(text []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch text[i] {
		case '"':
			i += stringLength(text[i:]) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				return i + bytes.IndexAny(text[i:], ",}]"+blanks)
			}
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
}

// stringLength returns the length of the string with which valid JSON begins.
func stringLength(text []byte) int {
	for i := 1; ; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}
