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

// Refresh enqueues a [TypeRefresh] task that begins after the call, or finds one that will.
func (q *Queue) Refresh(ctx context.Context, hosts []feed.UserID) error {
	if len(hosts) == 0 {
		return nil
	}
	ids := make([]string, len(hosts))
	for i, host := range hosts {
		ids[i] = host.String()
	}
	return q.afterNow(ctx, TypeRefresh, digest(hosts), payload{HostIDs: ids}, 0)
}

// digest ignores the order. A collision only means that the next read asks again.
func digest(hosts []feed.UserID) string {
	h := fnv.New64a()
	for _, host := range slices.Sorted(slices.Values(hosts)) {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(host)))
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
