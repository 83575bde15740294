package mirror

import (
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/connect/mapping"
)

// identity checks that changes have what the rules need of old rows. Where a unique index has it, the
// index is proposed, since whole old rows make the log of the source larger.
func (in *input) identity() []Finding {
	t := in.table
	if f := in.cheaper(); f != nil {
		return []Finding{*f}
	}
	reason := in.needsFull(t.identity())
	if t.Identity == IdentityFull {
		reason = "" // and the partitions must be as the table is
	}
	var sql []string
	for _, part := range append([]*Table{t}, t.Partitions...) {
		switch {
		case part.Identity == IdentityFull, part.Kind == Partitioned && part != t:
		case reason != "", part.Identity != t.Identity:
			sql = append(sql, fmt.Sprintf("ALTER TABLE %s REPLICA IDENTITY FULL;", part.Quoted))
		}
	}
	if len(sql) == 0 {
		return nil
	}
	if reason == "" {
		reason = "its partitions have other replica identities than the table"
	}
	text := fmt.Sprintf("%s needs REPLICA IDENTITY FULL: %s", t.Quoted, reason)
	if len(t.Partitions) > 0 {
		text += "; set it for each new partition, too"
	}
	return []Finding{{Line: in.line, Text: text, SQL: sql}}
}

// cheaper returns the finding that an index must be the replica identity; nil if none must, or if none
// is enough. Partitions have indexes of other names.
func (in *input) cheaper() *Finding {
	t := in.table
	reason := in.needsFull(t.identity())
	if t.Kind != Plain || t.Identity == IdentityFull || reason == "" {
		return nil
	}
	for _, index := range t.IdentityIndexes {
		if in.needsFull(index.Columns) != "" {
			continue
		}
		identity := "USING INDEX " + index.Quoted
		if index.Primary {
			identity = "DEFAULT"
		}
		return &Finding{
			Line: in.line, Text: fmt.Sprintf("%s needs REPLICA IDENTITY %s, or FULL: %s", t.Quoted, identity, reason),
			SQL: []string{fmt.Sprintf("ALTER TABLE %s REPLICA IDENTITY %s;", t.Quoted, identity)},
		}
	}
	return nil
}

// identity returns the columns that PostgreSQL sends of old rows.
func (t *Table) identity() []string {
	var names []string
	for _, c := range t.Columns {
		if c.InIdentity {
			names = append(names, c.Name)
		}
	}
	return names
}

// needsFull says why the rules need whole old rows if the replica identity has some columns; empty
// if they do not.
func (in *input) needsFull(identity []string) string {
	if in.table.Identity != IdentityFull && len(identity) == 0 {
		return "it has no primary key that identifies rows, and PostgreSQL refuses to update rows without identity once the table is published"
	}
	for i := range in.rules {
		if reason := in.rules[i].needsFull(in.table, identity); reason != "" {
			return reason
		}
	}
	return ""
}

func (r *rule) needsFull(t *Table, identity []string) string {
	var outside, large []string
	for _, c := range t.Columns {
		if !slices.Contains(identity, c.Name) {
			outside = append(outside, c.Name)
			if c.Large {
				large = append(large, c.Name)
			}
		}
	}
	if r.isObject() && r.condition.anyOf(outside) {
		return fmt.Sprintf("the condition in line %d must be known of old rows, and changes have only their primary key", r.conditionLine)
	}
	if r.condition.anyOf(large) {
		return fmt.Sprintf("the condition in line %d uses a large column, which PostgreSQL does not send while it stays as it is", r.conditionLine)
	}
	for i := range r.Fields {
		f := &r.Fields[i]
		switch isKey := slices.Contains(r.keys, i); {
		case isKey && r.isObject() && r.uses[i].anyOf(outside):
			return fmt.Sprintf("the field %q in line %d identifies the object, and changes have only the primary key of old rows", f.Name, f.Line)
		case (isKey || f.Name == r.owner) && r.uses[i].anyOf(large):
			return fmt.Sprintf("the field %q in line %d uses a large column, which PostgreSQL does not send while it stays as it is", f.Name, f.Line)
		case r.uses[i].anyOf(large) && r.uses[i].several(outside):
			return fmt.Sprintf("the field %q in line %d uses a large column, which PostgreSQL does not send while it stays as it is, with others that may change", f.Name, f.Line)
		case r.uses[i].anyOf(large) && r.mayHide() && f.Name != deletedField:
			return fmt.Sprintf("the field %q in line %d uses a large column, which PostgreSQL does not send when the row is shown again", f.Name, f.Line)
		}
	}
	return ""
}

// mayHide reports whether a row may hide its object without a condition, and show it again later.
func (r *rule) mayHide() bool {
	return r.Has(deletedField) ||
		slices.ContainsFunc(r.Decisions, func(d mapping.Decision) bool { return d.ByValue != nil }) ||
		slices.ContainsFunc(r.Fields, func(f mapping.Field) bool { return f.Value != nil && f.Decides() })
}

// several reports whether more than one of some columns is used.
func (c columns) several(some []string) bool {
	n := 0
	for _, name := range some {
		if c.whole || slices.Contains(c.names, name) {
			n++
		}
	}
	return n > 1
}
