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
	// requestMaxAge is the maximum age of the known revocations for a request or an event.
	// [Revocations.Refresh] runs more often, so requests rarely wait.
	requestMaxAge = time.Second

	// windowOverlap is how far each load reaches back beyond the previous one: a revocation becomes
	// visible when its transaction commits, at most ten seconds later.
	windowOverlap = 15 * time.Second
	// keepFor exceeds the minute for which a process does not check again whether a user is stored.
	keepFor = 2 * time.Minute

	// unrevokedMax bounds the cache of tokens that were not revoked to some megabytes.
	unrevokedMax = 20_000
	loadTimeout  = 2 * time.Second
)

// Revocations know which tokens are revoked, and end the contexts that depend on them. All
// processes on a database learn of a revocation: from the store within a second, and at once after
// [Revocations.Evict]. While the store is unavailable, tokens pass: nothing can be read with them
// then. It is safe for concurrent use.
type Revocations struct {
	store feed.Revocations
	now   func() time.Time

	loading sync.Mutex

	mu     sync.Mutex
	loaded time.Time // when the last load began
	used   bool      // whether tokens were used since
	// evictions counts calls of Evict, and covered those before the last load began. A load that is under
	// way covers none yet, so checks wait for it.
	evictions, covered int
	recent             map[feed.Revocation]time.Time
	// unrevoked are tokens that were not revoked when looked up. recent takes precedence.
	unrevoked map[feed.Revocation]struct{}
	watchers  map[feed.UserID]map[*watcher]struct{}
}

type watcher struct {
	by feed.Revocation
	// cause is why the context ends.
	cause error
	end   context.CancelCauseFunc
}

// NewRevocations returns the revocations in a store. now is the clock.
func NewRevocations(store feed.Revocations, now func() time.Time) *Revocations {
	return &Revocations{
		store: store, now: now,
		recent: map[feed.Revocation]time.Time{}, unrevoked: map[feed.Revocation]struct{}{}, watchers: map[feed.UserID]map[*watcher]struct{}{},
	}
}

// Revocable is a [Verifier] that refuses revoked tokens.
type Revocable struct {
	*Revocations
	// Verifier makes all other checks.
	Verifier Verifier
}

// Verify implements [Verifier].
func (r Revocable) Verify(ctx context.Context, token string) (Identity, error) {
	id, err := r.Verifier.Verify(ctx, token)
	if err != nil {
		return id, err
	}
	if id.Expires.IsZero() { // the token of the settings, which only a restart changes
		r.refresh(ctx, requestMaxAge)
		return id, nil
	}
	hash := sha256.Sum256([]byte(token))
	id.TokenHash = hex.EncodeToString(hash[:])
	r.refresh(ctx, requestMaxAge)
	if r.revoked(ctx, revocationOf(id)) {
		return Identity{}, errRevoked()
	}
	return id, nil
}

func revocationOf(id Identity) feed.Revocation {
	return feed.Revocation{User: id.User, Token: id.TokenHash}
}

// isDeleted reports whether all tokens of a user were revoked lately.
func (r *Revocations) isDeleted(user feed.UserID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, deleted := r.recent[feed.Revocation{User: user}]
	return deleted
}

func errRevoked() error { return refused("the token was revoked", nil) }

func (r *Revocations) revoked(ctx context.Context, by feed.Revocation) bool {
	r.mu.Lock()
	_, unrevoked := r.unrevoked[by]
	revoked := r.isRecent(by)
	r.mu.Unlock()
	if unrevoked || revoked {
		return revoked
	}
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	revoked, err := r.store.IsRevoked(ctx, by)
	if err != nil || revoked {
		return revoked
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.unrevoked) >= unrevokedMax {
		clear(r.unrevoked)
	}
	r.unrevoked[by] = struct{}{}
	return r.isRecent(by)
}

// isRecent reports whether a token was revoked lately. The caller holds mu.
func (r *Revocations) isRecent(by feed.Revocation) bool {
	_, token := r.recent[by]
	_, all := r.recent[feed.Revocation{User: by.User}]
	return token || all
}

// Revoke revokes the token of an identity that [Revocable.Verify] returned.
func (r *Revocations) Revoke(ctx context.Context, id Identity) error {
	err := r.store.Revoke(ctx, revocationOf(id), id.Expires.Sub(r.now())+windowOverlap)
	r.Evict([]feed.UserID{id.User}) //nolint:contextcheck // the load outlives the request
	return err
}

