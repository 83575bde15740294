package feedtest

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// Effort sets the amount of work of a random test. A slow backend does less.
type Effort struct {
	// Histories is the number of histories for each setting. Steps is the mean number of steps in a
	// history. The flags -rapid.checks and -rapid.steps override them.
	Histories, Steps int
	// Thorough reads every feed at rest with every page size and from every cursor. Otherwise sizes
	// and cursors are random.
	Thorough bool
	// Covers requires that the histories reach rare results, such as pages that come only from inboxes.
	// It needs enough histories.
	Covers bool
}

// HomeModel runs random histories of a service and compares home feeds with the reference query.
//
// Posts are published, back-dated, published many in a millisecond, edited, deleted and imported.
// Users follow, unfollow, mute, hide, block, become inactive or absent, and return. Some have no record,
// and are shown or hidden. Authors cross the push threshold, and settings change. Tasks run late, twice, in any order, or are lost or interrupted.
// They interleave with each other, with reads and with changes at every store call.
//
// While work is pending, a home feed has only posts of the reference query. It has all of
// the viewer's own posts, all posts that an author had published before the follow, and all posts
// that it has shown before. A fresh read ([feed.WithFreshReads]) equals the reference query. A scroll
// skips no post that existed when it began. At rest, the feed
// equals the reference query page for page, with exact flags and counts. HomeModel checks this with
// the inboxes of the history, and again after a build of all inboxes, which reads must use.
//
// A history begins in one of the fan-out modes, with inboxes of some size. open opens a backend for
// each history. It may return the same backend again, because every history has its own users and
// posts. HomeModel sets flags of package rapid, so it must not run in parallel with other tests. A
// failure prints a minimal list of steps and the seed that repeats it.
func HomeModel(t *testing.T, open func(t *testing.T, p feed.Policy) Backend, e Effort) {
	setFlag(t, "rapid.checks", e.Histories)
	setFlag(t, "rapid.steps", e.Steps)
	histories := int64(0)
	for _, setting := range []struct {
		mode feed.FanoutMode
		cap  int
	}{
		{feed.FanoutPush, 3},
		{feed.FanoutPush, 6},
		{feed.FanoutPull, 4},
		{feed.FanoutHybrid, 3},
		{feed.FanoutHybrid, 5},
	} {
		t.Run(fmt.Sprintf("%s mode with inboxes of %d", setting.mode, setting.cap), func(t *testing.T) {
			p := SmallPolicy(setting.mode)
			p.InboxCap = setting.cap
			read := map[feed.Source]int{}
			rapid.Check(t, func(rt *rapid.T) {
				histories++
				m := newHistory(t, rt, open(t, p), p, histories)
				m.thorough, m.read = e.Thorough, read
				steps := m.steps()
				steps["explain"] = m.explain
				rt.Repeat(steps)
				m.rest(rt)
			})
			t.Logf("%d histories so far; sources of the pages read at rest: %v", histories, read)
			if e.Covers && read[feed.SourceInbox] == 0 {
				t.Errorf("no history read a page from an inbox alone; the sources are %v", read)
			}
		})
	}
}

// IDsFor returns the mode of ids with which a policy is tested. Home feeds with inboxes of 5, and all
// pull feeds, have texts.
func IDsFor(p feed.Policy) feed.IDMode {
	if p.Fanout == feed.FanoutPull || p.Fanout == feed.FanoutHybrid && p.InboxCap == 5 {
		return feed.TextIDs
	}
	return feed.NumberIDs
}

// UseIDs sets the mode of ids of an empty backend.
func UseIDs(t *testing.T, s Stores, mode feed.IDMode) {
	if _, err := s.IDs.UseIDs(t.Context(), mode); err != nil {
		t.Fatal(err)
	}
}

// setFlag sets a flag of package rapid for the duration of a test, unless the command line sets it.
func setFlag(t *testing.T, name string, n int) {
	if isSet(name) {
		return
	}
	f := flag.Lookup(name)
	set := func(v string) { check(f.Value.Set(v)) }
	set(strconv.Itoa(n))
	t.Cleanup(func() { set(f.DefValue) })
}

