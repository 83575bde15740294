package tideline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	tideline "github.com/tideline-feeds/tideline/clients/go"
)

// request is what a server got.
type request struct {
	path, token, accept string
	actFor              string
	operation           string
	variables           string
}

// answering starts a server that answers every request alike, and returns its base URL and
// what it got.
func answering(t *testing.T, status int, mediaType, body string) (string, func() request) {
	t.Helper()
	got := make(chan request, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			OperationName string
			Variables     json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Errorf("the body is no JSON: %v", err)
		}
		actFor := r.Header.Get("Tideline-Act-For")
		if encoded := r.Header.Get("Tideline-Act-For-Encoded"); encoded != "" {
			actFor += "encoded " + encoded
		}
		got <- request{r.URL.Path, r.Header.Get("Authorization"), r.Header.Get("Accept"), actFor, in.OperationName, string(in.Variables)}
		w.Header().Set("Content-Type", mediaType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() request { return <-got }
}

const (
	mediaResponse = "application/graphql-response+json"
	accepted      = "application/graphql-response+json, application/json;q=0.9"
)

func TestClient_ActsForUser(t *testing.T) {
	base, got := answering(t, http.StatusOK, mediaResponse, `{"data":{"viewer":null}}`)
	client := tideline.New(base, tideline.WithToken("abc"), tideline.WithActFor("42"))
	if _, err := tideline.Me(t.Context(), client); err != nil {
		t.Error(err)
	}
	if r := got(); r.token != "Bearer abc" || r.actFor != "42" {
		t.Errorf("the request is %+v", r)
	}
	if _, err := tideline.Me(t.Context(), tideline.New(base, tideline.WithActFor(" é%"))); err != nil {
		t.Error(err)
	}
	if r := got(); r.actFor != "encoded %20%C3%A9%25" {
		t.Errorf("the request is %+v", r)
	}
}

// A source is asked each time, and one that fails keeps the request from being sent.
func TestClient_AsksTokenSourceBeforeEveryRequest(t *testing.T) {
	base, got := answering(t, http.StatusOK, mediaResponse, `{"data":{"viewer":null}}`)
	asked, signedOut := 0, errors.New("signed out")
	client := tideline.New(base, tideline.WithTokenSource(func(context.Context) (string, error) {
		if asked++; asked > 2 {
			return "", signedOut
		}
		return fmt.Sprint("token ", asked), nil
	}))
	for _, want := range []string{"Bearer token 1", "Bearer token 2"} {
		if _, err := tideline.Me(t.Context(), client); err != nil {
			t.Error(err)
		}
		if token := got().token; token != want {
			t.Errorf("the token is %q, want %q", token, want)
		}
	}
	if _, err := tideline.Me(t.Context(), client); !errors.Is(err, signedOut) || tideline.CodeOf(err) != "" {
		t.Errorf("the error of the source comes back as %v", err)
	}
}

// What an input leaves out does not change, which is not the same as null; so nothing may
// be sent for it.
func TestClient_OmitsNilInputFields(t *testing.T) {
	base, got := answering(t, http.StatusOK, mediaResponse, `{"data":{"updateProfile":{"user":null,"userErrors":[]}}}`)
	client, name := tideline.New(base), "Ann"
	if _, err := tideline.UpdateProfile(t.Context(), client, tideline.UpdateProfileInput{Name: &name}); err != nil {
		t.Error(err)
	}
	if variables := got().variables; variables != `{"input":{"name":"Ann"}}` {
		t.Errorf("the variables are %s", variables)
	}
	text := tideline.PublishPostInput{Text: "hi"}
	if _, err := tideline.PublishPost(t.Context(), client, text); err != nil {
		t.Error(err)
	}
	if variables := got().variables; variables != `{"input":{"text":"hi"}}` {
		t.Errorf("the variables are %s", variables)
	}
}

// Moments are times, ids of 64 bits are texts, what may be null is a pointer, and custom fields keep
// their digits.
func TestClient_ReadsPages(t *testing.T) {
	const body = `{"data":{"viewer":{"homeFeed":{"edges":[{"cursor":"c1","node":{
		"id":"x","databaseId":"9223372036854775807","kind":"POST","text":"hi","media":[],"customFields":{"n":1.50,"big":12345678901234567890},
		"publishedAt":"2026-05-04T12:30:00.250Z","editedAt":null,
		"author":{"id":"u","databaseId":"7","handle":"ann","name":"Ann","avatarUrl":null,"viewerFollows":true},
		"counters":{"likes":3,"comments":2,"reposts":1,"favorites":0},"viewerHasLiked":true,"viewerHasFavorited":false,
		"replyTo":null,"repostOf":{"id":"y"}}}],
		"pageInfo":{"hasNextPage":true,"hasPreviousPage":false,"startCursor":"c1","endCursor":"c1"}}}}}`
	base, _ := answering(t, http.StatusOK, mediaResponse, body)
	page, err := tideline.HomeFeed(t.Context(), tideline.New(base), 1, nil, []tideline.PostKind{tideline.PostKindPost}, nil)
	check(t, err)
	cursor, custom := "c1", json.RawMessage(`{"n":1.50,"big":12345678901234567890}`)
	want := tideline.ContentPage{
		Edges: []tideline.ContentEdge{{Cursor: cursor, Node: tideline.Content{
			Id: "x", DatabaseId: "9223372036854775807", Kind: tideline.PostKindPost, Text: "hi", Media: []string{}, CustomFields: &custom,
			PublishedAt:    time.Date(2026, 5, 4, 12, 30, 0, 250e6, time.UTC),
			Author:         tideline.Author{Id: "u", DatabaseId: "7", Handle: "ann", Name: "Ann", ViewerFollows: true},
			Counters:       tideline.ContentCountersPostCounters{Likes: 3, Comments: 2, Reposts: 1},
			ViewerHasLiked: true, RepostOf: &tideline.ContentRepostOfPost{Id: "y"},
		}}},
		PageInfo: tideline.Paging{HasNextPage: true, StartCursor: &cursor, EndCursor: &cursor},
	}
	same(t, "the page", page.Viewer.HomeFeed, want)
}

func TestClient_ReadsSlots(t *testing.T) {
	const page = `{"edges":[{"cursor":"c1","node":{"id":"x"}}],"pageInfo":{"hasNextPage":false,"endCursor":"c1"},
		"slots":[{"id":"s","after":"c1","source":"Advertisement","content":{"n":1.50}}]}`
	want := []tideline.Slot{{Id: "s", After: "c1", Source: "Advertisement", Content: json.RawMessage(`{"n":1.50}`)}}
	base, request := answering(t, http.StatusOK, mediaResponse, `{"data":{"viewer":{"homeFeed":`+page+`},"user":{"posts":`+page+`}}}`)
	client := tideline.NewClient(base)
	for name, read := range map[string]func(tideline.PageOption) (*tideline.SlottedPage, error){
		"home": func(at tideline.PageOption) (*tideline.SlottedPage, error) {
			return client.HomeFeedWithSlots(t.Context(), at)
		},
		"outbox": func(at tideline.PageOption) (*tideline.SlottedPage, error) {
			return client.PostsWithSlots(t.Context(), "ann", at)
		},
	} {
		got, err := read(tideline.First(1))
		check(t, err)
		request()
		same(t, name, got.Slots, want)
		for edge, err := range tideline.All(read) {
			check(t, err)
			same(t, "the entry", edge.Node.Id, "x")
		}
		request()
	}
}

func TestCode_ReadsErrors(t *testing.T) {
	const failed = `{"errors":[{"message":"no","extensions":{"code":"UNAVAILABLE"}}]}`
	for name, test := range map[string]struct {
		status     int
		body, code string
	}{
		"of an answer":           {http.StatusOK, failed, "UNAVAILABLE"},
		"of a request":           {http.StatusServiceUnavailable, failed, "UNAVAILABLE"},
		"no code":                {http.StatusOK, `{"errors":[{"message":"no"}]}`, ""},
		"something else's":       {http.StatusBadGateway, "<h1>Bad Gateway</h1>", ""},
		"no errors nor data":     {http.StatusInternalServerError, "{}", ""},
		"an answer that is cut":  {http.StatusOK, `{"data":`, ""},
		"a code that is no text": {http.StatusOK, `{"errors":[{"message":"no","extensions":{"code":7}}]}`, ""},
	} {
		base, _ := answering(t, test.status, mediaResponse, test.body)
		_, err := tideline.Me(t.Context(), tideline.New(base))
		if got := tideline.CodeOf(err); err == nil || got != test.code {
			t.Errorf("the code is %q, want %q, of %s: %v", got, test.code, name, err)
		}
	}
	if got := tideline.CodeOf(nil); got != "" {
		t.Errorf("success has the code %q", got)
	}
}

func TestClient_ReturnsRefusalWithDetails(t *testing.T) {
	if err := tideline.Refused(nil); err != nil {
		t.Errorf("what was not refused fails with %v", err)
	}
	err := tideline.Refused([]tideline.Refusal{
		{Code: tideline.UserErrorCodeTooLong, Message: "it is too long", Field: []string{"input", "text"}},
		{Code: tideline.UserErrorCodeConflict, Message: "it contradicts"},
	})
	if got, want := fmt.Sprint(err), "TOO_LONG: it is too long (input.text)\nCONFLICT: it contradicts"; got != want {
		t.Errorf("the error is %q, want %q", got, want)
	}
	if code := tideline.CodeOf(err); code != "TOO_LONG" {
		t.Errorf("its code is %q", code)
	}
}

const told = `{"data":{"homeFeedEdges":{"cursor":"c7","node":{"databaseId":"7","text":"hi"}}}}`

func TestSubscription_DeliversUntilComplete(t *testing.T) {
	body := ":\n\nevent: next\ndata: " + told + "\n\n: alive\n\nevent: next\r\ndata:" + strings.Replace(told, "c7", "c8", 1) + "\r\n\r\nevent: complete\ndata:\n\n"
	base, got := answering(t, http.StatusOK, "text/event-stream; charset=utf-8", body)
	s, err := tideline.Subscribe(t.Context(), base, tideline.WithToken("abc"), tideline.WithHTTPClient(&http.Client{Timeout: time.Nanosecond}))
	check(t, err)
	defer func() { _ = s.Close() }()
	want := request{"/graphql", "Bearer abc", "text/event-stream", "", "homeFeedEdges", ""}
	if diff := cmp.Diff(want, got(), cmp.AllowUnexported(request{})); diff != "" {
		t.Errorf("the request differs (-want +got):\n%s", diff)
	}
	for _, cursor := range []string{"c7", "c8"} {
		if edge, err := s.Next(); err != nil || edge.Cursor != cursor || edge.Node.DatabaseId != "7" {
			t.Errorf("the event of %s is %+v, %v", cursor, edge, err)
		}
	}
	if edge, err := s.Next(); !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("at the end comes %+v, %v", edge, err)
	}
}

