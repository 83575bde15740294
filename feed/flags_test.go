package feed_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

func TestPolicy_LowersFlagsWithoutReason(t *testing.T) {
	const day = 24 * int64(time.Hour/time.Millisecond)
	const now = 100 * day
	flagged := func(f feed.CoverageFlag, why feed.FlagReason, followers, lowSince int64) feed.FlaggedAuthor {
		return feed.FlaggedAuthor{Author: 1, Flag: f, Reason: why, Followers: followers, LowSince: lowSince}
	}
	for name, c := range map[string]struct {
		mode   feed.FanoutMode
		author feed.FlaggedAuthor
		want   feed.CoverageFlag
	}{
		"low for a week":          {feed.FanoutHybrid, flagged(feed.FlagSelective, feed.FlagThreshold, 3999, now-7*day), feed.FlagNone},
		"low for less":            {feed.FanoutHybrid, flagged(feed.FlagSelective, feed.FlagThreshold, 3999, now-7*day+1), feed.FlagSelective},
		"never low":               {feed.FanoutHybrid, flagged(feed.FlagSelective, feed.FlagThreshold, 4000, 0), feed.FlagSelective},
		"a backlog, low":          {feed.FanoutHybrid, flagged(feed.FlagUnpushed, feed.FlagBacklog, 9, now-8*day), feed.FlagNone},
		"a backlog, many":         {feed.FanoutPush, flagged(feed.FlagUnpushed, feed.FlagBacklog, 9000, 0), feed.FlagUnpushed},
		"unknown, low":            {feed.FanoutHybrid, flagged(feed.FlagUnpushed, feed.FlagUnknown, 9, now-8*day), feed.FlagNone},
		"pull mode is over":       {feed.FanoutHybrid, flagged(feed.FlagUnpushed, feed.FlagMode, 9, 0), feed.FlagNone},
		"pull mode is over, many": {feed.FanoutHybrid, flagged(feed.FlagUnpushed, feed.FlagMode, 5001, 0), feed.FlagSelective},
		"pull mode":               {feed.FanoutPull, flagged(feed.FlagUnpushed, feed.FlagMode, 9, now-8*day), feed.FlagUnpushed},
		"hybrid mode is over":     {feed.FanoutPush, flagged(feed.FlagSelective, feed.FlagThreshold, 9000, 0), feed.FlagNone},
		"too many for a job":      {feed.FanoutPush, flagged(feed.FlagUnpushed, feed.FlagMode, feed.LowerMax, 0), feed.FlagUnpushed},
	} {
		p := feed.DefaultPolicy()
		p.Fanout = c.mode
		to, lowers := p.LowersTo(c.author, now)
		if lowers != (c.want != c.author.Flag) || lowers && to != c.want {
			t.Errorf("%s: the flag falls to %v (%t), want %v", name, to, lowers, c.want)
		}
	}
}
