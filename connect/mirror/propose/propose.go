package propose

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/connect/mirror"
)

// Write writes a mapping file for the tables of a source. It reads rows of the tables that it maps. Without
// someone to ask, what cannot be known for certain is an undecided line of the file, and asker is nil.
func Write(ctx context.Context, w io.Writer, c *mirror.Catalog, q mirror.Querier, asker Asker) error {
	p := &proposal{rows: rows{ctx: ctx, q: q}, asker: asker, answered: map[string]string{}}
	for _, t := range c.Tables {
		if t.Kind == mirror.Plain || t.Kind == mirror.Partitioned {
			p.tables = append(p.tables, newTable(t))
		}
	}
	p.countReferences()
	if p.users = p.best((*table).userScore); p.users != nil {
		p.joinUsers()
		p.mapUsers()
		p.posts = p.best(p.byUsers((*table).postScore))
	}
	if p.posts != nil {
		p.findComments()
		p.mapPosts()
		p.mapComments()
	}
	if p.users != nil {
		p.mapEdges()
	}
	if p.rows.err != nil {
		return p.rows.err
	}
	if err := p.askAll(ctx); err != nil {
		return err
	}
	p.needZone()
	_, err := w.Write(p.file())
	return err
}

// proposal is a file in the making.
type proposal struct {
	rows  rows
	asker Asker
	// answered has the answers so far.
	answered map[string]string
	tables   []*table
	users    *table
	posts    *table
	comments *table
	inputs   []input
	zoneless bool
	// textIDs reports that ids are not numbers.
	textIDs bool
}

// input is a table of the file, or with notes only one that was not mapped.
type input struct {
	table *table
	notes []string
	rules []rule
}

type rule struct {
	typ   string
	notes []string
	when  []string
	// decides say who may see what the rule makes.
	decides []decision
	fields  []field
}

// field is a field of a rule. value is a constant, or "=" and an expression. If guess is set, it is
// a comment.
type field struct {
	name, value, note string
	guess             bool
}

func (r *rule) add(name, value, note string) {
	r.fields = append(r.fields, field{name: name, value: value, note: note})
}

func (r *rule) has(name string) bool {
	return slices.ContainsFunc(r.fields, func(f field) bool { return f.name == name })
}

// countReferences counts the foreign keys to each table. A key that most of them use is the one
// that identifies rows.
func (p *proposal) countReferences() {
	for _, to := range p.tables {
		uses := map[string]int{}
		best := strings.Join(to.key, "\x00")
		for _, from := range p.tables {
			for _, fk := range from.References {
				if fk.Table == to.Table && fk.Table != from.Table {
					to.incoming++
					uses[strings.Join(fk.Key, "\x00")]++
				}
			}
		}
		for key, n := range uses {
			if n > uses[best] && uses[best] == 0 {
				to.key, best = strings.Split(key, "\x00"), key
			}
		}
	}
}

// best returns the table with the highest score, nil if none has enough.
func (p *proposal) best(score func(*table) int) *table {
	const enough = 5
	var best *table
	most := enough - 1
	for _, t := range p.tables {
		if n := score(t); n > most {
			best, most = t, n
		}
	}
	return best
}

// joinUsers finds tables with the ids of users, such as profiles. One with handles is that of users.
func (p *proposal) joinUsers() {
	users := p.users
	for _, t := range p.tables {
		if t == users || !t.shares(users) && !users.shares(t) {
			continue
		}
		users.same, t.same = append(users.same, t.Table), append(t.same, users.Table)
		if p.users.find(handles, mirror.Text) == nil && t.find(handles, mirror.Text) != nil {
			p.users = t
		}
	}
}

// byUsers scores tables that refer to users.
func (p *proposal) byUsers(score func(*table) int) func(*table) int {
	return func(t *table) int {
		if t == p.users || len(t.references(p.users, userColumns, true)) == 0 {
			return 0
		}
		return score(t)
	}
}

// findComments finds a table of comments, and whether its ids need a prefix.
func (p *proposal) findComments() {
	p.comments = p.best(func(t *table) int {
		if t == p.users || t == p.posts || !t.isComment() || t.key == nil || len(t.references(p.users, userColumns, true)) == 0 ||
			t.reactionType() != "" || t.find(bodies, mirror.Text, mirror.JSON) == nil || t.polymorphic() == nil && len(t.references(p.posts, p.postNames(), false)) == 0 {
			return 0
		}
		return commentTables.weigh(t.words) + t.incoming
	})
	if c := p.comments; c != nil && p.mayCollide(c) {
		c.prefix = strings.Join(mirror.NameWords(singular(c.Name)), "-") + "-"
		p.textIDs = true
	}
}

