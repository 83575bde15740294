package transport_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
)

const (
	events   = "text/event-stream"
	complete = "event: complete\ndata:\n\n"
)

// stream reads the body of a stream event by event.
type stream struct {
	t    *testing.T
	body *bufio.Reader
}

// subscribed begins a stream of ticks.
func (b *bench) subscribed(ctx context.Context) stream {
	b.t.Helper()
	return b.streamed(b.post(ctx, "subscription { ticks }", events))
}

func (b *bench) streamed(r *http.Request) stream {
	b.t.Helper()
	response := b.ask(r)
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != events {
		b.t.Fatalf("no stream: %d %v", response.StatusCode, response.Header)
	}
	return stream{b.t, bufio.NewReader(response.Body)}
}

// want reads as many bytes as text has, and compares.
func (s stream) want(text string) {
	s.t.Helper()
	got := make([]byte, len(text))
	if n, err := io.ReadFull(s.body, got); err != nil || string(got) != text {
		s.t.Fatalf("got  %q, %v\nwant %q", got[:n], err, text)
	}
}

// wantEnd checks that the stream has ended.
func (s stream) wantEnd() {
	s.t.Helper()
	if got, err := io.ReadAll(s.body); err != nil || len(got) > 0 {
		s.t.Errorf("at its end the stream has %q, %v", got, err)
	}
}

func tick(n int) string { return fmt.Sprintf("event: next\ndata: {\"data\":{\"ticks\":%d}}\n\n", n) }

func TestSSE_StreamsSubscriptions(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		s := b.subscribed(context.Background())
		for n := range 3 {
			b.ticks <- n
			s.want(tick(n))
		}
		close(b.ticks)
		s.want(complete)
		s.wantEnd()
	})
}

// What happens after a client has the header must reach it, so the subscription begins first.
func TestSSE_SubscribesBeforeItsHeader(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		header := make(chan stream)
		go func() { header <- b.streamed(b.post(context.Background(), "subscription { late }", events)) }()
		synctest.Wait()
		select {
		case <-header:
			t.Error("the header comes before the subscription has begun")
		default:
			close(b.release)
			close(b.ticks)
			s := <-header
			s.want(complete)
			s.wantEnd()
		}
	})
}

// An EventSource hides responses with other statuses from its page.
func TestSSE_SendsOperationErrorsAsEvents(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		s := b.streamed(b.post(context.Background(), "{ nothing }", events))
		got, err := io.ReadAll(s.body)
		if text := string(got); err != nil || !strings.HasPrefix(text, `event: next`+"\n"+`data: {"errors":[{`) ||
			!strings.Contains(text, "GRAPHQL_VALIDATION_FAILED") || !strings.HasSuffix(text, complete) {
			b.t.Errorf("the stream is %q, %v", got, err)
		}
	})
}

func TestSSE_SubscriptionNeedsAStream(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		for _, accept := range []string{"application/json", "application/graphql-response+json", "*/*"} {
			response := b.ask(b.post(context.Background(), "subscription { ticks }", accept))
			b.wantResponse(response, http.StatusNotAcceptable,
				`{"errors":[{"message":"a subscription needs text/event-stream or a WebSocket","extensions":{"code":"BAD_USER_INPUT"}}]}`)
		}
		b.wantRunning(0, 0)
	})
}

// An EventSource can only send GET requests without its own headers.
func TestSSE_ByGetSubscribesOnly(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		s := b.streamed(b.get("subscription { ticks }", "Accept", events, "GraphQL-Preflight", ""))
		b.ticks <- 7
		s.want(tick(7))
		for _, accept := range []string{events, "application/json"} {
			if response := b.ask(b.get("mutation { rename }", "Accept", accept)); response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != "POST" {
				b.t.Errorf("Accept %s: the response is %d %v", accept, response.StatusCode, response.Header)
			}
		}
		b.wantRunning(1, 0)
	})
}

