package feed

import (
	"context"
	"sync"
	"time"
)

// StampLease is how long after it was begun a look at all stamps may be gone by. It is also
// what a change of a stamp waits for between its commit and its return, where processes keep
// journals, so it is part of what programs that share a database have agreed on: one that
// waits less than another one leases shows stale feeds. A change that waits ten milliseconds
// takes about twice as long as it did, which nobody notices who has pressed a button; a look
// takes one or two of them on a busy machine.
const StampLease = 10 * time.Millisecond

const (
	// lookAgain is how old a look is when the next one is begun: with this and what a look
	// takes, a lease hardly ever ends before there is another one.
	lookAgain = StampLease / 3
	// HoldFor is how long a journal goes by its leases after it has told writers to wait for
	// them ([ChangeLog.Hold]), and holdAgain how long before the end it tells them again.
	HoldFor   = 20 * time.Second
	holdAgain = HoldFor / 2
	// journalBusy is how many stamps must be wanted in a second for a journal to keep
	// leases: with a fifth of it, there would be a look for each of them.
	journalBusy = 400
	// journalPace is how long stamps are counted before it is decided again.
	journalPace = 250 * time.Millisecond
	// journalGap is how long a journal may have not looked and still go on from its last
	// look. It is half of what a [ChangeLog] must keep.
	journalGap = ChangesKeptFor / 2
	// journalRest is how long a journal does not look when too much had changed: while some
	// transaction lasts for long, as one at a prompt may, each look would pass over all that
	// was changed since, and be of no use.
	journalRest = time.Second
	// journalMax is how many viewers a journal knows to have changed: a few megabytes.
	journalMax = 100_000
)

// ChangesKeptFor is how long a [ChangeLog] can tell what has changed since some look.
const ChangesKeptFor = time.Minute

// ChangeLog tells whose stamps have changed. It is part of the source of truth.
type ChangeLog interface {
	// Look looks at all stamps, as of one moment after it was called. The look tells what
	// has changed since the one whose position is given; nothing of that when it is empty.
	Look(ctx context.Context, since string) (Look, error)
	// Hold has writers wait. From its return on, and for [HoldFor] and longer, whatever
	// changes a stamp, or finds that it need not, returns [StampLease] or more after what it
	// relies on was committed.
	Hold(ctx context.Context) error
}

// Look is what one look at all stamps finds.
type Look struct {
	// Position is where the next look goes on.
	Position string
	// Changed are those whose [Stamp.Version] or [Stamp.Own] has changed since the position
	// that was given, and perhaps others, in no order. When they cannot be told, because
	// there was no position, it is of another server or they are too many, Whole is false.
	Changed []UserID
	Whole   bool
	Sight
}

// Sight is what is the same for all viewers at one moment.
type Sight struct {
	// Generation, Marks and Now are those of every [Stamp].
	Generation, Marks, Now int64
	// Transitions is the number of the last transition of a live session.
	Transitions int64
	// Leaving says that some account is deleted whose relations are still to be ended.
	Leaving bool
}

// Journal knows whose stamps have changed without asking each time. Every few milliseconds,
// while many are wanted, it looks at what all stamps have become, and whoever was not changed
// has the stamp that he had. What it knows is a few milliseconds old. That is no older than
// whoever asks may rely on: writers return when leases that do not know of their change have
// ended ([ChangeLog.Hold]). So a change that has returned before a stamp is asked for is in
// it, as if it had been read, whatever has crashed or fails over meanwhile: what cannot look
// any more has no lease, and stamps are read again (docs/exact-hybrid.md has the argument).
//
// Its fields are set once, before the first use. It may be used by many goroutines at once,
// and nil is a journal that knows nothing.
type Journal struct {
	Log ChangeLog
	// Clock must go on when the time of day is set.
	Clock Clock
	// Later runs what is left to be done behind a read. It must run it.
	Later func(func(context.Context))
	Trace Trace

	mu sync.Mutex
	// look is the last one, the n-th, begun and ended at the given times.
	look         Look
	n            int64
	began, ended time.Time
	// heldUntil is until when writers are known to wait, and leases whether the last look was
	// begun while they did.
	heldUntil time.Time
	leases    bool
	// changed has the number of the look that told of a change last. It tells of all changes
	// behind look since.
	changed map[UserID]int64
	since   int64
	// looking: a look is under way, or about to be. None is begun before restUntil.
	looking   bool
	restUntil time.Time
	// asked is how often stamps were wanted since counted, and busy what came of it when
	// they were counted before.
	asked   int
	counted time.Time
	busy    bool
}

