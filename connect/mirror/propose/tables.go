package propose

import (
	"slices"

	"github.com/tideline-feeds/tideline/connect/mirror"
)

// table is a table with what was recognized.
type table struct {
	*mirror.Table
	words []string
	// key identifies rows; nil if nothing does.
	key []string
	// incoming counts the foreign keys that point to it.
	incoming int
	// prefix is before the ids of its rows in records.
	prefix string
	// same are tables with the same ids: their keys refer to each other.
	same []*mirror.Table
}

func newTable(t *mirror.Table) *table {
	n := &table{Table: t, words: tableWords(t.Name), key: t.PrimaryKey}
	switch {
	case n.key == nil && len(t.Unique) > 0:
		n.key = t.Unique[0]
	case n.key == nil && t.Column("id") != nil:
		n.key = []string{"id"}
	}
	if slices.ContainsFunc(n.key, func(name string) bool { return t.Column(name) == nil }) {
		n.key = nil // generated
	}
	// Partitions demand their time in the key, which identifies rows without it.
	if rest := slices.DeleteFunc(slices.Clone(n.key), func(name string) bool {
		return slices.Contains([]mirror.Kind{mirror.Time, mirror.ZonelessTime, mirror.Date}, t.Column(name).Type.Kind())
	}); len(rest) > 0 {
		n.key = rest
	}
	return n
}

// find returns the first column in the order of names that has one of the kinds.
func (t *table) find(names []string, kinds ...mirror.Kind) *mirror.Column {
	if found := t.findAll(names, kinds...); len(found) > 0 {
		return found[0]
	}
	return nil
}

func (t *table) findAll(names []string, kinds ...mirror.Kind) []*mirror.Column {
	var found []*mirror.Column
	for _, name := range names {
		for i := range t.Columns {
			c := &t.Columns[i]
			if slices.Contains(kinds, c.Type.Kind()) && slices.Contains(columnNames(t.words, c.Name), name) && !slices.Contains(found, c) {
				found = append(found, c)
			}
		}
	}
	return found
}

// reference is columns of a table that have the key of another, in the order of that key.
type reference struct {
	columns []string
	// words are those of the columns.
	words []string
	null  bool
	// none is the condition that it refers to nothing, some that it does. Without null, 0 does.
	none, some string
}

func (t *table) reference(columns []string) reference {
	r := reference{columns: columns}
	for _, name := range columns {
		r.words = append(r.words, mirror.NameWords(name)...)
		if c := t.Column(name); c == nil || !c.NotNull {
			r.null = true
		}
	}
	last := t.Column(columns[len(columns)-1])
	nothing := "null"
	if last != nil && !r.null && last.Type.Kind() == mirror.Number {
		nothing = "0"
	}
	if last != nil {
		r.none, r.some = column(last.Name)+" == "+nothing, column(last.Name)+" != "+nothing
	}
	return r
}

// references returns the references of a table to another: foreign keys, and columns with one of
// the names, or with a word of them if anyWord, that have the type of the key.
func (t *table) references(to *table, names []string, anyWord bool) []reference {
	var list []reference
	has := func(column string) bool {
		return slices.ContainsFunc(list, func(r reference) bool { return slices.Contains(r.columns, column) })
	}
	for _, fk := range t.References {
		switch {
		case len(fk.Columns) == 1 && has(fk.Columns[0]):
		case slices.Contains(to.same, fk.Table) && len(fk.Columns) == 1:
			list = append(list, t.reference(fk.Columns))
		case fk.Table == to.Table && sameSet(fk.Key, to.key):
			columns := make([]string, len(to.key))
			for i, name := range to.key {
				columns[i] = fk.Columns[slices.Index(fk.Key, name)]
			}
			list = append(list, t.reference(columns))
		}
	}
	position := func(r reference) int {
		return slices.IndexFunc(t.Columns, func(c mirror.Column) bool { return c.Name == r.columns[len(r.columns)-1] })
	}
	sorted := func() []reference {
		slices.SortStableFunc(list, func(a, b reference) int { return position(a) - position(b) })
		return list
	}
	if len(to.key) != 1 {
		return sorted()
	}
	kind := to.Column(to.key[0]).Type.Kind()
	for i := range t.Columns {
		c := &t.Columns[i]
		if has(c.Name) || c.Type.Kind() != kind || t.refersElsewhere(c.Name, to) {
			continue
		}
		known := slices.ContainsFunc(referenceNames(t.words, c.Name), func(name string) bool { return slices.Contains(names, name) })
		if anyWord && !known {
			known = slices.ContainsFunc(mirror.NameWords(c.Name), func(word string) bool { return slices.Contains(names, word) })
		}
		if known {
			list = append(list, t.reference([]string{c.Name}))
		}
	}
	return sorted()
}

// refersElsewhere reports that a column has a foreign key to another table.
func (t *table) refersElsewhere(column string, to *table) bool {
	return slices.ContainsFunc(t.References, func(fk mirror.ForeignKey) bool {
		return fk.Table != to.Table && !slices.Contains(to.same, fk.Table) && slices.Contains(fk.Columns, column)
	})
}

