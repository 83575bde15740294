package fanout_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// online lets ann and bob follow star with inboxes. Ann is connected, and bob was seen. All fan-outs
// are large.
func online(v fixture.Service) {
	plansByTask(v)
	v.Fanout.Policy.LargeAbove = 0
	for _, viewer := range followers() {
		v.Cover(viewer, star)
	}
	v.WorkAll()
	v.Online.Users = feed.Online{Connected: []feed.UserID{moon, ann}, Seen: []feed.UserID{ann, bob}}
}

// pushedOf returns who was logged to have got the post before its fan-out.
func pushedOf(v fixture.Service, post feed.PostID) (viewers []feed.UserID) {
	last := fixture.Got(v.Backend.Changes.LastChange(v.Context())).Must(v)
	rows, _, err := v.Backend.Changes.Changes(v.Context(), feed.ChangePlace{Epoch: last.Epoch}, math.MaxInt32)
	v.Must(err)
	for _, row := range rows {
		if row.Kind == feed.ChangePushed && row.Post == post {
			viewers = append(viewers, row.User)
		}
	}
	return viewers
}

func TestDispatch_PushesToOnlineFollowersFirst(t *testing.T) {
	v := fixture.New(t)
	online(v)
	v.Post(star, 1)
	v.Queue.Lose()
	var told int
	v.Fanout.Trace.PushedFirst = func(_ feed.PostID, n, connected int, lag time.Duration) {
		if told = connected; n != 2 || lag < 0 {
			t.Errorf("reported %d followers after %v, want 2", n, lag)
		}
	}
	done := fixture.Got(v.Fanout.DispatchCounted(t.Context(), 1)).Must(t)
	fixture.Same(t, "what it did", []fanout.Dispatched{done}, fanout.Dispatched{Online: 2, Notified: 1, HandedOver: true})
	fixture.Same(t, "who has the post before any slice", served(v), ann, bob)
	fixture.Same(t, "who is notified", pushedOf(v, 1), ann)
	fixture.Same(t, "the number reported", []int{told}, 1)
	v.WorkAll()
	fixture.Same(t, "who has the post in the end", served(v), ann, bob, cem)
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	fixture.Same(t, "who is notified by a second dispatch", pushedOf(v, 1), ann)
}

func TestDispatch_LimitsOnlineFollowers(t *testing.T) {
	for limit, want := range [][]feed.UserID{0: {}, 1: {ann}, 2: {ann, bob}, 3: {ann, bob}} {
		v := fixture.New(t)
		online(v)
		v.Fanout.Policy.OnlineFirst = limit
		plan(v, 1)
		fixture.Same(t, "who has the post", served(v), want...)
	}
	for share, want := range map[int][]feed.UserID{4: {}, 3: {ann}, 2: {ann}, 1: {ann, bob}} {
		v := fixture.New(t)
		online(v)
		v.Fanout.Policy.OnlineShare = share
		plan(v, 1)
		fixture.Same(t, fmt.Sprintf("who of three has the post, with one in %d first", share), served(v), want...)
	}
}

// Of followers who are connected, and of those who were seen, special ones come first.
func TestDispatch_PushesToSpecialFollowersFirst(t *testing.T) {
	special := feed.FollowChoice{Named: feed.FollowSpecial, On: feed.FollowSpecial}
	for _, c := range []struct {
		special   []feed.UserID
		connected []feed.UserID
		limit     int
		want      []feed.UserID
	}{
		{nil, []feed.UserID{ann, bob}, 1, []feed.UserID{ann}},
		{[]feed.UserID{bob}, []feed.UserID{ann, bob}, 1, []feed.UserID{bob}},
		{[]feed.UserID{cem}, []feed.UserID{ann}, 2, []feed.UserID{ann, cem}},
		{[]feed.UserID{cem}, nil, 1, []feed.UserID{cem}},
		{[]feed.UserID{cem}, []feed.UserID{ann}, 1, []feed.UserID{ann}},
	} {
		v := fixture.New(t)
		online(v)
		for _, follower := range c.special {
			v.Must(v.Backend.Follows.UpdateFollow(t.Context(), follower, star, special))
		}
		v.Online.Users = feed.Online{Connected: c.connected, Seen: []feed.UserID{ann, bob, cem}}
		v.Fanout.Policy.OnlineFirst = c.limit
		plan(v, 1)
		fixture.Same(t, fmt.Sprintf("who has the post first with %+v", c), served(v), c.want...)
	}
}

