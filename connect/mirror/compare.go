package mirror

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/connect/compare"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

const (
	// holdFor is how long a hold lasts if who asked has died.
	holdFor = 30 * time.Second
	// holdEvery is how often a hold is renewed, and its effect is looked at.
	holdEvery = 100 * time.Millisecond
	// stopWithin is how long a mirror may take to stop: it applies what it has begun.
	stopWithin = time.Minute
	// idleFor is how long no process may read the slot until none runs. A process that was killed is
	// replaced earlier.
	idleFor = 8 * time.Second
	// copyWithin is how long the mirror is held for a new slot, which waits for open transactions.
	// copyTries is how often it is tried, and copyEvery the time in between.
	copyWithin = 5 * time.Second
	copyTries  = 12
	copyEvery  = 5 * time.Second
)

// Comparer compares a source with what its mirror has stored, while both go on.
//
// A temporary slot gives the rows of the source as of a place of its log. The mirror applies what was
// committed before, and then waits until a snapshot of what is stored has begun. Both last about a
// second.
type Comparer struct {
	*Source
	Stored feed.StoredSnapshots
	// ID is unique and positive.
	ID       int64
	Wait     func(context.Context, time.Duration) error
	Progress func(objects int)

	// snapshot names the exported snapshot in which Run reads the source.
	snapshot string
}

// Run compares all objects. It needs a mirror that runs, or one that has nothing left to apply.
func (c *Comparer) Run(ctx context.Context) (result *compare.Result, err error) {
	o := &opened{Source: c.Source}
	defer o.close(ctx)
	if err := c.open(ctx, o); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.release(ctx)) }()
	at, follows, err := c.copy(ctx, o)
	if err != nil {
		return nil, err
	}
	want := position{at, 0}
	if follows {
		err = c.reach(ctx, at)
	} else {
		want, err = c.nothingLeft(ctx, o, at)
	}
	if err != nil {
		return nil, err
	}
	err = c.Stored.Snapshot(ctx, func(s feed.StoredSnapshot) error {
		is, err := positionIn(ctx, s, c.Name)
		if err == nil && is != want {
			err = fmt.Errorf("the mirror is at %s and not at %s, where it should wait; try again", is, want)
		}
		if err == nil {
			err = c.release(ctx)
		}
		if err != nil {
			return err
		}
		both := compare.Comparison{
			Source: &rowsSource{o.mapper, o.conn, c.Name}, Stored: s, Name: c.Name, TextIDs: c.TextIDs, Progress: c.Progress,
		}
		result, err = both.Run(ctx)
		return err
	})
	return result, err
}

// open connects, and refuses a mirror that has to read a snapshot first.
func (c *Comparer) open(ctx context.Context, o *opened) error {
	due, err := c.due(ctx, o)
	var lost *ingest.LostError
	switch {
	case errors.As(err, &lost):
		return fmt.Errorf("the mirror %s cannot be compared: %s; %s", c.Name, lost.Reason, lost.Advice)
	case err == nil && due != nil:
		err = fmt.Errorf("the mirror %s has a snapshot to read first; wait until tideline mirror run has logged that it is complete", c.Name)
	}
	return err
}

// due returns the snapshot that is due. It reads the position after the slot, which is confirmed later.
func (c *Comparer) due(ctx context.Context, o *opened) (*dueSnapshot, error) {
	if err := o.inspect(ctx); err != nil {
		return nil, err
	}
	err := c.Stored.Snapshot(ctx, func(s feed.StoredSnapshot) error {
		list, err := s.Positions(ctx, c.Name)
		for _, p := range list {
			o.after = ingest.Place{Identity: p.Identity, Position: p.Position}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return o.due(ctx)
}

func (c *Comparer) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), statusWait)
	defer cancel()
	return c.Holds.Release(ctx, c.Name, c.ID)
}

// copy stops the mirror, and begins to read the source as of a place after that. It reports whether
// a process follows the changes.
func (c *Comparer) copy(ctx context.Context, o *opened) (at uint64, follows bool, err error) {
	for try := 1; ; try++ {
		if follows, err = c.stop(ctx, o); err != nil {
			return 0, false, err
		}
		within, cancel := context.WithTimeout(ctx, copyWithin)
		at, err := c.copyNow(within, o)
		late := within.Err() != nil && ctx.Err() == nil
		cancel()
		if err == nil || !late {
			return at, follows, err
		}
		open, openErr := openTransaction(ctx, o.conn)
		if try == copyTries || openErr != nil {
			return 0, false, errors.Join(openErr, fmt.Errorf("the source has transactions that do not end: %s; try again once they have ended", open))
		}
		c.Log.WarnContext(ctx, "waiting for a transaction of the source", "transaction", open)
		if err := errors.Join(c.release(ctx), c.Wait(ctx, copyEvery)); err != nil {
			return 0, false, err
		}
	}
}

