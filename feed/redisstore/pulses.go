package redisstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/hashslot"
)

// Pulses implements [feed.Pulses] in Redis: one number on a single server, or one on each master.
//
// A number is an ordinary key, so it is lost, restored and replicated together with the inboxes on
// its server. On a Cluster it is in the lowest slot of its master, and the server is named by that
// slot, so that a replica which takes over has number and name. If slots move otherwise, names come
// and go. A new name has no number, or one that is too old rather than too new.
type Pulses struct {
	redis redis.UniversalClient
	raise *redis.Script
	tags  func() []string
}

var _ feed.Pulses = (*Pulses)(nil)

// NewPulses returns the pulses of the client's Redis. The caller closes the client.
func NewPulses(c *Client) *Pulses {
	return &Pulses{redis: c.redis, raise: redis.NewScript(pulseLua), tags: sync.OnceValue(hashslot.Tags)}
}

// Read implements [feed.Pulses] in one round trip to each server, one after the other, and on a
// Cluster another one for its slots. The run is the server's run_id; the embedded Redis has none.
func (p *Pulses) Read(ctx context.Context) ([]feed.Pulse, error) {
	servers, err := p.servers(ctx)
	if err != nil {
		return nil, failed(ctx, err)
	}
	pulses := make([]feed.Pulse, len(servers))
	for i, server := range servers {
		if pulses[i], err = p.read(ctx, server); err != nil {
			return nil, err
		}
	}
	return pulses, nil
}

// Raise implements [feed.Pulses] in one round trip. If the reply is lost it is sent again, and then
// returns false although it has written; the next Read tells.
func (p *Pulses) Raise(ctx context.Context, was feed.Pulse, next int64) (bool, error) {
	key, err := pulseKey(was.Server, p.tags)
	if err != nil {
		return false, err
	}
	raised, err := p.raise.Run(ctx, p.redis, []string{key}, was.Number, next).Bool()
	return raised, failed(ctx, err)
}

func (p *Pulses) servers(ctx context.Context) ([]string, error) {
	cluster, ok := p.redis.(*redis.ClusterClient)
	if !ok {
		return []string{onlyServer}, nil
	}
	ranges, err := cluster.ClusterSlots(ctx).Result() //nolint:staticcheck // Redis 6 does not know what replaces it
	if err != nil {
		return nil, err
	}
	slots := lowestSlots(ranges)
	if len(slots) == 0 {
		return nil, errors.New("no master of the Cluster has slots")
	}
	names := make([]string, len(slots))
	for i, slot := range slots {
		names[i] = serverOfSlot + strconv.Itoa(slot)
	}
	return names, nil
}

// read reads number, run and role over one connection, so that they are of one process. First comes
// a write that changes nothing: a replica refuses it, and then the library tries another
// connection. Behind one name for the current master, this finds the new one.
func (p *Pulses) read(ctx context.Context, server string) (feed.Pulse, error) {
	key, err := pulseKey(server, p.tags)
	if err != nil {
		return feed.Pulse{}, err
	}
	node, err := p.node(ctx, key)
	if err != nil {
		return feed.Pulse{}, failed(ctx, err)
	}
	pipe := node.Pipeline()
	pipe.Persist(ctx, key)
	number, process, replication := pipe.Get(ctx, key), pipe.Info(ctx, "server"), pipe.Info(ctx, "replication")
	// Exec returns one of their errors, or that of the write, which the role tells.
	_, _ = pipe.Exec(ctx)
	role, err := infoField(replication, "role")
	if err != nil {
		return feed.Pulse{}, failed(ctx, err)
	}
	if role == "slave" {
		return feed.Pulse{}, feed.Unavailable("Redis", fmt.Errorf("the server at hand for %s is a replica", server))
	}
	run, err := infoField(process, "run_id")
	if err != nil {
		return feed.Pulse{}, failed(ctx, err)
	}
	n, err := pulseNumber(ctx, number)
	return feed.Pulse{Server: server, Number: n, Run: run}, err
}

func (p *Pulses) node(ctx context.Context, key string) (redis.Cmdable, error) {
	if cluster, ok := p.redis.(*redis.ClusterClient); ok {
		return cluster.MasterForKey(ctx, key)
	}
	return p.redis, nil
}

func pulseNumber(ctx context.Context, reply *redis.StringCmd) (int64, error) {
	text, err := reply.Result()
	switch {
	case errors.Is(err, redis.Nil):
		return 0, nil
	case err != nil:
		return 0, failed(ctx, err)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the pulse in Redis is damaged: %w", err)
	}
	return n, nil
}

// infoField returns "" if the server does not have the field, like the embedded Redis.
func infoField(reply *redis.StringCmd, name string) (string, error) {
	text, err := reply.Result()
	if answered(err) && !outage(err) {
		return "", nil
	}
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(value), nil
		}
	}
	return "", err
}

func lowestSlots(ranges []redis.ClusterSlot) []int {
	lowest := map[string]int{}
	for _, r := range ranges {
		if len(r.Nodes) == 0 {
			continue
		}
		// The master comes first.
		master := r.Nodes[0].ID
		if slot, known := lowest[master]; !known || r.Start < slot {
			lowest[master] = r.Start
		}
	}
	return slices.Sorted(maps.Values(lowest))
}
