package delta_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// stage is a town with live sessions.
type stage struct {
	*town
	sessions *sqlstore.Live
	live     *delta.LiveReader
}

func newStage(t *testing.T) *stage {
	w := newTown(t)
	l := sqlstore.NewLive(w.Store)
	return &stage{w, l, &delta.LiveReader{
		Log: w.Store, Sessions: l, Versions: l, Viewers: w.reader.Viewers, Users: w.Store, Coverage: w.Store, Policy: w.reader.Policy,
	}}
}

func (w *stage) schedule(host feed.UserID, ids ...live.ID) {
	w.t.Helper()
	for _, id := range ids {
		fixture.Got(w.sessions.Schedule(w.t.Context(), live.Session{ID: id, Host: host, Title: "title", ScheduledAt: noon}, 100)).Must(w.t)
	}
}

func (w *stage) change(id live.ID, to live.State) {
	w.t.Helper()
	_, err := w.sessions.Change(w.t.Context(), id, noon, func(s live.Session) (live.Session, error) {
		s.State = to
		return s, nil
	})
	w.must(err)
}

// token returns ann's token of now.
func (w *stage) token() string {
	w.t.Helper()
	last := fixture.Got(w.LastChange(w.t.Context())).Must(w.t)
	return feed.SyncToken{Viewer: ann, Live: true, Place: last}.String()
}

func (w *stage) page(since string, first int) (string, *live.ChangePage) {
	w.t.Helper()
	page := fixture.Got(w.live.Changes(w.t.Context(), ann, live.ChangeQuery{Since: since, First: &first})).Must(w.t)
	var all []string
	for _, c := range page.Changes {
		all = append(all, named(c.Kind, int64(c.ID)))
	}
	return strings.Join(all, ", "), page
}

// since fails the test unless the changes since a token are want, read at once and one by one.
func (w *stage) since(token, want string) {
	w.t.Helper()
	got, page := w.page(token, 100)
	fixture.Is(w.t, "the changes", got, want)
	if page.HasMore {
		w.t.Error("there is more")
	}
	// A session that changes twice may be on two pages.
	var each []string
	for next, more := token, true; more; {
		some, page := w.page(next, 1)
		if some != "" && !slices.Contains(each, some) {
			each = append(each, some)
		}
		next, more = page.Token.String(), page.HasMore && !page.Resets()
	}
	fixture.Is(w.t, "the changes one by one", strings.Join(each, ", "), want)
}

func TestLiveChanges_NameSessionsAsTheyAre(t *testing.T) {
	w := newStage(t)
	w.schedule(bob, 1, 2, 3)
	w.schedule(dee, 9)
	token := w.token()
	w.since(token, "")
	w.publish(bob, 1, 0)
	w.schedule(cem, 4)
	w.change(1, live.Live)
	w.schedule(ann, 5)
	w.change(2, live.Cancelled)
	w.change(9, live.Live)
	w.change(1, live.Replay)
	w.since(token, "ADDED 4, CHANGED 1, ADDED 5, REMOVED 2")
	_, page := w.page(token, 9)
	for i, want := range []live.State{live.Upcoming, live.Replay, live.Upcoming} {
		if e := page.Changes[i].Entry; e.State != want || e.Session.State != want || e.Cursor == "" {
			t.Errorf("entry %d is %+v, want state %d", i, e, want)
		}
	}
	w.since(page.Token.String(), "")
}

