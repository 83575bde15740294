package records_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// today is the time of the tests.
const today = 1_800_000_000_000

func clock() time.Time { return time.UnixMilli(today) }

func newLive(store *sqlstore.Store, wait func(context.Context) error) *records.Live {
	return records.NewLive(store, sqlstore.NewLive(store), clock, wait)
}

// play plays lines, and returns the messages about bad ones.
func play(t *testing.T, store *sqlstore.Store, lines ...string) (records.Summary, []string) {
	t.Helper()
	var refused []string
	sum, err := records.Import(t.Context(), strings.NewReader(strings.Join(lines, "\n")), newLive(store, nil),
		records.Options{BatchSize: 1, Refused: func(line int, reason string) {
			refused = append(refused, fmt.Sprintf("%d: %s", line, reason))
		}})
	check(t, err)
	return sum, refused
}

func post(id, author int) string {
	return fmt.Sprintf(`{"type":"post","id":"%d","author":"%d","kind":"POST","text":"text %d","media":["a.png"],"publishedAt":"2010-11-12T12:05:02.000Z","editedAt":"2010-11-12T12:05:03.000Z"}`, id, author, id)
}

func comment(id, author, on int) string {
	return fmt.Sprintf(`{"type":"post","id":"%d","author":"%d","kind":"COMMENT","text":"why?","replyTo":"%d","publishedAt":"2010-11-12T12:05:02.000Z"}`, id, author, on)
}

func TestLive_KeepsIDsButNotTimes(t *testing.T) {
	store := sqlitetest.New(t, clock)
	sum, refused := play(t, store, user(7), user(8), follow7(8), post(40, 8), comment(30, 7, 40),
		`{"type":"favorite","user":"7","post":"40","createdAt":"2010-11-12T12:05:02.000Z"}`,
		`{"type":"mute","user":"8","target":"7","createdAt":"2010-11-12T12:05:02.000Z"}`)
	if want := (records.Summary{Lines: 7, Stored: 7}); sum != want || refused != nil {
		t.Errorf("the summary is %+v, want %+v; refused were %q", sum, want, refused)
	}
	var got []feed.Record
	check(t, store.Export(t.Context(), func(r feed.Record) error { got = append(got, r); return nil }))
	if diff := cmp.Diff([]feed.Record{
		{User: &feed.UserRecord{User: feed.User{ID: 7, Handle: "u7", Name: "User", CreatedAt: today}, LastSeenAt: today}},
		{User: &feed.UserRecord{User: feed.User{ID: 8, Handle: "u8", Name: "User", CreatedAt: today}, LastSeenAt: today}},
		{Follow: &feed.FollowRecord{Follower: 7, Followee: 8, CreatedAt: today}},
		{Post: &feed.Post{ID: 40, Author: 8, Kind: feed.KindPost, Text: "text 40", Media: []string{"a.png"}, AudienceAuthor: 8, PublishedAt: today}},
		{Post: &feed.Post{ID: 30, Author: 7, Kind: feed.KindComment, Text: "why?", ReplyTo: 40, AudienceAuthor: 8, PublishedAt: today}},
		{Reaction: &feed.ReactionRecord{Reaction: feed.ReactionFavorite, User: 7, Post: 40, CreatedAt: today}},
		{Relation: &feed.RelationRecord{Kind: feed.RelationMute, User: 8, Target: 7, CreatedAt: today}},
	}, got); diff != "" {
		t.Errorf("the store holds (-want +got):\n%s", diff)
	}
}

func TestLive_LeaseBeginsNow(t *testing.T) {
	store := sqlitetest.New(t, clock)
	unseen := `{"type":"user","id":"8","handle":"u8","name":"User","createdAt":"2010-11-12T12:05:02.000Z"}`
	lines := strings.NewReader(user(7) + "\n" + unseen)
	if _, err := records.Import(t.Context(), lines, newLive(store, nil), records.Options{ActiveFor: time.Hour}); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[feed.UserID]int64{7: today + time.Hour.Milliseconds(), 8: today} {
		if lease, err := store.Renew(t.Context(), id, 0); err != nil || lease.Until != want {
			t.Errorf("the lease of user %d ends at %d, want %d: %v", id, lease.Until, want, err)
		}
	}
}

