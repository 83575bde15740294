package feedtest

import (
	"context"
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

// pausedViewerCache is down when the inboxes are down.
type pausedViewerCache struct {
	feed.SharedViewerCache
	s *Service
}

func (p pausedViewerCache) ReadCached(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, []byte, error) {
	p.s.pause()
	if p.s.Flaky.fails() {
		return feed.Inbox{}, nil, errDown()
	}
	return p.SharedViewerCache.ReadCached(ctx, viewer, r)
}

func (p pausedViewerCache) PutCached(ctx context.Context, viewer feed.UserID, entry []byte, ttl time.Duration) error {
	p.s.pause()
	if p.s.Flaky.fails() {
		return errDown()
	}
	return p.SharedViewerCache.PutCached(ctx, viewer, entry, ttl)
}

type pausedInboxes struct {
	feed.Inboxes
	s *Service
}

func (p pausedInboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	p.s.pause()
	return p.Inboxes.Read(ctx, viewer, r)
}

func (p pausedInboxes) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	p.s.pause()
	return p.Inboxes.Push(ctx, viewers, keys...)
}

func (p pausedInboxes) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildHeader, staleBefore int64) (bool, error) {
	p.s.pause()
	return p.Inboxes.BeginBuild(ctx, viewer, m, staleBefore)
}

func (p pausedInboxes) Amend(ctx context.Context, viewer feed.UserID, a feed.Amendment) (bool, error) {
	p.s.pause()
	return p.Inboxes.Amend(ctx, viewer, a)
}

func (p pausedInboxes) Remove(ctx context.Context, viewer feed.UserID) error {
	p.s.pause()
	return p.Inboxes.Remove(ctx, viewer)
}

func (p pausedInboxes) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	p.s.pause()
	return p.Inboxes.FinishBuild(ctx, viewer, token, b)
}

type pausedPosts struct {
	posts feed.Posts
	s     *Service
}

func (p pausedPosts) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	p.s.pause()
	return p.posts.Posts(ctx, ids)
}

type pausedOutboxes struct {
	feed.Outboxes
	s *Service
}

func (p pausedOutboxes) Outbox(ctx context.Context, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	p.s.pause()
	return p.Outboxes.Outbox(ctx, authors, r)
}

type pausedPending struct {
	pending feed.PendingAuthors
	s       *Service
}

func (p pausedPending) PendingAuthors(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	p.s.pause()
	return p.pending.PendingAuthors(ctx, viewer)
}

type pausedLists struct {
	feed.Lists
	s *Service
}

func (p pausedLists) ReadLists(ctx context.Context, lists []feed.List) ([][]feed.Key, error) {
	p.s.pause()
	return p.Lists.ReadLists(ctx, lists)
}

type pausedReference struct {
	feed.Reference
	s *Service
}

func (p pausedReference) Feed(ctx context.Context, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	p.s.pause()
	return p.Reference.Feed(ctx, viewer, r)
}

type pausedCoverage struct {
	feed.Coverage
	s *Service
}

func (p pausedCoverage) Covered(ctx context.Context, viewer feed.UserID, filter feed.FolloweeFilter, r feed.Range) ([]feed.Key, error) {
	p.s.pause()
	return p.Coverage.Covered(ctx, viewer, filter, r)
}

func (p pausedCoverage) Unfollowed(ctx context.Context, viewer feed.UserID, since int64) ([]feed.UserID, error) {
	p.s.pause()
	return p.Coverage.Unfollowed(ctx, viewer, since)
}

type pausedActivity struct {
	feed.Activity
	s *Service
}

func (p pausedActivity) Renew(ctx context.Context, viewer feed.UserID, d time.Duration) (feed.Lease, error) {
	p.s.pause()
	return p.Activity.Renew(ctx, viewer, d)
}

func (p pausedActivity) Dormant(ctx context.Context, viewers []feed.UserID, d time.Duration) ([]feed.UserID, error) {
	p.s.pause()
	return p.Activity.Dormant(ctx, viewers, d)
}

type pausedRelations struct {
	feed.Relations
	s *Service
}