func sameSet(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(name string) bool { return !slices.Contains(b, name) })
}

// polymorphic is a pair of columns that names a row of several tables.
type polymorphic struct{ typ, id *mirror.Column }

// polymorphic returns the first such pair, nil if there is none.
func (t *table) polymorphic() *polymorphic {
	if list := t.polymorphics(); len(list) > 0 {
		return &list[0]
	}
	return nil
}

func (t *table) polymorphics() (found []polymorphic) {
	for i := range t.Columns {
		typ := &t.Columns[i]
		list := mirror.NameWords(typ.Name)
		if n := len(list); n < 2 || list[n-1] != "type" || typ.Type.Kind() != mirror.Text && typ.Type.Kind() != mirror.Enum {
			continue
		}
		for j := range t.Columns {
			id := &t.Columns[j]
			if other := mirror.NameWords(id.Name); slices.Contains([]string{"id", "uuid"}, other[len(other)-1]) && slices.Equal(other[:len(other)-1], list[:len(list)-1]) {
				found = append(found, polymorphic{typ, id})
			}
		}
	}
	return found
}

// names reports whether a value of a type column stands for a table: "Post" and "App\Models\Post"
// for posts.
func (t *table) namedBy(value string) bool {
	list := tableWords(localName(value))
	return len(list) > 0 && len(list) <= len(t.words) && slices.Equal(list, t.words[len(t.words)-len(list):])
}

// shares reports that the single key of a table refers to the key of another, so that both have the
// same ids.
func (t *table) shares(of *table) bool {
	return len(t.key) == 1 && slices.ContainsFunc(t.References, func(fk mirror.ForeignKey) bool {
		return fk.Table == of.Table && slices.Equal(fk.Columns, t.key) && slices.Equal(fk.Key, of.key)
	})
}

// hasWord reports whether one of the words of the table is in a list.
func (t *table) hasWord(in func(string) bool) bool { return slices.ContainsFunc(t.words, in) }

// userScore says how much a table looks like users.
func (t *table) userScore() int {
	score := userTables.weigh(t.words)
	if score == 0 && (t.isComment() || postTables.weigh(t.words) > 0) {
		return 0
	}
	for _, word := range t.words {
		score += sideTables[word]
		if _, edge := edgeTables[word]; edge {
			score -= 9
		}
		if _, reaction := reactionTables[word]; reaction {
			score -= 9
		}
	}
	if t.find(handles, mirror.Text) != nil {
		score += 3
	}
	if t.find([]string{"email", "email_address", "mail"}, mirror.Text) != nil {
		score += 2
	}
	if t.find([]string{"password", "encrypted_password", "password_hash", "password_digest", "hashed_password", "pass"}, mirror.Text) != nil {
		score += 2
	}
	for _, fk := range t.References {
		if fk.Table != t.Table && userTables.weigh(tableWords(fk.Table.Name)) > 0 {
			score -= 6 // a profile of an account
		}
	}
	if t.key == nil || score <= 0 {
		return 0
	}
	return score + min(t.incoming, 8)
}

// postScore says how much a table with authors looks like posts.
func (t *table) postScore() int {
	score := postTables.weigh(t.words)
	for _, word := range t.words {
		score += sideTables[word]
		if _, edge := edgeTables[word]; edge {
			score -= 5
		}
		if _, reaction := reactionTables[word]; reaction {
			score -= 5
		}
	}
	if t.isComment() {
		score -= 9
	}
	if t.find(bodies, mirror.Text, mirror.JSON) != nil {
		score += 3
	} else if t.find(titles, mirror.Text) == nil && t.find(medias, mirror.Text, mirror.JSON, mirror.List) == nil {
		return 0
	}
	if t.key == nil || score <= 0 {
		return 0
	}
	return score + min(t.incoming, 5)
}

func (t *table) isComment() bool { return commentTables.weigh(t.words) > 0 }

// edgeType returns the type of the edges in a table by a word of its name or its columns; empty if
// there is none.
func (t *table) edgeType() string {
	if t.hasWord(func(word string) bool { return slices.Contains(pendingWords, word) }) {
		return ""
	}
	for _, word := range slices.Backward(t.words) {
		if typ := edgeTables[word]; typ != "" {
			return typ
		}
	}
	for i := range t.Columns {
		for _, word := range mirror.NameWords(t.Columns[i].Name) {
			switch word {
			case "follower", "followee", "followed", "following", "followable":
				return "follow"
			case "blocker", "blocked", "blockee":
				return "block"
			case "muter", "muted":
				return "mute"
			}
		}
	}
	return ""
}

// reactionType is as edgeType, by the name of the table only.
func (t *table) reactionType() string {
	for _, word := range slices.Backward(t.words) {
		if typ := reactionTables[word]; typ != "" {
			return typ
		}
	}
	return ""
}
