package feed

import (
	"context"
	"math"
	"time"
)

// view is what one read knows of its viewer besides his inbox: how he stands to others,
// whom to pull, and what he has published himself. All of it is read after the view was
// made and from the primary, or remembered from a read that found the same numbers in the
// viewer's stamp, which is the same: whatever changes it raises one of them (see
// [Knowledge]). It belongs to one goroutine.
type view struct {
	viewer    UserID
	relations Relations
	outboxes  Outboxes
	surveyor  Surveyor
	primary   Posts
	users     Users
	// memory is nil when nothing is remembered in the process. recalled is what it has recalled
	// already, if hasRecalled is set.
	memory      Memory
	recalled    *Knowledge
	hasRecalled bool
	// notes says that what is found out is noted, and noted is what others have noted, which is
	// gone by only where nothing is remembered. Without memory or notes no stamp is read unless
	// asked for.
	notes bool
	noted *Knowledge
	// unnoted: something has been found out that is not in the note.
	unnoted bool
	// early are contents that are likely to be judged first; nil when none are being read.
	early *early
	// journal spares reading the stamp of somebody of whom something is remembered, but not
	// until askUntil, on the clock of the source of truth.
	journal  *Journal
	askUntil int64
	// ahead is [PageQuery.Ahead].
	ahead func(ctx context.Context, posts []*Post)
	// hydrated is [PageQuery.Hydrated].
	hydrated func(Hydrated)
	// surveys says that whom to pull and what is the viewer's own will be asked for next, the
	// former most likely since this version and with this lease.
	surveys bool
	since   int64
	cold    bool
	// dated: stamp has been asked for at the time asked, on the journal's clock, and known is
	// what was known as of it.
	dated bool
	asked time.Time
	stamp Stamp
	known Knowledge
}

// view makes a view. An inbox must have been read before, for what the view pulls.
func (t *Timeline) view(viewer UserID) *view {
	return &view{
		viewer: viewer, relations: t.Relations, outboxes: t.Outboxes, surveyor: t.Surveyor, primary: t.Filter.Primary, users: t.Users, memory: t.Memory,
		journal: t.Journal,
	}
}

// behind makes the view one that is read behind an inbox. When the inbox is of a state that
// the journal does not know of yet, whoever changed it knew of a newer stamp.
func (v *view) behind(ctx context.Context, in *Inbox) (Stamp, error) {
	stamp, err := v.date(ctx)
	if err != nil || in.Version <= stamp.Version && in.Generation <= stamp.Generation {
		return stamp, err
	}
	v.dated, v.askUntil = false, math.MaxInt64
	return v.date(ctx)
}

// date returns the viewer's stamp, which it finds out when it is first asked.
func (v *view) date(ctx context.Context) (Stamp, error) {
	if v.dated {
		return v.stamp, nil
	}
	v.asked = v.journal.time()
	k := v.recall()
	if k == nil && v.noted != nil {
		return v.dateNote(ctx)
	}
	if stamp, ok := v.unchanged(k); ok {
		v.dated, v.stamp, v.known = true, stamp, k.asOf(stamp, k.seen)
		return stamp, nil
	}
	// Where the journal is comes first: what it tells of later, this stamp may lack.
	seen := v.journal.Seen()
	if k == nil && v.surveyor != nil && v.surveys {
		return v.survey(ctx, seen)
	}
	stamp, err := v.relations.Stamp(ctx, v.viewer)
	if err != nil {
		return stamp, err
	}
	v.dated, v.stamp, v.known = true, stamp, Knowledge{stamp: stamp, since: stamp.Now, seen: seen}
	if k != nil {
		v.known = k.asOf(stamp, seen)
		// What is kept is put under a later place only where the journal has lost the earlier:
		// that is dearer than to read a stamp.
		if seen > k.seen && !v.journal.Tells(v.viewer, k.seen) {
			v.keep()
		}
	}
	return stamp, nil
}

// recall returns what is remembered of the viewer, nil when nothing is.
func (v *view) recall() *Knowledge {
	k, has := v.recalled, v.hasRecalled
	v.recalled, v.hasRecalled = nil, false
	if has || v.memory == nil {
		return k
	}
	return v.memory.Recall(v.viewer)
}

