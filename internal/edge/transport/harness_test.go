package transport_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"go.uber.org/goleak"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/internal/kit/pipenet"
)

const testSchema = `
type Query { name: String! who: String! slow: String! large: String! noise: String! panics: String! parts: Int! }
type Mutation { rename: String! }
type Subscription { ticks: Int! late: Int! notified: Int! }
`

// bench is a server of a small schema in a synctest bubble. All connections are unbuffered pipes:
// what the client does not read cannot be written. The bubble fails if a goroutine is stuck at the
// end.
type bench struct {
	t         *testing.T
	transport *transport.Transport
	client    *http.Client

	// ticks are the events of a subscription, until it is closed.
	ticks chan int
	// release ends slow operations.
	release chan struct{}
	// refuse is called before each operation.
	refuse func(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error
	// params may change each request.
	params func(*graphql.RawParams)

	mu       sync.Mutex
	began    int
	ended    []error  // why operations that wait were ended; nil when they were not
	stubborn bool     // what is slow does not listen to its context
	ready    []func() // the arguments of notify
	evict    func()   // evicts the last operation
}

// inBubble runs a test with its own bench. changes adjust the server.
func inBubble(t *testing.T, o transport.Options, test func(*bench), changes ...func(*http.Server)) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, ticks: make(chan int), release: make(chan struct{})}
		b.transport = transport.New(o)
		listener := pipenet.Listen()
		server := &http.Server{Handler: transport.Detach(b.handler()), ReadTimeout: 10 * time.Second}
		for _, change := range changes {
			change(server)
		}
		go func() { _ = server.Serve(listener) }()
		dial := &http.Transport{DialContext: listener.Dial}
		b.client = &http.Client{Transport: dial}
		t.Cleanup(func() {
			dial.CloseIdleConnections()
			_ = server.Close()
			<-time.After(time.Second) // of the bubble, until idle workers end
		})
		test(b)
	})
}

// noError ends a test that cannot go on.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantEqual compares what a test got; the format says what it is.
func wantEqual[T any](t testing.TB, want, got T, format string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", fmt.Sprintf(format, args...), diff)
	}
}

func (b *bench) handler() http.Handler {
	server := handler.New(&graphql.ExecutableSchemaMock{
		SchemaFunc:     func() *ast.Schema { return gqlparser.MustLoadSchema(&ast.Source{Input: testSchema}) },
		ExecFunc:       b.exec,
		ComplexityFunc: func(context.Context, string, string, int, map[string]any) (int, bool) { return 0, false },
	})
	server.AddTransport(b.transport)
	server.SetErrorPresenter(present)
	server.SetRecoverFunc(func(_ context.Context, value any) error { return fmt.Errorf("panicked: %v", value) })
	server.Use(gate{b})
	return server
}

// present adds codes to errors, like the server's presenter.
func present(_ context.Context, err error) *gqlerror.Error {
	var at *gqlerror.Error
	if errors.As(err, &at) && at.Extensions["code"] != nil {
		return at
	}
	code, message := string(feed.CodeInternal), "internal error"
	var known *feed.Error
	switch {
	case errors.As(err, &known):
		code, message = string(known.Code), known.Message
	case errors.Is(err, context.DeadlineExceeded):
		code, message = "TIMEOUT", "the request took too long"
	}
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": code}}
}

// gate is the extension that calls refuse.
type gate struct{ b *bench }

func (gate) ExtensionName() string                   { return "Gate" }
func (gate) Validate(graphql.ExecutableSchema) error { return nil }

func (g gate) MutateOperationContext(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if g.b.refuse == nil {
		return nil
	}
	return g.b.refuse(ctx, oc)
}

func (g gate) MutateOperationParameters(_ context.Context, p *graphql.RawParams) *gqlerror.Error {
	if g.b.params != nil {
		g.b.params(p)
	}
	return nil
}

type whoKey struct{}

