package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
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

func readURL(r *http.Request) (b requestBody, status int, err error) {
	q := r.URL.Query()
	b = requestBody{Query: q.Get("query"), OperationName: q.Get("operationName"), DocumentID: q.Get("documentId")}
	for _, part := range []struct {
		name string
		into *map[string]any
	}{{"variables", &b.Variables}, {"extensions", &b.Extensions}} {
		if text := q.Get(part.name); text != "" && decode(strings.NewReader(text), part.into) != nil {
			return b, http.StatusBadRequest, errors.New(part.name + " is not a JSON object")
		}
	}
	return b, http.StatusOK, nil
}

func (t *Transport) readBody(w http.ResponseWriter, r *http.Request) (b requestBody, status int, err error) {
	if !isJSON(r.Header.Get("Content-Type")) {
		return b, http.StatusUnsupportedMediaType, errors.New("the body is " + mediaJSON + " in UTF-8")
	}
	text := bytes.NewBuffer(t.buffer())
	defer func() { t.putBack(text.Bytes()) }()
	if _, err = text.ReadFrom(http.MaxBytesReader(w, r.Body, bodyMax)); err == nil {
		b, err = t.bodies.read(text.Bytes(), func(text []byte) (b requestBody, err error) {
			return b, decode(bytes.NewReader(text), &b)
		})
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return b, http.StatusRequestEntityTooLarge, errors.New("the body is larger than 256 KiB")
	case err != nil:
		return b, http.StatusBadRequest,
			errors.New("the body is not a JSON object with the texts query and operationName and the objects variables and extensions")
	}
	return b, http.StatusOK, nil
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