func TestLiveChanges_FollowRelations(t *testing.T) {
	w := newStage(t)
	w.schedule(bob, 1, 2)
	w.schedule(cem, 3)
	w.schedule(dee, 4, 5)
	w.change(5, live.Cancelled)
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"a block by a stranger", func() { w.relate(feed.RelationBlock, dee, ann) }, ""},
		{"its end", func() { w.unrelate(feed.RelationBlock, dee, ann) }, ""},
		{"a follow", func() { w.follow(dee) }, "REMOVED 5, ADDED 4"},
		{"a mute", func() { w.relate(feed.RelationMute, ann, dee) }, "REMOVED 5, REMOVED 4"},
		{"a transition of a muted host", func() { w.change(4, live.Live) }, ""},
		{"the end of a mute", func() { w.unrelate(feed.RelationMute, ann, dee) }, "REMOVED 5, ADDED 4"},
		{"a block", func() { w.relate(feed.RelationBlock, cem, ann) }, "REMOVED 3"},
		{"an unfollow and a transition", func() { w.must(w.Unfollow(t.Context(), ann, bob)); w.change(1, live.Live) }, "REMOVED 2, REMOVED 1"},
		{"an absent host", func() { w.must(w.SetAbsent(t.Context(), []feed.UserID{dee}, true)) }, "REMOVED 5, REMOVED 4"},
		{"their return", func() { w.must(w.SetAbsent(t.Context(), []feed.UserID{dee}, false)) }, "REMOVED 5, ADDED 4"},
		{"a deleted account", func() { w.must(w.DeleteAccount(t.Context(), dee, noon)) }, "REMOVED 5, REMOVED 4"},
	} {
		token := w.token()
		step.do()
		t.Run(step.what, func(t *testing.T) { w.since(token, step.want) })
	}
}

func TestLiveChanges_RemoveOnlySessionsSeenBefore(t *testing.T) {
	w := newStage(t)
	w.schedule(bob, 1)
	token := w.token()
	w.relate(feed.RelationHide, bob, ann)
	w.schedule(bob, 2)
	w.relate(feed.RelationMute, ann, bob)
	w.since(token, "REMOVED 1")
}

func TestLiveChanges_NameSessionsThatChangeBetweenPages(t *testing.T) {
	w := newStage(t)
	w.schedule(bob, 1, 2, 3)
	token := w.token()
	w.must(w.Unfollow(t.Context(), ann, bob))
	got, page := w.page(token, 1)
	w.change(1, live.Live)
	rest, _ := w.page(page.Token.String(), 9)
	fixture.Is(t, "the changes", got+", "+rest, "REMOVED 3, REMOVED 2, REMOVED 1")
}

func TestLiveChanges_ResetWhenTooMany(t *testing.T) {
	w := newStage(t)
	for id := live.ID(1); id <= 11; id++ {
		w.schedule(dee, id)
	}
	token := w.token()
	w.follow(dee)
	w.since(token, "RESET")
	_, page := w.page(token, 9)
	w.since(page.Token.String(), "")
	fixture.Got(w.TrimChanges(t.Context(), noon*2, 100)).Must(t)
	w.schedule(bob, 20)
	w.since(token, "RESET")
	token = w.token()
	w.must(w.NewEpoch(t.Context()))
	w.since(token, "RESET")
}

func TestLiveChanges_RefuseOtherTokens(t *testing.T) {
	w := newStage(t)
	token, negative, many := w.token(), -1, w.reader.Policy.PageMax+1
	for _, c := range []struct {
		name   string
		viewer feed.UserID
		q      live.ChangeQuery
		want   feed.Code
	}{
		{"anonymous", 0, live.ChangeQuery{Since: token}, feed.CodeUnauthenticated},
		{"another viewer", bob, live.ChangeQuery{Since: token}, feed.CodeBadCursor},
		{"a token of a home feed", ann, live.ChangeQuery{Since: w.town.token()}, feed.CodeBadCursor},
		{"no token", ann, live.ChangeQuery{}, feed.CodeBadCursor},
		{"a negative page size", ann, live.ChangeQuery{Since: token, First: &negative}, feed.CodeBadInput},
		{"a page that is too long", ann, live.ChangeQuery{Since: token, First: &many}, feed.CodeBadInput},
	} {
		if _, err := w.live.Changes(t.Context(), c.viewer, c.q); feed.CodeOf(err) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := w.reader.Changes(t.Context(), ann, feed.HomeChangeQuery{Since: token}); feed.CodeOf(err) != feed.CodeBadCursor {
		t.Errorf("a home feed accepts a token of a live feed: %v", err)
	}
	if feed.IsSyncToken(token) {
		t.Error("a token of a live feed is taken for one of a home feed")
	}
}

// number logs what changes have left to do, such as reposts.
func (w *town) number() {
	w.t.Helper()
	for more := true; more; {
		var err error
		more, _, err = w.NumberChanges(w.t.Context(), 1000)
		w.must(err)
	}
}

// named returns a change as text; a reset has no id.
func named(kind feed.HomeChangeKind, id int64) string {
	return strings.TrimSuffix(fmt.Sprintf("%s %d", kind, id), " 0")
}
