package graph

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// deferral has the deferred fields of a query. Those of the objects of one part run once it is made.
// So no part comes before that of its object, and a client that leaves pays for no further one. All
// fields with one label make a part, as soon as they have ended.
//
// It replaces gqlgen's implementation, which waits for ever for a field that two fragments of the
// same label defer, or after its context is done.
type deferral struct {
	mu     sync.Mutex
	queued []graphql.DeferredGroup

	// The rest is for the goroutine that makes parts.

	ended chan deferredView         // of the objects that run
	left  map[string]int            // views that run, by label
	ready map[string][]deferredView // views that wait for others of their label
	sent  sentData                  // in which the queued objects are
	// failed is set if sent has errors, so that objects may be missing in it.
	failed bool
	// errors are the first of all parts, for observers.
	errors gqlerror.List
}

// deferredErrorsMax limits the errors of the parts after the first.
const deferredErrorsMax = 100

// deferredView has the fields of one object with one label.
type deferredView struct {
	label  string
	path   ast.Path
	fields graphql.Marshaler
	errors gqlerror.List
}

// ProcessDeferredGroup queues the deferred fields of an object, for the generated code.
func (ec *executionContext) ProcessDeferredGroup(g graphql.DeferredGroup) {
	if len(g.Defers) == 0 {
		return
	}
	r := responseFrom(g.Context)
	if r == nil { // the executable schema is gqlgen's own
		ec.ExecutionContextState.ProcessDeferredGroup(g)
		return
	}
	r.deferral.mu.Lock()
	defer r.deferral.mu.Unlock()
	r.deferral.queued = append(r.deferral.queued, g)
}

// firstPart returns the response to a query, with a flag if it has further parts.
func (r *response) firstPart(ctx context.Context, first *graphql.Response) *graphql.Response {
	d := &r.deferral
	if len(d.queued) == 0 || r.isFull() {
		return first
	}
	r.written += len(first.Data)
	d.errors = graphql.GetErrors(ctx)
	d.failed = len(d.errors) > 0
	d.sent = sentData{}
	d.sent.add(nil, first.Data)
	if d.dropNull(); len(d.queued) > 0 {
		first.HasNext = new(true)
	}
	return first
}

// nextPart returns the next part; nil after the last.
func (r *response) nextPart(ctx context.Context) *graphql.Response {
	d := &r.deferral
	if len(d.left) == 0 {
		if r.isFull() || len(d.queued) == 0 {
			return nil
		}
		d.start() //nolint:contextcheck // the fragments have the context of their operation
	}
	for {
		v := <-d.ended
		d.ready[v.label] = append(d.ready[v.label], v)
		if d.left[v.label]--; d.left[v.label] == 0 {
			delete(d.left, v.label)
			return r.part(ctx, d.ready[v.label])
		}
	}
}

// start runs what is queued.
func (d *deferral) start() {
	groups := d.queued
	d.queued, d.failed, d.sent = nil, false, sentData{}
	d.left, d.ready = map[string]int{}, map[string][]deferredView{}
	views := 0
	for _, g := range groups {
		views += len(g.Defers)
		for label := range g.Defers {
			d.left[label]++
		}
	}
	d.ended = make(chan deferredView, views) // so that no field waits for a part
	for _, g := range groups {
		go runDeferred(g, d.ended)
	}
}

// runDeferred runs the deferred fields of one object.
func runDeferred(g graphql.DeferredGroup, ended chan<- deferredView) {
	ctx := graphql.WithFreshResponseContext(g.Context)
	var mu sync.Mutex
	known, errors := map[string]bool{}, 0
	end := func(label string, view *graphql.FieldSetView) {
		mu.Lock()
		defer mu.Unlock()
		if known[label] {
			return
		}
		known[label] = true
		all := graphql.GetErrors(ctx)
		v := deferredView{label, g.Path, view, all[errors:]}
		errors = len(all)
		if atomic.LoadUint32(&g.FieldSet.Invalids) > 0 {
			v.fields = graphql.Null
		}
		ended <- v
	}
	for label, view := range g.Defers {
		view.SetOnComplete(func(context.Context) { end(label, view) })
	}
	g.FieldSet.Dispatch(ctx)
	for label, view := range g.Defers {
		end(label, view) // it does not complete if it has a field twice
	}
}

