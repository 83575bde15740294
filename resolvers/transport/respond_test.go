package transport_test

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/resolvers/transport"
)

var compressing = transport.Options{Compress: true}

// accepting returns a POST request for a large response that accepts codings.
func (b *bench) accepting(codings string) *http.Request {
	r := b.post(context.Background(), large, "application/json")
	r.Header.Set("Accept-Encoding", codings)
	return r
}

// get returns a GET request for a document; headers are names and values in turn.
func (b *bench) get(document string, headers ...string) *http.Request {
	b.t.Helper()
	address := "http://tideline.test/graphql?query=" + url.QueryEscape(document)
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
	noError(b.t, err)
	r.Header.Set("GraphQL-Preflight", "1")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func TestHTTP_CompressesWhatClientsAccept(t *testing.T) {
	inBubble(t, compressing, func(b *bench) {
		response := b.ask(b.accepting("gzip, br"))
		if got := response.Header.Get("Content-Encoding"); got != "gzip" || response.ContentLength <= 0 || response.ContentLength > largeBytes/10 {
			b.t.Errorf("the response has %d bytes of %q", response.ContentLength, got)
		}
		reader, err := gzip.NewReader(response.Body)
		noError(b.t, err)
		text, err := io.ReadAll(reader)
		if want := `{"data":{"large":"` + strings.Repeat("x", largeBytes) + `"}}`; err != nil || string(text) != want {
			b.t.Errorf("the response has %d bytes unpacked, %v", len(text), err)
		}
	})
}

func TestHTTP_SendsOtherResponsesAsTheyAre(t *testing.T) {
	for name, test := range map[string]struct {
		o       transport.Options
		codings string
		vary    bool
	}{
		"nothing accepted": {compressing, "identity", true},
		"gzip refused":     {compressing, "gzip;q=0", true},
		"turned off":       {transport.Options{}, "gzip", false},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, test.o, func(b *bench) {
				response := b.ask(b.accepting(test.codings))
				b.wantResponse(response, http.StatusOK, `{"data":{"large":"`+strings.Repeat("x", largeBytes)+`"}}`)
				vary := strings.Join(response.Header.Values("Vary"), ", ")
				if response.Header.Get("Content-Encoding") != "" || strings.Contains(vary, "Accept-Encoding") != test.vary {
					b.t.Errorf("the header is %v", response.Header)
				}
			})
		})
	}
}

// Each event must reach the client before the next one exists.
func TestSSE_StreamsAreNotCompressed(t *testing.T) {
	inBubble(t, compressing, func(b *bench) {
		r := b.post(context.Background(), `subscription { ticks }`, "text/event-stream")
		r.Header.Set("Accept-Encoding", "gzip, zstd")
		response := b.ask(r)
		b.ticks <- 1
		event := make([]byte, len("event: next\ndata: {\"data\":{\"ticks\":1}}\n\n"))
		if _, err := io.ReadFull(response.Body, event); err != nil || !strings.Contains(string(event), `"ticks":1`) {
			b.t.Errorf("the first event is %q, %v", event, err)
		}
		wantEqual(b.t, "", response.Header.Get("Content-Encoding"), "the content encoding of a stream")
		close(b.ticks)
	})
}

func TestUnsent_CountsCompressedBytes(t *testing.T) {
	inBubble(t, compressing, func(b *bench) {
		r := b.post(context.Background(), `{ noise }`, "application/json")
		r.Header.Set("Accept-Encoding", "gzip")
		response := b.ask(r)
		b.wantRunning(1, 0)
		waiting, length := b.transport.Unsent(), int(response.ContentLength)
		if length <= 0 || length > 3*largeBytes/4 || waiting < length || waiting > 2*length {
			b.t.Errorf("%d bytes are unsent of a body of %d", waiting, length)
		}
		if _, err := io.ReadAll(response.Body); err != nil {
			b.t.Error(err)
		}
		b.wantRunning(1, 1)
		wantEqual(b.t, 0, b.transport.Unsent(), "the unsent bytes when all are read")
	})
}

func TestHTTP_AnonymousReadsAreRevalidated(t *testing.T) {
	for _, coding := range []string{"identity", "gzip"} {
		inBubble(t, compressing, func(b *bench) {
			first := b.ask(b.get(large, "Accept-Encoding", coding))
			tag := first.Header.Get("ETag")
			if first.StatusCode != http.StatusOK || tag == "" || first.Header.Get("Cache-Control") != "public, no-cache" {
				b.t.Fatalf("%d, the header is %v", first.StatusCode, first.Header)
			}
			vary := strings.Join(first.Header.Values("Vary"), ", ")
			for _, name := range []string{"Accept", "Authorization", "Cookie", "Accept-Encoding"} {
				if !strings.Contains(vary, name) {
					b.t.Errorf("Vary lacks %s: %s", name, vary)
				}
			}
			if text, err := io.ReadAll(first.Body); err != nil || len(text) == 0 {
				b.t.Errorf("the body has %d bytes, %v", len(text), err)
			}
			b.wantResponse(b.ask(b.get(large, "If-None-Match", tag)), http.StatusNotModified, "")
			other := b.ask(b.get(`{ name }`, "If-None-Match", tag))
			b.wantResponse(other, http.StatusOK, `{"data":{"name":"tideline"}}`)
		})
	}
}

func TestHTTP_CachesKeepNothingOfViewers(t *testing.T) {
	inBubble(t, compressing, func(b *bench) {
		for name, r := range map[string]*http.Request{
			"with a token":   b.get(`{ name }`, "Authorization", "Bearer x"),
			"with a cookie":  b.get(`{ name }`, "Cookie", "session=x"),
			"by POST":        b.post(context.Background(), `{ name }`, "application/json"),
			"with an error":  b.get(`{ panics }`),
			"not understood": b.get(`{ nothing }`),
		} {
			response := b.ask(r)
			wantEqual(b.t, []string{"no-store", ""}, []string{response.Header.Get("Cache-Control"), response.Header.Get("ETag")}, "%s: the headers for caches", name)
		}
	})
}
