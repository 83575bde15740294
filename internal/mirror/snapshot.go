package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pglogrepl"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/ingest"
)

const (
	// snapshotRows is the number of rows of a message, and unseenMax that of deletions.
	snapshotRows = 500
	unseenMax    = 1000
	// messagesMax is how many messages of a snapshot may wait.
	messagesMax = 16
)

// snapshot reads tables as of one moment. It implements [ingest.Partition]: its messages move no
// position, and at the end it lets the partition be opened again.
type snapshot struct {
	*opened
	*dueSnapshot
	part     feed.SnapshotPart
	messages chan ingest.Message
	// at is the moment, and err is why the snapshot cannot be read, once messages is closed.
	at    pglogrepl.LSN
	err   error
	stop  context.CancelFunc
	ended sync.WaitGroup
	// types are those whose unseen objects are still to be ended, after the object last.
	types feed.RecordTypes
	last  feed.Object
}

// openSnapshot begins a snapshot.
func (o *opened) openSnapshot(ctx context.Context, due *dueSnapshot) (ingest.Partition, error) {
	if err := o.checkIDs(ctx); err != nil {
		return nil, err
	}
	// Stored before the slot is made, the number tells that the slot is ours.
	part, err := o.Store.BeginSnapshot(ctx, o.Name, o.Slot, due.types)
	if err != nil {
		return nil, err
	}
	if err := o.publish(ctx); err != nil {
		return nil, err
	}
	if due.whole {
		if err := dropSlot(ctx, o.conn, o.Slot); err != nil {
			return nil, err
		}
	}
	reading, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s := &snapshot{opened: o, dueSnapshot: due, part: part, messages: make(chan ingest.Message, messagesMax), stop: cancel, types: due.types}
	o.Log.InfoContext(ctx, "reading a snapshot of the source", "source", o.Name, "tables", strings.Join(quotedNames(due.tables), " "))
	s.ended.Go(func() {
		defer close(s.messages)
		s.err = s.read(reading)
	})
	return s, nil
}

// Close implements [ingest.Partition].
func (s *snapshot) Close() {
	s.stop()
	s.ended.Wait()
	s.close(context.Background())
}

// Poll implements [ingest.Partition].
func (s *snapshot) Poll(ctx context.Context) (ingest.Poll, error) {
	poll := ingest.Poll{Identity: s.after.Identity, Waiting: -1, Snapshot: s.part, Bulk: !s.state.Complete}
	wait, cancel := context.WithTimeout(ctx, pollFor)
	defer cancel()
	select {
	case m, more := <-s.messages:
		if !more {
			return s.finish(ctx, poll)
		}
		poll.Messages = append(poll.Messages, m)
	case <-wait.Done():
		return poll, ctx.Err()
	}
	for lines := len(poll.Messages[0].Lines); lines < ingest.PollMessages; {
		select {
		case m, more := <-s.messages:
			if !more {
				return poll, nil
			}
			poll.Messages = append(poll.Messages, m)
			lines += len(m.Lines)
			continue
		default:
		}
		break
	}
	return poll, nil
}

// finish ends what the snapshot has not seen, and then the snapshot. All its rows are applied.
func (s *snapshot) finish(ctx context.Context, poll ingest.Poll) (ingest.Poll, error) {
	if s.err != nil {
		return poll, s.err
	}
	for len(s.types) > 0 {
		list, err := s.Store.Unseen(ctx, s.part, s.types[0], s.last, unseenMax)
		if err != nil {
			return poll, err
		}
		if len(list) > 0 {
			s.last = list[len(list)-1].Object()
			poll.Messages = []ingest.Message{{Position: s.position().String(), Lines: []ingest.PayloadLine{}, Records: list}}
			return poll, nil
		}
		s.types, s.last = s.types[1:], feed.Object{}
	}
	if err := s.Store.EndSnapshot(ctx, s.part, s.outcome()); err != nil {
		return poll, err
	}
	if poll.Bulk {
		if _, err := s.Loads.EndLoad(ctx, 0); err != nil {
			return poll, err
		}
	}
	s.Log.InfoContext(ctx, "the snapshot is complete; following changes", "source", s.Name, "position", s.position().String())
	return ingest.Poll{Reopen: true}, nil
}

func (s *snapshot) position() position { return position{uint64(s.at), 0} }

func (s *snapshot) outcome() feed.SnapshotEnd {
	end := feed.SnapshotEnd{Partition: Partition, Identity: s.identity}
	if s.whole {
		end.Position = s.position().String()
	}
	for _, t := range s.mapper.Tables() {
		read := s.stored(t)
		read.From = uint64(s.at)
		at := slices.IndexFunc(s.state.Tables, func(was feed.MirrorTable) bool { return was.Name == t.Quoted })
		if !slices.Contains(s.tables, t) && at >= 0 {
			read = s.state.Tables[at]
		}
		end.Tables = append(end.Tables, read)
	}
	return end
}

// read makes a slot and sends the rows of the tables as of its place.
func (s *snapshot) read(ctx context.Context) error {
	name := s.Slot
	if !s.whole {
		name = fmt.Sprintf("%s_%d", name, s.part.Number)
	}
	at, exported, err := createSlot(ctx, s.replication, name, !s.whole)
	if err != nil {
		return err
	}
	s.at = at
	if err := s.use(ctx, exported); err != nil {
		return err
	}
	for _, t := range s.tables {
		if err := s.readTable(ctx, t); err != nil {
			return failed("read the table "+t.Quoted, err)
		}
	}
	return nil
}

// readTable sends the rows of a table.
func (s *snapshot) readTable(ctx context.Context, t *Table) error {
	used, names := s.mapper.used(t)
	message, rows := s.message(), 0
	err := texts(ctx, s.conn, "SELECT "+strings.Join(names, ", ")+" FROM "+t.from()+s.mapper.order(t), func(row []Cell) error {
		message.Lines = append(message.Lines, s.lines(RowChange{Table: used, New: row})...)
		if rows++; rows%snapshotRows > 0 {
			return nil
		}
		full := message
		message = s.message()
		return s.send(ctx, full)
	})
	if err != nil {
		return err
	}
	return s.send(ctx, message)
}

// lines returns the records of a row. It decodes them already, while earlier ones are applied.
func (s *snapshot) lines(row RowChange) []ingest.PayloadLine {
	list := s.mapper.Lines(row, s.Clock())
	for i := range list {
		list[i].Decode(s.Format)
	}
	return list
}

func (s *snapshot) message() ingest.Message {
	return ingest.Message{Position: s.position().String(), Lines: make([]ingest.PayloadLine, 0, snapshotRows)}
}

func (s *snapshot) send(ctx context.Context, m ingest.Message) error {
	select {
	case s.messages <- m:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