// dateNote is date for a viewer of whom another process has noted something. The journal of this
// one cannot tell since when that has not changed, so the stamp is read.
func (v *view) dateNote(ctx context.Context) (Stamp, error) {
	k := v.noted
	v.noted = nil
	seen := v.journal.Seen()
	stamp, err := v.relations.Stamp(ctx, v.viewer)
	if err != nil {
		return stamp, err
	}
	v.dated, v.stamp, v.known = true, stamp, k.asOf(stamp, seen)
	// When it was read for the note, nobody knows here. It was before it was found.
	v.known.learned = v.asked
	if v.memory != nil {
		known := v.known
		v.memory.Keep(v.viewer, &known)
	}
	return stamp, nil
}

// survey finds out the stamp together with what a read behind an inbox asks for next. The
// stamp comes first, so the rest may be remembered with it.
func (v *view) survey(ctx context.Context, seen int64) (Stamp, error) {
	found, err := v.surveyor.Survey(ctx, v.viewer, v.since, v.cold, ownMax)
	if err != nil {
		return Stamp{}, err
	}
	v.dated, v.stamp = true, found.Stamp
	v.known = Knowledge{
		stamp: found.Stamp, since: found.Stamp.Now, seen: seen,
		pulled: &pulledAuthors{since: v.since, cold: v.cold, authors: found.Pulled},
		own:    newOwnOutbox(found.Own),
	}
	v.learns()
	v.keep()
	return found.Stamp, nil
}

// unchanged returns the stamp under which k is kept, as it is now, if the journal knows that
// nothing of the viewer's has changed since.
func (v *view) unchanged(k *Knowledge) (Stamp, bool) {
	if k == nil || v.askUntil == math.MaxInt64 {
		return Stamp{}, false
	}
	sight, ok := v.journal.Unchanged(v.viewer, k.seen)
	if !ok || sight.Now < v.askUntil {
		return Stamp{}, false
	}
	return Stamp{
		Version: k.stamp.Version, Own: k.stamp.Own, Marks: sight.Marks, Generation: sight.Generation, Now: sight.Now,
	}, true
}

// remembers says whether there is anything to remember by: a memory or notes, and a viewer who
// is somebody. Then the view is dated.
func (v *view) remembers(ctx context.Context) (bool, error) {
	if v.memory == nil && !v.notes || v.viewer == 0 {
		return false, nil
	}
	_, err := v.date(ctx)
	return err == nil, err
}

// dating returns the path of a page that was made by the view, with its date. What was read a
// lease ago or earlier is known to whoever goes by a lease now; and a number of the stamp that
// has changed since has had read anew what it counts. That may have taken longer than pages
// behind this one ask, so the date is when the last of it had been read.
func (v *view) dating(p Path) Path {
	p.Dated, p.Made = p.Inbox && v.journal != nil, 0
	if p.Dated && v.journal.time().Sub(v.known.learned) < StampLease {
		// Since the stamp was asked for, not since it was there: a date that is late is right.
		since := max(v.known.learned.Sub(v.asked), 0)
		p.Made = (v.stamp.Now + since.Milliseconds()) / 1000
	}
	return p
}

// learns notes that something is read anew, which may be of a change that no stamp has yet.
func (v *view) learns() { v.known.learned = v.journal.time() }

// keep remembers what known has become.
func (v *view) keep() {
	v.unnoted = v.notes
	if v.memory != nil {
		k := v.known
		v.memory.Keep(v.viewer, &k)
	}
}

// toNote returns what is to be noted, and for how long that may be gone by; false when nothing
// has been found out.
func (v *view) toNote() (k Knowledge, keep time.Duration, ok bool) {
	keep = knowFor - time.Duration(v.stamp.Now-v.known.since)*time.Millisecond
	return v.known, keep, v.unnoted && keep > 0
}

