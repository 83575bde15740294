package mirror

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// columnLists is the first version of PostgreSQL that publishes some columns of a table.
const columnLists = 150000

// publishedTable is a table of the publication.
type publishedTable struct {
	Table string
	// Columns are those that are published; nil if PostgreSQL has no lists of columns.
	Columns []string
	// Named reports that the publication names the table. Otherwise it has all tables, or those of a schema.
	Named bool
}

// parsePublished returns the tables by their quoted names.
func parsePublished(list []string) (map[string]publishedTable, error) {
	tables := map[string]publishedTable{}
	for _, text := range list {
		var t publishedTable
		if err := json.Unmarshal([]byte(text), &t); err != nil {
			return nil, fmt.Errorf("read the publication: %w", err)
		}
		tables[t.Table] = t
	}
	return tables, nil
}

// columnList returns the columns to publish: those of the rules and of the replica identity. It is nil
// if all are needed. PostgreSQL refuses updates of a table whose identity has columns outside of the
// list, so a table that has, or needs, another identity gets none.
func (in *input) columnList(version int) []string {
	t := in.table
	if version < columnLists || in.whole || len(in.identity()) > 0 {
		return nil
	}
	for _, part := range append([]*Table{t}, t.Partitions...) {
		if part.Identity == IdentityFull {
			return nil
		}
	}
	var list []string
	for i := range t.Columns {
		if c := &t.Columns[i]; in.uses[c.Name] || c.InIdentity {
			list = append(list, c.Name)
		}
	}
	if len(list) == len(t.Columns) {
		return nil
	}
	return list
}

// lacks reports whether a list of columns, nil for all, lacks some of the table.
func (t *Table) lacks(published, some []string) bool {
	return published != nil && slices.ContainsFunc(t.Columns, func(c Column) bool {
		return (some == nil || slices.Contains(some, c.Name)) && !slices.Contains(published, c.Name)
	})
}

// publicationItem returns the table as in the statements of a publication.
func (in *input) publicationItem(version int) string {
	list := in.columnList(version)
	if list == nil {
		return in.table.Quoted
	}
	for i, name := range list {
		list[i] = quoted(name)
	}
	return in.table.Quoted + " (" + strings.Join(list, ", ") + ")"
}

// publicationItems are those of all tables for which is returns true.
func (m *Mapper) publicationItems(version int, is func(*Table) bool) string {
	var items []string
	for _, in := range m.inputs {
		if is(in.table) {
			items = append(items, in.publicationItem(version))
		}
	}
	return strings.Join(items, ", ")
}

// PublicationSQL returns the statement that makes the publication of the tables, for a version of
// PostgreSQL.
func (m *Mapper) PublicationSQL(name string, version int) string {
	items := m.publicationItems(version, func(*Table) bool { return true })
	return fmt.Sprintf("CREATE PUBLICATION %s FOR TABLE %s WITH (publish_via_partition_root = true);", quoted(name), items)
}

// addTablesSQL returns the statement that adds tables to the publication.
func addTablesSQL(name, items string) string {
	return fmt.Sprintf("ALTER PUBLICATION %s ADD TABLE %s;", quoted(name), items)
}

// againSQL returns the statements that publish a table with other columns.
func (in *input) againSQL(name string, version int) []string {
	return []string{fmt.Sprintf("ALTER PUBLICATION %s DROP TABLE %s;", quoted(name), in.table.Quoted), addTablesSQL(name, in.publicationItem(version))}
}

func quotedNames(tables []*Table) []string {
	var names []string
	for _, t := range tables {
		names = append(names, t.Quoted)
	}
	return names
}

