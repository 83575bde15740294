package transport_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/internal/kit/pipenet"
)

const callbackURL = "http://router.test/callback/7"

// router receives callbacks like a router.
type router struct {
	mu       sync.Mutex
	messages []string // the messages that it accepted, without what all begin with
	refused  int
	// status is of the response to an action; 0 for success.
	status map[string]int
	// answers, unless nil, is closed when the router answers again.
	answers chan struct{}
}

const messageHead = `{"kind":"subscription","action":"`

func (r *router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	text := strings.TrimPrefix(string(body), messageHead)
	action, rest, _ := strings.Cut(text, `","id":"7","verifier":"secret"`)
	if r.answers != nil {
		<-r.answers
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil || req.Method != http.MethodPost || req.Header.Get("Subscription-Protocol") != "callback/1.0" ||
		req.Header.Get("Content-Type") != "application/json" || !json.Valid(body) || r.status[action] != 0 {
		r.refused++
		w.Header().Set("Location", "http://internal.test/")
		w.WriteHeader(max(r.status[action], http.StatusBadRequest))
		return
	}
	r.messages = append(r.messages, action+" "+strings.TrimSuffix(strings.TrimPrefix(rest, ","), "}"))
	if action == "check" {
		w.WriteHeader(http.StatusNoContent)
	}
}

func (r *router) refuse(action string, status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status == nil {
		r.status = map[string]int{}
	}
	r.status[action] = status
}

// take returns the messages since the last call, once all goroutines wait.
func (r *router) take() []string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.messages
	r.messages = nil
	return taken
}

func (r *router) want(t *testing.T, messages ...string) {
	t.Helper()
	wantEqual(t, messages, r.take(), "the router received")
}

// withRouter runs a test with a router. Other hosts cannot be reached.
func withRouter(t *testing.T, o transport.Options, test func(*bench, *router)) {
	t.Helper()
	urls, err := transport.ParseCallbackURLs([]string{"http://router.test/callback"})
	noError(t, err)
	var listener *pipenet.Listener
	connections := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		wantEqual(t, "router.test:80", address, "where the server connects to")
		return listener.Dial(ctx, network, address)
	}}
	o.CallbackURLs, o.CallbackTransport = urls, connections
	inBubble(t, o, func(b *bench) {
		listener = pipenet.Listen()
		r := &router{}
		server := &http.Server{Handler: r, ReadHeaderTimeout: time.Minute}
		go func() { _ = server.Serve(listener) }()
		b.t.Cleanup(func() {
			connections.CloseIdleConnections()
			_ = server.Close()
		})
		test(b, r)
	})
}

// callBack subscribes by a callback.
func (b *bench) callBack(document, url string, heartbeat any) *http.Response {
	b.t.Helper()
	subscription := map[string]any{"callbackUrl": url, "subscriptionId": "7", "verifier": "secret"}
	if heartbeat != nil {
		subscription["heartbeatIntervalMs"] = heartbeat
	}
	body, err := json.Marshal(map[string]any{"query": document, "extensions": map[string]any{"subscription": subscription}})
	noError(b.t, err)
	return b.ask(b.postBody(context.Background(), string(body), "application/json;callbackSpec=1.0"))
}

const ticks = "subscription { ticks }"

func TestCallback_SendsEventsToTheURL(t *testing.T) {
	withRouter(t, transport.Options{}, func(b *bench, r *router) {
		b.wantResponse(b.callBack(ticks, callbackURL, 5000), http.StatusOK, `{"data":null}`)
		r.want(t, "check ")
		b.ticks <- 1
		r.want(t, `next "payload":{"data":{"ticks":1}}`)
		b.ticks <- 2
		r.want(t, `next "payload":{"data":{"ticks":2}}`)
		close(b.ticks)
		r.want(t, "complete ")
		b.wantRunning(1, 1)
		b.pass(time.Hour)
		r.want(t)
		wantEqual(t, 0, b.transport.Open(), "streams that are open after the end")
	})
}

func TestCallback_SendsHeartbeatsInTime(t *testing.T) {
	// Without heartbeats, checks find routers that are gone.
	for heartbeat, every := range map[int]time.Duration{6000: 4 * time.Second, 0: time.Minute} {
		withRouter(t, transport.Options{}, func(b *bench, r *router) {
			b.callBack(ticks, callbackURL, heartbeat)
			r.want(t, "check ")
			for range 3 {
				b.pass(every)
				r.want(t, "check ")
			}
			close(b.ticks)
			synctest.Wait()
		})
	}
}

