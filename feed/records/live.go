package records

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// LiveStores is the source of truth that [Live] changes.
type LiveStores interface {
	feed.Users
	feed.Posts
	feed.Relations
	feed.Follows
	feed.PostWriter
	feed.Relater
	feed.Activity
	feed.UndoneEdges
}

// Live is a [feed.Applier] that plays records as actions that happen now, each in its own
// transaction and under the rules for users, except the follow limit. A blocked user cannot
// follow, and deleted or hidden posts get no comments.
//
// All times are replaced by the present. Posts keep their ids and are unedited. The workers of a
// running server find the events in SQL and fan the posts out. Use [NewLive].
type Live struct {
	stores   LiveStores
	viewers  feed.Viewers
	follower *people.Follower
	reactor  *publish.Publisher
	sessions live.Sessions
	clock    feed.Clock
	wait     func(context.Context) error
}

// NewLive returns an applier that plays records into the stores. It calls wait before every
// record to pace them; an error ends the import. Nil plays as fast as possible.
func NewLive(stores LiveStores, sessions live.Sessions, clock feed.Clock, wait func(context.Context) error) *Live {
	if wait == nil {
		wait = func(ctx context.Context) error { return ctx.Err() }
	}
	policy := feed.DefaultPolicy()
	policy.FollowLimit = math.MaxInt
	viewers := &timeline.Direct{Relations: stores, Posts: stores, Primary: stores}
	return &Live{
		stores: stores, sessions: sessions, viewers: viewers, clock: clock, wait: wait,
		follower: &people.Follower{
			Follows: stores, Clock: clock, Policy: policy,
			Directory: &people.Directory{UserStore: stores, Primary: stores, Relations: stores, Policy: policy},
		},
		reactor: &publish.Publisher{Posts: stores, Viewers: viewers, Clock: clock, Policy: policy},
	}
}

// Apply implements [feed.Applier]. Known are stored users and posts, and sessions that have gone
// through all transitions of their record. Existing follows, reactions and relations count as
// stored, because repeating them changes nothing. Those that users have removed stay removed.
func (l *Live) Apply(ctx context.Context, batch feed.Batch) (feed.Applied, error) {
	var result feed.Applied
	for _, r := range batch.Records {
		if err := feed.RecordRules().Check(&r, l.now()); err != nil {
			result.Bad = append(result.Bad, feed.BadRecord{Line: r.Line, Reason: feed.Reason(err)})
			continue
		}
		if err := l.wait(ctx); err != nil {
			return result, err
		}
		is, err := l.play(ctx, r, batch.ActiveFor)
		var e *feed.Error
		switch {
		case err == nil:
			result.Add(&r, is)
		case errors.As(err, &e) && (e.Code.Refusal() || errors.Is(err, feed.ErrAccountDeleted)):
			result.Bad = append(result.Bad, feed.BadRecord{Line: r.Line, Reason: e.Message})
		default:
			return result, err
		}
	}
	return result, nil
}

// play performs a record and returns its result. Refusals make the record bad.
func (l *Live) play(ctx context.Context, r feed.Record, activeFor time.Duration) (feed.RecordResult, error) {
	switch {
	case r.EndedAt != 0:
		return feed.RecordResult{}, feed.Errorf(feed.CodeInvalid, "what is gone cannot be made").At("deletedAt")
	case r.Seen != nil:
		_, err := l.stores.Renew(ctx, r.Seen.User, activeFor)
		return feed.ResultKnown(), err
	case r.List != nil, r.ListMember != nil:
		return feed.ResultBad("lists are no actions; import them without --live"), nil
	case r.Counters != nil:
		return feed.ResultBad("%s", feed.Unowned(feed.RecordCounters)), nil
	case r.User != nil:
		return l.signUp(ctx, r.User, activeFor)
	case r.Post != nil:
		return l.publish(ctx, &r)
	case r.Live != nil:
		return l.hold(ctx, r.Live)
	case r.Follow == nil && r.Reaction == nil && r.Relation == nil:
		return feed.RecordResult{}, feed.Errorf(feed.CodeInvalid, "an empty record")
	}
	undone, err := l.stores.Undone(ctx, r)
	if err != nil || undone {
		return isStored(feed.Difference{Undone: undone}), err
	}
	switch {
	case r.Follow != nil:
		_, err = l.follower.Follow(ctx, r.Follow.Follower, r.Follow.Followee, r.Follow.Options)
	case r.Reaction != nil:
		_, err = l.reactor.React(ctx, r.Reaction.User, r.Reaction.Reaction, r.Reaction.Post, true)
	default:
		err = l.relate(ctx, *r.Relation, r.PublicID(feed.UserIDs, int64(r.Relation.User)))
	}
	return feed.ResultNew(), err
}

