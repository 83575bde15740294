package propose

import (
	"slices"

	"github.com/tideline-feeds/tideline/connect/mirror"
)

// Where names say nothing, columns and foreign keys do.

// byStructure is the note of a table that was found so.
const byStructure = "guess: by its columns and foreign keys; nothing in its name says so"

// guess is best, and notes that it is a guess.
func (p *proposal) guess(score func(*table) int) *table {
	t := p.best(score)
	if t != nil {
		t.guessed = true
	}
	return t
}

// otherPurpose reports that a word of the table says that it is something else.
func (t *table) otherPurpose() bool {
	return t.isComment() || t.hasWord(func(word string) bool { return sideTables[word] != 0 || slices.Contains(pendingWords, word) })
}

// userShape scores a table as users by what refers to it.
func (t *table) userShape() int {
	if t.key == nil || t.otherPurpose() || t.find(slices.Concat(handles, userNames), mirror.Text) == nil || t.incoming < 2 {
		return 0
	}
	score := t.incoming
	for _, names := range [][]string{handles, {"email"}, avatars, seens} {
		if t.find(names, mirror.Text, mirror.Time, mirror.ZonelessTime) != nil {
			score += 2
		}
	}
	return score
}

// postShape scores a table with users as posts: a text and a time.
func (t *table) postShape() int {
	if t.key == nil || t.otherPurpose() || t.edgeType() != "" || t.reactionType() != "" ||
		t.find(bodies, mirror.Text, mirror.JSON) == nil || t.find(slices.Concat(publications, creations), times...) == nil {
		return 0
	}
	return 5 + t.incoming
}

// followShape reports that a table has pairs of users and little else.
func (p *proposal) followShape(t *table) bool {
	const most = 6
	return len(t.Columns) <= most && !t.otherPurpose() && t.edgeType() == "" && t.reactionType() == "" && len(t.references(p.users, slices.Concat(actors, targets), false)) == 2 &&
		t.find(slices.Concat(bodies, titles), mirror.Text, mirror.JSON) == nil && (p.posts == nil || len(t.references(p.posts, nil, false)) == 0)
}

// mapByStructure maps the largest table of pairs as follows, if no name says which those are.
func (p *proposal) mapByStructure() {
	mapped := func(t *table) bool {
		return slices.ContainsFunc(p.inputs, func(in input) bool { return in.table == t })
	}
	if slices.ContainsFunc(p.inputs, func(in input) bool {
		return slices.ContainsFunc(in.rules, func(r rule) bool { return r.typ == "follow" })
	}) {
		return
	}
	var best *table
	for _, t := range p.tables {
		if !mapped(t) && t != p.users && p.followShape(t) && (best == nil || t.Rows > best.Rows) {
			best = t
		}
	}
	if best != nil {
		p.mapEdge(best, "follow")
		p.inputs[len(p.inputs)-1].notes = []string{byStructure}
	}
}
