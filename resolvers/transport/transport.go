package transport

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/httpbody"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

// Transport is a gqlgen transport for all that package transport speaks. It counts its
// streams and sockets, so there is one for a server and all its requests.
type Transport struct {
	o Options
	// recycle takes the data of responses that were sent; nil when nobody wants it.
	recycle func([]byte)
	// charge is asked before a message that begins no operation is handled.
	charge func(context.Context) error
	// texts are buffers of what stands around the data of responses, and of bodies of requests
	// while they are read.
	texts  sync.Pool
	unsent *unsent
	// compress wraps what writes a body; nil when bodies are sent as they are.
	compress func(http.Handler) http.Handler

	// draining ends when the server begins to stop, and cut when it can wait no longer.
	draining, cut         context.Context
	startDraining, cutOff context.CancelFunc

	mu    sync.Mutex
	open  int            // streams and sockets
	whose map[string]int // how many of them are whose
	idle  chan struct{}  // closed when draining and none is open
}

// New returns a transport.
func New(o Options) *Transport {
	o = o.withDefaults()
	t := &Transport{
		o: o, unsent: newUnsent(o.UnsentMax, o.Cut),
		charge: func(context.Context) error { return nil },
		whose:  map[string]int{}, idle: make(chan struct{}),
	}
	if o.Compress {
		t.compress = httpbody.Compressor(httpbody.Fast)
	}
	t.draining, t.startDraining = context.WithCancel(context.Background())
	t.cut, t.cutOff = context.WithCancel(context.Background())
	return t
}

// Recycle has the data of every response handed to take once it was sent and nobody uses it
// any more. It is called once at most, before the first request.
func (t *Transport) Recycle(take func(data []byte)) { t.recycle = take }

// ChargeMessages has each message on a socket that begins no operation charged before it is
// handled: pings, pongs and ends of operations, also pings and pongs of the WebSocket protocol.
// An error of charge closes the socket. ctx is the viewer's, or before the sign-in the
// request's. It is called once at most, before the first request.
func (t *Transport) ChargeMessages(charge func(ctx context.Context) error) { t.charge = charge }

// textMax is the longest text whose buffer is kept: twice the longest body of a request.
const textMax = 2 * bodyMax

// buffer returns an empty buffer, large enough for most of them.
func (t *Transport) buffer() []byte {
	if b, ok := t.texts.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, 4<<10)
}

// sent takes back what a response was written in, and its data.
func (t *Transport) sent(text []byte, response *graphql.Response) {
	t.putBack(text)
	if t.recycle != nil && response.Data != nil {
		t.recycle(response.Data)
	}
	response.Data = nil
}

// putBack takes back a buffer that nobody uses any more.
func (t *Transport) putBack(buffer []byte) {
	if cap(buffer) <= textMax {
		t.texts.Put(&buffer)
	}
}

// Supports accepts every request, for gqlgen's server.
func (t *Transport) Supports(*http.Request) bool { return true }

// Do answers one request, and returns when it is answered: for a stream or a socket when
// that has ended and none of its operations runs any more.
func (t *Transport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	a := answer{t: t, w: w, r: r, exec: exec, mediaType: mediaJSON, address: t.addressOf(r)}
	// Responses differ by viewer, so no shared cache may keep them, unless answer.keepable
	// finds that the viewer is anonymous.
	w.Header()["Cache-Control"] = []string{"no-store"}
	if r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		a.upgrade()
		return
	}
	a.serve()
}

// addressOf returns where a request comes from.
func (t *Transport) addressOf(r *http.Request) string { return t.o.Address(r.Context()) }

// Drain ends all streams and sockets: no new ones begin, queries and mutations under way
// are finished, and subscriptions end in the way that makes clients begin them again
// elsewhere. It returns when all have ended. When ctx ends first it cuts off the rest and
// returns the context's error. It is called once, when the server begins to stop.
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

// Unsent returns how many bytes of responses and messages wait for clients to receive them.
func (t *Transport) Unsent() int { return t.unsent.total() }

// Open returns how many streams and sockets there are.
func (t *Transport) Open() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open
}

// noRoom is why a stream or a socket does not begin.
type noRoom struct {
	status  int
	code    feed.Code
	message string
}

// enter counts a stream or a socket in, unless there are too many or the server stops.
// Who was let in calls leave at the end.
func (t *Transport) enter(ctx context.Context) (leave func(), full *noRoom) {
	key := t.o.ConnectionKey(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.draining.Err() != nil || t.open >= t.o.ConnectionsMax:
		t.o.Full()
		return nil, &noRoom{http.StatusServiceUnavailable, feed.CodeUnavailable, "there is no room for another stream or socket"}
	case key != "" && t.whose[key] >= t.o.KeyConnectionsMax:
		t.o.Full()
		return nil, &noRoom{http.StatusTooManyRequests, apierror.RateLimited, "too many streams and sockets are open"}
	}
	t.open++
	t.whose[key]++
	return func() { t.leave(key) }, nil
}

func (t *Transport) leave(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open--
	if t.whose[key]--; t.whose[key] == 0 {
		delete(t.whose, key)
	}
	if t.open == 0 && t.draining.Err() != nil {
		close(t.idle)
	}
}
