package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/tideline-feeds/tideline/internal/wellformed"
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
