package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// A second round trip to one server starts only if the first takes longer than readLinger, instead
// of some hundred microseconds: larger batches mean fewer messages.
const (
	readBatches = 2
	readLinger  = time.Millisecond
)

type inboxReader interface {
	// args returns the arguments that go along with the key of an inbox.
	args(cap int, r feed.Range) []any
	// fetch asks for some inboxes in one round trip.
	fetch(ctx context.Context, r redis.UniversalClient, calls []scriptCall) []result
	// parse reads an inbox whose keys are in ascending order and not many more than those within r.
	// The reply must not be used afterwards.
	parse(reply any, cap int, r feed.Range) (feed.Inbox, error)
}

// result has a reply, or an error, which is redis.Nil if there is nothing.
type result struct {
	reply any
	err   error
}

// inboxRead reads an inbox.
type inboxRead struct {
	call  scriptCall
	reply any
}

// Read implements [feed.Inboxes] in one round trip, which concurrent reads share. Redis gets less
// time for it than for anything else, and after a failure reads fail at once for a moment, because
// the reference query can serve the page.
func (s *Inboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	key := s.names.key(viewer)
	var read *inboxRead
	err := s.reads.do(ctx, key, func(context.Context) *inboxRead {
		read = &inboxRead{call: scriptCall{keys: []string{key}, args: s.reader.args(s.cap, r)}}
		return read
	})
	if err != nil {
		return feed.Inbox{}, failed(ctx, err)
	}
	in, err := s.reader.parse(read.reply, s.cap, r)
	if err != nil {
		return feed.Inbox{}, fmt.Errorf("the inbox of viewer %d in Redis is damaged: %w", viewer, err)
	}
	in.Keys = within(in.Keys, r)
	return in, nil
}

func (s *Inboxes) runReads(ctx context.Context, reads []*inboxRead, done func(i int, err error)) {
	calls := make([]scriptCall, len(reads))
	for i, r := range reads {
		calls[i] = r.call
	}
	results := s.reader.fetch(ctx, s.redis, calls)
	for i, r := range results {
		if errors.Is(r.err, redis.Nil) {
			r = result{}
		}
		reads[i].reply = r.reply
		done(i, r.err)
	}
}

// within returns the keys in r, in its direction. keys ascend, from the end where r begins.
func within(keys []feed.Key, r feed.Range) []feed.Key {
	for len(keys) > 0 && !keys[0].Newer(r.Above) {
		keys = keys[1:]
	}
	for len(keys) > 0 && !r.Below.Newer(keys[len(keys)-1]) {
		keys = keys[:len(keys)-1]
	}
	if !r.Ascending {
		slices.Reverse(keys)
	}
	return keys
}