// After any refusal the router gets nothing more.
func TestCallback_EndsWhenTheRouterRefuses(t *testing.T) {
	for action, happen := range map[string]func(*bench){
		"check": func(b *bench) { b.pass(4 * time.Second) },
		"next":  func(b *bench) { b.ticks <- 1 },
	} {
		for _, status := range []int{http.StatusNotFound, http.StatusInternalServerError, http.StatusFound, http.StatusTemporaryRedirect} {
			withRouter(t, transport.Options{}, func(b *bench, r *router) {
				b.callBack(ticks, callbackURL, 6000)
				r.want(t, "check ")
				r.refuse(action, status)
				happen(b)
				r.want(t)
				b.pass(time.Hour)
				if r.refused != 1 || b.transport.Open() != 0 {
					t.Errorf("%s gets %d: %d messages were refused, and %d streams are open", action, status, r.refused, b.transport.Open())
				}
			})
		}
	}
}

func TestCallback_NeedsTheRoutersConsent(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusNotFound, http.StatusTemporaryRedirect} {
		withRouter(t, transport.Options{}, func(b *bench, r *router) {
			r.refuse("check", status)
			if response := b.callBack(ticks, callbackURL, nil); response.StatusCode != http.StatusBadRequest {
				t.Errorf("the router refuses, and the response is %d", response.StatusCode)
			}
			b.wantRunning(0, 0)
			if r.refused != 1 || b.transport.Open() != 0 {
				t.Errorf("%d checks were sent, and %d streams are open", r.refused, b.transport.Open())
			}
		})
	}
}

// Requests for other URLs connect to no host.
func TestCallback_RefusesOtherURLs(t *testing.T) {
	withRouter(t, transport.Options{}, func(b *bench, r *router) {
		for _, url := range []string{
			"", "http://router.test", "http://router.test/callbacks", "http://router.test/callback/../admin", "http://router.test/callback/%2e%2e/admin",
			"https://router.test/callback", "http://router.test:81/callback", "http://evil@router.test/callback", "http://router.test.evil.test/callback",
			"http://localhost/callback", "//router.test/callback", "file:///callback", "http://router.test/callback#a", "http://router.test/callback//", ":",
		} {
			if response := b.callBack(ticks, url, nil); response.StatusCode != http.StatusBadRequest {
				t.Errorf("%s gets %d", url, response.StatusCode)
			}
		}
		for _, heartbeat := range []any{-1, 1, 999, "5000", 1.5} {
			want := http.StatusBadRequest
			if heartbeat == "5000" {
				want = http.StatusOK // it counts as absent
			}
			if response := b.callBack(ticks, callbackURL, heartbeat); response.StatusCode != want {
				t.Errorf("heartbeats of %v ms get %d", heartbeat, response.StatusCode)
			}
		}
		close(b.ticks)
		r.want(t, "check ", "complete ")
	})
	inBubble(t, transport.Options{}, func(b *bench) {
		if response := b.callBack(ticks, callbackURL, nil); response.StatusCode != http.StatusNotAcceptable {
			t.Errorf("without allowed URLs the response is %d", response.StatusCode)
		}
	})
}

func TestCallback_TellsWhyItEnds(t *testing.T) {
	expires := func(ctx context.Context, _ map[string]any) (context.Context, time.Time, error) {
		return ctx, time.Now().Add(time.Minute), nil
	}
	withRouter(t, transport.Options{Authenticate: expires}, func(b *bench, r *router) {
		b.callBack(ticks, callbackURL, 3_600_000)
		r.want(t, "check ")
		b.pass(time.Minute)
		r.want(t, `complete "errors":[{"message":"the token has expired","extensions":{"code":"UNAUTHENTICATED"}}]`)
		b.wantRunning(1, 1)
	})
	revoked := false
	recheck := func(ctx context.Context) error {
		if revoked {
			return &feed.Error{Code: feed.CodeUnauthenticated, Message: "the token was revoked"}
		}
		return context.Cause(ctx)
	}
	withRouter(t, transport.Options{Recheck: recheck}, func(b *bench, r *router) {
		b.callBack(ticks, callbackURL, nil)
		r.want(t, "check ")
		revoked = true
		b.ticks <- 1
		r.want(t, `complete "errors":[{"message":"the token was revoked","extensions":{"code":"UNAUTHENTICATED"}}]`)
	})
	withRouter(t, transport.Options{}, func(b *bench, r *router) {
		b.callBack(ticks, callbackURL, nil)
		r.want(t, "check ")
		noError(t, b.transport.Drain(context.Background()))
		r.want(t, `complete "errors":[{"message":"the server stops; subscribe again","extensions":{"code":"UNAVAILABLE"}}]`)
	})
}

// A router that does not answer holds up nothing but its own subscription, and that not for long.
func TestCallback_GivesUpOnSlowRouters(t *testing.T) {
	withRouter(t, transport.Options{}, func(b *bench, r *router) {
		b.callBack(ticks, callbackURL, nil)
		r.want(t, "check ")
		r.answers = make(chan struct{})
		b.ticks <- 1
		b.pass(11 * time.Second)
		close(r.answers)
		r.take()
		wantEqual(t, 0, b.transport.Open(), "open streams")
	})
}
