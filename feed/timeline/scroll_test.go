package timeline_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// The reference query shows posts with pending pushes. A scroll that moved to an inbox would skip
// them, unless the build of the inbox read all of them.
func TestScroll_LeavesReferenceQueryForLaterBuildOnly(t *testing.T) {
	t.Run("it was built since", func(t *testing.T) {
		v := fixture.NewFollowing(t)
		v.Post(star, 1, 2, 3)
		v.Queue.Lose()
		first := v.Page(ann, 1, "")
		v.ReadFrom(ann, feed.SourceReference)
		v.BuildInbox(ann)
		fixture.Same(t, "the rest", v.Scroll(ann, first), 2, 1)
		v.ReadFrom(ann, feed.SourceInbox)
	})
	t.Run("its build began before, and ended since", func(t *testing.T) {
		v := fixture.NewFollowing(t)
		v.Post(star, 1)
		var first *feed.Page
		// Calls 0 to 4 read inbox, version, lease, flag and outboxes. The first page shows what
		// is published after them, and its push stays pending.
		happened := v.At(5, func() {
			v.Post(star, 2, 3)
			first = v.Page(ann, 1, "")
			v.Queue.Lose()
		})
		v.BuildInbox(ann)
		if !happened() || v.Header(ann).Count != 1 {
			t.Fatalf("the build did not run as intended: %+v", v.Header(ann))
		}
		fixture.Same(t, "the rest", v.Scroll(ann, first), 2, 1)
		v.ReadFrom(ann, feed.SourceReference)
	})
	t.Run("inboxes were unreachable, and it existed all the time", func(t *testing.T) {
		v := fixture.New(t)
		v.Cover(ann, star)
		v.Post(star, 1, 2, 3)
		v.Queue.Lose()
		v.Flaky.Down = true
		first := v.Page(ann, 1, "")
		v.Flaky.Down = false
		fixture.Same(t, "the rest", v.Scroll(ann, first), 2, 1)
		v.ReadFrom(ann, feed.SourceReference)
	})
}

// A read requests the build last. Otherwise the build would usually begin before the first page
// is read, and the scroll could never leave the reference query.
func TestScroll_RequestsBuildAfterFirstPage(t *testing.T) {
	v := fixture.NewSharing(t)
	v.Follow(ann, star)
	v.Post(star, 1)
	v.Queue.Lose()
	v.BeforeCall = func() {
		if v.Queue.Len() > 0 {
			t.Error("the build was requested before the read ended")
		}
	}
	v.Page(ann, 1, "")
	if v.BeforeCall = nil; v.Queue.Len() != 1 {
		t.Errorf("the queue is %v", v.Queue.Tasks())
	}
}

// The second page may find an inbox that covers an author that the first page pulled. Coverage is
// about pushes that are done, and the first page has shown more.
func TestScroll_KeepsPulledAuthorsOfFirstPage(t *testing.T) {
	for name, c := range map[string]struct{ before, cover func(v fixture.Service) }{
		"a reconciliation covers the author": {
			before: func(v fixture.Service) {},
			cover:  func(v fixture.Service) { v.Reconcile(ann) },
		},
		"a warm-up covers the author": {
			before: func(v fixture.Service) {
				v.Reconcile(ann)
				v.Flag(star, feed.FlagSelective)
				v.Clock.Advance(v.Policy.ActiveFor)
			},
			cover: func(v fixture.Service) { v.WarmUp(ann) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.New(t)
			v.BuildInbox(ann)
			v.Follow(ann, star)
			c.before(v)
			var first *feed.Page
			// Before the fifth and last call, which writes the header, the build has read the
			// outboxes. Pushes of later posts stay pending.
			happened := v.At(4, func() {
				v.Post(star, 1, 2, 3)
				v.Queue.Lose()
				first = v.Page(ann, 1, "")
			})
			c.cover(v)
			v.Happened(happened)
			v.ReadFrom(ann, feed.SourceInbox)
			fixture.Same(t, "the rest", v.Scroll(ann, first), 2, 1)
			fixture.Same(t, "another scroll, without the push", v.Home(ann))
		})
	}
}

// Below the floor of its first page, a scroll uses the reference query even if a new build has a
// lower floor.
func TestScroll_KeepsFloorOfFirstPage(t *testing.T) {
	v := fixture.NewFollowing(t)
	v.Post(star, 1, 2, 3, 4, 5, 6, 7, 8)
	v.BuildInbox(ann)
	v.WorkAll()
	first := v.Page(ann, 2, "")
	v.Delete(star, 4, 5, 6)
	v.LoseInbox(ann)
	happened := v.At(5, func() {
		past := v.Clock.Millis() - 6
		v.Publish(star, 9, publish.Draft{Text: "back-dated", PublishedAt: &past})
		v.Queue.Lose()
	})
	v.BuildInbox(ann)
	if in := v.Header(ann); !happened() || in.Floor != feed.Bottom {
		t.Fatalf("the new floor is not lower: %+v", in)
	}
	fixture.Same(t, "the rest", v.Scroll(ann, first), 3, 9, 2, 1)
	v.ReadFrom(ann, feed.SourceReference)
}
