package feedtest

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// The types of this file stand between a service and its stores and give
// [Service.Meanwhile] its turn before every call.

// pause lets happen what is to happen now.
func (s *Service) pause() {
	if do := s.Meanwhile; do != nil {
		s.Meanwhile = nil
		do()
		s.Meanwhile = do
	}
}

// At makes do happen once, before the n-th call, from 0, that a read or a task makes
// to a store from now on. The returned function says whether it has happened, and
// ends the waiting if not.
func (s *Service) At(n int, do func()) (happened func() bool) {
	done := false
	s.Meanwhile = func() {
		if !done && n == 0 {
			done = true
			do()
		}
		n--
	}
	return func() bool {
		s.Meanwhile = nil
		return done
	}
}

type pausedInboxes struct {
	feed.Inboxes
	s *Service
}

func (p pausedInboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	p.s.pause()
	return p.Inboxes.Read(ctx, viewer, r)
}

func (p pausedInboxes) Push(ctx context.Context, viewers []feed.UserID, k feed.Key) (int, error) {
	p.s.pause()
	return p.Inboxes.Push(ctx, viewers, k)
}

func (p pausedInboxes) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildMark, staleBefore int64) (bool, error) {
	p.s.pause()
	return p.Inboxes.BeginBuild(ctx, viewer, m, staleBefore)
}

func (p pausedInboxes) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	p.s.pause()
	return p.Inboxes.FinishBuild(ctx, viewer, token, b)
}

type pausedPosts struct {
	posts feed.Posts
	s     *Service
}

func (p pausedPosts) Posts(ctx context.Context, ids []feed.ContentID) ([]*feed.Post, error) {
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

type pausedReference struct {
	feed.Reference
	s *Service
}

func (p pausedReference) Feed(ctx context.Context, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	p.s.pause()
	return p.Reference.Feed(ctx, viewer, r)
}

func (p pausedReference) Covered(ctx context.Context, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	p.s.pause()
	return p.Reference.Covered(ctx, viewer, r)
}

type pausedRelations struct {
	feed.Relations
	s *Service
}

func (p pausedRelations) Stamp(ctx context.Context, viewer feed.UserID) (feed.Stamp, error) {
	p.s.pause()
	return p.Relations.Stamp(ctx, viewer)
}

func (p pausedRelations) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	p.s.pause()
	return p.Relations.Edges(ctx, viewer, others)
}

func (p pausedRelations) Pulled(ctx context.Context, viewer feed.UserID, since int64) ([]feed.UserID, error) {
	p.s.pause()
	return p.Relations.Pulled(ctx, viewer, since)
}

type pausedAudience struct {
	feed.Audience
	s *Service
}

func (p pausedAudience) FollowerIDs(ctx context.Context, author, after, upTo feed.UserID, limit int) ([]feed.UserID, error) {
	p.s.pause()
	return p.Audience.FollowerIDs(ctx, author, after, upTo, limit)
}

func (p pausedAudience) FollowerCount(ctx context.Context, author feed.UserID) (int64, error) {
	p.s.pause()
	return p.Audience.FollowerCount(ctx, author)
}

func (p pausedAudience) MarkPulled(ctx context.Context, author feed.UserID) error {
	p.s.pause()
	return p.Audience.MarkPulled(ctx, author)
}

type pausedPlans struct {
	feed.Plans
	s *Service
}

func (p pausedPlans) StorePlan(ctx context.Context, plan feed.Plan, dueAt int64) ([]feed.SliceRef, error) {
	p.s.pause()
	return p.Plans.StorePlan(ctx, plan, dueAt)
}

func (p pausedPlans) ClaimSlice(ctx context.Context, ref feed.SliceRef, now, leaseUntil int64) (*feed.Slice, error) {
	p.s.pause()
	return p.Plans.ClaimSlice(ctx, ref, now, leaseUntil)
}

func (p pausedPlans) AdvanceSlice(ctx context.Context, sl feed.Slice, done bool, leaseUntil int64) (bool, error) {
	p.s.pause()
	return p.Plans.AdvanceSlice(ctx, sl, done, leaseUntil)
}
