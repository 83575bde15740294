package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/internal/wellformed"
)

// bodyMax is the maximum size of a body or of a message on a socket in bytes. The largest post
// takes 80 KB: 5,000 code points of 12 bytes when escaped, and ten URLs. The rest is for the query.
const bodyMax = 256 << 10

// AtLeastHeader has the positions that the response must reflect.
const AtLeastHeader = "Tideline-At-Least"

// DocumentID names the id of a known document in [graphql.RawParams.Extensions].
const DocumentID = "documentId"

const persistedQuery = "persistedQuery"

func readRequest(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, int, error) {
	var b requestBody
	var status int
	var err error
	switch r.Method {
	case http.MethodGet:
		b, status, err = readURL(r)
	case http.MethodPost:
		b, status, err = readBody(w, r)
	default:
		return nil, http.StatusMethodNotAllowed, errors.New("the method must be GET or POST")
	}
	if err != nil {
		return nil, status, err
	}
	params, err := b.params(r.Header)
	return params, http.StatusBadRequest, err
}

// readURL refuses a malformed query string: without that part, the request would be another.
func readURL(r *http.Request) (b requestBody, status int, err error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return b, http.StatusBadRequest, errors.New("the query string is malformed: every parameter must be percent-encoded")
	}
	for _, part := range []struct {
		name string
		into *string
	}{{"query", &b.Query}, {"operationName", &b.OperationName}, {"documentId", &b.DocumentID}} {
		if *part.into = q.Get(part.name); !utf8.ValidString(*part.into) {
			return b, http.StatusBadRequest, fmt.Errorf("%s has %w", part.name, wellformed.ErrInvalidUTF8)
		}
	}
	for _, part := range []struct {
		name string
		into *map[string]any
	}{{"variables", &b.Variables}, {"extensions", &b.Extensions}} {
		if err := readObject([]byte(q.Get(part.name)), part.into); err != nil {
			return b, http.StatusBadRequest, fmt.Errorf("%s %w", part.name, err)
		}
	}
	return b, http.StatusOK, nil
}

func readObject(text []byte, into *map[string]any) error {
	if len(text) == 0 {
		return nil
	}
	if err := wellformed.JSON(text); err != nil {
		return fmt.Errorf("has %w", err)
	}
	if decode(bytes.NewReader(text), into) != nil {
		return errors.New("is not a JSON object")
	}
	return nil
}

func readBody(w http.ResponseWriter, r *http.Request) (b requestBody, status int, err error) {
	if !isJSON(r.Header.Get("Content-Type")) {
		return b, http.StatusUnsupportedMediaType, errors.New("the body must be " + mediaJSON + " in UTF-8")
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMax))
	if err == nil {
		b, err = parseBody(text)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, wellformed.ErrInvalidUTF8), errors.Is(err, wellformed.ErrHalfSurrogate):
		return b, http.StatusBadRequest, fmt.Errorf("the body has %w", err)
	case errors.As(err, &tooLarge):
		return b, http.StatusRequestEntityTooLarge, errors.New("the body is larger than 256 KiB")
	case err != nil:
		return b, http.StatusBadRequest,
			errors.New("the body must be a JSON object with the strings query and operationName and the objects variables and extensions")
	}
	return b, http.StatusOK, nil
}

// parseBody returns an error of package wellformed for what decoding would alter.
func parseBody(text []byte) (b requestBody, err error) {
	if err := wellformed.JSON(text); err != nil {
		return b, err
	}
	return b, decode(bytes.NewReader(text), &b)
}

func isJSON(contentType string) bool {
	if contentType == mediaJSON {
		return true
	}
	kind, attributes, err := mime.ParseMediaType(contentType)
	return err == nil && kind == mediaJSON && isUTF8(attributes["charset"])
}

// requestBody is a request: a body, or the payload of a subscribe. Null counts as absent.
type requestBody struct {
	Query         string         `json:"query"`
	DocumentID    string         `json:"documentId"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
	Extensions    map[string]any `json:"extensions"`
}

func (b requestBody) params(header http.Header) (*graphql.RawParams, error) {
	if b.Query == "" && b.DocumentID == "" && b.Extensions[persistedQuery] == nil {
		return nil, errors.New("the request has no query")
	}
	extensions := b.Extensions
	if b.DocumentID != "" {
		extensions = maps.Clone(extensions)
		if extensions == nil {
			extensions = map[string]any{}
		}
		extensions[DocumentID] = b.DocumentID
	}
	return &graphql.RawParams{
		Query:         b.Query,
		OperationName: b.OperationName,
		Variables:     b.Variables,
		Extensions:    extensions,
		Headers:       header,
	}, nil
}

// decode decodes exactly one JSON value. Numbers stay texts, so that they lose no digits.
func decode(from io.Reader, into any) error {
	d := json.NewDecoder(from)
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	_, err := d.Token()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		err = errors.New("more than one value")
	}
	return err
}
