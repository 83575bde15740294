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

// Effort says how much a random test does, so that a slow backend does less of it.
type Effort struct {
	// Histories is how many histories are made up for each setting, and Steps how
	// many steps each has on average, unless the flags -rapid.checks and
	// -rapid.steps say otherwise.
	Histories, Steps int
	// Thorough reads every feed at rest in pages of every size and from every
	// cursor, and expects the histories to be so many that some pages come from
	// inboxes alone. Else sizes and cursors are drawn.
	Thorough bool
}

// HomeModel runs random histories of a service and compares home feeds with the reference query.
//
// Posts are published, back-dated, published many in a millisecond, edited, deleted and imported.
// Users follow, unfollow, mute, hide, block, go away and return. Authors cross the push threshold,
// and settings change. Tasks run late, twice, in any order, are lost or interrupted, and interleave
// with each other, with reads and with changes, call by call.
//
// While work is pending, a home feed is a part of the feed that the reference query returns. It has
// all of the viewer's own posts, all posts that an author had published when the viewer followed
// them, and all that it has shown before. A scroll skips no post that existed when it began. At
// rest the feed equals the reference query page for page, with exact flags and counts: once with
// the inboxes that the history left, and once with inboxes built since, which reads must use.
//
// A history begins in one of the fan-out modes, with inboxes of some size. open opens a backend
// once per history; it may return the same one, since every history has its own users and posts.
// HomeModel sets flags of package rapid, so it must not run in parallel with other tests. A failure
// prints a minimal list of steps and the seed that repeats it.
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
				rt.Repeat(m.steps())
				m.rest(rt)
			})
			t.Logf("%d histories so far; sources of the pages read at rest: %v", histories, read)
			if e.Thorough && read[feed.SourceInbox] == 0 {
				t.Errorf("no page was ever read from an inbox; the pages' sources are %v", read)
			}
		})
	}
}

// setFlag sets a flag of package rapid for the time of a test, unless the command line has set it.
func setFlag(t *testing.T, name string, n int) {
	if isSet(name) {
		return
	}
	f := flag.Lookup(name)
	set := func(v string) {
		if err := f.Value.Set(v); err != nil {
			t.Fatal(err)
		}
	}
	set(strconv.Itoa(n))
	t.Cleanup(func() { set(f.DefValue) })
}

// isSet returns whether the command line sets a flag.
func isSet(name string) bool {
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// history is what has happened to a service so far.
type history struct {
	ctx      context.Context
	s        *Service
	thorough bool
	users    []feed.UserID
	// began is the clock's first time, and the earliest that posts are published
	// under.
	began time.Time
	// contents are all that were stored, deleted or not.
	contents []content
	firstID  feed.PostID
	// owed has, for every viewer, the posts that must be in the home feed while the viewer may see
	// them.
	owed map[feed.UserID]map[feed.Key]debt
	// inTask is set while a task runs.
	inTask bool
	scroll *openScroll
	// reading has the reads that run concurrently.
	reading []*watchedRead
	// read counts what pages at rest were read from.
	read map[feed.Source]int
}

// debt is why a viewer's feed must show a post.
type debt int

const (
	owedNot debt = iota
	// owedAsShown: the feed has shown it before. A server that loses data takes this back until the
	// push has run again.
	owedAsShown
	// owedByFollow: its author had published it before the follow. Nothing takes this back.
	owedByFollow
)

// content is what a history knows of a post.
type content struct {
	key    feed.Key
	author feed.UserID
}

// backDatedTo is the earliest publish time, in milliseconds before the first step: few, so that
// ties are common.
const backDatedTo = 8

// newHistory makes the users of the n-th history.
func newHistory(t *testing.T, rt *rapid.T, b Backend, p feed.Policy, n int64) *history {
	p.PushBatch = rapid.IntRange(1, 3).Draw(rt, "push batch")
	p.SubtaskSize = rapid.IntRange(1, 3).Draw(rt, "subtask size")
	p.PlanBatch = p.SubtaskSize
	p.FollowLimit = many
	m := &history{
		ctx:     t.Context(),
		s:       NewService(b, p),
		firstID: feed.PostID(1000 * n),
		owed:    map[feed.UserID]map[feed.Key]debt{},
	}
	m.s.Cache.Shared = m.s.Shared
	m.began = m.s.Clock.Now()
	m.s.Clock.Advance(backDatedTo * time.Millisecond)
	for i := range rapid.Int64Range(3, 6).Draw(rt, "users") {
		id := feed.UserID(10*n + i)
		if _, err := b.Users.EnsureUser(m.ctx, newUser(id)); err != nil {
			rt.Fatal(err)
		}
		m.users = append(m.users, id)
		m.owed[id] = map[feed.Key]debt{}
	}
	m.settle(rt)
	return m
}

// settle makes most users follow each other and, half of the time, builds all inboxes. Otherwise
// histories would spend their steps on that.
func (m *history) settle(t *rapid.T) {
	for _, viewer := range m.users {
		for _, author := range m.users {
			if viewer != author && rapid.IntRange(0, 2).Draw(t, "followed, if not zero") != 0 {
				m.must(t, m.s.Backend.Follows.Follow(m.ctx, viewer, author, m.s.Clock.Millis(), many))
			}
		}
	}
	if rapid.Bool().Draw(t, "with inboxes") {
		for _, viewer := range m.users {
			m.whole(t, viewer)
		}
		m.must(t, m.s.Work(m.ctx))
	}
}

func (m *history) must(t *rapid.T, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// allowed accepts a refusal as part of the history.
func (m *history) allowed(t *rapid.T, err error) (done bool) {
	t.Helper()
	if err != nil && !feed.CodeOf(err).Refusal() {
		t.Fatal(err)
	}
	return err == nil
}

// feedOf returns the viewer's whole feed by the reference query.
func (m *history) feedOf(t *rapid.T, viewer feed.UserID, kinds feed.Kinds) []feed.Key {
	t.Helper()
	r := all()
	r.Kinds = kinds
	keys, err := m.s.Reference.Feed(m.ctx, viewer, r)
	m.must(t, err)
	return keys
}

// homePage is a page of a home feed: keys, newest first.
type homePage struct {
	*feed.Page
	keys []feed.Key
	from feed.Source
}

func (m *history) page(t *rapid.T, viewer feed.UserID, q feed.PageQuery) homePage {
	t.Helper()
	// Pages of one scroll meet processes with viewer caches and without.
	through := drawn(t, "process", []*timeline.Timeline{m.s.Cached, m.s.Elsewhere, m.s.Uncached})
	page, err := through.Page(m.ctx, viewer, q)
	m.must(t, err)
	p := homePage{Page: page, from: m.s.LastSource(viewer)}
	for _, e := range page.Entries {
		p.keys = append(p.keys, e.Post.Key())
	}
	return p
}

// whole reads the viewer's whole home feed in one page.
func (m *history) whole(t *rapid.T, viewer feed.UserID) homePage {
	t.Helper()
	return m.page(t, viewer, feed.PageQuery{First: new(m.s.Policy.PageMax)})
}

// without returns the keys that are not in list.
func without(keys, list []feed.Key) []feed.Key {
	return slices.DeleteFunc(slices.Clone(keys), func(k feed.Key) bool { return slices.Contains(list, k) })
}

// isDescending returns whether every key is older than the one before it.
func isDescending(keys []feed.Key) bool {
	for i := 1; i < len(keys); i++ {
		if !keys[i-1].Newer(keys[i]) {
			return false
		}
	}
	return true
}
