package mirror

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Finding is a fault of a source or of a mapping file, or a warning.
type Finding struct {
	// Line is that of the mapping file; 0 for the source.
	Line int
	// Warning reports that a mirror can run nevertheless.
	Warning bool
	Text    string
	// SQL has the statements that mend it, if there are any.
	SQL []string
}

// String returns the finding in one line, without its statements.
func (f Finding) String() string {
	text := f.Text
	if f.Line > 0 {
		text = fmt.Sprintf("line %d: %s", f.Line, text)
	}
	if f.Warning {
		text = "warning: " + text
	}
	return text
}

// Names are those of a mirror in its source.
type Names struct{ Slot, Publication string }

// Requirements returns what a source lacks for a mirror, in the order of the file. Run it before
// the publication is made: a table without replica identity would then refuse updates.
func (m *Mapper) Requirements(ctx context.Context, q Querier, names Names) ([]Finding, error) {
	s, err := readServer(ctx, q, names)
	if err != nil {
		return nil, err
	}
	return m.findings(s, names), nil
}

func (m *Mapper) findings(s *server, names Names) []Finding {
	list := append(s.findings(), m.publication(s, names.Publication)...)
	for _, in := range m.inputs {
		list = append(list, in.rights(s.Role)...)
		list = append(list, in.identity()...)
		list = append(list, in.uniqueness()...)
	}
	return list
}

// server is what a source says of itself.
type server struct {
	serverRow
	slot      Slot
	published map[string]publishedTable
}

// readServer reads the settings, the publication and the slot.
func readServer(ctx context.Context, q Querier, names Names) (*server, error) {
	rows, err := q.Query(ctx, serverSQL, names.Slot, names.Publication)
	if err != nil {
		return nil, err
	}
	s := &server{}
	if s.serverRow, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[serverRow]); err != nil {
		return nil, err
	}
	if s.published, err = parsePublished(s.Published); err != nil {
		return nil, err
	}
	s.slot, err = readSlot(ctx, q, names.Slot)
	return s, err
}

type serverRow struct {
	Version             int
	Role                string
	Level               string
	Replica             bool
	Slots, SlotsMax     int
	Senders, SendersMax int
	KeepSize            string
	MayReplicate        bool
	ReplicationRole     *string
	Managed             bool
	Database            string
	MayPublish          bool
	// HasPublication reports that there is one, OwnsPublication that the role may change it.
	HasPublication, OwnsPublication bool
	// Published are the tables of the publication as JSON ([publishedTable]), Limited those with some rows
	// only.
	Published, Limited []string
	ViaRoot, Whole     bool
}

// serverSQL has a row with the fields of serverRow. Managed services have a role that may replicate.
const serverSQL = `
	SELECT current_setting('server_version_num')::int, current_user::text, current_setting('wal_level'), pg_is_in_recovery(),
	       (SELECT count(*) FROM pg_replication_slots)::int, current_setting('max_replication_slots')::int,
	       (SELECT count(*) FROM pg_stat_replication w WHERE NOT EXISTS (
	           SELECT FROM pg_replication_slots WHERE active_pid = w.pid AND slot_name = $1))::int, current_setting('max_wal_senders')::int,
	       current_setting('max_slot_wal_keep_size'),
	       r.rolreplication OR r.rolsuper OR EXISTS (SELECT FROM pg_roles g WHERE g.rolname = 'rds_replication' AND pg_has_role(g.oid, 'USAGE')),
	       (SELECT rolname::text FROM pg_roles WHERE rolname = 'rds_replication'),
	       EXISTS (SELECT FROM pg_roles WHERE rolname IN ('rds_superuser', 'cloudsqlsuperuser', 'azure_pg_admin')),
	       current_database()::text, has_database_privilege(current_database(), 'CREATE'),
	       p.oid IS NOT NULL, coalesce(pg_has_role(p.pubowner, 'USAGE'), false),
	       ARRAY(SELECT jsonb_build_object('table', quote_ident(t.schemaname) || '.' || quote_ident(t.tablename), 'columns', to_jsonb(t) -> 'attnames', 'named', EXISTS (
	           SELECT FROM pg_publication_rel pr JOIN pg_class c ON c.oid = pr.prrelid JOIN pg_namespace n ON n.oid = c.relnamespace
	           WHERE pr.prpubid = p.oid AND c.relname = t.tablename AND n.nspname = t.schemaname))::text
	             FROM pg_publication_tables t WHERE t.pubname = $2),
	       ARRAY(SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	             JOIN pg_publication_rel pr ON pr.prpubid = p.oid AND pr.prrelid = c.oid
	             WHERE to_jsonb(pr) ->> 'prqual' IS NOT NULL),
	       coalesce(p.pubviaroot, false), coalesce(p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate, false)
	FROM pg_roles r LEFT JOIN pg_publication p ON p.pubname = $2 WHERE r.rolname = current_user`

