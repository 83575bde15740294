package redisstore

import (
	"context"
)

// CheckWrites returns nil if every master takes writes, else an error as the methods of [Inboxes]
// do: a full Redis or a replica still answers a [Client.Ping]. It sets no bytes of a pulse's key, so
// it changes nothing. It takes a round trip to each master, one after the other.
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
