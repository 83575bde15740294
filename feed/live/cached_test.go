package live_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/live"
)

// askedOf counts the calls of a [live.Changes].
type askedOf struct {
	live.Changes
	standings, since int
}

func (a *askedOf) FeedVersion(ctx context.Context, viewer feed.UserID) (live.FeedVersion, error) {
	a.standings++
	return a.Changes.FeedVersion(ctx, viewer)
}

func (a *askedOf) Since(ctx context.Context, number int64, limit int) ([]live.HostTransition, error) {
	a.since++
	return a.Changes.Since(ctx, number, limit)
}

// caching is a stage whose feed is cached and counts its reads.
type caching struct {
	*stage
	changes *askedOf
	// reads counts all other calls of stores.
	reads int
}

// newCaching returns a stage on which bob and cem, both followed by ann, have sessions in every
// state, dee and ann have an upcoming one, and all replays are pushed.
func newCaching(t *testing.T) *caching {
	t.Helper()
	k := &caching{stage: newStage(t)}
	k.changes = &askedOf{Changes: k.Live.Feed.Changes}
	k.Live.Feed.Changes = k.changes
	k.Live.Feed.Tracker = live.NewChangeTracker(k.changes, k.Live.Feed.Policy)
	k.schedule(bob, 1, 2, 3)
	k.schedule(cem, 4, 5, 6)
	k.schedule(dee, 7)
	k.schedule(ann, 8)
	k.start(bob, 1, 2)
	k.start(cem, 4)
	k.end(bob, 1)
	k.WorkAll()
	k.page(9, "")
	k.WorkAll()
	return k
}

// asks reads a page and returns it with the numbers of version reads, polls and other calls.
func (k *caching) asks(first int, after string) (page *live.Page, got [3]int) {
	k.Helper()
	k.changes.standings, k.changes.since, k.reads = 0, 0, 0
	k.BeforeCall = func() { k.reads++ }
	page = k.page(first, after)
	k.BeforeCall = nil
	got = [3]int{k.changes.standings, k.changes.since, 0}
	got[2] = k.reads - got[0] - got[1]
	return page, got
}

// A cached page takes one read of the feed version. After other hosts' transitions, the first
// reader polls once.
func TestCached_PageReadsOnlyFeedVersion(t *testing.T) {
	k := newCaching(t)
	whole := []live.ID{4, 2, 8, 5, 6, 3, 1}
	k.shows(k.page(9, ""), whole...)
	for _, step := range []struct {
		when string
		do   func()
		asks [3]int
	}{
		{"when nothing has happened", func() {}, [3]int{1, 0, 0}},
		{"when a host that ann does not follow starts a session", func() { k.start(dee, 7) }, [3]int{1, 1, 0}},
		{"when that is cached", func() {}, [3]int{1, 0, 0}},
	} {
		step.do()
		page, got := k.asks(9, "")
		k.shows(page, whole...)
		fixture.Is(t, "version reads, polls and other calls of a page "+step.when, got, step.asks)
	}
}

// The next pages are cached too, once they have been read.
func TestCached_CoversEveryPageOfScroll(t *testing.T) {
	k := newCaching(t)
	k.Live.Feed.Cache = feedtest.NewLiveCache()
	read := func() (ids []live.ID, reads int) {
		t.Helper()
		after := ""
		for {
			page, got := k.asks(2, after)
			reads += got[2]
			for _, e := range page.Entries {
				ids = append(ids, e.Session.ID)
			}
			if !page.HasNext {
				return ids, reads
			}
			after = last(page)
		}
	}
	first, reads := read()
	if reads == 0 {
		t.Error("uncached entries were not read")
	}
	again, reads := read()
	if want := []live.ID{4, 2, 8, 5, 6, 3, 1}; !slices.Equal(first, want) || !slices.Equal(again, want) || reads != 0 {
		t.Errorf("the scrolls are %v and %v, want %v; the second took %d reads", first, again, want, reads)
	}
}

