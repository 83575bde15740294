package redisstore

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Snapshots is [live.Snapshots] in Redis. Make one with [NewSnapshots].
type Snapshots struct {
	redis redis.UniversalClient
	reads *breaker
}

var _ live.Snapshots = (*Snapshots)(nil)

// NewSnapshots returns the snapshots kept in the client's Redis. The client stays the
// caller's to close.
func NewSnapshots(c *Client) *Snapshots {
	return &Snapshots{redis: c.redis, reads: newBreaker(time.Now, readWithin)}
}

// Save implements [live.Snapshots] in one round trip. Redis forgets the snapshot by itself.
func (s *Snapshots) Save(ctx context.Context, viewer feed.UserID, name uint64, snapshot live.Snapshot, d time.Duration) error {
	if d < time.Millisecond {
		return nil // to Redis, no time at all would be for ever
	}
	return failed(ctx, s.redis.Set(ctx, snapshotKey(viewer, name), encodeSnapshot(snapshot), d).Err())
}

// Load implements [live.Snapshots] in one round trip, with as little patience as
// [Inboxes.Read]. A snapshot that this program cannot read, such as another version's, is
// none: the domain computes it again.
func (s *Snapshots) Load(ctx context.Context, viewer feed.UserID, name uint64) (*live.Snapshot, error) {
	key := snapshotKey(viewer, name)
	var raw []byte
	err := s.reads.call(ctx, targetOf(ctx, s.redis, key), func(ctx context.Context) (err error) {
		raw, err = s.redis.Get(ctx, key).Bytes()
		return err
	})
	if errors.Is(err, redis.Nil) {
		return nil, nil
	}
	if err != nil {
		return nil, failed(ctx, err)
	}
	return decodeSnapshot(raw), nil
}

// snapshotVersion is the first byte of every snapshot. The layout: version, a byte; then
// number, version of the relations and how many entries, and of each entry state, time less
// that of the entry before, session and host, all as variable-length integers of package
// binary, signed where they may be below zero: the times. Ten thousand entries take about
// 200 kB.
const snapshotVersion = 1

// entryMin is the least that an entry takes: a byte for each of its numbers.
const entryMin = 4

func encodeSnapshot(s live.Snapshot) []byte {
	b := append(make([]byte, 0, 32+20*len(s.Open)), snapshotVersion)
	b = binary.AppendUvarint(b, uint64(s.Number))
	b = binary.AppendUvarint(b, uint64(s.Version))
	b = binary.AppendUvarint(b, uint64(len(s.Open)))
	before := int64(0)
	for _, e := range s.Open {
		b = binary.AppendUvarint(b, uint64(e.State))
		b = binary.AppendVarint(b, e.At-before)
		b = binary.AppendUvarint(b, uint64(e.ID))
		b = binary.AppendUvarint(b, uint64(e.Host))
		before = e.At
	}
	return b
}

// decodeSnapshot reads what encodeSnapshot returns, and returns nil for anything else.
func decodeSnapshot(raw []byte) *live.Snapshot {
	if len(raw) == 0 || raw[0] != snapshotVersion {
		return nil
	}
	d := varints{rest: raw[1:]}
	s := &live.Snapshot{Number: int64(d.unsigned()), Version: int64(d.unsigned())}
	count := d.unsigned()
	if d.short || count > uint64(len(d.rest)/entryMin) {
		return nil
	}
	s.Open = make([]live.Entry, count)
	before := int64(0)
	for i := range s.Open {
		e := &s.Open[i]
		e.State = live.State(d.unsigned())
		e.At = before + d.signed()
		e.ID = live.ID(d.unsigned())
		e.Host = feed.UserID(d.unsigned())
		before = e.At
	}
	if d.short || len(d.rest) > 0 {
		return nil
	}
	return s
}

// varints reads variable-length integers one after the other, so that whether there were
// enough of them is looked at once.
type varints struct {
	rest []byte
	// short: something was read that is not there.
	short bool
}

func (v *varints) unsigned() uint64 {
	n, size := binary.Uvarint(v.rest)
	v.skip(size)
	return n
}

func (v *varints) signed() int64 {
	n, size := binary.Varint(v.rest)
	v.skip(size)
	return n
}

// skip goes on behind a number; a size of 0 or less says that there was none.
func (v *varints) skip(size int) {
	if size <= 0 {
		v.short, v.rest = true, nil
		return
	}
	v.rest = v.rest[size:]
}
