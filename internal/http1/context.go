package http1

import (
	"context"
	"slices"
	"sync"
	"time"
)

// requestContext is the context of a request. It ends when the request has been answered, when
// its client is gone, and at its deadline. Contexts of package context would be three for that,
// with a timer and a list of those that end with them, which is made for each request; most
// requests are over before anybody asks for any of it.
type requestContext struct {
	// Context has the values, which are those of the connection, and never ends.
	context.Context //nolint:containedctx // as contexts of package context have it
	// by is the deadline; the zero time for none.
	by time.Time

	mu  sync.Mutex
	err error
	// done is made when somebody asks for it.
	done chan struct{}
	// after is what is called at the end.
	after []*func()
}

// Deadline implements [context.Context].
func (r *requestContext) Deadline() (time.Time, bool) { return r.by, !r.by.IsZero() }

// Done implements [context.Context].
func (r *requestContext) Done() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done == nil {
		r.done = make(chan struct{})
		if r.err != nil {
			close(r.done)
		}
	}
	return r.done
}

// Err implements [context.Context].
func (r *requestContext) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// AfterFunc is what [context.AfterFunc] and contexts that are made of this one look for: without
// it each of those would have a goroutine that waits.
func (r *requestContext) AfterFunc(f func()) (stop func() bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		go f()
		return func() bool { return false }
	}
	this := &f
	r.after = append(r.after, this)
	return func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		i := slices.Index(r.after, this)
		if i >= 0 {
			r.after = slices.Delete(r.after, i, i+1)
		}
		return i >= 0
	}
}

// end ends the context, unless it has ended before.
func (r *requestContext) end(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	r.err = why
	if r.done != nil {
		close(r.done)
	}
	for _, f := range r.after {
		go (*f)()
	}
	r.after = nil
}