// writesCounted counts the inboxes that pushes write to.
type writesCounted struct {
	feed.Inboxes
	writes int
}

func (i *writesCounted) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	i.writes += len(viewers)
	return i.Inboxes.Push(ctx, viewers, keys...)
}

// lookUpsCounted counts the users who are looked up among followers.
type lookUpsCounted struct {
	feed.Audience
	users int
}

func (a *lookUpsCounted) FollowersAmong(ctx context.Context, author feed.UserID, users []feed.UserID) ([]feed.UserID, error) {
	a.users += len(users)
	return a.Audience.FollowersAmong(ctx, author, users)
}

// All followers have just read their feeds when their author publishes as many posts as slices push
// together.
func TestDispatch_OnlineFirstAddsAHundredth(t *testing.T) {
	p := feed.DefaultPolicy()
	p.Fanout = feed.FanoutPush
	for name, followers := range map[string]int{"several slices": p.SliceSize + 1, "a large fan-out": p.LargeAbove + 1} {
		v := fixture.New(t, func(small *feed.Policy) { *small = p })
		plansByTask(v)
		starHas(v, 1000, followers)
		for i := range followers {
			v.Online.Users.Seen = append(v.Online.Users.Seen, feed.UserID(1000+i))
		}
		inboxes := &writesCounted{Inboxes: v.Fanout.Inboxes}
		audience := &lookUpsCounted{Audience: v.Fanout.Audience}
		v.Fanout.Inboxes, v.Fanout.Audience = inboxes, audience
		for post := range p.PushTogether {
			v.Post(star, feed.PostID(1+post))
		}
		v.WorkAll()
		// Each slice writes once for all posts. The dispatch of each may add a hundredth.
		more := p.PushTogether * followers / 100
		if inboxes.writes < followers || inboxes.writes > followers+more {
			t.Errorf("%s: %d writes for %d followers, want at most %d more", name, inboxes.writes, followers, more)
		}
		if audience.users > more {
			t.Errorf("%s: %d users are looked up, want at most %d", name, audience.users, more)
		}
	}
}

func TestDispatch_PlansWithoutOnlineFollowers(t *testing.T) {
	for name, fails := range map[string]func(v fixture.Service){
		"users unknown": func(v fixture.Service) { v.Online.Err = errors.New("the store is down") },
		"inboxes down":  func(v fixture.Service) { v.Flaky.FailAt = 1 },
	} {
		v := fixture.New(t)
		online(v)
		fails(v)
		v.Post(star, 1)
		reported := false
		v.Fanout.Trace.PushFirstFailed = func(feed.PostID, error) { reported = true }
		v.Must(v.Fanout.Dispatch(t.Context(), 1))
		if !reported {
			t.Errorf("%s: not reported", name)
		}
		fixture.Same(t, name+": who is notified", pushedOf(v, 1))
		v.WorkAll()
		fixture.Same(t, name+": who has the post", served(v), ann, bob, cem)
	}
}

// A post that is not pushed arrives with its plan, and a deleted one never.
func TestDispatch_PushesFirstOnlyWhatItPushes(t *testing.T) {
	for name, change := range map[string]func(v fixture.Service){
		"an unpushed author": func(v fixture.Service) { v.Flag(star, feed.FlagUnpushed) },
		"a deleted post":     func(v fixture.Service) { v.Delete(star, 1) },
	} {
		v := fixture.New(t)
		online(v)
		v.Post(star, 1)
		change(v)
		v.Must(v.Fanout.Dispatch(t.Context(), 1))
		fixture.Same(t, name+": who has the post", served(v))
		fixture.Same(t, name+": who is notified", pushedOf(v, 1))
	}
}