// mayCollide reports whether rows of comments and posts may have the same ids.
func (p *proposal) mayCollide(c *table) bool {
	if len(c.key) > 1 || len(p.posts.key) > 1 {
		return true
	}
	if c.Column(c.key[0]).Type.Kind() == mirror.UUID && p.posts.Column(p.posts.key[0]).Type.Kind() == mirror.UUID {
		return false
	}
	return !p.rows.filled(c) || !p.rows.filled(p.posts) || p.rows.shared(c, c.key[0], p.posts, p.posts.key[0]) > 0
}

// postNames are names of columns that refer to posts, where there are no foreign keys.
func (p *proposal) postNames() []string {
	return []string{"post", strings.Join(p.posts.words, "_"), p.posts.words[len(p.posts.words)-1]}
}

// id returns the expression of an id of a row of a table, made of columns of its key.
func (p *proposal) id(of *table, r reference) string {
	list := make([]string, len(r.columns))
	for i, name := range r.columns {
		list[i] = column(name)
		if of.Column(of.key[i]).Type.Kind() != mirror.Number || of.prefix != "" || len(r.columns) > 1 {
			p.textIDs = true
		}
	}
	if len(list) == 1 && of.prefix == "" {
		return list[0]
	}
	for i := range list {
		list[i] = "string(" + list[i] + ")"
	}
	joined := strings.Join(list, ` + ":" + `)
	if of.prefix != "" {
		joined = text(of.prefix) + " + " + joined
	}
	return joined
}

// needZone notes that a decision needs the zone of its times.
func (p *proposal) needZone() {
	for i := range p.inputs {
		for j := range p.inputs[i].rules {
			for _, d := range p.inputs[i].rules[j].decides {
				if d.answer != mapping.Nothing && d.column.Type.Kind() == mirror.ZonelessTime {
					p.zoneless = true
				}
			}
		}
	}
}

// optional returns the expression of a reference that may refer to nothing.
func (p *proposal) optional(of *table, r reference) string {
	id := p.id(of, r)
	if r.null && id == column(r.columns[0]) || !r.null && !strings.HasSuffix(r.none, " 0") {
		return id
	}
	return fmt.Sprintf("(%s ? null : %s)", r.none, id)
}

func (p *proposal) ownID(t *table) string { return p.id(t, t.reference(t.key)) }

// time returns the expression of the time in a column.
func (p *proposal) time(t *table, c *mirror.Column) string {
	x := column(c.Name)
	switch c.Type.Kind() {
	case mirror.ZonelessTime:
		p.zoneless = true
	case mirror.Date:
		return nullable(c, fmt.Sprintf(`timestamp(%s + "T00:00:00Z")`, x))
	case mirror.Number:
		if p.rows.matching(t, c, `^\d{12,}$`) > 0 { // in seconds, after the year 5138
			return nullable(c, "millis("+x+")")
		}
		return nullable(c, "millis("+x+" * 1000)")
	}
	return x
}

// nullable makes an expression null where the column is.
func nullable(c *mirror.Column, x string) string {
	if c.NotNull {
		return x
	}
	return fmt.Sprintf("%s == null ? null : %s", column(c.Name), x)
}

// created adds the time when something was made. It is required.
func (p *proposal) created(r *rule, t *table, name string) {
	c, note := t.find(creations, times...), ""
	if c == nil {
		if c = t.anyTime(); c == nil {
			r.add(name, epoch, "guess: the table has no column for it")
			return
		}
		note = "guess: the only time that fits"
	}
	value := p.time(t, c)
	if !c.NotNull {
		value = fmt.Sprintf("%s == null ? timestamp(%s) : %s", column(c.Name), text(epoch), strings.TrimPrefix(value, column(c.Name)+" == null ? null : "))
	}
	r.add(name, "="+value, note)
}

// epoch is the time of what has none.
const epoch = "1970-01-01T00:00:00Z"

// anyTime returns the first time of a row that is no time of an edit or an end.
func (t *table) anyTime() *mirror.Column {
	other := slices.Concat(deletions, edits, updates, seens)
	for i := range t.Columns {
		c := &t.Columns[i]
		known := slices.ContainsFunc(columnNames(t.words, c.Name), func(name string) bool { return slices.Contains(other, name) })
		if !known && slices.Contains([]mirror.Kind{mirror.Time, mirror.ZonelessTime, mirror.Date}, c.Type.Kind()) {
			return c
		}
	}
	return nil
}

// ended adds the time of a soft deletion, if some rows are not deleted.
func (p *proposal) ended(r *rule, t *table) {
	c := t.find(deletions, mirror.Time, mirror.ZonelessTime)
	if c == nil || c.NotNull {
		return
	}
	if null, _ := p.rows.nulls(t, c); null > 0 {
		r.add("deletedAt", "="+p.time(t, c), "")
	}
}
