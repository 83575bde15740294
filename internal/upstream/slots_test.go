package upstream_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"

	tidelinev1 "github.com/tideline-feeds/tideline/api/tideline/v1"
	"github.com/tideline-feeds/tideline/api/tideline/v1/tidelinev1connect"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/slots"
	"github.com/tideline-feeds/tideline/internal/upstream"
)

// placer is a placer of slots, and what its trace says.
type placer struct {
	*upstream.SlotPlacer
	mu     sync.Mutex
	now    time.Time
	counts []upstream.Counts
	opened []bool
	calls  int
}

func newPlacer(client *upstream.Client, url string, timeout time.Duration) *placer {
	p := &placer{now: time.Unix(1, 0)}
	locked := func(change func()) {
		p.mu.Lock()
		defer p.mu.Unlock()
		change()
	}
	p.SlotPlacer = client.Slots(url, upstream.CallOptions{
		Name: "slots", Timeout: timeout, CallsMax: callsMax,
		Clock: func() (now time.Time) {
			locked(func() { now = p.now })
			return now
		},
		Trace: upstream.Trace{
			Called:  func(string, int, time.Duration, error) { locked(func() { p.calls++ }) },
			Fetched: func(_ string, n upstream.Counts) { locked(func() { p.counts = append(p.counts, n) }) },
			Turned:  func(_ string, open bool, _ error) { locked(func() { p.opened = append(p.opened, open) }) },
		},
	})
	return p
}

// pageOf returns a page of posts 1 to n, the second of which is withheld.
func pageOf(n int) slots.Page {
	page := slots.Page{Viewer: "7", Feed: "home", Gap: 2}
	for id := 1; id <= n; id++ {
		page.Entries = append(page.Entries, slots.Entry{ID: feed.ExternalID(fmt.Sprint(id)), Author: "9", Kind: feed.KindPost})
	}
	page.Entries[1] = slots.Entry{Kind: feed.KindRepost}
	return page
}

type placing struct{ request *tidelinev1.PlaceRequest }

func (p *placing) Place(_ context.Context, r *connect.Request[tidelinev1.PlaceRequest]) (*connect.Response[tidelinev1.PlaceResponse], error) {
	if p.request = r.Msg; r.Header().Get("Authorization") != "Bearer secret" {
		return nil, connect.NewError(connect.CodeUnauthenticated, errors.New("no token"))
	}
	return connect.NewResponse(&tidelinev1.PlaceResponse{Slots: []*tidelinev1.Slot{
		{Id: "b", After: 5, Source: "Topic", Content: `{}`}, {Id: "a", After: 2, Source: "Advertisement", Content: `{ "title": "A <b>" }`},
	}}), nil
}

func TestSlots_EveryProtocol(t *testing.T) {
	want := feed.Fetched[[]slots.Slot]{Value: []slots.Slot{
		{ID: "a", After: 2, Source: "Advertisement", Content: `{"title":"A <b>"}`}, {ID: "b", After: 5, Source: "Topic", Content: `{}`},
	}}
	for _, protocol := range []upstream.Protocol{upstream.Connect, upstream.JSON, upstream.GRPC, upstream.GRPCWeb} {
		t.Run(string(protocol), func(t *testing.T) {
			service := &placing{}
			_, handler := tidelinev1connect.NewSlotServiceHandler(service)
			p := newPlacer(upstream.NewClient(protocol, "Bearer secret"), serve(t, handler), time.Hour)
			same(t, "the slots", p.Place(t.Context(), pageOf(6)), want)
			entries := service.request.GetEntries()
			same(t, "the request", []any{
				service.request.GetViewerId(), service.request.GetFeed(), service.request.GetGap(), len(entries),
				entries[0].GetId(), entries[0].GetAuthorId(), entries[0].GetKind(), entries[1].GetId(), entries[1].GetAuthorId(), entries[1].GetKind(),
			}, []any{"7", "home", int32(2), 6, "1", "9", "POST", "", "", "REPOST"})
			same(t, "the trace", p.counts, []upstream.Counts{{Read: 1}})
		})
	}
}

