package resolvers

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
)

// bodyMax is the number of bytes a request's body may have. The largest publish takes
// 80 KB: a text of 5,000 code points, 12 bytes each when all are escaped, and ten URLs
// of 2,048 bytes. The rest is for the query.
const bodyMax = 256 << 10

// transport speaks GraphQL over HTTP as its specification says. It is one transport
// for everything, so that what it does not take is answered with the right status.
//
// Bodies are JSON only. Forms and multipart bodies can be sent by any web page to any
// site without asking, along with the user's cookies, so a mutation must not be
// possible that way; nor by GET.
type transport struct{}

// Supports accepts every request; Do refuses those that are not understood.
func (transport) Supports(*http.Request) bool { return true }

// Do answers one request.
func (t transport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	a := answer{w: w, r: r, exec: exec}
	w.Header().Set("Vary", "Accept")
	// Answers differ by who asks, so no shared cache may keep them.
	w.Header().Set("Cache-Control", "no-store")
	mediaType, ok := negotiate(r.Header.Values("Accept"))
	a.mediaType = mediaType
	if !ok {
		a.refuse(http.StatusNotAcceptable, "the response is "+mediaResponse+" or "+mediaJSON)
		return
	}
	start := graphql.Now()
	params, status, err := readRequest(w, r)
	if err != nil {
		if status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", "GET, POST")
		}
		a.refuse(status, err.Error())
		return
	}
	params.Headers = r.Header
	params.ReadTime = graphql.TraceTiming{Start: start, End: graphql.Now()}
	a.execute(params)
}

// answer is one response in the making.
type answer struct {
	w         http.ResponseWriter
	r         *http.Request
	exec      graphql.GraphExecutor
	mediaType string
}

func (a answer) execute(params *graphql.RawParams) {
	ctx := a.r.Context()
	oc, errs := a.exec.CreateOperationContext(ctx, params)
	if errs != nil {
		a.requestErrors(graphql.WithOperationContext(ctx, oc), errs)
		return
	}
	if a.r.Method == http.MethodGet && oc.Operation.Operation != ast.Query {
		a.w.Header().Set("Allow", "POST")
		a.refuse(http.StatusMethodNotAllowed, "a GET request can only be a query")
		return
	}
	responses, ctx := a.exec.DispatchOperation(ctx, oc)
	response := responses(ctx)
	if response == nil {
		// The executor gives up without a word when the context is at its end.
		response = a.exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(context.Cause(ctx))})
	}
	a.write(http.StatusOK, response)
}

// requestErrors answers a request whose operation did not begin. Its body has no
// data. Only the newer media type says so by its status: clients of the older one
// take any other than 200 for a failure of the network.
func (a answer) requestErrors(ctx context.Context, errs gqlerror.List) {
	status := http.StatusOK
	if a.mediaType == mediaResponse {
		status = http.StatusBadRequest
	}
	a.write(status, withoutData{a.exec.DispatchError(ctx, errs).Errors})
}

// refuse answers a request that is not GraphQL at all.
func (a answer) refuse(status int, message string) {
	a.write(status, withoutData{gqlerror.List{coded(string(feed.CodeBadInput), message)}})
}

func (a answer) write(status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		// Only a scalar that writes broken JSON comes here; the server's recover
		// function reports it.
		panic(err)
	}
	a.w.Header().Set("Content-Type", a.mediaType+"; charset=utf-8")
	a.w.WriteHeader(status)
	_, _ = a.w.Write(b) // the client has gone; there is nobody to tell
}

// withoutData is a response to a request whose operation did not begin.
type withoutData struct {
	Errors gqlerror.List `json:"errors"`
}

// readRequest returns the request's parameters, or the status and the reason to
// refuse it with.
func readRequest(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, int, error) {
	switch r.Method {
	case http.MethodGet:
		return readURL(r)
	case http.MethodPost:
		return readBody(w, r)
	}
	return nil, http.StatusMethodNotAllowed, errors.New("requests are GET or POST")
}

func readURL(r *http.Request) (*graphql.RawParams, int, error) {
	q := r.URL.Query()
	b := requestBody{Query: q.Get("query"), OperationName: q.Get("operationName")}
	for _, part := range []struct {
		name string
		into *map[string]any
	}{{"variables", &b.Variables}, {"extensions", &b.Extensions}} {
		if text := q.Get(part.name); text != "" && decode(strings.NewReader(text), part.into) != nil {
			return nil, http.StatusBadRequest, errors.New(part.name + " is not a JSON object")
		}
	}
	return b.params()
}

func readBody(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, int, error) {
	kind, attributes, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != mediaJSON || !isUTF8(attributes["charset"]) {
		return nil, http.StatusUnsupportedMediaType, errors.New("the body is " + mediaJSON + " in UTF-8")
	}
	var b requestBody
	var tooLarge *http.MaxBytesError
	switch err := decode(http.MaxBytesReader(w, r.Body, bodyMax), &b); {
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge, errors.New("the body is larger than 256 KiB")
	case err != nil:
		return nil, http.StatusBadRequest,
			errors.New("the body is not a JSON object with the texts query and operationName and the objects variables and extensions")
	}
	return b.params()
}

// requestBody is what a request says. Null is as absent.
type requestBody struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
	Extensions    map[string]any `json:"extensions"`
}

func (b requestBody) params() (*graphql.RawParams, int, error) {
	if b.Query == "" {
		return nil, http.StatusBadRequest, errors.New("the request has no query")
	}
	return &graphql.RawParams{
		Query:         b.Query,
		OperationName: b.OperationName,
		Variables:     b.Variables,
		Extensions:    b.Extensions,
	}, http.StatusOK, nil
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
