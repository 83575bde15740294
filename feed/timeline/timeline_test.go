package timeline_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// The users of the tests.
const (
	ann       = fixture.Ann
	bob       = fixture.Bob
	cem       = fixture.Cem
	star      = fixture.Star
	moon      = fixture.Moon
	anonymous = fixture.Anonymous
)

func TestAnonymousViewer_ReadsPublicPostsOnly(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	fixture.Got(v.Timeline.Page(t.Context(), anonymous, feed.PageQuery{})).Refused(v, feed.CodeUnauthenticated)
	fixture.Got(v.Timeline.NewCount(t.Context(), anonymous, "", feed.HomeAuthors, feed.Filter{})).Refused(v, feed.CodeUnauthenticated)

	page := fixture.Got(v.Feeds(v.Timeline).Page(t.Context(), anonymous, feed.OutboxRef(star), feed.PageQuery{})).Must(t)
	fixture.Same(t, "the outbox", fixture.IDsOf(page), 1)
}

func TestNewCount_ChecksCursor(t *testing.T) {
	v := fixture.New(t)
	v.Post(ann, 1, 2)
	n, err := v.Timeline.NewCount(t.Context(), ann, "", feed.HomeAuthors, feed.Filter{})
	if v.Must(err); n != 2 {
		t.Errorf("NewCount is %d, want 2", n)
	}
	outbox := feed.Cursor{Kind: feed.FeedOutbox, Key: feed.Key{TS: 1, ID: 1}}.String()
	fixture.Got(v.Timeline.NewCount(t.Context(), ann, outbox, feed.HomeAuthors, feed.Filter{})).Refused(v, feed.CodeBadCursor)
}

// disturbances are concurrent changes that remove nothing from the viewer's feed.
func disturbances() map[string]func(v fixture.Service) {
	lose := func(v fixture.Service) { v.LoseInbox(ann) }
	return map[string]func(v fixture.Service){
		"the inbox is lost": lose,
		"the inbox is lost and built again": func(v fixture.Service) {
			lose(v)
			v.BuildInbox(ann)
		},
		"the author is unpushed from now on, and the inbox is built without him": func(v fixture.Service) {
			v.Flag(star, feed.FlagUnpushed)
			lose(v)
			v.BuildInbox(ann)
		},
		"pushes trim the inbox": func(v fixture.Service) { v.Deliver(star, 101, 102, 103) },
		"the author is unfollowed and followed again": func(v fixture.Service) {
			v.Unfollow(ann, star)
			v.Follow(ann, star)
		},
		"the author is unfollowed, purged from the inbox, and followed again": func(v fixture.Service) {
			v.Unfollow(ann, star)
			v.Reconcile(ann)
			v.Follow(ann, star)
		},
		"somebody else is followed, and the inbox reconciled": func(v fixture.Service) {
			v.Follow(ann, moon)
			v.WorkAll()
		},
		"an import raises the generation": func(v fixture.Service) { v.ImportPost(104, star) },
		"the inboxes go away":             func(v fixture.Service) { v.Flaky.Down = true },
	}
}

