package tideline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	tideline "github.com/tideline-feeds/tideline/clients/go"
)

// answers starts a server with prepared responses and returns a client, and the variables of the
// requests. A response that begins with "event:" is a stream that then breaks.
func answers(t *testing.T, bodies ...string) (*tideline.Client, *[]string) {
	t.Helper()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Variables json.RawMessage }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Errorf("the body is no JSON: %v", err)
		}
		got = append(got, string(in.Variables))
		body := bodies[min(len(got), len(bodies))-1]
		w.Header().Set("Content-Type", mediaResponse)
		if strings.HasPrefix(body, "event:") {
			w.Header().Set("Content-Type", "text/event-stream")
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return tideline.NewClient(server.URL), &got
}

// impatient are options of a feed with small pages and short waits.
func impatient() []tideline.FeedOption {
	return []tideline.FeedOption{
		tideline.PageSize(2), tideline.Kinds(tideline.PostKindPost), tideline.RetryWait(time.Microsecond, time.Millisecond),
	}
}

func answersHome(t *testing.T, bodies ...string) (*tideline.Home, *[]string) {
	t.Helper()
	client, got := answers(t, bodies...)
	return client.Home(impatient()...), got
}

func homePage(after string, more bool, token string) string {
	return fmt.Sprintf(`{"data":{"viewer":{"homeFeed":{"edges":[],"pageInfo":{"hasNextPage":%t,"endCursor":%q},"syncToken":%s}}}}`, more, after, token)
}

func TestHome_ReadsAllPages(t *testing.T) {
	home, got := answersHome(t, homePage("c1", true, `"t1"`), homePage("c2", false, "null"))
	var tokens []*string
	for page, err := range home.Pages(t.Context()) {
		check(t, err)
		tokens = append(tokens, page.SyncToken)
	}
	if len(tokens) != 2 || tokens[0] == nil || *tokens[0] != "t1" || tokens[1] != nil {
		t.Errorf("the tokens are %v", tokens)
	}
	want := []string{`{"first":2,"kinds":["POST"]}`, `{"first":2,"after":"c1","kinds":["POST"]}`}
	same(t, "the requests", *got, want)
}

func TestHome_ReadsSpecialFollows(t *testing.T) {
	client, got := answers(t, homePage("c1", false, `"t1"`), changed("t2", `{"kind":"RESET","postId":null,"edge":null}`))
	home := client.Home(tideline.PageSize(2), tideline.SpecialFollows())
	for _, err := range home.Pages(t.Context()) {
		check(t, err)
	}
	for _, err := range home.Changes(t.Context(), "t1") {
		check(t, err)
	}
	same(t, "the requests", *got, []string{`{"first":2,"special":true}`, `{"since":"t1","special":true}`})
}

func changed(token, changes string) string {
	return `event: next` + "\n" + `data: {"data":{"homeChanges":{"changes":[` + changes + `],"syncToken":"` + token + `","hasMore":false}}}` + "\n\n"
}

const failed = `{"errors":[{"message":"no","extensions":{"code":"%s"}}]}`

func TestChanges_GoOnAfterTheLastToken(t *testing.T) {
	const removed = `{"kind":"REMOVED","postId":"p","edge":null}`
	home, got := answersHome(t,
		changed("t1", removed)+changed("t2", removed), fmt.Sprintf(failed, "UNAVAILABLE"), "event: complete\n\n", changed("t3", removed), fmt.Sprintf(failed, "FORBIDDEN"))
	var tokens []string
	var last error
	for page, err := range home.Changes(t.Context(), "t0") {
		if err != nil {
			last = err
			continue
		}
		tokens = append(tokens, page.SyncToken)
	}
	if !slices.Equal(tokens, []string{"t1", "t2", "t3"}) || tideline.CodeOf(last) != "FORBIDDEN" {
		t.Errorf("received %v, at the end %v", tokens, last)
	}
	var want []string
	for _, token := range []string{"t0", "t2", "t2", "t2", "t3"} {
		want = append(want, `{"since":"`+token+`","kinds":["POST"]}`)
	}
	same(t, "the requests", *got, want)
}

func TestChanges_EndAtReset(t *testing.T) {
	home, got := answersHome(t, changed("t1", `{"kind":"RESET","postId":null,"edge":null}`)+changed("t2", ""))
	n := 0
	for page, err := range home.Changes(t.Context(), "t0") {
		if err != nil || page.Changes[0].Kind != tideline.HomeChangeKindReset {
			t.Errorf("received %+v, %v", page, err)
		}
		n++
	}
	if n != 1 || len(*got) != 1 {
		t.Errorf("received %d pages in %d requests", n, len(*got))
	}
}

func TestChanges_EndWithContext(t *testing.T) {
	home, _ := answersHome(t, changed("t1", ""))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range home.Changes(ctx, "t0") {
		last = err
		cancel()
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("the error is %v", last)
	}
}

