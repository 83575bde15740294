package transport_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/internal/edge/transport"
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

// What is decoded stays in memory as long as the operation.
func TestExtensions_KeepsOnlyKnownMembers(t *testing.T) {
	const junk = `[{},{},[]]`
	const given = `{"x":` + junk + `,"operationId":"a","persistedQuery":{"version":1,"sha256Hash":"abc","x":` + junk + `},` +
		`"subscription":{"callbackUrl":"u","subscriptionId":"i","verifier":"v","heartbeatIntervalMs":0,"x":` + junk + `}}`
	const body = `{"query":"{ name }","documentId":"d","x":` + junk + `,"extensions":` + given + `}`
	inBubble(t, transport.Options{}, func(b *bench) {
		var mu sync.Mutex
		var got []map[string]any
		b.params = func(p *graphql.RawParams) {
			mu.Lock()
			defer mu.Unlock()
			if size, _ := p.Extensions[transport.RequestBytes].(int); size < len(given) {
				t.Errorf("the size of the request is %d", size)
			}
			delete(p.Extensions, transport.RequestBytes)
			delete(p.Extensions, transport.KeptBytes)
			got = append(got, p.Extensions)
			if len(p.Headers) > 0 {
				t.Errorf("the operation keeps the header %v", p.Headers)
			}
		}
		b.ask(b.postBody(context.Background(), body, "application/json"))
		query := url.Values{"query": {"{ name }"}, "documentId": {"d"}, "extensions": {given}}
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://tideline.test/graphql?"+query.Encode(), nil)
		noError(t, err)
		b.ask(r)
		c := b.reserve("")
		c.open(context.Background())
		c.send(context.Background(), http.MethodPost, "", body)
		s := b.connected()
		s.send(`{"type":"subscribe","id":"1","payload":` + body + `}`)
		s.want(`{"type":"next","id":"1","payload":{"data":{"name":"tideline"}}}`)
		wantEqual(t, 4, len(got), "the number of operations")
		for _, extensions := range got {
			text, err := json.Marshal(extensions["subscription"])
			noError(t, err)
			delete(extensions, "subscription")
			wantEqual(t, `{"callbackUrl":"u","subscriptionId":"i","verifier":"v","heartbeatIntervalMs":0}`, string(text), "the callback")
			wantEqual(t, map[string]any{
				"documentId": "d", "operationId": "a",
				"persistedQuery": map[string]any{"version": json.Number("1"), "sha256Hash": "abc"},
			}, extensions, "the extensions")
		}
	})
}

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
