package mirror

import (
	"context"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// dueSnapshot is a snapshot to read.
type dueSnapshot struct {
	// whole reads all tables, and begins a new slot.
	whole bool
	// tables are those to read, and types all types that they make or have made.
	tables []*Table
	types  feed.RecordTypes
}

// due returns the snapshot to read before changes, nil if there is none. The error is a
// [*ingest.LostError] if one is necessary and was not requested.
func (o *opened) due(ctx context.Context) (*dueSnapshot, error) {
	slot, problem := &o.server.slot, o.problem()
	stale, reason, err := o.stale(ctx)
	switch {
	case err != nil:
		return nil, err
	case slot.Exists && slot.database != o.conn.Config().Database, !o.state.Complete && slot.Exists && o.state.Slot != o.Slot:
		return nil, &ingest.LostError{
			Reason: fmt.Sprintf("the source has a slot %s already, which another mirror may use", o.Slot),
			Advice: fmt.Sprintf("set another --name, or drop it: SELECT pg_drop_replication_slot('%s')", o.Slot),
		}
	case !o.state.Complete:
		return o.snapshotOf(o.mapper.Tables(), true), nil
	case len(o.state.Requested) > 0:
		if problem != "" || slices.Contains(o.state.Requested, "") {
			return o.snapshotOf(o.mapper.Tables(), true), nil
		}
		return o.snapshotOf(o.related(append(stale, o.named(ctx, o.state.Requested)...)), false), nil
	case problem != "":
		return nil, lost("%s", problem)
	case reason != "":
		return nil, lost("%s", reason)
	}
	return nil, nil
}

// stale returns the tables that were read with other rules, or not at all, or whose changes are not
// enough, and a reason.
func (o *opened) stale(ctx context.Context) (list []*Table, reason string, err error) {
	for _, t := range o.mapper.Tables() {
		why, err := o.staleTable(ctx, t)
		if err != nil {
			return nil, "", err
		}
		if why != "" {
			reason, list = why, append(list, t)
		}
	}
	for _, was := range o.gone() {
		reason = fmt.Sprintf("the mapping has no rules for the table %s any more", was.Name)
	}
	return list, reason, nil
}

// staleTable says why a table is to be read again; empty if it is not.
func (o *opened) staleTable(ctx context.Context, t *Table) (reason string, err error) {
	is := o.stored(t)
	at := slices.IndexFunc(o.state.Tables, func(was feed.MirrorTable) bool { return was.Name == is.Name })
	switch {
	case at < 0:
		return fmt.Sprintf("the mapping has the table %s, which was not read yet", is.Name), nil
	case o.state.Tables[at].Digest != is.Digest:
		return fmt.Sprintf("the mapping of the table %s is another one than when it was read", is.Name), nil
	}
	return o.drift(ctx, t, parseFacts(o.state.Tables[at].State), o.facts[t.Quoted])
}

// gone returns the tables that were read, and that the mapping does not have any more.
func (o *opened) gone() []feed.MirrorTable {
	return slices.DeleteFunc(slices.Clone(o.state.Tables), func(was feed.MirrorTable) bool {
		return slices.ContainsFunc(o.mapper.Tables(), func(t *Table) bool { return t.Quoted == was.Name })
	})
}

// stored returns what is stored of a table that is read now.
func (o *opened) stored(t *Table) feed.MirrorTable {
	return feed.MirrorTable{Name: t.Quoted, Digest: o.mapper.Digest(t), State: o.facts[t.Quoted].text(), Types: o.mapper.Types(t)}
}

func (o *opened) named(ctx context.Context, names []string) []*Table {
	for _, name := range names {
		if !slices.ContainsFunc(o.mapper.Tables(), func(t *Table) bool { return t.Quoted == name }) {
			o.Log.WarnContext(ctx, "no snapshot of a table that the mapping does not have", "source", o.Name, "table", name)
		}
	}
	return slices.DeleteFunc(slices.Clone(o.mapper.Tables()), func(t *Table) bool { return !slices.Contains(names, t.Quoted) })
}

// related returns tables with all others that make the same types, or have made them. What a
// snapshot lacks of a type is ended, so all tables that make it are read.
func (o *opened) related(some []*Table) []*Table {
	for {
		types := o.typesOf(some)
		more := slices.DeleteFunc(slices.Clone(o.mapper.Tables()), func(t *Table) bool {
			return !slices.Contains(some, t) && !slices.ContainsFunc(o.typesOf([]*Table{t}), types.Has)
		})
		if len(more) <= len(some) {
			return more
		}
		some = more
	}
}

// typesOf returns the types that tables make or have made, and those of tables that are gone.
func (o *opened) typesOf(tables []*Table) feed.RecordTypes {
	var types feed.RecordTypes
	for _, was := range o.gone() {
		types = append(types, was.Types...)
	}
	for _, t := range tables {
		types = append(types, o.stored(t).Types...)
		for _, was := range o.state.Tables {
			if was.Name == t.Quoted {
				types = append(types, was.Types...)
			}
		}
	}
	slices.Sort(types)
	return slices.Compact(types)
}

func (o *opened) snapshotOf(tables []*Table, whole bool) *dueSnapshot {
	types := o.typesOf(tables)
	tables = slices.Clone(tables)
	slices.SortStableFunc(tables, func(a, b *Table) int {
		return orderOfTypes(o.stored(a).Types) - orderOfTypes(o.stored(b).Types)
	})
	return &dueSnapshot{whole: whole, tables: tables, types: slices.DeleteFunc(types, func(t feed.RecordType) bool { return t == feed.RecordSeen })}
}

// orderOfTypes is the order in which tables are read: what others name comes first.
func orderOfTypes(types feed.RecordTypes) int {
	for i, t := range []feed.RecordType{feed.RecordUser, feed.RecordPost} {
		if types.Has(t) {
			return i
		}
	}
	return 2
}
