package mirror

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Catalog describes the tables of a source. It does not change.
type Catalog struct {
	// Tables are all tables and views, in the order of their names. Partitions are in the tables
	// that they are parts of.
	Tables []*Table
	byName map[string]*Table
}

// Table is a table of a source.
type Table struct {
	OID uint32
	// Schema and Name are as they are; Quoted is the whole name as in SQL.
	Schema, Name, Quoted string
	Kind                 TableKind
	Unlogged             bool
	// Identity says which columns PostgreSQL sends of old rows.
	Identity Identity
	// Columns are those that changes have, in their order.
	Columns []Column
	// Generated are the names of generated columns, which changes do not have.
	Generated []string
	// PrimaryKey is nil without one. Unique has the columns of each unique index over whole rows.
	PrimaryKey []string
	Unique     [][]string
	// IdentityIndexes can be the replica identity.
	IdentityIndexes []Index
	References      []ForeignKey
	// Partitions are the parts of a partitioned table, at all levels.
	Partitions []*Table
	// Rows is an estimate; -1 if unknown.
	Rows float64
	// Readable reports that the connection's role may read the table, Owned that it may publish it,
	// and Filtered that row security may hide rows from it.
	Readable, Owned, Filtered bool
}

// Column is a column of a table.
type Column struct {
	Name string
	// Number is pg_attribute.attnum. A column that is dropped and added again has another one.
	Number int16
	Type   *Type
	// TypeOID is that of the type as declared, which may be a domain.
	TypeOID uint32
	NotNull bool
	// InIdentity reports that PostgreSQL sends the column of old rows.
	InIdentity bool
	// Large reports that values may be so large that PostgreSQL does not send them again.
	Large bool
}

// Index is a unique index.
type Index struct {
	// Quoted is its name as in SQL, without the schema.
	Quoted  string
	Columns []string
	Primary bool
}

// ForeignKey says that columns of a table are those of a key of another, in the order of Key.
type ForeignKey struct {
	Columns []string
	Table   *Table
	Key     []string
}

// TableKind is pg_class.relkind.
type TableKind string

// The kinds of tables that can be mirrored, and of foreign tables, which partitions may be. All others
// are views.
const (
	Plain       TableKind = "r"
	Partitioned TableKind = "p"
	Foreign     TableKind = "f"
)

// Identity is pg_class.relreplident.
type Identity string

// The replica identities of tables. With [IdentityDefault] it is the primary key.
const (
	IdentityDefault Identity = "d"
	IdentityNothing Identity = "n"
	IdentityFull    Identity = "f"
	IdentityIndex   Identity = "i"
)

// Querier is a connection to a source.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Table returns a table by its parts, nil if there is none.
func (c *Catalog) Table(schema, name string) *Table {
	for _, t := range c.Tables {
		if t.Name == name && t.Schema == schema {
			return t
		}
	}
	return nil
}

// Named returns a table by its name in SQL, nil if there is none.
func (c *Catalog) Named(quoted string) *Table { return c.byName[quoted] }

// Column returns a column by its name, nil if there is none.
func (t *Table) Column(name string) *Column {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Columns[i]
}

// Inspect reads the catalog of a source, in five statements.
func Inspect(ctx context.Context, q Querier) (*Catalog, error) {
	in := inspection{q: q, tables: map[uint32]*Table{}, types: map[uint32]*Type{}, numbers: map[uint32]map[int16]string{}}
	for _, read := range []func(context.Context) error{in.readTypes, in.readTables, in.readColumns, in.readIndexes, in.readForeignKeys} {
		if err := read(ctx); err != nil {
			return nil, err
		}
	}
	return in.catalog(), nil
}

// inspection is what has been read.
type inspection struct {
	q      Querier
	tables map[uint32]*Table
	order  []uint32
	roots  map[uint32]uint32
	types  map[uint32]*Type
	// numbers has the names of columns by table and number.
	numbers map[uint32]map[int16]string
}

// each calls row for each row of a query.
func (in *inspection) each(ctx context.Context, sql string, into []any, row func() error) error {
	rows, err := in.q.Query(ctx, sql)
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, into, row)
	return err
}

// readTypes reads scalar types, enums, domains and arrays, without those of tables' rows.
func (in *inspection) readTypes(ctx context.Context) error {
	type row struct {
		oid, base, element uint32
		name, kind         string
		labels             []string
	}
	var r row
	var list []row
	err := in.each(ctx, `
		SELECT t.oid, format_type(t.oid, NULL), t.typtype::text, t.typbasetype,
		       CASE WHEN t.typcategory = 'A' AND t.oid NOT IN ('int2vector'::regtype, 'oidvector'::regtype) THEN t.typelem ELSE 0 END,
		       ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder)
		FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem
		WHERE t.typtype <> 'c' AND e.typtype IS DISTINCT FROM 'c'`,
		[]any{&r.oid, &r.name, &r.kind, &r.base, &r.element, &r.labels}, func() error {
			list = append(list, r)
			r.labels = nil
			return nil
		})
	for _, r := range list {
		in.types[r.oid] = &Type{OID: r.oid, Name: r.name, Labels: r.labels}
	}
	for _, r := range list {
		t := in.types[r.oid]
		if r.kind == "d" {
			t.Base = in.types[r.base]
		}
		t.Element = in.types[r.element]
	}
	return err
}

