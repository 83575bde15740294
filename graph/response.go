package graph

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/graph/pagejson"
)

// ErrTooLong is the error of a query, a mutation or an event with more data than [MaxData].
var ErrTooLong = errors.New("the response is too long")

// MaxData is the maximum size of the data of a response in bytes. The longest post has 30 kB, and
// the cost allows ten thousand. A page of a hundred of the longest posts has 3 MB.
const MaxData = 4 << 20

// response limits the data of a query, mutation or event, and caches arguments of fields.
type response struct {
	arguments arguments
	// pages is the number of bytes of its pages, which are written first, several at once.
	pages atomic.Int64
	// full is set once the data is too long. Nothing is written from then on.
	full atomic.Bool
	// written is the number of bytes of a mutation, or of earlier parts, so far.
	written int
	// deferral has what is left for further parts.
	deferral deferral
}

var _ pagejson.Limit = (*response)(nil)

func withResponse(ctx context.Context) (context.Context, *response) {
	r := &response{}
	return pagejson.WithLimit(ctx, r), r
}

// responseFrom returns the response of a context; nil if there is none.
func responseFrom(ctx context.Context) *response {
	r, _ := pagejson.LimitFrom(ctx).(*response)
	return r
}

// Add implements [pagejson.Limit].
func (r *response) Add(n int) bool {
	if r.pages.Add(int64(n)) <= MaxData {
		return true
	}
	r.full.Store(true)
	return false
}

// fits reports whether the data may have n bytes; false from the first time on that it may not.
func (r *response) fits(n int) bool {
	if n > MaxData {
		r.full.Store(true)
	}
	return !r.full.Load()
}

// isFull reports whether the data is too long.
func (r *response) isFull() bool { return r.full.Load() }

// finish returns the response with its data, or with none and [ErrTooLong].
func (r *response) finish(ctx context.Context, data []byte) *graphql.Response {
	if !r.full.Load() {
		return &graphql.Response{Data: data}
	}
	graphql.AddError(ctx, ErrTooLong)
	return &graphql.Response{Data: []byte("null")}
}

// bounded is a value that is written only as far as it fits.
type bounded struct {
	value graphql.Marshaler
	to    *response
}

// MarshalGQL implements [graphql.Marshaler].
func (b *bounded) MarshalGQL(w io.Writer) { b.value.MarshalGQL(&boundedWriter{w, b.to}) }

type boundedWriter struct {
	w  io.Writer
	to *response
}

func (w *boundedWriter) Write(p []byte) (int, error) {
	if !w.to.fits(w.to.written + len(p)) {
		return len(p), nil
	}
	w.to.written += len(p)
	return w.w.Write(p)
}

func (w *boundedWriter) WriteString(s string) (int, error) {
	if !w.to.fits(w.to.written + len(s)) {
		return len(s), nil
	}
	w.to.written += len(s)
	return io.WriteString(w.w, s)
}

// appender is a writer that appends to a slice what fits.
type appender struct {
	b  []byte
	to *response
}

// Write implements [io.Writer].
func (a *appender) Write(p []byte) (int, error) {
	if a.to.fits(a.to.written + len(a.b) + len(p)) {
		a.b = append(a.b, p...)
	}
	return len(p), nil
}

func (a *appender) WriteString(s string) (int, error) {
	if a.to.fits(a.to.written + len(a.b) + len(s)) {
		a.b = append(a.b, s...)
	}
	return len(s), nil
}
