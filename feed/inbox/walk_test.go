package inbox_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/inbox"
)

func TestWalk_MeetsEveryInbox(t *testing.T) {
	v := fixture.New(t)
	for _, viewer := range []feed.UserID{ann, cem, star, moon} {
		v.BuildInbox(viewer)
	}
	var met []feed.UserID
	v.Must(inbox.Walk(t.Context(), v.Backend.Inboxes, 3, func(viewers []feed.UserID) error {
		met = append(met, viewers...)
		return nil
	}))
	fixture.Same(t, "whom it met", met, ann, cem, star, moon)

	stop, slicesMet := errors.New("stop"), 0
	err := inbox.Walk(t.Context(), v.Backend.Inboxes, 1, func([]feed.UserID) error {
		slicesMet++
		return stop
	})
	if !errors.Is(err, stop) || slicesMet != 1 {
		t.Errorf("after %d slices the error is %v", slicesMet, err)
	}
}

func TestSample_ReturnsAllOfFew(t *testing.T) {
	v := fixture.New(t)
	for n := range 4 {
		sample, total, err := inbox.Sample(t.Context(), v.Backend.Inboxes, 3, 2, rand.New(rand.NewPCG(1, 2)))
		v.Must(err)
		fixture.Same(t, "the sample", sample, []feed.UserID{ann, bob, cem}[:n]...)
		if total != n {
			t.Errorf("there are %d, want %d", total, n)
		}
		v.BuildInbox([]feed.UserID{ann, bob, cem, star}[n])
	}
}

func TestSample_IsUniform(t *testing.T) {
	v := fixture.New(t)
	everybody := []feed.UserID{ann, bob, cem, star, moon}
	for _, viewer := range everybody {
		v.BuildInbox(viewer)
	}
	const draws = 2000
	drawn := map[feed.UserID]int{}
	random := rand.New(rand.NewPCG(3, 4))
	for range draws {
		sample, total, err := inbox.Sample(t.Context(), v.Backend.Inboxes, 2, 2, random)
		v.Must(err)
		if len(sample) != 2 || total != 5 || !slices.IsSorted(sample) {
			t.Fatalf("of %d the sample is %v", total, sample)
		}
		for _, viewer := range sample {
			drawn[viewer]++
		}
	}
	for _, viewer := range everybody {
		// Two of five; 80 is four times the standard deviation.
		if n := drawn[viewer]; n < 2*draws/5-80 || n > 2*draws/5+80 {
			t.Errorf("user %d was drawn %d times in %d", viewer, n, draws)
		}
	}
}
