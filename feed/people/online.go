package people

import (
	"context"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// OnlineInterval is how often to call [OnlineRecorder.Write]. Until then, fan-outs do not know that a
// user has come online.
const OnlineInterval = time.Second

// OnlineRecorder records which users are connected to this process or have read their home feed
// here. It writes each of them about twice in Policy.OnlineFor. What it cannot write is lost until
// then: it only decides who gets posts first. It is safe for concurrent use and must not be copied.
type OnlineRecorder struct {
	Online feed.OnlineUsers
	// Connected returns the users with a subscription to this process, in no order.
	Connected func() []feed.UserID
	Clock     feed.Clock
	Policy    feed.Policy

	connected, seen expiring

	mu      sync.Mutex
	waiting []feed.UserID
}

// Saw records that viewer, if not anonymous, has read their home feed. It does not wait.
func (r *OnlineRecorder) Saw(viewer feed.UserID) {
	now := r.Clock()
	if viewer == 0 || r.Policy.OnlineFirst == 0 || !r.seen.claim(viewer, now, now.Add(r.Policy.OnlineFor/2)) {
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
	u := feed.Online{Connected: r.newlyConnected(), Seen: r.takeSeen()}
	if len(u.Connected)+len(u.Seen) == 0 {
		return nil
	}
	return r.Online.SetOnline(ctx, u)
}

func (r *OnlineRecorder) newlyConnected() []feed.UserID {
	now := r.Clock()
	var users []feed.UserID
	for _, user := range r.Connected() {
		if len(users) < r.Policy.OnlineMax && r.connected.claim(user, now, now.Add(r.Policy.OnlineFor/2)) {
			users = append(users, user)
		}
	}
	return users
}

func (r *OnlineRecorder) takeSeen() (users []feed.UserID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	users, r.waiting = r.waiting, nil
	return users
}