// isStored is the result for a stored record: a play does not update it.
func isStored(d feed.Difference) feed.RecordResult { return feed.ResultStored(d, false, nil) }

func (l *Live) now() int64 { return feed.Millis(l.clock()) }

// signUp creates a user. A user who was ever seen is seen now.
func (l *Live) signUp(ctx context.Context, r *feed.UserRecord, activeFor time.Duration) (feed.RecordResult, error) {
	if max(r.DeletedAt, r.ErasedAt) != 0 {
		return feed.RecordResult{}, feed.Errorf(feed.CodeInvalid, "a deleted account cannot be made")
	}
	have, err := l.stores.Users(ctx, []feed.UserID{r.ID})
	if err != nil {
		return feed.RecordResult{}, err
	}
	u := r.User
	u.CreatedAt = l.now()
	stored, err := l.stores.EnsureUser(ctx, &u)
	if err == nil && r.LastSeenAt != 0 {
		_, err = l.stores.Renew(ctx, u.ID, activeFor)
	}
	if err != nil {
		return feed.RecordResult{}, err
	}
	u.CreatedAt = stored.CreatedAt
	if have[0] == nil {
		return feed.ResultNew(), nil
	}
	return isStored(feed.DifferentUser(&feed.UserRecord{User: *stored}, &feed.UserRecord{User: u})), nil
}

func (l *Live) relate(ctx context.Context, r feed.RelationRecord, user feed.PublicID) error {
	if r.User == r.Target {
		return feed.Errorf(feed.CodeInvalid, "user %s cannot %s themselves", user, r.Kind)
	}
	r.CreatedAt = l.now()
	return l.stores.Relate(ctx, r)
}

// publish stores a post and its event, which is due at once, because no task was enqueued for it.
func (l *Live) publish(ctx context.Context, r *feed.Record) (feed.RecordResult, error) {
	p := r.Post
	if p.DeletedAt != 0 {
		return feed.RecordResult{}, feed.Errorf(feed.CodeInvalid, "a deleted post cannot be published")
	}
	var parent *feed.Post
	if target := p.Parent(); target != 0 {
		seen, err := feed.Judge(ctx, p.Author, l.viewers.State(p.Author), []feed.PostID{target}, feed.ScopePublic)
		if err != nil {
			return feed.RecordResult{}, err
		}
		if parent = seen[0]; parent == nil {
			return feed.RecordResult{}, feed.Errorf(feed.CodeNotFound, "no post %s that user %s may see", r.PublicID(feed.PostIDs, int64(target)), r.PublicID(feed.UserIDs, int64(p.Author)))
		}
	}
	p = p.InAudience(parent)
	now := l.now()
	fresh := *p
	fresh.PublishedAt, fresh.EditedAt = now, 0
	_, err := l.stores.Publish(ctx, &fresh, feed.Idempotency{}, feed.FirstDispatch{EventDue: now})
	if errors.Is(err, feed.ErrIDTaken) {
		return l.published(ctx, p)
	}
	return feed.ResultNew(), err
}

// published compares a record with the stored post, except for times.
func (l *Live) published(ctx context.Context, p *feed.Post) (feed.RecordResult, error) {
	stored, err := l.stores.Posts(ctx, []feed.PostID{p.ID})
	if err != nil {
		return feed.RecordResult{}, err
	}
	if stored[0] == nil || stored[0].Author != p.Author {
		return feed.RecordResult{}, feed.ErrIDTaken
	}
	dated := *p
	dated.PublishedAt, dated.EditedAt = stored[0].PublishedAt, stored[0].EditedAt
	return isStored(feed.DifferentPost(stored[0], &dated)), nil
}

// noQueue drops tasks, as queues may: the sweep of a server finds the events, and reads of
// outdated inboxes request builds.
type noQueue struct{ feed.NoUpkeep }

func (noQueue) Dispatch(context.Context, []feed.Dispatchable[feed.PostID]) error { return nil }
func (noQueue) Push(context.Context, []feed.Dispatchable[feed.SliceRef]) error   { return nil }
func (noQueue) Waits(context.Context) (feed.Waits, error)                        { return feed.Waits{}, nil }
func (noQueue) Refresh(context.Context, []feed.UserID) error                     { return nil }
