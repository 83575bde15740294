package transport_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
)

const tokenHeader = "X-GraphQL-Event-Stream-Token"

// reserved is a client of one reserved stream.
type reserved struct {
	*bench
	token, who string
}

// byWho makes the header Who of a request its identity.
func byWho(server *http.Server) {
	next := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), whoKey{}, r.Header.Get("Who"))))
	})
}

func owner(ctx context.Context) string {
	who, _ := ctx.Value(whoKey{}).(string)
	return who
}

func (c reserved) send(ctx context.Context, method, params, body string) *http.Response {
	c.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, "http://tideline.test/graphql"+params, strings.NewReader(body))
	noError(c.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Who", c.who)
	if c.token != "" {
		r.Header.Set(tokenHeader, c.token)
	}
	if method == http.MethodGet {
		r.Header.Set("Accept", events)
	}
	return c.ask(r)
}

// reserve makes a reservation.
func (b *bench) reserve(who string) reserved {
	b.t.Helper()
	c := reserved{bench: b, who: who}
	response := c.send(context.Background(), http.MethodPut, "", "")
	token, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusCreated || len(token) < 20 {
		b.t.Fatalf("the response to PUT is %d %q, %v", response.StatusCode, token, err)
	}
	c.token = string(token)
	return c
}

func (c reserved) open(ctx context.Context) stream {
	c.t.Helper()
	response := c.send(ctx, http.MethodGet, "", "")
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != events {
		c.t.Fatalf("no stream: %d %v", response.StatusCode, response.Header)
	}
	return stream{c.t, bufio.NewReader(response.Body)}
}

// wantStatus begins an operation.
func (c reserved) wantStatus(status int, id, document string) {
	c.t.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "extensions": map[string]any{"operationId": id}})
	noError(c.t, err)
	if response := c.send(context.Background(), http.MethodPost, "", string(body)); response.StatusCode != status {
		text, _ := io.ReadAll(response.Body)
		c.t.Errorf("the response to %s is %d %s, want %d", document, response.StatusCode, text, status)
	}
}

func nextOf(id, data string) string {
	return "event: next\ndata: {\"id\":\"" + id + "\",\"payload\":{\"data\":" + data + "}}\n\n"
}

func completeOf(id string) string { return "event: complete\ndata: {\"id\":\"" + id + "\"}\n\n" }

func TestReservation_StreamsSeveralOperations(t *testing.T) {
	inBubble(t, transport.Options{Owner: owner}, func(b *bench) {
		c := b.reserve("ann")
		s := c.open(context.Background())
		c.wantStatus(http.StatusAccepted, "a", "subscription { ticks }")
		c.wantStatus(http.StatusAccepted, "b", "{ who }")
		s.want(nextOf("b", `{"who":"ann"}`) + completeOf("b"))
		b.ticks <- 1
		s.want(nextOf("a", `{"ticks":1}`))
		c.wantStatus(http.StatusConflict, "a", "{ name }")
		synctest.Wait() // until it waits for the next tick: the end is counted there
		wantEqual(t, http.StatusOK, c.send(context.Background(), http.MethodDelete, "?operationId=a", "").StatusCode, "the status of DELETE")
		b.wantRunning(1, 1)
		c.wantStatus(http.StatusAccepted, "a", "subscription { ticks }")
		synctest.Wait()
		close(b.ticks)
		s.want(completeOf("a"))
		c.wantStatus(http.StatusAccepted, "c", "{ panics }")
		s.want("event: next\ndata: {\"id\":\"c\",\"payload\":" + `{"errors":[{"message":"internal error","extensions":{"code":"INTERNAL"}}]}` + "}\n\n" + completeOf("c"))
	}, byWho)
}

// What is wrong with a request is the response to it, never with status 200.
func TestReservation_RefusesByStatus(t *testing.T) {
	inBubble(t, transport.Options{OperationsMax: 1}, func(b *bench) {
		c := b.reserve("")
		c.open(context.Background())
		c.wantStatus(http.StatusBadRequest, "a", "{ nothing }")
		c.wantStatus(http.StatusBadRequest, "", "{ name }")
		c.wantStatus(http.StatusBadRequest, strings.Repeat("x", 65), "{ name }")
		c.wantStatus(http.StatusAccepted, "a", "subscription { ticks }")
		c.wantStatus(http.StatusTooManyRequests, "b", "{ name }")
		for method, status := range map[string]int{
			http.MethodGet:    http.StatusConflict,
			http.MethodDelete: http.StatusBadRequest,
			http.MethodPatch:  http.StatusMethodNotAllowed,
		} {
			wantEqual(t, status, c.send(context.Background(), method, "", "").StatusCode, "the response to %s", method)
		}
	})
}

func TestReservation_BelongsToItsOwner(t *testing.T) {
	inBubble(t, transport.Options{Owner: owner}, func(b *bench) {
		c := b.reserve("ann")
		for _, other := range []reserved{{b, c.token, "ben"}, {b, c.token, ""}, {b, "guessed", "ann"}} {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
				wantEqual(t, http.StatusNotFound, other.send(context.Background(), method, "?operationId=a", "{}").StatusCode, "%s of %q", method, other.who)
			}
		}
		c.open(context.Background())
		c.wantStatus(http.StatusAccepted, "a", "{ name }")
	}, byWho)
}

