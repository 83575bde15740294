package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// SinceAtOnce is [Live.Since] for concurrent callers, each with a number and a limit.
func (l *Live) SinceAtOnce(ctx context.Context, asked [][2]int) ([][]live.HostTransition, error) {
	keys := make([]after, len(asked))
	for i, a := range asked {
		keys[i] = after{int64(a[0]), a[1]}
	}
	return l.store.lookups.transitions.All(ctx, keys)
}

// FollowedAtOnce returns for each of several concurrent callers, by viewer and version, whether
// they follow the host.
func (l *Live) FollowedAtOnce(ctx context.Context, host feed.UserID, asked [][2]int64) ([]bool, error) {
	keys := make([]following, len(asked))
	for i, a := range asked {
		keys[i] = following{feed.UserID(a[0]), host, a[1]}
	}
	return l.store.lookups.followed.All(ctx, keys)
}
