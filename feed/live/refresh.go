package live

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Refresher writes the sets of hosts.
type Refresher struct {
	History History
	Sets    Sets
}

// Refresh makes the hosts' sets what they must be. It copies what SQL says now, whatever
// it was asked for by, so it may run any number of times, late, and in any order: a set
// that knows more is not overwritten. The generation comes first: when it rises in between,
// what is written is of one that nobody reads any more.
func (r *Refresher) Refresh(ctx context.Context, hosts []feed.UserID) error {
	now, err := r.History.Now(ctx)
	if err != nil {
		return err
	}
	sets, err := r.History.Sets(ctx, hosts)
	if err != nil {
		return err
	}
	for i, host := range hosts {
		if sets[i].Number == 0 {
			continue
		}
		if err := r.Sets.Write(ctx, now.Generation, host, sets[i]); err != nil {
			return err
		}
	}
	return nil
}
