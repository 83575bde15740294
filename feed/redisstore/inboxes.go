package redisstore

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// Inboxes implements [feed.Inboxes] and [feed.InboxTrimmer] in Redis.
type Inboxes struct {
	redis   redis.UniversalClient
	names   keyspace
	cap     int
	scripts scripts
	reader  inboxReader
	reads   *byServer
	group   int
}

// pushGroup outweighs the call of a script, and occupies Redis for only 0.3 milliseconds.
const pushGroup = 250

var _ feed.Inboxes = (*Inboxes)(nil)

// NewInboxes returns the inboxes in the client's Redis. Each keeps at most cap entries from its
// next change or [Inboxes.Trim] on. The caller closes the client.
func NewInboxes(c *Client, cap int, options ...InboxOption) *Inboxes {
	return newInboxes(c, homeInboxes, cap, options)
}

// NewReplayInboxes is [NewInboxes] for the replays of live sessions, under other keys.
func NewReplayInboxes(c *Client, cap int, options ...InboxOption) *Inboxes {
	return newInboxes(c, replayInboxes, cap, options)
}

// InboxFormat is the storage format. Raise it with a change that older programs cannot read, or
// would write differently; [feed.StorageFormats] ensures that only one of the two is in use.
const InboxFormat = 1

// InboxOption changes how inboxes are stored.
type InboxOption func(*Inboxes)

// WithFormat stores inboxes under the keys of format n. It is for tests of an upgrade.
func WithFormat(n int64) InboxOption {
	return func(s *Inboxes) { s.names = s.names.of(n) }
}

func newInboxes(c *Client, names keyspace, cap int, options []InboxOption) *Inboxes {
	s := &Inboxes{redis: c.redis, names: names, cap: cap, group: c.together(pushGroup), scripts: newScripts(), reader: wholeReader{}}
	if cap > wholeMost {
		s.reader = scriptReader{s.scripts.read}
	}
	s.reads = newByServer(c.redis, newBreaker(time.Now, readWithin), readBatches, readLinger, s.runReads)
	for _, option := range options {
		option(s)
	}
	return s
}

// Push implements [feed.Inboxes] in one round trip, or two if Redis has been restarted.
func (s *Inboxes) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	if len(keys) == 0 {
		return len(viewers), nil
	}
	return s.each(ctx, viewers, s.scripts.push, s.names.keys, records(keys), s.cap)
}

// BeginBuild implements [feed.Inboxes] in one round trip. A token over 32 bytes is an error.
func (s *Inboxes) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildHeader, staleBefore int64) (bool, error) {
	inbox, err := newInbox(m)
	if err != nil {
		return false, err
	}
	return s.change(ctx, s.scripts.begin, viewer, inbox, digits(staleBefore))
}

// FinishBuild implements [feed.Inboxes] in one round trip.
func (s *Inboxes) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	return s.change(ctx, s.scripts.finish, viewer,
		padded(token), s.cap, digits(b.Version), digits(b.WarmUntil), record(b.Floor), records(b.Keys))
}

// Amend implements [feed.Inboxes] in one round trip.
func (s *Inboxes) Amend(ctx context.Context, viewer feed.UserID, a feed.Amendment) (bool, error) {
	return s.change(ctx, s.scripts.amend, viewer,
		padded(a.Token), digits(a.Version), s.cap, digits(a.NewVersion), digits(a.WarmUntil),
		record(a.Floor), records(a.Add), records(a.Remove))
}

func (s *Inboxes) change(ctx context.Context, script *redis.Script, viewer feed.UserID, args ...any) (bool, error) {
	changed, err := script.Run(ctx, s.redis, []string{s.names.key(viewer)}, args...).Bool()
	return changed, failed(ctx, err)
}

// Remove implements [feed.Inboxes] in one round trip.
func (s *Inboxes) Remove(ctx context.Context, viewer feed.UserID) error {
	return failed(ctx, s.redis.Unlink(ctx, s.names.key(viewer)).Err())
}
