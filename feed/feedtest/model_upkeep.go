package feedtest

import (
	"math"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// The clocks of the two stores differ, so leases last whole hours. Queries ask for times half an
// hour from the end of any lease.

// lengthOfLease is the part of a lease that must be equal in both stores.
type lengthOfLease struct {
	None  bool
	Hours float64
}

func (m *modelTest) renew(t *rapid.T) {
	user, d := m.other(t), time.Duration(rapid.IntRange(-4, 4).Draw(t, "hours"))*time.Hour
	both(m, t, "Renew", func(s Stores) (lengthOfLease, error) {
		l, err := s.Activity.Renew(m.ctx, user, d)
		if l.Until == 0 {
			return lengthOfLease{None: true}, err
		}
		left := time.Duration(l.Until-l.Now) * time.Millisecond
		return lengthOfLease{Hours: left.Round(time.Hour).Hours()}, err
	})
}

// halfHours draws a duration between those of leases.
func (m *modelTest) halfHours(t *rapid.T) time.Duration {
	return time.Duration(rapid.IntRange(0, 5).Draw(t, "hours"))*time.Hour + 30*time.Minute
}

// someFollowers draws a range of followers. Half of the time it selects active followers, and half
// of the time an end is open.
func (m *modelTest) someFollowers(t *rapid.T) feed.FollowerRange {
	r := feed.FollowerRange{
		UpTo:   math.MaxInt64,
		Limit:  rapid.IntRange(1, 4).Draw(t, "limit"),
		Active: rapid.Bool().Draw(t, "active"),
		Grace:  m.halfHours(t),
	}
	if rapid.Bool().Draw(t, "after a user") {
		r.After = m.other(t)
	}
	if rapid.Bool().Draw(t, "up to a user") {
		r.UpTo = m.other(t)
	}
	return r
}

// slice draws a slice. It need not be stored.
func (m *modelTest) slice(t *rapid.T) feed.SliceRef {
	post := m.post(t)
	if len(m.planned) > 0 && rapid.IntRange(0, 4).Draw(t, "of any post if 0, of five") > 0 {
		post = drawn(t, "planned", m.planned)
	}
	return ref(post, rapid.IntRange(0, 2).Draw(t, "task"))
}

// storePlan stores the plan of a stored post, sometimes again.
func (m *modelTest) storePlan(t *rapid.T) {
	if stored := m.storedPosts(anything); len(stored) > 0 {
		p := planOf(drawn(t, "post", stored), rapid.IntRange(0, 3).Draw(t, "slices"))
		p.Selective, p.Large = rapid.Bool().Draw(t, "selective"), rapid.Bool().Draw(t, "large")
		p.Author = rapid.SampledFrom([]feed.UserID{0, 1, 1, 2}).Draw(t, "author")
		m.planned = append(m.planned, p.Post)
		both(m, t, "StorePlan", func(s Stores) ([]feed.Dispatchable[feed.SliceRef], error) { return s.Plans.StorePlan(m.ctx, p, noon) })
	}
}

// claim claims a slice at an even millisecond. Its lease ends at an odd one.
func (m *modelTest) claim(t *rapid.T) {
	r, now, until := m.slice(t), noon+2*rapid.Int64Range(0, 4).Draw(t, "now"), noon+2*rapid.Int64Range(0, 4).Draw(t, "until")+1
	s := both(m, t, "ClaimSlice", func(s Stores) (*feed.Slice, error) { return s.Slices.ClaimSlice(m.ctx, r, now, until) })
	if s != nil {
		m.claimed = append(m.claimed, *s)
	}
}

// claimTogether claims slices together with a slice of an earlier claim, which may be outdated.
func (m *modelTest) claimTogether(t *rapid.T) {
	if len(m.claimed) == 0 {
		return
	}
	held, limit := drawn(t, "slice", m.claimed), rapid.IntRange(0, 3).Draw(t, "limit")
	until := noon + 2*rapid.Int64Range(0, 4).Draw(t, "until") + 1
	claimed := both(m, t, "ClaimTogether", func(s Stores) ([]feed.Slice, error) {
		return s.Slices.ClaimTogether(m.ctx, held, until, limit)
	})
	m.claimed = append(m.claimed, claimed...)
}

// advance stores the progress of a slice, sometimes under an outdated attempt. Usually it completes
// the slice, so that there are plans to clean up.
func (m *modelTest) advance(t *rapid.T) {
	if len(m.claimed) == 0 {
		return
	}
	held := drawn(t, "slice", m.claimed)
	held.Progress += feed.UserID(rapid.IntRange(0, 3).Draw(t, "progress"))
	done := rapid.IntRange(0, 2).Draw(t, "not done, of three") > 0
	both(m, t, "AdvanceSlice", func(s Stores) (feed.Advance, error) { return s.Slices.AdvanceSlice(m.ctx, held, done, noon+1) })
}

// markAnnounced marks a post. The post usually has a plan and may be done.
func (m *modelTest) markAnnounced(t *rapid.T) {
	post := m.slice(t).Post
	both(m, t, "MarkAnnounced", func(s Stores) (bool, error) { return s.Announced.MarkAnnounced(m.ctx, post) })
}

// cleanUp cleans up data from before the case began, or all data, including that of other cases.
func (m *modelTest) cleanUp(t *rapid.T) {
	bound := rapid.SampledFrom([]int64{0, feed.Millis(later())})
	plans, keys, limit := bound.Draw(t, "plans before"), bound.Draw(t, "keys before"), rapid.IntRange(1, 20).Draw(t, "rows")
	for _, s := range []Stores{m.backend, m.model} {
		whileMore(func() (bool, error) { return s.Cleaner.Cleanup(m.ctx, plans, keys, limit) })
	}
	m.comparePlans(t)
}

// dropHandles releases the handles that were freed before the case began, or all freed handles.
func (m *modelTest) dropHandles(t *rapid.T) {
	before, limit := rapid.SampledFrom([]int64{1, feed.Millis(later())}).Draw(t, "freed before"), rapid.IntRange(1, 20).Draw(t, "rows")
	for _, s := range []Stores{m.backend, m.model} {
		whileMore(func() (bool, error) { return s.Cleaner.DropFreedHandles(m.ctx, before, limit) })
	}
}

// drain completes and cleans up the plans of earlier cases, so that counts include only this case.
func (m *modelTest) drain() {
	s := m.backend
	check(s.Plans.Requeue(m.ctx, noon))
	due := must(s.Plans.Due(m.ctx, by(noon), math.MaxInt32, func(int) int64 { return noon }))
	for _, d := range due.Slices {
		must(s.Slices.AdvanceSlice(m.ctx, *must(s.Slices.ClaimSlice(m.ctx, d.Ref, noon, noon)), true, noon))
	}
	whileMore(func() (bool, error) { return s.Cleaner.Cleanup(m.ctx, feed.Millis(later()), 0, many) })
}

// rerun reruns all slices with stored progress, or none.
func (m *modelTest) rerun(t *rapid.T) {
	since := rapid.SampledFrom([]int64{0, feed.Millis(later())}).Draw(t, "since")
	both(m, t, "Rerun", func(s Stores) (int, error) { return s.Progress.Rerun(m.ctx, since, noon) })
	m.comparePlans(t)
}
