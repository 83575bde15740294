package subscribe

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/delta"
)

// Why a subscription to new posts ends although no store has failed.
var (
	// ErrMissed ends a subscription without a token.
	ErrMissed = &feed.Error{Code: feed.CodeUnavailable, Message: "posts may have been missed; subscribe again and read the feed from the top"}
	// ErrReset ends a subscription with a token.
	ErrReset = &feed.Error{Code: feed.CodeSyncReset, Message: "changes since the token are unknown; read the first page and subscribe with its token"}
)

var (
	errAnonymous     = feed.Errorf(feed.CodeUnauthenticated, "sign in to subscribe to a home feed")
	errAnonymousLive = feed.Errorf(feed.CodeUnauthenticated, "sign in to subscribe to a live feed")
)

// Subscriptions sends viewers the changes of their home feeds and live feeds. Its exported fields
// are set once, before the first call. It is an observer of the follower of the change log.
//
// It keeps no follow graph: for each row under an author, it asks the source of truth which
// subscribers follow the author now. Later follows have rows of their own.
type Subscriptions struct {
	// Changes and LiveChanges read the log for subscriptions without a queue. LiveChanges may be nil if
	// SubscribeLive is not called.
	Changes     *delta.Reader
	LiveChanges *delta.LiveReader
	// Viewers may read through caches, as far as the follower has evicted what the rows name.
	Viewers  feed.Viewers
	Places   feed.Places
	Audience feed.Audience
	Policy   feed.Policy
	Trace    feed.Trace
	// Async runs a function in the background.
	Async func(func())
	// Joined, unless nil, is called for each new subscription.
	Joined func(viewer feed.UserID)

	mu      sync.Mutex
	members map[feed.UserID][]*Subscription
	count   int
	// judging limits concurrent deliveries. turns limits the subscriptions that are notified of any.
	judging chan struct{}
	turns   turns
	// place is where the last call of Changed or Lost has ended; nil before.
	place *feed.ChangePlace
	// lost counts calls of Lost.
	lost int
	// queue has the rows that no subscription has yet, and routing says that a function takes them.
	queue   []feed.Change
	routing bool
}

// routeWithin bounds the search for the subscribers of a batch of rows.
const routeWithin = 10 * time.Second

// Query says what a subscription sends.
type Query struct {
	// Since is a sync token of the viewer's home feed. If it is empty, the subscription begins now
	// and sends arrivals only.
	Since string
	// Of and Filter are those of the token.
	Of     feed.Authors
	Filter feed.Filter
}

// Subscribe subscribes viewer, who must call Close. Without a token, it sends what arrives after it
// returns. It returns [feed.CodeUnauthenticated] for the anonymous viewer (0) and
// [feed.CodeBadCursor] for a token of another viewer or filter.
func (s *Subscriptions) Subscribe(ctx context.Context, viewer feed.UserID, q Query) (*Subscription, error) {
	if viewer == 0 {
		return nil, errAnonymous
	}
	u := &Subscription{all: s, viewer: viewer, wake: make(chan struct{}, 1), token: feed.SyncToken{Viewer: viewer, Of: q.Of, Filter: q.Filter}}
	var err error
	if q.Since != "" {
		u.behind = true
		u.token, err = feed.ParseSyncToken(q.Since, viewer, q.Of, q.Filter)
	} else {
		u.scope = delta.Arrivals
		u.token.Place, err = s.Places.Place(ctx)
	}
	if err != nil {
		return nil, err
	}
	s.join(u)
	if s.Joined != nil {
		s.Joined(viewer)
	}
	return u, nil
}

// SubscribeLive subscribes viewer to all changes of their live feed after a sync token. It returns
// the errors of [Subscriptions.Subscribe], and [feed.CodeBadCursor] for a token of a home feed.
func (s *Subscriptions) SubscribeLive(_ context.Context, viewer feed.UserID, since string) (*LiveSubscription, error) {
	if viewer == 0 {
		return nil, errAnonymousLive
	}
	token, err := feed.ParseLiveSyncToken(since, viewer)
	if err != nil {
		return nil, err
	}
	u := &LiveSubscription{Subscription{
		all: s, viewer: viewer, scope: delta.LiveFeed, wake: make(chan struct{}, 1), token: token, behind: true,
	}}
	s.join(&u.sub)
	return u, nil
}

// Subscribers returns the number of subscriptions.
func (s *Subscriptions) Subscribers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

func (s *Subscriptions) join(u *Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.members == nil {
		s.members, s.judging = map[feed.UserID][]*Subscription{}, make(chan struct{}, s.Policy.DeliveriesMax)
		s.turns.free = s.Policy.DeliveriesMax
	}
	if u.scope == delta.Arrivals && s.place != nil {
		// Rows up to this place may be routed already.
		u.token.Place = *s.place
	} else {
		u.behind = true
	}
	s.members[u.viewer] = append(s.members[u.viewer], u)
	s.count++
}

