package page_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

var size = world.Size{Seed: 7, Users: 1000, Follows: 20, Posts: 3, Live: true}

const viewer = 5

// response is a page of the server that a test can modify.
type response struct {
	edges []map[string]any
	more  bool
}

// right returns the correct n-th page of the viewer's home feed.
func right(n int) *response {
	feed := size.Home(viewer, n*page.Size)
	a := &response{more: n*page.Size < feed.Length}
	for _, p := range feed.Posts[(n-1)*page.Size:] {
		a.edges = append(a.edges, map[string]any{"cursor": fmt.Sprint("after ", p.ID), "node": map[string]any{
			"databaseId": strconv.FormatInt(p.ID, 10), "text": p.Text,
			"publishedAt": time.UnixMilli(p.TS).UTC().Format(time.RFC3339Nano),
			"author":      map[string]any{"databaseId": strconv.FormatInt(p.Author, 10), "handle": world.Handle(p.Author)},
			"counters":    map[string]any{"likes": world.Likes(p)},
		}})
	}
	return a
}

func (a *response) node(i int) map[string]any { return a.edges[i]["node"].(map[string]any) }

func (a *response) body(t *testing.T) []byte {
	t.Helper()
	var end any
	if len(a.edges) > 0 {
		end = a.edges[len(a.edges)-1]["cursor"]
	}
	feed := map[string]any{"edges": a.edges, "pageInfo": map[string]any{"hasNextPage": a.more, "endCursor": end}}
	out, err := json.Marshal(map[string]any{"data": map[string]any{"viewer": map[string]any{"homeFeed": feed}}})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// judge verifies a body as the first page of the viewer's home feed.
func judge(t *testing.T, body []byte) error {
	t.Helper()
	requests, err := page.HomePages(t.Context(), page.Server{Addr: "unused:1", Secret: "secret"}, size, []int64{viewer}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return requests.All()[0].Check(body)
}

// Verification finds every kind of error in a page.
func TestVerify_RefusesWrongPages(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*response)
		want  string
	}{
		"a post is missing":         {func(a *response) { a.edges = append(a.edges[:3], a.edges[4:]...) }, "place 4"},
		"the page is short":         {func(a *response) { a.edges = a.edges[:19] }, "ends after 19 of 20"},
		"the page is too long":      {func(a *response) { a.edges = append(a.edges, right(2).edges[0]) }, "21 posts, want 20"},
		"the page is empty":         {func(a *response) { a.edges = nil }, "ends after 0 of 20"},
		"two posts have changed":    {func(a *response) { a.edges[7], a.edges[8] = a.edges[8], a.edges[7] }, "place 8"},
		"a post appears twice":      {func(a *response) { a.edges[9] = a.edges[8] }, "shown twice"},
		"a post by another author":  {func(a *response) { a.node(2)["author"] = map[string]any{"databaseId": "999999"} }, "does not follow"},
		"a post under another name": {func(a *response) { a.node(2)["author"].(map[string]any)["handle"] = "user1" }, `is by "user1"`},
		"another text":              {func(a *response) { a.node(2)["text"] = "edited" }, `has the text "edited"`},
		"another time":              {func(a *response) { a.node(2)["publishedAt"] = "2026-01-01T00:00:00Z" }, "was published at"},
		"other counters":            {func(a *response) { a.node(2)["counters"] = map[string]any{"likes": 17} }, "17 likes"},
		"hasNextPage is wrong":      {func(a *response) { a.more = !a.more }, "hasNextPage"},
	} {
		t.Run(name, func(t *testing.T) {
			a := right(1)
			test.spoil(a)
			if err := judge(t, a.body(t)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want one with %q", err, test.want)
			}
		})
	}
}

// The remaining budget differs in every response and does not affect recognition. Any other
// difference does, also at the same place.
func TestVerify_IgnoresRemainingBudget(t *testing.T) {
	const body = `{"data":{"remaining":7},"extensions":{"cost":{"limit":9,"remaining":12,"requested":3}}}`
	check := page.Same([]byte("request"), []byte(body)).All()[0].Check
	if err := check([]byte(body)); err != nil {
		t.Fatal(err)
	}
	if err := check([]byte(strings.Replace(body, "12", "4321", 1))); err != nil {
		t.Errorf("a page with another remaining budget fails: %v", err)
	}
	for _, other := range []string{
		strings.Replace(body, "7", "8", 1), strings.Replace(body, `"requested":3`, `"requested":4`, 1),
		strings.Replace(body, "12", `12"`, 1), body[:len(body)-1],
	} {
		if check([]byte(other)) == nil {
			t.Errorf("%s passes as %s", other, body)
		}
	}
}

// A live feed has its sessions in order, each with its state.
func TestVerify_ChecksLivePages(t *testing.T) {
	names := []string{"LIVE", "UPCOMING", "REPLAY"}
	live := func(spoil func([]map[string]any)) []byte {
		var edges []map[string]any
		for _, s := range size.LiveFeed(viewer, page.Size) {
			node := map[string]any{"databaseId": strconv.FormatInt(s.ID, 10)}
			edges = append(edges, map[string]any{"state": names[s.State], "node": node})
		}
		spoil(edges)
		out, err := json.Marshal(map[string]any{"data": map[string]any{"viewer": map[string]any{"liveFeed": map[string]any{"edges": edges}}}})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	requests, err := page.LivePages(page.Server{Secret: "secret"}, size, []int64{viewer})
	if err != nil {
		t.Fatal(err)
	}
	check := requests.All()[0].Check
	if err := check(live(func([]map[string]any) {})); err != nil {
		t.Error(err)
	}
	if check(live(func(e []map[string]any) { e[0], e[1] = e[1], e[0] })) == nil {
		t.Error("two sessions in each other's place are not noticed")
	}
	if check(live(func(e []map[string]any) { e[0]["state"] = "CANCELLED" })) == nil {
		t.Error("another state is not noticed")
	}
}