// showsNotified fails the test if ann was notified of post 1 and her feed lacks it although the
// reference query has it, or has it although the reference query does not.
func showsNotified(v fixture.Service) {
	v.Atomically(func() {
		if len(pushedOf(v, 1)) == 0 {
			return
		}
		keys := fixture.Got(v.Reference.Feed(v.Context(), ann, feed.HomeAuthors, feed.Range{Below: feed.Top, Limit: 100})).Must(v)
		want := slices.ContainsFunc(keys, func(k feed.Key) bool { return k.ID == 1 })
		if shown := slices.Contains(v.Home(ann), 1); shown != want {
			v.Errorf("the feed shows the post that ann was notified of: %t, want %t", shown, want)
		}
	})
}

func TestInterleavings_NotifiedEarlyShowsExactFeed(t *testing.T) {
	for name, sc := range map[string]struct {
		mode   feed.FanoutMode
		before func(v fixture.Service)
		// other lets other actors run first, unless it runs at once.
		other  func(v fixture.Service)
		atOnce bool
	}{
		"and an unfollow": {other: func(v fixture.Service) {
			v.Unfollow(ann, star)
			v.Reconcile(ann)
		}},
		"and an unfollow that is undone": {other: func(v fixture.Service) {
			v.Unfollow(ann, star)
			v.Yield()
			v.Follow(ann, star)
			v.Reconcile(ann)
		}},
		"and a mute":     {other: func(v fixture.Service) { v.Relate(feed.RelationMute, ann, star) }},
		"and a block":    {other: func(v fixture.Service) { v.Relate(feed.RelationBlock, star, ann) }},
		"and a deletion": {other: func(v fixture.Service) { v.Delete(star, 1) }},
		"and a build":    {other: func(v fixture.Service) { v.BuildInbox(ann) }},
		"and a lost inbox": {other: func(v fixture.Service) {
			v.LoseInbox(ann)
			v.BuildInbox(ann)
		}},
		"and a new flag": {other: func(v fixture.Service) { v.Flag(star, feed.FlagUnpushed) }},
		"and a flag that falls": {
			before: func(v fixture.Service) { v.Flag(star, feed.FlagSelective) },
			other: func(v fixture.Service) {
				v.LowerFlag(star)
				v.Reconcile(ann)
			},
		},
		"by a selective author, and a warm-up": {
			mode: feed.FanoutHybrid,
			before: func(v fixture.Service) {
				v.Flag(star, feed.FlagSelective)
				v.EndLeases()
			},
			other: func(v fixture.Service) { v.WarmUp(ann) },
		},
		"and a second dispatch": {atOnce: true, other: func(v fixture.Service) { v.Must(v.Fanout.Dispatch(v.Context(), 1)) }},
		"and the plan":          {atOnce: true, other: func(v fixture.Service) { v.Must(v.Fanout.Plan(v.Context(), 1)) }},
	} {
		t.Run(name, func(t *testing.T) {
			fixture.Interleaving{
				Mode:     cmp.Or(sc.mode, feed.FanoutPush),
				OneBatch: true,
				Before: func(v fixture.Service) {
					online(v)
					v.Online.Users.Seen = nil
					if sc.before != nil {
						sc.before(v)
					}
					v.Post(star, 1)
					// Fewer orders: only the calls between these decide.
					v.Fanout.Posts, v.Fanout.Plans, v.Fanout.Slices = v.Backend.Posts, v.Backend.Plans, v.Backend.Slices
					v.BeforeCall = func() { showsNotified(v) }
				},
				Actors: func(v fixture.Service) []feedtest.Actor {
					return []feedtest.Actor{func() { v.Must(v.Fanout.Dispatch(v.Context(), 1)) }, func() {
						if !sc.atOnce {
							v.Yield()
						}
						sc.other(v)
					}}
				},
			}.RunWith(t, true)
		})
	}
}