// deep is a service in which a page of ann's feed takes several chunks of the inbox, and three entries
// are below its floor.
func deep(t *testing.T) fixture.Service {
	t.Helper()
	v := fixture.NewFollowing(t)
	v.Post(star, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	v.BuildInbox(ann)
	v.WorkAll()
	v.Delete(star, 6, 7, 8)
	return v
}

// readWhile reads a page that takes several chunks of the inbox and continues below its floor.
// Before the n-th call of a store it runs a change. It returns false if the read needs fewer
// calls.
func readWhile(t *testing.T, n int, happen func(v fixture.Service)) (page *feed.Page, happened bool) {
	v := deep(t)
	was := v.At(n, func() { happen(v) })
	page = v.Page(ann, 3, "")
	return page, was()
}

func TestPage_ExactUnderConcurrentChanges(t *testing.T) {
	for name, happen := range disturbances() {
		t.Run(name, func(t *testing.T) {
			for n := 0; ; n++ {
				page, happened := readWhile(t, n, happen)
				// The page may include posts published during the read.
				ids := slices.DeleteFunc(fixture.IDsOf(page), func(id feed.PostID) bool { return id > 100 })
				if want := []feed.PostID{9, 5, 4}[:len(ids)]; !slices.Equal(ids, want) || len(page.Entries) != 3 || !page.HasNext {
					t.Errorf("change before call %d: the page is %v, has next: %t", n, fixture.IDsOf(page), page.HasNext)
				}
				if !happened {
					if n < 8 {
						t.Errorf("the read made only %d calls", n)
					}
					return
				}
			}
		})
	}
}

// A page whose inbox moved is read again from the new inbox, or from the reference query if there
// is none.
func TestPage_RestartsIfInboxMoves(t *testing.T) {
	source := map[string]feed.Source{
		"the inbox is lost":                 feed.SourceReference,
		"the inbox is lost and built again": feed.SourceInbox,
		"the author is unpushed from now on, and the inbox is built without him": feed.SourceInbox,
		"pushes trim the inbox": feed.SourceInbox,
		// The author is pulled then, and no outbox has deleted posts.
		"the author is unfollowed, purged from the inbox, and followed again": feed.SourceInbox,
		"the inboxes go away": feed.SourceReference,
	}
	for name, happen := range disturbances() {
		v := deep(t)
		// By call 5 the first chunk has been read and judged, and is too short.
		was := v.At(5, func() { happen(v) })
		page := v.Page(ann, 1, "")
		if !was() {
			t.Fatal("the read ended too soon")
		}
		// A page that is read again shows what was pushed meanwhile.
		if id := page.Entries[0].Post.ID; id != 9 && id != 103 {
			t.Errorf("%s: the page begins with %d", name, id)
		}
		// The refill reads far enough ahead to cross the floor.
		v.ReadFrom(ann, cmp.Or(source[name], feed.SourceBoth))
	}
}

// A rebuilt inbox may look like the old one and yet lack an author that the read has not pulled.
func TestPage_RestartsIfInboxIsRebuilt(t *testing.T) {
	for n, happened := 0, true; happened; n++ {
		v := fixture.New(t)
		v.Follow(ann, star, moon)
		v.Post(star, 1, 2)
		v.Post(moon, 3, 4, 5)
		v.BuildInbox(ann)
		v.WorkAll()
		v.Delete(moon, 4, 5)
		was := v.At(n, func() {
			v.Flag(star, feed.FlagUnpushed)
			v.LoseInbox(ann)
			v.BuildInbox(ann)
		})
		page := v.Page(ann, 2, "")
		fixture.Same(t, "the page", fixture.IDsOf(page), 3, 2)
		if !page.HasNext {
			t.Errorf("change before call %d: nothing follows the page", n)
		}
		happened = was()
	}
}

// A read ends and is complete however often its inbox is reconciled meanwhile.
func TestPage_FallsBackIfInboxKeepsMoving(t *testing.T) {
	v := deep(t)
	calls := 0
	v.BeforeCall = func() {
		calls++
		v.Unfollow(ann, moon)
		v.Follow(ann, moon)
		v.Reconcile(ann)
	}
	page := v.Page(ann, 3, "")
	v.BeforeCall = nil
	fixture.Same(t, "the page", fixture.IDsOf(page), 9, 5, 4)
	v.ReadFrom(ann, feed.SourceReference)
	if calls > 40 {
		t.Errorf("the read made %d calls", calls)
	}
}

func TestPage_IgnoresUnusableInbox(t *testing.T) {
	for name, c := range map[string]struct {
		// generation is relative to that of the database.
		generation int64
		build      feed.Build
	}{
		"one from before every inbox was dropped":     {generation: -1, build: feed.Build{Version: 1}},
		"one of a generation that is yet to come":     {generation: 1, build: feed.Build{Version: 1}},
		"one of a version that SQL knows nothing of":  {build: feed.Build{Version: 2}},
		"one that has been begun and is not finished": {},
	} {
		v := fixture.NewFollowing(t)
		v.Post(star, 1)
		v.Queue.Lose()
		version := fixture.Got(v.Relations.ViewerVersion(t.Context(), ann)).Must(t)
		fixture.Is(t, "the version", version.Version, 1)
		fixture.Got(v.Backend.Inboxes.BeginBuild(t.Context(), ann, feed.BuildHeader{Token: "token", Generation: version.Generation + c.generation}, 0)).Must(t)
		if c.build.Version > 0 {
			fixture.Got(v.Backend.Inboxes.FinishBuild(t.Context(), ann, "token", c.build)).Must(t)
		}
		fixture.Same(t, name, v.Home(ann), 1)
		v.ReadFrom(ann, feed.SourceReference)
		if !slices.ContainsFunc(v.Queue.Tasks(), func(task feedtest.Task) bool { return task.Build == ann }) {
			t.Errorf("%s: no build was requested", name)
		}
	}
}

// A feed of mostly hidden posts is read to its end in few calls, because chunks grow.
func TestPage_ReadsHiddenFeedInFewCalls(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	v.Post(moon, 2)
	for id := range feed.PostID(300) {
		v.Publish(star, 100+id, publish.Draft{RepostOf: 2})
	}
	v.Relate(feed.RelationBlock, moon, ann)
	calls := 0
	v.BeforeCall = func() { calls++ }
	page := fixture.Got(v.Feeds(v.Timeline).Page(t.Context(), ann, feed.OutboxRef(star), feed.PageQuery{First: new(1)})).Must(t)
	fixture.Same(t, "the page", fixture.IDsOf(page), 1)
	if calls > 100 {
		t.Errorf("the read made %d calls", calls)
	}
}

// readings records how every page was made.
func readings(v fixture.Service) *[]feed.Reading {
	var all []feed.Reading
	v.Timeline.Trace.PageRead = func(_ feed.UserID, r feed.Reading) { all = append(all, r) }
	return &all
}

func TestTrace_ReportsInboxFound(t *testing.T) {
	v := fixture.NewSelective(t)
	v.Deliver(star, 1)
	got := readings(v)
	v.Home(ann)
	v.EndLeases()
	v.Home(ann)
	v.Flaky.Down = true
	v.Home(ann)
	v.Flaky.Down = false
	v.LoseInbox(ann)
	v.Home(ann)
	fixture.Got(v.Backend.Inboxes.BeginBuild(t.Context(), ann, feed.BuildHeader{Token: "t", StartedAt: v.Clock.Millis()}, 0)).Must(v)
	v.Home(ann)
	fixture.Same(t, "the readings", *got,
		feed.Reading{Source: feed.SourceInbox, Found: feed.FoundWarm},
		feed.Reading{Source: feed.SourceInbox, Found: feed.FoundCold, Pulled: 1},
		feed.Reading{Source: feed.SourceReference, Found: feed.FoundUnreachable},
		feed.Reading{Source: feed.SourceReference, Found: feed.FoundAbsent},
		feed.Reading{Source: feed.SourceReference, Found: feed.FoundBuilding})
}

// stepsOf lists the steps of a read.
type stepsOf struct {
	feed.Viewers
	steps []string
}

func (s *stepsOf) Inbox(ctx context.Context, viewer feed.UserID, r feed.Range, path feed.Path) (feed.Inbox, feed.ViewerState, error) {
	s.steps = append(s.steps, "read")
	return s.Viewers.Inbox(ctx, viewer, r, path)
}

// Place implements [feed.Places].
func (s *stepsOf) Place(context.Context) (feed.ChangePlace, error) {
	s.steps = append(s.steps, "take the token")
	return feed.ChangePlace{Epoch: 1, Number: 1}, nil
}

// What a page lacks must have a later place than its token.
func TestPage_TakesItsTokenBeforeItReads(t *testing.T) {
	v := fixture.NewFollowing(t)
	tl, s := *v.Timeline, &stepsOf{Viewers: v.Timeline.Viewers}
	tl.Viewers, tl.Places = s, s
	fixture.Got(tl.Page(t.Context(), ann, feed.PageQuery{})).Must(t)
	fixture.Same(t, "the first step", s.steps[:1], "take the token")
}
