package tideline_test

import (
	"encoding/base64"
	"encoding/binary"
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

// session returns the entry of session n in a state (1 live, 2 upcoming, 3 replay) at a time.
func session(n uint64, state byte, at uint64, title string) tideline.SessionEdge {
	cursor := append([]byte{1, 101, state}, make([]byte, 4*8)...)
	cursor = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(cursor, at), n)
	return tideline.SessionEdge{
		Cursor: base64.RawURLEncoding.EncodeToString(cursor), Node: tideline.Session{Id: fmt.Sprint("s", n), Title: title},
	}
}

func TestLiveEntries_ApplyChangesInOrder(t *testing.T) {
	var entries tideline.LiveEntries
	token, gone := "t", "s4"
	entries.Add(&tideline.SessionPage{SyncToken: &token, Edges: []tideline.SessionEdge{
		session(1, 1, 50, "live"), session(2, 2, 100, "soon"), session(3, 2, 200, "later"), session(4, 2, 300, "canceled"),
	}})
	begun, ended, added := session(3, 1, 60, "begun"), session(1, 3, 70, "ended"), session(5, 2, 100, "also soon")
	entries.Apply(&tideline.LiveChangePage{Changes: []tideline.LiveChange{
		{Kind: tideline.HomeChangeKindChanged, Edge: &begun},
		{Kind: tideline.HomeChangeKindChanged, Edge: &ended},
		{Kind: tideline.HomeChangeKindAdded, Edge: &added},
		{Kind: tideline.HomeChangeKindRemoved, LiveSessionId: &gone},
	}})
	// The next page shows the moment of the first one.
	entries.Add(&tideline.SessionPage{Edges: []tideline.SessionEdge{session(5, 2, 900, "moved before"), session(6, 3, 65, "replay"), session(7, 3, 70, "larger id")}})
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