// versionMin is that of the first PostgreSQL that publishes partitions by their root.
const versionMin = 130000

func (s *server) findings() []Finding {
	var list []Finding
	fault := func(text string, sql ...string) { list = append(list, Finding{Text: text, SQL: sql}) }
	if s.Version < versionMin {
		fault(fmt.Sprintf("the source is PostgreSQL %d; 13 or later is needed", s.Version/10000))
	}
	if s.Replica {
		fault("the source is a replica; connect to its primary")
	}
	if s.Level != "logical" {
		list = append(list, s.level())
	}
	if !s.slot.Exists && s.Slots >= s.SlotsMax {
		fault(fmt.Sprintf("all %d replication slots are in use; raise max_replication_slots, then restart PostgreSQL", s.SlotsMax),
			fmt.Sprintf("ALTER SYSTEM SET max_replication_slots = %d;", s.SlotsMax+5))
	}
	if s.Senders >= s.SendersMax {
		fault(fmt.Sprintf("all %d WAL senders are in use; raise max_wal_senders, then restart PostgreSQL", s.SendersMax),
			fmt.Sprintf("ALTER SYSTEM SET max_wal_senders = %d;", s.SendersMax+5))
	}
	if !s.MayReplicate {
		grant := "ALTER ROLE " + quoted(s.Role) + " REPLICATION;"
		if s.ReplicationRole != nil {
			grant = "GRANT " + quoted(*s.ReplicationRole) + " TO " + quoted(s.Role) + ";"
		}
		fault(fmt.Sprintf("the role %s may not replicate; as an administrator, allow it", s.Role), grant)
	}
	if s.KeepSize == "-1" {
		list = append(list, Finding{
			Warning: true, Text: "max_slot_wal_keep_size is -1: while the mirror is down, the source keeps its log until its disk is full; set a limit",
			SQL: []string{"ALTER SYSTEM SET max_slot_wal_keep_size = '50GB';", "SELECT pg_reload_conf();"},
		})
	}
	return list
}

func (s *server) level() Finding {
	f := Finding{Text: fmt.Sprintf("wal_level is %s and must be logical; set it, then restart PostgreSQL", s.Level), SQL: []string{"ALTER SYSTEM SET wal_level = logical;"}}
	if s.Managed {
		f.Text = fmt.Sprintf("wal_level is %s and must be logical; set the parameter of your service, then restart PostgreSQL: "+
			"rds.logical_replication = 1, cloudsql.logical_decoding = on, or on Azure wal_level = logical", s.Level)
		f.SQL = nil
	}
	return f
}

// quoted quotes a name, with double quotes in any case.
func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

// rights checks that a role may read all rows of a table.
func (in *input) rights(role string) []Finding {
	t := in.table
	switch {
	case !t.Readable:
		return []Finding{{
			Line: in.line, Text: fmt.Sprintf("the role %s may not read the table %s", role, t.Quoted),
			SQL: []string{fmt.Sprintf("GRANT USAGE ON SCHEMA %s TO %s;", quoted(t.Schema), quoted(role)), fmt.Sprintf("GRANT SELECT ON %s TO %s;", t.Quoted, quoted(role))},
		}}
	case t.Filtered:
		return []Finding{{
			Line: in.line, Text: fmt.Sprintf("row security hides rows of %s from the role %s", t.Quoted, role),
			SQL: []string{fmt.Sprintf("ALTER ROLE %s BYPASSRLS;", quoted(role))},
		}}
	}
	return nil
}

// uniqueness warns if two rows may make one object: without one of them it would be gone.
func (in *input) uniqueness() []Finding {
	var list []Finding
	for i := range in.rules {
		r := &in.rules[i]
		var names []string
		whole := r.condition.whole
		for _, key := range r.keys {
			names = append(names, r.uses[key].names...)
			whole = whole || r.uses[key].whole
		}
		names = append(names, r.condition.names...)
		covered := slices.ContainsFunc(in.table.Unique, func(unique []string) bool {
			return !slices.ContainsFunc(unique, func(name string) bool { return !slices.Contains(names, name) })
		})
		if !covered && !whole && r.isObject() {
			list = append(list, Finding{
				Line: r.Line, Warning: true,
				Text: fmt.Sprintf("no unique index of %s is within the columns that identify the record of type %s: if two rows make the same, the end of one ends it", in.table.Quoted, r.Type),
			})
		}
	}
	return list
}
