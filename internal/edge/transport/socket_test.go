package transport_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
)

// The client gets nothing more of the operation, and may use its id again.
func TestSocket_CompleteEndsAnOperation(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connected()
		for n := range 3 {
			p.send(subscribe("s", "subscription { ticks }"))
			b.ticks <- 1
			p.want(`{"type":"next","id":"s","payload":{"data":{"ticks":1}}}`)
			b.wantRunning(n+1, n)
			p.send(`{"type":"complete","id":"s"}`)
		}
		b.wantRunning(3, 3)
		p.send(`{"type":"complete","id":"unknown"}`)
		p.send(`{"type":"ping"}`)
		p.want(`{"type":"pong"}`)
	})
}

func TestSocket_AnswersPings(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connect()
		p.send(`{"type":"ping"}`)
		p.want(`{"type":"pong"}`)
		p.send(`{"type":"pong","payload":{}}`)
		p.send(`{"type":"ping","payload":{"n":12345678901234567890}}`)
		p.want(`{"type":"pong","payload":{"n":12345678901234567890}}`)
	})
}

// A refused or failed operation ends alone.
func TestSocket_SurvivesRefusedOperations(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connected()
		b.refuse = func(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error {
			transport.Header(ctx).Set("RateLimit", "lost, but harmless")
			if oc.RawQuery == "{ who }" {
				return &gqlerror.Error{Message: "slower", Extensions: map[string]any{"code": "RATE_LIMITED"}}
			}
			return nil
		}
		for document, code := range map[string]string{
			"{": "GRAPHQL_PARSE_FAILED", "{ nothing }": "GRAPHQL_VALIDATION_FAILED", "{ panics }": "INTERNAL", "{ who }": "RATE_LIMITED",
		} {
			p.send(subscribe("1", document))
			_, got, err := p.conn.Read(context.Background())
			var m struct {
				ID, Type string
				Payload  []struct{ Extensions struct{ Code string } }
			}
			if err != nil || json.Unmarshal(got, &m) != nil || m.Type != "error" || m.ID != "1" || len(m.Payload) == 0 || m.Payload[0].Extensions.Code != code {
				b.t.Errorf("%s returns %s, %v", document, got, err)
			}
		}
		p.send(subscribe("1", "{ name }"))
		p.want(`{"type":"next","id":"1","payload":{"data":{"name":"tideline"}}}`)
		p.want(`{"type":"complete","id":"1"}`)
	})
}

func TestSocket_ChargesMessages(t *testing.T) {
	for name, text := range map[string]string{
		"ping": `{"type":"ping"}`, "pong": `{"type":"pong"}`, "complete": `{"type":"complete","id":"1"}`, "a frame": "",
	} {
		inBubble(t, transport.Options{}, func(b *bench) {
			b.transport.ChargeMessages(budgetOf(3))
			p := b.connected()
			for n := range 4 {
				if text == "" {
					go func() { _ = p.conn.Ping(context.Background()) }() // the last one gets no reply
					synctest.Wait()
					continue
				}
				p.send(text)
				if name == "ping" && n < 3 {
					p.want(`{"type":"pong"}`)
				}
			}
			p.wantClosed(websocket.StatusPolicyViolation, "Rate limited: too many messages")
		})
	}
}

// budgetOf returns a function that refuses all but n messages.
func budgetOf(n int) func(context.Context) error {
	return func(context.Context) error {
		if n--; n < 0 {
			return errors.New("the budget is spent")
		}
		return nil
	}
}

// mistake is what a client sends, of which the last message is wrong, and how the socket closes.
type mistake struct {
	messages []string
	code     websocket.StatusCode
	reason   string
}

