package inbox_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

func flagOf(v fixture.Service, author feed.UserID) feed.CoverageFlag {
	v.Helper()
	_, flag, err := v.Backend.Audience.Reach(v.Context(), author)
	v.Must(err)
	return flag
}

func TestLowerFlags_WaitsForFewFollowers(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.Fanout, p.PushThreshold = feed.FanoutHybrid, 3 })
	v.Follow(ann, star)
	v.Follow(bob, star)
	v.Follow(cem, star)
	v.Flag(star, feed.FlagSelective)
	lower := func() feed.CoverageFlag {
		v.Must(v.Maintenance.LowerFlags(t.Context()))
		return flagOf(v, star)
	}
	step := v.Policy.FlagsKept
	lower()
	v.Clock.Advance(step)
	fixture.Same(t, "the flag of an author with many followers", []feed.CoverageFlag{lower()}, feed.FlagSelective)
	v.Unfollow(cem, star)
	lower()
	v.Clock.Advance(step / 2)
	v.Follow(cem, star)
	lower()
	v.Clock.Advance(step / 2)
	v.Unfollow(cem, star)
	fixture.Same(t, "the flag after a return above the limit", []feed.CoverageFlag{lower()}, feed.FlagSelective)
	v.Clock.Advance(step)
	fixture.Same(t, "the flag after a week with few", []feed.CoverageFlag{lower()}, feed.FlagNone)
	v.Deliver(star, 1)
	fixture.Same(t, "the feed", v.Home(ann), feed.PostID(1))
}

func TestLowerFlags_PushesAgainAfterPullMode(t *testing.T) {
	v := fixture.New(t)
	v.Cover(ann, star)
	v.Fanout.Policy.Fanout, v.Publisher.Policy.Fanout = feed.FanoutPull, feed.FanoutPull
	v.Deliver(star, 1)
	v.Fanout.Policy.Fanout, v.Publisher.Policy.Fanout = feed.FanoutPush, feed.FanoutPush
	v.Must(v.Maintenance.LowerFlags(t.Context()))
	v.Deliver(star, 2)
	fixture.Same(t, "the feed before a reconciliation", v.Home(ann), 2, 1)
	v.WorkAll()
	fixture.Same(t, "the entries after it", v.Entries(ann), 2, 1)
	v.Deliver(star, 3)
	fixture.Same(t, "the entries after a further post", v.Entries(ann), 3, 2, 1)
}
