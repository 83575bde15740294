package feed_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

func TestSemaphore_LimitsConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := feed.NewSemaphore(2, time.Second)
		first, second := fixture.HoldSlot(t, s), fixture.HoldSlot(t, s)
		defer second()
		done := make(chan error)
		go func() { done <- s.Do(t.Context(), func() error { return nil }) }()
		synctest.Wait()
		select {
		case err := <-done:
			t.Fatalf("a third did not wait: %v", err)
		default:
		}
		first()
		if err := <-done; err != nil {
			t.Errorf("the one who waited gets %v", err)
		}
	})
}

func TestSemaphore_TimesOutAsUnavailable(t *testing.T) {
	for patience, want := range map[time.Duration]func(error) bool{
		time.Second: func(err error) bool { return feed.CodeOf(err) == feed.CodeUnavailable },
		time.Hour:   func(err error) bool { return errors.Is(err, context.DeadlineExceeded) },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := feed.NewSemaphore(1, patience)
			defer fixture.HoldSlot(t, s)()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			began := time.Now()
			err := s.Do(ctx, func() error {
				t.Error("it was done all the same")
				return nil
			})
			if waited := time.Since(began); !want(err) || waited != min(patience, time.Minute) {
				t.Errorf("after %v the error is %v", waited, err)
			}
		})
	}
}

func TestSemaphore_ErrorFreesSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := feed.NewSemaphore(1, time.Hour)
		broken := errors.New("broken")
		for range 3 {
			fixture.Fails(t, s.Do(t.Context(), func() error { return broken }), broken)
		}
	})
}

func TestTimeline_LimitsReferenceQueries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := fixture.NewFollowing(t)
		v.Post(star, 1)
		v.Timeline.ReferenceLimit = feed.NewSemaphore(1, time.Second)
		release := fixture.HoldSlot(t, v.Timeline.ReferenceLimit)
		fixture.Got(v.Timeline.Page(t.Context(), ann, feed.PageQuery{})).Refused(v, feed.CodeUnavailable)
		release()
		fixture.Same(t, "the feed", v.Home(ann), 1)
	})
}
