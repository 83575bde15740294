package subscribe_test

import (
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/subscribe"
)

// With one turn, each of the notified subscriptions is called when the one before it has polled or
// ended.
func TestNotify_CallsInTurn(t *testing.T) {
	f := newFleet(t, func(p *feed.Policy) { p.DeliveriesMax = 1 })
	var called []int
	var subs []*subscribe.Subscription
	for i, viewer := range []feed.UserID{ann, bob, cem, moon, ann} {
		if i < 4 {
			f.Follow(viewer, star)
		}
		sub := f.subscribe(f.here, viewer)
		sub.Notify(func() { called = append(called, i) })
		subs = append(subs, sub)
	}
	awake := func(n int) *subscribe.Subscription {
		t.Helper()
		if len(called) != n {
			t.Fatalf("the subscriptions %v are awake or done, want %d", called, n)
		}
		return subs[called[n-1]]
	}
	f.Deliver(star, 11)
	f.gets(awake(1), 11)
	awake(2).Close()
	third := awake(3)
	for i, sub := range subs {
		if !slices.Contains(called, i) {
			sub.Close() // while it waits
			break
		}
	}
	awake(4)
	f.gets(third, 11)
	f.gets(awake(5), 11)

	// All have had their turn, so the next post begins with another one.
	one := f.subscribe(f.here, ann)
	one.Notify(func() { called = append(called, 5) })
	f.Deliver(star, 12)
	fixture.Same(t, "the last one awake", called[len(called)-1:], 5)
}