// isSet reports whether the command line sets a flag.
func isSet(name string) bool {
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// history is a service and a record of its past steps.
type history struct {
	ctx      context.Context
	s        *Service
	thorough bool
	users    []feed.UserID
	// began is the first time of the clock and the earliest publish time of posts.
	began time.Time
	// posts are all posts ever stored, including deleted ones.
	posts   []storedPost
	edits   int
	firstID feed.PostID
	// required has the posts that a viewer's home feed must contain while the viewer may see them.
	required map[feed.UserID]map[feed.Key]requirement
	// changed, unless nil, is called after each change.
	changed func()
	// noLoads makes bulk loads imports.
	noLoads bool
	// listed are the members of a list.
	listed feed.Authors
	// lists counts the exclusive lists of all users.
	lists feed.ListID
	// facts decide which posts a viewer may see.
	facts facts
	// awaited are the users without a record.
	awaited map[feed.UserID]bool
	// inTask is set while a task runs.
	inTask bool
	scroll *openScroll
	// reads are the concurrent reads.
	reads []*runningRead
	// read counts the sources of pages at rest.
	read map[feed.Source]int
}

// requirement says why a viewer's feed must show a post. Higher values are stronger.
type requirement int

const (
	notRequired requirement = iota
	// requiredByDisplay means that the feed has shown the post before. The requirement ends if a
	// server loses data, until the push has run again.
	requiredByDisplay
	// requiredByFollow means that the author had published the post before the follow. The
	// requirement never ends.
	requiredByFollow
)

// storedPost is the history's record of a post.
type storedPost struct {
	key    feed.Key
	author feed.UserID
	// original is the original of a repost.
	original feed.PostID
	kind     feed.Kind
}

// backDatedBy is the earliest publish time, in milliseconds before the first step. It is small, so
// that ties are common.
const backDatedBy = 8

// newHistory makes the users of the n-th history.
func newHistory(t *testing.T, rt *rapid.T, b Backend, p feed.Policy, n int64) *history {
	p.PushBatch = rapid.IntRange(1, 3).Draw(rt, "push batch")
	p.SliceSize = rapid.IntRange(1, 3).Draw(rt, "slice size")
	p.PlanBatch = p.SliceSize
	p.LargeAbove = rapid.IntRange(0, 4).Draw(rt, "large above")
	p.FollowLimit = many
	p.OnlineFirst = rapid.IntRange(0, 3).Draw(rt, "online users first")
	m := &history{
		ctx:      t.Context(),
		s:        NewService(b, p),
		firstID:  feed.PostID(1000 * n),
		required: map[feed.UserID]map[feed.Key]requirement{},
		facts:    newFacts(),
		awaited:  map[feed.UserID]bool{},
	}
	m.began = m.s.Clock.Now()
	m.s.Clock.Advance(backDatedBy * time.Millisecond)
	m.useUsers(feed.UsersImplicit)
	for i := range rapid.Int64Range(3, 6).Draw(rt, "users") {
		id := feed.UserID(10*n + i)
		user := newUser(id)
		if rapid.IntRange(0, 3).Draw(rt, "without a record, if zero") == 0 {
			m.awaited[id] = true
			user = &feed.User{ID: id}
		}
		must(b.Users.EnsureUser(m.ctx, user))
		m.users = append(m.users, id)
		m.required[id] = map[feed.Key]requirement{}
	}
	m.makeList(rt)
	m.setUp(rt)
	m.comeOnline(rt)
	return m
}

// setUp makes most users follow each other and, half of the time, builds all inboxes. Otherwise
// histories would spend their steps on this.
func (m *history) setUp(t *rapid.T) {
	for _, viewer := range m.users {
		for _, author := range m.users {
			if viewer != author && rapid.IntRange(0, 2).Draw(t, "followed, if not zero") != 0 {
				choice := drawnChoice(t)
				check(m.s.Backend.Follows.Follow(m.ctx, viewer, author, m.s.Clock.Millis(), many, choice))
				m.facts.follows[pair{viewer, author}], m.facts.options[pair{viewer, author}] = true, choice.Of(0)
			}
		}
	}
	if rapid.Bool().Draw(t, "with inboxes") {
		for _, viewer := range m.users {
			m.wholeFeed(t, viewer)
		}
		check(m.s.Work(m.ctx))
	}
}

func (m *history) must(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

// allowed ends the test on an error other than a refusal, which is part of the history. It reports
// whether the call succeeded.
func (m *history) allowed(t *rapid.T, err error) (done bool) {
	if err != nil && !feed.CodeOf(err).Refusal() {
		t.Fatal(err)
	}
	return err == nil
}

// feedOf returns the viewer's whole feed by the reference query.
func (m *history) feedOf(viewer feed.UserID, filter feed.Filter) []feed.Key {
	return m.feedBy(viewer, feed.HomeAuthors, filter)
}

func (m *history) feedBy(viewer feed.UserID, of feed.Authors, filter feed.Filter) []feed.Key {
	r := all()
	r.Filter = filter
	return must(m.s.Reference.Feed(m.ctx, viewer, of, r))
}

// homePage is a page of a home feed: keys, newest first.
type homePage struct {
	*feed.Page
	keys []feed.Key
	from feed.Source
}

func (m *history) page(t *rapid.T, viewer feed.UserID, q feed.PageQuery) homePage {
	return m.pageIn(m.ctx, t, viewer, q)
}

func (m *history) pageIn(ctx context.Context, t *rapid.T, viewer feed.UserID, q feed.PageQuery) homePage {
	// Pages of one scroll come from processes with and without viewer caches.
	process := drawn(t, "process", []*timeline.Timeline{m.s.Cached, m.s.OtherProcess, m.s.Uncached})
	page := must(process.Page(ctx, viewer, q))
	p := homePage{Page: page, from: m.s.LastSource(viewer)}
	for _, e := range page.Entries {
		p.keys = append(p.keys, e.Post.Key())
	}
	return p
}

// wholeFeed reads the viewer's home feed in one page.
func (m *history) wholeFeed(t *rapid.T, viewer feed.UserID) homePage {
	return m.page(t, viewer, feed.PageQuery{First: new(m.s.Policy.PageMax)})
}

// without returns the keys that are not in list.
func without(keys, list []feed.Key) []feed.Key {
	return slices.DeleteFunc(slices.Clone(keys), func(k feed.Key) bool { return slices.Contains(list, k) })
}

// inFeedOrder reports whether every key is older than its predecessor.
func inFeedOrder(keys []feed.Key) bool {
	for i := 1; i < len(keys); i++ {
		if !keys[i-1].Newer(keys[i]) {
			return false
		}
	}
	return true
}

// rest completes all pending work and compares every home feed with the reference query, during a
// bulk load, if there is one, and after it. It
// compares once with the inboxes of the history, and again after the builds that these reads
// enqueue. At last all absent users return, which needs no further work.
func (m *history) rest(t *rapid.T) {
	for m.scroll != nil {
		m.readNextPage(t)
		m.updateScroll(t)
	}
	check(m.s.Rest(m.ctx))
	if version, err := m.s.Relations.ViewerVersion(m.ctx, 0); err != nil || version.Loading {
		check(err)
		for _, viewer := range m.users {
			m.compareScrolls(t, viewer, feed.HomeAuthors, feed.Filter{})
		}
		m.endLoad(t)
	}
	for _, viewer := range m.users {
		m.compareScrolls(t, viewer, feed.HomeAuthors, drawnFilter(t))
	}
	check(m.s.Rest(m.ctx))
	for _, viewer := range m.users {
		m.compareScrolls(t, viewer, feed.HomeAuthors, feed.Filter{})
		m.compareScrolls(t, viewer, feed.HomeAuthors, drawnFilter(t))
		m.compareScrolls(t, viewer, feed.SpecialAuthors, drawnFilter(t))
		m.compareScrolls(t, viewer, m.listed, drawnFilter(t))
		m.compareCursors(t, viewer, drawn(t, "authors", []feed.Authors{feed.HomeAuthors, feed.SpecialAuthors, m.listed}), drawnFilter(t))
		m.compareSources(t, viewer)
		m.explainAtRest(t, viewer)
	}
	check(m.s.Presence.SetAbsent(m.ctx, m.users, false))
	clear(m.facts.absent)
	for _, viewer := range m.users {
		m.compareScrolls(t, viewer, feed.HomeAuthors, feed.Filter{})
	}
}

// drawnFilter draws a filter, which may let all posts pass.
func drawnFilter(t *rapid.T) feed.Filter {
	f := feed.OfKinds(rapid.SliceOfNDistinct(rapid.SampledFrom(feed.AllKinds()), 0, 2, rapid.ID).Draw(t, "kinds")...)
	if media := drawn(t, "with media", []*bool{nil, nil, new(true), new(false)}); media != nil {
		f = f.WithMedia(*media)
	}
	if drawn(t, "in some languages", []bool{false, false, true}) {
		f = f.InLanguages(drawn(t, "language of the filter", languages()))
	}
	return f
}

// languages returns tags, of which two are of the same language.
func languages() []string { return []string{"en", "EN-gb", "fil", "x-en"} }

// drawnLanguage draws one of the languages or none.
func drawnLanguage(t *rapid.T) string { return drawn(t, "language", append(languages(), "")) }

// sizes returns the page sizes for the comparison.
func (m *history) sizes(t *rapid.T) []int {
	sizes := []int{1, 2, 3, 7, 100}
	if m.thorough {
		return sizes
	}
	return []int{drawn(t, "page size", sizes)}
}

// compareScrolls reads a feed in pages, in both directions.
func (m *history) compareScrolls(t *rapid.T, viewer feed.UserID, of feed.Authors, filter feed.Filter) {
	want := m.feedBy(viewer, of, filter)
	for _, n := range m.sizes(t) {
		after := ""
		for from := 0; ; from += n {
			page := m.comparePage(t, viewer, want, from, min(from+n, len(want)),
				feed.PageQuery{First: &n, After: after, Of: of, Filter: filter, LookBack: true})
			if !page.HasNext {
				break
			}
			after = page.Entries[n-1].Cursor
		}
		before := ""
		for to := len(want); ; to -= n {
			page := m.comparePage(t, viewer, want, max(to-n, 0), to,
				feed.PageQuery{Last: &n, Before: before, Of: of, Filter: filter, LookBack: true})
			if !page.HasPrevious {
				break
			}
			before = page.Entries[0].Cursor
		}
	}
}

// comparePage reads a page. It must equal want[from:to] and have correct flags for both sides.
func (m *history) comparePage(t *rapid.T, viewer feed.UserID, want []feed.Key, from, to int, q feed.PageQuery) homePage {
	page := m.page(t, viewer, q)
	newer, older := from > 0, to < len(want)
	if !slices.Equal(page.keys, want[from:to]) || page.HasNext != older || page.HasPrevious != newer {
		t.Fatalf("at rest, user %d got %v from %s, newer %t, older %t;\nwant %v, newer %t, older %t;\nthe reference feed is %v",
			viewer, page.keys, page.from, page.HasPrevious, page.HasNext, want[from:to], newer, older, want)
	}
	return page
}

// compareCursors reads a page in both directions from the position of every post and counts the
// newer entries. The post need not be in the feed.
func (m *history) compareCursors(t *rapid.T, viewer feed.UserID, of feed.Authors, filter feed.Filter) {
	want := m.feedBy(viewer, of, filter)
	posts := m.posts
	if !m.thorough && len(posts) > 0 {
		posts = []storedPost{drawn(t, "cursor", posts)}
	}
	n := rapid.IntRange(0, 4).Draw(t, "page size")
	for _, c := range posts {
		cursor := feed.Cursor{Kind: of.Kind(), Key: c.key}.String()
		// Neither page contains the post itself.
		above := indexFunc(want, func(k feed.Key) bool { return !k.Newer(c.key) })
		below := indexFunc(want, c.key.Newer)
		m.comparePage(t, viewer, want, below, min(below+n, len(want)),
			feed.PageQuery{First: &n, After: cursor, Of: of, Filter: filter, LookBack: true})
		m.comparePage(t, viewer, want, max(above-n, 0), above,
			feed.PageQuery{Last: &n, Before: cursor, Of: of, Filter: filter, LookBack: true})
		got := must(m.s.Timeline.NewCount(m.ctx, viewer, cursor, of, filter))
		failIf(t, got != min(above, m.s.Policy.CountMax),
			"user %d got %d as the number of new entries since %v; the reference feed is %v", viewer, got, c.key, want)
	}
}

// indexFunc is slices.IndexFunc, but returns the length if no key matches.
func indexFunc(keys []feed.Key, is func(feed.Key) bool) int {
	if i := slices.IndexFunc(keys, is); i >= 0 {
		return i
	}
	return len(keys)
}

// compareSources checks that reads use the inbox. The top of a feed comes from it, and so does the
// whole feed if the inbox is complete.
func (m *history) compareSources(t *rapid.T, viewer feed.UserID) {
	page := m.page(t, viewer, feed.PageQuery{First: new(1)})
	inbox := must(m.s.Inboxes.Read(m.ctx, viewer, feed.Range{Below: feed.Top, Limit: 1}))
	failIf(t, page.from == feed.SourceReference, "user %d got a page from the reference query, although the inbox is %+v", viewer, inbox)
	whole := m.wholeFeed(t, viewer)
	failIf(t, inbox.Floor == feed.Bottom && whole.from != feed.SourceInbox,
		"user %d got the feed from %s, although the inbox is complete: %+v", viewer, whole.from, inbox)
	if inbox.Count > 0 {
		m.read[page.from]++
	}
}
