package transport

import (
	"context"
	"net/http"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
	"github.com/tideline-feeds/tideline/internal/kit/fairshare"
	"github.com/tideline-feeds/tideline/internal/kit/httpbody"
)

// Transport is a gqlgen transport. A server has one, since it counts streams. Create it with [New].
type Transport struct {
	o Options
	// charge is called before a message that starts no operation.
	charge func(context.Context) error
	// size returns the memory that an operation keeps.
	size      func(*graphql.OperationContext) int
	workers   workers
	callbacks *http.Client
	// compress wraps the writer of a body; nil to send bodies uncompressed.
	compress func(http.Handler) http.Handler

	// draining ends when the server begins to stop, and cut when it stops waiting.
	draining, cut         context.Context
	startDraining, cutOff context.CancelFunc

	reservations sync.Map // *reservation by token

	// unsent has bytes, also of idle operations; connections has streams and sockets, and unopened has reservations without a
	// stream.
	unsent, connections, unopened *fairshare.Pool

	mu   sync.Mutex
	open int           // streams and sockets, also those that are ending
	idle chan struct{} // closed when draining and none is open
}

// New returns a transport.
func New(o Options) *Transport {
	o = o.withDefaults()
	t := &Transport{
		o: o, workers: newWorkers(), callbacks: newCallbackClient(o),
		charge:      func(context.Context) error { return nil },
		size:        func(*graphql.OperationContext) int { return 0 },
		unsent:      fairshare.New(fairshare.Options{Max: o.UnsentMax, Replace: true, OnEvict: o.Cut}),
		connections: fairshare.New(fairshare.Options{Max: o.ConnectionsMax, Share: o.KeyConnectionsMax, OnEvict: o.Full}),
		unopened: fairshare.New(fairshare.Options{
			Max: few(o.ConnectionsMax), Share: few(o.KeyConnectionsMax), OnEvict: o.Full,
		}),
		idle: make(chan struct{}),
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

// SizeOperations sets the function that returns how many bytes of memory an operation keeps as long as
// it runs, besides those of every operation. Call it before the first request.
func (t *Transport) SizeOperations(size func(*graphql.OperationContext) int) { t.size = size }

// Supports accepts every request, for gqlgen's server.
func (t *Transport) Supports(*http.Request) bool { return true }

// Do answers a request. For a stream or a socket it returns once all operations have ended.
func (t *Transport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	a := exchange{t: t, w: w, r: r, exec: exec, mediaType: mediaJSON, holder: t.o.Holder(r.Context())}
	// Responses differ by viewer. [exchange.cacheable] decides which ones shared caches may store.
	w.Header()["Cache-Control"] = []string{"no-store"}
	if isUpgrade(r) {
		a.upgrade() //nolint:contextcheck // sockets charge the viewer
		return
	}
	a.serve() //nolint:contextcheck // a reservation outlives its request
}

// few is how many reservations without a stream there may be for n streams. A client opens its stream
// at once, so a tenth is enough if all of them reserve again within a minute.
func few(n int) int { return max(1, n/10) }

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
func (t *Transport) Unsent() int { return t.unsent.Used() }

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

// errMadeRoom ends a stream for another client.
var errMadeRoom = apierror.New(feed.CodeUnavailable, madeRoom)

// madeRoom is why a stream or a socket ends for another client. A close frame holds it.
const madeRoom = "closed to make room for other clients; try again in a moment"

// enter counts a stream or a socket until leave is called. It refuses any beyond a limit, and when
// the server is stopping. evict ends it if another client needs its place; it must not block.
func (t *Transport) enter(ctx context.Context, evict func()) (leave func(), full *limitError) {
	return t.enterAs(t.o.ConnectionKey(ctx), evict)
}

// enterAs does the same for a holder; the empty one has no limit of its own.
func (t *Transport) enterAs(holder string, evict func()) (leave func(), full *limitError) {
	t.mu.Lock()
	defer t.mu.Unlock()
	release, full := t.take(t.connections, holder, evict)
	if full != nil {
		return nil, full
	}
	t.open++
	return func() {
		release()
		t.leave()
	}, nil
}

// take takes a place in a pool for a holder.
func (t *Transport) take(from *fairshare.Pool, holder string, evict func()) (release func(), full *limitError) {
	refused := fairshare.Full
	if t.draining.Err() == nil {
		release, refused = from.Take(holder, 1, evict)
	}
	switch refused {
	case fairshare.HolderFull:
		t.o.Full()
		return nil, &limitError{http.StatusTooManyRequests, apierror.RateLimited, "too many streams and sockets are open"}
	case fairshare.Full:
		t.o.Full()
		return nil, &limitError{http.StatusServiceUnavailable, feed.CodeUnavailable, "the server has no room for another stream or socket"}
	}
	return release, nil
}

func (t *Transport) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open--; t.open == 0 && t.draining.Err() != nil {
		close(t.idle)
	}
}
