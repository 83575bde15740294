package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
	"github.com/tideline-feeds/tideline/internal/kit/fairshare"
)

const (
	// bodyMax is the maximum size of a request in bytes, as sent and decompressed: about a million
	// records. What has been committed before stays.
	bodyMax = 256 << 20
	// blanksMax is the maximum number of blank lines of a request. Joined files have a few.
	blanksMax = 10_000
	// bodiesMax is the number of requests of a service that are read at the same time: while one is
	// applied, the next arrives. Further ones wait for bodiesWait, a third of the 30 seconds that clients
	// and proxies usually allow.
	bodiesMax  = 2
	bodiesWait = 10 * time.Second
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
	// Charge takes a cost from the budget of the service that sends a request ([Limits.Charge]).
	Charge func(ctx context.Context, cost int) (wait time.Duration)
	Log    *slog.Logger
	// BodyMax replaces the limit for a request, in bytes, if it is not 0.
	BodyMax int64

	once   sync.Once
	bodies *fairshare.Pool
}

// enter waits until the service may send another request, and returns a function that ends it. It
// returns nil if that takes longer than bodiesWait.
func (h *Handler) enter(ctx context.Context, service string) (leave func()) {
	h.once.Do(func() { h.bodies = fairshare.New(fairshare.Options{Share: bodiesMax}) })
	ctx, cancel := context.WithTimeout(ctx, bodiesWait)
	defer cancel()
	return h.bodies.Wait(ctx, service)
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
	service := h.source(r)
	leave := h.enter(r.Context(), service)
	if leave == nil {
		w.Header().Set("Retry-After", retryAfter)
		h.Refuse(w, r, http.StatusTooManyRequests, apierror.RateLimited, fmt.Sprintf("the service sends %d requests already; send this one again when one of them has ended", bodiesMax))
		return
	}
	defer leave()
	if wait := h.charge(r.Context()); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		h.Refuse(w, r, http.StatusTooManyRequests, apierror.RateLimited, "the budget of the service is spent; send the request again later")
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
	limits := Limits{Bytes: cmp.Or(h.BodyMax, bodyMax), Blanks: blanksMax, Charge: h.Charge}
	body := &paced{http.MaxBytesReader(w, r.Body, limits.Bytes), http.NewResponseController(w), h.Sink.Clock}
	var a answer
	a.Summary, err = h.Sink.Lines(r.Context(), body, service, limits)
	if err == nil {
		a.Token, err = h.Sink.token(r.Context())
	}
	h.answer(w, r, a, err)
}

// charge takes the cost of a request without lines.
func (h *Handler) charge(ctx context.Context) time.Duration {
	if h.Charge == nil {
		return 0
	}
	return h.Charge(ctx, 1)
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
	case errors.Is(err, records.ErrBlank):
		status = http.StatusRequestEntityTooLarge
		a.Error = &answerError{feed.CodeBadInput, fmt.Sprintf("the body has more than %d blank lines; send it without them", blanksMax)}
	case errors.As(err, &tooLarge), errors.Is(err, records.ErrTooLong):
		status = http.StatusRequestEntityTooLarge
		a.Error = &answerError{feed.CodeBadInput, "the body is too large, as sent or decompressed; send the lines after those counted here in further requests"}
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
