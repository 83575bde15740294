package redisstore

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/share"
)

// reads reads inboxes. Those that are asked for at once share round trips, each server's those
// to it: one that hangs must not keep those waiting who read from another.
type reads struct {
	breaker *breaker
	redis   redis.UniversalClient
	script  *redis.Script

	mu      sync.Mutex
	servers map[string]*share.Errands[*inboxRead]
}

// readLanes is how many round trips to one server are under way at once. While Redis answers
// the one, the other is put together.
const readLanes = 2

// inboxRead is a call of the script that reads an inbox.
type inboxRead struct {
	call  scriptCall
	reply []any
}

func newReads(r redis.UniversalClient, script *redis.Script, b *breaker) *reads {
	return &reads{breaker: b, redis: r, script: script, servers: map[string]*share.Errands[*inboxRead]{}}
}

// read returns what the script says about the inbox under a key.
func (s *reads) read(ctx context.Context, key string, args ...any) (reply []any, err error) {
	server := serverOf(ctx, s.redis, key)
	err = s.breaker.call(ctx, server, func(ctx context.Context) error {
		var r *inboxRead
		err := s.errands(server).Do(ctx, func(context.Context) *inboxRead {
			r = &inboxRead{call: scriptCall{keys: []string{key}, args: args}}
			return r
		})
		if err == nil {
			reply = r.reply
		}
		return err
	})
	return reply, err
}

// errands returns what goes to a server.
func (s *reads) errands(server string) *share.Errands[*inboxRead] {
	s.mu.Lock()
	defer s.mu.Unlock()
	es := s.servers[server]
	if es == nil {
		// What one read meets says nothing about another, but neither would it be mended by
		// being done again.
		es = share.NewErrands(share.New(readLanes, s.run, func(error) bool { return true }))
		s.servers[server] = es
	}
	return es
}

// run reads some inboxes in one round trip, and in a second one where Redis has been restarted
// and does not know the script. It takes no longer than anybody waits.
func (s *reads) run(ctx context.Context, reads []*inboxRead, ended func(i int, err error)) {
	ctx, cancel := context.WithTimeout(ctx, s.breaker.within)
	defer cancel()
	calls := make([]scriptCall, len(reads))
	for i, r := range reads {
		calls[i] = r.call
	}
	for i, result := range callAll(ctx, s.redis, s.script, calls) {
		var err error
		reads[i].reply, err = result.Slice()
		ended(i, err)
	}
}
