package feedtest

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// AnnouncementLog checks the promises of [feed.AnnouncementLog].
func AnnouncementLog(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"the end of the last slice marks a post, and no call after it", announcedOnce},
		{"a post without recipients is marked when its plan is stored", announcedEmpty},
		{"a post without a plan is not marked", announcedUnplanned},
		{"a post whose slices run again is not marked again", announcedRerun},
		{"only one of many concurrent calls marks a post", announcedAtOnce},
		{"pushes are logged for each viewer until the post has a plan", pushesLogged},
		{"an ended context is an error and marks nothing", announcedEndedContext},
	})
}

// announces reports whether this call marks the post.
func (w *world) announces(post feed.PostID) bool {
	w.t.Helper()
	first, err := w.Announced.MarkAnnounced(w.ctx, post)
	w.must(err)
	return first
}

func announcedOnce(w *world) {
	w.plan(1, 2)
	w.same("marked before any slice is done", w.announces(1), false)
	w.completeSlice(ref(1, 1))
	w.same("marked with one slice open", w.announces(1), false)
	result, err := w.Plans.AdvanceSlice(w.ctx, w.claimSlice(ref(1, 0)), true, noon)
	w.must(err)
	w.same("the result of completing the last slice", result, feed.AdvanceLast)
	w.same("marked twice", w.announces(1), false)
}

func announcedEmpty(w *world) {
	w.plan(1, 0)
	w.same("marked", w.announces(1), true)
	w.storePlan(planOf(1, 0), noon)
	w.same("marked after the plan was stored again", w.announces(1), false)
}

func announcedUnplanned(w *world) {
	w.user(ann)
	w.post(1, ann, noon)
	w.same("marked without a plan", w.announces(1), false)
	w.same("marked without a post", w.announces(2), false)
}

func announcedRerun(w *world) {
	w.plan(1, 1)
	w.completeSlice(ref(1, 0))
	_, err := w.Progress.Rerun(w.ctx, 0, noon)
	w.must(err)
	w.completeSlice(ref(1, 0))
	w.same("marked again", w.announces(1), false)
}

func announcedAtOnce(w *world) {
	w.plan(1, 0)
	var marked atomic.Int64
	for _, err := range concurrently(8, func(int) error {
		first, err := w.Announced.MarkAnnounced(w.ctx, 1)
		if first {
			marked.Add(1)
		}
		return err
	}) {
		w.must(err)
	}
	w.same("the number of calls that marked the post", marked.Load(), int64(1))
}

func pushesLogged(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	log := w.logReader()
	post := newPost(1, ann, noon)
	pushed := func(viewer feed.UserID) feed.Change {
		return feed.Change{Kind: feed.ChangePushed, User: viewer, Other: ann, Post: 1}
	}
	w.must(w.Announced.LogPushed(w.ctx, post, nil))
	log.logs("no viewer")
	w.must(w.Announced.LogPushed(w.ctx, post, []feed.UserID{bob, cem}))
	log.logs("two viewers", pushed(bob), pushed(cem))
	w.must(w.Announced.LogPushed(w.ctx, post, []feed.UserID{cem}))
	log.logs("a viewer again", pushed(cem))
	w.storePlan(planOf(1, 1), noon)
	w.must(w.Announced.LogPushed(w.ctx, post, []feed.UserID{bob, cem}))
	log.logs("a post with a plan")
}

func announcedEndedContext(w *world) {
	w.plan(1, 0)
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
		"MarkAnnounced": func(ctx context.Context) error {
			_, err := w.Announced.MarkAnnounced(ctx, 1)
			return err
		},
		"LogPushed": func(ctx context.Context) error {
			return w.Announced.LogPushed(ctx, newPost(1, ann, noon), []feed.UserID{bob})
		},
	})
	w.same("marked afterwards", w.announces(1), true)
}