// The plan of a large fan-out is a task of its own, so no post waits for it. Online followers are
// notified before. The slices of other fan-outs take no longer than that.
func TestDispatch_HandsOverLargePlans(t *testing.T) {
	for followers, large := range map[int]bool{3: false, 2: true} {
		v := fixture.New(t)
		online(v)
		v.Fanout.Policy.LargeAbove = followers
		v.Post(star, 1)
		v.Queue.Lose()
		done := fixture.Got(v.Fanout.DispatchCounted(t.Context(), 1)).Must(t)
		if done.HandedOver != large || (done.Slices == 0) != large {
			t.Errorf("above %d followers, the dispatch reports %+v", followers, done)
		}
		var first []feed.UserID
		if large {
			first = []feed.UserID{ann}
		}
		fixture.Same(t, "who is notified", pushedOf(v, 1), first...)
		plan := fixture.Got(v.Backend.Plans.PlanOf(t.Context(), 1)).Must(t)
		handedOver := slices.Equal(v.Queue.Tasks(), []feedtest.Task{{Plan: 1}})
		if plan.Stored == large || handedOver != large {
			t.Errorf("above %d followers, 3 are planned at once: %t, and handed over: %t", followers, plan.Stored, handedOver)
		}
		v.WorkAll()
		fixture.Same(t, "who has the post in the end", served(v), ann, bob, cem)
		fixture.Same(t, "who is notified early", pushedOf(v, 1), first...)
	}
}

// A plan that has left the queue would be taken for lost.
func TestPlan_PostponesItsEvent(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.LargeAbove = 0 })
	online(v)
	v.Post(star, 1)
	v.Queue.Lose()
	v.Clock.Advance(v.Policy.EventPatience)
	v.Fanout.Audience = walkedAudience{v.Fanout.Audience, func() { v.Must(v.Fanout.Sweep(t.Context())) }}
	v.Must(v.Fanout.Plan(t.Context(), 1))
	if tasks := v.Queue.Tasks(); slices.ContainsFunc(tasks, func(t feedtest.Task) bool { return t.Dispatch != 0 }) {
		t.Errorf("a sweep during the plan enqueued %v", tasks)
	}
}

// sends returns a step that ingests the record of post 1, deleted or not, with an event.
func sends(v fixture.Service, deleted bool) func() {
	p := feed.Post{ID: 1, Author: star, Kind: feed.KindPost, Text: "a post", PublishedAt: v.Clock.Millis()}
	return func() {
		record := p
		if deleted {
			record.DeletedAt = v.Clock.Millis()
		}
		_, err := v.Ingester.Ingest(v.Context(), feed.SourceBatch{
			Source: "shop", Dispatch: feed.FirstDispatch{EventDue: v.Clock.Millis()},
			Batch: feed.Batch{Records: []feed.Record{{Line: 1, Post: &record}}, Owned: feed.OwnedTypes(), Ordered: true},
		})
		v.Must(err)
	}
}

// A post is deleted and restored during its first fan-out.
func TestInterleavings_RestoredPostReachesFollowers(t *testing.T) {
	for name, deletedBefore := range map[string]bool{"restored": true, "deleted and restored": false} {
		t.Run(name, func(t *testing.T) {
			fixture.Interleaving{
				Mode:     feed.FanoutPush,
				OneBatch: true,
				Before: func(v fixture.Service) {
					v.Follow(ann, star)
					sends(v, false)()
					if deletedBefore {
						sends(v, true)()
					}
					v.BuildInbox(ann)
				},
				Actors: func(v fixture.Service) []feedtest.Actor {
					again := sends(v, false)
					return []feedtest.Actor{
						func() { v.FanOut(1) },
						func() {
							if !deletedBefore {
								sends(v, true)()
								v.Yield()
							}
							again()
							v.FanOut(1)
						},
					}
				},
				Want: []feed.PostID{1},
			}.RunWith(t, true)
		})
	}
}
