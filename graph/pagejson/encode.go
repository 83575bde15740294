package pagejson

import (
	"bytes"
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"
)

// Encoder writes pages: connections, changes of feeds, and their lists. It calls the same
// resolvers as the executor, one after the other, so their data must be loaded before. It is safe
// for concurrent use.
//
// It reports no errors. If a resolver fails or panics, or a required value is missing, it discards
// its output, and the caller lets the executor write the page, with errors, paths and nulls. It
// also stops when its context is done, which the caller must check, and at the [Limit].
type Encoder struct {
	resolvers Resolvers
}

// NewEncoder returns an encoder that reads fields from resolvers.
func NewEncoder(r Resolvers) *Encoder { return &Encoder{r} }

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
	w := writer{ctx: ctx, resolvers: &x.resolvers, b: make([]byte, 0, p.capacity()), limit: LimitFrom(ctx)}
	defer func() {
		// After a panic the executor panics again, and reports where.
		if recover() != nil || w.failed {
			w.discount()
			out = nil
		}
	}()
	w.writePage(p, page)
	if w.failed {
		return nil
	}
	if w.count(); w.full {
		return encoded(nil)
	}
	p.last.Store(int64(len(w.b)))
	if len(w.b) < cap(w.b)/2 && cap(w.b) > beginBytes {
		// A response may have thousands of empty pages after a long one.
		return encoded(bytes.Clone(w.b))
	}
	return encoded(w.b)
}

// The first capacity of a page is an eighth more than the last page of its field took, because pages
// of one field are similar, and growing takes four times the memory. It is at least beginBytes: an
// empty page takes a tenth of that, and a page of twenty posts 10 kB. Above expectMax growing is
// cheap, next to writing.
const (
	beginBytes = 1 << 10
	expectMax  = 64 << 10
)

// capacity returns the first capacity of a page.
func (p *plan) capacity() int64 {
	last := p.last.Load()
	return min(max(beginBytes, last+last/8), expectMax)
}

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

type encoded []byte

// MarshalGQL implements [graphql.Marshaler].
func (m encoded) MarshalGQL(w io.Writer) { _, _ = w.Write(m) }
