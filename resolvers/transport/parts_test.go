package transport_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/resolvers/transport"
)

const deferring = "multipart/mixed;deferSpec=20220824,application/graphql-response+json"

// inParts has one part, and each tick is a further one; the end of the ticks is the last.
func (b *bench) inParts() graphql.ResponseHandler {
	first := true
	return func(ctx context.Context) *graphql.Response {
		if !transport.InParts(ctx) {
			return &graphql.Response{Data: json.RawMessage(`{"whole":true}`)}
		}
		if first {
			first = false
			transport.AfterWrite(ctx, func() { b.end(nil) })
			return &graphql.Response{Data: json.RawMessage(`{"a":1}`), HasNext: new(true)}
		}
		select {
		case n, more := <-b.ticks:
			data, _ := json.Marshal([]any{map[string]any{"data": n, "path": []any{}}})
			return &graphql.Response{Data: data, HasNext: &more}
		case <-ctx.Done():
			return nil
		}
	}
}

func TestParts_AreWrittenAsTheyAreMade(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		response := b.ask(b.post(context.Background(), "{ parts }", deferring))
		if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || got != `multipart/mixed;boundary="graphql";deferSpec=20220824` {
			b.t.Fatalf("no parts: %d %s", response.StatusCode, got)
		}
		s := stream{b.t, bufio.NewReader(response.Body)}
		s.want(boundary + part + `{"data":{"a":1},"hasNext":true}` + boundary)
		b.wantRunning(0, 0) // the operation keeps its slot
		b.ticks <- 7
		s.want(part + `{"incremental":[{"data":7,"path":[]}],"hasNext":true}` + boundary)
		close(b.ticks)
		s.want(part + `{"incremental":[{"data":0,"path":[]}],"hasNext":false}` + boundary + "--\r\n")
		s.wantEnd()
		b.wantRunning(0, 1)
	})
}

func TestParts_EndAtTheTimeLimit(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		response := b.ask(b.post(context.Background(), "{ parts }", deferring))
		s := stream{b.t, bufio.NewReader(response.Body)}
		s.want(boundary + part + `{"data":{"a":1},"hasNext":true}` + boundary)
		b.pass(11 * time.Second)
		s.want(part + `{"incremental":[{"data":null,"path":[],"errors":[{"message":"the request took too long","extensions":{"code":"TIMEOUT"}}]}],"hasNext":false}` + boundary + "--\r\n")
		s.wantEnd()
	})
}

func TestParts_OnlyForClientsThatReadThem(t *testing.T) {
	for accept, want := range map[string]string{
		"multipart/mixed;deferSpec=20220824":                                    "multipart/mixed",
		"application/graphql-response+json, text/event-stream, multipart/mixed": "multipart/mixed",
		"application/json, multipart/mixed;q=0.9":                               "application/json; charset=utf-8",
		"multipart/mixed;incrementalSpec=v0.2, application/json":                "application/json; charset=utf-8",
		"multipart/mixed;deferSpec=20991231, application/json":                  "application/json; charset=utf-8",
		"multipart/mixed;subscriptionSpec=2.0, application/json":                "application/json; charset=utf-8",
		"*/*": "application/json; charset=utf-8",
	} {
		inBubble(t, transport.Options{}, func(b *bench) {
			close(b.ticks)
			response := b.ask(b.post(context.Background(), "{ parts }", accept))
			if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || !strings.HasPrefix(got, want) {
				t.Errorf("%s gets %d %s, want %s", accept, response.StatusCode, got, want)
			}
		})
	}
}

const (
	multipart = `multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json`
	boundary  = "\r\n--graphql"
	part      = "\r\nContent-Type: application/json\r\n\r\n"
)

func TestMultipart_StreamsSubscriptions(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		response := b.ask(b.post(context.Background(), "subscription { ticks }", multipart))
		if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || got != `multipart/mixed;boundary="graphql";subscriptionSpec="1.0"` {
			b.t.Fatalf("no parts: %d %s", response.StatusCode, got)
		}
		s := stream{b.t, bufio.NewReader(response.Body)}
		s.want(boundary)
		b.ticks <- 7
		s.want(part + `{"payload":{"data":{"ticks":7}}}` + boundary)
		close(b.ticks)
		s.want("--\r\n")
		s.wantEnd()
	})
}

func TestMultipart_OnlyForSubscriptions(t *testing.T) {
	for name, c := range map[string]struct {
		query, accept string
		status        int
	}{
		"a query":                     {"{ name }", multipart, http.StatusNotAcceptable},
		"a query, for another spec":   {"{ name }", "multipart/mixed;deferSpec=20220824,application/json", http.StatusOK},
		"a faulty document":           {"{", multipart, http.StatusOK},
		"a subscription without spec": {"subscription { ticks }", "multipart/mixed,application/json", http.StatusNotAcceptable},
	} {
		inBubble(t, transport.Options{}, func(b *bench) {
			response := b.ask(b.post(context.Background(), c.query, c.accept))
			if got := response.Header.Get("Content-Type"); response.StatusCode != c.status || got != "application/json; charset=utf-8" {
				t.Errorf("%s gets %d %s, want %d", name, response.StatusCode, got, c.status)
			}
		})
	}
}