func TestLive_FanOutIsDueAtOnce(t *testing.T) {
	store := sqlitetest.New(t, time.Now)
	play(t, store, user(7), post(40, 7))
	due, err := store.Due(t.Context(), feed.Waits{}.DueBy(today), 10, func(int) int64 { return today + 1 })
	check(t, err)
	if len(due.Events) != 1 || due.Events[0].Ref != 40 {
		t.Errorf("due are %+v", due)
	}
}

func TestLive_IsIdempotent(t *testing.T) {
	store := sqlitetest.New(t, time.Now)
	lines := []string{user(7), user(8), follow7(8), post(40, 8), comment(30, 7, 40)}
	play(t, store, lines...)
	before, err := store.ViewerVersion(t.Context(), 7)
	check(t, err)
	sum, refused := play(t, store, lines...)
	if want := (records.Summary{Lines: 5, Stored: 1, Known: 4}); sum != want || refused != nil {
		t.Errorf("the summary is %+v; refused were %q", sum, refused)
	}
	if after, err := store.ViewerVersion(t.Context(), 7); err != nil || after.Version != before.Version || after.Generation != before.Generation {
		t.Errorf("the viewer version changed from %+v to %+v (error %v)", before, after, err)
	}
}

// playAgain plays lines a second time, and returns the differences.
func playAgain(t *testing.T, store *sqlstore.Store, lines ...string) (records.Summary, []feed.Difference) {
	t.Helper()
	var named []feed.Difference
	sum, err := records.Import(t.Context(), strings.NewReader(strings.Join(lines, "\n")), newLive(store, nil),
		records.Options{BatchSize: 1, Different: func(d feed.Difference) { named = append(named, d) }})
	check(t, err)
	return sum, named
}

func TestLive_NamesDifferences(t *testing.T) {
	store := sqlitetest.New(t, clock)
	play(t, store, user(7), post(40, 7), liveRecord("1", ended))
	sum, named := playAgain(t, store,
		strings.Replace(user(7), `"User"`, `"Other"`, 1), strings.Replace(post(40, 7), "text 40", "new", 1),
		strings.Replace(liveRecord("1", ended), "tea", "coffee", 1), liveRecord("1", long+`,"cancelledAt":"2010-11-12T12:05:03.000Z"`), liveRecord("1", started))
	want := []feed.Difference{
		{Line: 1, Object: "user 7", Fields: []string{"name"}},
		{Line: 2, Object: "post 40", Fields: []string{"text"}},
		{Line: 3, Object: "live 1", Fields: []string{"title"}},
		{Line: 4, Object: "live 1", Fields: []string{"cancelledAt"}},
	}
	if diff := cmp.Diff(want, named); diff != "" || sum != (records.Summary{Lines: 5, Known: 1, Different: 4}) {
		t.Errorf("the summary is %+v; reported differences (-want +got):\n%s", sum, diff)
	}
}

func TestLive_KeepsUndoneEdges(t *testing.T) {
	store := sqlitetest.New(t, clock)
	like := `{"type":"like","user":"7","post":"40","createdAt":"2010-11-12T12:05:02.000Z"}`
	mute := `{"type":"mute","user":"7","target":"8","createdAt":"2010-11-12T12:05:02.000Z"}`
	edges := []string{follow7(8), like, mute}
	play(t, store, append([]string{user(7), user(8), post(40, 8)}, edges...)...)
	if err := errors.Join(store.Unfollow(t.Context(), 7, 8), store.Unreact(t.Context(), feed.ReactionLike, 7, 40),
		store.Unrelate(t.Context(), feed.RelationMute, 7, 8)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if sum, _ := playAgain(t, store, edges...); sum != (records.Summary{Lines: 3, Undone: 3}) {
			t.Errorf("the summary is %+v", sum)
		}
	}
}

