package mirror

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pglogrepl"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

const (
	// unseenMax is the number of deletions of a message.
	unseenMax = 1000
	// batchesMax is how many batches of a snapshot may wait.
	batchesMax = 4
)

// snapshot reads tables as of one moment. It implements [ingest.Partition]: its messages move no
// position, and at the end it lets the partition be opened again.
type snapshot struct {
	*opened
	*dueSnapshot
	part    feed.SnapshotPart
	batches chan *rowsBatch
	// at is the moment, and err is why the snapshot cannot be read, once batches is closed.
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
	if err := o.publish(ctx, due.tables); err != nil {
		return nil, err
	}
	if due.whole {
		if err := dropSlot(ctx, o.conn, o.Slot); err != nil {
			return nil, err
		}
	}
	reading, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s := &snapshot{opened: o, dueSnapshot: due, part: part, batches: make(chan *rowsBatch, batchesMax), stop: cancel, types: due.types}
	o.Log.InfoContext(ctx, "reading a snapshot of the source", "source", o.Name, "tables", strings.Join(quotedNames(due.tables), " "))
	s.ended.Go(func() {
		defer close(s.batches)
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
	case b, more := <-s.batches:
		if !more {
			return s.finish(ctx, poll)
		}
		poll.Messages, poll.Concurrent = []ingest.Message{b.Message}, b.concurrent
		return poll, nil
	case <-wait.Done():
		return poll, ctx.Err()
	}
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
	if err := s.lookAtTables(ctx); err != nil {
		return err
	}
	for _, t := range s.tables {
		if err := s.readTable(ctx, t); err != nil {
			return failed("read the table "+t.Quoted, err)
		}
	}
	return s.unchanged(ctx)
}

// unchanged returns an error if a table was changed while it was read: a table that PostgreSQL rewrites
// is empty for transactions that began before.
func (s *snapshot) unchanged(ctx context.Context) error {
	if _, err := s.conn.Exec(ctx, "COMMIT"); err != nil {
		return failed("end the snapshot", err)
	}
	now, err := s.readFacts(ctx)
	if err != nil {
		return err
	}
	for _, t := range s.tables {
		if reason, err := s.drift(ctx, t, s.facts[t.Quoted], now[t.Quoted]); err != nil || reason != "" {
			return cmp.Or(err, fmt.Errorf("%s while it was read; it is read again", reason))
		}
	}
	return nil
}

// readTable sends the rows of a table. All but the last batch may be applied in any order, so those of
// different tables keep theirs.
func (s *snapshot) readTable(ctx context.Context, t *Table) error {
	used, names := s.mapper.used(t)
	order := s.mapper.order(t)
	by := slices.IndexFunc(used.Columns, func(c Column) bool { return len(order) > 0 && c.Name == order[0] })
	batch := s.batch(t)
	var group []byte
	err := texts(ctx, s.conn, "SELECT "+strings.Join(names, ", ")+" FROM "+t.from()+orderBy(order), func(row []Cell) error {
		same := false
		if by >= 0 {
			same = bytes.Equal(row[by].Text, group)
			group = row[by].Text
		}
		if batch.ends(same) {
			if err := s.send(ctx, batch); err != nil {
				return err
			}
			batch = s.batch(t)
		}
		batch.add(row, s.lines(RowChange{Table: used, New: row}))
		return nil
	})
	if err != nil {
		return err
	}
	batch.concurrent = false
	return s.send(ctx, batch)
}

// rowsBatch has the records of some rows of a table.
type rowsBatch struct {
	ingest.Message
	// concurrent is that of a poll, size the number of bytes of the rows.
	concurrent bool
	size       int
}

func (s *snapshot) batch(t *Table) *rowsBatch {
	return &rowsBatch{
		Message:    ingest.Message{Position: s.position().String(), Lines: make([]ingest.PayloadLine, 0, ingest.PollMessages)},
		concurrent: s.mapper.isWhole(t),
	}
}

func (b *rowsBatch) add(row []Cell, lines []ingest.PayloadLine) {
	b.Lines = append(b.Lines, lines...)
	for _, c := range row {
		b.size += len(c.Text)
	}
}

// ends reports that the next row begins another batch. Rows that change the row of one user or post are
// best in one, since concurrent batches would wait for each other.
func (b *rowsBatch) ends(sameGroup bool) bool {
	full := max(len(b.Lines)/ingest.PollMessages, b.size/ingest.PollBytes)
	return full > 1 || full == 1 && !sameGroup
}

// lines returns the records of a row.
func (s *snapshot) lines(row RowChange) []ingest.PayloadLine {
	made := s.mapper.Lines(row, s.Clock())
	list := make([]ingest.PayloadLine, len(made))
	for i := range made {
		list[i] = made[i].payload(s.Format)
	}
	return list
}

func (s *snapshot) send(ctx context.Context, b *rowsBatch) error {
	select {
	case s.batches <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
