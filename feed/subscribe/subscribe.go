package subscribe

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Why a subscription ends before its viewer ends it. Either way he reads the top of his
// feed again once he has subscribed anew, and has missed nothing.
var (
	// ErrMissed: announcements may have been missed.
	ErrMissed = &feed.Error{Code: feed.CodeUnavailable, Message: "contents may have been missed; subscribe again and read the feed from the top"}
	// ErrTooSlow: the viewer took contents more slowly than they came.
	ErrTooSlow = &feed.Error{Code: feed.CodeUnavailable, Message: "contents came faster than they were taken; subscribe again and read the feed from the top"}
)

// Subscriptions tell viewers of contents that have just entered their home feeds. Its
// exported fields are set once, before the first subscription.
//
// A process listens to announcements only while it has subscribers. It keeps no list of
// whom they follow: for each announcement it asks the source of truth which of its
// subscribers follow the author, which needs no memory and is never out of date, and
// every delivery is judged when it is made. So an unfollow, a mute, a block or a
// deletion is obeyed from the moment it is committed, also by what waits already.
type Subscriptions struct {
	Listener feed.Listener
	Audience feed.Audience
	Viewers  feed.Viewers
	Policy   feed.Policy
	Trace    feed.Trace

	mu sync.Mutex
	// current is where subscribers come in; nil while there are none.
	current *room
}

// room is the subscribers of one connection to the announcements. When that is lost they
// all have to leave, and the next one to come opens a new room.
type room struct {
	// ctx ends with the room; its cause is why.
	ctx  context.Context
	stop context.CancelCauseFunc
	// ready is closed once announcements are heard.
	ready chan struct{}
	// news are announcements not yet given to anybody.
	news chan feed.Announcement
	// judging has a place for every delivery that may be judged at once.
	judging chan struct{}
	// members are guarded by the mutex of the Subscriptions.
	members map[feed.UserID][]*Subscription
}

// Subscription is one viewer's. Its methods are for one goroutine, but for Close.
type Subscription struct {
	all    *Subscriptions
	room   *room
	viewer feed.UserID
	// wake holds a token when something has changed below.
	wake chan struct{}

	mu      sync.Mutex
	waiting []feed.PostID
	ended   error
}

// Subscribe subscribes viewer, who must call Close in the end. Whatever is announced
// after it has returned is delivered, or else the subscription says that something may
// be missing. Nobody (viewer 0) is [feed.CodeUnauthenticated]; when announcements cannot be
// heard it is [feed.CodeUnavailable].
func (s *Subscriptions) Subscribe(ctx context.Context, viewer feed.UserID) (*Subscription, error) {
	if viewer == 0 {
		return nil, feed.Errorf(feed.CodeUnauthenticated, "sign in to subscribe to a home feed")
	}
	sub := s.enter(viewer)
	if err := sub.room.wait(ctx, s.Policy.ListenPatience); err != nil {
		sub.Close()
		return nil, err
	}
	return sub, nil
}

// Subscribers returns how many subscriptions there are.
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

// enter puts a new subscription into the room, and opens one when there is none.
func (s *Subscriptions) enter(viewer feed.UserID) *Subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		s.current = s.open()
	}
	sub := &Subscription{all: s, room: s.current, viewer: viewer, wake: make(chan struct{}, 1)}
	s.current.members[viewer] = append(s.current.members[viewer], sub)
	return sub
}

// open opens a room, which lasts as long as it has members and misses nothing.
func (s *Subscriptions) open() *room {
	r := &room{
		ready:   make(chan struct{}),
		news:    make(chan feed.Announcement, s.Policy.UnroutedMax),
		judging: make(chan struct{}, s.Policy.DeliveriesMax),
		members: map[feed.UserID][]*Subscription{},
	}
	r.ctx, r.stop = context.WithCancelCause(context.Background())
	go func() {
		r.stop(s.Listener.Listen(r.ctx, func() { close(r.ready) }, r.heard))
		s.close(r)
	}()
	go s.route(r)
	return r
}