func mistakes() []mistake {
	const init = `{"type":"connection_init"}`
	all := []mistake{
		{[]string{subscribe("1", "{ name }")}, 4401, "Unauthorized"},
		{nil, 4408, "Connection initialisation timeout"},
		{[]string{init, init}, 4429, "Too many initialisation requests"},
		{[]string{init, subscribe("s", "subscription { ticks }"), subscribe("s", "{ name }")}, 4409, "Subscriber for s already exists"},
	}
	for _, text := range []string{
		``, `nonsense`, `null`, `[]`, `"ping"`, `{}`, `{"type":5}`, `{"type":"start"}`, `{"type":"connection_ack"}`, `{"type":"next","id":"1"}`,
		`{"type":"ping"} {}`, `{"type":"ping","payload":5}`, `{"type":"connection_init","payload":"token"}`,
		`{"type":"connection_init","payload":[]}`, `{"type":"complete"}`, `{"type":"complete","id":5}`,
		`{"type":"subscribe","payload":{"query":"{name}"}}`, `{"type":"subscribe","id":"","payload":{"query":"{name}"}}`,
		`{"type":"subscribe","id":"` + strings.Repeat("x", 65) + `","payload":{"query":"{name}"}}`,
	} {
		all = append(all, mistake{[]string{text}, 4400, ""})
	}
	for _, payload := range []string{
		``, `,"payload":null`, `,"payload":{}`, `,"payload":{"query":5}`, `,"payload":{"query":""}`, `,"payload":{"query":"{name}","variables":[]}`,
		`,"payload":{"query":"{name}","operationName":{}}`,
	} {
		all = append(all, mistake{[]string{init, `{"type":"subscribe","id":"1"` + payload + `}`}, 4400, ""})
	}
	return all
}

func TestSocket_ClosesWithTheCodeOfTheMistake(t *testing.T) {
	for _, m := range mistakes() {
		inBubble(t, transport.Options{InitWithin: 3 * time.Second}, func(b *bench) {
			began := time.Now()
			p := b.connect()
			for i, text := range m.messages {
				p.send(text)
				if i == 0 && len(m.messages) > 1 {
					p.want(`{"type":"connection_ack"}`)
				}
			}
			p.wantClosed(m.code, m.reason)
			if waited := time.Since(began); m.code == 4408 && waited != 3*time.Second {
				b.t.Errorf("the socket was closed after %v", waited)
			}
		})
	}
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connect()
		noError(t, p.conn.Write(context.Background(), websocket.MessageBinary, []byte(`{"type":"ping"}`)))
		p.wantClosed(4400, "")
	})
	for _, subprotocols := range [][]string{nil, {"graphql-ws"}} {
		inBubble(t, transport.Options{}, func(b *bench) {
			p, _, err := b.dial(http.Header{}, subprotocols...)
			noError(t, err)
			p.wantClosed(4406, "Subprotocol not acceptable")
		})
	}
}

func TestSocket_RejectsLargeMessages(t *testing.T) {
	message := func(size int) string {
		const around = `{"type":"ping","payload":{"x":""}}`
		return `{"type":"ping","payload":{"x":"` + strings.Repeat("x", size-len(around)) + `"}}`
	}
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connect()
		p.conn.SetReadLimit(-1)
		p.send(message(256 << 10))
		if _, _, err := p.conn.Read(context.Background()); err != nil {
			b.t.Errorf("a message of 256 KiB ends with %v", err)
		}
		_ = p.conn.Write(context.Background(), websocket.MessageText, []byte(message(256<<10+1)))
		p.wantClosed(websocket.StatusMessageTooBig, "")
	})
}

func TestSocket_RunsAsTheSignedInViewer(t *testing.T) {
	signIn := func(ctx context.Context, payload map[string]any) (context.Context, time.Time, error) {
		return context.WithValue(ctx, whoKey{}, payload["token"]), time.Time{}, nil
	}
	inBubble(t, transport.Options{Authenticate: signIn}, func(b *bench) {
		p := b.connect()
		p.send(`{"type":"connection_init","payload":{"token":"ann"}}`)
		p.want(`{"type":"connection_ack"}`)
		p.send(subscribe("1", "{ who }"))
		p.want(`{"type":"next","id":"1","payload":{"data":{"who":"ann"}}}`)
	})
}

