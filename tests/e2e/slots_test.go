package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// startWithSlots starts a server with thirty posts of user 1, and a source of slots.
func startWithSlots(t *testing.T, source string, env ...string) *server {
	t.Helper()
	s := startWithUpstreams(t, append([]string{"TIDELINE_SLOTS_FROM=" + source, "TIDELINE_UPSTREAM_PROTOCOL=json", "TIDELINE_LOG_LEVEL=debug"}, env...)...)
	lines := []string{`{"type":"user","id":"1","version":1,"handle":"ann","name":"Ann","createdAt":"2026-01-02T00:00:00Z"}`}
	for id := range 30 {
		lines = append(lines, fmt.Sprintf(`{"type":"post","id":"%d","version":1,"author":"1","kind":"POST","text":"post %[1]d","publishedAt":"2026-01-02T00:00:%02[1]dZ"}`, id+1))
	}
	wantIngested(t, s.ingests(t, lines...), `"badCount":0`)
	eventually.True(t, "the inbox is built", func() bool { // cursors say how their page was read
		s.ask(t, fmt.Sprintf(slottedPage, ""), actFor(1)...)
		return s.CountLines("source=inbox") > 0
	})
	return s
}

// slotted is a response with slots.
type slotted struct {
	Data struct {
		Viewer struct {
			HomeFeed struct {
				Edges []struct{ Cursor string }
				Slots []struct {
					ID, After, Source string
					Content           struct{ Title, URL string }
				}
			}
		}
	}
	Extensions struct {
		Upstream struct{ Missing []struct{ Reason string } }
	}
}

const slottedPage = `{ viewer { homeFeed(first: 20) { edges { cursor node { databaseId text author { name } } } pageInfo { hasNextPage endCursor }%s } } }`

// slotted returns the data of a response without the slots at its end, and the response.
func (s *server) slotted(t *testing.T) (data string, got slotted) {
	t.Helper()
	answer := s.ask(t, fmt.Sprintf(slottedPage, " slots { id after source content }"), actFor(1)...)
	answer.decode(t, &got)
	var raw struct{ Data json.RawMessage }
	answer.decode(t, &raw)
	before, _, found := strings.Cut(string(raw.Data), `,"slots":[`)
	if !found {
		t.Fatal(answer.body)
	}
	return before + `}}}`, got
}

func TestSlots_ExampleSource(t *testing.T) {
	t.Parallel()
	p := testenv.Program(t, []string{"node", filepath.Join(testenv.Checkout(t), "deploy", "beside", "slots.mjs"), "127.0.0.1:0"}, nil)
	s := startWithSlots(t, p.WaitLine(`serving on (http://\S+)`)[1],
		"TIDELINE_SLOTS_GAP=7", "TIDELINE_UPSTREAM_BUDGET=5s", "TIDELINE_SLOTS_TIMEOUT=5s") // the machine may be slow
	_, got := s.slotted(t)
	feed := got.Data.Viewer.HomeFeed
	if len(feed.Slots) != 2 || len(got.Extensions.Upstream.Missing) > 0 {
		t.Fatalf("%+v", got)
	}
	for i, slot := range feed.Slots {
		if slot.After != feed.Edges[7*(i+1)-1].Cursor || slot.Source != "Advertisement" || slot.Content.Title == "" || !strings.HasPrefix(slot.Content.URL, "https://") {
			t.Errorf("slot %d is %+v", i, slot)
		}
	}
	if calls := s.scrape(t); !strings.Contains(calls, `tideline_upstream_call_seconds_count{outcome="ok",service="slots"} 1`) ||
		!strings.Contains(calls, `tideline_upstream_open{service="slots"} 0`) {
		t.Error("the metrics have no call for slots")
	}
}

// TestSlots_BadSourcesCostNoPage reads pages while the source hangs, lies, repeats, answers late and fails.
func TestSlots_BadSourcesCostNoPage(t *testing.T) {
	t.Parallel()
	const slot = `{"id": "%s", "after": %d, "source": "Topic", "content": "{\"title\": \"x\"}"}`
	const quick, patient = "10ms", "5s"
	// silent returns once the server has given up.
	silent := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}
	saying := func(slots ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"slots": [%s]}`, strings.Join(slots, ","))
		}
	}
	good := fmt.Sprintf(slot, "good", 5)
	for name, c := range map[string]struct {
		source  http.HandlerFunc
		timeout string
		ids     string
		reason  string
	}{
		"hangs": {silent, quick, "", "TIMEOUT"},
		"answers late": {func(w http.ResponseWriter, r *http.Request) {
			silent(w, r)
			saying(good)(w, r)
		}, quick, "", "TIMEOUT"},
		"fails":              {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, patient, "", "UNAVAILABLE"},
		"is a page of HTML":  {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, patient, "", "UNAVAILABLE"},
		"never ends":         {saying(strings.Repeat(good+",", 100_000) + good), patient, "", "UNAVAILABLE"},
		"repeats":            {saying(good, good, fmt.Sprintf(slot, "good", 10)), patient, "good", "INVALID"},
		"crowds":             {saying(good, fmt.Sprintf(slot, "b", 6), fmt.Sprintf(slot, "c", 9)), patient, "good", "INVALID"},
		"lies about places":  {saying(good, fmt.Sprintf(slot, "b", -1), fmt.Sprintf(slot, "c", 20), fmt.Sprintf(slot, "d", 2_000_000)), patient, "good", "INVALID"},
		"lies about content": {saying(good, `{"id": "b", "after": 10, "source": "Topic", "content": "<script>"}`, `7`), patient, "good", "INVALID"},
		"has nothing":        {saying(), patient, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := httptest.NewServer(c.source)
			t.Cleanup(source.Close)
			t.Cleanup(source.CloseClientConnections)
			s := startWithSlots(t, source.URL, "TIDELINE_UPSTREAM_BUDGET=5s", "TIDELINE_SLOTS_TIMEOUT="+c.timeout)
			var plain struct{ Data json.RawMessage }
			s.ask(t, fmt.Sprintf(slottedPage, ""), actFor(1)...).decode(t, &plain)
			for range 5 { // more than open the circuit
				data, got := s.slotted(t)
				if data != string(plain.Data) {
					t.Fatalf("the page is\n%s\nand without slots\n%s", data, plain.Data)
				}
				var ids []string
				for _, slot := range got.Data.Viewer.HomeFeed.Slots {
					ids = append(ids, slot.ID)
				}
				reason := ""
				if missing := got.Extensions.Upstream.Missing; len(missing) > 0 {
					reason = missing[0].Reason
				}
				open := c.reason == "TIMEOUT" && reason == "UNAVAILABLE"
				if strings.Join(ids, ",") != c.ids || reason != c.reason && !open {
					t.Fatalf("the slots are %q, and the reason is %q", ids, reason)
				}
			}
		})
	}
}