// Evict marks the known revocations as stale, because these users changed, or any if nil. If they
// have open connections, it reloads at once.
func (r *Revocations) Evict(users []feed.UserID) {
	r.mu.Lock()
	r.evictions++
	reload := users == nil && len(r.watchers) > 0
	for _, user := range users {
		reload = reload || len(r.watchers[user]) > 0
	}
	r.mu.Unlock()
	if reload {
		go r.refresh(context.Background(), 0)
	}
}

// Refresh loads new revocations if tokens are in use. Call it every half second.
func (r *Revocations) Refresh(ctx context.Context) error {
	r.mu.Lock()
	idle := !r.used && len(r.watchers) == 0
	r.mu.Unlock()
	if idle {
		return nil
	}
	r.loading.Lock()
	defer r.loading.Unlock()
	return r.load(ctx)
}

// refresh notes that tokens are in use. It loads new revocations unless the last load began at most
// age before this call. Concurrent calls share loads. It ignores errors.
func (r *Revocations) refresh(ctx context.Context, age time.Duration) {
	since := r.now().Add(-age)
	if r.loadedSince(since) {
		return
	}
	r.loading.Lock()
	defer r.loading.Unlock()
	if !r.loadedSince(since) { // it may have been loaded meanwhile
		_ = r.load(context.WithoutCancel(ctx)) // others share it
	}
}

func (r *Revocations) loadedSince(t time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = true
	return r.covered == r.evictions && !r.loaded.Before(t)
}

// The caller holds loading.
func (r *Revocations) load(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	began := r.now()
	r.mu.Lock()
	r.used = false
	covered := r.evictions
	window := r.window(began)
	r.mu.Unlock()
	found, err := r.store.RevokedWithin(ctx, window)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		return err
	}
	r.loaded, r.covered = began, covered
	for by, at := range r.recent {
		if began.Sub(at) > keepFor {
			delete(r.recent, by)
		}
	}
	for _, by := range found {
		r.record(by, began)
	}
	return nil
}

// window returns how far a load must reach back. The caller holds mu.
func (r *Revocations) window(began time.Time) time.Duration {
	if r.loaded.IsZero() {
		return keepFor
	}
	window := began.Sub(r.loaded) + windowOverlap
	if window > feed.RevocationKeptFor {
		clear(r.unrevoked)
	}
	return min(window, feed.RevocationKeptFor)
}

// record adds a revocation and ends the contexts of its token. The caller holds mu.
func (r *Revocations) record(by feed.Revocation, at time.Time) {
	if _, known := r.recent[by]; known {
		return
	}
	r.recent[by] = at
	delete(r.unrevoked, by)
	for w := range r.watchers[by.User] {
		if by.Token == "" || w.by == by {
			w.end(w.cause)
		}
	}
}

// watch returns a context that ends with an UNAUTHENTICATED cause when the token is revoked, and with
// FORBIDDEN when the account is deleted that a service acts for.
func (r *Revocations) watch(ctx context.Context, id Identity) context.Context {
	user := id.User
	if id.isActing() {
		ctx = r.watchFor(ctx, feed.Revocation{User: id.User}, errActForDeleted())
		user = 0 // as when the token was verified
	}
	if id.TokenHash == "" {
		return ctx
	}
	return r.watchFor(ctx, feed.Revocation{User: user, Token: id.TokenHash}, errRevoked())
}

func (r *Revocations) watchFor(ctx context.Context, by feed.Revocation, cause error) context.Context {
	ctx, end := context.WithCancelCause(ctx)
	w := &watcher{by: by, cause: cause, end: end}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watchers[by.User] == nil {
		r.watchers[by.User] = map[*watcher]struct{}{}
	}
	r.watchers[by.User][w] = struct{}{}
	if r.isRecent(by) {
		end(cause)
	}
	context.AfterFunc(ctx, func() { r.forget(w) })
	return ctx
}

func (r *Revocations) forget(w *watcher) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.watchers[w.by.User], w)
	if len(r.watchers[w.by.User]) == 0 {
		delete(r.watchers, w.by.User)
	}
}

// Recheck returns nil if a connection with this context can continue, and otherwise the reason. It
// knows the revocations that [Revocable.Verify] knows. After [Revocations.Evict] it asks the store: the
// change log calls Evict before it passes on later changes, so an event of those is not sent.
func (r *Revocations) Recheck(ctx context.Context) error {
	if id, ok := IdentityFrom(ctx); ok && (id.TokenHash != "" || id.isActing()) {
		r.refresh(ctx, requestMaxAge)
	}
	return context.Cause(ctx)
}
