package guard

import (
	"cmp"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// Scalar checks a value of a custom scalar as a client gave it: a string, a json.Number or a
// bool, never nil. It returns why the scalar does not accept the value, without naming the
// value; the empty string if it does.
type Scalar func(value any) (why string)

// Bound is how much one argument, or one field of an input object, may hold. The zero value
// bounds nothing.
type Bound struct {
	// Bytes is the length of a text, and of each text in a list.
	Bytes int
	// Items is the length of a list.
	Items int
	// Code is the code of the refusal; BAD_USER_INPUT when empty.
	Code feed.Code
}

// check refuses a value that exceeds the bound. The value has been coerced: texts are strings
// and lists are []any.
func (b Bound) check(value any) *fault {
	switch value := value.(type) {
	case string:
		if b.Bytes > 0 && len(value) > b.Bytes {
			return b.fault(fmt.Sprintf("has %d bytes", len(value)), b.Bytes)
		}
	case []any:
		if b.Items > 0 && len(value) > b.Items {
			return b.tooMany(len(value))
		}
		for i, element := range value {
			if f := b.check(element); f != nil {
				return f.in(index(i))
			}
		}
	}
	return nil
}

func (b Bound) tooMany(n int) *fault {
	return b.fault(fmt.Sprintf("has %d values", n), b.Items)
}

func (b Bound) fault(is string, most int) *fault {
	return &fault{is: is, why: fmt.Sprintf("at most %d are accepted", most), code: cmp.Or(b.Code, feed.CodeBadInput)}
}