// publication checks the publication, or the rights to make it.
func (m *Mapper) publication(s *server, name string) []Finding {
	if !s.HasPublication {
		owned := !slices.ContainsFunc(m.Tables(), func(t *Table) bool { return !t.Owned })
		if owned && s.MayPublish {
			return nil
		}
		return []Finding{{
			Text: fmt.Sprintf("the role %s may not make the publication %s: that needs CREATE on the database and the ownership of the tables; as their owner, make it", s.Role, name),
			SQL:  []string{m.PublicationSQL(name, s.Version)},
		}}
	}
	var list []Finding
	if !s.ViaRoot || !s.Whole {
		list = append(list, Finding{
			Text: fmt.Sprintf("the publication %s does not publish all changes, or not those of partitions by their table", name),
			SQL:  []string{fmt.Sprintf("ALTER PUBLICATION %s SET (publish = 'insert, update, delete, truncate', publish_via_partition_root = true);", quoted(name))},
		})
	}
	for _, in := range m.inputs {
		if f := in.published(s, name); f != nil {
			f.Line = in.line
			list = append(list, *f)
		}
	}
	return list
}

// published checks how the publication has the table; nil if it is as the mirror needs it. The mirror
// alters its own publication when it reads the table, but not if PostgreSQL would refuse updates after the
// statements of further findings.
func (in *input) published(s *server, name string) *Finding {
	t := in.table
	is, list, alters := s.published[t.Quoted], in.columnList(s.Version), s.alters(t)
	f := &Finding{SQL: in.againSQL(name, s.Version)}
	switch {
	case is.Table == "" && alters:
		return &Finding{Warning: true, Text: fmt.Sprintf("the table %s is not in the publication %s yet; the mirror adds it when it reads the table", t.Quoted, name)}
	case is.Table == "":
		f.Text, f.SQL = fmt.Sprintf("the table %s is not in the publication %s; as their owner, add it", t.Quoted, name), f.SQL[1:]
	case slices.Contains(s.Limited, t.Quoted), list == nil && t.lacks(is.Columns, nil):
		f.Text = fmt.Sprintf("the publication %s has only some rows or columns of the table %s", name, t.Quoted)
	case t.lacks(is.Columns, list) && alters:
		return &Finding{Warning: true, Text: fmt.Sprintf("the publication %s lacks columns of the table %s; the mirror adds them when it reads the table", name, t.Quoted)}
	case t.lacks(is.Columns, list):
		f.Text = fmt.Sprintf("the publication %s lacks columns of the table %s that the mapping uses; as its owner, publish them", name, t.Quoted)
	case !t.lacks(list, is.Columns), !is.Named:
		return nil
	default:
		f.Warning, f.Text = true, fmt.Sprintf("the publication %s has columns of the table %s that the mapping does not use", name, t.Quoted)
		if alters {
			f.Text, f.SQL = f.Text+"; the mirror takes them out when it reads the table", nil
		}
	}
	return f
}

// alters reports whether the mirror may change how the publication has a table.
func (s *server) alters(t *Table) bool { return s.OwnsPublication && t.Owned }

// publish makes the publication, adds the tables that it lacks, and publishes those that are read with
// the columns that the mapping needs.
func (o *opened) publish(ctx context.Context, read []*Table) error {
	if !o.server.HasPublication {
		_, err := o.conn.Exec(ctx, o.mapper.PublicationSQL(o.Publication, o.server.Version))
		return failed("create the publication", err)
	}
	var sql []string
	for _, in := range o.mapper.inputs {
		t := in.table
		is, list := o.server.published[t.Quoted], in.columnList(o.server.Version)
		switch {
		case is.Table == "":
			sql = append(sql, in.againSQL(o.Publication, o.server.Version)[1])
		case is.Named && o.server.alters(t) && slices.Contains(read, t) && (t.lacks(is.Columns, list) || t.lacks(list, is.Columns)):
			sql = append(sql, in.againSQL(o.Publication, o.server.Version)...)
		}
	}
	if len(sql) == 0 {
		return nil
	}
	_, err := o.conn.Exec(ctx, strings.Join(sql, "\n")) // one transaction
	return failed("change the tables of the publication", err)
}
