package redisstore_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// announcing returns two processes on the Redis at a URL.
func announcing(t *testing.T, url string) (one, other *redisstore.Announcements) {
	t.Helper()
	return redisstore.NewAnnouncements(open(t, url)), redisstore.NewAnnouncements(open(t, url))
}

func TestAnnouncements(t *testing.T) {
	t.Run("redis", func(t *testing.T) {
		feedtest.Announcements(t, func(t *testing.T) (one, other feedtest.Announcer, lose func()) {
			url := testenv.StartRedis(t, testenv.RedisOptions{}).URL()
			one, other = announcing(t, url)
			return one, other, func() {
				must(t, raw(t, open(t, url)).ClientKillByFilter(t.Context(), "TYPE", "pubsub").Err())
			}
		})
	})
	t.Run("embedded", func(t *testing.T) {
		feedtest.Announcements(t, func(t *testing.T) (one, other feedtest.Announcer, lose func()) {
			url := embedded(t).URL()
			one, other = announcing(t, url)
			return one, other, func() { publish(t, url, `{"v":2}`) }
		})
	})
	t.Run("cluster", func(t *testing.T) {
		url := testenv.StartRedisCluster(t, 0).URL()
		feedtest.Announcements(t, func(t *testing.T) (one, other feedtest.Announcer, lose func()) {
			one, other = announcing(t, url)
			return one, other, func() { publish(t, url, "nonsense") }
		})
	})
}

// publish puts a text on the channel of announcements.
func publish(t *testing.T, url, text string) {
	t.Helper()
	must(t, raw(t, open(t, url)).Publish(t.Context(), "tideline:announce", text).Err())
}

// hearing listens for signals until the test ends, and returns a channel with one value for the
// beginning and for each signal.
func hearing(t *testing.T, listen func(ctx context.Context, heard func()) error) <-chan struct{} {
	t.Helper()
	heard, ended := make(chan struct{}, 100), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(ended)
		_ = listen(ctx, func() { heard <- struct{}{} })
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return heard
}

func TestChangeSignal_WakesAllProcesses(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(t *testing.T) string{
		"redis":    func(t *testing.T) string { return testenv.Redis(t) },
		"embedded": func(t *testing.T) string { return embedded(t).URL() },
		"cluster":  func(t *testing.T) string { return testenv.StartRedisCluster(t, 0).URL() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := url(t)
			first, second := redisstore.NewChangeSignal(open(t, at)), redisstore.NewChangeSignal(open(t, at))
			one, two, leader := hearing(t, first.Listen), hearing(t, second.Listen), hearing(t, second.ListenWaiting)
			for _, heard := range []<-chan struct{}{one, two, leader} {
				eventually.Receive(t, "the beginning", heard)
			}
			sender := redisstore.NewChangeSignal(open(t, at))
			must(t, sender.Signal(t.Context(), feed.ChangePlace{Epoch: 5, Number: 7}))
			for _, heard := range []<-chan struct{}{one, two} {
				eventually.Receive(t, "a signal", heard)
			}
			if len(leader) > 0 {
				t.Error("numbered changes wake the process that numbers")
			}
			must(t, sender.SignalWaiting(t.Context()))
			eventually.Receive(t, "a signal of waiting changes", leader)
			if len(one)+len(two) > 0 {
				t.Error("changes without numbers wake readers")
			}
		})
	}
}

// BenchmarkAnnounce announces a post without listeners, and to one listening process.
func BenchmarkAnnounce(b *testing.B) {
	url := testenv.Redis(b)
	a := redisstore.NewAnnouncements(open(b, url))
	announce := func(b *testing.B) {
		for b.Loop() {
			must(b, a.Announce(b.Context(), feed.Announcement{Post: 1 << 62, Author: 1}))
		}
	}
	b.Run("nobody listens", announce)
	ready := make(chan struct{})
	go func() { _ = a.Listen(b.Context(), func() { close(ready) }, func(feed.Announcement) {}) }()
	<-ready
	b.Run("one listens", announce)
}
