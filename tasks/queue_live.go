package tasks

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

var _ live.Queue = (*Queue)(nil)

// Refresh enqueues a [TypeRefresh] task for the hosts that begins after the call, or finds
// one that will; for no hosts it does nothing. Until a task has run, reads take from SQL
// what the hosts have upcoming and live, and ask for it again: the reason why it stands in
// [QueueBuild], behind which no publish waits.
func (q *Queue) Refresh(ctx context.Context, hosts []feed.UserID) error {
	if len(hosts) == 0 {
		return nil
	}
	ids := make([]string, len(hosts))
	for i, host := range hosts {
		ids[i] = host.String()
	}
	return q.afterNow(ctx, TypeRefresh, digest(hosts), payload{HostIDs: ids})
}

// digest returns a short name for a group of hosts, whatever their order. That two groups
// share one is as good as impossible; if they did within ten seconds, the next read would
// ask again for what was not done.
func digest(hosts []feed.UserID) string {
	h := fnv.New64a()
	for _, host := range slices.Sorted(slices.Values(hosts)) {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(host)))
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
