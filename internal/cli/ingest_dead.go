package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// ingestDeadCommand works on dead letters. It needs no Redis: servers find retried posts in the
// database.
type ingestDeadCommand struct {
	app.DatabaseSettings
	app.ActivitySettings
	app.SourceSettings
	rereadSettings
	Source   string  `placeholder:"NAME" help:"Only letters of this source."`
	Limit    int     `default:"100" placeholder:"N" help:"List at most N letters (${default})."`
	After    int64   `placeholder:"ID" help:"List letters after this one."`
	Show     int64   `xor:"action" placeholder:"ID" help:"Print the line of a letter as it arrived."`
	Drop     []int64 `xor:"action" placeholder:"ID,…" help:"Drop letters."`
	DropAll  bool    `xor:"action" help:"Drop all letters of --source."`
	Resent   bool    `xor:"action" help:"Say that --source has sent everything again, so that it is complete although some of its bad lines were only counted. A new snapshot of a mirror says so by itself."`
	Retry    []int64 `xor:"action" placeholder:"ID,…" help:"Apply the lines of letters again, unless later records of their objects were applied."`
	RetryAll bool    `xor:"action" help:"Retry all letters, or those of --source, in their order."`
}

// lettersRead is how many letters are in memory together.
const lettersRead = 100

func (c *ingestDeadCommand) check() error {
	switch {
	case c.DropAll && c.Source == "":
		return app.BadSetting("--drop-all needs --source")
	case c.Resent && c.Source == "":
		return app.BadSetting("--resent needs --source")
	}
	return cmp.Or(
		app.InRange("--limit", c.Limit, 1, 100_000),
		app.CheckAll(c.ActivitySettings, c.SourceSettings),
		checkDatabase(c.DatabaseSettings, "ingest dead"),
	)
}

// Run does what the flags say; without an action it lists letters.
func (c *ingestDeadCommand) Run(ctx context.Context, o output) error {
	if err := c.check(); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		owned, err := c.UseOwners(ctx, store, slog.New(slog.NewTextHandler(o.err, nil)))
		if err != nil {
			return err
		}
		reread, closeBus, err := c.Reader(store)
		if err != nil {
			return err
		}
		defer func() { _ = closeBus() }()
		d := deadLetters{reread: reread, letters: store, store: store, owned: owned, upstream: c.Upstream(), activeFor: c.ActiveFor, clock: time.Now, format: formatOf(store), to: o}
		switch {
		case c.Show != 0:
			return d.show(ctx, c.Show)
		case len(c.Drop) > 0:
			return d.drop(ctx, c.Drop)
		case c.DropAll:
			return d.dropAll(ctx, c.Source)
		case c.Resent:
			return d.resent(ctx, c.Source)
		case len(c.Retry) > 0:
			return d.retry(ctx, c.Retry)
		case c.RetryAll:
			return d.retryAll(ctx, c.Source)
		}
		return d.list(ctx, c.Source, c.After, c.Limit)
	})
}

// deadLetters does the work of the command.
type deadLetters struct {
	letters   feed.DeadLetters
	store     feed.Ingester
	owned     feed.RecordTypes
	upstream  feed.RecordTypes
	activeFor time.Duration
	clock     feed.Clock
	format    records.Format
	to        output
	reread    lineReader
	// tried and failed count retries.
	tried, failed int
}

func (d *deadLetters) list(ctx context.Context, source string, after int64, limit int) error {
	out := tabwriter.NewWriter(d.to.out, 0, 0, 2, ' ', 0)
	shown := 0
	err := d.each(ctx, source, after, func(l feed.DeadLetter) error {
		if shown == 0 {
			_, _ = fmt.Fprintln(out, "id\tsource\ttime\tobject\ttries\treason")
		}
		if shown == limit {
			_, _ = fmt.Fprintf(out, "more: list them with --after=%d\n", after)
			return io.EOF
		}
		shown++
		after = l.ID
		overtaken := ""
		if l.Overtaken {
			overtaken = " (overtaken by a later record)"
		}
		_, _ = fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%d\t%s%s\n",
			l.ID, printable(l.Source), timeText(l.CreatedAt), d.objectOf(l), l.Tries, oneLine(l.Reason), overtaken)
		return nil
	})
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if shown == 0 {
		_, _ = fmt.Fprintln(out, "no dead letters")
	}
	return out.Flush()
}

