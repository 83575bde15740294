package graph

import (
	"bytes"
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"
)

// Encoder writes pages straight into bytes: connections and their lists, by plans of what
// was selected of them ([Plans]). It calls the same resolvers as the executor, and what it
// writes is byte for byte what the executor would have written, at a tenth of the price: it
// makes no context, no closure and no goroutine for each field.
//
// It knows no errors. As soon as anything is not as it should be (a resolver fails or
// panics, there is nothing where something must be) it gives up, and the executor does the
// same again, with errors, paths and nulls as they are due. What has been loaded by then is
// in the loaders. It gives up as well when the answer has more than it may have, for good:
// nothing is written then. And it gives up when its context ends, which the caller must look at.
//
// Its fields are read one after the other, so they must have been loaded before: pages are.
// Make one with [NewEncoder]; it may be used by many goroutines.
type Encoder struct {
	roots   roots
	buffers *Buffers
	kept    *Kept
}

// NewEncoder returns an encoder whose fields come from the resolvers of root. It writes
// into buffers, and copies what was written before and is in kept.
func NewEncoder(root ResolverRoot, buffers *Buffers, kept *Kept) *Encoder {
	return &Encoder{roots: newRoots(root), buffers: buffers, kept: kept}
}

// IsPage says whether a value is a page, or the list of one.
func IsPage(v any) bool { return isPage(v) }

// Encode returns a page ([IsPage]) as the executor would write it for the field at hand, whose
// context is ctx; nil when that cannot be written here. plans are those of the
// field's document.
func (x *Encoder) Encode(ctx context.Context, plans *Plans, v any) graphql.Marshaler {
	p := plans.of(graphql.GetOperationContext(ctx), graphql.GetFieldContext(ctx).Field)
	if p == nil {
		return nil
	}
	return x.encode(ctx, p, v)
}

func (x *Encoder) encode(ctx context.Context, p *plan, v any) (out graphql.Marshaler) {
	e := encoder{ctx: ctx, roots: &x.roots, kept: x.kept, b: x.buffers.Take(), in: answerFrom(ctx)}
	defer func() {
		// The executor will panic again, and say where.
		if recover() != nil || e.failed {
			e.uncount()
			x.buffers.Return(e.b)
			out = nil
		}
	}()
	e.encodePage(p, v)
	if e.failed {
		return nil
	}
	return x.finish(&e)
}

// finish returns what a run has written.
func (x *Encoder) finish(e *encoder) graphql.Marshaler {
	if x.kept != nil {
		x.kept.hits.Add(e.hits)
		x.kept.misses.Add(e.misses)
	}
	if e.count(); e.full {
		x.buffers.Return(e.b)
		return &encoded{nil, x.buffers}
	}
	if len(e.b) <= smallPage {
		// Thousands of empty pages would each hold a buffer until the answer is written.
		small := bytes.Clone(e.b)
		x.buffers.Return(e.b)
		return &encoded{small, x.buffers}
	}
	return &encoded{e.b, x.buffers}
}

// smallPage is how many bytes a page may have that leaves its buffer to the next: copying them
// costs less than a buffer.
const smallPage = bufferMin / 16

// elementsStep is after how many elements of lists an encoder looks whether its context has
// ended: it takes as long as to write a value or two.
const elementsStep = 16

// encoder is one run of an [Encoder].
type encoder struct {
	ctx   context.Context
	roots *roots
	kept  *Kept
	b     []byte
	// hits and misses are how many runs were copied and written.
	hits, misses int64
	// in is the answer that the page is written for, nil where that has no bound, and counted
	// how much of b it was told of.
	in      *answer
	counted int
	// failed says that b is of no use.
	failed bool
	// full says that there is no room in the answer.
	full bool
	// elements is how many elements of lists were begun.
	elements int
}

// mustStop says that a list ends here: there is no room in the answer for another element, or
// nobody waits for it any more.
func (e *encoder) mustStop() bool {
	if len(e.b)-e.counted >= countStep {
		e.count()
	}
	if e.elements++; e.elements%elementsStep == 0 && e.ctx.Err() != nil {
		e.failed = true
	}
	return e.full || e.failed
}

// count tells the answer of what was written since it was told last.
func (e *encoder) count() {
	if e.in == nil {
		return
	}
	more := len(e.b) - e.counted
	e.counted += more
	if e.in.pages.Add(int64(more)) > AnswerMax {
		e.full = true
		e.in.full.Store(true)
	}
}

// uncount takes back what the answer was told: the executor writes it again.
func (e *encoder) uncount() {
	if e.in != nil {
		e.in.pages.Add(-int64(e.counted))
	}
}

// copied writes a run of fields of an object as it was written before; false when that is not
// known.
func (e *encoder) copied(r *run, id int64, of any) bool {
	if e.kept == nil {
		return false
	}
	text := e.kept.find(r, id, of)
	if text == nil {
		e.misses++
		return false
	}
	e.hits++
	e.b = append(e.b, text...)
	return true
}

// keep keeps what was written of an object since b was so long.
func (e *encoder) keep(r *run, id int64, of any, from int) {
	if e.kept != nil && !e.failed {
		e.kept.keep(r, id, of, e.b[from:])
	}
}

// encoded is what was written. It is taken once.
type encoded struct {
	b       []byte
	buffers *Buffers
}

// MarshalGQL implements [graphql.Marshaler].
func (m *encoded) MarshalGQL(w io.Writer) {
	_, _ = w.Write(m.b)
	m.buffers.Return(m.b)
	m.b = nil
}
