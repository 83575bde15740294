package people_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// warmUps returns whose warm-ups are queued, and empties the queue.
func warmUps(v fixture.Service) []feed.UserID {
	var users []feed.UserID
	for _, task := range v.Queue.Tasks() {
		if task.WarmUp != 0 {
			users = append(users, task.WarmUp)
		}
	}
	v.Queue.Lose()
	return users
}

func TestRecorder_AsksOncePerInterval(t *testing.T) {
	for _, c := range []struct{ activeFor, every time.Duration }{
		{30 * 24 * time.Hour, 24 * time.Hour},
		{time.Hour, 30 * time.Minute},
		{time.Minute, 30 * time.Second},
	} {
		v := fixture.New(t, func(p *feed.Policy) { p.ActiveFor = c.activeFor })
		v.Post(star, 1)
		fixture.Same(t, "the first", warmUps(v), star)
		v.Post(star, 2)
		v.Publish(star, 3, publish.Draft{ReplyTo: 1, Text: "text"})
		v.Publish(star, 4, publish.Draft{RepostOf: 1})
		fixture.Same(t, "the next", warmUps(v))
		v.Post(moon, 5)
		fixture.Same(t, "somebody else's", warmUps(v), moon)
		// Each publish takes a millisecond.
		v.Clock.Advance(c.every - 6*time.Millisecond)
		v.Post(star, 6)
		fixture.Same(t, "just before the interval is over", warmUps(v))
		v.Post(star, 7)
		fixture.Same(t, "behind it", warmUps(v), star)
	}
}

func TestPublish_AsksForNoWarmUpUnderFreshLease(t *testing.T) {
	v := fixture.New(t)
	fixture.Got(v.Activity.Renew(t.Context(), star, v.Policy.ActiveFor)).Must(t)
	v.Post(star, 1)
	fixture.Same(t, "under a fresh lease", warmUps(v))
	v.Clock.Advance(v.Policy.RenewAfter)
	v.Post(star, 2)
	fixture.Same(t, "when the lease is due", warmUps(v), star)
}

func TestRecorder_CountsNoRetry(t *testing.T) {
	v := fixture.New(t)
	draft := publish.Draft{Text: "text", IdempotencyKey: "key"}
	v.Publish(star, 1, draft)
	fixture.Same(t, "the first publish", warmUps(v), star)
	v.Clock.Advance(v.Policy.RenewAfter - time.Minute)
	v.Publish(star, 2, draft)
	v.Recorder = &people.ActivityRecorder{Users: v.Users, Queue: v.Queue, Clock: v.Clock.Now, Policy: v.Policy}
	v.Publisher.Recorder = v.Recorder
	v.Publish(star, 3, draft)
	fixture.Same(t, "its retries", warmUps(v))
}

func TestRecorder_NeverFailsAPublish(t *testing.T) {
	v := fixture.New(t)
	var told []error
	v.Recorder.Trace.EnqueueFailed = func(err error) { told = append(told, err) }
	v.Queue.Err = errors.New("the queue is down")
	v.Post(star, 1, 2)
	fixture.Same(t, "the failures told", told, v.Queue.Err)
	v.Queue.Err = nil
	v.Clock.Advance(time.Minute - 3*time.Millisecond)
	v.Post(star, 3)
	fixture.Same(t, "within a minute", warmUps(v))
	v.Post(star, 4, 5, 6)
	fixture.Same(t, "after a minute", warmUps(v), star)
}

func TestRecorder_TriesAgainWhatWasDropped(t *testing.T) {
	v := fixture.New(t)
	v.Recorder.Later = func(func(context.Context)) {}
	v.Post(star, 1)
	v.Recorder.Later = nil
	v.Clock.Advance(time.Minute)
	v.Post(star, 2)
	fixture.Same(t, "a minute later", warmUps(v), star)
}

func TestRecorder_SkipsUsersNotStored(t *testing.T) {
	v := fixture.New(t)
	v.Must(v.Profiles.DeleteAccount(t.Context(), moon, v.Clock.Millis()))
	for _, user := range []feed.UserID{77, moon} {
		v.Recorder.RecordIfStored(t.Context(), user)
		fixture.Same(t, "of a user who is not stored", warmUps(v))
	}
	// Their first request makes them a moment later.
	a := &people.Accounts{Users: v.Users, Clock: v.Clock.Now, Recorder: v.Recorder}
	for _, user := range []feed.UserID{ann, 77, 77} {
		signedIn(v, a, people.Claims{User: user})
	}
	fixture.Same(t, "of one who has just been made", warmUps(v), 77)
	v.Recorder.RecordIfStored(t.Context(), ann)
	fixture.Same(t, "of a user who is stored", warmUps(v), ann)
}

