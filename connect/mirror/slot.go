package mirror

import (
	"context"
	"fmt"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// plugin is the output plugin of the slot, which is part of PostgreSQL.
const plugin = "pgoutput"

// Slot is the state of a replication slot.
type Slot struct {
	Exists bool
	// Active reports that a process reads it, whose backend has the id PID.
	Active bool
	PID    int32
	// Retained is the size of the log that the source keeps for the slot, in bytes.
	Retained int64
	// Status is pg_replication_slots.wal_status: reserved, extended, unreserved, or lost.
	Status string

	plugin, database string
	// confirmed is the place up to which the slot is confirmed.
	confirmed pglogrepl.LSN
}

// readSlot returns the state of a slot. A replica has no log of its own.
func readSlot(ctx context.Context, q Querier, name string) (s Slot, err error) {
	var confirmed int64
	rows, err := q.Query(ctx, `
SELECT active, COALESCE(active_pid, 0), COALESCE(wal_status, ''), COALESCE(plugin, ''), COALESCE(database, ''),
  COALESCE(confirmed_flush_lsn - '0/0', 0)::bigint,
  CASE WHEN pg_is_in_recovery() THEN 0 ELSE COALESCE(pg_current_wal_lsn() - restart_lsn, 0)::bigint END
FROM pg_replication_slots WHERE slot_name = $1`, name)
	if err == nil {
		_, err = pgx.ForEachRow(rows, []any{&s.Active, &s.PID, &s.Status, &s.plugin, &s.database, &confirmed, &s.Retained}, func() error {
			s.Exists, s.confirmed = true, pglogrepl.LSN(confirmed)
			return nil
		})
	}
	return s, failed("read the state of the slot", err)
}

// State returns missing, active or inactive, or a wal_status that threatens the slot.
func (s *Slot) State() string {
	switch {
	case !s.Exists:
		return "missing"
	case s.Status == slotUnreserved, s.Status == slotLost:
		return s.Status
	case s.Active:
		return "active"
	}
	return "inactive"
}

// Warning says what threatens the slot; empty if nothing does. limit is in bytes.
func (s *Slot) Warning(name string, limit int64) string {
	switch {
	case !s.Exists:
		return fmt.Sprintf("the slot %s does not exist", name)
	case s.Status == slotLost:
		return fmt.Sprintf("the source has removed changes that the slot %s needed", name)
	case s.Status == slotUnreserved:
		return fmt.Sprintf("the source is about to remove changes that the slot %s needs", name)
	case s.Retained > limit:
		return fmt.Sprintf("the source keeps more than %d MB of its log for the slot %s", limit>>20, name)
	}
	return ""
}

// Statuses of slots whose changes may be removed at any time, or are gone.
const (
	slotUnreserved = "unreserved"
	slotLost       = "lost"
)

// problem says why a slot cannot be read after a position; empty if it can.
func (s *Slot) problem(name, database string, after position) string {
	switch {
	case !s.Exists:
		return fmt.Sprintf("the slot %s is missing: it was dropped, or the source has failed over to a server without it", name)
	case s.plugin != plugin, s.database != database:
		return fmt.Sprintf("the slot %s is one of the plugin %s in the database %s", name, s.plugin, s.database)
	case s.Status == slotLost:
		return fmt.Sprintf("the source has removed changes that the slot %s still needed, because of max_slot_wal_keep_size", name)
	case s.confirmed > after.place():
		return fmt.Sprintf("the slot %s is at %d-0, ahead of the stored position: our database was restored, or another mirror reads the slot", name, s.confirmed)
	}
	return ""
}

// release ends the process that reads a slot. Only the one leader reads it, so the process serves a
// connection that is dead.
func release(ctx context.Context, conn *pgx.Conn, name string) error {
	_, err := conn.Exec(ctx, `SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1 AND active AND database = current_database()`, name)
	return failed("end the process that reads the slot", err)
}

// dropSlot drops a slot if it exists. The process that reads it ends.
func dropSlot(ctx context.Context, conn *pgx.Conn, name string) error {
	if err := release(ctx, conn, name); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND database = current_database()`, name)
	if pgCode(err) == codeUndefined {
		return nil
	}
	return failed("drop the slot", err)
}

// createSlot makes a slot whose snapshot other connections can use until the next command on conn.
// It waits for the transactions that are open.
func createSlot(ctx context.Context, conn *pgconn.PgConn, name string, temporary bool) (at pglogrepl.LSN, snapshot string, err error) {
	made, err := pglogrepl.CreateReplicationSlot(ctx, conn, quoted(name), plugin, pglogrepl.CreateReplicationSlotOptions{
		Temporary: temporary, SnapshotAction: "EXPORT_SNAPSHOT", Mode: pglogrepl.LogicalReplication,
	})
	if err != nil {
		return 0, "", failed("create the slot", err)
	}
	at, err = pglogrepl.ParseLSN(made.ConsistentPoint)
	return at, made.SnapshotName, err
}

// dropPublication drops a publication if it exists.
func dropPublication(ctx context.Context, conn *pgx.Conn, name string) error {
	_, err := conn.Exec(ctx, "DROP PUBLICATION IF EXISTS "+quoted(name))
	return failed("drop the publication", err)
}
