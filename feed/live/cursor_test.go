package live

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

func drawnCursor(t *rapid.T) cursor {
	any64 := rapid.Int64Range(0, 1<<63-1)
	return cursor{
		list:     rapid.SampledFrom([]list{listFeed, listHost}).Draw(t, "list"),
		moment:   Moment{Number: any64.Draw(t, "number"), At: rapid.Int64Range(0, feed.MaxTime).Draw(t, "moment")},
		version:  any64.Draw(t, "version"),
		snapshot: rapid.Uint64().Draw(t, "snapshot"),
		at: Position{
			State: rapid.SampledFrom([]State{Live, Upcoming, Replay}).Draw(t, "state"),
			At:    rapid.Int64Range(0, feed.MaxTime).Draw(t, "time"),
			ID:    ID(rapid.Int64Range(1, 1<<63-1).Draw(t, "id")),
		},
	}
}

func TestCursor_RoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawnCursor(t)
		got, err := parseCursor(want.String(), want.list)
		if err != nil || got != want {
			t.Fatalf("%+v is read as %+v, %v", want, got, err)
		}
	})
}

func TestSortKey_HasFeedOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawnCursor(t), drawnCursor(t)
		if rapid.Bool().Draw(t, "equal times") {
			b.at.State, b.at.At = a.at.State, a.at.At
		}
		x, y := SortKey(a.String()), SortKey(b.String())
		if got, want := strings.Compare(x, y), a.at.Compare(b.at); got != want || len(x) != len(y) {
			t.Fatalf("%+v and %+v have the keys %s and %s", a.at, b.at, x, y)
		}
	})
	for _, other := range []string{"", feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 1, ID: 1}}.String()} {
		if key := SortKey(other); key != "" {
			t.Errorf("the key of %q is %q", other, key)
		}
	}
}

func TestParseCursor_RejectsBadCursors(t *testing.T) {
	good := cursor{list: listFeed, moment: Moment{Number: 1, At: noon}, version: 1, snapshot: 1, at: Position{Live, noon, 7}}
	with := func(do func(*cursor)) string {
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
		"of another list":        with(func(c *cursor) { c.list = listHost }),
		"of a home feed":         feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 1, ID: 1}}.String(),
		"without an id":          with(func(c *cursor) { c.at.ID = 0 }),
		"with an id below zero":  with(func(c *cursor) { c.at.ID = -1 }),
		"in no state":            with(func(c *cursor) { c.at.State = 0 }),
		"of what was cancelled":  with(func(c *cursor) { c.at.State = Cancelled }),
		"before the epoch":       with(func(c *cursor) { c.at.At = -1 }),
		"after the end of time":  with(func(c *cursor) { c.moment.At = feed.MaxTime + 1 }),
		"as of less than none":   with(func(c *cursor) { c.moment.Number = -1 }),
		"of a version below 0":   with(func(c *cursor) { c.version = -1 }),
		"of two bytes":           base64.RawURLEncoding.EncodeToString(raw[:2]),
		"of one byte, of course": base64.RawURLEncoding.EncodeToString(raw[:1]),
	} {
		if c, err := parseCursor(text, listFeed); feed.CodeOf(err) != feed.CodeBadCursor {
			t.Errorf("%s: read as %+v, %v", name, c, err)
		}
	}
	if _, err := feed.ParseCursor(good.String(), feed.FeedHome); feed.CodeOf(err) != feed.CodeBadCursor {
		t.Errorf("a home feed takes a live feed's cursor: %v", err)
	}
}