// edges returns one edge per other user, in their order, as far as it decides what the
// viewer may see: whether he hides from them, it may leave out. When it has to read some, those
// who wish to hear of the contents that are judged by them do.
func (v *view) edges(ctx context.Context, others []UserID, judged ...*Post) ([]Edge, error) {
	remembers, err := v.remembers(ctx)
	if err != nil {
		return nil, err
	}
	if !remembers {
		v.tell(ctx, judged)
		return v.relations.Edges(ctx, v.viewer, others)
	}
	return recalled(others, v.known.edges.to, func(missing []UserID) ([]Edge, error) {
		v.tell(ctx, judged)
		found, err := v.relations.Edges(ctx, v.viewer, missing)
		if err != nil {
			return nil, err
		}
		v.learns()
		for i := range found {
			found[i].HidesFrom = false
		}
		v.known.edges = v.known.edges.with(missing, found)
		v.keep()
		return found, nil
	})
}

// tell tells of contents that are judged once a read has returned.
func (v *view) tell(ctx context.Context, judged []*Post) {
	if v.ahead != nil && len(judged) > 0 {
		v.ahead(ctx, judged)
	}
}

// posts returns the viewer's own contents.
func (v *view) posts(ctx context.Context, ids []ContentID) ([]*Post, error) {
	remembers, err := v.remembers(ctx)
	if err != nil {
		return nil, err
	}
	if !remembers || v.memory == nil {
		return v.primary.Posts(ctx, ids)
	}
	known := func(id ContentID) (*Post, bool) {
		p, known := v.known.posts[id]
		return p, known
	}
	return recalled(ids, known, func(missing []ContentID) ([]*Post, error) {
		found, err := v.primary.Posts(ctx, missing)
		if err == nil {
			v.learns()
			v.known.posts = grown(v.known.posts, missing, found)
			v.keep()
		}
		return found, err
	})
}

// profile returns the viewer's own; nil when there is nothing to remember it by.
func (v *view) profile(ctx context.Context) (*User, error) {
	remembers, err := v.remembers(ctx)
	if err != nil || !remembers || v.memory == nil || v.users == nil {
		return nil, err
	}
	if v.known.profile == nil {
		found, err := v.users.Users(ctx, []UserID{v.viewer})
		if err != nil || found[0] == nil {
			return nil, err
		}
		v.learns()
		v.known.profile = found[0]
		v.keep()
	}
	return v.known.profile, nil
}

// pulled returns whom an inbox complete up to version since does not cover, as
// [Relations.Pulled] does.
func (v *view) pulled(ctx context.Context, since int64, cold bool) ([]UserID, error) {
	remembers, err := v.remembers(ctx)
	if err != nil {
		return nil, err
	}
	if p := v.known.pulled; p != nil && p.since == since && p.cold == cold {
		return p.authors, nil
	}
	authors, err := v.relations.Pulled(ctx, v.viewer, since, cold)
	if err == nil && remembers {
		v.learns()
		v.known.pulled = &pulledAuthors{since: since, cold: cold, authors: authors}
		v.keep()
	}
	return authors, err
}

// own lists the viewer's own outbox, perhaps with kinds that r does not ask for.
func (v *view) own(ctx context.Context, r Range) ([]Key, error) {
	fresh := func(r Range) ([]Key, error) {
		keys, err := v.outboxes.Outbox(ctx, []UserID{v.viewer}, r)
		v.learns()
		return keys, err
	}
	remembers, err := v.remembers(ctx)
	if err != nil {
		return nil, err
	}
	if remembers && v.known.own == nil {
		keys, err := fresh(Range{Above: Bottom, Below: Top, Limit: ownMax})
		if err != nil {
			return nil, err
		}
		v.known.own = newOwnOutbox(keys)
		v.keep()
	}
	if v.known.own != nil {
		if keys, ok := v.known.own.within(r); ok {
			return keys, nil
		}
	}
	return fresh(r)
}

// knowsOwn says whether the viewer's own outbox has been read or will be remembered, and so is
// better not merged with others by who lists them.
func (v *view) knowsOwn() bool { return v.memory != nil || v.notes || v.known.own != nil }

// recalled returns one value per key: those known, and the others from read.
func recalled[K comparable, V any](keys []K, known func(K) (V, bool), read func(missing []K) ([]V, error)) ([]V, error) {
	out := make([]V, len(keys))
	var missing []K
	var at []int
	for i, k := range keys {
		v, ok := known(k)
		if !ok {
			missing, at = append(missing, k), append(at, i)
		}
		out[i] = v
	}
	if len(missing) == 0 {
		return out, nil
	}
	found, err := read(missing)
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		out[i] = found[n]
	}
	return out, nil
}