func TestSocket_FailedSignInCloses(t *testing.T) {
	for _, test := range []struct {
		err    error
		code   websocket.StatusCode
		reason string
	}{
		{feed.Errorf(feed.CodeUnauthenticated, "the token has expired"), 4403, "Forbidden: the token has expired"},
		{feed.Errorf(feed.CodeForbidden, "no"), 4403, "Forbidden: no"},
		{feed.Errorf(feed.CodeForbidden, "%s", strings.Repeat("long", 100)), 4403, "Forbidden: long"},
		{feed.Errorf(feed.CodeBadInput, "the id is malformed"), 4400, "the id is malformed"},
		{feed.Unavailable("the database", nil), 1013, "the database cannot be reached"},
		{errors.New("a secret"), 4500, "Internal server error"},
	} {
		refuse := func(context.Context, map[string]any) (context.Context, time.Time, error) {
			return nil, time.Time{}, test.err
		}
		inBubble(t, transport.Options{Authenticate: refuse}, func(b *bench) {
			p := b.connect()
			p.send(`{"type":"connection_init"}`)
			p.wantClosed(test.code, test.reason)
		})
	}
}

// No operation is completed, so the client repeats them with a new token.
func TestSocket_ClosesWithTheToken(t *testing.T) {
	signIn := func(ctx context.Context, _ map[string]any) (context.Context, time.Time, error) {
		return ctx, time.Now().Add(time.Hour), nil
	}
	inBubble(t, transport.Options{Authenticate: signIn}, func(b *bench) {
		p := b.connected()
		began := time.Now()
		p.send(subscribe("s", "subscription { ticks }"))
		p.wantClosed(4403, "Forbidden: the token has expired")
		wantEqual(b.t, time.Hour, time.Since(began), "the time until the socket closes")
		b.wantRunning(1, 1)
	})
}

func TestSocket_LimitsOperations(t *testing.T) {
	inBubble(t, transport.Options{OperationsMax: 2}, func(b *bench) {
		b.stubborn = true
		p := b.connected()
		p.send(subscribe("1", "{ slow }"))
		p.send(subscribe("2", "{ slow }"))
		p.send(subscribe("3", "{ name }"))
		const refused = `{"type":"error","id":"3","payload":[{"message":"too many operations run on this socket","extensions":{"code":"RATE_LIMITED"}}]}`
		p.want(refused)
		b.wantRunning(2, 0)
		// A canceled operation counts until it has ended.
		p.send(`{"type":"complete","id":"1"}`)
		p.send(subscribe("3", "{ name }"))
		p.want(refused)
		close(b.release)
		p.want(`{"type":"next","id":"2","payload":{"data":{"slow":"done"}}}`)
		p.want(`{"type":"complete","id":"2"}`)
		b.wantRunning(2, 2)
		p.send(subscribe("3", "{ name }"))
		p.want(`{"type":"next","id":"3","payload":{"data":{"name":"tideline"}}}`)
	})
}

func TestSocket_ReportsTimeout(t *testing.T) {
	inBubble(t, transport.Options{OperationWithin: time.Second}, func(b *bench) {
		p := b.connected()
		p.send(subscribe("1", "{ slow }"))
		p.want(`{"type":"next","id":"1","payload":{"data":null,"errors":[{"message":"the request took too long","extensions":{"code":"TIMEOUT"}}]}}`)
		p.want(`{"type":"complete","id":"1"}`)
	})
}

func TestSocket_SubscriptionsHaveNoTimeout(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connected()
		p.send(subscribe("s", "subscription { ticks }"))
		time.AfterFunc(24*time.Hour, func() { b.ticks <- 1 })
		p.want(`{"type":"next","id":"s","payload":{"data":{"ticks":1}}}`)
	})
}

func TestSocket_CutsSilentClients(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connected()
		p.send(subscribe("s", "subscription { ticks }"))
		b.wantRunning(1, 0)
		b.pass(26 * time.Second) // a keep-alive and the time for a write
		b.wantRunning(1, 1)
	})
}