// exec runs an operation by its first field.
func (b *bench) exec(ctx context.Context) graphql.ResponseHandler {
	field := graphql.GetOperationContext(ctx).Operation.SelectionSet[0].(*ast.Field).Name
	once := func(value any) graphql.ResponseHandler {
		data, _ := json.Marshal(map[string]any{field: value})
		return graphql.OneShot(&graphql.Response{Data: data})
	}
	switch field {
	case "who":
		who, _ := ctx.Value(whoKey{}).(string)
		return once(who)
	case "slow", "rename":
		return func(ctx context.Context) *graphql.Response {
			if !b.wait(ctx) {
				return nil
			}
			return once("done")(ctx)
		}
	case "large":
		return b.large(field, strings.Repeat("x", largeBytes))
	case "noise":
		return b.large(field, noise())
	case "panics":
		panic("out of order")
	case "parts":
		return b.inParts()
	case "ticks":
		b.begin()
		return b.tick
	case "notified":
		b.begin()
		transport.NotifyBy(ctx, func(ready func()) { b.notify(ctx, sync.OnceFunc(ready)) })
		return b.tick
	case "late":
		b.wait(ctx)
		return b.tick
	}
	return once("tideline")
}

// largeBytes is the length of large texts.
const largeBytes = 64 << 10

// large is an operation that ends when its response is written.
func (b *bench) large(field, text string) graphql.ResponseHandler {
	return func(ctx context.Context) *graphql.Response {
		b.begin()
		b.setEvict(ctx)
		if !transport.AfterWrite(ctx, func() { b.end(nil) }) {
			b.t.Error("the operation does not learn when its response is written")
		}
		return &graphql.Response{Data: []byte(`{"` + field + `":"` + text + `"}`)}
	}
}

// noise returns largeBytes that compress to about half.
func noise() string {
	draw := rand.New(rand.NewPCG(1, 1))
	text := make([]byte, 0, largeBytes)
	for len(text) < largeBytes {
		text = fmt.Appendf(text, "%016x", draw.Uint64())
	}
	return string(text)
}

func (b *bench) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.began++
}

func (b *bench) setEvict(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.evict = transport.Evict(ctx)
}

func (b *bench) end(why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = append(b.ended, why)
}

// wait waits for the release; it returns false if ctx is done first.
func (b *bench) wait(ctx context.Context) bool {
	b.begin()
	b.setEvict(ctx)
	done := ctx.Done()
	if b.stubborn {
		done = nil
	}
	select {
	case <-b.release:
		b.end(nil)
		return true
	case <-done:
		b.end(ctx.Err())
		return false
	}
}

func (b *bench) notify(ctx context.Context, ready func()) {
	context.AfterFunc(ctx, ready)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready = append(b.ready, ready)
}

// nextReady returns the last argument of notify, which must have been called n times.
func (b *bench) nextReady(n int) (ready func()) {
	b.t.Helper()
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.ready) != n {
		b.t.Fatalf("the socket waits for the %d. time, want %d", len(b.ready), n)
	}
	return b.ready[n-1]
}

// tick sends one event.
func (b *bench) tick(ctx context.Context) *graphql.Response {
	select {
	case n, more := <-b.ticks:
		if !more {
			b.end(nil)
			return nil
		}
		return &graphql.Response{Data: fmt.Appendf(nil, `{"ticks":%d}`, n)}
	case <-ctx.Done():
		b.end(ctx.Err())
		return nil
	}
}

// wantRunning waits until all goroutines wait, and checks how many slow operations have begun and
// ended.
func (b *bench) wantRunning(began, ended int) {
	b.t.Helper()
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.began != began || len(b.ended) != ended {
		b.t.Errorf("%d operations have begun and %d ended, want %d and %d", b.began, len(b.ended), began, ended)
	}
}

// pass advances the clock of the bubble.
func (b *bench) pass(d time.Duration) { <-time.After(d) }

