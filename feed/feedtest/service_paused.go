package feedtest

import (
	"context"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// The types of this file wrap a service's stores and run [Service.BeforeCall] before every call.

// pause runs [Service.BeforeCall] and lets other actors run.
func (s *Service) pause() {
	if s.yield != nil {
		s.yield()
	}
	if do := s.BeforeCall; do != nil {
		s.BeforeCall = nil
		do()
		s.BeforeCall = do
	}
}

// At runs do once, before the n-th store call of a read or a task from now on, counted from 0. The
// returned function reports whether do has run. If not, it cancels do.
func (s *Service) At(n int, do func()) (ran func() bool) {
	done := false
	s.BeforeCall = func() {
		if !done && n == 0 {
			done = true
			do()
		}
		n--
	}
	return func() bool {
		s.BeforeCall = nil
		return done
	}
}

// paused has the stores of a service.
type paused struct {
	feed.Outboxes
	feed.Lists
	feed.Reference
	feed.Coverage
	feed.Activity
	feed.Relations
	feed.Audience
	feed.AnnouncementLog
	feed.Flags
	feed.Plans
	feed.Slices
	pending  feed.PendingAuthors
	specials feed.SpecialFollows
	s        *Service
}

func (s *Service) paused() paused {
	b := s.Backend
	return paused{
		b.Outboxes, b.Lists, b.Reference, b.Coverage, b.Activity, b.Relations, b.Audience, b.Announced, b.Flags, b.Plans, b.Slices, b.Pending, b.Specials, s,
	}
}

// afterPause pauses before a call of a store.
func afterPause[S any](s *Service, store S) S {
	s.pause()
	return store
}

type pausedInboxes struct {
	feed.Inboxes
	s *Service
}

func (p pausedInboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	return afterPause(p.s, p.Inboxes).Read(ctx, viewer, r)
}

func (p pausedInboxes) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	return afterPause(p.s, p.Inboxes).Push(ctx, viewers, keys...)
}

func (p pausedInboxes) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildHeader, staleBefore int64) (bool, error) {
	return afterPause(p.s, p.Inboxes).BeginBuild(ctx, viewer, m, staleBefore)
}

func (p pausedInboxes) Amend(ctx context.Context, viewer feed.UserID, a feed.Amendment) (bool, error) {
	return afterPause(p.s, p.Inboxes).Amend(ctx, viewer, a)
}

func (p pausedInboxes) Remove(ctx context.Context, viewer feed.UserID) error {
	return afterPause(p.s, p.Inboxes).Remove(ctx, viewer)
}

func (p pausedInboxes) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	return afterPause(p.s, p.Inboxes).FinishBuild(ctx, viewer, token, b)
}

type pausedPosts struct {
	posts feed.Posts
	s     *Service
}

func (p pausedPosts) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	return afterPause(p.s, p.posts).Posts(ctx, ids)
}

func (p paused) Outbox(ctx context.Context, viewer feed.UserID, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	return afterPause(p.s, p.Outboxes).Outbox(ctx, viewer, authors, r)
}

func (p paused) PendingAuthors(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	return afterPause(p.s, p.pending).PendingAuthors(ctx, viewer)
}

func (p paused) ReadLists(ctx context.Context, lists []feed.List) ([][]feed.Key, error) {
	return afterPause(p.s, p.Lists).ReadLists(ctx, lists)
}

func (p paused) Feed(ctx context.Context, viewer feed.UserID, of feed.Authors, r feed.Range) ([]feed.Key, error) {
	return afterPause(p.s, p.Reference).Feed(ctx, viewer, of, r)
}

func (p paused) SpecialFollows(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	return afterPause(p.s, p.specials).SpecialFollows(ctx, viewer)
}

func (p paused) Covered(ctx context.Context, viewer feed.UserID, filter feed.FolloweeFilter, r feed.Range) ([]feed.Key, error) {
	return afterPause(p.s, p.Coverage).Covered(ctx, viewer, filter, r)
}

