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

// bodyMax is the number of bytes a request's body, or a message on a socket, may have.
// The largest publish takes 80 KB: a text of 5,000 code points, 12 bytes each when all
// are escaped, and ten URLs of 2,048 bytes. The rest is for the query.
const bodyMax = 256 << 10

// DocumentID is the name in [graphql.RawParams.Extensions] under which a request's
// documentId is passed on: the id of a document that the server knows, sent in the place
// of its text.
const DocumentID = "documentId"

// persistedQuery is the extension that names a query by its hash, also without its text.
const persistedQuery = "persistedQuery"

// readRequest returns the request's parameters, or the status and the reason to
// refuse it with.
func (t *Transport) readRequest(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, int, error) {
	var b requestBody
	var status int
	var err error
	switch r.Method {
	case http.MethodGet:
		b, status, err = readURL(r)
	case http.MethodPost:
		b, status, err = t.readBody(w, r)
	default:
		return nil, http.StatusMethodNotAllowed, errors.New("requests are GET or POST")
	}
	if err != nil {
		return nil, status, err
	}
	params, err := b.params(r.Header)
	return params, http.StatusBadRequest, err
}

// readURL reads the parameters of a GET request. A query string that cannot be decoded as it
// stands is refused: leaving a part of it out would make another request of it.
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

// readObject reads a parameter that is a JSON object, or empty.
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

func (t *Transport) readBody(w http.ResponseWriter, r *http.Request) (b requestBody, status int, err error) {
	if !isJSON(r.Header.Get("Content-Type")) {
		return b, http.StatusUnsupportedMediaType, errors.New("the body is " + mediaJSON + " in UTF-8")
	}
	text := bytes.NewBuffer(t.buffer())
	defer func() { t.putBack(text.Bytes()) }()
	if _, err = text.ReadFrom(http.MaxBytesReader(w, r.Body, bodyMax)); err == nil {
		b, err = parseBody(text.Bytes())
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, wellformed.ErrInvalidUTF8), errors.Is(err, wellformed.ErrHalfSurrogate):
		return b, http.StatusBadRequest, fmt.Errorf("the body has %w", err)
	case errors.As(err, &tooLarge):
		return b, http.StatusRequestEntityTooLarge, errors.New("the body is larger than 256 KiB")
	case err != nil:
		return b, http.StatusBadRequest,
			errors.New("the body is not a JSON object with the texts query and operationName and the objects variables and extensions")
	}
	return b, http.StatusOK, nil
}

// parseBody reads a body. What the decoder would alter is an error of package wellformed.
func parseBody(text []byte) (b requestBody, err error) {
	if err := wellformed.JSON(text); err != nil {
		return b, err
	}
	return b, decode(bytes.NewReader(text), &b)
}

// isJSON says whether a Content-Type is the one that bodies have, in UTF-8.
func isJSON(contentType string) bool {
	if contentType == mediaJSON {
		return true
	}
	kind, attributes, err := mime.ParseMediaType(contentType)
	return err == nil && kind == mediaJSON && isUTF8(attributes["charset"])
}

// requestBody is what a request says, and the payload of a socket's subscribe. Null is as
// absent.
type requestBody struct {
	Query         string         `json:"query"`
	DocumentID    string         `json:"documentId"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
	Extensions    map[string]any `json:"extensions"`
}

// params returns what the executor takes; an error when the request names no query in
// any way.
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

// decode reads one JSON value and nothing after it. Numbers stay texts, so that none
// loses digits before the schema says what it is.
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
