package transport

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// Actions of callback messages.
const (
	actionCheck    = "check"
	actionNext     = "next"
	actionComplete = "complete"
)

const (
	// callbackName names the parameters in the extensions of a request.
	callbackName = "subscription"
	// callbackTextMax limits URL, id and verifier, in bytes. A callback keeps them.
	callbackTextMax = 1 << 10
	// shortestHeartbeat protects the receiver and this server from a flood of heartbeats.
	shortestHeartbeat = time.Second
	// unaskedHeartbeat finds receivers that are gone although they ask for no heartbeats.
	unaskedHeartbeat = time.Minute
	// longestHeartbeat keeps durations within their range.
	longestHeartbeat = time.Hour
)

// Why a callback ends, besides the end of its identity.
var (
	errReceiverGone = errors.New("the receiver accepts no more messages")
	errStopping     = apierror.New(feed.CodeUnavailable, "the server stops; subscribe again")
)

// callback is a subscription whose events are sent to a URL, by version 1.0 of Apollo's HTTP callback
// protocol. It counts as a stream and ends with its token. It also ends when the receiver does not
// accept a message, and is not told then.
type callback struct {
	multiplex
	callbackRequest
	ctx context.Context
	end context.CancelCauseFunc
	// mu guards these: the next heartbeat, and whether the receiver knows of the end.
	alive *time.Timer
	told  bool
}

// callbackRequest is where the messages are sent, and what they begin with.
type callbackRequest struct {
	url          *url.URL
	id, verifier string
	every        time.Duration // between heartbeats
}

// callbackOf returns the callback that a request asks for; nil if it asks for none, or none are
// allowed. Its error is for the client.
func (t *Transport) callbackOf(params *graphql.RawParams) (*callbackRequest, error) {
	given, asked := params.Extensions[callbackName].(callbackExtension)
	if !asked || len(t.o.CallbackURLs) == 0 {
		return nil, nil
	}
	c := &callbackRequest{id: given.ID, verifier: given.Verifier, every: unaskedHeartbeat}
	var allowed bool
	if c.url, allowed = t.o.CallbackURLs.find(given.URL); !allowed {
		return nil, errors.New("the callbackUrl is not one that the server allows")
	}
	if !isCallbackText(given.URL) || !isCallbackText(c.id) || !isCallbackText(c.verifier) {
		return nil, fmt.Errorf("callbackUrl, subscriptionId and verifier must have 1 to %d bytes", callbackTextMax)
	}
	if given.Heartbeat == "" {
		return c, nil
	}
	millis, err := given.Heartbeat.Int64()
	every := time.Duration(min(millis, longestHeartbeat.Milliseconds())) * time.Millisecond
	switch {
	case err != nil || every != 0 && every < shortestHeartbeat:
		return nil, fmt.Errorf("heartbeatIntervalMs must be 0 or at least %d", shortestHeartbeat.Milliseconds())
	case every > 0:
		c.every = every * 2 / 3 // so that a slow heartbeat is not late
	}
	return c, nil
}

func isCallbackText(text string) bool { return text != "" && len(text) <= callbackTextMax }

// callBack begins a subscription whose events go to another URL. It counts for its identity, since
// the address is that of the router.
func (a exchange) callBack(ctx context.Context, oc *graphql.OperationContext, to *callbackRequest) {
	base, end := context.WithCancelCause(context.WithoutCancel(a.r.Context()))
	leave, full := a.t.enterAs("callback:"+a.t.o.Owner(ctx), func() { end(errMadeRoom) })
	if full != nil {
		end(nil)
		a.refuse(ctx, full.status, full.code, full.message)
		return
	}
	signedIn, _, err := a.t.signIn(base)
	if err != nil {
		end(nil)
		leave()
		a.write(signInStatus(err), failedResponse(ctx, a.exec, err))
		return
	}
	c := &callback{
		multiplex:       newMultiplex(a),
		callbackRequest: *to, ctx: signedIn, end: end,
	}
	c.channel, c.cutOff, c.evict = c, func() { end(errReceiverGone) }, func() { end(errMadeRoom) }
	if err := c.post(signedIn, actionCheck); err != nil { //nolint:contextcheck // the viewer's context outlives the request
		end(nil)
		leave()
		a.refuse(ctx, http.StatusBadRequest, feed.CodeBadInput, "the callbackUrl does not confirm the subscription: "+err.Error())
		return
	}
	c.run(oc, leave) //nolint:contextcheck // it outlives the request
	a.write(http.StatusOK, &graphql.Response{Data: json.RawMessage("null")})
}

