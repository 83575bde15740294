package records_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/internal/records"
)

// stored returns the sessions with the ids 1 to n.
func stored(t *testing.T, store *memstore.Store, n int) []*live.Session {
	t.Helper()
	ids := make([]live.ID, n)
	for i := range ids {
		ids[i] = live.ID(i + 1)
	}
	sessions, err := memstore.NewLive(store).Sessions(t.Context(), ids)
	check(t, err)
	return sessions
}

func liveRecord(id, rest string) string {
	return `{"type":"live","id":"` + id + `","host":"7","title":"tea",` + rest + `}`
}

const (
	long    = `"scheduledAt":"2010-11-12T12:05:02.000Z"`
	started = long + `,"startedAt":"2010-11-12T12:05:02.000Z"`
	ended   = started + `,"endedAt":"2010-11-12T12:06:02.000Z","replayUrl":"https://x.example/r"`
)

func TestLive_SessionsChangeStateNow(t *testing.T) {
	store := memstore.New(time.Now)
	sum, refused := play(t, store, user(7),
		liveRecord("1", `"scheduledAt":"2027-01-16T08:00:00.000Z"`), // a day after today
		liveRecord("2", started), liveRecord("3", ended), liveRecord("4", long+`,"cancelledAt":"2010-11-12T12:05:03.000Z"`))
	if want := (records.Summary{Lines: 5, Stored: 5}); sum != want || refused != nil {
		t.Errorf("the summary is %+v, want %+v; refused were %q", sum, want, refused)
	}
	want := []*live.Session{
		{ID: 1, Host: 7, Title: "tea", State: live.Upcoming, ScheduledAt: today + 24*time.Hour.Milliseconds(), Number: 1},
		{ID: 2, Host: 7, Title: "tea", State: live.Live, ScheduledAt: today, StartedAt: today, Number: 3},
		{ID: 3, Host: 7, Title: "tea", State: live.Replay, ScheduledAt: today, StartedAt: today, EndedAt: today, ReplayURL: "https://x.example/r", Number: 6},
		{ID: 4, Host: 7, Title: "tea", State: live.Cancelled, ScheduledAt: today, CancelledAt: today, Number: 8},
	}
	same(t, "the sessions", stored(t, store, 4), want)
	due, err := store.Due(t.Context(), feed.Waits{}.DueBy(today), 10, func(int) int64 { return today + 1 })
	if err != nil || len(due.Events) != 1 || due.Events[0].Ref != feed.ReplayRef(3) {
		t.Errorf("due are %+v, %v; want the replay of session 3", due, err)
	}
}

func TestLive_ContinuesInterruptedSession(t *testing.T) {
	store := memstore.New(time.Now)
	play(t, store, user(7))
	for _, step := range []struct {
		rest  string
		known int
		state live.State
	}{
		{long, 0, live.Upcoming},
		{long, 1, live.Upcoming},
		{started, 0, live.Live},
		{long, 1, live.Live},
		{ended, 0, live.Replay},
		{ended, 1, live.Replay},
		{started, 1, live.Replay},
	} {
		sum, refused := play(t, store, liveRecord("1", step.rest))
		if got := stored(t, store, 1)[0].State; sum.Known != step.known || refused != nil || got != step.state {
			t.Errorf("%s leaves the state %d with the summary %+v; refused were %q", step.rest, got, sum, refused)
		}
	}
}

func TestLive_RefusesInvalidSession(t *testing.T) {
	store := memstore.New(time.Now)
	play(t, store, user(7), user(8), liveRecord("1", long))
	for name, line := range map[string]string{
		"1: the session id is taken":                                                              `{"type":"live","id":"1","host":"8","title":"tea",` + long + `}`,
		"1: there is no such user":                                                                `{"type":"live","id":"2","host":"9","title":"tea",` + long + `}`,
		`1: the field "title": a title must contain a visible character`:                          `{"type":"live","id":"2","host":"7","title":" ",` + long + `}`,
		`1: the field "scheduledAt": a session must be scheduled for a time within the next year`: liveRecord("2", `"scheduledAt":"2099-01-01T00:00:00.000Z"`),
		`1: "r.mp4" is not an absolute https URL`:                                                 liveRecord("2", started+`,"endedAt":"2010-11-12T12:06:02.000Z","replayUrl":"r.mp4"`),
	} {
		if _, refused := play(t, store, line); !cmp.Equal(refused, []string{name}) {
			t.Errorf("%s\ngot %q, want %q", line, refused, name)
		}
	}
}
