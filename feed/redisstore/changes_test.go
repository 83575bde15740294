package redisstore_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

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
