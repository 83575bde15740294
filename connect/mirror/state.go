package mirror

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// fact is one thing that the catalog says of a mapped table. Name is what messages call it.
type fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// facts are all that decides which rows the changes of a table show, and how they are read. A key is a
// kind and the id or name of a catalog row, such as "column id".
type facts map[string]fact

// text returns the facts as they are stored.
func (f facts) text() string {
	text, _ := json.Marshal(f) // strings have JSON
	return string(text)
}

// parseFacts reads stored facts. It returns nil for those of an earlier version of the program.
func parseFacts(text string) (f facts) {
	if json.Unmarshal([]byte(text), &f) != nil {
		return nil
	}
	return f
}

// publicationSchemas is the first version of PostgreSQL that publishes all tables of a schema.
const publicationSchemas = 150000

// factsSQL has a row for each fact: the table, the key, the name and the value. Its arguments are the schema,
// table and column of each mapped column, and the publication. An empty column means all.
//
// It reads catalog rows as of the transaction's snapshot, and calls no function that reads the catalog
// of now, such as format_type. The xmin of a row tells that the row was written since: values of a
// column are new only if both its row and the table's file are, because SET NOT NULL changes only the row and
// VACUUM FULL only the file.
const factsSQL = `
WITH RECURSIVE wanted AS (
	SELECT c.oid, quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS quoted, c.relnamespace, c.relkind, c.relpersistence, c.relispartition, c.relfilenode, w.col
	FROM unnest($1::name[], $2::name[], $3::name[]) w (schema, name, col)
	JOIN pg_namespace n ON n.nspname = w.schema JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = w.name
), mapped AS (
	SELECT DISTINCT oid, quoted, relnamespace, relkind, relpersistence, relispartition FROM wanted
), used AS (
	SELECT w.oid AS rel, w.relfilenode AS file, a.attnum, a.attname, a.atttypid, a.xmin
	FROM wanted w JOIN pg_attribute a ON a.attrelid = w.oid AND (w.col = '' OR a.attname = w.col) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
), types (rel, typ) AS (
	SELECT rel, atttypid FROM used
	UNION
	SELECT t.rel, d.typ FROM types t JOIN pg_type y ON y.oid = t.typ, LATERAL (
		SELECT y.typbasetype UNION ALL SELECT y.typelem
		UNION ALL SELECT rngsubtype FROM pg_range r WHERE rngtypid = y.oid OR (to_jsonb(r) ->> 'rngmultitypid')::oid = y.oid
		UNION ALL SELECT atttypid FROM pg_attribute WHERE attrelid = y.typrelid AND attnum > 0 AND NOT attisdropped
	) d (typ) WHERE d.typ <> 0
), parts (root, rel, made) AS (
	SELECT m.oid, i.inhrelid, concat_ws(' ', i.xmin, i.cmin) FROM mapped m JOIN pg_inherits i ON i.inhparent = m.oid
	WHERE m.relkind = 'p' AND to_jsonb(i) ->> 'inhdetachpending' IS DISTINCT FROM 'true'
	UNION ALL
	SELECT p.root, i.inhrelid, concat_ws(' ', i.xmin, i.cmin) FROM parts p JOIN pg_inherits i ON i.inhparent = p.rel WHERE to_jsonb(i) ->> 'inhdetachpending' IS DISTINCT FROM 'true'
), published AS (
	SELECT oid, xmin, pubname FROM pg_publication WHERE pubname = $4
), members (rel, id) AS (
	SELECT r.prrelid, r.oid FROM pg_publication_rel r JOIN published p ON p.oid = r.prpubid
	%s
), list (rel, key, name, value) AS (
	SELECT oid, 'table', quoted, concat_ws(' ', oid, relkind, relpersistence, relispartition) FROM mapped
	UNION ALL SELECT rel, 'column ' || attname, quote_ident(attname), concat_ws(' ', attnum, atttypid) FROM used
	UNION ALL SELECT oid, 'width', quoted, (SELECT max(attnum)::text FROM pg_attribute WHERE attrelid = oid) FROM mapped
	UNION ALL SELECT rel, 'values ' || attname, quote_ident(attname), concat_ws(' ', xmin, file) FROM used
	UNION ALL SELECT t.rel, 'type ' || y.oid, quote_ident(y.typname), (
			SELECT string_agg(concat_ws(' ', attnum, atttypid), ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = y.typrelid AND attnum > 0 AND NOT attisdropped)
		FROM types t JOIN pg_type y ON y.oid = t.typ WHERE y.typrelid <> 0
	UNION ALL SELECT t.rel, 'label ' || e.oid, quote_ident(y.typname), concat_ws(' ', e.xmin, e.enumlabel)
		FROM types t JOIN pg_type y ON y.oid = t.typ JOIN pg_enum e ON e.enumtypid = y.oid
	UNION ALL SELECT r.root, 'identity ' || c.oid, quote_ident(n.nspname) || '.' || quote_ident(c.relname), concat_ws(' ', c.relreplident, (
			SELECT i.indkey FROM pg_index i WHERE i.indrelid = c.oid AND (c.relreplident = 'd' AND i.indisprimary OR c.relreplident = 'i' AND i.indisreplident)))
		FROM (SELECT oid, oid FROM mapped UNION ALL SELECT root, rel FROM parts) r (root, rel) JOIN pg_class c ON c.oid = r.rel JOIN pg_namespace n ON n.oid = c.relnamespace
	UNION ALL SELECT p.root, 'partition ' || c.oid, quote_ident(n.nspname) || '.' || quote_ident(c.relname), concat_ws(' ', c.relkind, c.relpersistence, c.relfilenode, p.made)
		FROM parts p JOIN pg_class c ON c.oid = p.rel JOIN pg_namespace n ON n.oid = c.relnamespace
	UNION ALL SELECT m.oid, 'publication', quote_ident(p.pubname), concat_ws(' ', p.oid, p.xmin) FROM mapped m, published p
	UNION ALL SELECT m.oid, 'member ' || s.id, m.quoted, '' FROM mapped m JOIN members s ON s.rel = m.oid
)
SELECT m.quoted, l.key, l.name, l.value FROM list l JOIN mapped m ON m.oid = l.rel`

