package mirror

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

const (
	// partChanges is the number of changes from which on a transaction is applied in parts.
	partChanges = 10_000
	// partBytes also ends a part. It bounds memory where rows are large.
	partBytes = 32 << 20
)

// part is a transaction of the source, or a part of a long one.
type part struct {
	changes []RowChange
	// at is the time of the commit.
	at time.Time
	to position
	// xid is the id of the transaction in the source.
	xid uint32
	// size is that of its messages, in bytes.
	size int
}

// changeDecoder makes parts of the messages of pgoutput.
type changeDecoder struct {
	// tables are the mapped ones, by schema and name.
	tables map[[2]string]*Table
	// from has the places of the tables' snapshots, which have what was committed before.
	from map[*Table]pglogrepl.LSN
	// uses returns the columns on which the records of a table depend.
	uses func(*Table) []string
	// after is the place up to which changes are applied.
	after position
	emit  func(part) error

	relations map[uint32]*relation
	// within reports that a transaction has begun. Its commit is at commit, and count counts its
	// changes so far.
	within bool
	commit pglogrepl.LSN
	at     time.Time
	xid    uint32
	count  uint64
	size   int
	part   []RowChange

	// root is the partitioned table that the last message described; nil if it was another message's.
	root   *Table
	leaves leaves
}

// leaves are the partitions through which changes came. It is safe for concurrent use.
type leaves struct {
	mutex sync.Mutex
	oids  map[*Table][]uint32
}

func (l *leaves) add(t *Table, oid uint32) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.oids == nil {
		l.oids = map[*Table][]uint32{}
	}
	l.oids[t] = append(l.oids[t], oid)
}

// of returns the ids of partitions of a table.
func (l *leaves) of(t *Table) []uint32 {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.Clone(l.oids[t])
}

// relation is a table as the messages describe it.
type relation struct {
	// table is nil if it is not mapped.
	table *Table
	from  pglogrepl.LSN
	// places has the place in the table's columns for each column of the messages, or -1.
	places []int
	// used are the places of the columns that rules use.
	used []int
	// fault says why its changes cannot be read; empty if they can.
	fault string
}

// decode takes over a message in the order of the stream.
func (d *changeDecoder) decode(data []byte) error {
	message, err := pglogrepl.Parse(data)
	if err != nil {
		return fmt.Errorf("decode a change: %w", err)
	}
	switch m := message.(type) {
	case *pglogrepl.BeginMessage:
		d.within, d.commit, d.at, d.xid, d.count, d.size, d.part = true, m.FinalLSN, m.CommitTime, m.Xid, 0, 0, nil
	case *pglogrepl.CommitMessage:
		d.within = false
		return d.flush(position{uint64(m.TransactionEndLSN), 0})
	case *pglogrepl.RelationMessage:
		d.describe(m)
	case *pglogrepl.InsertMessage:
		return d.change(m.RelationID, len(data), nil, m.Tuple, false)
	case *pglogrepl.UpdateMessage:
		return d.change(m.RelationID, len(data), m.OldTuple, m.NewTuple, m.OldTupleType == pglogrepl.UpdateMessageTupleTypeKey)
	case *pglogrepl.DeleteMessage:
		return d.change(m.RelationID, len(data), m.OldTuple, nil, m.OldTupleType == pglogrepl.DeleteMessageTupleTypeKey)
	case *pglogrepl.TruncateMessage:
		return d.truncate(m)
	}
	return nil
}