func TestSocket_CutsClientsThatDoNotRead(t *testing.T) {
	inBubble(t, transport.Options{KeepAlive: time.Hour}, func(b *bench) {
		p := b.connected()
		p.send(subscribe("s", "subscription { ticks }"))
		b.ticks <- 1
		b.pass(11 * time.Second) // the time for a write
		if _, got, err := p.conn.Read(context.Background()); err == nil {
			b.t.Errorf("the client reads %s", got)
		}
	})
}

// Browsers let any page open a socket to any server.
func TestSocket_RejectsOtherOrigins(t *testing.T) {
	origins := http.NewCrossOriginProtection()
	noError(t, origins.AddTrustedOrigin("https://app.example"))
	inBubble(t, transport.Options{Origins: origins}, func(b *bench) {
		for origin, want := range map[string]int{
			"":                     http.StatusSwitchingProtocols,
			"http://tideline.test": http.StatusSwitchingProtocols,
			"https://app.example":  http.StatusSwitchingProtocols,
			"https://evil.example": http.StatusForbidden,
			"null":                 http.StatusForbidden,
		} {
			header := http.Header{}
			if origin != "" {
				header.Set("Origin", origin)
			}
			_, response, err := b.dial(header, "graphql-transport-ws")
			if response == nil || response.StatusCode != want {
				b.t.Errorf("Origin %s: the response is %v, %v", origin, response, err)
			}
		}
	})
}

func TestSocket_DrainFinishesQueries(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p, idle := b.connected(), b.connect()
		p.send(subscribe("s", "subscription { ticks }"))
		p.send(subscribe("q", "mutation { rename }"))
		b.wantRunning(2, 0)
		drained := make(chan error, 1)
		go func() { drained <- b.transport.Drain(context.Background()) }()
		idle.wantClosed(1001, "Going away")
		b.wantRunning(2, 1)
		p.send(subscribe("late", "{ name }"))
		if _, response, _ := b.dial(http.Header{}, "graphql-transport-ws"); response == nil ||
			response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
			b.t.Errorf("the response to a new socket is %v", response)
		}
		close(b.release)
		p.want(`{"type":"next","id":"q","payload":{"data":{"rename":"done"}}}`)
		p.want(`{"type":"complete","id":"q"}`)
		p.wantClosed(1001, "Going away")
		noError(b.t, <-drained)
	})
}

func TestDrain_CutsWhatDoesNotEnd(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connected()
		p.send(subscribe("q", "{ slow }"))
		b.wantRunning(1, 0)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := b.transport.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
			b.t.Errorf("Drain returns %v", err)
		}
		b.wantRunning(1, 1)
		if _, _, err := p.conn.Read(context.Background()); err == nil {
			b.t.Error("the socket is open")
		}
	})
}

func TestSocket_RejectsTextThatDecodingAlters(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connected()
		for _, payload := range []string{
			`{"query":"{ name }","variables":{"a":"\ud83c"}}`, `{"query":"{ name }","extensions":{"a":"\udf0a"}}`,
			`{"query":"{ name }","operationName":"\ud83c"}`,
		} {
			p.send(`{"type":"subscribe","id":"1","payload":` + payload + `}`)
			p.want(`{"type":"error","id":"1","payload":[{"message":"the payload has a \\u escape of half a surrogate pair","extensions":{"code":"BAD_USER_INPUT"}}]}`)
		}
		p.send(subscribe("1", "{ name }"))
		p.want(`{"type":"next","id":"1","payload":{"data":{"name":"tideline"}}}`)
	})
	for text, code := range map[string]websocket.StatusCode{
		`{"type":"connection_init","payload":{"token":"\ud83c"}}`:         4400,
		`{"type":"subscribe","id":"\ud83c","payload":{"query":"{name}"}}`: 4400,
		"{\"type\":\"ping\",\"payload\":{\"a\":\"\xff\"}}":                websocket.StatusInvalidFramePayloadData,
	} {
		inBubble(t, transport.Options{}, func(b *bench) {
			p := b.connect()
			p.send(text)
			p.wantClosed(code, "")
		})
	}
}