// schemaMembers are the members of the publication of a schema.
const schemaMembers = `UNION ALL SELECT m.oid, n.oid FROM pg_publication_namespace n JOIN published p ON p.oid = n.pnpubid JOIN mapped m ON m.relnamespace = n.pnnspid`

// readFacts returns the facts of the mapped tables by their names. A table that is gone has none.
func (o *opened) readFacts(ctx context.Context) (map[string]facts, error) {
	var schemas, names, columns []string
	for _, t := range o.mapper.Tables() {
		used := o.mapper.Uses(t)
		if o.mapper.byName[t.Quoted].whole {
			used = []string{""} // also those that are added
		}
		for _, column := range used {
			schemas, names, columns = append(schemas, t.Schema), append(names, t.Name), append(columns, column)
		}
	}
	further := ""
	if o.server.Version >= publicationSchemas {
		further = schemaMembers
	}
	all := map[string]facts{}
	// Planned once: that takes longer than the query.
	rows, err := o.conn.Query(ctx, fmt.Sprintf(factsSQL, further), pgx.QueryExecModeCacheStatement, schemas, names, columns, o.Publication)
	if err == nil {
		var table, key string
		var f fact
		_, err = pgx.ForEachRow(rows, []any{&table, &key, &f.Name, &f.Value}, func() error {
			if all[table] == nil {
				all[table] = facts{}
			}
			all[table][key] = f
			return nil
		})
	}
	return all, failed("read the catalog of the source", err)
}

// lookAtTables reads the facts, and compares them with the tables by which the mapping was checked.
func (o *opened) lookAtTables(ctx context.Context) (err error) {
	if o.facts, err = o.readFacts(ctx); err != nil {
		return err
	}
	for _, t := range o.mapper.Tables() {
		if !o.mapper.fits(t, o.facts[t.Quoted]) {
			return fmt.Errorf("the table %s was changed while the mapping was compared with it", t.Quoted)
		}
	}
	return nil
}

// fits reports whether the mapper reads a table as the facts say.
func (m *Mapper) fits(t *Table, f facts) bool {
	var oid uint32
	if _, err := fmt.Sscan(f[kindTable].Value, &oid); err != nil || oid != t.OID {
		return false
	}
	for _, name := range m.Uses(t) {
		c := t.Column(name)
		if f[kindColumn+" "+name].Value != fmt.Sprint(c.Number, " ", c.TypeOID) {
			return false
		}
	}
	return true
}
