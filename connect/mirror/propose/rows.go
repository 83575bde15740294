package propose

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/connect/mirror"
)

// rows asks for values in the first rows of tables. After an error, it returns nothing.
type rows struct {
	ctx context.Context
	q   mirror.Querier
	err error
}

const (
	// readRows is how many rows of a table are read, classesMax how many classes a column names at most.
	readRows   = 10_000
	classesMax = 20
)

// counted is a value, and how many rows have it.
type counted struct {
	text string
	rows int
}

// firstRows is a query of columns of the first rows of a table, without null.
func firstRows(t *table, c *mirror.Column) string {
	return fmt.Sprintf("(SELECT %s AS v FROM %s WHERE %s IS NOT NULL LIMIT %d) first_rows", quote(c.Name), t.Quoted, quote(c.Name), readRows)
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// counts returns the texts and numbers of a query of two columns.
func (r *rows) counts(t *table, sql string) []counted {
	if r.err != nil || !t.Readable {
		return nil
	}
	found, err := r.q.Query(r.ctx, sql)
	if err != nil {
		r.err = err
		return nil
	}
	list, err := pgx.CollectRows(found, func(row pgx.CollectableRow) (c counted, err error) {
		return c, row.Scan(&c.text, &c.rows)
	})
	r.err = err
	return list
}

// words returns the values of a column; none if they are no states.
func (r *rows) words(t *table, c *mirror.Column) []mirror.Counted {
	if r.err != nil {
		return nil
	}
	list, err := mirror.Words(r.ctx, r.q, t.Table, c)
	r.err = err
	return list
}

// classes returns the texts in a column that names classes, of which there are few.
func (r *rows) classes(t *table, c *mirror.Column) []mirror.Counted {
	var list []mirror.Counted
	for _, v := range r.counts(t, fmt.Sprintf("SELECT v::text, count(*)::int FROM %s GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %d", firstRows(t, c), classesMax)) {
		list = append(list, mirror.Counted{Text: v.text, Rows: v.rows})
	}
	return list
}

// nulls counts the first rows with null, and with a value.
func (r *rows) nulls(t *table, c *mirror.Column) (null, others int) {
	list := r.counts(t, fmt.Sprintf("SELECT (%[1]s IS NULL)::text, count(*)::int FROM (SELECT %[1]s FROM %[2]s LIMIT %[3]d) first_rows GROUP BY 1", quote(c.Name), t.Quoted, readRows))
	for _, v := range list {
		if v.text == "true" {
			null = v.rows
		} else {
			others = v.rows
		}
	}
	return null, others
}

// matching counts values that match a regular expression of PostgreSQL.
func (r *rows) matching(t *table, c *mirror.Column, expression string) int {
	list := r.counts(t, fmt.Sprintf("SELECT '', count(*)::int FROM %s WHERE v::text ~ '%s'", firstRows(t, c), strings.ReplaceAll(expression, "'", "''")))
	if len(list) == 0 {
		return 0
	}
	return list[0].rows
}

// shared counts the keys that the first rows of both tables have.
func (r *rows) shared(a *table, ac string, b *table, bc string) int {
	if !b.Readable {
		return 0
	}
	list := r.counts(a, fmt.Sprintf("SELECT '', count(*)::int FROM (SELECT %s::text AS v FROM %s LIMIT %d) a JOIN (SELECT %s::text AS v FROM %s LIMIT %d) b USING (v)",
		quote(ac), a.Quoted, readRows, quote(bc), b.Quoted, readRows))
	if len(list) == 0 {
		return 0
	}
	return list[0].rows
}

// filled reports whether the table has rows.
func (r *rows) filled(t *table) bool {
	list := r.counts(t, fmt.Sprintf("SELECT '', count(*)::int FROM (SELECT FROM %s LIMIT 1) one", t.Quoted))
	return len(list) > 0 && list[0].rows > 0
}