// objectOf names the object of a letter by the ids in its line.
func (d *deadLetters) objectOf(l feed.DeadLetter) string {
	if l.Object == "" {
		return "none"
	}
	if r, err := d.format.Decode(l.Text); err == nil && d.format.IDs != nil {
		return r.Name()
	}
	return l.Object
}

// oneLine keeps a text in its column.
func oneLine(text string) string {
	quoted := fmt.Sprintf("%+q", text)
	for _, r := range text {
		if r < ' ' {
			return quoted
		}
	}
	return text
}

// each calls do with the letters of a source after an id, in order.
func (d *deadLetters) each(ctx context.Context, source string, after int64, do func(feed.DeadLetter) error) error {
	for {
		list, err := d.letters.DeadLetters(ctx, source, after, lettersRead)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, l := range list {
			if err := do(l); err != nil {
				return err
			}
		}
		after = list[len(list)-1].ID
	}
}

// letter returns the letter of an id.
func (d *deadLetters) letter(ctx context.Context, id int64) (feed.DeadLetter, error) {
	list, err := d.letters.DeadLetters(ctx, "", id-1, 1)
	if err == nil && (len(list) == 0 || list[0].ID != id) {
		err = fmt.Errorf("there is no dead letter %d", id)
	}
	if err != nil {
		return feed.DeadLetter{}, err
	}
	return list[0], nil
}

func (d *deadLetters) show(ctx context.Context, id int64) error {
	l, err := d.letter(ctx, id)
	if err == nil {
		_, err = fmt.Fprintf(d.to.out, "%s\n", l.Text)
	}
	if err == nil && l.Element > 0 {
		_, err = fmt.Fprintf(d.to.err, "letter %d: record %d of the message at position %s of partition %s, with the key %q; the source has its line\n", l.ID, l.Element, l.Position, l.Partition, l.Key)
	}
	if err == nil && l.Cut {
		_, err = fmt.Fprintf(d.to.err, "letter %d: the line was longer; only its first %d bytes were kept\n", l.ID, len(l.Text))
	}
	return err
}

func (d *deadLetters) drop(ctx context.Context, ids []int64) error {
	n, err := d.letters.DropDeadLetters(ctx, ids)
	if err == nil {
		err = d.dropped(n)
	}
	return err
}

func (d *deadLetters) dropAll(ctx context.Context, source string) error {
	total := 0
	for {
		list, err := d.letters.DeadLetters(ctx, source, 0, lettersRead)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return d.dropped(total)
		}
		ids := make([]int64, len(list))
		for i, l := range list {
			ids[i] = l.ID
		}
		n, err := d.letters.DropDeadLetters(ctx, ids)
		if err != nil {
			return err
		}
		total += n
	}
}

func (d *deadLetters) dropped(n int) error {
	_, err := fmt.Fprintf(d.to.out, "dropped %d dead letters\n", n)
	return err
}

func (d *deadLetters) resent(ctx context.Context, source string) error {
	n, err := d.letters.ForgetCounted(ctx, source)
	if err == nil {
		_, err = fmt.Fprintf(d.to.out, "%s is complete; %d bad lines had only been counted\n", printable(source), n)
	}
	return err
}

func (d *deadLetters) retry(ctx context.Context, ids []int64) error {
	for _, id := range ids {
		l, err := d.letter(ctx, id)
		if err == nil {
			err = d.retryOne(ctx, l)
		}
		if err != nil {
			return err
		}
	}
	return d.retried()
}