func (p paused) Unfollowed(ctx context.Context, viewer feed.UserID, since int64) ([]feed.UserID, error) {
	return afterPause(p.s, p.Coverage).Unfollowed(ctx, viewer, since)
}

func (p paused) Renew(ctx context.Context, viewer feed.UserID, d time.Duration) (feed.Lease, error) {
	return afterPause(p.s, p.Activity).Renew(ctx, viewer, d)
}

func (p paused) Dormant(ctx context.Context, viewers []feed.UserID, d time.Duration) ([]feed.UserID, error) {
	return afterPause(p.s, p.Activity).Dormant(ctx, viewers, d)
}

func (p paused) ViewerVersion(ctx context.Context, viewer feed.UserID) (feed.ViewerVersion, error) {
	return afterPause(p.s, p.Relations).ViewerVersion(ctx, viewer)
}

func (p paused) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	return afterPause(p.s, p.Relations).Edges(ctx, viewer, others)
}

func (p paused) Pulled(ctx context.Context, viewer feed.UserID, inbox feed.Completeness) ([]feed.UserID, error) {
	return afterPause(p.s, p.Relations).Pulled(ctx, viewer, inbox)
}

func (p paused) Following(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return afterPause(p.s, p.Relations).Following(ctx, user, r)
}

// pausedSurveyor makes every second survey, beginning with the first, in separate calls. Other
// steps may run between them.
type pausedSurveyor struct {
	feed.Surveyor
	inTurn feed.Surveyor
	s      *Service
}

func (p pausedSurveyor) Survey(ctx context.Context, viewer feed.UserID, since int64, cold bool, own int) (feed.Survey, error) {
	p.s.surveys++
	if p.s.surveys%2 == 1 {
		return p.inTurn.Survey(ctx, viewer, since, cold, own)
	}
	p.s.pause()
	return p.Surveyor.Survey(ctx, viewer, since, cold, own)
}

func (p paused) FollowerIDs(ctx context.Context, author feed.UserID, r feed.FollowerRange) ([]feed.UserID, error) {
	return afterPause(p.s, p.Audience).FollowerIDs(ctx, author, r)
}

func (p paused) FollowerBounds(ctx context.Context, author, after feed.UserID, size, most int) ([]feed.UserID, error) {
	return afterPause(p.s, p.Audience).FollowerBounds(ctx, author, after, size, most)
}

func (p paused) FollowersAmong(ctx context.Context, author feed.UserID, users []feed.UserID) ([]feed.UserID, error) {
	return afterPause(p.s, p.Audience).FollowersAmong(ctx, author, users)
}

func (p paused) SpecialFollowersAmong(ctx context.Context, author feed.UserID, users []feed.UserID) ([]feed.UserID, error) {
	return afterPause(p.s, p.Audience).SpecialFollowersAmong(ctx, author, users)
}

func (p paused) Reach(ctx context.Context, author feed.UserID) (int64, feed.CoverageFlag, error) {
	return afterPause(p.s, p.Audience).Reach(ctx, author)
}

func (p paused) RaiseFlag(ctx context.Context, author feed.UserID, m feed.CoverageFlag, why feed.FlagReason) error {
	return afterPause(p.s, p.Audience).RaiseFlag(ctx, author, m, why)
}

func (p paused) LogPushed(ctx context.Context, post *feed.Post, viewers []feed.UserID) error {
	return afterPause(p.s, p.AnnouncementLog).LogPushed(ctx, post, viewers)
}

func (p paused) FlaggedAuthors(ctx context.Context, after feed.UserID, limit int) ([]feed.FlaggedAuthor, error) {
	return afterPause(p.s, p.Flags).FlaggedAuthors(ctx, after, limit)
}

func (p paused) LowerFlag(ctx context.Context, author feed.UserID, f feed.CoverageFlag) (bool, error) {
	return afterPause(p.s, p.Flags).LowerFlag(ctx, author, f)
}

func (p paused) LowerFlags(ctx context.Context, threshold int64) (int, error) {
	return afterPause(p.s, p.Flags).LowerFlags(ctx, threshold)
}

