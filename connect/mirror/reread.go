package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed/records"
)

// A changed key makes a new object, whose record needs all fields. PostgreSQL does not send large values
// that stay as they are, so the reader selects them by the new key. It gets the latest values, which may
// be newer than the change; the stream has each later change of them. If no row has the key, the row was
// deleted or its key has changed again, and the stream has that, too.

const (
	// rereadRows is how many rows a query selects. It bounds the memory for their values.
	rereadRows = 100
	// rereadBytes is the estimated size of the values of a row.
	rereadBytes = 16 << 10
	// commitEvery is how often the reader checks whether a transaction has ended.
	commitEvery = 20 * time.Millisecond
)

// lines calls each for the records of a part, and clears the part's changes.
func (r *reader) lines(ctx context.Context, p *part, each func(*Line)) error {
	for i := range p.changes {
		if p.changes[i].Unsent {
			if err := r.reread(ctx, p.xid, p.changes[i:]); err != nil {
				return err
			}
		}
		list := r.mapper.Lines(p.changes[i], p.at)
		for j := range list {
			if r.applies(&list[j]) {
				each(&list[j])
			}
		}
		p.changes[i] = RowChange{}
	}
	return nil
}

// applies reports whether a line can be applied. An incomplete line cannot, nor can partial records of the same
// object, which is not stored.
func (r *reader) applies(l *Line) bool {
	if l.Bad != "" || !l.Incomplete && len(r.incomplete) == 0 {
		return true
	}
	key := string(records.KeyOf(l.Line()))
	partial := slices.ContainsFunc(l.Members, func(m records.Member) bool { return m.Name == partialField })
	switch {
	case l.Incomplete:
		r.incomplete[key] = true
	case !partial:
		delete(r.incomplete, key)
	}
	return !r.incomplete[key]
}

// reread completes the first change, and further unsent ones of its table.
func (r *reader) reread(ctx context.Context, xid uint32, changes []RowChange) error {
	t := changes[0].Table
	var some []*RowChange
	var keys []string
	for i := 0; i < len(changes) && len(some) < rereadRows; i++ {
		if c := &changes[i]; c.Unsent && c.Table == t {
			c.New = fill(c.New, c.Old)
			some, keys = append(some, c), append(keys, t.identityOf(c.New))
		}
	}
	if err := r.awaitCommit(ctx, xid); err != nil {
		return err
	}
	found, err := r.rows(ctx, t, keys)
	for i, c := range some {
		now := found[keys[i]]
		c.Unsent, c.Gone = false, now == nil
		for at := range now {
			if c.New[at].Unchanged {
				c.New[at] = now[at]
			}
		}
	}
	return failed("read changed rows of the table "+t.Quoted, err)
}

// rows returns rows by their identities. They have the columns that rules use; all others are unchanged.
func (r *reader) rows(ctx context.Context, t *Table, identities []string) (map[string][]Cell, error) {
	var places []int
	var names, identity []string
	uses := r.mapper.Uses(t)
	for i, c := range t.Columns {
		if c.InIdentity || slices.Contains(uses, c.Name) {
			places, names = append(places, i), append(names, quoted(c.Name))
		}
		if c.InIdentity {
			identity = append(identity, quoted(c.Name))
		}
	}
	sql := fmt.Sprintf("SELECT %s FROM %s WHERE (%s) IN (%s)", strings.Join(names, ", "), t.from(), strings.Join(identity, ", "), strings.Join(identities, ", "))
	if r.hold.Snapshot != "" {
		// A comparison expects the rows as of its snapshot. If it has ended, the snapshot is gone.
		rollback := func() { _, _ = r.conn.Exec(ctx, "ROLLBACK") }
		defer rollback()
		if r.use(ctx, r.hold.Snapshot) != nil {
			rollback()
		}
	}
	found := map[string][]Cell{}
	err := texts(ctx, r.conn, sql, func(cells []Cell) error {
		row := make([]Cell, len(t.Columns))
		for i := range row {
			row[i].Unchanged = true
		}
		for i, at := range places {
			row[at] = cells[i]
		}
		found[t.identityOf(row)] = row
		return nil
	})
	return found, err
}

// identityOf returns the values of the replica identity as a row of SQL literals.
func (t *Table) identityOf(row []Cell) string {
	var values []string
	for i, c := range t.Columns {
		if c.InIdentity {
			values = append(values, quoteText(string(row[i].Text)))
		}
	}
	return "(" + strings.Join(values, ", ") + ")"
}

// awaitCommit waits until queries see the changes of a transaction. PostgreSQL sends them as soon as the
// commit is in its log. They become visible a moment later, or with synchronous replication once the
// replicas have confirmed. The transaction holds the lock of its id until then.
func (r *reader) awaitCommit(ctx context.Context, xid uint32) error {
	for {
		var open bool
		err := r.conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'transactionid' AND transactionid = $1::text::xid)`, fmt.Sprint(xid)).Scan(&open)
		if err != nil || !open {
			return failed("read the locks of the source", err)
		}
		select {
		case <-time.After(commitEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
