package propose

import (
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/connect/mirror"
)

// Who may see a row is never guessed. A few conventions are certain if the rows agree with them; all other
// columns that may decide are questions.

// decision is what a column decides: a table of its values, or nothing. Without an answer it is a question.
type decision struct {
	column *mirror.Column
	// answer is the YAML of the file; empty for a question.
	answer string
	// groups are what the question is about: the values, or null and all others.
	groups []group
}

// group is a value of a column, or all that have no group of their own.
type group struct {
	// name is how tables name it, label how people do.
	name, label string
	rows        int
}

// decide adds a decision for each column of the table that may say who sees the rows of the rule, and that the
// rule does not use.
func (p *proposal) decide(r *rule, t *table) {
	for i := range t.Columns {
		c := &t.Columns[i]
		may := t.MayDecide(c)
		if r.uses(c) || !may && !t.MayBeState(c) {
			continue
		}
		words := p.rows.words(t, c)
		if !may && words == nil && p.rows.filled(t) {
			continue
		}
		d := decision{column: c, answer: certain(t, c, words)}
		if d.answer == "" {
			d.groups = p.groups(t, c, words)
		}
		r.decides = append(r.decides, d)
	}
}

// uses reports whether a field or the condition has the column.
func (r *rule) uses(c *mirror.Column) bool {
	x := column(c.Name)
	has := func(in string) bool {
		_, rest, found := strings.Cut(in, x)
		return found && !strings.ContainsFunc(rest[:min(1, len(rest))], isNamePart)
	}
	return slices.ContainsFunc(r.fields, func(f field) bool { return !f.guess && has(f.value) }) || slices.ContainsFunc(r.when, has)
}

func isNamePart(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// certain returns what a column decides for certain, by its name and its values; empty if neither says so.
func certain(t *table, c *mirror.Column, values []mirror.Counted) string {
	named := func(names ...string) bool {
		return slices.ContainsFunc(columnNames(t.words, c.Name), func(name string) bool { return slices.Contains(names, name) })
	}
	switch kind := c.Type.Kind(); {
	case kind == mirror.Bool && named("published", "is_published") && has(values, "true") && !hasOther(values, "true", "false"):
		return "{true: shown, false: hidden}"
	case kind == mirror.Bool && named("draft", "is_draft", "deleted", "is_deleted") && has(values, "false") && !hasOther(values, "true", "false"):
		return "{true: hidden, false: shown}"
	case (kind == mirror.Text || kind == mirror.Enum) && named("status", "state") && has(values, "published") && !hasOther(values, "published", "draft") && !hasOther(labels(c), "published", "draft"):
		return "{published: shown, draft: hidden}"
	}
	return ""
}

// has reports whether a value occurs.
func has(values []mirror.Counted, text string) bool {
	return slices.ContainsFunc(values, func(v mirror.Counted) bool { return v.Text == text && !v.Null })
}

// hasOther reports whether null or a value occurs that is not one of some.
func hasOther(values []mirror.Counted, known ...string) bool {
	return slices.ContainsFunc(values, func(v mirror.Counted) bool { return v.Null || !slices.Contains(known, v.Text) })
}

// labels returns the values that may occur later, if the type has few.
func labels(c *mirror.Column) []mirror.Counted {
	names := c.Type.Labels
	if c.Type.Kind() == mirror.Bool {
		names = []string{"true", "false"}
	}
	var list []mirror.Counted
	for _, label := range names {
		list = append(list, mirror.Counted{Text: label})
	}
	return list
}

// groups returns what a question is about. Times, references and documents have no values to list.
func (p *proposal) groups(t *table, c *mirror.Column, words []mirror.Counted) []group {
	var list []group
	switch c.Type.Kind() {
	case mirror.Bool, mirror.Enum, mirror.Text, mirror.Number:
		for _, v := range words {
			list = append(list, groupOf(v))
		}
		for _, label := range labels(c) {
			if !has(words, label.Text) {
				list = append(list, groupOf(label))
			}
		}
	}
	if list != nil {
		return list
	}
	null, others := p.rows.nulls(t, c)
	if null > 0 || !c.NotNull {
		list = append(list, group{name: "null", label: "null", rows: null})
	}
	return append(list, group{name: text(mapping.OtherValues), label: "other values", rows: others})
}

func groupOf(v mirror.Counted) group {
	if v.Null {
		return group{"null", "null", v.Rows}
	}
	return group{tableKey(v.Text), v.Text, v.Rows}
}

// tableKey is the name of a value in a table. Texts that YAML reads as something else are quoted.
func tableKey(s string) string {
	if slices.Contains([]string{"null", "~", "", mapping.OtherValues}, strings.ToLower(s)) || !plainKey.MatchString(s) {
		return text(s)
	}
	return s
}

// line is the line of the file.
func (d *decision) line() string {
	value := d.answer
	if value == "" {
		value = scalar(mapping.Undecided + " " + describe(d.groups))
	}
	return scalar(column(d.column.Name)) + ": " + value
}
