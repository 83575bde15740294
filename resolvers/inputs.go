package resolvers

import (
	"errors"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers/guard"
)

// scalars returns how values of the schema's custom scalars are checked.
func scalars() map[string]guard.Scalar {
	return map[string]guard.Scalar{
		"DateTime": func(value any) string {
			_, err := model.UnmarshalDateTime(value)
			return reason(err)
		},
		// Which URLs are accepted is for the domain to say, as a userError.
		"URL": func(value any) string {
			if _, isText := value.(string); !isText {
				return "a URL is text"
			}
			return ""
		},
	}
}

// reason returns the message of an error of the domain; the empty string for none.
func reason(err error) string {
	var known *feed.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return ""
}

// kindsMax is how many kinds of post there are: a longer list repeats itself.
const kindsMax = 3

// The lengths in bytes that arguments may have. A value within them may still be longer than
// the domain accepts, which answers with a userError then: people type such texts, and never
// one that is refused here.
const (
	// idBytes: a global id has some 30.
	idBytes = 128
	// cursorBytes: the longest cursor has 68.
	cursorBytes = 256
	// timeBytes: a DateTime with nanoseconds and an offset has 35.
	timeBytes = 64
	// lineBytes: the longest handle has 64 code points and the longest search 100, of up to
	// 4 bytes each. Keys and ids of clients are shorter.
	lineBytes = 1 << 10
	// titleBytes: the longest name or title has 200 code points. It bounds every text that has
	// no bound of its own.
	titleBytes = 4 << 10
	// urlBytes: the longest URL has 2,048.
	urlBytes = 8 << 10
	// textBytes: the longest text has 5,000 code points, 20,000 bytes at most.
	textBytes = 64 << 10
	// mediaMax: a post has 10 at most.
	mediaMax = 100
)

// Bounds returns the bounds of all arguments and input fields of the schema whose values vary
// in length, by their names. What has none of its own has that of its type.
func Bounds() map[string]guard.Bound {
	line := guard.Bound{Bytes: lineBytes}
	cursor := guard.Bound{Bytes: cursorBytes, Code: feed.CodeBadCursor}
	bounds := map[string]guard.Bound{
		"ids":   {Items: nodesMax, Bytes: idBytes},
		"after": cursor, "before": cursor, "since": cursor,
		"kinds":  {Items: kindsMax},
		"handle": line, "confirmHandle": line, "query": line,
		"idempotencyKey": line, "clientMutationId": line,
		"text":  {Bytes: textBytes},
		"media": {Items: mediaMax, Bytes: urlBytes},
	}
	ofType := map[string]int{"ID": idBytes, "URL": urlBytes, "DateTime": timeBytes, "String": titleBytes}
	add := func(name string, t *ast.Type) {
		if _, has := bounds[name]; !has && ofType[t.NamedType] != 0 {
			bounds[name] = guard.Bound{Bytes: ofType[t.NamedType]}
		}
	}
	for _, d := range graph.LoadSchema().Types {
		for _, f := range d.Fields {
			if d.Kind == ast.InputObject {
				add(f.Name, f.Type)
			}
			for _, a := range f.Arguments {
				add(a.Name, a.Type)
			}
		}
	}
	return bounds
}
