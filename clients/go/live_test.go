package tideline_test

import (
	"fmt"
	"slices"
	"testing"

	tideline "github.com/tideline-feeds/tideline/clients/go"
)

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