// The timeouts of requests do not apply, and proxies see keep-alive comments.
func TestSSE_KeepsIdleStreamsAlive(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		s := b.subscribed(context.Background())
		began := time.Now()
		for range 100 {
			s.want(":\n\n")
		}
		wantEqual(b.t, 100*15*time.Second, time.Since(began), "the time of 100 keep-alives")
		b.ticks <- 1
		s.want(tick(1))
	})
}

// subscribedSocket subscribes over a socket that breaks when ctx ends.
//
//nolint:contextcheck // the handshake does not end with ctx
func (b *bench) subscribedSocket(ctx context.Context) {
	p := b.connected()
	p.send(subscribe("s", "subscription { ticks }"))
	context.AfterFunc(ctx, func() { _ = p.conn.CloseNow() })
}

func TestTransport_EndsOperationsOfLeavingClients(t *testing.T) {
	for name, begin := range map[string]func(*bench, context.Context){
		"a stream": func(b *bench, ctx context.Context) { b.subscribed(ctx) },
		"parts":    func(b *bench, ctx context.Context) { b.begin(); b.ask(b.post(ctx, "{ parts }", deferring)) },
		"a socket": (*bench).subscribedSocket,
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, transport.Options{}, func(b *bench) {
				ctx, leave := context.WithCancel(context.Background())
				begin(b, ctx)
				b.wantRunning(1, 0)
				leave()
				b.wantRunning(1, 1)
			})
		})
	}
}

func TestSSE_CutsClientsThatDoNotRead(t *testing.T) {
	inBubble(t, transport.Options{ConnectionsMax: 1}, func(b *bench) {
		b.subscribed(context.Background())
		// The client's transport reads ahead.
		for n := range 1000 {
			select {
			case b.ticks <- n:
				continue
			case <-time.After(time.Minute):
			}
			break
		}
		b.subscribed(context.Background()) // there is room again
	})
}

func TestSSE_HidesPanicValues(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		const internal = `{"errors":[{"message":"internal error","extensions":{"code":"INTERNAL"}}]}`
		b.wantResponse(b.ask(b.post(context.Background(), "{ panics }", "application/json")), http.StatusInternalServerError, internal)
		s := b.streamed(b.post(context.Background(), "{ panics }", events))
		s.want("event: next\ndata: " + internal + "\n\n" + complete)
		s.wantEnd()
	})
}

// There is no "complete", so the client subscribes again with a new token.
func TestSSE_EndsWithTheToken(t *testing.T) {
	signIn := func(ctx context.Context, payload map[string]any) (context.Context, time.Time, error) {
		if payload != nil {
			return nil, time.Time{}, feed.Errorf(feed.CodeInternal, "a stream has no payload")
		}
		return ctx, time.Now().Add(10 * time.Second), nil
	}
	inBubble(t, transport.Options{Authenticate: signIn}, func(b *bench) {
		s := b.subscribed(context.Background())
		b.ticks <- 1
		s.want(tick(1))
		s.wantEnd()
		b.wantRunning(1, 1)
	})
}

func TestSSE_FailedSignInIsAnHTTPResponse(t *testing.T) {
	for code, status := range map[feed.Code]int{
		feed.CodeUnauthenticated: 401, feed.CodeForbidden: 403, feed.CodeBadInput: 400, feed.CodeUnavailable: 503, feed.CodeInternal: 500,
	} {
		refuse := func(context.Context, map[string]any) (context.Context, time.Time, error) {
			return nil, time.Time{}, feed.Errorf(code, "no")
		}
		inBubble(t, transport.Options{Authenticate: refuse}, func(b *bench) {
			response := b.ask(b.post(context.Background(), "subscription { ticks }", events))
			b.wantResponse(response, status, `{"errors":[{"message":"no","extensions":{"code":"`+string(code)+`"}}]}`)
		})
	}
}

