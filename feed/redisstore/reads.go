package redisstore

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/share"
)

// reads reads inboxes. Those that are asked for at once share round trips, each server's those
// to it: one that hangs must not keep those waiting who read from another.
type reads struct {
	breaker *breaker
	redis   redis.UniversalClient
	way     way

	mu      sync.Mutex
	servers map[string]*share.Errands[*inboxRead]
}

// readLanes is how many round trips to one server are under way at once, the second one only
// while the first is slower than readPatience: the more readers meet in one, the fewer
// messages there are. One takes some hundred microseconds.
const (
	readLanes    = 2
	readPatience = time.Millisecond
)

// way is how inboxes are read: [byScript] or [whole].
type way interface {
	// args returns what goes along with the key of an inbox.
	args(cap int, r feed.Range) []any
	// send asks for some inboxes in one round trip, and in a second one where the first has
	// not brought all of them.
	send(ctx context.Context, r redis.UniversalClient, calls []scriptCall) []answer
	// parse reads what Redis says: an inbox whose keys are in ascending order and not many
	// more than those within r. The reply is not to be used afterwards.
	parse(reply any, cap int, r feed.Range) (feed.Inbox, error)
}

// answer is what Redis says to one call: a reply, redis.Nil where there is nothing, or another
// error.
type answer struct {
	reply any
	err   error
}

// inboxRead is a call for an inbox, and nothing where Redis has none.
type inboxRead struct {
	call  scriptCall
	reply any
}

func newReads(r redis.UniversalClient, w way, b *breaker) *reads {
	return &reads{breaker: b, redis: r, way: w, servers: map[string]*share.Errands[*inboxRead]{}}
}

// read returns what Redis says about the inbox under a key.
func (s *reads) read(ctx context.Context, key string, args ...any) (reply any, err error) {
	server := serverOf(ctx, s.redis, key)
	err = s.breaker.watch(ctx, server, func() error {
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
		es = share.NewErrands(share.New(readLanes, s.run, func(error) bool { return true }).Patient(readPatience)).Within(s.breaker.within)
		s.servers[server] = es
	}
	return es
}

// run reads some inboxes together. It takes no longer than anybody waits.
func (s *reads) run(ctx context.Context, reads []*inboxRead, ended func(i int, err error)) {
	ctx, cancel := context.WithTimeout(ctx, s.breaker.within)
	defer cancel()
	calls := make([]scriptCall, len(reads))
	for i, r := range reads {
		calls[i] = r.call
	}
	for i, result := range s.way.send(ctx, s.redis, calls) {
		if errors.Is(result.err, redis.Nil) {
			result = answer{}
		}
		reads[i].reply = result.reply
		ended(i, result.err)
	}
}
