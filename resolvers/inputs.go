package resolvers

import (
	"errors"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
)

func scalars() map[string]guard.Scalar {
	return map[string]guard.Scalar{
		"DateTime": func(value any) string {
			_, err := model.UnmarshalDateTime(value)
			return reason(err)
		},
		// The domain checks URLs, and refuses them by userErrors.
		"URL": func(value any) string {
			if _, isText := value.(string); !isText {
				return "a URL must be text"
			}
			return ""
		},
		// The resolver judges each reference by itself.
		"_Any": func(any) string { return "" },
	}
}

// reason returns the message of an error of the domain; empty for other errors.
func reason(err error) string {
	var known *feed.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return ""
}

// kindsMax is the number of kinds of posts.
const kindsMax = 3

// Bounds of arguments in bytes, which users never exceed by typing. The domain allows less, and
// refuses longer values by userErrors.
const (
	// A global id has about 30, and at most model.MaxGlobalID.
	idBytes = 192
	// The longest cursor has 68.
	cursorBytes = 256
	// A DateTime with nanoseconds and an offset has 35.
	timeBytes = 64
	// The longest handle has 64 code points and the longest search 100, of up to 4 bytes.
	lineBytes = 1 << 10
	// The longest name or title has 200 code points. Other texts without a bound have this one.
	titleBytes = 4 << 10
	// The longest URL has 2,048.
	urlBytes = 8 << 10
	// The longest text has 5,000 code points: 20,000 bytes.
	textBytes = 64 << 10
	// The longest BCP 47 tag of a post has 35.
	languageBytes = 64
	// A post has at most 10.
	mediaMax = 100
)

// Bounds returns the bounds of all arguments and input fields of a schema with values of variable
// length, by name. One without its own bound has that of its type.
func Bounds(schema *ast.Schema) map[string]guard.Bound {
	line := guard.Bound{Bytes: lineBytes}
	cursor := guard.Bound{Bytes: cursorBytes, Code: feed.CodeBadCursor}
	bounds := map[string]guard.Bound{
		// Of several ids, one that is too long is that of no object, and the others are found.
		"ids": {Items: nodesMax}, "databaseIds": {Items: nodesMax}, "userIds": {Items: listMembersMax, Bytes: idBytes},
		// An external id has at most 128.
		"databaseId": {Bytes: idBytes},
		"after":      cursor, "before": cursor, "since": cursor, "downTo": cursor, "cursor": cursor, "syncToken": cursor,
		"kinds":     {Items: kindsMax},
		"languages": {Items: feed.FilterLanguagesMax, Bytes: languageBytes},
		"handle":    line, "confirmHandle": line, "query": line, "device": line,
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
	for _, d := range schema.Types {
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
