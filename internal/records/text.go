package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
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
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		first, ok := escape(text[i:])
		if !ok {
			i++ // The character that is escaped may be a backslash.
			continue
		}
		i += escapeLen - 1
		if !utf16.IsSurrogate(first) {
			continue
		}
		second, _ := escape(text[i+1:])
		if utf16.DecodeRune(first, second) == utf8.RuneError {
			return fmt.Errorf(`byte %d: the escape \u%04x is one half of a surrogate pair`, i+2-escapeLen, first)
		}
		i += escapeLen
	}
	return nil
}

const escapeLen = 6

// escape parses the \u escape at the beginning of a text.
func escape(text []byte) (r rune, ok bool) {
	if len(text) < escapeLen || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:escapeLen]), 16, 16)
	return rune(n), err == nil
}

type member struct {
	name  string
	value json.RawMessage
}

// membersOf returns the fields of an object in order; none if the text is anything else.
func membersOf(text []byte) []member {
	d := json.NewDecoder(bytes.NewReader(text))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return nil
	}
	var members []member
	for d.More() {
		token, err := d.Token()
		name, isName := token.(string)
		m := member{name: name}
		if err != nil || !isName || d.Decode(&m.value) != nil {
			return nil
		}
		members = append(members, m)
	}
	if _, err := d.Token(); err != nil {
		return nil
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil
	}
	return members
}
