package redisstore

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/batch"
)

// reads reads inboxes. Concurrent reads from one server share round trips. Each server has its
// own batches, so that a server that hangs does not delay reads from another.
type reads struct {
	breaker *breaker
	redis   redis.UniversalClient
	way     way
	servers *byServer[*inboxRead]
}

// readBatches limits the round trips in flight to one server. The second one starts only if the
// first takes longer than readLinger: larger batches mean fewer messages. A round trip takes some
// hundred microseconds.
const (
	readBatches = 2
	readLinger  = time.Millisecond
)

// way is how inboxes are read: [byScript] or [whole].
type way interface {
	// args returns what goes along with the key of an inbox.
	args(cap int, r feed.Range) []any
	// send asks for some inboxes in one round trip, and in a second one where the first has
	// not brought all of them, and for what else is to be asked beside them.
	send(ctx context.Context, r redis.UniversalClient, calls []scriptCall, also beside) []answer
	// parse reads what Redis says: an inbox whose keys are in ascending order and not many
	// more than those within r. The reply is not to be used afterwards.
	parse(reply any, cap int, r feed.Range) (feed.Inbox, error)
}

// beside puts further commands into a pipeline, or none.
type beside func(redis.Pipeliner)

// answer is what Redis says to one call: a reply, redis.Nil where there is nothing, or another
// error.
type answer struct {
	reply any
	err   error
}

// inboxRead is a call for an inbox, and for the note of the given name where there is one to be
// brought along; then what Redis has of the two, which may be nothing.
type inboxRead struct {
	call    scriptCall
	note    string
	reply   any
	brought *redis.StringCmd
}

func newReads(r redis.UniversalClient, w way, b *breaker) *reads {
	s := &reads{breaker: b, redis: r, way: w}
	s.servers = newByServer(func() *batch.Batcher[*inboxRead] {
		return batch.New(readBatches, s.run, always).Linger(readLinger)
	})
	return s
}

// read returns what Redis says about the inbox under a key, and the note of the given name, if
// there is one to be brought along.
func (s *reads) read(ctx context.Context, key, note string, args ...any) (reply any, noted []byte, err error) {
	at := targetOf(ctx, s.redis, key)
	err = s.breaker.call(ctx, at, func(ctx context.Context) error {
		var r *inboxRead
		err := s.servers.to(at.server).Do(ctx, func(context.Context) *inboxRead {
			r = &inboxRead{call: scriptCall{keys: []string{key}, args: args}, note: note}
			return r
		})
		if err == nil {
			reply, noted = r.reply, r.noted()
		}
		return err
	})
	return reply, noted, err
}

// run reads a batch of inboxes, for as long as its callers wait.
func (s *reads) run(ctx context.Context, reads []*inboxRead, done func(i int, err error)) {
	ctx, cancel := context.WithTimeout(ctx, s.breaker.within)
	defer cancel()
	calls := make([]scriptCall, len(reads))
	for i, r := range reads {
		calls[i] = r.call
	}
	for i, result := range s.way.send(ctx, s.redis, calls, bring(ctx, reads)) {
		if errors.Is(result.err, redis.Nil) {
			result = answer{}
		}
		reads[i].reply = result.reply
		done(i, result.err)
	}
}
