package guard

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

// fault is why a value cannot be used.
type fault struct {
	// at is the path of the value below where it stands, such as ".media[3]".
	at string
	// is says what the value is, and why what is wrong with that.
	is, why string
	code    feed.Code
}

// in returns the fault with its path put below a step, such as ".media" or "[3]".
func (f *fault) in(step string) *fault {
	f.at = step + f.at
	return f
}

// of returns the refusal of a value that stands at a place of the document.
func (f *fault) of(place string, at *ast.Position) *gqlerror.Error {
	refused := apierror.New(f.code, fmt.Sprintf("%s%s %s: %s", place, f.at, f.is, f.why))
	if at != nil {
		refused.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	}
	return refused
}

// mismatch is the fault of a value that is not of its type.
func mismatch(value any, why string) *fault {
	return &fault{is: "is " + shown(value), why: why, code: apierror.ValidationFailed}
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// shownMax is how many bytes of a value a message shows: enough to recognize it.
const shownMax = 40

// shown renders a value for a message.
func shown(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		if len(value) > shownMax {
			return fmt.Sprintf("%.*q… (%d bytes)", shownMax, value, len(value))
		}
		return strconv.Quote(value)
	case json.Number:
		if len(value) > shownMax {
			return fmt.Sprintf("%.*s… (%d digits)", shownMax, value, len(value))
		}
		return value.String()
	case []any:
		return fmt.Sprintf("a list of %d values", len(value))
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(value)
}