// wait waits until the room hears. One that has heard and ended since has told its
// members so: to them it is a subscription that may have missed something.
func (r *room) wait(ctx context.Context, patience time.Duration) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-r.ready:
		return nil
	case <-r.ctx.Done():
		select {
		case <-r.ready:
			return nil
		default:
			return feed.Unavailable("the announcements", context.Cause(r.ctx)) //nolint:contextcheck // why the room has ended, not the caller
		}
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return feed.Unavailable("the announcements", context.DeadlineExceeded)
	}
}

// heard takes an announcement in. A room that cannot keep up is given up: its members
// are told, which is better than to let the connection fall behind.
func (r *room) heard(a feed.Announcement) {
	select {
	case r.news <- a:
	default:
		r.stop(feed.Errorf(feed.CodeUnavailable, "too many announcements wait"))
	}
}

// close sends everybody out of a room that has ended.
func (s *Subscriptions) close(r *room) {
	s.mu.Lock()
	if s.current == r {
		s.current = nil
	}
	members := r.members
	r.members = nil
	s.mu.Unlock()
	n := 0
	for _, subs := range members {
		for _, sub := range subs {
			sub.end(ErrMissed)
			n++
		}
	}
	s.ended(n, context.Cause(r.ctx))
}

func (s *Subscriptions) ended(n int, why error) {
	if n > 0 && s.Trace.SubscriptionsEnded != nil {
		s.Trace.SubscriptionsEnded(n, why)
	}
}

// Close ends the subscription. Closing twice is harmless.
func (u *Subscription) Close() {
	u.end(context.Canceled)
	s, r := u.all, u.room
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := slices.DeleteFunc(r.members[u.viewer], func(other *Subscription) bool { return other == u })
	if len(rest) > 0 {
		r.members[u.viewer] = rest
		return
	}
	delete(r.members, u.viewer)
	if s.current == r && len(r.members) == 0 {
		s.current = nil
		r.stop(context.Canceled)
	}
}

// route gives announcements to the room's members until it ends.
func (s *Subscriptions) route(r *room) {
	for {
		select {
		case a := <-r.news:
			if err := s.give(r, a); err != nil {
				r.stop(err)
			}
		case <-r.ctx.Done():
			return
		}
	}
}

// give gives an announcement to the members whom it concerns: those who follow the
// author, and himself. What the others do, and whether they may see the content, is
// judged when it is delivered.
func (s *Subscriptions) give(r *room, a feed.Announcement) error {
	followers, err := s.followers(r, a.Author)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, viewer := range append(followers, a.Author) {
		for _, sub := range r.members[viewer] {
			if !sub.offer(a.Post, s.Policy.UndeliveredMax) {
				s.ended(1, ErrTooSlow)
			}
		}
	}
	return nil
}

// followers returns the members who follow author, and perhaps others who do. Nearly all
// authors have so few followers that listing them all is cheaper than asking for many
// members; of others it asks for those.
func (s *Subscriptions) followers(r *room, author feed.UserID) ([]feed.UserID, error) {
	members, size := s.membersOf(r), s.Policy.SubtaskSize
	if len(members) > size {
		few, err := s.Audience.FollowerIDs(r.ctx, author, feed.FollowerRange{UpTo: math.MaxInt64, Limit: size})
		if err != nil || len(few) < size {
			return few, err
		}
	}
	var found []feed.UserID
	for some := range slices.Chunk(members, size) {
		among, err := s.Audience.FollowersAmong(r.ctx, author, some)
		if err != nil {
			return nil, err
		}
		found = append(found, among...)
	}
	return found, nil
}

func (s *Subscriptions) membersOf(r *room) []feed.UserID {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make([]feed.UserID, 0, len(r.members))
	for id := range r.members {
		ids = append(ids, id)
	}
	return ids
}