// Pages within a second are identical. Later the time differs, and so do the cursors.
func TestCached_PageIsSameWithinSecond(t *testing.T) {
	k := newCaching(t)
	first := k.page(3, "")
	k.Clock.Advance(900 * time.Millisecond)
	again := k.page(3, "")
	if again.At != first.At || last(again) != last(first) {
		t.Errorf("the page is of %d, cursor %s; it was of %d, %s", again.At, last(again), first.At, last(first))
	}
	k.Clock.Advance(200 * time.Millisecond)
	later := k.page(3, "")
	fixture.Is(t, "the time of the page of more than a second later", later.At, first.At+1000)
	fixture.Is(t, "the time of the next page", k.page(3, last(later)).At, later.At)
}

// Changes that the viewer must see at once.
var seenAtOnce = map[string]struct {
	change func(s *stage)
	want   []live.ID
}{
	"an announcement":         {func(s *stage) { s.schedule(cem, 9) }, []live.ID{4, 2, 8, 9, 5, 6, 3, 1}},
	"a start":                 {func(s *stage) { s.start(bob, 3) }, []live.ID{3, 4, 2, 8, 5, 6, 1}},
	"an end":                  {func(s *stage) { s.end(cem, 4) }, []live.ID{2, 8, 5, 6, 3, 4, 1}},
	"a session by the viewer": {func(s *stage) { s.start(ann, 8) }, []live.ID{8, 4, 2, 5, 6, 3, 1}},
	"a cancellation":          {func(s *stage) { s.cancel(bob, 3) }, []live.ID{4, 2, 8, 5, 6, 1}},
	"a follow":                {func(s *stage) { s.Follow(ann, dee) }, []live.ID{4, 2, 8, 7, 5, 6, 3, 1}},
	"an unfollow":             {func(s *stage) { s.Unfollow(ann, cem) }, []live.ID{2, 8, 3, 1}},
	"a mute":                  {func(s *stage) { s.Relate(feed.RelationMute, ann, cem) }, []live.ID{2, 8, 3, 1}},
	"a block by the other":    {func(s *stage) { s.Relate(feed.RelationBlock, cem, ann) }, []live.ID{2, 8, 3, 1}},
	"a hide by the other":     {func(s *stage) { s.Relate(feed.RelationHide, cem, ann) }, []live.ID{2, 8, 3, 1}},
	"a suspension": {func(s *stage) {
		s.Must(s.Moderation.Impose(s.Context(), feed.Sanction{Subject: feed.Subject{User: cem}, Reason: "spam"}))
	}, []live.ID{2, 8, 3, 1}},
	"the end of an account":   {func(s *stage) { s.finish(cem) }, []live.ID{2, 8, 3, 1}},
	"nothing but other hosts": {func(s *stage) { s.start(dee, 7) }, []live.ID{4, 2, 8, 5, 6, 3, 1}},
}

func (s *stage) cancel(host feed.UserID, id live.ID) {
	s.Helper()
	fixture.Got(s.Live.Hosting.Cancel(s.Context(), host, id)).Must(s)
}

func (s *stage) finish(user feed.UserID) {
	s.Helper()
	s.Must(s.Profiles.DeleteAccount(s.Context(), user, s.Clock.Millis()))
}

// A read fills the cache while a change happens between its steps. The first read after the
// change sees it, in this process and in another that had cached the feed before.
func TestInterleavings_CachedShowsChange(t *testing.T) {
	for name, c := range seenAtOnce {
		for when, cached := range map[string]bool{"nothing is cached": false, "all is cached": true} {
			t.Run(name+", "+when, func(t *testing.T) {
				runs := feedtest.Schedules(t, func(choose feedtest.Choose) bool {
					k := newCaching(t)
					another := k.Live.OtherProcess(k.Live.Feed.Policy)
					if !cached {
						k.Live.Feed = k.Live.OtherProcess(k.Live.Feed.Policy)
					}
					k.otherPage(another)
					k.Interleave([]feedtest.Actor{
						func() { k.page(9, "") },
						func() {
							k.Atomically(func() { c.change(k.stage) })
							k.Yield()
							k.Atomically(func() {
								k.shows(k.page(9, ""), c.want...)
								k.shows(k.otherPage(another), c.want...)
							})
						},
					}, choose)
					k.shows(k.page(9, ""), c.want...)
					return !t.Failed()
				})
				if runs < 2 {
					t.Errorf("there were %d orders", runs)
				}
			})
		}
	}
}