func TestTransport_LimitsConnections(t *testing.T) {
	full := 0
	inBubble(t, transport.Options{ConnectionsMax: 1, Full: func() { full++ }}, func(b *bench) {
		ctx, leave := context.WithCancel(context.Background())
		b.subscribed(ctx)
		response := b.ask(b.post(context.Background(), "subscription { ticks }", events))
		b.wantResponse(response, http.StatusServiceUnavailable,
			`{"errors":[{"message":"the server has no room for another stream or socket","extensions":{"code":"UNAVAILABLE"}}]}`)
		if response.Header.Get("Retry-After") != "5" || response.Header.Get("Content-Type") != "application/json; charset=utf-8" {
			b.t.Errorf("the header is %v", response.Header)
		}
		b.wantResponse(b.ask(b.post(context.Background(), "{ name }", "application/json")), http.StatusOK, `{"data":{"name":"tideline"}}`)
		b.wantNoSocket(http.StatusServiceUnavailable)
		wantEqual(b.t, []int{2, 1}, []int{full, b.transport.Open()}, "the refused and the open connections")
		leave()
		synctest.Wait()
		wantEqual(b.t, 0, b.transport.Open(), "streams that are open after all clients left")
		b.subscribed(context.Background())
	})
}

// One address cannot take all connections; those without a key share the rest.
func TestTransport_LimitsConnectionsPerKey(t *testing.T) {
	client := "ann"
	key := func(context.Context) string { return client }
	inBubble(t, transport.Options{ConnectionKey: key, KeyConnectionsMax: 2}, func(b *bench) {
		ctx, leave := context.WithCancel(context.Background())
		b.subscribed(ctx)
		b.connected()
		response := b.ask(b.post(context.Background(), "subscription { ticks }", events))
		b.wantResponse(response, http.StatusTooManyRequests,
			`{"errors":[{"message":"too many streams and sockets are open","extensions":{"code":"RATE_LIMITED"}}]}`)
		b.wantNoSocket(http.StatusTooManyRequests)
		for _, client = range []string{"ben", "", "", ""} {
			b.connected()
		}
		client = "ann"
		leave()
		synctest.Wait()
		b.connected()
	})
}

func TestSSE_DrainEndsStreams(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		ticks, query := b.subscribed(context.Background()), make(chan stream)
		go func() { query <- b.streamed(b.post(context.Background(), "{ slow }", events)) }()
		b.wantRunning(2, 0)
		drained := make(chan error, 1)
		go func() { drained <- b.transport.Drain(context.Background()) }()
		ticks.wantEnd()
		b.wantRunning(2, 1)
		close(b.release)
		(<-query).want("event: next\ndata: {\"data\":{\"slow\":\"done\"}}\n\n" + complete)
		noError(b.t, <-drained)
	})
}

func TestHTTP_BusyHasAStatus(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		for code, status := range map[string]int{"RATE_LIMITED": 429, "UNAVAILABLE": 503} {
			b.refuse = func(ctx context.Context, _ *graphql.OperationContext) *gqlerror.Error {
				transport.Header(ctx).Set("Retry-After", "7")
				return &gqlerror.Error{Message: "no room", Extensions: map[string]any{"code": code}}
			}
			for _, accept := range []string{events, "application/json", "application/graphql-response+json"} {
				response := b.ask(b.post(context.Background(), "{ name }", accept))
				b.wantResponse(response, status, `{"errors":[{"message":"no room","extensions":{"code":"`+code+`"}}]}`)
				wantEqual(b.t, "7", response.Header.Get("Retry-After"), "Retry-After")
			}
		}
	})
}

// The guard knows the documents.
func TestHTTP_AcceptsDocumentIDs(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		var named any
		b.params = func(p *graphql.RawParams) {
			named, p.Query = p.Extensions[transport.DocumentID], "{ name }"
		}
		for body, want := range map[string]any{
			`{"documentId":"sha256:abc"}`:                                "sha256:abc",
			`{"documentId":"abc","extensions":{"documentId":"other"}}`:   "abc",
			`{"extensions":{"persistedQuery":{"version":1}}}`:            nil,
			`{"query":"","extensions":{"persistedQuery":{"version":1}}}`: nil,
		} {
			b.wantResponse(b.ask(b.postBody(context.Background(), body, "application/json")), http.StatusOK, `{"data":{"name":"tideline"}}`)
			wantEqual(b.t, want, named, "the document that %s names", body)
		}
	})
}
