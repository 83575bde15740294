package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

// requestMax is the maximum size of a request in bytes: query string and body together, or a message
// on a socket. The largest post takes 80 KB: 5,000 code points of 12 bytes when escaped, and ten
// URLs. The rest is for the query.
const requestMax = 256 << 10

// headerMax is the maximum size of a header in bytes, of which each field counts fieldBytes more than
// its text. Proxies accept 8 to 32 KiB. A stream keeps the header of its request.
const headerMax = 32 << 10

// fieldBytes is the memory that a field of a header takes besides its text.
const fieldBytes = 100

// HeaderMax is the maximum number of bytes up to the body of a request, for [http.Server].
const HeaderMax = requestMax + headerMax

func headerSize(h http.Header) (n int) {
	for name, values := range h {
		for _, value := range values {
			n += len(name) + len(value) + fieldBytes
		}
	}
	return n
}

var errTooLarge = fmt.Errorf("the request is larger than %d KiB", requestMax>>10)

func readRequest(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, int, error) {
	if len(r.URL.RawQuery) > requestMax {
		return nil, http.StatusRequestEntityTooLarge, errTooLarge
	}
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
	b.kept = len(r.URL.RawQuery)
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
	b.bytes = len(r.URL.RawQuery)
	for _, part := range []struct {
		name string
		into any
	}{{"variables", &b.Variables}, {"extensions", &b.Extensions}} {
		if err := readObject([]byte(q.Get(part.name)), part.into); err != nil {
			return b, http.StatusBadRequest, fmt.Errorf("%s %w", part.name, err)
		}
	}
	return b, http.StatusOK, nil
}

func readObject(text []byte, into any) error {
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
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(requestMax-len(r.URL.RawQuery))))
	if err == nil {
		b, err = parseBody(text)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, wellformed.ErrInvalidUTF8), errors.Is(err, wellformed.ErrHalfSurrogate):
		return b, http.StatusBadRequest, fmt.Errorf("the body has %w", err)
	case errors.As(err, &tooLarge):
		return b, http.StatusRequestEntityTooLarge, errTooLarge
	case err != nil:
		return b, http.StatusBadRequest,
			errors.New("the body must be a JSON object with the strings query and operationName and the objects variables and extensions")
	}
	b.bytes = len(r.URL.RawQuery) + len(text)
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
	Extensions    extensions     `json:"extensions"`
	bytes         int            // of the query string and the body, or of the message
	kept          int            // of the query string
}

func (b requestBody) params(header http.Header) (*graphql.RawParams, error) {
	known := b.Extensions.known()
	if b.Query == "" && b.DocumentID == "" && known[PersistedQuery] == nil {
		return nil, errors.New("the request has no query")
	}
	if b.DocumentID != "" {
		known[DocumentID] = b.DocumentID
	}
	known[RequestBytes], known[KeptBytes] = b.bytes+headerSize(header), b.kept+headerSize(header)
	return &graphql.RawParams{
		Query:         b.Query,
		OperationName: b.OperationName,
		Variables:     b.Variables,
		Extensions:    known,
		Headers:       onlyRead(header),
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
