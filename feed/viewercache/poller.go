package viewercache

import (
	"context"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// pollInterval is how old a poll is when the next one begins: with this and what a poll
	// takes, a lease hardly ever ends before there is another one.
	pollInterval = feed.VersionLease / 3
	// holdAgain is how long before the end of a hold writers are told to wait again.
	holdAgain = feed.LeasesHoldFor / 2
	// busyRate is how many versions must be wanted in a second for a poller to lease them: with
	// a fifth of it, there would be a poll for each of them.
	busyRate = 400
	// countFor is how long versions are counted before busyRate is applied again.
	countFor = 250 * time.Millisecond
	// gapMax is how long a poller may not have polled and still continue from its last poll. It
	// is half of what a [feed.ChangeLog] must keep.
	gapMax = feed.ChangesKeptFor / 2
	// restFor is how long a poller does not poll after too much had changed: while some
	// transaction lasts for long, as one at a prompt may, each poll would pass over all that
	// was changed since, and be of no use.
	restFor = time.Second
	// changedMax is how many viewers a poller knows to have changed: a few megabytes.
	changedMax = 100_000
)

// Poller knows which viewer versions have not changed, without reading each of them. Every few
// milliseconds, while many are wanted, it polls the change log; a viewer whom no poll has named
// has the version that they had.
//
// What it knows is a few milliseconds old, which is no older than a read may rely on: a poll
// may be relied on for [feed.VersionLease] from its beginning, and writers return once leases that
// do not know of their change have ended ([feed.ChangeLog.HoldWriters]). So a change that has returned
// before a read began is in what the poller says, as if the version had been read, whatever
// has crashed or failed over meanwhile: a poller that cannot poll has no lease, and versions are
// read again (docs/exact-hybrid.md has the argument).
//
// Its fields are set once, before the first use. It is used by many goroutines at once. A nil
// poller knows nothing.
type Poller struct {
	Log feed.ChangeLog
	// Clock must go on when the time of day is set.
	Clock feed.Clock
	// Async runs a poll after the read that found it due. It must run it.
	Async func(func(context.Context))
	Trace feed.Trace

	mu sync.Mutex
	// last is the last poll, that of the given round, begun and ended at the given times.
	last         feed.Poll
	round        int64
	began, ended time.Time
	// heldUntil is until when writers are known to wait, and leases whether the last poll began
	// while they did.
	heldUntil time.Time
	leases    bool
	// changed has the round of the last poll that named a viewer, for all changes after round
	// since.
	changed map[feed.UserID]int64
	since   int64
	// polling: a poll is running or about to. None begins before restUntil.
	polling   bool
	restUntil time.Time
	// asked is how often versions were wanted since counted, and busy the result of the count
	// before.
	asked   int
	counted time.Time
	busy    bool
}

// Round returns the number of the last poll: what is read from now on is cached under it. It is
// 0, about which nothing can be told, before the first poll.
func (p *Poller) Round() int64 {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.round
}

// Unchanged returns what all versions have in common now, if it knows that viewer's version has
// not changed since a round.
func (p *Poller) Unchanged(viewer feed.UserID, round int64) (feed.CommonVersion, bool) {
	if p == nil {
		return feed.CommonVersion{}, false
	}
	now, known := p.unchanged(viewer, round)
	if p.Trace.VersionWanted != nil {
		p.Trace.VersionWanted(known)
	}
	return now, known
}

func (p *Poller) unchanged(viewer feed.UserID, round int64) (feed.CommonVersion, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Clock()
	p.count(now)
	if p.busy && !p.polling && !now.Before(p.restUntil) && now.Sub(p.began) >= pollInterval {
		p.polling = true
		p.Async(p.renew)
	}
	if !p.leased(now) || !p.covers(viewer, round) {
		return feed.CommonVersion{}, false
	}
	common := p.last.CommonVersion
	// Since the poll ended, not since it began: what has passed by then is not more than what
	// has passed on the other clock.
	common.Now += now.Sub(p.ended).Milliseconds()
	return common, true
}

// Covers reports whether viewer's version had not changed, as of the last poll, since a round.
// It does not say that it has not changed by now.
func (p *Poller) Covers(viewer feed.UserID, round int64) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.covers(viewer, round)
}

func (p *Poller) covers(viewer feed.UserID, round int64) bool {
	return round != 0 && round >= p.since && p.changed[viewer] <= round
}

// leased reports whether the last poll may be relied on at the time now. Writers wait for longer
// than that: they do so for longer than they are known to.
func (p *Poller) leased(now time.Time) bool { return p.leases && now.Sub(p.began) < feed.VersionLease }

// count counts that a version is wanted, and decides now and then whether they are many. A busy
// poller stays busy down to half of the rate.
func (p *Poller) count(now time.Time) {
	p.asked++
	passed := now.Sub(p.counted)
	if passed < countFor {
		return
	}
	least := busyRate * passed.Seconds()
	if p.busy {
		least /= 2
	}
	p.busy = float64(p.asked) >= least
	p.asked, p.counted = 0, now
}

func (p *Poller) renew(ctx context.Context) {
	if err := p.Poll(ctx); err != nil && p.Trace.PollFailed != nil {
		p.Trace.PollFailed(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.polling = false
}

// Poll polls the change log now. A busy poller does so by itself.
func (p *Poller) Poll(ctx context.Context) error {
	if err := p.hold(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	began, position := p.Clock(), p.last.Position
	if began.Sub(p.began) > gapMax {
		position = ""
	}
	p.mu.Unlock()
	found, err := p.Log.Poll(ctx, position)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if position != "" && !found.Whole {
		p.restUntil = began.Add(restFor)
	}
	p.add(found, began)
	return nil
}

// hold tells writers to wait, unless they are known to do so for long enough. What they are
// known to do counts from before they were told.
func (p *Poller) hold(ctx context.Context) error {
	p.mu.Lock()
	now, until := p.Clock(), p.heldUntil
	p.mu.Unlock()
	if until.Sub(now) >= holdAgain {
		return nil
	}
	if err := p.Log.HoldWriters(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heldUntil = now.Add(feed.LeasesHoldFor)
	return nil
}

// add takes a poll that began at the given time. The mutex is held.
func (p *Poller) add(found feed.Poll, began time.Time) {
	// What numbers of another generation count is something else.
	whole := found.Whole && found.Generation == p.last.Generation && len(p.changed) <= changedMax
	p.round++
	p.last, p.began, p.ended = found, began, p.Clock()
	if !found.Whole {
		// It may be the first poll of its server, which perhaps does not know that writers were
		// told to wait: a replica that takes over may lack the last second. So they are told again.
		p.heldUntil = time.Time{}
	}
	// Some time may have passed since writers were found to wait, as in a process that halts.
	p.leases = began.Before(p.heldUntil)
	if !whole || p.changed == nil {
		p.changed, p.since = map[feed.UserID]int64{}, p.round
		return
	}
	for _, viewer := range found.Changed {
		p.changed[viewer] = p.round
	}
}
