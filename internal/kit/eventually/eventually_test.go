package eventually_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// recorder is a test that keeps its failure to itself.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// failureOf runs a wait to its end and returns how it failed, empty if it did not.
func failureOf(wait func(testing.TB)) string {
	r, ended := &recorder{}, make(chan struct{})
	go func() {
		defer close(ended)
		wait(r)
	}()
	<-ended
	return r.failure
}

func TestWaits_FailAtTheLimitOnly(t *testing.T) {
	for name, c := range map[string]struct {
		wait func(t testing.TB, so func() bool)
		want string
	}{
		"True": {
			func(t testing.TB, so func() bool) { eventually.True(t, "it is so", so) },
			"it did not happen within 5m0s that it is so",
		},
		"Succeeds": {
			func(t testing.TB, so func() bool) {
				eventually.Succeeds(t, "the call", func() error {
					if so() {
						return nil
					}
					return errors.New("not yet")
				})
			},
			"the call did not succeed within 5m0s: not yet",
		},
		"Receive": {
			func(t testing.TB, so func() bool) {
				from := make(chan bool, 1)
				if so() {
					from <- true
				}
				eventually.Receive(t, "signal", from)
			},
			"no signal within 5m0s",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				if got := failureOf(func(t testing.TB) { c.wait(t, func() bool { return true }) }); got != "" {
					t.Errorf("what is so at once fails: %s", got)
				}
				if waited := time.Since(began); waited != 0 {
					t.Errorf("what is so at once is waited for, for %v", waited)
				}
				if got := failureOf(func(t testing.TB) { c.wait(t, func() bool { return false }) }); got != c.want {
					t.Errorf("what never happens fails with %q, want %q", got, c.want)
				}
				if waited := time.Since(began); waited < eventually.Limit {
					t.Errorf("it failed after %v, before the limit", waited)
				}
			})
		})
	}
}

func TestTrue_SeesWhatBecomesTrue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		eventually.True(t, "a minute has passed", func() bool { return time.Since(began) >= time.Minute })
		if waited := time.Since(began); waited > time.Minute+50*time.Millisecond {
			t.Errorf("it returned after %v", waited)
		}
	})
}