// part returns a part with views. More than [MaxData] bytes in all parts end with [ErrTooLong].
func (r *response) part(ctx context.Context, views []deferredView) *graphql.Response {
	d := &r.deferral
	out := appender{nil, r}
	for i, v := range views {
		_, _ = out.WriteString([]string{"[", ","}[min(i, 1)])
		d.write(&out, v)
	}
	_, _ = out.WriteString("]")
	if r.isFull() {
		graphql.AddError(ctx, ErrTooLong)
		out.b, d.left = nil, nil
		out.b = appendJSON([]byte(`[{"data":null,"path":[],"errors":`), graphql.GetErrors(ctx))
		return &graphql.Response{Data: append(out.b, "}]"...), HasNext: new(false)}
	}
	r.written += len(out.b)
	if len(d.left) == 0 {
		d.dropNull()
	}
	return &graphql.Response{Data: out.b, Errors: d.errors, HasNext: new(len(d.left) > 0 || len(d.queued) > 0)}
}

func (d *deferral) write(out *appender, v deferredView) {
	_, _ = out.WriteString(`{"data":`)
	begin := len(out.b)
	v.fields.MarshalGQL(out)
	d.sent.add(v.path, out.b[begin:])
	_, _ = out.WriteString(`,"path":`)
	_, _ = out.Write(appendJSON(nil, append(ast.Path{}, v.path...)))
	if v.label != "" {
		_, _ = out.WriteString(`,"label":`)
		_, _ = out.Write(appendJSON(nil, v.label))
	}
	if errs := v.errors[:min(len(v.errors), max(0, deferredErrorsMax-len(d.errors)))]; len(errs) > 0 {
		_, _ = out.WriteString(`,"errors":`)
		_, _ = out.Write(appendJSON(nil, errs))
		d.errors = append(d.errors, errs...)
	}
	d.failed = d.failed || len(v.errors) > 0
	_, _ = out.WriteString("}")
}

func appendJSON(b []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only an extension of an error that cannot be marshaled; the transport recovers
	}
	return append(b, text...)
}

// dropNull drops what is queued of objects that were not sent, because an error made them null, or
// an object around them.
func (d *deferral) dropNull() {
	if d.failed {
		d.queued = slices.DeleteFunc(d.queued, func(g graphql.DeferredGroup) bool { return !d.sent.has(g.Path) })
	}
}

// sentData is the data of parts by their paths. A path may have several, with different labels.
type sentData map[string][]*sentValue

type sentValue struct {
	text    []byte
	decoded any // nil before it is needed
}

func (s sentData) add(path ast.Path, text []byte) {
	s[path.String()] = append(s[path.String()], &sentValue{text: text})
}

// has reports whether there is an object at a path.
func (s sentData) has(path ast.Path) bool {
	for n := range len(path) + 1 {
		for _, value := range s[path[:n].String()] {
			if _, ok := value.at(path[n:]).(map[string]any); ok {
				return true
			}
		}
	}
	return false
}

func (v *sentValue) at(path ast.Path) any {
	if v.decoded == nil && json.Unmarshal(v.text, &v.decoded) != nil {
		return nil
	}
	value := v.decoded
	for _, step := range path {
		switch step := step.(type) {
		case ast.PathName:
			object, _ := value.(map[string]any)
			value = object[string(step)]
		case ast.PathIndex:
			list, _ := value.([]any)
			if int(step) >= len(list) {
				return nil
			}
			value = list[step]
		}
	}
	return value
}

// deferredField stands for a deferred field in the values of its object.
type deferredField struct{}

// MarshalGQL implements [graphql.Marshaler].
func (deferredField) MarshalGQL(w io.Writer) { graphql.Null.MarshalGQL(w) }

// withoutDeferred returns an object without its deferred fields, for the generated code.
func withoutDeferred(out *graphql.FieldSet, fields []graphql.CollectedField, deferred int) graphql.Marshaler {
	if deferred == 0 {
		return out
	}
	var kept []graphql.CollectedField
	var values []graphql.Marshaler
	for i, value := range out.Values {
		if _, later := value.(deferredField); !later {
			kept, values = append(kept, fields[i]), append(values, value)
		}
	}
	shown := graphql.NewFieldSet(kept)
	shown.Values = values
	return shown
}
