package subscribe

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// LiveSubscription is one viewer's to their live feed. Except for Close, Notify and EndTurn, its
// methods are for one goroutine.
type LiveSubscription struct{ sub Subscription }

// Poll is [Subscription.Poll] for the live feed.
func (l *LiveSubscription) Poll(ctx context.Context) (*live.ChangePage, error) {
	all := l.sub.all
	return poll(ctx, &l.sub, func(rows []feed.Change) (*live.ChangePage, error) {
		if rows == nil {
			return all.LiveChanges.After(ctx, l.sub.token, all.Policy.PageDefault)
		}
		return all.LiveChanges.Of(ctx, all.Viewers, l.sub.token, rows, all.Policy.PageDefault)
	})
}

// Notify is [Subscription.Notify].
func (l *LiveSubscription) Notify(ready func()) { l.sub.Notify(ready) }

// Close is [Subscription.Close].
func (l *LiveSubscription) Close() { l.sub.Close() }

// Wait is [Subscription.Wait].
func (l *LiveSubscription) Wait(ctx context.Context) error { return l.sub.Wait(ctx) }

// EndTurn is [Subscription.EndTurn].
func (l *LiveSubscription) EndTurn() { l.sub.EndTurn() }
