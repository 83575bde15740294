package mirror

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pglogrepl"
	"golang.org/x/sync/semaphore"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

const (
	// pollFor is how long a poll waits for changes.
	pollFor = time.Second
	// lookEvery is how often a reader looks for requests of snapshots and for changes of tables. With a
	// poll, it is less than the five seconds in which changes of tables are to be noticed.
	lookEvery = 2 * time.Second
	// idleEvery is how often a position is stored that no change has moved. Where our database is on the
	// server of the source, storing it writes to the log, which moves it again.
	idleEvery = 10 * time.Second
)

// reader reads the changes. It implements [ingest.Partition].
type reader struct {
	*opened
	stream *stream
	parts  chan part
	// err is why the stream has ended, once parts is closed.
	err    error
	stop   context.CancelFunc
	ended  sync.WaitGroup
	looked time.Time
	hold   hold
	// handed is the place up to which whole transactions were returned.
	handed uint64
	// idle is a place up to which no changes follow. It is returned at idleDue, or with changes.
	idle    uint64
	idleDue time.Time
	// incomplete has the objects of incomplete lines, by type and key, until a line completes or removes them.
	incomplete map[string]bool
}

// newReader begins to receive changes. It goes on after ctx, until it is closed.
func newReader(ctx context.Context, o *opened, after position) *reader {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r := &reader{opened: o, parts: make(chan part, partsMax), stop: cancel, handed: after.lsn, incomplete: map[string]bool{}}
	r.hold.MirrorHold = o.state.Hold
	d := o.decoder(after)
	r.stream = &stream{conn: o.replication, decoder: d, clock: o.Clock, out: r.parts, memory: semaphore.NewWeighted(waitingBytes)}
	d.emit = func(p part) error { return r.stream.emit(ctx, p) }
	r.ended.Go(func() {
		defer close(r.parts)
		r.err = r.stream.run(ctx)
	})
	return r
}

// decoder decodes the changes after a position.
func (o *opened) decoder(after position) *changeDecoder {
	d := &changeDecoder{
		tables: map[[2]string]*Table{}, from: map[*Table]pglogrepl.LSN{}, uses: o.mapper.Uses, after: after, relations: map[uint32]*relation{},
	}
	from := map[string]uint64{}
	for _, t := range o.state.Tables {
		from[t.Name] = t.From
	}
	for _, t := range o.mapper.Tables() {
		d.tables[[2]string{t.Schema, t.Name}] = t
		d.from[t] = pglogrepl.LSN(from[t.Quoted])
	}
	return d
}

// Close implements [ingest.Partition].
func (r *reader) Close() {
	r.stop()
	r.ended.Wait()
	r.close(context.Background())
}

// Poll implements [ingest.Partition]. What earlier polls have returned is applied, so it is confirmed.
func (r *reader) Poll(ctx context.Context) (ingest.Poll, error) {
	r.stream.confirmed.Store(r.handed)
	poll := ingest.Poll{Identity: r.identity, Waiting: -1}
	if err := r.look(ctx, &poll); err != nil || poll.Reopen {
		return poll, err
	}
	wait, cancel := context.WithTimeout(ctx, r.hold.pollFor())
	defer cancel()
	for lines, size := 0, 0; lines < ingest.PollMessages && size < ingest.PollBytes; {
		p, is, err := r.let(wait, len(poll.Messages) > 0 || r.idles())
		if err != nil {
			return poll, err
		}
		if !is {
			break
		}
		if len(p.changes) == 0 && r.hold.ID == 0 {
			r.idle = p.to.lsn
			continue
		}
		m, err := r.message(ctx, &p)
		if err != nil {
			return poll, err
		}
		poll.Messages = append(poll.Messages, m)
		lines, size = lines+len(m.Lines)+1, size+p.size
		if p.to.count == 0 {
			r.handed = p.to.lsn
		}
	}
	r.addIdle(&poll)
	poll.CaughtUp = r.stream.caughtUp.Load() && len(r.parts) == 0 && r.hold.ahead == nil
	return poll, ctx.Err()
}