// saying returns a source of slots with a response in JSON.
func saying(t *testing.T, body string) *placer {
	t.Helper()
	return newPlacer(upstream.NewClient(upstream.JSON, ""), serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { write(w, body) })), time.Hour)
}

// idsOn returns the ids of the slots on a page of six, and the problem.
func idsOn(t *testing.T, p *placer) (ids []string, problem feed.UpstreamProblem) {
	t.Helper()
	f := p.Place(t.Context(), pageOf(6))
	for _, s := range f.Value {
		ids = append(ids, s.ID)
	}
	return ids, f.Problem
}

func TestSlots_JudgesEachSlotAlone(t *testing.T) {
	const slot = `{"id": %q, "after": %d, "source": "Topic", "content": "{\"title\": \"x\"}"}`
	first, last := fmt.Sprintf(slot, "first", 2), fmt.Sprintf(slot, "last", 5)
	withContent := func(content string) string {
		text, err := json.Marshal(content)
		check(t, err)
		return `{"id": "x", "after": 4, "source": "Topic", "content": ` + string(text) + `}`
	}
	const x4 = `{"after": 4, "content": "{}", "id": "x", `
	for name, bad := range map[string]string{
		"null":                 `null`,
		"a number":             `7`,
		"no id":                `{"after": 4, "source": "Topic", "content": "{}"}`,
		"a long id":            fmt.Sprintf(slot, strings.Repeat("x", 129), 4),
		"an id of two lines":   `{"id": "a\nb", "after": 4, "source": "Topic", "content": "{}"}`,
		"the same id":          fmt.Sprintf(slot, "first", 4),
		"no place":             `{"id": "x", "source": "Topic", "content": "{}"}`,
		"before all":           fmt.Sprintf(slot, "x", -1),
		"within the gap":       fmt.Sprintf(slot, "x", 1),
		"after all":            fmt.Sprintf(slot, "x", 6),
		"far away":             fmt.Sprintf(slot, "x", 2147483647),
		"too close":            fmt.Sprintf(slot, "x", 3),
		"the same place":       fmt.Sprintf(slot, "x", 2),
		"a place as a text":    `{"id": "x", "after": "here", "source": "Topic", "content": "{}"}`,
		"no source":            x4 + `"source": ""}`,
		"a blank source":       x4 + `"source": " \u200b "}`,
		"a source of lines":    x4 + `"source": "Ad\nfree"}`,
		"a source backwards":   x4 + `"source": "Ad \u202efree"}`,
		"a long source":        x4 + `"source": "` + strings.Repeat("x", 201) + `"}`,
		"no content":           withContent(""),
		"content that is null": withContent("null"),
		"content in a list":    withContent("[{}]"),
		"content as an object": `{"id": "x", "after": 4, "source": "Topic", "content": {"title": "x"}}`,
		"two contents":         withContent("{}{}"),
		"content cut off":      withContent(`{"title": "x`),
		"too much content":     withContent(`{"x":"` + strings.Repeat("x", 4<<10) + `"}`),
	} {
		t.Run(name, func(t *testing.T) {
			for _, order := range []string{"%[1]s, %[2]s, %[3]s", "%[1]s, %[3]s, %[2]s"} {
				got, problem := idsOn(t, saying(t, fmt.Sprintf(`{"slots": [`+order+`]}`, first, bad, last)))
				same(t, "the slots", got, []string{"first", "last"})
				same(t, "the problem", problem, feed.UpstreamInvalid)
			}
		})
	}
	largest := `{"x":"` + strings.Repeat("x", 4<<10-8) + `"}`
	got, problem := idsOn(t, saying(t, `{"slots": [`+withContent("  "+largest)+`]}`))
	same(t, "the slots with the largest content", got, []string{"x"})
	same(t, "its problem", problem, feed.UpstreamProblem(""))
}

