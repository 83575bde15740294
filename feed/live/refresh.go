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

// Refresh writes the hosts' sets as SQL has them now. It may run late, repeatedly and in any order,
// because [Sets] keep a set with a higher number. It reads the generation first: if that rises
// meanwhile, it writes a set that is never read.
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