func (d *deadLetters) retryAll(ctx context.Context, source string) error {
	if err := d.each(ctx, source, 0, func(l feed.DeadLetter) error { return d.retryOne(ctx, l) }); err != nil {
		return err
	}
	return d.retried()
}

// retried prints how many retries succeeded, and fails if any failed.
func (d *deadLetters) retried() error {
	_, _ = fmt.Fprintf(d.to.out, "applied %d of %d dead letters\n", d.tried-d.failed, d.tried)
	if d.failed > 0 {
		return fmt.Errorf("%d dead letters were not applied", d.failed)
	}
	return nil
}

// retryOne applies a letter again. It prints why it does not; the error is that of the database.
func (d *deadLetters) retryOne(ctx context.Context, l feed.DeadLetter) error {
	d.tried++
	reason, err := d.apply(ctx, l)
	if err != nil {
		return err
	}
	if reason != "" {
		d.failed++
		_, _ = fmt.Fprintf(d.to.err, "letter %d: %s\n", l.ID, oneLine(reason))
	}
	return nil
}

// apply returns the reason why the letter is not applied; empty if it is.
func (d *deadLetters) apply(ctx context.Context, l feed.DeadLetter) (reason string, err error) {
	switch {
	case l.Overtaken:
		return "a later record of " + d.objectOf(l) + " was applied; drop the letter", nil
	case l.Cut:
		return fmt.Sprintf("only the first %d bytes of its line were kept; send the record again, or read a new snapshot, and drop the letter", len(l.Text)), nil
	case l.Ordered && l.Object == "":
		return "later records of its object may have been applied; drop the letter, and change the object in its source", nil
	}
	if l.Element > 0 {
		if l.Text, reason, err = d.reread(ctx, &l); err != nil || reason != "" {
			return reason, err
		}
	}
	batch, err := d.batch(ctx, l)
	if err != nil {
		return "", err
	}
	if l.Element > 0 && len(batch.Records) > 0 && batch.Records[0].Object().String() != l.Object {
		return "its message makes the record of another object now; drop the letter, and change the object in its source", nil
	}
	done, err := d.store.Ingest(ctx, batch)
	switch {
	case errors.Is(err, feed.ErrLetterOvertaken):
		return feed.Reason(err), nil
	case err != nil:
		return "", err
	}
	reason, _ = batch.Failure(&done.Applied)
	return reason, nil
}

// batch returns the batch that tries a letter again. Posts get an event that is due, so that a
// sweep plans their fan-outs with the settings of the servers.
func (d *deadLetters) batch(ctx context.Context, l feed.DeadLetter) (feed.SourceBatch, error) {
	b := feed.SourceBatch{
		Batch:    feed.Batch{Owned: d.owned, Upstream: d.upstream, Ordered: l.Ordered, ActiveFor: d.activeFor},
		Source:   l.Source,
		Retried:  []int64{l.ID},
		Dispatch: feed.FirstDispatch{EventDue: feed.Millis(d.clock())},
	}
	r, err := d.format.Decode(l.Text)
	switch t := r.Type(); {
	case err != nil:
		b.Rejected = []feed.Rejected{{Line: 1, Text: l.Text, Reason: err.Error()}}
	case t == feed.RecordCounters && !d.owned.Has(t):
		b.Rejected = []feed.Rejected{{Line: 1, Text: l.Text, Reason: feed.Unowned(t)}}
	case t != feed.RecordSeen && !d.owned.Has(t):
		b.Rejected = []feed.Rejected{{Line: 1, Text: l.Text, Reason: fmt.Sprintf("no source owns the type %s; set --source-owns as for the servers", t)}}
	default:
		r.Line, r.Text = 1, feed.TextLine(l.Text)
		b.Records, b.Rejected, err = d.format.Number(ctx, []feed.Record{r})
		return b, err
	}
	return b, nil
}