// stop holds the mirror where it is. It returns false if no process follows the changes.
func (c *Comparer) stop(ctx context.Context, o *opened) (follows bool, err error) {
	began := c.Clock()
	for {
		seen, err := c.Holds.Hold(ctx, c.Name, feed.MirrorHold{ID: c.ID}, holdFor)
		if err != nil || seen {
			return seen, err
		}
		slot, err := readSlot(ctx, o.conn, o.Slot)
		if err != nil {
			return false, err
		}
		switch waited := c.Clock().Sub(began); {
		case !slot.Active && waited > idleFor:
			return false, nil
		case waited > stopWithin:
			return false, errors.New("the mirror does not answer; it may be waiting for fan-outs, see tideline doctor; try again later")
		}
		if err := c.Wait(ctx, holdEvery); err != nil {
			return false, err
		}
	}
}

// copyNow begins a transaction of the connection as of the place that it returns. The slot is dropped
// as soon as the transaction has its snapshot.
func (c *Comparer) copyNow(ctx context.Context, o *opened) (at uint64, err error) {
	replication, err := connectReplication(ctx, c.URL)
	if err != nil {
		return 0, failed("connect to the source for replication", err)
	}
	defer func() { _ = replication.Close(context.WithoutCancel(ctx)) }()
	place, exported, err := createSlot(ctx, replication, fmt.Sprintf("%s_%d", c.Slot, c.ID), true)
	if err != nil {
		return 0, err
	}
	if err := o.use(ctx, exported); err != nil {
		return 0, err
	}
	err = o.conn.QueryRow(ctx, "SELECT pg_export_snapshot()").Scan(&c.snapshot)
	return uint64(place), failed("export the snapshot", err)
}

// use begins a transaction of the connection that sees an exported snapshot.
func (o *opened) use(ctx context.Context, exported string) error {
	_, err := o.conn.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT "+quoteText(exported), pgx.QueryExecModeSimpleProtocol)
	return failed("use the snapshot of the slot", err)
}

// openTransaction describes the transaction of the source that writes for the longest time.
func openTransaction(ctx context.Context, conn *pgx.Conn) (text string, err error) {
	err = conn.QueryRow(ctx, `
SELECT coalesce((SELECT format('process %s since %s', pid, date_trunc('second', xact_start)) FROM pg_stat_activity
  WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid() ORDER BY xact_start LIMIT 1), 'unknown')`).Scan(&text)
	return text, failed("read the open transactions of the source", err)
}

// reach waits until the mirror has applied what was committed before a place.
func (c *Comparer) reach(ctx context.Context, at uint64) error {
	var last position
	moved := c.Clock()
	for {
		if _, err := c.Holds.Hold(ctx, c.Name, feed.MirrorHold{ID: c.ID, Place: at, Snapshot: c.snapshot}, holdFor); err != nil {
			return err
		}
		is, err := c.position(ctx)
		switch {
		case err != nil:
			return err
		case is == position{at, 0}:
			return nil
		case is.lsn > at:
			return fmt.Errorf("the mirror has passed the place %d and is at %s; try again", at, is)
		case is != last:
			last, moved = is, c.Clock()
		case c.Clock().Sub(moved) > stopWithin:
			return fmt.Errorf("the mirror stays at %s and does not reach %d; see the log of tideline mirror run", is, at)
		}
		if err := c.Wait(ctx, holdEvery); err != nil {
			return err
		}
	}
}

// position returns the place up to which changes are applied.
func (c *Comparer) position(ctx context.Context) (p position, err error) {
	err = c.Stored.Snapshot(ctx, func(s feed.StoredSnapshot) error {
		p, err = positionIn(ctx, s, c.Name)
		return err
	})
	return p, err
}

func positionIn(ctx context.Context, s feed.StoredSnapshot, source string) (position, error) {
	list, err := s.Positions(ctx, source)
	switch {
	case err != nil:
		return position{}, err
	case len(list) != 1:
		return position{}, fmt.Errorf("%s has %d positions, and a mirror has one; check --name, and that tideline mirror run has begun", source, len(list))
	}
	return parsePosition(list[0].Position)
}

// peekMax bounds the messages of the slot that are looked at.
const peekMax = 10_000

// nothingLeft returns the stored position if no change of a mapped table was committed between it and
// a place. No process reads the slot.
func (c *Comparer) nothingLeft(ctx context.Context, o *opened, at uint64) (position, error) {
	after, err := c.position(ctx)
	if err != nil {
		return after, err
	}
	conn, err := Connect(ctx, c.URL)
	if err != nil {
		return after, failed("connect to the source", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	left := errors.New("no tideline mirror run follows the source, and changes wait; start it, then compare again")
	d := o.decoder(after)
	d.emit = func(p part) error {
		if len(p.changes) > 0 && p.to.lsn <= at {
			return left
		}
		return nil
	}
	rows, err := conn.Query(ctx, `
SELECT data FROM pg_logical_slot_peek_binary_changes($1, $2::pg_lsn, $3, 'proto_version', '1', 'publication_names', $4)`,
		c.Slot, pglogrepl.LSN(at).String(), peekMax, c.Publication)
	if err != nil {
		return after, failed("look at the changes of the slot", err)
	}
	var data []byte
	n := 0
	_, err = pgx.ForEachRow(rows, []any{&data}, func() error {
		if n++; n >= peekMax {
			return left
		}
		return d.decode(data)
	})
	return after, err
}
