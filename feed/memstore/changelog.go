package memstore

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

var (
	_ feed.ChangeLog      = (*Store)(nil)
	_ feed.ChangeNumberer = (*Store)(nil)
)

// changeLog numbers changes in the transaction that makes them. The store's mutex guards it.
type changeLog struct {
	epoch int64
	rows  []numbered
	// last and trimmed are the highest numbers that were drawn and removed.
	last, trimmed int64
}

type numbered struct {
	feed.Change
	at int64
}

func newEpoch() int64 { return 1 + rand.Int64N(math.MaxInt64) }

// log appends changes. The mutex is held.
func (s *Store) log(changes ...feed.Change) {
	for _, c := range changes {
		s.changeLog.last++
		c.Number = s.changeLog.last
		s.changeLog.rows = append(s.changeLog.rows, numbered{c, s.now()})
	}
}

// logArrival logs the end of a fan-out, unless it is that of a replay. The mutex is held.
func (s *Store) logArrival(id feed.PostID) {
	if p := s.posts[id]; p != nil {
		s.log(feed.Change{Kind: feed.ChangeArrived, User: p.Author, Post: id})
	}
}

// logReposts logs the reposts of a post that appears or disappears, and the reposts of those, as far
// as chains of reposts are visible. The mutex is held.
func (s *Store) logReposts(original feed.PostID) { s.logRepostsOf(original, s.repostDepth) }

func (s *Store) logRepostsOf(original feed.PostID, links int) {
	if links < 0 {
		return
	}
	for id, p := range s.posts {
		if p.RepostOf == original && p.DeletedAt == 0 {
			s.log(feed.Change{Kind: feed.ChangeDeleted, User: p.Author, Other: p.Author, Post: id})
			s.logRepostsOf(id, links-1)
		}
	}
}

func (l *changeLog) place(number int64) feed.ChangePlace {
	return feed.ChangePlace{Epoch: l.epoch, Number: number}
}

func (l *changeLog) isGone(since feed.ChangePlace) bool {
	return since.Epoch != l.epoch || since.Number > l.last || since.Number < l.trimmed
}

// LastChange implements [feed.ChangeLog].
func (s *Store) LastChange(ctx context.Context) (feed.ChangePlace, error) {
	return inTx(ctx, s, func() feed.ChangePlace { return s.changeLog.place(s.changeLog.last) })
}

// Changes implements [feed.ChangeLog].
func (s *Store) Changes(ctx context.Context, since feed.ChangePlace, limit int) ([]feed.Change, feed.ChangePlace, error) {
	return s.changesWhere(ctx, since, limit, func(feed.Change) bool { return true })
}

// HomeChanges implements [feed.ChangeLog].
func (s *Store) HomeChanges(
	ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int,
) ([]feed.Change, feed.ChangePlace, error) {
	return s.changesWhere(ctx, since, limit, func(c feed.Change) bool {
		return c.User == 0 || c.User == viewer || c.ConcernsFollowers() && s.isFollowing(viewer, c.User)
	})
}

// LiveChanges implements [feed.ChangeLog].
func (s *Store) LiveChanges(
	ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int,
) ([]feed.Change, feed.ChangePlace, error) {
	return s.changesWhere(ctx, since, limit, func(c feed.Change) bool {
		return c.User == 0 || c.User == viewer || c.ConcernsLiveFeeds() && s.isFollowing(viewer, c.User)
	})
}

// Followees implements [feed.Relations].
func (s *Store) Followees(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	return inTx(ctx, s, func() []feed.UserID {
		var users []feed.UserID
		for p := range s.follows {
			if p.follower == viewer && p.followee != viewer {
				users = append(users, p.followee)
			}
		}
		return users
	})
}

// PostsOf implements [feed.ChangeLog].
func (s *Store) PostsOf(ctx context.Context, author feed.UserID, r feed.Range) ([]feed.Key, error) {
	return inTx(ctx, s, func() []feed.Key {
		var keys []feed.Key
		for _, p := range s.posts {
			if p.Author == author && r.Filter.Match(p) {
				keys = append(keys, p.Key())
			}
		}
		return page(keys, r)
	})
}

// SightChanges implements [feed.SightLog].
func (s *Store) SightChanges(
	ctx context.Context, viewer feed.UserID, authors []feed.UserID, posts []feed.PostID, since feed.ChangePlace,
) ([]feed.Change, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if s.changeLog.isGone(since) {
		return nil, feed.ErrChangesGone
	}
	var list []feed.Change
	for _, row := range s.changeLog.rows {
		switch row.Kind {
		case feed.ChangeReset:
			list = nil
		case feed.ChangeRelation:
			if row.User == viewer && row.Post != 0 && slices.Contains(authors, row.Other) {
				list = append(list, row.Change)
			}
		case feed.ChangeAccount:
			if slices.Contains(authors, row.User) {
				list = append(list, row.Change)
			}
		case feed.ChangePublished, feed.ChangeDeleted, feed.ChangeScheduled, feed.ChangeSession:
			if slices.Contains(posts, row.Post) {
				list = append(list, row.Change)
			}
		case feed.ChangeArrived, feed.ChangeEdited, feed.ChangeProfile, feed.ChangeRevoked, feed.ChangePushed:
		}
	}
	for _, id := range authors {
		if s.absent[id] {
			list = append(list, feed.StillAbsent(id))
		}
	}
	return list, nil
}

func (s *Store) changesWhere(
	ctx context.Context, since feed.ChangePlace, limit int, want func(feed.Change) bool,
) ([]feed.Change, feed.ChangePlace, error) {
	if err := s.begin(ctx); err != nil {
		return nil, feed.ChangePlace{}, err
	}
	defer s.mu.Unlock()
	l := &s.changeLog
	if l.isGone(since) {
		return nil, feed.ChangePlace{}, feed.ErrChangesGone
	}
	var list []feed.Change
	for _, row := range l.rows {
		if row.Number <= since.Number || !want(row.Change) {
			continue
		}
		if len(list) == limit {
			return list, l.place(list[limit-1].Number), nil
		}
		list = append(list, row.Change)
	}
	return list, l.place(l.last), nil
}

// NumberChanges implements [feed.ChangeNumberer].
func (s *Store) NumberChanges(ctx context.Context, _ int) (bool, feed.ChangePlace, error) {
	last, err := s.LastChange(ctx)
	return false, last, err
}

// WaitingChanges implements [feed.ChangeNumberer].
func (s *Store) WaitingChanges(ctx context.Context, _ int) (feed.WaitingChanges, error) {
	return feed.WaitingChanges{}, ctx.Err()
}

// TrimChanges implements [feed.ChangeNumberer].
func (s *Store) TrimChanges(ctx context.Context, before int64, limit int) (bool, error) {
	return inTx(ctx, s, func() bool {
		l := &s.changeLog
		n := slices.IndexFunc(l.rows, func(row numbered) bool { return row.at >= before })
		if n < 0 {
			n = len(l.rows)
		}
		n = min(n, limit)
		if n > 0 {
			l.trimmed = l.rows[n-1].Number
			l.rows = slices.Delete(l.rows, 0, n)
		}
		return n == limit
	})
}

// CheckEpoch implements [feed.ChangeNumberer]. The numbers last as long as the store.
func (s *Store) CheckEpoch(ctx context.Context) (bool, error) {
	return false, ctx.Err()
}

// NewEpoch implements [feed.ChangeNumberer].
func (s *Store) NewEpoch(ctx context.Context) error {
	return s.change(ctx, func() { s.changeLog.epoch = newEpoch() })
}

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
