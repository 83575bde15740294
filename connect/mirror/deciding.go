package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/tideline-feeds/tideline/connect/mapping"
)

// A column that may say who sees a row is never overlooked: a rule uses it, or says that it decides nothing.
// Names and majorities do not tell what it means.

// MayDecide reports whether a column may say who sees the rows of a table, as far as its type and its name
// show. Texts and numbers may, too, if they have few values ([Words]).
func (t *Table) MayDecide(c *Column) bool {
	if t.identifies(c.Name) || isBookkeeping(c) {
		return false
	}
	switch c.Type.Kind() {
	case Bool, Enum, JSON, List:
		return true
	case Time, ZonelessTime, Date:
		return !c.NotNull
	case Number:
		return c.Type.base().OID == pgtype.Int2OID || t.isReference(c)
	case UUID, Text:
		return t.isReference(c)
	}
	return false
}

// identifies reports whether a column alone identifies rows.
func (t *Table) identifies(name string) bool {
	return slices.Contains(t.PrimaryKey, name) || slices.ContainsFunc(t.Unique, func(key []string) bool { return len(key) == 1 && key[0] == name })
}

// isReference reports whether a column refers to something: a parent, a group, a recipient, or who did it.
func (t *Table) isReference(c *Column) bool {
	if slices.ContainsFunc(t.References, func(fk ForeignKey) bool { return slices.Contains(fk.Columns, c.Name) }) {
		return true
	}
	list := NameWords(c.Name)
	return len(list) > 1 && slices.Contains([]string{"id", "ids", "uuid", "uid", "by", "to", "ref"}, list[len(list)-1]) ||
		len(list) == 1 && slices.Contains([]string{"recipient", "parent", "group"}, list[0])
}

// isBookkeeping reports that the name of a column says for certain that it decides nothing: when a row was made
// or changed, or a user was seen, and how many of something there are.
func isBookkeeping(c *Column) bool {
	name := strings.Join(NameWords(c.Name), "_")
	switch c.Type.Kind() {
	case Time, ZonelessTime, Date:
		return slices.Contains([]string{
			"created_at", "inserted_at", "updated_at", "modified_at", "edited_at", "last_seen_at", "last_active_at", "last_login", "last_login_at", "last_sign_in_at", "current_sign_in_at",
		}, name)
	case Number:
		return strings.HasSuffix(name, "_count")
	}
	return false
}

// NameWords returns the words of a name in small letters: created_at, createdAt and CREATED-AT are the same.
func NameWords(name string) []string {
	var list []string
	var word []rune
	runes := []rune(name)
	end := func() {
		if len(word) > 0 {
			list, word = append(list, strings.ToLower(string(word))), nil
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, r)
	}
	end()
	return list
}

const (
	// wordsMax is how many values a column with states has at most, wordMax the length of one in characters.
	wordsMax = 20
	wordMax  = 40
)

// Counted is a value of a column, and how many of the rows that were read have it.
type Counted struct {
	// Text is the value as PostgreSQL prints it, if it is not Null.
	Text string
	Null bool
	Rows int
}

// Words returns the values of a column in the first rows of its table, the most frequent first. It returns
// none if there are too many to be states, or one is no short word.
func Words(ctx context.Context, q Querier, t *Table, c *Column) ([]Counted, error) {
	if !t.Readable {
		return nil, nil
	}
	rows, err := q.Query(ctx, fmt.Sprintf("SELECT coalesce(v::text, ''), v IS NULL, count(*)::int FROM (SELECT %s AS v FROM %s LIMIT %d) first_rows GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT %d",
		pgx.Identifier{c.Name}.Sanitize(), t.Quoted, sampleRows, wordsMax+1))
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Counted])
	if err != nil || len(list) > wordsMax || slices.ContainsFunc(list, func(v Counted) bool { return !isWord(v.Text) }) {
		return nil, err
	}
	return list, nil
}

// isWord reports whether a text can be a state: "followers_only" is, "Hello, world" is not.
func isWord(s string) bool {
	return len([]rune(s)) <= wordMax && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-:./", r)
	})
}

// MayBeState reports whether a column may have states that only its values show.
func (t *Table) MayBeState(c *Column) bool {
	kind := c.Type.Kind()
	return (kind == Number || kind == Numeric || kind == Text) && !t.identifies(c.Name) && !isBookkeeping(c)
}

// decision checks the columns of a decision.
func (f *fileCheck) decision(in *input, r *rule, d *mapping.Decision) {
	uses := columnsOf(d.Value.Uses(rowVariable))
	r.decisions = append(r.decisions, uses)
	if d.ByValue == nil {
		for _, name := range uses.names { // they need not be read
			if err := f.column(in.table, name); err != nil && in.table.Column(name) == nil {
				f.fail(d.Line, "%v", err)
			}
		}
		return
	}
	f.columns(in, d.Line, uses)
	if !d.Hides() {
		return
	}
	names, whole := append(slices.Clone(uses.names), r.condition.names...), uses.whole || r.condition.whole
	r.condition = columnsOf(names, whole)
	if r.conditionLine == 0 {
		r.conditionLine = d.Line
	}
}

// names reports whether a rule says what a column means. Custom fields show it, which says enough of documents
// only.
func (r *rule) names(c *Column) bool {
	has := func(of columns) bool { return slices.Contains(of.names, c.Name) }
	if has(r.condition) || slices.ContainsFunc(r.decisions, has) {
		return true
	}
	for i, uses := range r.uses {
		if has(uses) && (r.Fields[i].Name != "custom" || c.Type.Kind() == JSON) {
			return true
		}
	}
	return false
}

// undecided reports the columns of which a rule does not say whether they decide who sees its rows.
func (f *fileCheck) undecided(in *input, r *rule) {
	if !r.CanBeUnclear() {
		return
	}
	var names []string
	for i := range in.table.Columns {
		if c := &in.table.Columns[i]; in.table.MayDecide(c) && !r.names(c) {
			names = append(names, c.Name)
		}
	}
	if len(names) > 0 {
		f.fail(r.Line, "%s", undecidedText(in.table, r.Type, names))
	}
}

func undecidedText(t *Table, typ string, names []string) string {
	const shown = 12
	more := ""
	if n := len(names) - shown; n > 0 {
		names, more = names[:shown], fmt.Sprintf(" and %d others", n)
	}
	return fmt.Sprintf("columns of %s that may decide who sees a %s are not mentioned: %s%s; add each to decides, with a table of its values or %q",
		t.Quoted, typ, strings.Join(names, ", "), more, mapping.Nothing)
}

// undecidedWords returns the findings about columns whose values look like states, and which a rule does not
// mention.
func (m *Mapper) undecidedWords(ctx context.Context, q Querier) ([]Finding, error) {
	var list []Finding
	for _, in := range m.inputs {
		for i := range in.rules {
			r := &in.rules[i]
			if !r.CanBeUnclear() {
				continue
			}
			var names []string
			for i := range in.table.Columns {
				c := &in.table.Columns[i]
				if r.names(c) || in.table.MayDecide(c) || !in.table.MayBeState(c) {
					continue
				}
				words, err := Words(ctx, q, in.table, c)
				if err != nil {
					return nil, err
				}
				if len(words) > 0 {
					names = append(names, c.Name)
				}
			}
			if len(names) > 0 {
				list = append(list, Finding{Line: r.Line, Text: undecidedText(in.table, r.Type, names)})
			}
		}
	}
	return list, nil
}
