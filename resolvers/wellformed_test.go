package resolvers_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

const mediaResponse = "application/graphql-response+json"

// The server must not run an altered request.
func TestRequest_RejectsTextThatDecodingAlters(t *testing.T) {
	w := newWorld(t)
	const publish = `"query":"mutation($t: String!) { publishPost(input: {text: $t}) { post { text } } }"`
	bodies := map[string]string{
		"half a pair in a variable":           `{` + publish + `,"variables":{"t":"a\ud83c"}}`,
		"invalid UTF-8 in a variable":         `{` + publish + `,"variables":{"t":"` + "\xff" + `"}}`,
		"half a pair as a variable's name":    `{` + publish + `,"variables":{"t":"x","\ud83c":1}}`,
		"half a pair in an extension":         `{"query":"{__typename}","extensions":{"a":"\ud83c"}}`,
		"half a pair in the operation's name": `{"query":"{__typename}","operationName":"\ud83c"}`,
		"half a pair in a document's id":      `{"documentId":"\ud83c"}`,
		"half a pair in the query":            `{"query":"{__typename} # \ud83c"}`,
		"half a pair in a literal":            `{"query":"mutation { publishPost(input: {text: \"a\\ud83c\"}) { post { text } } }"}`,
	}
	for name, body := range bodies {
		for accept, status := range map[string]int{mediaResponse: http.StatusBadRequest, "text/event-stream": 0} {
			rec := w.sendBody(1, body, "Accept", accept)
			if status != 0 && rec.Code != status {
				t.Errorf("%s as %s: status %d", name, accept, rec.Code)
			}
			wantRefusal(t, name, rec)
		}
	}
	wantEqual(t, []any{}, any(w.postedTexts()), "what the refused requests published")
}

// wantRefusal checks that a response is an error of the request and shows no altered text.
func wantRefusal(t *testing.T, name string, rec *httptest.ResponseRecorder) {
	t.Helper()
	text := rec.Body.String()
	if !strings.Contains(text, `"errors"`) || strings.Contains(text, `"data"`) || strings.Contains(text, "\ufffd") {
		t.Errorf("%s: the response is %d %s", name, rec.Code, text)
	}
}

func TestRequest_RejectsMalformedParameters(t *testing.T) {
	w := newWorld(t)
	for name, query := range map[string]string{
		"invalid UTF-8 in the query":       `query=%7B__typename%7D%20%23%FF`,
		"invalid UTF-8 in a document's id": `documentId=%FF`,
		"invalid UTF-8 in a variable":      `query=query($h:String!)%7Buser(handle:$h)%7Bid%7D%7D&variables=%7B%22h%22:%22%FF%22%7D`,
		"half a pair in a variable":        `query=query($h:String!)%7Buser(handle:$h)%7Bid%7D%7D&variables=` + url.QueryEscape(`{"h":"\ud83c"}`),
		"half a pair in a literal":         `query=` + url.QueryEscape(`{ user(handle: "\ud83c") { id } }`),
		"a parameter that is cut off":      `query=%7B__typename%7D&variables=%7`,
	} {
		r := httptest.NewRequest(http.MethodGet, "/graphql?"+query, nil)
		r.Header.Set("Accept", mediaResponse)
		rec := w.send(r)
		wantEqual(t, http.StatusBadRequest, rec.Code, "the status of %s", name)
		wantRefusal(t, name, rec)
	}
}

func TestRequest_KeepsWholeSurrogatePairs(t *testing.T) {
	w := newWorld(t)
	for _, body := range []string{
		`{"query":"mutation($t: String!) { publishPost(input: {text: $t}) { post { text } } }","variables":{"t":"\ud83c\udf0a"}}`,
		`{"query":"mutation { publishPost(input: {text: \"\\ud83c\\udf0a\"}) { post { text } } }"}`,
		`{"query":"mutation { publishPost(input: {text: \"\\u{1F30A}\"}) { post { text } } }"}`,
	} {
		wantEqual(t, "🌊", decoded(t, w.sendBody(1, body)).at(t, "publishPost.post.text"), "what %s publishes", body)
	}
}