func (p pausedRelations) ViewerVersion(ctx context.Context, viewer feed.UserID) (feed.ViewerVersion, error) {
	p.s.pause()
	return p.Relations.ViewerVersion(ctx, viewer)
}

func (p pausedRelations) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	p.s.pause()
	return p.Relations.Edges(ctx, viewer, others)
}

func (p pausedRelations) Pulled(ctx context.Context, viewer feed.UserID, inbox feed.Completeness) ([]feed.UserID, error) {
	p.s.pause()
	return p.Relations.Pulled(ctx, viewer, inbox)
}

func (p pausedRelations) Following(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	p.s.pause()
	return p.Relations.Following(ctx, user, r)
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

type pausedAudience struct {
	feed.Audience
	s *Service
}

func (p pausedAudience) FollowerIDs(ctx context.Context, author feed.UserID, r feed.FollowerRange) ([]feed.UserID, error) {
	p.s.pause()
	return p.Audience.FollowerIDs(ctx, author, r)
}

func (p pausedAudience) FollowerBounds(ctx context.Context, author, after feed.UserID, size, most int) ([]feed.UserID, error) {
	p.s.pause()
	return p.Audience.FollowerBounds(ctx, author, after, size, most)
}

func (p pausedAudience) FollowersAmong(ctx context.Context, author feed.UserID, users []feed.UserID) ([]feed.UserID, error) {
	p.s.pause()
	return p.Audience.FollowersAmong(ctx, author, users)
}

func (p pausedAudience) Reach(ctx context.Context, author feed.UserID) (int64, feed.CoverageFlag, error) {
	p.s.pause()
	return p.Audience.Reach(ctx, author)
}

func (p pausedAudience) RaiseFlag(ctx context.Context, author feed.UserID, m feed.CoverageFlag, why feed.FlagReason) error {
	p.s.pause()
	return p.Audience.RaiseFlag(ctx, author, m, why)
}

type pausedAnnounced struct {
	feed.AnnouncementLog
	s *Service
}

func (p pausedAnnounced) LogPushed(ctx context.Context, post *feed.Post, viewers []feed.UserID) error {
	p.s.pause()
	return p.AnnouncementLog.LogPushed(ctx, post, viewers)
}

type pausedFlags struct {
	feed.Flags
	s *Service
}

func (p pausedFlags) FlaggedAuthors(ctx context.Context, after feed.UserID, limit int) ([]feed.FlaggedAuthor, error) {
	p.s.pause()
	return p.Flags.FlaggedAuthors(ctx, after, limit)
}

func (p pausedFlags) LowerFlag(ctx context.Context, author feed.UserID, f feed.CoverageFlag) (bool, error) {
	p.s.pause()
	return p.Flags.LowerFlag(ctx, author, f)
}

func (p pausedFlags) LowerFlags(ctx context.Context, threshold int64) (int, error) {
	p.s.pause()
	return p.Flags.LowerFlags(ctx, threshold)
}

type pausedPlans struct {
	feed.Plans
	s *Service
}

func (p pausedPlans) StorePlan(ctx context.Context, plan feed.Plan, dueAt int64) ([]feed.Dispatchable[feed.SliceRef], error) {
	p.s.pause()
	return p.Plans.StorePlan(ctx, plan, dueAt)
}

func (p pausedPlans) PostponeEvent(ctx context.Context, post feed.PostID, dueAt int64) error {
	p.s.pause()
	return p.Plans.PostponeEvent(ctx, post, dueAt)
}

func (p pausedPlans) ClaimSlice(ctx context.Context, ref feed.SliceRef, now, leaseUntil int64) (*feed.Slice, error) {
	p.s.pause()
	return p.Plans.ClaimSlice(ctx, ref, now, leaseUntil)
}

func (p pausedPlans) ClaimTogether(ctx context.Context, held feed.Slice, leaseUntil int64, limit int) ([]feed.Slice, error) {
	p.s.pause()
	return p.Plans.ClaimTogether(ctx, held, leaseUntil, limit)
}

func (p pausedPlans) AdvanceSlice(ctx context.Context, sl feed.Slice, done bool, leaseUntil int64) (feed.Advance, error) {
	p.s.pause()
	return p.Plans.AdvanceSlice(ctx, sl, done, leaseUntil)
}