// otherPage reads ann's first page in another process.
func (s *stage) otherPage(process *live.Feed) *live.Page {
	s.Helper()
	first := 9
	page := fixture.Got(process.Page(s.Context(), ann, live.Query{First: &first})).Must(s)
	return page
}

// After a restore of the database, numbers are used again.
func TestCached_EndsWithGenerationOrMinute(t *testing.T) {
	k := newCaching(t)
	cached := func(when string, want bool) {
		t.Helper()
		if _, got := k.asks(9, ""); (got[2] == 0) != want {
			t.Errorf("%s: a page takes %v version reads, polls and other calls", when, got)
		}
	}
	cached("when all is cached", true)
	k.Must(k.PulseLog.RaiseGeneration(t.Context()))
	cached("under a new generation", false)
	cached("when that is cached", true)
	k.Clock.Advance(time.Minute)
	cached("after a minute", true)
	k.Clock.Advance(time.Millisecond)
	cached("after more than a minute", false)
	k.Clock.Advance(-time.Second)
	cached("when the clock was set back", false)
}

// More followees or entries than are cached cost only reads.
func TestCached_IsLimited(t *testing.T) {
	k := newCaching(t)
	whole := []live.ID{4, 2, 8, 5, 6, 3, 1}
	for name, limit := range map[string]func(p *live.Policy){
		"too many followees": func(p *live.Policy) { p.SourcesMax = 2 },
		"too many entries":   func(p *live.Policy) { p.CachedMax = 6 },
		"no cache":           nil,
	} {
		p := live.DefaultPolicy()
		if limit != nil {
			limit(&p)
		}
		if k.Live.Feed = k.Live.OtherProcess(p); limit == nil {
			k.Live.Feed.Cache, k.Live.Feed.Tracker = nil, nil
		}
		for range 3 {
			page, got := k.asks(9, "")
			k.shows(page, whole...)
			if got[2] == 0 {
				t.Errorf("with %s the page was cached", name)
			}
		}
	}
	memory := feedtest.NewLiveCache()
	k.Live.Feed = k.Live.OtherProcess(live.DefaultPolicy())
	k.Live.Feed.Cache = memory
	k.page(9, "")
	if n := memory.Get(ann).Bytes(); n < 7*100 || n > 7*400 {
		t.Errorf("a cached feed of seven sessions takes %d bytes", n)
	}
}

// transitions is a [live.Changes] whose n-th transition is by the n-th host.
type transitions struct {
	live.Changes
	hosts []feed.UserID
	// now is the number of transitions so far.
	now   int64
	asked int
	err   error
}

func (h *transitions) Since(_ context.Context, number int64, limit int) ([]live.HostTransition, error) {
	h.asked++
	var found []live.HostTransition
	for i := number; i < h.now && len(found) < limit; i++ {
		found = append(found, live.HostTransition{Host: h.hosts[i], Number: i + 1})
	}
	return found, h.err
}

// unchanged asks a tracker about bob.
func (h *transitions) unchanged(t *testing.T, tracker *live.ChangeTracker, from, to int64) bool {
	t.Helper()
	h.now = max(h.now, to)
	quiet, err := tracker.Unchanged(t.Context(), from, live.Moment{Number: to}, []feed.UserID{bob})
	if err != nil {
		t.Fatal(err)
	}
	return quiet
}

