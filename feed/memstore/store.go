package memstore

import (
	"context"
	"slices"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Store is the source of truth, in memory. It implements [feed.Posts],
// [feed.Users], [feed.Outboxes], [feed.Reference], [feed.Relations],
// [feed.Follows], [feed.PostWriter], [feed.Counters], [feed.Audience], [feed.Plans],
// [feed.Applier], [feed.Exporter], [feed.Presence], [feed.Relater], [feed.Profiles],
// [feed.Coverage], [feed.Activity], [feed.Cleaner], [feed.Leaders], [feed.PulseLog],
// [feed.Progress], [feed.AnnouncementLog], [feed.ChangeLog] and [feed.ChangeNumberer]. Use [New].
type Store struct {
	// clock dates leases, keys, plans and generations.
	clock feed.Clock
	// repostDepth is the maximum length of a chain of reposts.
	repostDepth int

	// mu guards the fields below. Every method holds it throughout, so each is one transaction.
	mu         sync.Mutex
	generation int64
	load       feed.BulkLoad
	// flags counts raised coverage flags. changes counts the changes of a user's posts and profile.
	flags   int64
	changes map[feed.UserID]int64
	users   map[feed.UserID]*feed.User
	// raised says why and when the flags of users were raised.
	raised   map[feed.UserID]raisedFlag
	userMode feed.UserMode
	// absent are those of users who are absent.
	absent map[feed.UserID]bool
	// skeletons has the skeletons of handles, with the time at which the user gave the handle up,
	// or 0.
	skeletons map[skeletonOwner]int64
	// deleted are the users with deleted accounts.
	deleted map[feed.UserID]tombstone
	posts   map[feed.PostID]*feed.Post
	follows map[pair]follow
	// ended are the removed follow edges that were not made again, with the follower's version at
	// the unfollow.
	ended map[pair]int64
	// activeUntil has the ends of the leases of activity.
	activeUntil map[feed.UserID]int64
	leaders     map[string]leader
	pulses      map[string]feed.StoredPulse
	// lastSeen has the last activity. relations and reactions have the time of their creation.
	lastSeen  map[feed.UserID]int64
	relations map[relation]int64
	reactions map[reaction]int64
	// undoneRelations and undoneReactions were ended once. They may have been made again.
	undoneRelations map[relation]bool
	undoneReactions map[reaction]bool

	versions        map[feed.UserID]int64
	idempotencyKeys map[idempotencyKey]publish
	events          map[feed.PostID]*event
	plans           map[feed.PostID]*plan

	// number is the number of the last transition of a live session, lastNumbers that of each host.
	// sessions has every session after each of its transitions, in order.
	number      int64
	lastNumbers map[feed.UserID]int64
	sessions    map[live.ID][]live.Session
	// retitled are transitions that change only texts.
	retitled []live.HostTransition
	// absences counts the changes of the absence of hosts.
	absences int64

	changeLog changeLog

	// idMode is empty until UseIDs.
	idMode      feed.IDMode
	externalIDs map[feed.IDKind]*externalIDs
	sources     sources
}

var (
	_ feed.Posts      = (*Store)(nil)
	_ feed.Users      = (*Store)(nil)
	_ feed.Outboxes   = (*Store)(nil)
	_ feed.Reference  = (*Store)(nil)
	_ feed.Relations  = (*Store)(nil)
	_ feed.Follows    = (*Store)(nil)
	_ feed.PostWriter = (*Store)(nil)
	_ feed.Counters   = (*Store)(nil)
	_ feed.Audience   = (*Store)(nil)
	_ feed.Plans      = (*Store)(nil)
	_ feed.Applier    = (*Store)(nil)
	_ feed.Exporter   = (*Store)(nil)
	_ feed.Presence   = (*Store)(nil)
	_ feed.Relater    = (*Store)(nil)
	_ feed.Profiles   = (*Store)(nil)
	_ feed.Coverage   = (*Store)(nil)
	_ feed.Activity   = (*Store)(nil)
	_ feed.Cleaner    = (*Store)(nil)
	_ feed.Leaders    = (*Store)(nil)
	_ feed.PulseLog   = (*Store)(nil)
	_ feed.Progress   = (*Store)(nil)

	_ feed.AnnouncementLog = (*Store)(nil)
)

// New returns an empty store with the given clock. It refuses chains of reposts longer than
// [feed.DefaultPolicy] allows.
func New(clock feed.Clock) *Store {
	return &Store{
		clock:       clock,
		ended:       map[pair]int64{},
		activeUntil: map[feed.UserID]int64{},
		leaders:     map[string]leader{},
		pulses:      map[string]feed.StoredPulse{},
		repostDepth: feed.DefaultPolicy().RepostDepth,
		users:       map[feed.UserID]*feed.User{},
		raised:      map[feed.UserID]raisedFlag{},
		userMode:    feed.UsersExplicit,
		absent:      map[feed.UserID]bool{},
		skeletons:   map[skeletonOwner]int64{},
		deleted:     map[feed.UserID]tombstone{},
		posts:       map[feed.PostID]*feed.Post{},
		follows:     map[pair]follow{},
		lastSeen:    map[feed.UserID]int64{},
		relations:   map[relation]int64{},
		reactions:   map[reaction]int64{},

		undoneRelations: map[relation]bool{},
		undoneReactions: map[reaction]bool{},
		versions:        map[feed.UserID]int64{},
		changes:         map[feed.UserID]int64{},
		idempotencyKeys: map[idempotencyKey]publish{},
		events:          map[feed.PostID]*event{},
		plans:           map[feed.PostID]*plan{},
		lastNumbers:     map[feed.UserID]int64{},
		sessions:        map[live.ID][]live.Session{},
		changeLog:       changeLog{epoch: newEpoch()},
		externalIDs:     map[feed.IDKind]*externalIDs{},
		sources:         newSources(),
	}
}

// begin starts a transaction, which ends when the caller unlocks s.mu. If the context has ended, it
// returns [feed.CodeUnavailable] and does not lock.
func (s *Store) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return feed.Unavailable("the memory store", err)
	}
	s.mu.Lock()
	return nil
}

// change is [inTx] for a function without a result.
func (s *Store) change(ctx context.Context, change func()) error {
	_, err := inTx(ctx, s, func() struct{} { change(); return struct{}{} })
	return err
}

// inTx runs do in one transaction and returns its result.
func inTx[T any](ctx context.Context, s *Store, do func() T) (T, error) {
	if err := s.begin(ctx); err != nil {
		var none T
		return none, err
	}
	defer s.mu.Unlock()
	return do(), nil
}

// readEach returns the results of calling of with each name, in one transaction.
func readEach[K, V any](ctx context.Context, s *Store, names []K, of func(K) V) ([]V, error) {
	return inTx(ctx, s, func() []V {
		found := make([]V, len(names))
		for i, name := range names {
			found[i] = of(name)
		}
		return found
	})
}

// page returns the keys in r, in its direction.
func page(keys []feed.Key, r feed.Range) []feed.Key {
	keys = slices.DeleteFunc(keys, func(k feed.Key) bool { return !r.Holds(k) })
	slices.SortFunc(keys, func(a, b feed.Key) int {
		if r.Ascending {
			return a.Compare(b)
		}
		return b.Compare(a)
	})
	return keys[:min(len(keys), r.Limit)]
}
