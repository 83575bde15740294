package mirror

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The kinds of facts that are named elsewhere.
const (
	kindTable     = "table"
	kindColumn    = "column"
	kindIdentity  = "identity"
	kindPartition = "partition"
	// kindWidth is the highest number of a column. A higher one tells that columns were added.
	kindWidth = "width"
)

// factKind says which changes of a fact end a mirror.
type factKind struct {
	name string
	// gone, changed and added are messages with the names of the table and of the fact. Without one,
	// the mirror goes on.
	gone, changed, added string
	// same reports that two different values are equal for a mirror; nil if none are.
	same func(was, now string) bool
}

// factKinds returns the kinds of facts. The first difference is named, so causes come before effects.
func factKinds() []factKind {
	const (
		column    = "the column %[2]s of the table %[1]s "
		label     = "a label of the enum %[2]s, which the table %[1]s uses, was renamed"
		partition = "the partition %[2]s of the table %[1]s "
		member    = "the table %[1]s was taken out of the publication, which may have it again with other rows or columns"
	)
	return []factKind{
		{name: kindTable, changed: "the table %[1]s was dropped and made again, has the name of another one, or has become unlogged or a partition"},
		{
			name: kindColumn, gone: column + "was dropped or renamed", changed: column + "is another one than before, or has another type",
			added: column + "is new, and the mapping uses whole rows",
		},
		{name: "values", changed: column + "was rewritten with other values", same: anyFieldSame},
		{name: "type", changed: "the type %[2]s, which the table %[1]s uses, was changed"},
		{name: "label", gone: label, changed: label},
		{name: kindIdentity, changed: "the replica identity of the table %[2]s was changed", same: isFull},
		{
			name: kindPartition, gone: partition + "was detached or dropped",
			changed: partition + "was truncated, rewritten or attached again",
		},
		{name: "publication", gone: "the publication %[2]s was dropped or renamed", changed: "the publication %[2]s was altered"},
		{name: "member", gone: member},
	}
}

// anyFieldSame reports whether two values have a field in common.
func anyFieldSame(was, now string) bool {
	others := strings.Fields(now)
	for i, field := range strings.Fields(was) {
		if i < len(others) && others[i] == field {
			return true
		}
	}
	return false
}

// isFull reports that changes have whole old rows, which is enough for each mapping.
func isFull(_, now string) bool { return strings.HasPrefix(now, string(IdentityFull)) }

// drift says what has changed in a table so that the changes that follow are not enough, or are read
// otherwise. It is empty if nothing has.
func (o *opened) drift(ctx context.Context, t *Table, was, now facts) (string, error) {
	switch {
	case was == nil:
		return fmt.Sprintf("an earlier version of the program has read the table %s", t.Quoted), nil
	case now == nil:
		return fmt.Sprintf("the table %s was dropped or renamed", t.Quoted), nil
	case maps.Equal(was, now):
		return "", nil
	}
	keys := slices.Sorted(maps.Keys(was))
	for key := range maps.Keys(now) {
		if _, has := was[key]; !has {
			keys = append(keys, key)
		}
	}
	for _, kind := range factKinds() {
		for _, key := range keys {
			if name, _, _ := strings.Cut(key, " "); name != kind.name {
				continue
			}
			if message, of := kind.compare(was, now, key); message != "" {
				return fmt.Sprintf(message, t.Quoted, of), nil
			}
		}
	}
	return o.newPartitions(ctx, t, was, now)
}

// compare returns the message about a fact, and its name.
func (k *factKind) compare(was, now facts, key string) (message, name string) {
	w, had := was[key]
	n, has := now[key]
	switch {
	case !has:
		return k.gone, w.Name
	case !had:
		return k.added, n.Name
	case w.Value != n.Value && (k.same == nil || !k.same(w.Value, n.Value)):
		return k.changed, w.Name
	}
	return "", ""
}

// newPartitions says why the changes of a new partition are not enough. One that was made empty sends
// all of its rows.
func (o *opened) newPartitions(ctx context.Context, t *Table, was, now facts) (string, error) {
	for _, key := range slices.Sorted(maps.Keys(now)) {
		kind, oid, _ := strings.Cut(key, " ")
		if _, had := was[key]; had || kind != kindPartition {
			continue
		}
		name := now[key].Name
		if reason := unsent(now[key]); reason != "" {
			return fmt.Sprintf("the partition %s of the table %s is %s", name, t.Quoted, reason), nil
		}
		identity, ofTable := now[kindIdentity+" "+oid].Value, now[kindIdentity+" "+fmt.Sprint(t.OID)].Value
		if !isFull("", identity) && identity[:1] != ofTable[:1] {
			return fmt.Sprintf("the partition %s has another replica identity than its table %s", name, t.Quoted), nil
		}
		if had, err := o.hadRows(ctx, t, name, oid, now[key]); err != nil || had {
			return fmt.Sprintf("the partition %s of the table %s had rows when it was attached", name, t.Quoted), err
		}
	}
	return "", nil
}

// unsent says why PostgreSQL sends no changes of a partition; empty if it does.
func unsent(partition fact) string {
	switch {
	case strings.HasPrefix(partition.Value, string(Foreign)):
		return "a foreign table, and PostgreSQL sends no changes of it"
	case strings.Fields(partition.Value)[1] == "u":
		return "unlogged, and PostgreSQL sends no changes of it"
	}
	return ""
}

// hadRows reports whether a partition has rows that were written before it was attached, by an earlier
// transaction or by an earlier command of the same. It reads the table if the role may not read the partition by itself.
func (o *opened) hadRows(ctx context.Context, t *Table, name, oid string, partition fact) (had bool, err error) {
	fields := strings.Fields(partition.Value)
	if fields[0] == string(Partitioned) {
		return false, nil // its partitions have the rows
	}
	var readable bool
	if err := o.conn.QueryRow(ctx, `SELECT has_table_privilege($1::oid, 'SELECT')`, oid).Scan(&readable); err != nil {
		return false, failed("read the rights to "+name, err)
	}
	from := name
	if !readable {
		from = t.Quoted
	}
	err = o.conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+from+` WHERE tableoid = $1::oid
		AND (age(xmin) > age($2::xid) OR xmin = $2::xid AND cmin::text::bigint <= $3::bigint))`, oid, fields[3], fields[4]).Scan(&had)
	return had, failed("read the rows of "+name, err)
}
