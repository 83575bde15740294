package ingest

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

const (
	// bodyMax is the maximum size of a request in bytes, as sent: a few million records. What has
	// been committed before stays.
	bodyMax = 256 << 20
	// patience is how long a client may pause within a body.
	patience = 30 * time.Second
	// retryAfter is in seconds. A backlog shrinks by thousands of slices in that time.
	retryAfter = "5"
	// sourceMax is the length of a source's name, which is a label of metrics.
	sourceMax = 64
)

// Handler serves POST /ingest: NDJSON, plain or gzip. name returns the name of the service that
// sends a request, refuse sends an error.
type Handler struct {
	Sink   *Sink
	Name   func(*http.Request) string
	Refuse func(w http.ResponseWriter, r *http.Request, status int, code feed.Code, message string)
	Log    *slog.Logger
	// BodyMax replaces the limit for a request, in bytes, if it is not 0.
	BodyMax int64
}

// answer is the body of an answer. Token names a place that includes what was applied, for reads
// that wait for it. Error has the error that ended the stream, if any.
type answer struct {
	Summary
	Token string       `json:"token,omitempty"`
	Error *answerError `json:"error,omitempty"`
}

type answerError struct {
	Code    feed.Code `json:"code"`
	Message string    `json:"message"`
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		h.Refuse(w, r, http.StatusMethodNotAllowed, feed.CodeBadInput, "send records by POST")
		return
	}
	behind, err := h.Sink.Behind(r.Context())
	switch {
	case err != nil:
		h.Log.ErrorContext(r.Context(), "cannot read the backlog", "error", err)
		h.Refuse(w, r, http.StatusServiceUnavailable, feed.CodeUnavailable, "the database is not available; send the request again")
		return
	case behind:
		w.Header().Set("Retry-After", retryAfter)
		h.Refuse(w, r, http.StatusTooManyRequests, apierror.RateLimited, "fan-outs are behind; send the request again later")
		return
	}
	body := &paced{http.MaxBytesReader(w, r.Body, cmp.Or(h.BodyMax, bodyMax)), http.NewResponseController(w), h.Sink.Clock}
	var a answer
	a.Summary, err = h.Sink.Lines(r.Context(), body, h.source(r))
	if err == nil {
		a.Token, err = h.Sink.token(r.Context())
	}
	h.answer(w, r, a, err)
}

func (h *Handler) source(r *http.Request) string {
	name := h.Name(r)
	return name[:min(len(name), sourceMax)]
}

func (h *Handler) answer(w http.ResponseWriter, r *http.Request, a answer, err error) {
	status := http.StatusOK
	var tooLarge *http.MaxBytesError
	var unread *ReadError
	switch {
	case err == nil:
	case errors.As(err, &tooLarge):
		status = http.StatusRequestEntityTooLarge
		a.Error = &answerError{feed.CodeBadInput, "the body is too large; send the lines after those counted here in further requests"}
	case errors.As(err, &unread):
		status = http.StatusBadRequest
		a.Error = &answerError{feed.CodeBadInput, "the body ended early, or is neither text nor gzip; send the whole request again"}
		h.Log.WarnContext(r.Context(), "cannot read an ingest request", "error", err)
	default:
		status = http.StatusServiceUnavailable
		a.Error = &answerError{feed.CodeUnavailable, "not all records were applied; send the whole request again"}
		h.Log.ErrorContext(r.Context(), "cannot apply an ingest request", "error", err)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(a) // an error means that the client has left
}

// paced is a body whose client must go on sending.
type paced struct {
	io.Reader
	control *http.ResponseController
	clock   feed.Clock
}

// Read moves both deadlines, since the answer comes after the body.
func (p *paced) Read(b []byte) (int, error) {
	until := p.clock().Add(patience)
	_ = p.control.SetReadDeadline(until) // not supported by recorders of tests
	_ = p.control.SetWriteDeadline(until.Add(patience))
	return p.Reader.Read(b)
}
