package transport

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
)

// encode returns a response in one line. Without an operation there is no data, not even null.
func encode(response *graphql.Response) []byte {
	text, at := encodeAround(response)
	return slices.Concat(text[:at], response.Data, text[at:])
}

// encodeAround returns a response without its data, which is large, and where that belongs.
func encodeAround(response *graphql.Response) (text []byte, at int) {
	b := []byte{'{'}
	if len(response.Errors) > 0 || !hasData(response) {
		b = append(b, `"errors":`...)
		b = appendValue(b, response.Errors)
		b = append(b, ',')
	}
	at = len(b)
	if hasData(response) {
		b = append(b, `"data":`...)
		at = len(b)
		b = append(b, ',')
	}
	if len(response.Extensions) > 0 {
		b = append(b, `"extensions":`...)
		b = appendValue(b, response.Extensions)
		b = append(b, ',')
	}
	if response.HasNext != nil {
		b = append(b, `"hasNext":`...)
		b = strconv.AppendBool(b, *response.HasNext)
		b = append(b, ',')
	}
	b[len(b)-1] = '}'
	return b, at
}

func appendValue(b []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		// Only an extension that cannot be marshaled. The recover function reports it.
		panic(err)
	}
	return append(b, text...)
}