func FuzzCursor(f *testing.F) {
	f.Add(cursor{list: listFeed, moment: Moment{Number: 1, At: noon}, version: 1, snapshot: 1, at: Position{Live, noon, 7}}.String())
	f.Add("")
	f.Add("AQEB")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseCursor(text, listFeed)
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
func sorted() []Position {
	return []Position{
		{},
		{Live, noon + 2, 9},
		{Live, noon, 100},
		{Live, noon, 9},
		{Upcoming, noon - 5, 1},
		{Upcoming, noon, 100},
		{Upcoming, noon, 9},
		{Upcoming, noon + 2, 2000},
		{Replay, noon + 3, 9},
		{Replay, noon, 100},
		{Replay, noon, 9},
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
		draw := func(name string) Position {
			state := rapid.SampledFrom([]State{Live, Upcoming}).Draw(t, name)
			return Position{state, rapid.Int64Range(1, 4).Draw(t, name), ID(rapid.Int64Range(1, 3).Draw(t, name))}
		}
		a, b := draw("a"), draw("b")
		if AtScore(a.Score(), a.ID) != a {
			t.Fatalf("%+v has score %d, which is of %+v", a, a.Score(), AtScore(a.Score(), a.ID))
		}
		byScore := slices.Compare([]int64{b.Score(), int64(b.ID)}, []int64{a.Score(), int64(a.ID)})
		if byScore != a.Compare(b) {
			t.Fatalf("%+v compared with %+v is %d, by score %d", a, b, a.Compare(b), byScore)
		}
	})
}

const noon int64 = 1_700_000_000_000

// sessionIn is a session in a state.
func sessionIn(s State) Session {
	session := Session{ID: 7, Host: 9, Title: "title", State: s, ScheduledAt: noon, Number: 3}
	switch s {
	case Live:
		session.StartedAt = noon + 1
	case Replay:
		session.StartedAt, session.EndedAt, session.ReplayURL = noon+1, noon+2, "https://tideline.example/r"
	case Cancelled:
		session.CancelledAt = noon + 3
	}
	return session
}

func TestSession_AllowsOnlyPossibleTransitions(t *testing.T) {
	const now = noon + 10
	transitions := map[string]struct {
		do func(Session) (Session, error)
		// from are the states in which it happens, and the state that follows; same are
		// those in which nothing is left to do.
		from, to State
		same     State
	}{
		"reschedule": {func(s Session) (Session, error) { return s.rescheduled(now) }, Upcoming, Upcoming, 0},
		"start":      {func(s Session) (Session, error) { return s.started(now) }, Upcoming, Live, 0},
		"end":        {func(s Session) (Session, error) { return s.ended(now, "https://tideline.example/new") }, Live, Replay, Replay},
		"cancel":     {func(s Session) (Session, error) { return s.cancelled(now) }, Upcoming, Cancelled, Cancelled},
	}
	for name, c := range transitions {
		for _, state := range []State{Upcoming, Live, Replay, Cancelled} {
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
	s := sessionIn(Upcoming)
	s, err := s.rescheduled(noon + 5)
	if err != nil || s.ScheduledAt != noon+5 || s.Position() != (Position{Upcoming, noon + 5, 7}) {
		t.Errorf("rescheduled: %+v, %v", s, err)
	}
	s, err = s.started(noon + 6)
	if err != nil || s.StartedAt != noon+6 || s.Position() != (Position{Live, noon + 6, 7}) {
		t.Errorf("started: %+v, %v", s, err)
	}
	s, err = s.ended(noon+8, "https://tideline.example/r")
	if err != nil || s.EndedAt != noon+8 || s.ReplayURL != "https://tideline.example/r" || s.Position() != (Position{Replay, noon + 8, 7}) {
		t.Errorf("ended: %+v, %v", s, err)
	}
}

func TestSession_NeverEndsBeforeStart(t *testing.T) {
	s, err := sessionIn(Live).ended(noon-100, "")
	if err != nil || s.EndedAt != s.StartedAt {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSteps_FollowTimesOfRecord(t *testing.T) {
	for _, state := range []State{Upcoming, Live, Replay, Cancelled} {
		want := sessionIn(state)
		want.Number = 0
		steps := Steps(Record(want))
		if last := steps[len(steps)-1]; last != want {
			t.Errorf("the last step is %+v, want %+v", last, want)
		}
		if len(steps) != map[State]int{Upcoming: 1, Live: 2, Replay: 3, Cancelled: 2}[state] || steps[0].State != Upcoming {
			t.Errorf("the steps to state %d are %+v", state, steps)
		}
	}
}