// ask sends a request and returns its response.
func (b *bench) ask(r *http.Request) *http.Response {
	b.t.Helper()
	response, err := b.client.Do(r)
	noError(b.t, err)
	b.t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// post returns a request for a document.
func (b *bench) post(ctx context.Context, document, accept string) *http.Request {
	body, err := json.Marshal(map[string]any{"query": document})
	noError(b.t, err)
	return b.postBody(ctx, string(body), accept)
}

func (b *bench) postBody(ctx context.Context, body, accept string) *http.Request {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://tideline.test/graphql", strings.NewReader(body))
	noError(b.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", accept)
	return r
}

// wantResponse checks the status and the whole body of a response.
func (b *bench) wantResponse(response *http.Response, status int, body string) {
	b.t.Helper()
	got, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status || string(got) != body {
		b.t.Errorf("the response is %d, %v\n%s\nwant %d\n%s", response.StatusCode, err, got, status, body)
	}
}

// probe is a client without knowledge of the subprotocol: it sends and receives texts.
type probe struct {
	t    *testing.T
	conn *websocket.Conn
}

// connect opens a socket.
func (b *bench) connect() *probe {
	b.t.Helper()
	p, response, err := b.dial(http.Header{}, "graphql-transport-ws")
	if err != nil {
		b.t.Fatalf("no socket: %v, %v", err, response)
	}
	return p
}

// connected opens a socket and signs in.
func (b *bench) connected() *probe {
	b.t.Helper()
	p := b.connect()
	p.send(`{"type":"connection_init"}`)
	p.want(`{"type":"connection_ack"}`)
	return p
}

func (b *bench) dial(header http.Header, subprotocols ...string) (*probe, *http.Response, error) {
	conn, response, err := websocket.Dial(context.Background(), "ws://tideline.test/graphql", &websocket.DialOptions{
		HTTPClient: b.client, HTTPHeader: header, Subprotocols: subprotocols,
	})
	if err != nil {
		return nil, response, err
	}
	b.t.Cleanup(func() { _ = conn.CloseNow() })
	return &probe{b.t, conn}, response, nil
}

// wantNoSocket checks the status of a refused socket.
func (b *bench) wantNoSocket(status int) {
	b.t.Helper()
	if _, response, _ := b.dial(http.Header{}, "graphql-transport-ws"); response == nil || response.StatusCode != status {
		b.t.Errorf("the response to a socket is %v, want %d", response, status)
	}
}

func (p *probe) send(text string) {
	p.t.Helper()
	if err := p.conn.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
		p.t.Fatalf("send %s: %v", text, err)
	}
}

// want reads the next message and compares it as JSON.
func (p *probe) want(text string) {
	p.t.Helper()
	_, got, err := p.conn.Read(context.Background())
	if err != nil {
		p.t.Fatalf("want %s, but the socket is closed: %v", text, err)
	}
	if !sameJSON(p.t, string(got), text) {
		p.t.Fatalf("got  %s\nwant %s", got, text)
	}
}

// wantClosed checks that the next thing the server sends is a close frame with the code.
func (p *probe) wantClosed(code websocket.StatusCode, reason string) {
	p.t.Helper()
	_, got, err := p.conn.Read(context.Background())
	if err == nil {
		p.t.Fatalf("got %s, want the closing %d", got, code)
	}
	if c := websocket.CloseStatus(err); c != code {
		p.t.Errorf("closed with %v, want %d", err, code)
	}
	if reason != "" && !strings.Contains(err.Error(), reason) {
		p.t.Errorf("closed with %v, want the reason %q", err, reason)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		t.Fatalf("not JSON: %s or %s", a, b)
	}
	return reflect.DeepEqual(x, y)
}

func subscribe(id, document string) string {
	return fmt.Sprintf(`{"type":"subscribe","id":%q,"payload":{"query":%q}}`, id, document)
}

// TestMain fails if a stream or a socket leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