// describe compares a table with the one that the rules were checked against. No rule depends on a
// new column.
func (d *changeDecoder) describe(m *pglogrepl.RelationMessage) {
	r := &relation{table: d.tables[[2]string{m.Namespace, m.RelationName}]}
	d.relations[m.RelationID] = r
	root := d.root
	d.root = nil
	if r.table == nil {
		// PostgreSQL describes a partition right after its published table.
		if root != nil && d.commit >= d.from[root] {
			d.leaves.add(root, m.RelationID)
		}
		return
	}
	if r.table.Kind == Partitioned {
		d.root = r.table
	}
	r.from = d.from[r.table]
	if m.RelationID != r.table.OID {
		r.fault = fmt.Sprintf("another table had the name %s", r.table.Quoted)
		return
	}
	sent := map[string]uint32{}
	for _, c := range m.Columns {
		sent[c.Name] = c.DataType
		r.places = append(r.places, slices.IndexFunc(r.table.Columns, func(known Column) bool { return known.Name == c.Name }))
	}
	for _, name := range d.uses(r.table) {
		r.used = append(r.used, slices.IndexFunc(r.table.Columns, func(c Column) bool { return c.Name == name }))
		switch typ, has := sent[name]; {
		case !has:
			r.fault = fmt.Sprintf("the column %s of the table %s was dropped or renamed", name, r.table.Quoted)
		case typ != r.table.Column(name).TypeOID:
			r.fault = fmt.Sprintf("the column %s of the table %s has another type than before", name, r.table.Quoted)
		}
	}
	if sent := Identity(m.ReplicaIdentity); sent != IdentityFull && (sent != r.table.Identity || !r.hasKey(m.Columns)) {
		r.fault = fmt.Sprintf("the replica identity of the table %s was changed", r.table.Quoted)
	}
}

// inKey is the flag of a column of the replica identity.
const inKey = 1

// hasKey reports whether the columns of the replica identity are those that the rules were checked
// against.
func (r *relation) hasKey(sent []*pglogrepl.RelationMessageColumn) bool {
	n := 0
	for i, c := range sent {
		if c.Flags != inKey {
			continue
		}
		if at := r.places[i]; at < 0 || !r.table.Columns[at].InIdentity {
			return false
		}
		n++
	}
	return n == len(r.table.identity())
}

// ignored reports whether the snapshot of a table has the changes of the transaction.
func (d *changeDecoder) ignored(r *relation) bool { return r.table == nil || d.commit < r.from }

func (d *changeDecoder) change(id uint32, size int, before, after *pglogrepl.TupleData, isKey bool) error {
	r := d.relations[id]
	if r == nil {
		return fmt.Errorf("a change of the table with the oid %d comes before its description; connect to the source directly, without a proxy", id)
	}
	d.count++
	switch {
	case d.ignored(r), uint64(d.commit) == d.after.lsn && d.count <= d.after.count:
		return nil
	case r.fault != "":
		return lost("%s", r.fault)
	}
	c := RowChange{Table: r.table, Old: r.cells(before), New: r.cells(after), OldIsKey: isKey}
	if c.Unsent = isKey && after != nil && r.lacks(c.New); c.Unsent {
		size += rereadBytes
	}
	d.size += size
	d.part = append(d.part, c)
	if len(d.part) == partChanges || d.size >= partBytes {
		return d.flush(position{uint64(d.commit), d.count})
	}
	return nil
}

func (d *changeDecoder) truncate(m *pglogrepl.TruncateMessage) error {
	for _, id := range m.RelationIDs {
		if r := d.relations[id]; r != nil && !d.ignored(r) {
			return lost("the table %s was truncated", r.table.Quoted)
		}
	}
	return nil
}

func (d *changeDecoder) flush(to position) error {
	p := part{changes: d.part, at: d.at, to: to, xid: d.xid, size: d.size}
	d.part, d.size = nil, 0
	return d.emit(p)
}

// cells returns the values of a row, by the columns of the table; nil for no row. A column that the
// messages lack is unchanged.
func (r *relation) cells(t *pglogrepl.TupleData) []Cell {
	if t == nil {
		return nil
	}
	list := make([]Cell, len(r.table.Columns))
	for i := range list {
		list[i].Unchanged = true
	}
	for i, c := range t.Columns {
		if at := r.places[i]; at >= 0 {
			list[at] = Cell{Text: c.Data, Null: c.DataType == pglogrepl.TupleDataTypeNull, Unchanged: c.DataType == pglogrepl.TupleDataTypeToast}
		}
	}
	return list
}

// lacks reports whether a value which rules use was not sent.
func (r *relation) lacks(row []Cell) bool {
	return slices.ContainsFunc(r.used, func(at int) bool { return row[at].Unchanged })
}

// advice ends the messages of faults after which the mirror cannot go on by itself.
const advice = "run tideline mirror resnapshot, which compares the tables again while feeds are served, then start the mirror"

func lost(format string, args ...any) error {
	return &ingest.LostError{Reason: fmt.Sprintf(format, args...), Advice: advice}
}
