package transport

import (
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Middleware that buffers responses must skip all streams.
func TestStreams_IncludesEveryStream(t *testing.T) {
	choice := rapid.StringMatching(`( ?(text/event-stream|TEXT/Event-Stream|application/json|\*/\*|text/html)( ?; ?(q=(0|1|0\.[1-9])|charset=utf-8))?){0,1}`)
	rapid.Check(t, func(t *rapid.T) {
		var accept []string
		for range rapid.IntRange(0, 3).Draw(t, "headers") {
			accept = append(accept, strings.Join(rapid.SliceOfN(choice, 0, 3).Draw(t, "choices"), ","))
		}
		mediaType, _, ok := negotiate(accept)
		if ok && mediaType == mediaEvents && !Streams(&http.Request{Header: http.Header{"Accept": accept}}) {
			t.Errorf("%q selects a stream", accept)
		}
	})
}

func TestStreams_ExcludesOtherRequests(t *testing.T) {
	for what, c := range map[string]struct {
		header http.Header
		want   bool
	}{
		"nothing said":     {http.Header{}, false},
		"anything":         {http.Header{"Accept": {"*/*"}}, false},
		"a response":       {http.Header{"Accept": {"application/graphql-response+json, application/json;q=0.9"}}, false},
		"a stream":         {http.Header{"Accept": {"text/event-stream"}}, true},
		"a stream at last": {http.Header{"Accept": {"application/json", "a/b, Text/Event-Stream;q=0.1"}}, true},
		"parts":            {http.Header{"Accept": {"multipart/mixed;subscriptionSpec=1.0"}}, true},
		"a socket":         {http.Header{"Upgrade": {"websocket"}}, true},
	} {
		if got := Streams(&http.Request{Header: c.header}); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}
