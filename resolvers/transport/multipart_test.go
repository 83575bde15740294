package transport_test

import (
	"bufio"
	"context"
	"net/http"
	"testing"

	"github.com/tideline-feeds/tideline/resolvers/transport"
)

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