// time is the present on the journal's clock; no time where there is no journal.
func (j *Journal) time() time.Time {
	if j == nil {
		return time.Time{}
	}
	return j.Clock()
}

// Seen returns where the journal is: a stamp that is read from now on goes under it. It is 0,
// which nothing can be told about, before the first look.
func (j *Journal) Seen() int64 {
	if j == nil {
		return 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.n
}

// Unchanged returns what all stamps have in common now, if it knows that viewer's has not
// changed since the journal was where seen says.
func (j *Journal) Unchanged(viewer UserID, seen int64) (Sight, bool) {
	if j == nil {
		return Sight{}, false
	}
	sight, known := j.unchanged(viewer, seen)
	j.Trace.stamped(known)
	return sight, known
}

func (j *Journal) unchanged(viewer UserID, seen int64) (Sight, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.Clock()
	j.count(now)
	if j.busy && !j.looking && !now.Before(j.restUntil) && now.Sub(j.began) >= lookAgain {
		j.looking = true
		j.Later(j.renew)
	}
	if !j.leased(now) || !j.tells(viewer, seen) {
		return Sight{}, false
	}
	sight := j.look.Sight
	// Since the look ended, not since it began: what has passed by then is not more than what
	// has passed on the other clock.
	sight.Now += now.Sub(j.ended).Milliseconds()
	return sight, true
}

// Tells says whether the journal knows that viewer's stamp had not changed, when it last
// looked, since it was where seen says. It does not say that it has not changed by now.
func (j *Journal) Tells(viewer UserID, seen int64) bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.tells(viewer, seen)
}

func (j *Journal) tells(viewer UserID, seen int64) bool {
	return seen != 0 && seen >= j.since && j.changed[viewer] <= seen
}

// leased says whether the last look may be gone by at the time now. Writers wait for longer
// than that: they do so for longer than they are known to.
func (j *Journal) leased(now time.Time) bool { return j.leases && now.Sub(j.began) < StampLease }

// count counts that a stamp is wanted, and decides now and then whether they are many. Those
// that are not so many any more may go on.
func (j *Journal) count(now time.Time) {
	j.asked++
	passed := now.Sub(j.counted)
	if passed < journalPace {
		return
	}
	least := journalBusy * passed.Seconds()
	if j.busy {
		least /= 2
	}
	j.busy = float64(j.asked) >= least
	j.asked, j.counted = 0, now
}

// renew looks once more, and has writers wait where that is to be done again.
func (j *Journal) renew(ctx context.Context) {
	if err := j.Look(ctx); err != nil {
		j.Trace.lookFailed(err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.looking = false
}

// Look looks at all stamps now. It is what a busy journal does by itself.
func (j *Journal) Look(ctx context.Context) error {
	if err := j.hold(ctx); err != nil {
		return err
	}
	j.mu.Lock()
	began, position := j.Clock(), j.look.Position
	if began.Sub(j.began) > journalGap {
		position = ""
	}
	j.mu.Unlock()
	look, err := j.Log.Look(ctx, position)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if position != "" && !look.Whole {
		j.restUntil = began.Add(journalRest)
	}
	j.add(look, began)
	return nil
}

// hold has writers wait, unless they are known to do so for long enough. What they are known
// to do counts from before they were told.
func (j *Journal) hold(ctx context.Context) error {
	j.mu.Lock()
	now, until := j.Clock(), j.heldUntil
	j.mu.Unlock()
	if until.Sub(now) >= holdAgain {
		return nil
	}
	if err := j.Log.Hold(ctx); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.heldUntil = now.Add(HoldFor)
	return nil
}

// add takes a look that was begun at the given time. The mutex is held.
func (j *Journal) add(look Look, began time.Time) {
	// What numbers of another generation count is something else.
	whole := look.Whole && look.Generation == j.look.Generation && len(j.changed) <= journalMax
	j.n++
	j.look, j.began, j.ended = look, began, j.Clock()
	if !look.Whole {
		// It may be the first of its server, which perhaps knows nothing of who was told to
		// wait: a replica that takes over may lack the last second. So they are told again.
		j.heldUntil = time.Time{}
	}
	// Some time may have passed since it was found that they wait, as in a process that halts.
	j.leases = began.Before(j.heldUntil)
	if !whole || j.changed == nil {
		j.changed, j.since = map[UserID]int64{}, j.n
		return
	}
	for _, viewer := range look.Changed {
		j.changed[viewer] = j.n
	}
}
