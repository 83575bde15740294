package bench_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/bench/loadgen/page"
)

// idleSeconds is the duration of an idle measurement.
const idleSeconds = 4

// idle measures a second of an API process and a worker without requests, once they have returned
// the memory of the requests before.
func (w *writes) idle(ctx context.Context) (map[string]float64, error) {
	<-time.After(idleBefore)
	return w.tideline.each(ctx, func() (float64, error) {
		select {
		case <-time.After(idleSeconds * time.Second):
			return idleSeconds, nil
		case <-ctx.Done():
			return idleSeconds, ctx.Err()
		}
	})
}

// idleBefore is the time after which a process is idle: it returns unused memory five seconds after
// the last requests.
const idleBefore = 8 * time.Second

// memoryOfIdle measures the resident memory of a new API process in megabytes.
func (w *writes) memoryOfIdle(context.Context) (map[string]float64, error) {
	v := w.tidelineAt(w.place, "TIDELINE_ROLE=api")
	defer v.stop()
	<-time.After(idleBefore)
	return map[string]float64{"": residentMegabytes(w.b, v.process.Pid())}, nil
}

// stop ends a server's process and its connection to Redis.
func (v *server) stop() {
	v.process.Kill()
	_ = v.redis.Close()
}

// The number of subscribers of one process, and of clients that subscribe concurrently.
const (
	subscribers = 10_000
	subscribing = 16
)

// memoryOfSubscribers measures the resident memory of an API process in megabytes with a subscriber
// on each of many WebSockets.
func (w *writes) memoryOfSubscribers(ctx context.Context) (map[string]float64, error) {
	v := w.tidelineAt(w.place, "TIDELINE_ROLE=api")
	defer v.stop()
	viewers := w.size.Crowd().Users()[:subscribers]
	sockets := make([]*websocket.Conn, len(viewers))
	err := together(subscribing, func(n int) error {
		for i := n; i < len(viewers); i += subscribing {
			var err error
			if sockets[i], err = subscribe(ctx, v.Addr, page.Token(secret, viewers[i], time.Now().Add(time.Hour))); err != nil {
				return err
			}
		}
		return nil
	})
	for _, socket := range sockets {
		if socket != nil {
			defer func() { _ = socket.CloseNow() }()
		}
	}
	if err != nil {
		return nil, err
	}
	if err := pollUntil(ctx, donePoll, patience, func() (bool, error) { return v.hasSubscribers(ctx, len(viewers)) }); err != nil {
		return nil, err
	}
	<-time.After(idleBefore)
	return map[string]float64{"": residentMegabytes(w.b, v.process.Pid())}, nil
}

// subscribe opens a WebSocket and subscribes to the home feed.
func subscribe(ctx context.Context, addr, token string) (*websocket.Conn, error) {
	conn, response, err := websocket.Dial(ctx, "ws://"+addr+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return nil, err
	}
	if response.Body != nil {
		_ = response.Body.Close()
	}
	if err := conn.Write(ctx, websocket.MessageText, []byte(`{"type":"connection_init","payload":{"Authorization":"Bearer `+token+`"}}`)); err != nil {
		return conn, err
	}
	_, text, err := conn.Read(ctx)
	if err == nil && !strings.Contains(string(text), "connection_ack") {
		err = fmt.Errorf("the response to the sign-in is %.300s", text)
	}
	if err != nil {
		return conn, err
	}
	return conn, conn.Write(ctx, websocket.MessageText,
		[]byte(`{"type":"subscribe","id":"1","payload":{"query":"subscription { homeFeedEdges { cursor node { databaseId } } }"}}`))
}

var subscribersLine = regexp.MustCompile(`(?m)^tideline_subscribers (\d+)$`)

// hasSubscribers returns whether the server has n subscribers by its metrics.
func (v *server) hasSubscribers(ctx context.Context, n int) (bool, error) {
	text, err := v.metrics(ctx)
	m := subscribersLine.FindStringSubmatch(text)
	return m != nil && m[1] == fmt.Sprint(n), err
}

// metrics returns the server's metrics.
func (v *server) metrics(ctx context.Context) (string, error) {
	wire := fmt.Appendf(nil, "GET /metrics HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", v.Addr, adminToken)
	body, err := page.Fetch(ctx, v.Addr, wire)
	return string(body), err
}

// readsElsewhere returns the lines of metrics that count reads from other sources than inboxes.
func readsElsewhere(metrics string) (lines string) {
	for line := range strings.Lines(metrics) {
		if strings.HasPrefix(line, "tideline_feed_reads_total{") && !strings.Contains(line, byInbox) {
			lines += line
		}
	}
	return lines
}
