package graph

import (
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
// in the loaders.
//
// Its fields are read one after the other, so they must have been loaded before: pages are.
// Make one with [NewEncoder]; it may be used by many goroutines.
type Encoder struct {
	roots   roots
	buffers *Buffers
}

// NewEncoder returns an encoder whose fields come from the resolvers of root. It writes
// into buffers.
func NewEncoder(root ResolverRoot, buffers *Buffers) *Encoder {
	return &Encoder{roots: newRoots(root), buffers: buffers}
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
	e := encoder{ctx: ctx, roots: &x.roots, b: x.buffers.Take()}
	defer func() {
		// The executor will panic again, and say where.
		if recover() != nil || e.failed {
			x.buffers.Return(e.b)
			out = nil
		}
	}()
	e.encodePage(p, v)
	return &encoded{e.b, x.buffers}
}

// encoder is one run of an [Encoder].
type encoder struct {
	ctx   context.Context
	roots *roots
	b     []byte
	// failed says that b is of no use.
	failed bool
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
