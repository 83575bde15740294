package feedtest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

// Announcer is the announcer and listener of one process.
type Announcer interface {
	feed.Announcer
	feed.Listener
}

// Announcements checks the promises of [feed.Announcer] and [feed.Listener]. open returns two
// processes that receive each other's announcements. Its function lose makes listeners miss
// announcements, as a lost connection does.
func Announcements(t *testing.T, open func(t *testing.T) (one, other Announcer, lose func())) {
	for _, p := range []struct {
		name  string
		check func(t *testing.T, one, other Announcer, lose func())
	}{
		{"each listener hears every announcement once, its own included", heardByAll},
		{"nothing is kept for who listens later", heardByNobodyLater},
		{"listening ends with its context", listeningEnds},
		{"listening ends when something may have been missed, and can begin again", listeningLost},
		{"announcing under a context that is over is an error", announcingOver},
	} {
		t.Run(p.name, func(t *testing.T) {
			one, other, lose := open(t)
			p.check(t, one, other, lose)
		})
	}
}

// ear is one call of Listen.
type ear struct {
	t     *testing.T
	heard chan feed.Announcement
	ended chan error
	stop  context.CancelFunc
}

// listen returns when the process listens.
func listen(t *testing.T, l feed.Listener) *ear {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	e := &ear{t: t, heard: make(chan feed.Announcement, many), ended: make(chan error, 1), stop: stop}
	ready := make(chan struct{})
	go func() {
		e.ended <- l.Listen(ctx, func() { close(ready) }, func(a feed.Announcement) { e.heard <- a })
	}()
	t.Cleanup(stop)
	select {
	case <-ready:
	case err := <-e.ended:
		t.Fatalf("listening ended: %v", err)
	case <-time.After(eventually.Limit):
		t.Fatal("listening never began")
	}
	return e
}

// next fails the test unless the next announcements are of these posts, in any order. In a Redis
// Cluster, announcements may overtake each other.
func (e *ear) next(want ...feed.PostID) {
	e.t.Helper()
	for len(want) > 0 {
		select {
		case got := <-e.heard:
			at := slices.Index(want, got.Post)
			if at < 0 || got != announcementOf(got.Post) {
				e.t.Fatalf("heard %+v, want %v", got, want)
			}
			want = slices.Delete(want, at, at+1)
		case err := <-e.ended:
			e.t.Fatalf("listening ended before contents %v: %v", want, err)
		case <-time.After(eventually.Limit):
			e.t.Fatalf("contents %v were never heard of", want)
		}
	}
}

// end returns what Listen returns.
func (e *ear) end() error {
	e.t.Helper()
	select {
	case err := <-e.ended:
		return err
	case <-time.After(eventually.Limit):
		e.t.Fatal("listening never ended")
		return nil
	}
}

// announcementOf returns an announcement of a post. Its other ids are the largest possible ones.
func announcementOf(id feed.PostID) feed.Announcement {
	return feed.Announcement{Post: id, Author: 1<<63 - 1 - feed.UserID(id)}
}

func announce(t *testing.T, a feed.Announcer, ids ...feed.PostID) {
	t.Helper()
	for _, id := range ids {
		if err := a.Announce(t.Context(), announcementOf(id)); err != nil {
			t.Fatal(err)
		}
	}
}

func heardByAll(t *testing.T, one, other Announcer, _ func()) {
	ears := []*ear{listen(t, one), listen(t, other), listen(t, other)}
	announce(t, one, 1, 1<<63-2, 3)
	for _, e := range ears {
		e.next(1, 1<<63-2, 3)
	}
	announce(t, other, 4)
	for _, e := range ears {
		e.next(4)
	}
}

// In a Redis Cluster, an announcement takes a moment to pass between nodes, and current listeners
// still receive it. A listener from the start shows when it has arrived.
func heardByNobodyLater(t *testing.T, one, other Announcer, _ func()) {
	before := listen(t, other)
	announce(t, one, 1)
	before.next(1)
	e := listen(t, other)
	announce(t, one, 2)
	e.next(2)
}

func listeningEnds(t *testing.T, one, other Announcer, _ func()) {
	e := listen(t, one)
	e.stop()
	if err := e.end(); !errors.Is(err, context.Canceled) {
		t.Errorf("listening ended with %v", err)
	}
	announce(t, other, 1)
	if n := len(e.heard); n > 0 {
		t.Errorf("%d announcements were heard after the end", n)
	}
}

func listeningLost(t *testing.T, one, other Announcer, lose func()) {
	e := listen(t, one)
	lose()
	if err := e.end(); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("listening ended with %v", err)
	}
	again := listen(t, one)
	announce(t, other, 1)
	again.next(1)
}

func announcingOver(t *testing.T, one, _ Announcer, _ func()) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if one.Announce(ctx, announcementOf(1)) == nil {
		t.Error("it took no notice")
	}
}