// start starts a tracker at a number.
func (h *transitions) start(number int64, limit func(p *live.Policy)) *live.ChangeTracker {
	p := live.DefaultPolicy()
	limit(&p)
	tracker := live.NewChangeTracker(h, p)
	tracker.Start(live.Moment{Number: number})
	return tracker
}

// unlimited are the default limits.
func unlimited(*live.Policy) {}

func TestChangeTracker_KnowsChangesSinceStart(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{bob, cem, dee, bob, cem, dee, dee}}
	tracker := h.start(1, unlimited)
	for _, c := range []struct {
		from, to int64
		quiet    bool
	}{
		{1, 1, true}, // nothing has happened
		{1, 3, true},
		{1, 4, false}, // bob's second
		{3, 4, false},
		{4, 7, true},
		{0, 7, false}, // it does not know what came before it began
		{3, 3, true},
		{2, 3, false}, // bob's second is later than that, and may be what the asker has seen
	} {
		if got := h.unchanged(t, tracker, c.from, c.to); got != c.quiet {
			t.Errorf("from %d to %d: unchanged is %t", c.from, c.to, got)
		}
	}
	before := h.asked
	h.unchanged(t, tracker, 5, 7)
	if h.asked != before {
		t.Error("the tracker polled again for known transitions")
	}
}

// A process that was idle catches up in several polls, and restarts if that would take too long.
func TestChangeTracker_CatchesUpOrRestarts(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{cem, cem, cem, bob, cem, cem, cem, cem, cem, cem, cem, cem}}
	tracker := h.start(0, func(p *live.Policy) { p.PollMax, p.PollGap = 2, 5 })
	if !h.unchanged(t, tracker, 0, 3) || h.asked != 2 {
		t.Errorf("bob changed by the third, after %d polls", h.asked)
	}
	if h.unchanged(t, tracker, 0, 5) {
		t.Error("bob is unchanged by the fifth")
	}
	before := h.asked
	if h.unchanged(t, tracker, 4, 12) || h.asked != before {
		t.Errorf("a tracker that lags by seven caught up, with %d polls", h.asked-before)
	}
	if !h.unchanged(t, tracker, 12, 12) || h.unchanged(t, tracker, 11, 12) {
		t.Error("it has not restarted at the twelfth")
	}
}

func TestChangeTracker_RestartsWhenFull(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{cem, dee, ann, cem}}
	tracker := h.start(0, func(p *live.Policy) { p.TrackedMax = 2 })
	if !h.unchanged(t, tracker, 0, 2) {
		t.Error("the tracker is full with two hosts")
	}
	if h.unchanged(t, tracker, 0, 3) || h.unchanged(t, tracker, 2, 3) || !h.unchanged(t, tracker, 3, 4) {
		t.Error("the tracker has not restarted with three hosts")
	}
}

func TestChangeTracker_ForgetsOldGeneration(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{cem, cem, cem}, now: 3}
	tracker := live.NewChangeTracker(h, live.DefaultPolicy())
	for _, c := range []struct {
		started, asked int64
		unchanged      bool
	}{{7, 6, false}, {7, 7, true}, {8, 7, false}, {8, 8, true}} {
		tracker.Start(live.Moment{Generation: c.started, Number: 1})
		got, err := tracker.Unchanged(t.Context(), 1, live.Moment{Generation: c.asked, Number: 3}, nil)
		if got != c.unchanged || err != nil {
			t.Errorf("started in generation %d, asked about %d: unchanged is %t, %v", c.started, c.asked, got, err)
		}
	}
}

// After a failed poll, the tracker polls again.
func TestChangeTracker_ReportsFailedPoll(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{bob}, now: 1, err: feed.Unavailable("the database", errors.New("gone"))}
	tracker := h.start(0, unlimited)
	if _, err := tracker.Unchanged(t.Context(), 0, live.Moment{Number: 1}, nil); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("the error is %v", err)
	}
	h.err = nil
	if h.unchanged(t, tracker, 0, 1) {
		t.Error("bob's transition is missing")
	}
}