// idles reports whether an idle place is to be returned.
func (r *reader) idles() bool {
	return r.idle > r.handed && r.hold.ID == 0 && !r.Clock().Before(r.idleDue)
}

// addIdle adds the idle place if it is due, or if changes are stored anyway. After changes, the next one is
// due at once, because a read may name a place of the source that is a little after its commit.
func (r *reader) addIdle(poll *ingest.Poll) {
	changed := len(poll.Messages) > 0
	if changed {
		r.idleDue = r.Clock()
	}
	if !r.idles() {
		return
	}
	poll.Messages = append(poll.Messages, ingest.Message{Position: position{r.idle, 0}.String(), Lines: []ingest.PayloadLine{}})
	r.handed = r.idle
	if !changed {
		r.idleDue = r.Clock().Add(idleEvery)
	}
}

// next returns the next part. It waits until ctx ends, unless now is set.
func (r *reader) next(ctx context.Context, now bool) (p part, is bool, err error) {
	if now && len(r.parts) == 0 {
		return part{}, false, nil
	}
	select {
	case p, is = <-r.parts:
		if !is && !now {
			return p, false, r.err
		}
	case <-ctx.Done():
		return part{}, false, nil
	}
	if is {
		r.stream.memory.Release(p.weight())
	}
	return p, is, nil
}

func (r *reader) message(ctx context.Context, p *part) (ingest.Message, error) {
	m := ingest.Message{Position: p.to.String(), At: p.at, Lines: []ingest.PayloadLine{}}
	err := r.lines(ctx, p, func(l *Line) { m.Lines = append(m.Lines, l.payload(r.Format)) })
	return m, err
}

// look sees whether a snapshot was asked for, takes over the hold, and compares the tables with what
// they were.
func (r *reader) look(ctx context.Context, poll *ingest.Poll) (err error) {
	now := r.Clock()
	late := now.Sub(r.looked) >= lookEvery
	if r.hold.ID == 0 && !late {
		return nil
	}
	if late {
		r.looked = now
		if poll.Tables, err = r.compareTables(ctx); err != nil {
			return err
		}
	}
	state, err := r.Store.Mirror(ctx, r.Name)
	if poll.Reopen = len(state.Requested) > 0; err != nil || poll.Reopen {
		return err
	}
	return r.see(ctx, state.Hold)
}

// decideNewColumns fails if a new column may decide who sees a row, since the mapping says nothing of it.
func (r *reader) decideNewColumns(ctx context.Context) error {
	catalog, err := Inspect(ctx, r.conn)
	if err != nil {
		return failed("read the catalog of the source", err)
	}
	if _, err := NewMapper(r.File, catalog); err != nil {
		return &ingest.LostError{Reason: err.Error(), Advice: "correct the mapping file, then start the mirror; there is nothing to read again"}
	}
	return nil
}

// compareTables returns the tables whose stored state is to be replaced. It fails with an
// [*ingest.LostError] if one has changed so that changes are not enough.
func (r *reader) compareTables(ctx context.Context) (changed []feed.MirrorTable, err error) {
	now, err := r.readFacts(ctx)
	if err != nil {
		return nil, err
	}
	added := false
	for _, t := range r.mapper.Tables() {
		added = added || r.facts[t.Quoted][kindWidth] != now[t.Quoted][kindWidth]
		reason, err := r.drift(ctx, t, r.facts[t.Quoted], now[t.Quoted])
		if err != nil {
			return nil, err
		}
		if reason != "" {
			return nil, lost("%s", reason)
		}
		for _, oid := range r.stream.decoder.leaves.of(t) {
			if _, has := now[t.Quoted][fmt.Sprint(kindPartition, " ", oid)]; !has {
				return nil, lost("a partition of the table %s that had changes was detached or dropped", t.Quoted)
			}
		}
	}
	if added {
		if err := r.decideNewColumns(ctx); err != nil {
			return nil, err
		}
	}
	r.facts = now
	for i := range r.state.Tables {
		t := &r.state.Tables[i]
		if text := now[t.Name].text(); text != t.State {
			t.State = text
			changed = append(changed, *t)
		}
	}
	return changed, nil
}
