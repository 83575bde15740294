package ingest

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Bus is a source on a message bus: a stream or a topic. It is safe for concurrent use.
type Bus interface {
	// Partitions returns the names of the partitions. Later calls may return more.
	Partitions(ctx context.Context) ([]string, error)
	// Open reads a partition after a place, or from its oldest message for an empty place.
	Open(ctx context.Context, partition string, after Place) (Partition, error)
	// Close closes the connections.
	Close() error
}

// Rereader is a bus that returns a message again. Dead letters of other buses keep their lines.
type Rereader interface {
	// Message returns the message at a place, or a [*LostError] if the partition does not have it any
	// more.
	Message(ctx context.Context, partition string, at Place) (Message, error)
}

// Partition reads the messages of a partition in order. It acknowledges nothing and stores nothing
// on the bus: the caller keeps the position.
//
// Errors are a [*LostError] if the partition cannot continue after its place. After any other
// error, open it again.
type Partition interface {
	// Poll returns the messages after those of the last call, or after the place. It waits for a
	// second at most, and then returns none. It returns a few megabytes, or a single message.
	Poll(ctx context.Context) (Poll, error)
	// Close releases resources.
	Close()
}

// Place is a message in a partition.
type Place struct {
	// Identity distinguishes the partition from one that was created later under the same name.
	Identity string
	// Position has one or two numbers, joined by "-". It grows with every message. It is empty
	// before the first one.
	Position string
}

// Poll is the result of [Partition.Poll].
type Poll struct {
	// Identity may be empty if there are no messages.
	Identity string
	Messages []Message
	// CaughtUp reports that the partition has no further messages.
	CaughtUp bool
	// Waiting is the number of messages that follow these; -1 if unknown. With CaughtUp it is 0.
	Waiting int64
	// Snapshot is the part of a snapshot that the messages are, zero for none. They move no position.
	Snapshot feed.SnapshotPart
	// Concurrent messages are part of a snapshot, and may be applied at the same time as those of the next
	// polls, in any order, up to and including the first poll without it.
	Concurrent bool
	// Bulk makes the messages part of a bulk load, which the partition ends.
	Bulk bool
	// Tables replace what is stored of tables of a mirror.
	Tables []feed.MirrorTable
	// Reopen reports that the partition is to be opened again, at its stored position.
	Reopen bool
}

// Message is a message of a bus.
type Message struct {
	Position string
	Payload  []byte
	// Lines are the records of a message that has no payload.
	Lines []PayloadLine
	// Records follow those of Payload or Lines.
	Records []feed.Record
	// Bad says why the message cannot be read; empty if it can.
	Bad string
	// Key and Subject are empty on buses without them.
	Key, Subject string
	Headers      map[string]string
	// At is when the message was stored; zero if unknown.
	At time.Time
}

const (
	// PayloadMax is the maximum size of a payload, in bytes.
	PayloadMax = 4 << 20
	// PayloadKept is how much of a longer payload is kept for its dead letter.
	PayloadKept = 1000
	// PollBytes bounds the payloads that a poll returns, unless one message is larger.
	PollBytes = 4 << 20
	// PollMessages is the maximum number of messages that a poll returns.
	PollMessages = batchRecords
)

// SetPayload stores a payload of a size in bytes. Of one that is too long, b may be a beginning.
func (m *Message) SetPayload(b []byte, size int) {
	m.Payload = b
	if size > PayloadMax {
		m.Payload = bytes.Clone(b[:min(len(b), PayloadKept)])
		m.Bad = fmt.Sprintf("the message has %d bytes; at most %d are allowed", size, PayloadMax)
	}
}

// LostError says why a partition cannot continue: it was created again, or has lost messages that
// were not read. Reading stops, and neither skips messages nor begins again.
type LostError struct {
	Reason string
	// Advice says what to do; empty for the usual.
	Advice string
}

func (e *LostError) Error() string { return e.Reason }
