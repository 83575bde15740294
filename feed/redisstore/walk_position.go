package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// position is where the next slice of a walk begins. Its text is the walk's cursor.
type position struct {
	// master is the address of a Cluster's master; empty if there is one server.
	master string
	// scan is the master's own cursor, 0 at its beginning.
	scan uint64
	// after is the last viewer taken from a reply that is too large for one slice.
	after feed.UserID
}

// String returns scan, after and master, such as 96/0/127.0.0.1:15001.
func (p position) String() string { return fmt.Sprintf("%d/%d/%s", p.scan, p.after, p.master) }

func parsePosition(cursor string) (position, bool) {
	parts := strings.SplitN(cursor, "/", 3)
	if len(parts) != 3 {
		return position{}, false
	}
	scan, badScan := strconv.ParseUint(parts[0], 10, 64)
	after, badAfter := strconv.ParseInt(parts[1], 10, 64)
	if errors.Join(badScan, badAfter) != nil {
		return position{}, false
	}
	return position{master: parts[2], scan: scan, after: feed.UserID(after)}, true
}

type node struct {
	address string
	redis   redis.Cmdable
}

// nodes are all servers that hold inboxes, at least one, in the order of a walk.
type nodes []node

// masters returns the masters of a Cluster by address, or the one server there is.
func (s *Inboxes) masters(ctx context.Context) (nodes, error) {
	cluster, ok := s.redis.(*redis.ClusterClient)
	if !ok {
		return nodes{{redis: s.redis}}, nil
	}
	var mu sync.Mutex
	var all nodes
	err := cluster.ForEachMaster(ctx, func(_ context.Context, master *redis.Client) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, node{address: master.Options().Addr, redis: master})
		return nil
	})
	if err == nil && len(all) == 0 {
		err = errors.New("the Cluster has no masters")
	}
	slices.SortFunc(all, func(a, b node) int { return strings.Compare(a.address, b.address) })
	return all, err
}

// resume returns the position of a cursor and the index of its master, or the beginning if the
// cursor is invalid or its master is gone.
func (n nodes) resume(cursor string) (position, int) {
	at, ok := parsePosition(cursor)
	i := slices.IndexFunc(n, func(m node) bool { return m.address == at.master })
	if !ok || i < 0 {
		return position{master: n[0].address}, 0
	}
	return at, i
}

// following returns the cursor after p on the master with index i; empty after the last.
func (n nodes) following(p position, i int) string {
	switch {
	case p.scan != 0 || p.after != 0:
		return p.String()
	case i+1 < len(n):
		return position{master: n[i+1].address}.String()
	}
	return ""
}
