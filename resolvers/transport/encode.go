package transport

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/99designs/gqlgen/graphql"
)

// Appender is an extension of a response that writes itself as JSON behind what is in b
// already, for what is in every response. All others are written as package json does.
type Appender interface {
	AppendJSON(b []byte) []byte
}

// encode returns a response in one line: errors, data, extensions. Where no operation began it
// has no data, not even null.
func encode(response *graphql.Response) []byte {
	text, at := encodeAround(nil, response)
	return slices.Concat(text[:at], response.Data, text[at:])
}

// encodeAround writes all of a response but its data behind b, and returns where that belongs.
// It is JSON already, and the largest part of most, so it is sent from where it is.
func encodeAround(b []byte, response *graphql.Response) (text []byte, at int) {
	b = append(b, '{')
	if len(response.Errors) > 0 || !began(response) {
		b = append(b, `"errors":`...)
		b = appendValue(b, response.Errors)
		b = append(b, ',')
	}
	at = len(b)
	if began(response) {
		b = append(b, `"data":`...)
		at = len(b)
		b = append(b, ',')
	}
	if len(response.Extensions) > 0 {
		b = append(b, `"extensions":`...)
		b = appendExtensions(b, response.Extensions)
		b = append(b, ',')
	}
	b[len(b)-1] = '}'
	return b, at
}

func appendExtensions(b []byte, extensions map[string]any) []byte {
	b = append(b, '{')
	// Most responses have one or two, which are then sorted where they stand.
	var room [4]string
	names := slices.AppendSeq(room[:0], maps.Keys(extensions))
	slices.Sort(names)
	for _, name := range names {
		b = append(appendName(b, name), ':')
		if a, ok := extensions[name].(Appender); ok {
			b = a.AppendJSON(b)
		} else {
			b = appendValue(b, extensions[name])
		}
		b = append(b, ',')
	}
	b[len(b)-1] = '}'
	return b
}

// appendName writes the name of an extension, which hardly ever needs to be escaped.
func appendName(b []byte, name string) []byte {
	for _, c := range []byte(name) {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return appendValue(b, name)
		}
	}
	return append(append(append(b, '"'), name...), '"')
}

func appendValue(b []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		// Only an extension that is no JSON comes here; the recover function of the server,
		// or of the operation, reports it.
		panic(err)
	}
	return append(b, text...)
}
