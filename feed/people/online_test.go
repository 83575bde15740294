package people_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/people"
)

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
	if o.asked != 0 {
		t.Errorf("%d users were looked at before they were due", o.asked)
	}
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
