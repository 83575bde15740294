package memstore

import (
	"context"
	"slices"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// MarkAnnounced implements [feed.AnnouncementLog].
func (s *Store) MarkAnnounced(ctx context.Context, post feed.PostID) (bool, error) {
	return inTx(ctx, s, func() bool {
		p := s.plans[post]
		if p == nil || p.announced || len(s.openSlices(post)) > 0 {
			return false
		}
		p.announced = true
		return true
	})
}

// LogPushed implements [feed.AnnouncementLog].
func (s *Store) LogPushed(ctx context.Context, post *feed.Post, viewers []feed.UserID) error {
	_, err := inTx(ctx, s, func() struct{} {
		if s.plans[post.ID] != nil {
			return struct{}{}
		}
		for _, viewer := range viewers {
			s.log(feed.Change{Kind: feed.ChangePushed, User: viewer, Other: post.Author, Post: post.ID})
		}
		return struct{}{}
	})
	return err
}

// FollowersAmong implements [feed.Audience].
func (s *Store) FollowersAmong(ctx context.Context, author feed.UserID, users []feed.UserID) ([]feed.UserID, error) {
	return inTx(ctx, s, func() []feed.UserID {
		var among []feed.UserID
		for p := range s.follows {
			if p.followee == author && slices.Contains(users, p.follower) {
				among = append(among, p.follower)
			}
		}
		return among
	})
}

// Announcements implements [feed.Announcer] and [feed.Listener] within one process. Use
// [NewAnnouncements].
type Announcements struct {
	mu        sync.Mutex
	listeners map[*listening]struct{}
}

// listening is one call of Listen.
type listening struct {
	receive func(feed.Announcement)
	lost    chan error
}

var (
	_ feed.Announcer = (*Announcements)(nil)
	_ feed.Listener  = (*Announcements)(nil)
)

// NewAnnouncements returns an announcer without listeners.
func NewAnnouncements() *Announcements {
	return &Announcements{listeners: map[*listening]struct{}{}}
}

// Announce implements [feed.Announcer].
func (a *Announcements) Announce(ctx context.Context, announcement feed.Announcement) error {
	if err := ctx.Err(); err != nil {
		return feed.Unavailable("the memory store", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for l := range a.listeners {
		l.receive(announcement)
	}
	return nil
}

// Listen implements [feed.Listener].
func (a *Announcements) Listen(ctx context.Context, ready func(), receive func(feed.Announcement)) error {
	l := &listening{receive: receive, lost: make(chan error, 1)}
	a.mu.Lock()
	a.listeners[l] = struct{}{}
	ready()
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.listeners, l)
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-l.lost:
		return err
	}
}

// Lose ends every call of Listen with an error, as a lost connection does.
func (a *Announcements) Lose() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for l := range a.listeners {
		l.lost <- feed.Errorf(feed.CodeUnavailable, "the connection was lost")
	}
	clear(a.listeners)
}
