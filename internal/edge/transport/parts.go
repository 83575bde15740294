package transport

import (
	"context"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
)

type partsKey struct{}

func withParts(ctx context.Context) context.Context {
	return context.WithValue(ctx, partsKey{}, true)
}

// InParts reports whether the response of the operation in ctx may have parts. The first has a HasNext
// of true. The data of each further one is a list of objects with data, path, label and errors, and
// its errors, which are for observers, are not written; extensions are. HasNext of the last part is
// not true.
func InParts(ctx context.Context) bool {
	parts, _ := ctx.Value(partsKey{}).(bool)
	return parts
}

// continues reports whether a response has a further part.
func continues(r *graphql.Response) bool { return r.HasNext != nil && *r.HasNext }

// writeParts runs a query or a mutation. If all data is in the first response, it is an ordinary one.
func (a exchange) writeParts(ctx context.Context, oc *graphql.OperationContext) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var e *events
	defer func() {
		if e == nil {
			return
		}
		if value := recover(); value != nil {
			e.increment(panicked(ctx, a.exec, value))
		}
		e.complete()
		e.end()
	}()
	ctx, a.after = withAfterWrite(ctx)
	for response := range a.t.responses(ctx, a.after, a.exec, oc) {
		switch {
		case e != nil:
			e.increment(response)
		case continues(response):
			e = a.events(cancel, inParts())
			e.response(response)
		default:
			a.write(status(a.mediaType, response), response)
		}
	}
}

// inParts needs no keep-alive, since operations are short.
func inParts() framing {
	return framing{
		mediaType: mediaMultipart + `;boundary="graphql";deferSpec=` + deferSpec,
		first:     partBoundary, before: partHeader, after: partBoundary, last: "--\r\n",
	}
}

// increment writes a further part. One that failed as a whole has no list.
func (e *events) increment(r *graphql.Response) {
	data := r.Data
	if r.HasNext == nil {
		data = append(appendValue([]byte(`[{"data":null,"path":[],"errors":`), r.Errors), "}]"...)
	}
	after := []byte(`,"hasNext":` + strconv.FormatBool(continues(r)))
	if len(r.Extensions) > 0 {
		after = appendValue(append(after, `,"extensions":`...), r.Extensions)
	}
	e.send([]byte(`{"incremental":`), data, append(after, '}'))
}
