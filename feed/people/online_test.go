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
	connected []feed.UserID
}

func newOnline(t *testing.T) *online {
	o := &online{T: t, clock: feedtest.NewClock(), store: &feedtest.Online{}}
	o.OnlineRecorder = &people.OnlineRecorder{
		Online: o.store, Connected: func() []feed.UserID { return o.connected }, Clock: o.clock.Now, Policy: feed.DefaultPolicy(),
	}
	return o
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
	o.connected = []feed.UserID{1, 2}
	o.Saw(7)
	o.Saw(7)
	o.Saw(0)
	o.writes("the first write", feed.Online{Connected: []feed.UserID{1, 2}, Seen: []feed.UserID{7}})
	o.clock.Advance(time.Second)
	o.Saw(7)
	o.writes("a second later", feed.Online{})
	o.connected = []feed.UserID{1, 2, 3}
	o.Saw(8)
	o.writes("newcomers", feed.Online{Connected: []feed.UserID{3}, Seen: []feed.UserID{8}})
	o.clock.Advance(time.Minute)
	o.Saw(7)
	o.writes("a minute later", feed.Online{Connected: []feed.UserID{1, 2, 3}, Seen: []feed.UserID{7}})
}

func TestOnline_WritesAtMostItsLimit(t *testing.T) {
	o := newOnline(t)
	o.Policy.OnlineMax = 2
	o.connected = []feed.UserID{1, 2, 3}
	for id := range feed.UserID(4) {
		o.Saw(id)
	}
	o.writes("the first write", feed.Online{Connected: []feed.UserID{1, 2}, Seen: []feed.UserID{1, 2}})
}

func TestOnline_WritesNothingIfTurnedOff(t *testing.T) {
	o := newOnline(t)
	o.Policy.OnlineFirst = 0
	o.connected = []feed.UserID{1}
	o.Saw(7)
	o.writes("a write", feed.Online{})
}
