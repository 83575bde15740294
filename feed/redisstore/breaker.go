package redisstore

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// readWithin is how long a read of an inbox may take, which takes Redis less than a
	// millisecond. A lost packet is sent again after 200 ms, and after 400 ms more, so
	// one may be lost; whoever waits longer has waited too long for a page that the
	// reference query makes in tens of milliseconds.
	readWithin = time.Second
	// restFor is how long a server that did not answer is not asked again: of a Redis
	// that hangs, one read a second notices, and its return is noticed within a second.
	restFor = time.Second
)

// errResting is what a read is told without having been tried.
var errResting = errors.New("it did not answer a moment ago")

// breaker spares calls the wait for a server that does not answer. After a call that
// got no answer, further ones to that server fail at once, but for one every restFor,
// until one is answered. Any answer will do, also that of a Redis that is loading its
// data: it does not keep a page waiting.
type breaker struct {
	now    feed.Clock
	within time.Duration

	mu sync.Mutex
	// until is when a server may be asked again. One that answers has no entry.
	until map[string]time.Time
}

// newBreaker returns a breaker of calls that may take as long as within.
func newBreaker(now feed.Clock, within time.Duration) *breaker {
	return &breaker{now: now, within: within, until: map[string]time.Time{}}
}

// call calls do with a context that ends in time, and returns its error, or else
// returns errResting.
func (b *breaker) call(ctx context.Context, server string, do func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, b.within)
	defer cancel()
	return b.watch(ctx, server, func() error { return do(bounded) })
}

// watch is call for what ends in time by itself.
func (b *breaker) watch(ctx context.Context, server string, do func() error) error {
	if !b.admit(server) {
		return errResting
	}
	err := do()
	switch {
	case err == nil, answered(err):
		b.close(server)
	case ended(ctx) == nil:
		b.open(server)
	}
	// Who called has given up otherwise, which says nothing about the server.
	return err
}

// admit says whether the server may be asked. Of those who ask after a rest it lets one
// through, who finds out for all, and the others after another rest.
func (b *breaker) admit(server string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	until, resting := b.until[server]
	if !resting {
		return true
	}
	now := b.now()
	if now.Before(until) {
		return false
	}
	b.until[server] = now.Add(restFor)
	return true
}

func (b *breaker) open(server string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until[server] = b.now().Add(restFor)
}

func (b *breaker) close(server string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.until, server)
}
