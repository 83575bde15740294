package guard

import (
	"cmp"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// Scalar checks a value as a JSON decoder returns it, numbers as json.Number. It returns why the
// scalar does not accept the value, without quoting it; empty if it does. The results of objects and
// lists share their memory with the variables of the request.
type Scalar func(value any) (why string)

// Bound limits an argument, or a field of an input object. The zero value limits nothing.
type Bound struct {
	// Bytes is the maximum length of a text, and of each text in a list.
	Bytes int
	// Items is the maximum length of a list.
	Items int
	// Code is the code of the error; BAD_USER_INPUT if empty.
	Code feed.Code
}

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
	return &fault{is: is, why: fmt.Sprintf("at most %d are allowed", most), code: cmp.Or(b.Code, feed.CodeBadInput)}
}
