package graph

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
)

// ErrTooLong is how a query, a mutation or an event ends whose data would have more than
// [AnswerMax] bytes.
var ErrTooLong = errors.New("the answer is too long")

// AnswerMax is the largest number of bytes in the data of one response. An operation's cost
// counts objects, not bytes: an object has a kilobyte or less, but the longest post has 30 kB,
// and ten thousand of those would be 300 MB. A page of a hundred of the longest posts, 3 MB,
// fits; a page of a hundred with every field takes a twentieth of it.
const AnswerMax = 4 << 20

// countStep is after how many bytes an encoder counts what it has written: seldom, since
// others count at the same time, and soon enough for what is written beyond the bound not to
// matter. Most pages are shorter, and counted once.
const countStep = 64 << 10

// answer bounds the data of one query, mutation or event, and has the arguments of its fields.
type answer struct {
	arguments arguments
	// pages is how many bytes its pages have, which are written before the answer is, several
	// at once.
	pages atomic.Int64
	// full says that there is more than may be. Nothing is written from then on.
	full atomic.Bool
	// written is how many bytes a mutation's answer has so far.
	written int
}

type answerKey struct{}

// withAnswer gives what is executed an answer to write to.
func withAnswer(ctx context.Context) (context.Context, *answer) {
	a := &answer{}
	return context.WithValue(ctx, answerKey{}, a), a
}

// answerFrom returns the answer that is written to; nil where none is bounded.
func answerFrom(ctx context.Context) *answer {
	a, _ := ctx.Value(answerKey{}).(*answer)
	return a
}

// holds says whether the answer may have n bytes. Once it could not, it holds nothing more.
func (a *answer) holds(n int) bool {
	if n > AnswerMax {
		a.full.Store(true)
	}
	return !a.full.Load()
}

// response returns the response with the data of the answer, or with none and [ErrTooLong].
func (a *answer) response(ctx context.Context, data []byte) *graphql.Response {
	if !a.full.Load() {
		return &graphql.Response{Data: data}
	}
	graphql.AddError(ctx, ErrTooLong)
	return &graphql.Response{Data: []byte("null")}
}

// bounded is a value that is written only as far as there is room for it.
type bounded struct {
	value graphql.Marshaler
	in    *answer
}

// MarshalGQL implements [graphql.Marshaler].
func (b *bounded) MarshalGQL(w io.Writer) { b.value.MarshalGQL(&boundedWriter{w, b.in}) }

type boundedWriter struct {
	to io.Writer
	in *answer
}

// Write implements [io.Writer].
func (w *boundedWriter) Write(p []byte) (int, error) {
	if !w.in.holds(w.in.written + len(p)) {
		return len(p), nil
	}
	w.in.written += len(p)
	return w.to.Write(p)
}

// WriteString implements [io.StringWriter], so that no text is copied before it is written.
func (w *boundedWriter) WriteString(s string) (int, error) {
	if !w.in.holds(w.in.written + len(s)) {
		return len(s), nil
	}
	w.in.written += len(s)
	return io.WriteString(w.to, s)
}

// appender is a writer at the end of a slice.
type appender struct {
	b  []byte
	in *answer
}

// Write implements [io.Writer].
func (a *appender) Write(p []byte) (int, error) {
	if a.in.holds(len(a.b) + len(p)) {
		a.b = append(a.b, p...)
	}
	return len(p), nil
}

// WriteString implements [io.StringWriter], as above.
func (a *appender) WriteString(s string) (int, error) {
	if a.in.holds(len(a.b) + len(s)) {
		a.b = append(a.b, s...)
	}
	return len(s), nil
}
