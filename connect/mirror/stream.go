package mirror

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"golang.org/x/sync/semaphore"
)

const (
	// confirmEvery is how often the slot is confirmed, and how often a source that sends nothing is
	// looked at.
	confirmEvery = 500 * time.Millisecond
	// aliveEvery is how often the source hears of us if nothing changes. It ends connections that
	// are silent for wal_sender_timeout, a minute by default.
	aliveEvery = 10 * time.Second
)

// stream receives the changes of a slot. One goroutine runs it.
type stream struct {
	conn    *pgconn.PgConn
	decoder *changeDecoder
	clock   func() time.Time
	out     chan<- part
	// memory bounds the size of the parts that wait. The reader of out releases it.
	memory *semaphore.Weighted

	// confirmed is the place up to which changes are committed in our database.
	confirmed atomic.Uint64
	// caughtUp reports that the source had nothing more when it was heard last.
	caughtUp atomic.Bool

	// sent is the place that was confirmed last, at sentAt.
	sent   pglogrepl.LSN
	sentAt time.Time
	// last is the place of the last part, and end that up to which there is nothing more.
	last, end pglogrepl.LSN
}

// startStream begins to read a slot after a position. tables are the mapped ones.
func startStream(ctx context.Context, conn *pgconn.PgConn, slot, publication string, after position) error {
	return pglogrepl.StartReplication(ctx, conn, slot, after.place(), pglogrepl.StartReplicationOptions{
		PluginArgs: []string{"proto_version '1'", fmt.Sprintf("publication_names '%s'", publication)},
	})
}

// run receives changes until ctx ends or something fails. It waits while out is full, and keeps the
// connection alive meanwhile.
func (s *stream) run(ctx context.Context) error {
	s.last = s.decoder.after.place()
	s.confirmed.Store(uint64(s.last))
	for ctx.Err() == nil {
		if err := s.confirm(ctx, false); err != nil {
			return err
		}
		if err := s.receive(ctx); err != nil {
			return err
		}
		s.idle()
	}
	return ctx.Err()
}

// receive takes over the next message, or returns after [confirmEvery].
func (s *stream) receive(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, confirmEvery)
	defer cancel()
	message, err := s.conn.ReceiveMessage(within)
	switch {
	case pgconn.Timeout(err):
		return nil
	case err != nil:
		return fmt.Errorf("read the changes: %w", err)
	}
	switch m := message.(type) {
	case *pgproto3.CopyData:
		return s.take(ctx, m.Data)
	case *pgproto3.ErrorResponse:
		return pgconn.ErrorResponseToPgError(m)
	case *pgproto3.CopyDone:
		return errors.New("the source ends the stream; it may be shutting down")
	}
	return nil
}

func (s *stream) take(ctx context.Context, data []byte) error {
	if len(data) == 0 {
		return errors.New("the source sends an empty message; connect to it directly, without a proxy")
	}
	switch data[0] {
	case pglogrepl.XLogDataByteID:
		x, err := pglogrepl.ParseXLogData(data[1:])
		if err != nil {
			return err
		}
		s.caughtUp.Store(false)
		s.end = 0
		return s.decoder.decode(x.WALData)
	case pglogrepl.PrimaryKeepaliveMessageByteID:
		k, err := pglogrepl.ParsePrimaryKeepaliveMessage(data[1:])
		if err != nil {
			return err
		}
		if !s.decoder.within {
			s.end = k.ServerWALEnd
			s.caughtUp.Store(true)
		}
		if k.ReplyRequested {
			return s.confirm(ctx, true)
		}
	}
	return nil
}

// idle moves the position of a source whose changes concern no mapped table. Otherwise the source
// would keep its log for the slot.
func (s *stream) idle() {
	if s.end <= s.last {
		return
	}
	if p := (part{to: position{uint64(s.end), 0}}); s.memory.TryAcquire(p.weight()) {
		s.out <- p
		s.last = s.end
	} // otherwise the parts that wait move it
}

// waitingBytes bounds the parts that wait to be applied, and partWeight is the least of each.
const (
	waitingBytes = 64 << 20
	partWeight   = 8 << 10
)

// partsMax is how many parts may wait.
const partsMax = waitingBytes / partWeight

// changeBytes and cellBytes are the memory of a change and of a cell, besides the texts.
const (
	changeBytes = 128
	cellBytes   = 64
)

// weight is the memory of a part, in bytes. Where rows are small, most of it is not their texts.
func (p *part) weight() int64 {
	n := p.size
	for _, c := range p.changes {
		n += changeBytes + cellBytes*(len(c.Old)+len(c.New))
	}
	return int64(min(max(n, partWeight), waitingBytes))
}

// emit hands a part over. It keeps the connection alive while it waits.
func (s *stream) emit(ctx context.Context, p part) error {
	for {
		within, cancel := context.WithTimeout(ctx, confirmEvery)
		err := s.memory.Acquire(within, p.weight())
		cancel()
		switch {
		case err == nil:
			s.out <- p // there is room for all that memory permits
			s.last = p.to.place()
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		// Requests of the source for a reply wait behind the changes.
		if err := s.confirm(ctx, true); err != nil {
			return err
		}
	}
}

// confirm tells the source what is committed here, if that has changed, it is time, or now.
func (s *stream) confirm(ctx context.Context, now bool) error {
	to := pglogrepl.LSN(s.confirmed.Load())
	if !now && to == s.sent && s.clock().Sub(s.sentAt) < aliveEvery {
		return nil
	}
	s.sent, s.sentAt = to, s.clock()
	return pglogrepl.SendStandbyStatusUpdate(ctx, s.conn, pglogrepl.StandbyStatusUpdate{WALWritePosition: to})
}