func TestRecorder_AsksOnceOfManyAtOnce(t *testing.T) {
	v := fixture.New(t)
	queue := &countingQueue{Queue: v.Queue, asked: make(chan feed.UserID, 100)}
	v.Recorder.Queue = queue
	var all errgroup.Group
	for range cap(queue.asked) {
		all.Go(func() error { v.Recorder.Record(t.Context(), ann); return nil })
	}
	v.Must(all.Wait())
	fixture.Is(t, "how often it asks", len(queue.asked), 1)
}

// countingQueue takes down whose warm-ups it is asked for.
type countingQueue struct {
	*feedtest.Queue
	asked chan feed.UserID
}

func (q *countingQueue) WarmUp(_ context.Context, viewer feed.UserID) error {
	q.asked <- viewer
	return nil
}

// online is a recorder on a clock that the test sets.
type online struct {
	*testing.T
	*people.OnlineRecorder
	clock     *feedtest.Clock
	store     *feedtest.Online
	connected map[feed.UserID]bool
	asked     int // how often whether a user is connected
}

func newOnline(t *testing.T) *online {
	o := &online{T: t, clock: feedtest.NewClock(), store: &feedtest.Online{}, connected: map[feed.UserID]bool{}}
	o.OnlineRecorder = &people.OnlineRecorder{Online: o.store, Connected: o.isConnected, Clock: o.clock.Now, Policy: feed.DefaultPolicy()}
	return o
}

func (o *online) isConnected(user feed.UserID) bool {
	o.asked++
	return o.connected[user]
}

func (o *online) connect(users ...feed.UserID) {
	for _, user := range users {
		o.connected[user] = true
		o.Came(user)
	}
}

// writes fails the test unless the next write has these users.
func (o *online) writes(what string, want feed.Online) {
	o.Helper()
	o.store.Users = feed.Online{}
	if err := o.Write(o.Context()); err != nil {
		o.Fatal(err)
	}
	if got := o.store.Users; !slices.Equal(got.Connected, want.Connected) || !slices.Equal(got.Seen, want.Seen) {
		o.Errorf("%s: wrote %v, want %v", what, got, want)
	}
}

func TestOnline_WritesEachUserOnceAMinute(t *testing.T) {
	o := newOnline(t)
	o.connect(1, 2, 1)
	o.Saw(7)
	o.Saw(7)
	o.Saw(0)
	o.writes("the first write", feed.Online{Connected: []feed.UserID{1, 2}, Seen: []feed.UserID{7}})
	o.clock.Advance(time.Second)
	o.Saw(7)
	o.writes("a second later", feed.Online{})
	o.connect(3)
	o.Saw(8)
	o.writes("newcomers", feed.Online{Connected: []feed.UserID{3}, Seen: []feed.UserID{8}})
	o.clock.Advance(time.Minute)
	o.Saw(7)
	o.writes("a minute later", feed.Online{Connected: []feed.UserID{1, 2, 3}, Seen: []feed.UserID{7}})
}

func TestOnline_LooksOnlyAtThoseDue(t *testing.T) {
	o := newOnline(t)
	o.connect(1, 2, 3)
	o.writes("the first write", feed.Online{Connected: []feed.UserID{1, 2, 3}})
	delete(o.connected, 2)
	o.asked = 0
	for range 50 {
		o.clock.Advance(time.Second)
		o.writes("a write before they are due", feed.Online{})
	}
	fixture.Is(t, "the users looked at before they were due", o.asked, 0)
	o.clock.Advance(10 * time.Second)
	o.writes("without who left", feed.Online{Connected: []feed.UserID{1, 3}})
	o.connect(2)
	o.writes("who came back", feed.Online{Connected: []feed.UserID{2}})
}

func TestOnline_WritesAtMostItsLimit(t *testing.T) {
	o := newOnline(t)
	o.Policy.OnlineMax = 2
	o.connect(1, 2, 3)
	for id := range feed.UserID(4) {
		o.Saw(id)
	}
	o.writes("the first write", feed.Online{Connected: []feed.UserID{1, 2}, Seen: []feed.UserID{1, 2}})
	o.writes("the next one", feed.Online{Connected: []feed.UserID{3}})
}

func TestOnline_WritesNothingIfTurnedOff(t *testing.T) {
	o := newOnline(t)
	o.Policy.OnlineFirst = 0
	o.connect(1)
	o.Saw(7)
	o.writes("a write", feed.Online{})
}