func (s *Subscriptions) leave(u *Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.members[u.viewer]
	rest := slices.DeleteFunc(slices.Clone(before), func(other *Subscription) bool { return other == u })
	s.count -= len(before) - len(rest)
	if len(rest) > 0 {
		s.members[u.viewer] = rest
	} else {
		delete(s.members, u.viewer)
	}
}

// Changed queues rows for the subscriptions that they concern.
func (s *Subscriptions) Changed(rows []feed.Change, upTo feed.ChangePlace) {
	if s.enqueue(rows, upTo) {
		s.Async(s.route)
	}
}

// enqueue reports whether rows wait that no function takes.
func (s *Subscriptions) enqueue(rows []feed.Change, upTo feed.ChangePlace) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.place = &upTo
	if s.count == 0 {
		s.queue = nil
		return false
	}
	for _, row := range rows {
		if row.User == 0 || concernsFollowers(row) || s.members[row.User] != nil {
			s.queue = append(s.queue, row)
		}
	}
	if len(s.queue) > s.Policy.UnroutedMax {
		s.forget()
	}
	if len(s.queue) == 0 || s.routing {
		return false
	}
	s.routing = true
	return true
}

// concernsFollowers reports whether a row can change any feed of the user's followers.
func concernsFollowers(row feed.Change) bool {
	return row.ConcernsFollowers() || row.ConcernsLiveFeeds()
}

// Lost lets all subscriptions read the log themselves.
func (s *Subscriptions) Lost(upTo feed.ChangePlace) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.place = &upTo
	s.forget()
}

// forget drops the queue. The caller holds mu.
func (s *Subscriptions) forget() {
	s.lost++
	s.queue = nil
	for _, subs := range s.members {
		for _, u := range subs {
			u.fallBehind()
		}
	}
}

// route takes rows until there are none. If followers cannot be read, the next call of Changed
// tries again.
func (s *Subscriptions) route() {
	for {
		rows, lost := s.take()
		if len(rows) == 0 {
			return
		}
		if err := s.deliver(rows, lost); err != nil {
			s.untake(rows, lost)
			return
		}
	}
}

func (s *Subscriptions) take() (rows []feed.Change, lost int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows, s.queue = s.queue, nil
	s.routing = len(rows) > 0
	return rows, s.lost
}

func (s *Subscriptions) untake(rows []feed.Change, lost int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.routing = false
	if lost == s.lost {
		s.queue = append(rows, s.queue...)
	}
}

// deliver offers each row to the subscriptions that it concerns, in their order.
func (s *Subscriptions) deliver(rows []feed.Change, lost int) error {
	ctx, cancel := context.WithTimeout(context.Background(), routeWithin)
	defer cancel()
	followers := map[feed.UserID][]feed.UserID{}
	for _, row := range rows {
		if _, read := followers[row.User]; read || !concernsFollowers(row) {
			continue
		}
		found, err := s.followers(ctx, row.User)
		if err != nil {
			return err
		}
		followers[row.User] = found
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if lost != s.lost {
		return nil
	}
	for _, row := range rows {
		if row.User == 0 {
			s.offer(row, slices.Collect(maps.Keys(s.members))...)
			continue
		}
		s.offer(row, row.User)
		if concernsFollowers(row) {
			s.offer(row, followers[row.User]...)
		}
	}
	return nil
}

// offer queues a row for viewers. The caller holds mu.
func (s *Subscriptions) offer(row feed.Change, viewers ...feed.UserID) {
	for _, viewer := range viewers {
		for _, u := range s.members[viewer] {
			u.offer(row, s.Policy.UndeliveredMax)
		}
	}
}

// followers returns the subscribers who follow author, and perhaps other followers. Most authors
// have so few followers that listing them is cheaper than asking for many subscribers.
func (s *Subscriptions) followers(ctx context.Context, author feed.UserID) ([]feed.UserID, error) {
	viewers, size := s.viewers(), s.Policy.SliceSize
	if len(viewers) > size {
		few, err := s.Audience.FollowerIDs(ctx, author, feed.FollowerRange{UpTo: math.MaxInt64, Limit: size})
		if err != nil || len(few) < size {
			return few, err
		}
	}
	var found []feed.UserID
	for some := range slices.Chunk(viewers, size) {
		among, err := s.Audience.FollowersAmong(ctx, author, some)
		if err != nil {
			return nil, err
		}
		found = append(found, among...)
	}
	return found, nil
}

// viewers returns the viewers with subscriptions, in no order and each once.
func (s *Subscriptions) viewers() []feed.UserID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.members))
}

// Connected reports whether a viewer has a subscription to their home feed.
func (s *Subscriptions) Connected(viewer feed.UserID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.members[viewer], func(u *Subscription) bool { return u.scope != delta.LiveFeed })
}
