package feed_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
)

// warmUps returns whose warm-ups are queued, and empties the queue.
func (v town) warmUps() []feed.UserID {
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
		v := newTown(t, func(p *feed.Policy) { p.ActiveFor = c.activeFor })
		v.post(star, 1)
		same(t, "the first", v.warmUps(), star)
		v.post(star, 2)
		v.publish(star, 3, feed.Draft{ReplyTo: 1, Text: "text"})
		v.publish(star, 4, feed.Draft{RepostOf: 1})
		same(t, "the next", v.warmUps())
		v.post(moon, 5)
		same(t, "somebody else's", v.warmUps(), moon)
		// Each publish takes a millisecond.
		v.Clock.Advance(c.every - 6*time.Millisecond)
		v.post(star, 6)
		same(t, "just before the interval is over", v.warmUps())
		v.post(star, 7)
		same(t, "behind it", v.warmUps(), star)
	}
}

func TestRecorder_CountsNoRetry(t *testing.T) {
	v := newTown(t)
	draft := feed.Draft{Text: "text", IdempotencyKey: "key"}
	v.publish(star, 1, draft)
	same(t, "the first publish", v.warmUps(), star)
	v.Clock.Advance(v.Policy.RenewAfter - time.Minute)
	v.publish(star, 2, draft)
	v.Recorder = &feed.ActivityRecorder{Users: v.Users, Queue: v.Queue, Clock: v.Clock.Now, Policy: v.Policy}
	v.Publisher.Recorder = v.Recorder
	v.publish(star, 3, draft)
	same(t, "its retries", v.warmUps())
}

func TestRecorder_NeverFailsAPublish(t *testing.T) {
	v := newTown(t)
	var told []error
	v.Recorder.Trace.EnqueueFailed = func(err error) { told = append(told, err) }
	v.Queue.Away = errors.New("the queue is away")
	v.post(star, 1, 2)
	same(t, "the failures told", told, v.Queue.Away)
	v.Queue.Away = nil
	v.Clock.Advance(time.Minute - 3*time.Millisecond)
	v.post(star, 3)
	same(t, "within a minute", v.warmUps())
	v.post(star, 4, 5, 6)
	same(t, "after a minute", v.warmUps(), star)
}

func TestRecorder_TriesAgainWhatWasDropped(t *testing.T) {
	v := newTown(t)
	v.Recorder.Later = func(func(context.Context)) {}
	v.post(star, 1)
	v.Recorder.Later = nil
	v.Clock.Advance(time.Minute)
	v.post(star, 2)
	same(t, "a minute later", v.warmUps(), star)
}

func TestRecorder_SkipsUsersNotStored(t *testing.T) {
	v := newTown(t)
	v.must(v.Profiles.DeleteAccount(t.Context(), moon, v.Clock.Millis()))
	for _, user := range []feed.UserID{77, moon} {
		v.Recorder.RecordIfStored(t.Context(), user)
		same(t, "of a user who is not stored", v.warmUps())
	}
	// Their first request makes them a moment later.
	a := &feed.Accounts{Users: v.Users, Clock: v.Clock.Now, Recorder: v.Recorder}
	v.signedIn(a, feed.Claims{User: 77})
	same(t, "of one who has just been made", v.warmUps(), 77)
	v.Recorder.RecordIfStored(t.Context(), ann)
	same(t, "of a user who is stored", v.warmUps(), ann)
}

func TestSignIn_CountsWhenItMakesTheUser(t *testing.T) {
	v := newTown(t)
	a := &feed.Accounts{Users: v.Users, Clock: v.Clock.Now, Recorder: v.Recorder}
	v.signedIn(a, feed.Claims{User: ann})
	same(t, "of a user who is stored", v.warmUps())
	v.signedIn(a, feed.Claims{User: 77})
	v.signedIn(a, feed.Claims{User: 77})
	same(t, "of a new one", v.warmUps(), 77)
}

// What a recorder has asked for makes the user active, as a read does.
func TestRecorder_RenewsLeaseAndInbox(t *testing.T) {
	v := newSquare(t)
	v.lapse()
	v.post(ann, 1)
	v.work()
	want := v.Clock.Millis() + v.Policy.ActiveFor.Milliseconds()
	lease, err := v.Activity.Renew(t.Context(), ann, 0)
	v.must(err)
	if until := v.header(ann).WarmUntil; until != want || lease.Until != want {
		t.Errorf("the inbox is warm until %d and the lease ends at %d, want %d", until, lease.Until, want)
	}
}

func TestRecorder_AsksOnceOfManyAtOnce(t *testing.T) {
	v := newTown(t)
	queue := &countingQueue{Queue: v.Queue, asked: make(chan feed.UserID, 100)}
	v.Recorder.Queue = queue
	var all errgroup.Group
	for range cap(queue.asked) {
		all.Go(func() error { v.Recorder.Record(t.Context(), ann); return nil })
	}
	v.must(all.Wait())
	if n := len(queue.asked); n != 1 {
		t.Errorf("it asks %d times", n)
	}
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
