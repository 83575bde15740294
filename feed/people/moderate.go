package people

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Moderator takes down posts, suspends users, and restores both. Its callers decide who may.
type Moderator struct {
	Moderation feed.Moderation
	// Posts must not read from a cache.
	Posts   feed.Posts
	Evictor feed.Evictor
	Clock   feed.Clock
	Policy  feed.Policy
}

// Impose takes down the subject of s, or suspends it, for its Reason, until Until, by By. Repeated, it changes
// nothing; another reason or end replaces the sanction in force. Errors are those of [feed.Rules.CheckSanction],
// and [feed.CodeNotFound] for a subject that was never stored.
func (m *Moderator) Impose(ctx context.Context, s feed.Sanction) error {
	s.At = feed.Millis(m.Clock())
	if err := m.Policy.CheckSanction(&s); err != nil {
		return err
	}
	return m.change(s.Subject, func() error { return m.Moderation.Impose(ctx, s) })
}

// Lift restores a subject, if it is taken down or suspended by a moderator. A subject that was never stored is
// [feed.CodeNotFound].
func (m *Moderator) Lift(ctx context.Context, of feed.Subject, by string) error {
	return m.change(of, func() error { return m.Moderation.Lift(ctx, of, feed.Millis(m.Clock()), by) })
}

// liftedAtOnce is how many suspensions a call of the store lifts, each in a transaction of its own.
const liftedAtOnce = 100

// LiftDue restores the users whose suspension ends by now.
func (m *Moderator) LiftDue(ctx context.Context) error {
	return whileMore(func() (bool, error) { return m.Moderation.LiftDue(ctx, feed.Millis(m.Clock()), liftedAtOnce) })
}

// whileMore repeats what says that there is more.
func whileMore(do func() (more bool, err error)) error {
	for {
		if more, err := do(); err != nil || !more {
			return err
		}
	}
}

func (m *Moderator) change(of feed.Subject, apply func() error) error {
	err := apply()
	if of.Post != 0 {
		m.Evictor.Evict([]feed.PostID{of.Post}, nil)
	} else {
		m.Evictor.Evict(nil, []feed.UserID{of.User})
	}
	return err
}

// Log returns one page of the sanctions on a subject, or on all if it is zero, newest first.
func (m *Moderator) Log(ctx context.Context, of feed.Subject, q feed.PageQuery) (feed.Run[feed.Sanction], error) {
	w, err := m.Policy.Window(feed.FeedModeration, q)
	if err != nil {
		return feed.Run[feed.Sanction]{}, err
	}
	return feed.Paginate(ctx, w, func(ctx context.Context, r feed.Range) ([]feed.Sanction, error) {
		return m.Moderation.Sanctions(ctx, of, r)
	})
}

// StoredPost returns a post that is hidden, deleted or by an absent author too; nil if none is stored. A deleted
// one has no content.
func (m *Moderator) StoredPost(ctx context.Context, id feed.PostID) (*feed.Post, error) {
	posts, err := m.Posts.Posts(ctx, []feed.PostID{id})
	if err != nil {
		return nil, err
	}
	if posts[0] == nil || !posts[0].IsDeleted() {
		return posts[0], nil
	}
	p := *posts[0]
	p.Text, p.Media, p.Custom, p.Language = "", nil, "", ""
	return &p, nil
}

// StoredUser returns a user who is suspended or absent too, and what is left of a deleted account; nil if none
// is stored.
func (m *Moderator) StoredUser(ctx context.Context, id feed.UserID) (*feed.User, error) {
	return m.Moderation.StoredUser(ctx, id)
}

// Suspended reports whether a user is suspended, as of now.
func (m *Moderator) Suspended(ctx context.Context, id feed.UserID) (bool, error) {
	u, err := m.Moderation.StoredUser(ctx, id)
	return u != nil && u.Suspended != 0, err
}