// ours excludes the system's schemas.
const ours = `n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND n.nspname !~ '^pg_(toast_)?temp_'`

func (in *inspection) readTables(ctx context.Context) error {
	var t Table
	var root *uint32
	var kind, identity string
	in.roots = map[uint32]uint32{}
	return in.each(ctx, `
		SELECT c.oid, n.nspname::text, c.relname::text, quote_ident(n.nspname) || '.' || quote_ident(c.relname), c.relkind::text,
		       c.relpersistence = 'u', c.relreplident::text, c.reltuples::float8,
		       has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'),
		       pg_has_role(c.relowner, 'USAGE'), row_security_active(c.oid),
		       CASE WHEN c.relispartition THEN pg_partition_root(c.oid)::oid END
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND `+ours+`
		ORDER BY n.nspname, c.relname`,
		[]any{&t.OID, &t.Schema, &t.Name, &t.Quoted, &kind, &t.Unlogged, &identity, &t.Rows, &t.Readable, &t.Owned, &t.Filtered, &root}, func() error {
			read := t
			read.Kind, read.Identity = TableKind(kind), Identity(identity)
			in.tables[t.OID], in.order = &read, append(in.order, t.OID)
			if root != nil {
				in.roots[t.OID] = *root
			}
			return nil
		})
}

func (in *inspection) readColumns(ctx context.Context) error {
	var table, typ uint32
	var number int16
	var name string
	var notNull, generated, large bool
	return in.each(ctx, `
		SELECT a.attrelid, a.attnum, a.attname::text, a.atttypid, a.attnotnull, a.attgenerated <> '', a.attstorage <> 'p'
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND `+ours+`
		ORDER BY a.attrelid, a.attnum`,
		[]any{&table, &number, &name, &typ, &notNull, &generated, &large}, func() error {
			t := in.tables[table]
			if t == nil {
				return nil // made since
			}
			if in.numbers[table] == nil {
				in.numbers[table] = map[int16]string{}
			}
			in.numbers[table][number] = name
			if generated {
				t.Generated = append(t.Generated, name)
				return nil
			}
			of := in.types[typ]
			if of == nil {
				of = &Type{OID: typ, Name: "record"}
			}
			t.Columns = append(t.Columns, Column{Name: name, Number: number, Type: of, TypeOID: typ, NotNull: notNull, Large: large})
			return nil
		})
}

// readIndexes reads unique indexes over whole rows, which primary keys and replica identities are.
func (in *inspection) readIndexes(ctx context.Context) error {
	var table uint32
	var name string
	var primary, identity, immediate bool
	var columns []int16
	return in.each(ctx, `
		SELECT i.indrelid, (SELECT quote_ident(x.relname) FROM pg_class x WHERE x.oid = i.indexrelid), i.indisprimary, i.indisreplident, i.indimmediate,
		       ARRAY(SELECT k FROM unnest(i.indkey::int2[]) WITH ORDINALITY u (k, n) WHERE n <= i.indnkeyatts ORDER BY n)
		FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND `+ours+`
		ORDER BY i.indrelid, i.indexrelid`,
		[]any{&table, &name, &primary, &identity, &immediate, &columns}, func() error {
			t, names := in.tables[table], in.names(table, columns)
			if t == nil {
				return nil
			}
			t.Unique = append(t.Unique, names)
			if primary {
				t.PrimaryKey = names
			}
			if immediate && !slices.ContainsFunc(names, func(name string) bool { c := t.Column(name); return c == nil || !c.NotNull }) {
				t.IdentityIndexes = append(t.IdentityIndexes, Index{name, names, primary})
			}
			if primary && t.Identity == IdentityDefault || identity && t.Identity == IdentityIndex {
				for _, name := range names {
					if c := t.Column(name); c != nil {
						c.InIdentity = true
					}
				}
			}
			return nil
		})
}

func (in *inspection) readForeignKeys(ctx context.Context) error {
	var from, to uint32
	var columns, key []int16
	return in.each(ctx, `
		SELECT conrelid, confrelid, conkey, confkey FROM pg_constraint WHERE contype = 'f' ORDER BY conrelid, conname`,
		[]any{&from, &to, &columns, &key}, func() error {
			if t, of := in.tables[from], in.tables[to]; t != nil && of != nil {
				t.References = append(t.References, ForeignKey{in.names(from, columns), of, in.names(to, key)})
			}
			return nil
		})
}

func (in *inspection) names(table uint32, numbers []int16) []string {
	names := make([]string, len(numbers))
	for i, n := range numbers {
		names[i] = in.numbers[table][n]
	}
	return names
}

func (in *inspection) catalog() *Catalog {
	c := &Catalog{byName: map[string]*Table{}}
	for _, oid := range in.order {
		t := in.tables[oid]
		if t.Identity == IdentityFull {
			for i := range t.Columns {
				t.Columns[i].InIdentity = true
			}
		}
		if root := in.tables[in.roots[oid]]; root != nil {
			root.Partitions = append(root.Partitions, t)
			continue
		}
		c.Tables, c.byName[t.Quoted] = append(c.Tables, t), t
	}
	return c
}