func TestSubscription_ReportsEarlyEnd(t *testing.T) {
	for name, test := range map[string]struct {
		body, code string
		is         error
	}{
		"an error":             {"event: next\ndata: {\"errors\":[{\"message\":\"no\",\"extensions\":{\"code\":\"UNAVAILABLE\"}}]}\n\nevent: complete\n\n", "UNAVAILABLE", nil},
		"a line that is cut":   {"event: next\ndata: " + told, "", io.ErrUnexpectedEOF},
		"no events":            {"", "", io.ErrUnexpectedEOF},
		"no JSON":              {"event: next\ndata: {\n\n", "", nil},
		"nothing":              {"event: next\ndata: {}\n\n", "", nil},
		"a line without limit": {"data: " + strings.Repeat("x", 2<<20), "", nil},
	} {
		base, _ := answering(t, http.StatusOK, "text/event-stream", test.body)
		s, err := tideline.Subscribe(t.Context(), base)
		check(t, err)
		_, err = s.Next()
		if err == nil || tideline.CodeOf(err) != test.code || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s ends with %v", name, err)
		}
		_ = s.Close()
	}
}

func TestSubscription_ReportsRefusal(t *testing.T) {
	for name, test := range map[string]struct {
		status          int
		mediaType, body string
		code            string
	}{
		"by the server":       {http.StatusUnauthorized, mediaResponse, `{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}]}`, "UNAUTHENTICATED"},
		"by something else":   {http.StatusBadGateway, "text/html", "<h1>Bad Gateway</h1>", ""},
		"by another protocol": {http.StatusOK, "text/html", "<h1>Hello</h1>", ""},
	} {
		base, _ := answering(t, test.status, test.mediaType, test.body)
		if _, err := tideline.Subscribe(t.Context(), base); err == nil || tideline.CodeOf(err) != test.code {
			t.Errorf("refused %s it fails with %v", name, err)
		}
	}
	if _, err := tideline.Subscribe(t.Context(), "http://no host"); err == nil {
		t.Error("a URL that is none is subscribed to")
	}
}
