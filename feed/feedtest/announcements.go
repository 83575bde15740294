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
	promise := func(name string, check func(t *testing.T, one, other Announcer, lose func())) {
		t.Run(name, func(t *testing.T) {
			one, other, lose := open(t)
			check(t, one, other, lose)
		})
	}
	promise("each listener receives every announcement once, including those of its own process", func(t *testing.T, one, other Announcer, _ func()) {
		calls := []*listenCall{listen(t, one), listen(t, other), listen(t, other)}
		announce(t, one, 1, 1<<63-2, 3)
		for _, e := range calls {
			e.expect(1, 1<<63-2, 3)
		}
		announce(t, other, 4)
		for _, e := range calls {
			e.expect(4)
		}
	})
	// In a Redis Cluster, an announcement takes a moment to pass between nodes, and listeners that
	// start meanwhile still receive it. The first listener shows when it has arrived.
	promise("a listener receives no earlier announcements", func(t *testing.T, one, other Announcer, _ func()) {
		before := listen(t, other)
		announce(t, one, 1)
		before.expect(1)
		e := listen(t, other)
		announce(t, one, 2)
		e.expect(2)
	})
	promise("listening ends with its context", func(t *testing.T, one, other Announcer, _ func()) {
		e := listen(t, one)
		e.stop()
		if err := e.end(); !errors.Is(err, context.Canceled) {
			t.Errorf("Listen: got error %v, want the context's error", err)
		}
		announce(t, other, 1)
		if n := len(e.received); n > 0 {
			t.Errorf("%d announcements arrived after Listen had returned, want none", n)
		}
	})
	promise("listening ends when an announcement may have been lost, and can begin again", func(t *testing.T, one, other Announcer, lose func()) {
		e := listen(t, one)
		lose()
		if err := e.end(); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("Listen: got error %v, want the error of a lost connection", err)
		}
		again := listen(t, one)
		announce(t, other, 1)
		again.expect(1)
	})
	promise("announcing with an ended context is an error", func(t *testing.T, one, _ Announcer, _ func()) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if one.Announce(ctx, announcementOf(1)) == nil {
			t.Error("Announce succeeded with an ended context, want an error")
		}
	})
}

// listenCall is a running call of Listen.
type listenCall struct {
	t        *testing.T
	received chan feed.Announcement
	ended    chan error
	stop     context.CancelFunc
}

// listen returns when the process listens.
func listen(t *testing.T, l feed.Listener) *listenCall {
	ctx, stop := context.WithCancel(t.Context())
	e := &listenCall{t: t, received: make(chan feed.Announcement, many), ended: make(chan error, 1), stop: stop}
	ready := make(chan struct{})
	go func() {
		e.ended <- l.Listen(ctx, func() { close(ready) }, func(a feed.Announcement) { e.received <- a })
	}()
	t.Cleanup(stop)
	select {
	case <-ready:
	case err := <-e.ended:
		t.Fatalf("Listen returned before it was ready: %v", err)
	case <-time.After(eventually.Limit):
		t.Fatal("Listen was never ready")
	}
	return e
}

// expect fails the test unless the next announcements are of these posts, in any order: in a Redis
// Cluster, announcements may overtake each other.
func (e *listenCall) expect(want ...feed.PostID) {
	for len(want) > 0 {
		select {
		case got := <-e.received:
			at := slices.Index(want, got.Post)
			if at < 0 || got != announcementOf(got.Post) {
				e.t.Fatalf("received %+v, want one of the posts %v", got, want)
			}
			want = slices.Delete(want, at, at+1)
		case err := <-e.ended:
			e.t.Fatalf("Listen returned before the announcements of posts %v arrived: %v", want, err)
		case <-time.After(eventually.Limit):
			e.t.Fatalf("the announcements of posts %v never arrived", want)
		}
	}
}

// end returns what Listen returns.
func (e *listenCall) end() error {
	select {
	case err := <-e.ended:
		return err
	case <-time.After(eventually.Limit):
		e.t.Fatal("Listen never returned")
		return nil
	}
}

// announcementOf returns an announcement of a post. Its other ids are the largest possible ones.
func announcementOf(id feed.PostID) feed.Announcement {
	return feed.Announcement{Post: id, Author: 1<<63 - 1 - feed.UserID(id)}
}

func announce(t *testing.T, a feed.Announcer, ids ...feed.PostID) {
	for _, id := range ids {
		check(a.Announce(t.Context(), announcementOf(id)))
	}
}
