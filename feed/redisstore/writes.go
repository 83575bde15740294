package redisstore

import (
	"context"
)

// CheckWrites returns nil if every master takes a write, and else an error as the methods of
// [Inboxes] do, whose message says what is wrong: a Redis that is full or has become a replica
// answers a [Client.Ping] as ever. It writes nothing: the write sets no bytes of a heartbeat's
// key. It takes a round trip to each master, one after the other.
func (c *Client) CheckWrites(ctx context.Context) error {
	p := NewPulses(c)
	servers, err := p.servers(ctx)
	if err != nil {
		return failed(ctx, err)
	}
	for _, server := range servers {
		key, err := pulseKey(server, p.tags)
		if err != nil {
			return err
		}
		node, err := p.node(ctx, key)
		if err != nil {
			return failed(ctx, err)
		}
		if err := node.SetRange(ctx, key, 0, "").Err(); err != nil {
			return failed(ctx, err)
		}
	}
	return nil
}
