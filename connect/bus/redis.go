package bus

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/feed/redisstore"
)

//go:embed lua/stream.lua
var streamLua string

// redisStream is a Redis stream, which has one partition.
type redisStream struct {
	redis  redis.UniversalClient
	script *redis.Script
	stream string
}

const redisPartition = "0"

// openRedis parses the URL of a Redis, as [redisstore.Open] takes, with the name of the stream at
// the end of the path.
func openRedis(from string) (ingest.Bus, string, error) {
	server, stream, err := cutName(from, "the stream")
	if err != nil {
		return nil, "", err
	}
	client, err := redisstore.Connect(server)
	if err != nil {
		return nil, "", err
	}
	return &redisStream{client, redis.NewScript(streamLua), stream}, stream, nil
}

// Partitions implements [ingest.Bus].
func (b *redisStream) Partitions(context.Context) ([]string, error) {
	return []string{redisPartition}, nil
}

// Close implements [ingest.Bus].
func (b *redisStream) Close() error { return b.redis.Close() }

// Open implements [ingest.Bus].
func (b *redisStream) Open(_ context.Context, _ string, after ingest.Place) (ingest.Partition, error) {
	return &redisReader{redisStream: b, at: after, passed: -1}, nil
}

// Message implements [ingest.Rereader].
func (b *redisStream) Message(ctx context.Context, _ string, at ingest.Place) (ingest.Message, error) {
	groups, err := b.redis.XInfoGroups(ctx, b.stream).Result()
	if err != nil {
		return ingest.Message{}, fmt.Errorf("read the groups of the stream: %w", err)
	}
	if !slices.ContainsFunc(groups, func(g redis.XInfoGroup) bool { return g.Name == at.Identity }) {
		return ingest.Message{}, &ingest.LostError{Reason: "the stream was deleted and created again"}
	}
	list, err := b.redis.XRange(ctx, b.stream, at.Position, at.Position).Result()
	if err != nil {
		return ingest.Message{}, fmt.Errorf("read the stream: %w", err)
	}
	if len(list) == 0 {
		return ingest.Message{}, &ingest.LostError{Reason: "the entry " + at.Position + " was removed"}
	}
	// As the script returns entries: the id, the size and text of the payload, and the other fields.
	payload, has := list[0].Values[payloadField].(string)
	entry := []any{list[0].ID, int64(len(payload)), payload}
	if !has {
		entry[1] = int64(-1)
	}
	for name, value := range list[0].Values {
		if name != payloadField {
			entry = append(entry, name, value)
		}
	}
	return parseEntry(entry)
}

// payloadField is the field of an entry that has the payload.
const payloadField = "data"

// redisReader reads a stream.
type redisReader struct {
	*redisStream
	at ingest.Place
	// passed is the number of messages of the last poll, -1 before the first one.
	passed int
}

// Close implements [ingest.Partition].
func (r *redisReader) Close() {}

// idleFor is the time between two looks at a stream without new entries, idleLooks how many of
// them are a poll.
const (
	idleFor   = 50 * time.Millisecond
	idleLooks = 10
)

// Poll implements [ingest.Partition].
func (r *redisReader) Poll(ctx context.Context) (ingest.Poll, error) {
	tick := time.NewTicker(idleFor)
	defer tick.Stop()
	for look := 1; ; look++ {
		got, err := r.look(ctx)
		if err != nil || len(got.Messages) > 0 || look == idleLooks {
			return got, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ingest.Poll{}, ctx.Err()
		}
	}
}

