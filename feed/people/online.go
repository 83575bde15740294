package people

import (
	"context"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/expiring"
)

// OnlineInterval is how often to call [OnlineRecorder.Write]. Until then, fan-outs do not know that a
// user has come online.
const OnlineInterval = time.Second

// OnlineRecorder records which users are connected to this process or have read their home feed
// here. It writes each of them about twice in Policy.OnlineFor. What it cannot write is lost until
// then: it only decides who gets posts first. It is safe for concurrent use and must not be copied.
type OnlineRecorder struct {
	Online feed.OnlineUsers
	// Connected reports whether a user has a subscription to this process.
	Connected func(feed.UserID) bool
	Clock     feed.Clock
	Policy    feed.Policy

	seen expiring.Set[feed.UserID]

	mu      sync.Mutex
	waiting []feed.UserID
	// came are the users who came since, and due those who are to be written again, in order. Both
	// have each user once, as queued says.
	came   []feed.UserID
	due    []dueUser
	queued map[feed.UserID]struct{}
}

// dueUser is a user to write again at a time, if they are still connected.
type dueUser struct {
	user feed.UserID
	at   time.Time
}

// Came records that a user has subscribed.
func (r *OnlineRecorder) Came(user feed.UserID) {
	if r.Policy.OnlineFirst == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.queued[user]; known {
		return
	}
	if r.queued == nil {
		r.queued = map[feed.UserID]struct{}{}
	}
	r.queued[user] = struct{}{}
	r.came = append(r.came, user)
}

// Saw records that viewer, if not anonymous, has read their home feed. It does not wait.
func (r *OnlineRecorder) Saw(viewer feed.UserID) {
	now := r.Clock()
	if viewer == 0 || r.Policy.OnlineFirst == 0 || !r.seen.Claim(viewer, now, now.Add(r.Policy.OnlineFor/2)) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) < r.Policy.OnlineMax {
		r.waiting = append(r.waiting, viewer)
	}
}

// Write writes the users who have come online since the last call. If there are none, it calls no
// store.
func (r *OnlineRecorder) Write(ctx context.Context) error {
	if r.Policy.OnlineFirst == 0 {
		return nil
	}
	u := feed.Online{Connected: r.takeDue(), Seen: r.takeSeen()}
	if len(u.Connected)+len(u.Seen) == 0 {
		return nil
	}
	return r.Online.SetOnline(ctx, u)
}

// takeDue returns the users who are due, and forgets those who have left. It looks at no others.
func (r *OnlineRecorder) takeDue() (users []feed.UserID) {
	now := r.Clock()
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(users) < r.Policy.OnlineMax {
		user, any := r.next(now)
		switch {
		case !any:
			return users
		case r.Connected(user):
			users = append(users, user)
			r.due = append(r.due, dueUser{user, now.Add(r.Policy.OnlineFor / 2)})
		default:
			delete(r.queued, user)
		}
	}
	return users
}

// next takes a user who came or is due; false if there is none. The caller holds mu.
func (r *OnlineRecorder) next(now time.Time) (user feed.UserID, any bool) {
	switch {
	case len(r.came) > 0:
		user, r.came = r.came[0], r.came[1:]
	case len(r.due) > 0 && !now.Before(r.due[0].at):
		user, r.due = r.due[0].user, r.due[1:]
	default:
		return 0, false
	}
	return user, true
}

func (r *OnlineRecorder) takeSeen() (users []feed.UserID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	users, r.waiting = r.waiting, nil
	return users
}
