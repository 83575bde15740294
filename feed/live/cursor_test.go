package live_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"

	"github.com/tideline-feeds/tideline/feed/live"
)

func drawnCursor(t *rapid.T) live.Cursor {
	any64 := rapid.Int64Range(0, 1<<63-1)
	return live.Cursor{
		List:     rapid.SampledFrom([]live.List{live.ListFeed, live.ListHost}).Draw(t, "list"),
		Moment:   live.Moment{Number: any64.Draw(t, "number"), At: rapid.Int64Range(0, feed.MaxTime).Draw(t, "moment")},
		Version:  any64.Draw(t, "version"),
		Snapshot: rapid.Uint64().Draw(t, "snapshot"),
		At: live.Position{
			State: rapid.SampledFrom([]live.State{live.Live, live.Upcoming, live.Replay}).Draw(t, "state"),
			At:    rapid.Int64Range(0, feed.MaxTime).Draw(t, "time"),
			ID:    live.ID(rapid.Int64Range(1, 1<<63-1).Draw(t, "id")),
		},
	}
}

func TestCursor_RoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawnCursor(t)
		got, err := live.ParseCursor(want.String(), want.List)
		if err != nil || got != want {
			t.Fatalf("%+v is read as %+v, %v", want, got, err)
		}
	})
}

func TestSortKey_HasFeedOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawnCursor(t), drawnCursor(t)
		if rapid.Bool().Draw(t, "equal times") {
			b.At.State, b.At.At = a.At.State, a.At.At
		}
		x, y := live.SortKey(a.String()), live.SortKey(b.String())
		if got, want := strings.Compare(x, y), a.At.Compare(b.At); got != want || len(x) != len(y) {
			t.Fatalf("%+v and %+v have the keys %s and %s", a.At, b.At, x, y)
		}
	})
	for _, other := range []string{"", feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 1, ID: 1}}.String()} {
		if key := live.SortKey(other); key != "" {
			t.Errorf("the key of %q is %q", other, key)
		}
	}
}

func TestParseCursor_RejectsBadCursors(t *testing.T) {
	good := live.Cursor{List: live.ListFeed, Moment: live.Moment{Number: 1, At: noon}, Version: 1, Snapshot: 1, At: live.Position{live.Live, noon, 7}}
	with := func(do func(*live.Cursor)) string {
		c := good
		do(&c)
		return c.String()
	}
	raw, _ := base64.RawURLEncoding.DecodeString(good.String())
	otherVersion := append([]byte{9}, raw[1:]...)
	for name, text := range map[string]string{
		"no cursor":              "what is this",
		"padded":                 good.String() + "=",
		"with a line break":      good.String() + "\n",
		"cut short":              good.String()[:40],
		"too long":               base64.RawURLEncoding.EncodeToString(append(raw, 0)),
		"of another version":     base64.RawURLEncoding.EncodeToString(otherVersion),
		"of another list":        with(func(c *live.Cursor) { c.List = live.ListHost }),
		"of a home feed":         feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 1, ID: 1}}.String(),
		"without an id":          with(func(c *live.Cursor) { c.At.ID = 0 }),
		"with an id below zero":  with(func(c *live.Cursor) { c.At.ID = -1 }),
		"in no state":            with(func(c *live.Cursor) { c.At.State = 0 }),
		"of what was cancelled":  with(func(c *live.Cursor) { c.At.State = live.Cancelled }),
		"before the epoch":       with(func(c *live.Cursor) { c.At.At = -1 }),
		"after the end of time":  with(func(c *live.Cursor) { c.Moment.At = feed.MaxTime + 1 }),
		"as of less than none":   with(func(c *live.Cursor) { c.Moment.Number = -1 }),
		"of a version below 0":   with(func(c *live.Cursor) { c.Version = -1 }),
		"of two bytes":           base64.RawURLEncoding.EncodeToString(raw[:2]),
		"of one byte, of course": base64.RawURLEncoding.EncodeToString(raw[:1]),
	} {
		if c, err := live.ParseCursor(text, live.ListFeed); feed.CodeOf(err) != feed.CodeBadCursor {
			t.Errorf("%s: read as %+v, %v", name, c, err)
		}
	}
	if _, err := feed.ParseCursor(good.String(), feed.FeedHome); feed.CodeOf(err) != feed.CodeBadCursor {
		t.Errorf("a home feed takes a live feed's cursor: %v", err)
	}
}

func FuzzCursor(f *testing.F) {
	f.Add(live.Cursor{List: live.ListFeed, Moment: live.Moment{Number: 1, At: noon}, Version: 1, Snapshot: 1, At: live.Position{live.Live, noon, 7}}.String())
	f.Add("")
	f.Add("AQEB")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := live.ParseCursor(text, live.ListFeed)
		switch {
		case err == nil && c.String() != text:
			t.Errorf("%q is read as %+v, which is written %q", text, c, c)
		case err != nil && feed.CodeOf(err) != feed.CodeBadCursor:
			t.Errorf("%q: %v", text, err)
		}
	})
}

// sorted are positions in feed order after the zero position: each rule of it, and ids that are not
// in order when read as text.
func sorted() []live.Position {
	return []live.Position{
		{},
		{live.Live, noon + 2, 9},
		{live.Live, noon, 100},
		{live.Live, noon, 9},
		{live.Upcoming, noon - 5, 1},
		{live.Upcoming, noon, 100},
		{live.Upcoming, noon, 9},
		{live.Upcoming, noon + 2, 2000},
		{live.Replay, noon + 3, 9},
		{live.Replay, noon, 100},
		{live.Replay, noon, 9},
	}
}

