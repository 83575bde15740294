package transport_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/resolvers/transport"
)

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
