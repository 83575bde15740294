package pagejson

import (
	"bytes"
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"
)

// Encoder writes pages: connections, and their lists. It calls the same resolvers as the executor,
// one after the other, so their data must be loaded before. It is safe for concurrent use.
//
// It reports no errors. If a resolver fails or panics, or a required value is missing, it discards
// its output, and the caller lets the executor write the page, with errors, paths and nulls. It
// also stops when its context is done, which the caller must check, and at the [Limit].
type Encoder struct {
	resolvers Resolvers
	buffers   *Buffers
}

// NewEncoder returns an encoder that writes into buffers.
func NewEncoder(r Resolvers, buffers *Buffers) *Encoder {
	return &Encoder{resolvers: r, buffers: buffers}
}

// IsPage reports whether a value is a page that an [Encoder] writes.
func IsPage(v any) bool { return isPage(v) }

// Encode writes a page ([IsPage]) as the executor would write it for the field of ctx; nil if it
// cannot. plans are those of the field's document.
func (x *Encoder) Encode(ctx context.Context, plans *Plans, page any) graphql.Marshaler {
	p := plans.of(graphql.GetOperationContext(ctx), graphql.GetFieldContext(ctx).Field)
	if p == nil {
		return nil
	}
	return x.encode(ctx, p, page)
}

func (x *Encoder) encode(ctx context.Context, p *plan, page any) (out graphql.Marshaler) {
	w := writer{ctx: ctx, resolvers: &x.resolvers, b: x.buffers.Take(), limit: LimitFrom(ctx)}
	defer func() {
		// After a panic the executor panics again, and reports where.
		if recover() != nil || w.failed {
			w.discount()
			x.buffers.Return(w.b)
			out = nil
		}
	}()
	w.writePage(p, page)
	if w.failed {
		return nil
	}
	return x.finish(&w)
}

func (x *Encoder) finish(w *writer) graphql.Marshaler {
	if w.count(); w.full {
		x.buffers.Return(w.b)
		return &encoded{nil, x.buffers}
	}
	if len(w.b) <= smallPage {
		small := bytes.Clone(w.b)
		x.buffers.Return(w.b)
		return &encoded{small, x.buffers}
	}
	return &encoded{w.b, x.buffers}
}

// smallPage is the largest page to copy, so that thousands of empty pages hold no buffers.
const smallPage = bufferMin / 16

// countStep bytes count towards the limit at once. Smaller steps slow down concurrent pages.
const countStep = 64 << 10

// A check of the context takes as long as writing a value or two.
const elementsStep = 16

type writer struct {
	ctx       context.Context
	resolvers *Resolvers
	b         []byte
	// limit is that of the response, nil if there is none; counted bytes of b count towards it.
	limit   Limit
	counted int
	// failed is set if b is incomplete, and full if the response is too long.
	failed, full bool
	// elements counts list elements.
	elements int
}

func (w *writer) mustStop() bool {
	if len(w.b)-w.counted >= countStep {
		w.count()
	}
	if w.elements++; w.elements%elementsStep == 0 && w.ctx.Err() != nil {
		w.failed = true
	}
	return w.full || w.failed
}

func (w *writer) count() {
	if w.limit == nil {
		return
	}
	more := len(w.b) - w.counted
	w.counted += more
	if !w.limit.Add(more) {
		w.full = true
	}
}

// discount is for when the executor writes the page again.
func (w *writer) discount() {
	if w.limit != nil {
		w.limit.Add(-w.counted)
	}
}

// encoded is marshaled once.
type encoded struct {
	b       []byte
	buffers *Buffers
}

func (m *encoded) MarshalGQL(w io.Writer) {
	_, _ = w.Write(m.b)
	m.buffers.Return(m.b)
	m.b = nil
}