func TestLive_AppliesRulesForUsers(t *testing.T) {
	store := sqlitetest.New(t, time.Now)
	play(t, store, user(7), user(8), user(9), post(40, 8), post(41, 9),
		`{"type":"block","user":"8","target":"7","createdAt":"2010-11-12T12:05:02.000Z"}`)
	check(t, store.Delete(t.Context(), 41, today))
	check(t, store.DeleteAccount(t.Context(), 9, today))
	for want, line := range map[string]string{
		"1: there is no such user":           follow7(8),
		"users cannot follow themselves":     follow7(7),
		"no post 40 that user 7 may see":     comment(30, 7, 40),
		"no post 41 that user 7 may see":     comment(30, 7, 41),
		"no post 77 that user 8 may see":     comment(30, 8, 77),
		"the post id is taken":               post(40, 7),
		"there is no such user":              post(50, 1234),
		"no such post":                       `{"type":"like","user":"7","post":"40","createdAt":"2010-11-12T12:05:02.000Z"}`,
		"user 7 cannot mute themselves":      `{"type":"mute","user":"7","target":"7","createdAt":"2010-11-12T12:05:02.000Z"}`,
		"a deleted post cannot be published": `{"type":"post","id":"50","author":"7","kind":"POST","text":"","publishedAt":"2010-11-12T12:05:02.000Z","deletedAt":"2010-11-12T12:05:02.000Z"}`,
		"a deleted account cannot be made":   `{"type":"user","id":"77","handle":"","name":"","createdAt":"2010-11-12T12:05:02.000Z","deletedAt":"2010-11-12T12:05:02.000Z"}`,
		"a COMMENT needs replyTo":            `{"type":"post","id":"50","author":"7","kind":"COMMENT","text":"","publishedAt":"2010-11-12T12:05:02.000Z"}`,
		`the handle "u8" is not available`:   strings.Replace(user(8), `"id":"8"`, `"id":"80"`, 1),
		"the account has been deleted":       user(9),
	} {
		if _, refused := play(t, store, line); len(refused) != 1 || !strings.Contains(refused[0], want) {
			t.Errorf("%s:\n got %q\nwant …%s…", line, refused, want)
		}
	}
}

func TestLive_WaitsBeforeEachRecord(t *testing.T) {
	store, turns := sqlitetest.New(t, time.Now), 2
	over := errors.New("over")
	wait := func(context.Context) error {
		if turns--; turns < 0 {
			return over
		}
		return nil
	}
	in := strings.Join([]string{user(7), user(8), user(9)}, "\n")
	sum, err := records.Import(t.Context(), strings.NewReader(in), newLive(store, wait), records.Options{BatchSize: 1})
	if !errors.Is(err, over) || sum.Stored != 2 {
		t.Errorf("%d records were played before %v", sum.Stored, err)
	}
}

// away is a store that cannot be reached.
type away struct{ records.LiveStores }

func (away) EnsureUser(context.Context, *feed.User) (*feed.User, error) {
	return nil, feed.Unavailable("the database", errors.New("no route"))
}

func TestLive_EndsWithStoreError(t *testing.T) {
	player := records.NewLive(away{sqlitetest.New(t, clock)}, nil, clock, nil)
	if _, err := records.Import(t.Context(), strings.NewReader(user(7)), player, records.Options{}); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("the play ended with %v", err)
	}
}

// stored returns the sessions with the ids 1 to n.
func stored(t *testing.T, store *sqlstore.Store, n int) []*live.Session {
	t.Helper()
	ids := make([]live.ID, n)
	for i := range ids {
		ids[i] = live.ID(i + 1)
	}
	sessions, err := sqlstore.NewLive(store).Sessions(t.Context(), ids)
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
	store := sqlitetest.New(t, time.Now)
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
	store := sqlitetest.New(t, time.Now)
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
	store := sqlitetest.New(t, time.Now)
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
