package transport

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestWorkers_RunAllAtOnceAndKeepSome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers()
		release, ran := make(chan struct{}), 0
		done := make(chan struct{}, 3*workersMax)
		for range 3 * workersMax {
			w.run(func() { <-release; done <- struct{}{} })
		}
		close(release)
		synctest.Wait()
		if len(done) != cap(done) || len(w.kept) != workersMax {
			t.Errorf("%d functions ran and %d goroutines are kept", len(done), len(w.kept))
		}
		w.run(func() { ran++ })
		synctest.Wait()
		if ran != 1 || len(w.kept) != workersMax {
			t.Errorf("a further function ran %d times, and %d goroutines are kept", ran, len(w.kept))
		}
		<-time.After(2 * keepWorker)
		synctest.Wait()
		if len(w.kept) != 0 {
			t.Errorf("%d idle goroutines are kept for ever", len(w.kept))
		}
	})
}