// An EventSource cannot send the header.
func TestReservation_TakesItsTokenFromTheURL(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		c := b.reserve("")
		anonymous := reserved{bench: b}
		wantEqual(t, http.StatusOK, anonymous.send(context.Background(), http.MethodGet, "?token="+c.token, "").StatusCode, "the response")
		c.wantStatus(http.StatusAccepted, "a", "{ name }")
	})
}

func TestReservation_ExpiresUnused(t *testing.T) {
	inBubble(t, transport.Options{ConnectionsMax: 1, InitWithin: time.Second}, func(b *bench) {
		c := b.reserve("")
		c.wantStatus(http.StatusAccepted, "a", "subscription { ticks }") // waits for the stream
		wantEqual(t, http.StatusServiceUnavailable, c.send(context.Background(), http.MethodPut, "", "").StatusCode, "the status of a second reservation")
		b.pass(2 * time.Second)
		wantEqual(t, http.StatusNotFound, c.send(context.Background(), http.MethodGet, "", "").StatusCode, "the status of the expired reservation")
		b.wantRunning(0, 0)
		b.reserve("")
	})
}

func TestReservation_MayExpireDuringRequest(t *testing.T) {
	untilExpired := func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }
	inBubble(t, transport.Options{InitWithin: time.Second, Recheck: untilExpired}, func(b *bench) {
		b.reserve("").wantStatus(http.StatusNotFound, "a", "{ name }")
	})
}

func TestReservation_EndsWithItsStream(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		ctx, leave := context.WithCancel(context.Background())
		c := b.reserve("")
		c.open(ctx)
		c.wantStatus(http.StatusAccepted, "a", "subscription { ticks }")
		b.wantRunning(1, 0)
		leave()
		b.wantRunning(1, 1)
		c.wantStatus(http.StatusNotFound, "b", "{ name }")
		wantEqual(t, 0, b.transport.Open(), "open streams")
	})
}

// The stream ends without "complete", so that the client begins its operations again.
func TestReservation_EndsWithItsToken(t *testing.T) {
	within := func(ctx context.Context, _ map[string]any) (context.Context, time.Time, error) {
		return ctx, time.Now().Add(10 * time.Second), nil
	}
	revoked, revoke := context.WithCancelCause(context.Background())
	until := func(ctx context.Context, _ map[string]any) (context.Context, time.Time, error) {
		ctx, cancel := context.WithCancelCause(ctx)
		context.AfterFunc(revoked, func() { cancel(context.Cause(revoked)) })
		return ctx, time.Time{}, nil
	}
	for name, c := range map[string]struct {
		signIn transport.Authenticate
		end    func()
	}{
		"expired": {within, func() {}},
		"revoked": {until, func() { revoke(feed.Errorf(feed.CodeUnauthenticated, "revoked")) }},
	} {
		inBubble(t, transport.Options{Authenticate: c.signIn}, func(b *bench) {
			r := b.reserve("")
			s := r.open(context.Background())
			r.wantStatus(http.StatusAccepted, "a", "subscription { ticks }")
			b.ticks <- 1
			s.want(nextOf("a", `{"ticks":1}`))
			b.wantRunning(1, 0)
			c.end()
			s.wantEnd()
			b.wantRunning(1, 1)
			r.wantStatus(http.StatusNotFound, "b", "{ name }")
			if t.Failed() {
				t.Logf("the token is %s", name)
			}
		})
	}
}

func TestReservation_DrainFinishesQueries(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		c := b.reserve("")
		unopened := b.reserve("")
		s := c.open(context.Background())
		c.wantStatus(http.StatusAccepted, "a", "{ slow }")
		c.wantStatus(http.StatusAccepted, "b", "subscription { ticks }")
		b.wantRunning(2, 0)
		drained := make(chan error)
		go func() { drained <- b.transport.Drain(context.Background()) }()
		b.wantRunning(2, 1)
		unopened.wantStatus(http.StatusNotFound, "a", "{ name }")
		close(b.release)
		s.want(nextOf("a", `{"slow":"done"}`) + completeOf("a"))
		s.wantEnd()
		noError(t, <-drained)
	})
}

// A reservation costs as much as a message of a socket.
func TestReservation_IsCharged(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		left := 2
		b.transport.ChargeMessages(func(context.Context) error {
			if left--; left < 0 {
				return feed.Errorf("RATE_LIMITED", "too many requests")
			}
			return nil
		})
		c := b.reserve("")
		c.send(context.Background(), http.MethodDelete, "?operationId=a", "")
		for method, params := range map[string]string{http.MethodPut: "", http.MethodDelete: "?operationId=a"} {
			wantEqual(t, http.StatusTooManyRequests, c.send(context.Background(), method, params, "").StatusCode, "the status of %s beyond the budget", method)
		}
	})
}

func TestReservation_KeepsItsStreamAlive(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		s := b.reserve("").open(context.Background())
		s.want(":\n\n:\n\n")
	})
}