func (r *redisReader) look(ctx context.Context) (ingest.Poll, error) {
	reply, err := r.script.Run(ctx, r.redis, []string{r.stream}, r.at.Position, r.at.Identity, "tideline:"+rand.Text(), r.passed,
		ingest.PollMessages, ingest.PollBytes, ingest.PayloadMax, ingest.PayloadKept).Slice()
	switch {
	case err != nil:
		return ingest.Poll{}, fmt.Errorf("read the stream: %w", err)
	case len(reply) == 0 && r.at.Position != "":
		return ingest.Poll{}, &ingest.LostError{Reason: "the stream was deleted"}
	case len(reply) == 0:
		return ingest.Poll{CaughtUp: true}, nil
	}
	s, err := parseStream(reply)
	if err != nil {
		return ingest.Poll{}, err
	}
	if err := s.continues(r.at); err != nil {
		return ingest.Poll{}, err
	}
	r.at.Identity, r.passed = s.Identity, len(s.Messages)
	if r.passed > 0 {
		r.at.Position = s.Messages[r.passed-1].Position
	}
	return s.Poll, nil
}

// streamReply is what the script returns.
type streamReply struct {
	ingest.Poll
	// deleted is the highest id that was deleted, other than by a trim; last the highest id ever.
	deleted, last string
	// read is how many entries were ever added up to the position, or -1; removed is how many are
	// not there any more.
	read, removed int64
	// there reports that the entry at the position is in the stream.
	there bool
}

var errReply = errors.New("cannot read the stream's state; Redis 7.0 or later is necessary")

func parseStream(reply []any) (s streamReply, err error) {
	if len(reply) != 9 {
		return s, errReply
	}
	var numbers [5]int64
	for i := range numbers {
		numbers[i], _ = reply[3+i].(int64)
	}
	s.Identity, _ = reply[0].(string)
	s.deleted, _ = reply[1].(string)
	s.last, _ = reply[2].(string)
	s.read, s.removed, s.there, s.CaughtUp = numbers[0], numbers[1], numbers[2] == 1, numbers[3] == 1
	s.Waiting = numbers[4]
	entries, isList := reply[8].([]any)
	if s.deleted == "" || !isList {
		return s, errReply
	}
	for _, e := range entries {
		m, err := parseEntry(e)
		if err != nil {
			return s, err
		}
		s.Messages = append(s.Messages, m)
	}
	return s, nil
}

func parseEntry(entry any) (m ingest.Message, err error) {
	parts, _ := entry.([]any)
	if len(parts) < 3 {
		return m, errReply
	}
	size, _ := parts[1].(int64)
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i], _ = part.(string)
	}
	m.Position = texts[0]
	if m.SetPayload([]byte(texts[2]), int(size)); size < 0 {
		m.Bad = `the entry has no field "data"`
	}
	m.Headers = map[string]string{}
	for i := 3; i+1 < len(texts); i += 2 {
		m.Headers[texts[i]] = texts[i+1]
	}
	if ms, _ := streamID(m.Position); ms > earliestID {
		m.At = time.UnixMilli(int64(ms))
	}
	return m, nil
}

// earliestID is in 2001. Lower ids are no times: programs may choose ids.
const earliestID = 1_000_000_000_000

// continues returns a [*ingest.LostError] unless the stream has everything after a place.
func (s *streamReply) continues(after ingest.Place) error {
	switch {
	case after.Position == "":
		return nil
	case s.Identity != after.Identity:
		return &ingest.LostError{Reason: "the stream was deleted and created again"}
	case compareIDs(s.last, after.Position) < 0:
		return &ingest.LostError{Reason: "the stream ends at " + s.last + ": it was restored, or lost its last writes"}
	case compareIDs(s.deleted, after.Position) > 0:
		return &ingest.LostError{Reason: "entries up to " + s.deleted + " were deleted before they were read"}
	case s.there, s.last == after.Position, s.read >= 0 && s.removed <= s.read:
		return nil
	}
	return &ingest.LostError{Reason: "the stream was trimmed past this entry, or restored without it"}
}

func compareIDs(a, b string) int {
	ams, an := streamID(a)
	bms, bn := streamID(b)
	return cmp.Or(cmp.Compare(ams, bms), cmp.Compare(an, bn))
}

// streamID returns the two numbers of an id.
func streamID(id string) (ms, n uint64) {
	first, second, _ := strings.Cut(id, "-")
	ms, _ = strconv.ParseUint(first, 10, 64)
	n, _ = strconv.ParseUint(second, 10, 64)
	return ms, n
}