// entry returns the entry of post n, of a server where ids are text.
func entry(n int, text string) tideline.ContentEdge {
	return tideline.ContentEdge{
		SortKey: fmt.Sprintf("%03d", 999-n),
		Node:    tideline.Content{Id: fmt.Sprint("p", n), DatabaseId: fmt.Sprintf("auth0|%d", n), Text: text},
	}
}

func TestEntries_ApplyChangesDownToOldest(t *testing.T) {
	var entries tideline.Entries
	token, edge, gone := "t", entry(9, "below"), "p31"
	entries.Add(&tideline.ContentPage{
		Edges: []tideline.ContentEdge{entry(31, "a"), entry(21, "b")}, PageInfo: tideline.Paging{HasNextPage: true}, SyncToken: &token,
	})
	added, edited := entry(100, "new"), entry(21, "edited")
	entries.Apply(&tideline.ChangePage{Changes: []tideline.Change{
		{Kind: tideline.HomeChangeKindAdded, Edge: &edge},
		{Kind: tideline.HomeChangeKindAdded, Edge: &added},
		{Kind: tideline.HomeChangeKindChanged, Edge: &edited},
		{Kind: tideline.HomeChangeKindRemoved, PostId: &gone},
	}})
	var texts []string
	for _, e := range entries.List() {
		texts = append(texts, e.Node.Text)
	}
	if !slices.Equal(texts, []string{"new", "edited"}) {
		t.Errorf("the entries are %q", texts)
	}
	if entries.Apply(&tideline.ChangePage{Changes: []tideline.Change{{Kind: tideline.HomeChangeKindReset}}}) || len(entries.List()) > 0 {
		t.Error("entries are left after a reset")
	}
}

func answersLive(t *testing.T, bodies ...string) (*tideline.Live, *[]string) {
	t.Helper()
	client, got := answers(t, bodies...)
	return client.Live(impatient()...), got
}

func liveChanged(token, changes string) string {
	return `event: next` + "\n" + `data: {"data":{"liveChanges":{"changes":[` + changes + `],"syncToken":"` + token + `","hasMore":false}}}` + "\n\n"
}

func TestLiveChanges_GoOnUntilReset(t *testing.T) {
	const removed = `{"kind":"REMOVED","liveSessionId":"s","edge":null}`
	live, got := answersLive(t,
		liveChanged("t1", removed)+liveChanged("t2", removed), fmt.Sprintf(failed, "UNAVAILABLE"),
		liveChanged("t3", `{"kind":"RESET","liveSessionId":null,"edge":null}`)+liveChanged("t4", removed))
	var tokens []string
	for page, err := range live.Changes(t.Context(), "t0") {
		check(t, err)
		tokens = append(tokens, page.SyncToken)
	}
	if !slices.Equal(tokens, []string{"t1", "t2", "t3"}) {
		t.Errorf("received %v", tokens)
	}
	same(t, "the requests", *got, []string{`{"since":"t0"}`, `{"since":"t2"}`, `{"since":"t2"}`})
}

func session(n int, sortKey, title string) tideline.SessionEdge {
	return tideline.SessionEdge{SortKey: sortKey, Node: tideline.Session{Id: fmt.Sprint("s", n), Title: title}}
}

func TestLiveEntries_ApplyChangesInOrder(t *testing.T) {
	var entries tideline.LiveEntries
	token, gone := "t", "s4"
	entries.Add(&tideline.SessionPage{SyncToken: &token, Edges: []tideline.SessionEdge{
		session(1, "1-50", "live"), session(2, "2-100-3", "soon"), session(3, "2-200", "later"), session(4, "2-300", "canceled"),
	}})
	begun, ended, added := session(3, "1-40", "begun"), session(1, "3-30-2", "ended"), session(5, "2-100-1", "also soon")
	entries.Apply(&tideline.LiveChangePage{Changes: []tideline.LiveChange{
		{Kind: tideline.HomeChangeKindChanged, Edge: &begun},
		{Kind: tideline.HomeChangeKindChanged, Edge: &ended},
		{Kind: tideline.HomeChangeKindAdded, Edge: &added},
		{Kind: tideline.HomeChangeKindRemoved, LiveSessionId: &gone},
	}})
	// The next page shows the moment of the first one.
	entries.Add(&tideline.SessionPage{Edges: []tideline.SessionEdge{session(5, "2-900", "moved before"), session(6, "3-35", "replay"), session(7, "3-30-1", "larger id")}})
	var titles []string
	for _, e := range entries.List() {
		titles = append(titles, e.Node.Title)
	}
	if want := []string{"begun", "also soon", "soon", "larger id", "ended", "replay"}; !slices.Equal(titles, want) {
		t.Errorf("the sessions are %q, want %q", titles, want)
	}
	if entries.Apply(&tideline.LiveChangePage{Changes: []tideline.LiveChange{{Kind: tideline.HomeChangeKindReset}}}) || len(entries.List()) > 0 {
		t.Error("sessions are left after a reset")
	}
}
