package changes_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

func TestWaker_SignalsAtMostOnceASecond(t *testing.T) {
	run(t, func(t *testing.T, r *running) {
		for range 100 {
			r.edit(7)
			r.pass(50 * time.Millisecond)
		}
		if n := len(r.signals.wakes); n != 5 {
			t.Errorf("signalled %d times in five seconds", n)
		}
	})
}

// A fleet of writers, each of which signals, must not make the numberer poll more often.
func TestNumberer_PollsNoMoreForManySignals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, signals := &idle{}, &signals{}
		n := &changes.Numberer{Log: log, Signal: signals, Leaders: memstore.New(time.Now), Holder: "one"}
		var leading sync.WaitGroup
		leading.Go(func() { lead(t, n, 10*time.Second) })
		for range 990 {
			<-time.After(10 * time.Millisecond)
			_ = signals.SignalWaiting(t.Context())
		}
		leading.Wait()
		if n := log.calls.Load(); n > 10*20+10 {
			t.Errorf("polled %d times in 10 seconds", n)
		}
	})
}
