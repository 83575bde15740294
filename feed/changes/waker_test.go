package changes_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

)

func TestWaker_SignalsAtMostOnceASecond(t *testing.T) {
	run(t, func(t *testing.T, r *running) {
		for range 100 {
			r.edit(7)
			r.pass(50 * time.Millisecond)
		}
		if n := r.signals.wakes; n != 5 {
			t.Errorf("signalled %d times in five seconds", n)
		}
	})
}

// A fleet of writers, each of which signals, must not make the numberer poll more often.
func TestNumberer_PollsNoMoreForManySignals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, signals := &counting{idle: true}, &signals{}
		var leading sync.WaitGroup
		leading.Go(func() { lead(t, numberer(log, signals), 10*time.Second) })
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
