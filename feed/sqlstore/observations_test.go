package sqlstore_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func TestObservations_LastUntilOldOrDropped(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		now := time.UnixMilli(1_777_896_000_000)
		s := b.open(t)
		s.Set(sqlstore.WithClock(func() time.Time { return now }))
		first := sqlstore.Observation{Name: "untrusted_proxy", Subject: "192.0.2.7"}
		second := sqlstore.Observation{Name: "untrusted_proxy", Subject: "192.0.2.8"}
		silent := sqlstore.Observation{Name: "silent_proxy", Subject: "192.0.2.7"}
		observe := func(o sqlstore.Observation) { mustBe(t, "", s.Observe(t.Context(), o)) }
		holds := func(when string, want ...sqlstore.Observation) {
			t.Helper()
			got, err := s.ObservedWithin(t.Context(), time.Hour)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s got %v, %v, want %v", when, got, err, want)
			}
		}
		holds("at first")
		observe(first)
		observe(silent)
		holds("after one of each", silent, first)
		observe(second)
		holds("after another subject", silent, second)
		drop := func(o sqlstore.Observation, unseenFor time.Duration, want bool) {
			t.Helper()
			if dropped, err := s.DropObservation(t.Context(), o, unseenFor); err != nil || dropped != want {
				t.Errorf("%v, unseen for %v: dropped %v, %v, want %v", o, unseenFor, dropped, err, want)
			}
		}
		drop(first, 0, false)
		now = now.Add(time.Minute)
		drop(second, time.Minute+time.Millisecond, false)
		holds("while they are too young or of another subject", silent, second)
		drop(second, time.Minute, true)
		holds("after the drop", silent)
		now = now.Add(time.Hour - time.Minute)
		holds("at the end of the window", silent)
		now = now.Add(time.Millisecond)
		holds("past the window")
		observe(silent)
		holds("when it was seen again", silent)
	})
}
