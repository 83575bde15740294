package subscribe

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// A viewer whose subscription ends so subscribes again, reads the top of the feed, and has missed
// nothing.
var (
	// ErrMissed: announcements may have been missed.
	ErrMissed = &feed.Error{Code: feed.CodeUnavailable, Message: "posts may have been missed; subscribe again and read the feed from the top"}
	// ErrTooSlow: posts came faster than the viewer took them.
	ErrTooSlow = &feed.Error{Code: feed.CodeUnavailable, Message: "posts came faster than they were taken; subscribe again and read the feed from the top"}
)

// Subscriptions sends viewers the posts that enter their home feeds. Its exported fields are set
// once, before the first subscription.
//
// A process listens to announcements only while it has subscribers. It keeps no follow graph: for
// each announcement it asks the source of truth which subscribers follow the author, and it
// judges every delivery when it is made. So an unfollow, mute, block or deletion takes effect at
// its commit, even for posts that wait.
type Subscriptions struct {
	Listener feed.Listener
	Audience feed.Audience
	Viewers  feed.Viewers
	Policy   feed.Policy
	Trace    feed.Trace

	mu sync.Mutex
	// current is the hub that new subscribers join; nil if there are none.
	current *hub
}

// hub has the subscribers of one connection to the announcements. If the connection is lost, they
// all end, and the next subscriber opens another hub.
type hub struct {
	// ctx ends with the hub. Its cause is the reason.
	ctx  context.Context
	stop context.CancelCauseFunc
	// ready is closed when the connection receives announcements.
	ready chan struct{}
	// received are announcements that have not been delivered yet.
	received chan feed.Announcement
	// judging limits concurrent deliveries.
	judging chan struct{}
	// The mutex of the Subscriptions guards members.
	members map[feed.UserID][]*Subscription
}

// Subscription is one viewer's. Except for Close, its methods are for one goroutine.
type Subscription struct {
	all    *Subscriptions
	hub    *hub
	viewer feed.UserID
	// wake holds a token if waiting or ended has changed.
	wake chan struct{}

	mu      sync.Mutex
	waiting []feed.PostID
	ended   error
	// ready is the argument of Notify until it is called.
	ready func()
}

// Subscribe subscribes viewer, who must call Close. Every post announced after it returns is
// delivered, or the subscription ends with [ErrMissed]. It returns [feed.CodeUnauthenticated] for
// the anonymous viewer (0) and [feed.CodeUnavailable] if the process cannot listen.
func (s *Subscriptions) Subscribe(ctx context.Context, viewer feed.UserID) (*Subscription, error) {
	if viewer == 0 {
		return nil, feed.Errorf(feed.CodeUnauthenticated, "sign in to subscribe to a home feed")
	}
	sub := s.join(viewer)
	if err := sub.hub.wait(ctx, s.Policy.ListenPatience); err != nil {
		sub.Close()
		return nil, err
	}
	return sub, nil
}

// Subscribers returns the number of subscriptions.
func (s *Subscriptions) Subscribers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	if s.current != nil {
		for _, subs := range s.current.members {
			n += len(subs)
		}
	}
	return n
}

func (s *Subscriptions) join(viewer feed.UserID) *Subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		s.current = s.open()
	}
	sub := &Subscription{all: s, hub: s.current, viewer: viewer, wake: make(chan struct{}, 1)}
	s.current.members[viewer] = append(s.current.members[viewer], sub)
	return sub
}

// open opens a hub, which lasts while it has members and misses nothing.
func (s *Subscriptions) open() *hub {
	h := &hub{
		ready:    make(chan struct{}),
		received: make(chan feed.Announcement, s.Policy.UnroutedMax),
		judging:  make(chan struct{}, s.Policy.DeliveriesMax),
		members:  map[feed.UserID][]*Subscription{},
	}
	h.ctx, h.stop = context.WithCancelCause(context.Background())
	go func() {
		h.stop(s.Listener.Listen(h.ctx, func() { close(h.ready) }, h.receive))
		s.close(h)
	}()
	go s.route(h)
	return h
}

// wait waits until the hub is connected. A hub that was connected and has ended has ended its
// members too, so it counts as connected.
func (h *hub) wait(ctx context.Context, patience time.Duration) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-h.ready:
		return nil
	case <-h.ctx.Done():
		select {
		case <-h.ready:
			return nil
		default:
			return feed.Unavailable("the announcements", context.Cause(h.ctx)) //nolint:contextcheck // why the hub has ended, not the caller
		}
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return feed.Unavailable("the announcements", context.DeadlineExceeded)
	}
}

// receive queues an announcement. If the queue is full, the hub ends, rather than the connection
// falling behind.
func (h *hub) receive(a feed.Announcement) {
	select {
	case h.received <- a:
	default:
		h.stop(feed.Errorf(feed.CodeUnavailable, "too many announcements wait"))
	}
}

func (s *Subscriptions) close(h *hub) {
	s.mu.Lock()
	if s.current == h {
		s.current = nil
	}
	members := h.members
	h.members = nil
	s.mu.Unlock()
	n := 0
	for _, subs := range members {
		for _, sub := range subs {
			sub.end(ErrMissed)
			n++
		}
	}
	s.ended(n, context.Cause(h.ctx))
}

func (s *Subscriptions) ended(n int, why error) {
	if n > 0 && s.Trace.SubscriptionsEnded != nil {
		s.Trace.SubscriptionsEnded(n, why)
	}
}

// Close ends the subscription. It may be called again.
func (u *Subscription) Close() {
	u.end(context.Canceled)
	s, h := u.all, u.hub
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := slices.DeleteFunc(h.members[u.viewer], func(other *Subscription) bool { return other == u })
	if len(rest) > 0 {
		h.members[u.viewer] = rest
		return
	}
	delete(h.members, u.viewer)
	if s.current == h && len(h.members) == 0 {
		s.current = nil
		h.stop(context.Canceled)
	}
}

func (s *Subscriptions) route(h *hub) {
	for {
		select {
		case a := <-h.received:
			if err := s.deliver(h, a); err != nil {
				h.stop(err)
			}
		case <-h.ctx.Done():
			return
		}
	}
}

// deliver offers a post to the author and to the members who follow the author. Everything else
// is judged at delivery.
func (s *Subscriptions) deliver(h *hub, a feed.Announcement) error {
	followers, err := s.followers(h, a.Author)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, viewer := range append(followers, a.Author) {
		for _, sub := range h.members[viewer] {
			if !sub.offer(a.Post, s.Policy.UndeliveredMax) {
				s.ended(1, ErrTooSlow)
			}
		}
	}
	return nil
}

// followers returns the members who follow author, and perhaps other followers. Most authors have
// so few followers that listing them is cheaper than asking for many members.
func (s *Subscriptions) followers(h *hub, author feed.UserID) ([]feed.UserID, error) {
	members, size := s.membersOf(h), s.Policy.SliceSize
	if len(members) > size {
		few, err := s.Audience.FollowerIDs(h.ctx, author, feed.FollowerRange{UpTo: math.MaxInt64, Limit: size})
		if err != nil || len(few) < size {
			return few, err
		}
	}
	var found []feed.UserID
	for some := range slices.Chunk(members, size) {
		among, err := s.Audience.FollowersAmong(h.ctx, author, some)
		if err != nil {
			return nil, err
		}
		found = append(found, among...)
	}
	return found, nil
}

func (s *Subscriptions) membersOf(h *hub) []feed.UserID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(h.members))
}
