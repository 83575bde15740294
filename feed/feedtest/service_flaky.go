package feedtest

import (
	"context"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// Flaky is a store of inboxes that fails on request. Tests use it to check that interrupted work
// resumes. Use it from one goroutine only.
type Flaky struct {
	feed.Inboxes
	// Down makes every call fail.
	Down bool
	// FailAt makes one later call fail: 1 is the next call, 2 the one after it. Each call
	// decrements it.
	FailAt int
	// Served is the number of viewers that a failing push serves first.
	Served int
	// ReplyLost makes failing calls take effect, as if the connection broke before the reply.
	ReplyLost bool
}

// errDown returns the error of a store that is down.
func errDown() error { return feed.Unavailable("the store", errors.New("the test has taken it down")) }

// fails reports whether this call must fail.
func (f *Flaky) fails() bool {
	f.FailAt = max(f.FailAt-1, -1)
	return f.Down || f.FailAt == 0
}

// Read implements [feed.Inboxes].
func (f *Flaky) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	if f.fails() {
		return feed.Inbox{}, errDown()
	}
	return f.Inboxes.Read(ctx, viewer, r)
}

// Push implements [feed.Inboxes].
func (f *Flaky) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	if !f.fails() {
		return f.Inboxes.Push(ctx, viewers, keys...)
	}
	served := min(f.Served, len(viewers))
	reached := viewers[:served]
	if f.ReplyLost {
		reached = viewers
	}
	if _, err := f.Inboxes.Push(ctx, reached, keys...); err != nil {
		return 0, err
	}
	return served, errDown()
}

// BeginBuild implements [feed.Inboxes].
func (f *Flaky) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildHeader, staleBefore int64) (bool, error) {
	return f.change(func() (bool, error) { return f.Inboxes.BeginBuild(ctx, viewer, m, staleBefore) })
}

// FinishBuild implements [feed.Inboxes].
func (f *Flaky) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	return f.change(func() (bool, error) { return f.Inboxes.FinishBuild(ctx, viewer, token, b) })
}

// Amend implements [feed.Inboxes].
func (f *Flaky) Amend(ctx context.Context, viewer feed.UserID, a feed.Amendment) (bool, error) {
	return f.change(func() (bool, error) { return f.Inboxes.Amend(ctx, viewer, a) })
}

// Remove implements [feed.Inboxes].
func (f *Flaky) Remove(ctx context.Context, viewer feed.UserID) error {
	return errorOf(f.change(func() (bool, error) { return true, f.Inboxes.Remove(ctx, viewer) }))
}

// change makes a change, fails, or does both.
func (f *Flaky) change(do func() (bool, error)) (bool, error) {
	if !f.fails() {
		return do()
	}
	if f.ReplyLost {
		if _, err := do(); err != nil {
			return false, err
		}
	}
	return false, errDown()
}
