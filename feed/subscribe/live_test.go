package subscribe_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

// stage is a store with live sessions, and two processes with subscribers. ann follows bob and cem.
type stage struct {
	*memstore.Store
	t         *testing.T
	sessions  *memstore.Live
	processes [2]*changes.Follower
	subs      [2]*subscribe.Subscriptions
}

func newStage(t *testing.T) *stage {
	s := memstore.New(time.Now)
	w := &stage{Store: s, t: t, sessions: memstore.NewLive(s)}
	viewers := &timeline.Direct{Relations: s}
	for i := range w.processes {
		f := &changes.Follower{Log: s, Cache: noCache{}}
		w.processes[i], w.subs[i] = f, &subscribe.Subscriptions{
			LiveChanges: &delta.LiveReader{
				Log: s, Sessions: w.sessions, Versions: w.sessions, Viewers: viewers, Coverage: s, Policy: feed.DefaultPolicy(),
			},
			Viewers: viewers, Places: f, Audience: s, Policy: feed.DefaultPolicy(), Async: func(do func()) { do() },
		}
		f.Observe(w.subs[i])
	}
	for _, id := range []feed.UserID{ann, bob, cem} {
		_, err := s.EnsureUser(t.Context(), &feed.User{ID: id, Handle: "u" + id.String()})
		w.must(err)
	}
	for _, host := range []feed.UserID{bob, cem} {
		w.must(s.Follow(t.Context(), ann, host, 1, 9))
	}
	w.catchUp()
	return w
}

func (w *stage) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *stage) catchUp() {
	w.t.Helper()
	for _, f := range w.processes {
		w.must(f.CatchUp(w.t.Context()))
	}
}

func (w *stage) token() string {
	w.t.Helper()
	last, err := w.LastChange(w.t.Context())
	w.must(err)
	return feed.SyncToken{Viewer: ann, Live: true, Place: last}.String()
}

func (w *stage) subscribe(process int, token string) *subscribe.LiveSubscription {
	w.t.Helper()
	sub, err := w.subs[process].SubscribeLive(w.t.Context(), ann, token)
	w.must(err)
	return sub
}

func (w *stage) schedule(host feed.UserID, id live.ID) {
	w.t.Helper()
	_, err := w.sessions.Schedule(w.t.Context(), live.Session{ID: id, Host: host, Title: "title", ScheduledAt: 1}, 1000)
	w.must(err)
}

// advance makes the next transition of a session: to the state, or to the end.
func (w *stage) advance(id live.ID, to live.State) {
	w.t.Helper()
	_, err := w.sessions.Change(w.t.Context(), id, 1, func(s live.Session) (live.Session, error) {
		if s.State.Open() {
			s.State = to
		}
		return s, nil
	})
	w.must(err)
}

// shown returns the states of the sessions in ann's feed.
func (w *stage) shown() map[live.ID]live.State {
	w.t.Helper()
	shown := map[live.ID]live.State{}
	for _, host := range []feed.UserID{bob, cem} {
		edges, err := w.Edges(w.t.Context(), ann, []feed.UserID{host})
		w.must(err)
		named, err := w.sessions.OfHost(w.t.Context(), host, feed.Top, 1000)
		w.must(err)
		for _, s := range named {
			found, err := w.sessions.Sessions(w.t.Context(), []live.ID{live.ID(s.Key.ID)})
			w.must(err)
			if edges[0].Follows && !edges[0].Mutes && found[0].State != live.Cancelled {
				shown[found[0].ID] = found[0].State
			}
		}
	}
	return shown
}