// run executes the operation, and calls ended after it.
func (c *callback) run(oc *graphql.OperationContext, ended func()) {
	c.mu.Lock()
	o := c.add(c.ctx, c.id)
	c.alive = time.AfterFunc(c.every, c.check)
	c.mu.Unlock()
	undrain := context.AfterFunc(c.t.draining, func() { c.end(errStopping) })
	uncut := context.AfterFunc(c.t.cut, func() { c.end(errReceiverGone) })
	context.AfterFunc(o.ctx, func() {
		undrain()
		uncut()
		c.stop()
		c.end(nil)
		c.done.Wait()
		ended()
	})
	c.execute(o, oc)
}

// stop tells the receiver of the end, unless it knows.
func (c *callback) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.operations)
	c.alive.Stop()
	if !c.told {
		c.complete(c.id)
	}
}

// check sends a heartbeat and schedules the next.
func (c *callback) check() {
	if c.ctx.Err() != nil {
		return
	}
	if c.post(c.ctx, actionCheck) != nil {
		c.end(errReceiverGone)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() == nil {
		c.alive.Reset(c.every)
	}
}

func (c *callback) next(_ string, response []byte) error {
	err := c.post(c.ctx, actionNext, []byte(`,"payload":`), response)
	c.told = err != nil
	return err
}

func (c *callback) failed(_ string, response *graphql.Response) {
	c.told = true
	_ = c.post(context.WithoutCancel(c.ctx), actionComplete, appendValue([]byte(`,"errors":`), response.Errors)) // it cannot be repeated
}

// complete says why the subscription ends, unless it does by itself.
func (c *callback) complete(id string) {
	c.told = true
	switch why := cmp.Or(context.Cause(c.ctx), c.t.o.Recheck(c.ctx)); {
	case why == nil:
		_ = c.post(c.ctx, actionComplete) // as above
	case errors.Is(why, errReceiverGone):
	case errors.Is(why, context.DeadlineExceeded):
		c.failed(id, errorResponse(c.ctx, c.exec, feed.CodeUnauthenticated, "the token has expired"))
	default:
		c.failed(id, failedResponse(c.ctx, c.exec, why))
	}
}

// post sends a message. The receiver must answer a check with 204, and others with any success.
func (c *callback) post(ctx context.Context, action string, more ...[]byte) error {
	ctx, cancel := context.WithTimeout(ctx, c.t.o.WriteWithin)
	defer cancel()
	defer context.AfterFunc(c.t.cut, cancel)() //nolint:contextcheck // it is the server that ends
	begin := `{"kind":"subscription","action":"` + action + `","id":` + quoted(c.id) + `,"verifier":` + quoted(c.verifier)
	body := slices.Concat(append([][]byte{[]byte(begin)}, append(more, []byte("}"))...)...)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url.String(), bytes.NewReader(body))
	if err != nil {
		return errUnreachable
	}
	r.Header.Set("Content-Type", mediaJSON)
	r.Header.Set("Subscription-Protocol", "callback/1.0")
	response, err := c.t.callbacks.Do(r)
	if err != nil {
		return errUnreachable // the reason is none of the client's business
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, requestMax)) // so that the connection is used again
	if action == actionCheck && response.StatusCode != http.StatusNoContent || response.StatusCode/100 != 2 {
		return fmt.Errorf("its status is %d", response.StatusCode)
	}
	return nil
}

var errUnreachable = errors.New("it cannot be reached")

// newCallbackClient returns a client that follows no redirects, which could lead to hosts that are
// not allowed, and uses no proxy. o may replace its connections.
func newCallbackClient(o Options) *http.Client {
	connections := o.CallbackTransport
	if connections == nil {
		connections = &http.Transport{ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 32, IdleConnTimeout: time.Minute}
	}
	return &http.Client{
		Transport:     connections,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
