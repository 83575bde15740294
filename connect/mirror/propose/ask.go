package propose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/connect/mirror"
)

// Asker answers what rows do not tell. The first error ends the proposal.
type Asker interface {
	// Deciding returns the names of the columns that decide who sees what a table makes. All others decide nothing.
	Deciding(Question) ([]string, error)
	// Seen returns who sees the rows with each value of a column, in order.
	Seen(ValuesQuestion) ([]Seen, error)
}

// Question is about columns of a table that makes records of a type.
type Question struct {
	Table, Type string
	Columns     []ColumnQuestion
}

// ColumnQuestion is a column with its values, each with its number of rows.
type ColumnQuestion struct{ Name, Values string }

// ValuesQuestion is about the rows with each value of a column.
type ValuesQuestion struct {
	Table, Type, Column string
	Values              []ValueRows
}

// ValueRows are the rows with one value, or with all values that are not listed.
type ValueRows struct {
	Value string
	Rows  int
	// Samples are up to three of the rows as JSON.
	Samples []string
}

// Seen is who sees a row.
type Seen int

// The answers. A user or post is for all, for followers or hidden; a follow holds, is requested or does not hold.
const (
	ForAll Seen = iota
	ForFollowers
	NotSeen
)

// ask replaces the questions about a table by answers.
func (p *proposal) ask(t *table, r *rule) error {
	q := Question{Table: t.Quoted, Type: r.typ}
	for i := range r.decides {
		d := &r.decides[i]
		if d.answer == "" {
			d.answer = p.answered[d.key(t, r)]
		}
		if d.answer == "" {
			q.Columns = append(q.Columns, ColumnQuestion{d.column.Name, describe(d.groups)})
		}
	}
	if len(q.Columns) == 0 {
		return nil
	}
	names, err := p.asker.Deciding(q)
	if err != nil {
		return err
	}
	for i := range r.decides {
		d := &r.decides[i]
		switch {
		case d.answer != "":
		case !slices.Contains(names, d.column.Name):
			d.answer = mapping.Nothing
		default:
			if d.answer, err = p.askValues(t, r, d); err != nil {
				return err
			}
		}
		p.answered[d.key(t, r)] = d.answer
	}
	return nil
}

// key names a question. Several rules of a table may ask it.
func (d *decision) key(t *table, r *rule) string { return r.typ + " " + t.Quoted + "." + d.column.Name }

// askValues returns the table of a column.
func (p *proposal) askValues(t *table, r *rule, d *decision) (string, error) {
	q := ValuesQuestion{Table: t.Quoted, Type: r.typ, Column: d.column.Name}
	for _, g := range d.groups {
		q.Values = append(q.Values, ValueRows{g.label, g.rows, p.rows.samples(t, d.column, g)})
	}
	answers, err := p.asker.Seen(q)
	if err != nil {
		return "", err
	}
	var list []string
	for i, g := range d.groups {
		list = append(list, fmt.Sprintf("%s: %s", g.name, effect(r.typ, answers[i], slices.Contains(answers, ForFollowers))))
	}
	return "{" + strings.Join(list, ", ") + "}", nil
}

// effect returns what an answer is in a table. A column with an audience names that of all its values; one
// that only hides leaves it to others.
func effect(typ string, s Seen, audience bool) mapping.Effect {
	switch {
	case s == NotSeen:
		return mapping.Hidden
	case s == ForFollowers && typ == "follow":
		return mapping.Requested
	case s == ForFollowers:
		return mapping.Followers
	case audience && typ != "follow":
		return mapping.Public
	}
	return mapping.Shown
}

// describe lists values with their numbers of rows.
func describe(groups []group) string {
	var list []string
	for _, g := range groups {
		list = append(list, fmt.Sprintf("%s (%d rows)", g.label, g.rows))
	}
	return strings.Join(list, ", ")
}

// samplesMax is how many rows of a value are shown, sampleLength how much of each in characters.
const (
	samplesMax   = 3
	sampleLength = 200
)

// samples returns some of the rows with a value.
func (r *rows) samples(t *table, c *mirror.Column, g group) []string {
	if r.err != nil || g.rows == 0 {
		return nil
	}
	condition, values := quote(c.Name)+"::text = $1", []any{g.label}
	switch g.name {
	case "null":
		condition, values = quote(c.Name)+" IS NULL", nil
	case text(mapping.OtherValues):
		condition, values = quote(c.Name)+" IS NOT NULL", nil
	}
	found, err := r.q.Query(r.ctx, fmt.Sprintf("SELECT left(to_json(t)::text, %d) FROM (SELECT * FROM %s WHERE %s LIMIT %d) t", sampleLength, t.Quoted, condition, samplesMax), values...)
	if err != nil {
		r.err = err
		return nil
	}
	list, err := pgx.CollectRows(found, pgx.RowTo[string])
	r.err = err
	return list
}

// askAll asks about all tables, in the order of the file.
func (p *proposal) askAll(ctx context.Context) error {
	if p.asker == nil {
		return nil
	}
	for i := range p.inputs {
		for j := range p.inputs[i].rules {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := p.ask(p.inputs[i].table, &p.inputs[i].rules[j]); err != nil {
				return err
			}
		}
	}
	return p.rows.err
}
