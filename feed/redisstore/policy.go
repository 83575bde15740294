package redisstore

import (
	"cmp"
	"context"
	"sync"

	"github.com/redis/go-redis/v9"
)

// KeepsKeys is the maxmemory-policy under which a full Redis refuses writes and never drops a key.
const KeepsKeys = "noeviction"

// EvictionPolicies returns the maxmemory-policy of each server that tells it: of all nodes of a
// Cluster, since each replica may become a master. It fails if no server replies.
func (c *Client) EvictionPolicies(ctx context.Context) ([]string, error) {
	cluster, ok := c.redis.(*redis.ClusterClient)
	if !ok {
		policy, err := evictionPolicy(ctx, c.redis)
		if err != nil || policy == "" {
			return nil, failed(ctx, err)
		}
		return []string{policy}, nil
	}
	var mu sync.Mutex
	var policies []string
	var unknown error
	err := cluster.ForEachShard(ctx, func(ctx context.Context, node *redis.Client) error {
		policy, err := evictionPolicy(ctx, node)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			unknown = err
		case policy != "":
			policies = append(policies, policy)
		}
		return nil // ask the other nodes as well
	})
	if len(policies) > 0 {
		return policies, nil
	}
	return nil, failed(ctx, cmp.Or(err, unknown))
}

// evictionPolicy returns "" if the server does not tell. It reads INFO, which managed services
// allow where they forbid CONFIG.
func evictionPolicy(ctx context.Context, node redis.Cmdable) (string, error) {
	return infoField(node.Info(ctx, "memory"), "maxmemory_policy")
}
