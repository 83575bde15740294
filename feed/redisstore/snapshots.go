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

// Snapshots implements [live.Snapshots] in Redis.
type Snapshots struct {
	redis redis.UniversalClient
	reads *breaker
}

var _ live.Snapshots = (*Snapshots)(nil)

// NewSnapshots returns the snapshots in the client's Redis. The caller closes the client.
func NewSnapshots(c *Client) *Snapshots {
	return &Snapshots{redis: c.redis, reads: newBreaker(time.Now, readWithin)}
}

// Save implements [live.Snapshots] in one round trip. Redis expires the snapshot.
func (s *Snapshots) Save(ctx context.Context, viewer feed.UserID, name uint64, snapshot live.Snapshot, d time.Duration) error {
	if d < time.Millisecond {
		return nil // to Redis, no time at all would be for ever
	}
	return failed(ctx, s.redis.Set(ctx, snapshotKey(viewer, name), encodeSnapshot(snapshot), d).Err())
}

// Load implements [live.Snapshots] in one round trip, as limited as [Inboxes.Read]. An unreadable
// snapshot, such as another version's, counts as none.
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

// snapshotVersion is the first byte of every snapshot. The rest are variable-length integers:
// number, version of the relations and number of entries; then of each entry the state, the time
// less that of the entry before (signed), session and host. 10,000 entries take about 200 kB.
const snapshotVersion = 1

// entryMin is the minimum size of an entry: a byte for each number.
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

type varints struct {
	rest  []byte
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

// skip takes a size of 0 or less for a missing number.
func (v *varints) skip(size int) {
	if size <= 0 {
		v.short, v.rest = true, nil
		return
	}
	v.rest = v.rest[size:]
}