func (p paused) StorePlan(ctx context.Context, plan feed.Plan, dueAt int64) ([]feed.Dispatchable[feed.SliceRef], error) {
	return afterPause(p.s, p.Plans).StorePlan(ctx, plan, dueAt)
}

func (p paused) PostponeEvent(ctx context.Context, post feed.PostID, dueAt int64) error {
	return afterPause(p.s, p.Plans).PostponeEvent(ctx, post, dueAt)
}

func (p paused) ClaimSlice(ctx context.Context, ref feed.SliceRef, now, leaseUntil int64) (*feed.Slice, error) {
	return afterPause(p.s, p.Slices).ClaimSlice(ctx, ref, now, leaseUntil)
}

func (p paused) ClaimTogether(ctx context.Context, held feed.Slice, leaseUntil int64, limit int) ([]feed.Slice, error) {
	return afterPause(p.s, p.Slices).ClaimTogether(ctx, held, leaseUntil, limit)
}

func (p paused) AdvanceSlice(ctx context.Context, sl feed.Slice, done bool, leaseUntil int64) (feed.Advance, error) {
	return afterPause(p.s, p.Slices).AdvanceSlice(ctx, sl, done, leaseUntil)
}

// Flaky is a store of inboxes that fails on request. Tests use it to check that interrupted work
// resumes. Use it from one goroutine only.
type Flaky struct {
	feed.Inboxes
	// Down makes every call fail.
	Down bool
	// FailAt makes one later call fail: 1 is the next call, 2 the one after it. Each call
	// decrements it.
	FailAt int
	// Served is the number of viewers that a failing push serves first.
	Served int
	// ReplyLost makes failing calls take effect, as if the connection broke before the reply.
	ReplyLost bool
}

// errDown returns the error of a store that is down.
func errDown() error { return feed.Unavailable("the store", errors.New("the test has taken it down")) }

// fails reports whether this call must fail.
func (f *Flaky) fails() bool {
	f.FailAt = max(f.FailAt-1, -1)
	return f.Down || f.FailAt == 0
}

// Read implements [feed.Inboxes].
func (f *Flaky) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	if f.fails() {
		return feed.Inbox{}, errDown()
	}
	return f.Inboxes.Read(ctx, viewer, r)
}

// Push implements [feed.Inboxes].
func (f *Flaky) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	if !f.fails() {
		return f.Inboxes.Push(ctx, viewers, keys...)
	}
	served := min(f.Served, len(viewers))
	reached := viewers[:served]
	if f.ReplyLost {
		reached = viewers
	}
	if _, err := f.Inboxes.Push(ctx, reached, keys...); err != nil {
		return 0, err
	}
	return served, errDown()
}

// BeginBuild implements [feed.Inboxes].
func (f *Flaky) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildHeader, staleBefore int64) (bool, error) {
	return f.change(func() (bool, error) { return f.Inboxes.BeginBuild(ctx, viewer, m, staleBefore) })
}

// FinishBuild implements [feed.Inboxes].
func (f *Flaky) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	return f.change(func() (bool, error) { return f.Inboxes.FinishBuild(ctx, viewer, token, b) })
}

// Amend implements [feed.Inboxes].
func (f *Flaky) Amend(ctx context.Context, viewer feed.UserID, a feed.Amendment) (bool, error) {
	return f.change(func() (bool, error) { return f.Inboxes.Amend(ctx, viewer, a) })
}

// Remove implements [feed.Inboxes].
func (f *Flaky) Remove(ctx context.Context, viewer feed.UserID) error {
	return errorOf(f.change(func() (bool, error) { return true, f.Inboxes.Remove(ctx, viewer) }))
}

// change makes a change, fails, or does both.
func (f *Flaky) change(do func() (bool, error)) (bool, error) {
	if !f.fails() {
		return do()
	}
	if f.ReplyLost {
		if _, err := do(); err != nil {
			return false, err
		}
	}
	return false, errDown()
}