// A client whose connection is cut a thousand times goes on at either process, and has what the feed
// shows in the end.
func TestSubscribeLive_CutConnectionsLoseNothing(t *testing.T) {
	w, random := newStage(t), rand.New(rand.NewPCG(1, 2))
	held, token, next := map[live.ID]live.State{}, w.token(), live.ID(0)
	sub := w.subscribe(0, token)
	receive := func() {
		for page, err := sub.Poll(t.Context()); page != nil || err != nil; page, err = sub.Poll(t.Context()) {
			w.must(err)
			token = page.Token.String()
			for _, c := range page.Changes {
				delete(held, c.ID)
				if c.Entry.Session != nil {
					held[c.ID] = c.Entry.State
				}
			}
		}
	}
	relation := func(on bool) {
		host := []feed.UserID{bob, cem}[random.IntN(2)]
		if on {
			w.must(w.Follow(t.Context(), ann, host, 1, 9))
		} else {
			w.must(w.Unfollow(t.Context(), ann, host))
		}
	}
	for cuts := 0; cuts < 1000; {
		switch n := random.IntN(12); {
		case n < 3 && next < 400:
			next++
			w.schedule([]feed.UserID{bob, cem}[random.IntN(2)], next)
		case n < 7 && next > 0:
			to := []live.State{live.Live, live.Replay, live.Cancelled}[random.IntN(3)]
			w.advance(1+live.ID(random.Int64N(int64(next))), to)
		case n == 7:
			relation(random.IntN(3) > 0)
		case n < 10:
			w.catchUp()
			receive()
		default:
			cuts++
			sub.Close()
			sub = w.subscribe(random.IntN(2), token)
		}
	}
	for _, host := range []feed.UserID{bob, cem} {
		w.must(w.Follow(t.Context(), ann, host, 1, 9))
	}
	w.catchUp()
	receive()
	if want := w.shown(); !maps.Equal(held, want) || len(want) < 100 {
		t.Errorf("the client holds\n%v, want\n%v", held, want)
	}
}

func TestSubscribeLive_NotifiesOfHostsOnly(t *testing.T) {
	w := newStage(t)
	sub := w.subscribe(0, w.token())
	defer sub.Close()
	_, err := sub.Poll(t.Context())
	w.must(err)
	notified := 0
	sub.Notify(func() { notified++ })
	_, err = w.Publish(t.Context(), &feed.Post{ID: 1, Author: bob, Kind: feed.KindPost}, feed.Idempotency{}, feed.FirstDispatch{})
	w.must(err)
	_, err = w.StorePlan(t.Context(), feed.Plan{Post: 1, Author: bob}, 1)
	w.must(err)
	w.catchUp()
	if notified != 0 {
		t.Error("a post notifies a subscription to a live feed")
	}
	w.schedule(cem, 7)
	w.catchUp()
	if notified != 1 {
		t.Errorf("a session notifies %d times, want once", notified)
	}
	page, err := feedtest.NextPage(eventually.Context(t), sub)
	w.must(err)
	if len(page.Changes) != 1 || page.Changes[0].ID != 7 || page.Changes[0].Kind != feed.HomeAdded {
		t.Errorf("the changes are %+v", page.Changes)
	}
	if w.subs[0].Connected(ann) {
		t.Error("a subscription to a live feed counts as one to the home feed")
	}
}

func TestSubscribeLive_RefusesOtherTokens(t *testing.T) {
	w := newStage(t)
	home := feed.SyncToken{Viewer: ann}.String()
	for token, want := range map[string]feed.Code{"": feed.CodeBadCursor, home: feed.CodeBadCursor} {
		if _, err := w.subs[0].SubscribeLive(t.Context(), ann, token); feed.CodeOf(err) != want {
			t.Errorf("the token %q: %v", token, err)
		}
	}
	_, err := w.subs[0].SubscribeLive(t.Context(), bob, w.token())
	if feed.CodeOf(err) != feed.CodeBadCursor {
		t.Errorf("another viewer's token: %v", err)
	}
	if _, err := w.subs[0].SubscribeLive(t.Context(), anonymous, w.token()); feed.CodeOf(err) != feed.CodeUnauthenticated {
		t.Errorf("anonymous: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := feedtest.NextPage(ended, w.subscribe(0, w.token())); err == nil {
		t.Error("a subscription does not end with its context")
	}
}