// A page shows ten slots, of the first twenty that the source names. The response is bounded too.
func TestSlots_Bounds(t *testing.T) {
	list := func(n int, after func(i int) int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"id": "%d", "after": %d, "source": "Topic", "content": "{}"}`, i, after(i)))
		}
		return `{"slots": [` + strings.Join(all, ",") + `]}`
	}
	for name, c := range map[string]struct {
		body  string
		slots int
		want  feed.UpstreamProblem
	}{
		"ten":             {list(10, func(i int) int { return 2 * (i + 1) }), 10, ""},
		"eleven":          {list(11, func(i int) int { return 2 * (i + 1) }), 10, feed.UpstreamInvalid},
		"good ones late":  {list(25, func(i int) int { return (i - 19) * 2 }), 0, feed.UpstreamInvalid},
		"two thousand":    {list(2000, func(int) int { return 2 }), 1, feed.UpstreamInvalid},
		"nothing":         {`{}`, 0, ""},
		"an empty list":   {`{"slots": []}`, 0, ""},
		"another list":    {`{"posts": [{"id": "1"}]}`, 0, ""},
		"no list":         {`{"slots": "none"}`, 0, feed.UpstreamUnavailable},
		"no JSON":         {`<html>`, 0, feed.UpstreamUnavailable},
		"a long response": {`{"slots": [` + strings.Repeat(" ", 300<<10) + `]}`, 0, feed.UpstreamUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			f := saying(t, c.body).Place(t.Context(), pageOf(100))
			same(t, "the slots and the problem", []any{len(f.Value), f.Problem}, []any{c.slots, c.want})
		})
	}
}

// A hanging source costs a page the timeout, and after three calls in a row nothing. Late answers are lost.
func TestSlots_HangingSource(t *testing.T) {
	done := make(chan struct{})
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		<-done
		write(w, `{"slots": [{"id": "late", "after": 2, "source": "Topic", "content": "{}"}]}`)
	}))
	t.Cleanup(func() { close(done) })
	p := newPlacer(upstream.NewClient(upstream.JSON, ""), url, 10*time.Millisecond)
	for n := range 10 {
		want := []any{0, feed.UpstreamTimeout, n + 1}
		if n >= 3 {
			want = []any{0, feed.UpstreamUnavailable, 3}
		}
		f := p.Place(t.Context(), pageOf(6))
		same(t, "the slots, the problem and the calls", []any{len(f.Value), f.Problem, p.calls}, want)
	}
	same(t, "turns and the trace", []any{p.opened, p.counts[9]}, []any{[]bool{true}, upstream.Counts{Missing: 1}})

	// A viewer who leaves says nothing about the source.
	p = newPlacer(upstream.NewClient(upstream.JSON, ""), url, time.Hour)
	for range 5 {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		same(t, "the problem", p.Place(ctx, pageOf(6)).Problem, feed.UpstreamTimeout)
		cancel()
	}
	same(t, "calls and turns", []int{p.calls, len(p.opened)}, []int{0, 0})
}

// A failing source gets one call a second, until one succeeds.
func TestSlots_FailingSource(t *testing.T) {
	fails := true
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if fails {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		write(w, `{"slots": [{"id": "x", "after": 2, "source": "Topic", "content": "{}"}]}`)
	}))
	p := newPlacer(upstream.NewClient(upstream.JSON, ""), url, time.Hour)
	place := func(slots, calls int) {
		t.Helper()
		f := p.Place(t.Context(), pageOf(6))
		same(t, "the slots and the calls", []int{len(f.Value), p.calls}, []int{slots, calls})
	}
	for n := range 3 {
		place(0, n+1)
	}
	place(0, 3)
	p.now = p.now.Add(time.Second)
	place(0, 4)
	fails = false
	place(0, 4)
	p.now = p.now.Add(time.Second)
	place(1, 5)
	place(1, 6)
	same(t, "turns", p.opened, []bool{true, false})
}