func TestPosition_OrdersByState(t *testing.T) {
	want := sorted()
	for i, a := range want {
		for j, b := range want {
			got := a.Compare(b)
			if (i < j) != (got < 0) || (i == j) != (got == 0) {
				t.Errorf("%+v compared with %+v is %d", a, b, got)
			}
		}
	}
}

// Of equal scores the larger id comes first, in both states: one descending read of a set
// whose members are ids gives the order of feeds.
func TestPosition_ScoreIsFeedOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) live.Position {
			state := rapid.SampledFrom([]live.State{live.Live, live.Upcoming}).Draw(t, name)
			return live.Position{state, rapid.Int64Range(1, 4).Draw(t, name), live.ID(rapid.Int64Range(1, 3).Draw(t, name))}
		}
		a, b := draw("a"), draw("b")
		if live.AtScore(a.Score(), a.ID) != a {
			t.Fatalf("%+v has score %d, which is of %+v", a, a.Score(), live.AtScore(a.Score(), a.ID))
		}
		byScore := slices.Compare([]int64{b.Score(), int64(b.ID)}, []int64{a.Score(), int64(a.ID)})
		if byScore != a.Compare(b) {
			t.Fatalf("%+v compared with %+v is %d, by score %d", a, b, a.Compare(b), byScore)
		}
	})
}

const noon int64 = 1_700_000_000_000

// sessionIn is a session in a state.
func sessionIn(s live.State) live.Session {
	session := live.Session{ID: 7, Host: 9, Title: "title", State: s, ScheduledAt: noon, Number: 3}
	switch s {
	case live.Live:
		session.StartedAt = noon + 1
	case live.Replay:
		session.StartedAt, session.EndedAt, session.ReplayURL = noon+1, noon+2, "https://tideline.example/r"
	case live.Cancelled:
		session.CancelledAt = noon + 3
	}
	return session
}

func TestSession_AllowsOnlyPossibleTransitions(t *testing.T) {
	const now = noon + 10
	transitions := map[string]struct {
		do func(live.Session) (live.Session, error)
		// from are the states in which it happens, and the state that follows; same are
		// those in which nothing is left to do.
		from, to live.State
		same     live.State
	}{
		"reschedule": {func(s live.Session) (live.Session, error) { return s.Rescheduled(now) }, live.Upcoming, live.Upcoming, 0},
		"start":      {func(s live.Session) (live.Session, error) { return s.Started(now) }, live.Upcoming, live.Live, 0},
		"end":        {func(s live.Session) (live.Session, error) { return s.Ended(now, "https://tideline.example/new") }, live.Live, live.Replay, live.Replay},
		"cancel":     {func(s live.Session) (live.Session, error) { return s.Cancelled(now) }, live.Upcoming, live.Cancelled, live.Cancelled},
	}
	for name, c := range transitions {
		for _, state := range []live.State{live.Upcoming, live.Live, live.Replay, live.Cancelled} {
			before := sessionIn(state)
			after, err := c.do(before)
			switch state {
			case c.from:
				if err != nil || after.State != c.to || after == before {
					t.Errorf("%s in state %d: %+v, %v", name, state, after, err)
				}
			case c.same:
				if err != nil || after != before {
					t.Errorf("%s again: %+v, %v", name, after, err)
				}
			default:
				if feed.CodeOf(err) != feed.CodeConflict || after != before {
					t.Errorf("%s in state %d: %+v, %v, want a conflict", name, state, after, err)
				}
			}
		}
	}
}

func TestSession_TransitionsSetTimes(t *testing.T) {
	s := sessionIn(live.Upcoming)
	s, err := s.Rescheduled(noon + 5)
	if err != nil || s.ScheduledAt != noon+5 || s.Position() != (live.Position{live.Upcoming, noon + 5, 7}) {
		t.Errorf("rescheduled: %+v, %v", s, err)
	}
	s, err = s.Started(noon + 6)
	if err != nil || s.StartedAt != noon+6 || s.Position() != (live.Position{live.Live, noon + 6, 7}) {
		t.Errorf("started: %+v, %v", s, err)
	}
	s, err = s.Ended(noon+8, "https://tideline.example/r")
	if err != nil || s.EndedAt != noon+8 || s.ReplayURL != "https://tideline.example/r" || s.Position() != (live.Position{live.Replay, noon + 8, 7}) {
		t.Errorf("ended: %+v, %v", s, err)
	}
}

func TestSession_NeverEndsBeforeStart(t *testing.T) {
	s, err := sessionIn(live.Live).Ended(noon-100, "")
	if err != nil || s.EndedAt != s.StartedAt {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSteps_FollowTimesOfRecord(t *testing.T) {
	for _, state := range []live.State{live.Upcoming, live.Live, live.Replay, live.Cancelled} {
		want := sessionIn(state)
		want.Number = 0
		steps := live.Steps(live.Record(want))
		if last := steps[len(steps)-1]; last != want {
			t.Errorf("the last step is %+v, want %+v", last, want)
		}
		if len(steps) != map[live.State]int{live.Upcoming: 1, live.Live: 2, live.Replay: 3, live.Cancelled: 2}[state] || steps[0].State != live.Upcoming {
			t.Errorf("the steps to state %d are %+v", state, steps)
		}
	}
}
