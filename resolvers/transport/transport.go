package transport

import (
	"context"
	"net/http"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/httpbody"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

// Transport is a gqlgen transport. A server has one, since it counts streams. Create it with [New].
type Transport struct {
	o Options
	// charge is called before a message that starts no operation.
	charge    func(context.Context) error
	unsent    *unsent
	workers   workers
	callbacks *http.Client
	// compress wraps the writer of a body; nil to send bodies uncompressed.
	compress func(http.Handler) http.Handler

	// draining ends when the server begins to stop, and cut when it stops waiting.
	draining, cut         context.Context
	startDraining, cutOff context.CancelFunc

	reservations sync.Map // *reservation by token

	mu        sync.Mutex
	open      int            // streams and sockets
	openByKey map[string]int // how many of them are whose
	idle      chan struct{}  // closed when draining and none is open
}

// New returns a transport.
func New(o Options) *Transport {
	o = o.withDefaults()
	t := &Transport{
		o: o, unsent: newUnsent(o.UnsentMax, o.Cut), workers: newWorkers(),
		charge:    func(context.Context) error { return nil },
		callbacks: newCallbackClient(o),
		openByKey: map[string]int{}, idle: make(chan struct{}),
	}
	if o.Compress {
		t.compress = httpbody.Compressor(httpbody.Fast)
	}
	t.draining, t.startDraining = context.WithCancel(context.Background())
	t.cut, t.cutOff = context.WithCancel(context.Background())
	return t
}

// ChargeMessages sets the function that charges for a message on a socket that starts no operation,
// including ping and pong frames. Its error closes the socket. The context is the viewer's, or
// before the sign-in that of the request. Call it before the first request.
func (t *Transport) ChargeMessages(charge func(ctx context.Context) error) { t.charge = charge }

// Supports accepts every request, for gqlgen's server.
func (t *Transport) Supports(*http.Request) bool { return true }

// Do answers a request. For a stream or a socket it returns once all operations have ended.
func (t *Transport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	a := exchange{t: t, w: w, r: r, exec: exec, mediaType: mediaJSON, address: t.addressOf(r)}
	// Responses differ by viewer. [exchange.cacheable] decides which ones shared caches may store.
	w.Header()["Cache-Control"] = []string{"no-store"}
	if isUpgrade(r) {
		a.upgrade()
		return
	}
	a.serve()
}

func (t *Transport) addressOf(r *http.Request) string { return t.o.Address(r.Context()) }

// Drain stops new streams and sockets, finishes running queries and mutations, and ends
// subscriptions so that clients begin them again elsewhere. It returns when all have ended. If ctx
// is done first, it cuts the rest off and returns the error of ctx. Call it once.
func (t *Transport) Drain(ctx context.Context) error {
	t.mu.Lock()
	t.startDraining()
	if t.open == 0 {
		close(t.idle)
	}
	t.mu.Unlock()
	defer t.cutOff()
	select {
	case <-t.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Unsent returns the number of bytes that wait for clients to receive them.
func (t *Transport) Unsent() int { return t.unsent.total() }

// Open returns the number of streams and sockets.
func (t *Transport) Open() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open
}

// limitError is why a stream or a socket does not begin.
type limitError struct {
	status  int
	code    feed.Code
	message string
}

// enter counts a stream or a socket until leave is called. It refuses any beyond a limit, and when
// the server is stopping.
func (t *Transport) enter(ctx context.Context) (leave func(), full *limitError) {
	return t.enterAs(t.o.ConnectionKey(ctx))
}

// enterAs does the same for a key; the empty one has no limit of its own.
func (t *Transport) enterAs(key string) (leave func(), full *limitError) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.draining.Err() != nil || t.open >= t.o.ConnectionsMax:
		t.o.Full()
		return nil, &limitError{http.StatusServiceUnavailable, feed.CodeUnavailable, "the server has no room for another stream or socket"}
	case key != "" && t.openByKey[key] >= t.o.KeyConnectionsMax:
		t.o.Full()
		return nil, &limitError{http.StatusTooManyRequests, apierror.RateLimited, "too many streams and sockets are open"}
	}
	t.open++
	t.openByKey[key]++
	return func() { t.leave(key) }, nil
}

func (t *Transport) leave(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open--
	if t.openByKey[key]--; t.openByKey[key] == 0 {
		delete(t.openByKey, key)
	}
	if t.open == 0 && t.draining.Err() != nil {
		close(t.idle)
	}
}
