package guard

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

type fault struct {
	// at is the path below the argument or variable, such as ".media[3]".
	at string
	// is says what the value is, and why what is wrong with it.
	is, why string
	code    feed.Code
}

func (f *fault) in(step string) *fault {
	f.at = step + f.at
	return f
}

func (f *fault) of(place string, at *ast.Position) *gqlerror.Error {
	refused := apierror.New(f.code, fmt.Sprintf("%s%s %s: %s", place, f.at, f.is, f.why))
	if at != nil {
		refused.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	}
	return refused
}

func mismatch(value any, why string) *fault {
	return &fault{is: "is " + preview(value), why: why, code: apierror.ValidationFailed}
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// previewMax is the number of bytes of a value that a message shows.
const previewMax = 40

// preview formats a value for a message.
func preview(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		if len(value) > previewMax {
			return fmt.Sprintf("%.*q… (%d bytes)", previewMax, value, len(value))
		}
		return strconv.Quote(value)
	case json.Number:
		if len(value) > previewMax {
			return fmt.Sprintf("%.*s… (%d digits)", previewMax, value, len(value))
		}
		return value.String()
	case []any:
		return fmt.Sprintf("a list of %d values", len(value))
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(value)
}
