package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// requestStale is how old what is known of revocations may be for a request, and
	// streamStale for an operation or an event of an open connection. In between the
	// background asks ([Revocations.Refresh]), so that hardly any request waits for this.
	requestStale = time.Second
	streamStale  = 100 * time.Millisecond

	// revokedOverlap is how far each look goes back beyond the one before: what was revoked
	// is seen when its transaction has committed, ten seconds later at most.
	revokedOverlap = 15 * time.Second
	// revokedKept is how long a revocation is remembered: longer than a process counts a
	// user as stored without asking, which is a minute.
	revokedKept = 2 * time.Minute

	// clearedMax is how many tokens are remembered that were not revoked: some megabytes.
	clearedMax = 20_000
	// lookWithin bounds one question to the store.
	lookWithin = 2 * time.Second
)

// Revocations know which tokens were revoked, and end the contexts of what they have opened.
// All processes on one database learn of a revocation: from the store within a second, and at
// once when [Revocations.Evict] is called. While the store cannot be asked, tokens are let
// through: nothing can be read with them then. Safe for concurrent use.
type Revocations struct {
	store feed.Revocations
	now   func() time.Time

	// asking is held while the store is asked for what is new.
	asking sync.Mutex

	mu     sync.Mutex
	asked  time.Time // when the last answer was asked for
	stale  bool      // something has changed since
	recent map[feed.Revocation]time.Time
	// cleared are tokens that were not revoked when they were looked up; what is revoked
	// later is in recent first.
	cleared map[feed.Revocation]struct{}
	open    map[feed.UserID]map[*grant]struct{}
}

// grant is what a token has opened.
type grant struct {
	by  feed.Revocation
	end context.CancelCauseFunc
}

// NewRevocations returns what is known of revocations that are in store. now is the clock.
func NewRevocations(store feed.Revocations, now func() time.Time) *Revocations {
	return &Revocations{
		store: store, now: now,
		recent: map[feed.Revocation]time.Time{}, cleared: map[feed.Revocation]struct{}{}, open: map[feed.UserID]map[*grant]struct{}{},
	}
}

// Revocable is a [Verifier] that refuses tokens which were revoked.
type Revocable struct {
	*Revocations
	// Verifier verifies all else about a token.
	Verifier Verifier
}

// Verify is that of [Verifier].
func (r Revocable) Verify(ctx context.Context, token string) (Identity, error) {
	id, err := r.Verifier.Verify(ctx, token)
	if err != nil {
		return id, err
	}
	hash := sha256.Sum256([]byte(token))
	id.TokenHash = hex.EncodeToString(hash[:])
	r.refresh(ctx, requestStale)
	if r.revoked(ctx, revocationOf(id)) {
		return Identity{}, errRevoked()
	}
	return id, nil
}

func revocationOf(id Identity) feed.Revocation {
	return feed.Revocation{User: id.User, Token: id.TokenHash}
}

func errRevoked() error { return refused("the token was revoked", nil) }

// revoked reports whether a token was revoked.
func (r *Revocations) revoked(ctx context.Context, by feed.Revocation) bool {
	r.mu.Lock()
	_, cleared := r.cleared[by]
	revoked := r.isRecent(by)
	r.mu.Unlock()
	if cleared || revoked {
		return revoked
	}
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	revoked, err := r.store.IsRevoked(ctx, by)
	if err != nil || revoked {
		return revoked
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.cleared) >= clearedMax {
		clear(r.cleared)
	}
	r.cleared[by] = struct{}{}
	return r.isRecent(by)
}

// isRecent reports whether a token was revoked lately. The caller holds the mutex.
func (r *Revocations) isRecent(by feed.Revocation) bool {
	_, token := r.recent[by]
	_, all := r.recent[feed.Revocation{User: by.User}]
	return token || all
}

// Revoke revokes the token of an identity, which [Revocable.Verify] returned.
func (r *Revocations) Revoke(ctx context.Context, id Identity) error {
	err := r.store.Revoke(ctx, revocationOf(id), id.Expires.Sub(r.now())+revokedOverlap)
	r.Evict([]feed.UserID{id.User}) //nolint:contextcheck // the look outlives the request
	return err
}

// Evict has the next look not wait: something about these users has changed, or with none
// perhaps anything.
func (r *Revocations) Evict(users []feed.UserID) {
	r.mu.Lock()
	r.stale = true
	look := users == nil && len(r.open) > 0
	for _, user := range users {
		look = look || len(r.open[user]) > 0
	}
	r.mu.Unlock()
	if look {
		go r.refresh(context.Background(), 0)
	}
}

// Refresh asks the store for what is new. To be called every half second.
func (r *Revocations) Refresh(ctx context.Context) error {
	r.asking.Lock()
	defer r.asking.Unlock()
	return r.ask(ctx)
}

// refresh does so unless what is known is fresh enough. A failure leaves what is known.
func (r *Revocations) refresh(ctx context.Context, age time.Duration) {
	if r.fresh(age) {
		return
	}
	r.asking.Lock()
	defer r.asking.Unlock()
	if !r.fresh(age) { // it may have become so meanwhile
		_ = r.ask(ctx)
	}
}

func (r *Revocations) fresh(age time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.stale && r.now().Sub(r.asked) < age
}

// ask asks the store. The caller holds asking.
func (r *Revocations) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	began := r.now()
	r.mu.Lock()
	r.stale = false
	window := min(revokedKept, began.Sub(r.asked)+revokedOverlap)
	r.mu.Unlock()
	found, err := r.store.RevokedWithin(ctx, window)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.stale = true
		return err
	}
	r.asked = began
	for by, at := range r.recent {
		if began.Sub(at) > revokedKept {
			delete(r.recent, by)
		}
	}
	for _, by := range found {
		r.take(by, began)
	}
	return nil
}

// take remembers a revocation and ends what is open. The caller holds the mutex.
func (r *Revocations) take(by feed.Revocation, at time.Time) {
	if _, known := r.recent[by]; known {
		return
	}
	r.recent[by] = at
	delete(r.cleared, by)
	for o := range r.open[by.User] {
		if by.Token == "" || o.by == by {
			o.end(errRevoked())
		}
	}
}

// watch returns a context that ends when the identity's token is revoked, with an error of
// code UNAUTHENTICATED as its cause.
func (r *Revocations) watch(ctx context.Context, id Identity) context.Context {
	if id.TokenHash == "" {
		return ctx
	}
	ctx, end := context.WithCancelCause(ctx)
	o := &grant{by: revocationOf(id), end: end}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open[id.User] == nil {
		r.open[id.User] = map[*grant]struct{}{}
	}
	r.open[id.User][o] = struct{}{}
	if r.isRecent(o.by) {
		end(errRevoked())
	}
	context.AfterFunc(ctx, func() { r.forget(o) })
	return ctx
}

func (r *Revocations) forget(o *grant) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open[o.by.User], o)
	if len(r.open[o.by.User]) == 0 {
		delete(r.open, o.by.User)
	}
}

// Recheck reports whether what was opened in ctx may go on: nil, or why not. It asks the store
// if that was not done a moment ago.
func (r *Revocations) Recheck(ctx context.Context) error {
	if id, ok := IdentityFrom(ctx); ok && id.TokenHash != "" {
		r.refresh(ctx, streamStale)
	}
	return context.Cause(ctx)
}
