package propose

import (
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/connect/mirror"
)

// mapEdges maps what is between users, and between users and posts.
func (p *proposal) mapEdges() {
	for _, t := range p.tables {
		if t == p.users || t == p.posts || t == p.comments {
			continue
		}
		if reaction := t.reactionType(); reaction != "" && p.posts != nil && p.mapReactions(t, reaction) {
			continue
		}
		if typ := t.edgeType(); typ != "" && t.find(bodies[:4], mirror.Text) == nil {
			p.mapEdge(t, typ)
		}
	}
}

// mapReactions reports whether the table has reactions to posts.
func (p *proposal) mapReactions(t *table, typ string) bool {
	users := t.references(p.users, userColumns, true)
	if len(users) == 0 {
		return false
	}
	r := rule{typ: typ}
	posts := t.references(p.posts, p.postNames(), false)
	var comments []reference
	if p.comments != nil {
		comments = t.references(p.comments, []string{"comment"}, false)
	}
	post, pair := "", t.polymorphic()
	switch {
	case len(posts) > 0 && len(comments) > 0 && comments[0].null:
		post = fmt.Sprintf("%s ? %s : %s", comments[0].none, p.id(p.posts, posts[0]), p.id(p.comments, comments[0]))
	case len(posts) > 0:
		post = p.id(p.posts, posts[0])
		if posts[0].null {
			r.when = append(r.when, posts[0].some)
		}
	case len(comments) > 0:
		post = p.id(p.comments, comments[0])
	case pair != nil:
		post, r.when = p.choose(t, pair)
	default:
		return false
	}
	if c := t.find(votes, mirror.Number); c != nil {
		if !c.NotNull {
			r.when = append(r.when, column(c.Name)+" != null")
		}
		r.when = append(r.when, column(c.Name)+" > 0")
	}
	r.add("user", "="+p.id(p.users, users[0]), "")
	r.add("post", "="+post, "")
	p.created(&r, t, "createdAt")
	p.ended(&r, t)
	if slices.ContainsFunc(p.inputs, func(in input) bool { return in.rules[0].typ == typ }) {
		r.notes = append(r.notes, "another table makes records of this type, too: give one of them the type like or favorite")
	}
	p.inputs = append(p.inputs, input{table: t, rules: p.byKind(t, r, reactionTables)})
	return true
}

// mapEdge maps a table of pairs of users.
func (p *proposal) mapEdge(t *table, typ string) {
	names := slices.Concat(userColumns, actors, targets)
	refs := t.references(p.users, names, true)
	from, to, sure := ends(refs)
	if from == nil {
		return
	}
	r := rule{typ: typ}
	first, second := endNames(typ)
	if sure || typ != "follow" {
		r.add(first, "="+p.id(p.users, *from), "")
		r.add(second, "="+p.id(p.users, *to), "")
	} else { // in the wrong direction, posts for followers would show to others
		either := fmt.Sprintf("%s =%s or =%s", mapping.Undecided, p.id(p.users, *from), p.id(p.users, *to))
		r.add(first, either, "")
		r.add(second, either, "")
	}
	for _, pair := range t.polymorphics() {
		if slices.Contains(slices.Concat(from.columns, to.columns), pair.id.Name) {
			r.when = append(r.when, oneOf(column(pair.typ.Name), p.typeNames(t, &pair, p.users)))
		}
	}
	p.created(&r, t, "createdAt")
	p.ended(&r, t)
	rules := p.byKind(t, r, edgeTables)
	for i := range rules {
		switch rules[i].typ {
		case "follow":
			p.decide(&rules[i], t)
		case "mute":
			if c := t.find(expiries, mirror.Time, mirror.ZonelessTime); c != nil {
				rules[i].add("until", "="+p.time(t, c), "")
			}
		}
	}
	p.inputs = append(p.inputs, input{table: t, rules: rules})
}

// ends returns the two ends of an edge, nil without two. They are sure if a word says which is which.
func ends(refs []reference) (from, to *reference, sure bool) {
	const unknown = -1
	pick := func(in []string, not int) int {
		for i, r := range refs {
			if i != not && slices.ContainsFunc(r.words, func(word string) bool { return slices.Contains(in, word) }) {
				return i
			}
		}
		return unknown
	}
	if len(refs) < 2 {
		return nil, nil, false
	}
	target := pick(targets, unknown)
	actor := pick(actors, target)
	if target == unknown && actor != unknown {
		target = 1 - min(actor, 1)
	}
	if actor == unknown && target != unknown {
		actor = 1 - min(target, 1)
	}
	if sure = target != unknown; !sure {
		actor, target = 0, 1
	}
	return &refs[actor], &refs[target], sure
}

// byKind makes rules for the kinds of edges in a column, if it has some that are known.
func (p *proposal) byKind(t *table, r rule, known map[string]string) []rule {
	c := t.find(kinds, mirror.Text, mirror.Enum)
	if c == nil {
		return []rule{r}
	}
	values := append(p.rows.words(t, c), labels(c)...)
	of := map[string][]string{}
	var order []string
	for _, v := range values {
		typ := ""
		for _, word := range tableWords(v.Text) {
			if known[word] != "" {
				typ = known[word]
			}
		}
		if typ == "" {
			continue
		}
		if of[typ] == nil {
			order = append(order, typ)
		}
		if !slices.Contains(of[typ], text(v.Text)) {
			of[typ] = append(of[typ], text(v.Text))
		}
	}
	if len(order) == 0 {
		return []rule{r}
	}
	slices.Sort(order)
	var rules []rule
	if of[r.typ] == nil && r.typ == "follow" {
		rules = append(rules, r) // one column says that it holds, and that it is another edge: accepted, or blocked
	}
	for _, typ := range order {
		one := r
		one.typ, one.fields = typ, slices.Clone(r.fields)
		if typ != r.typ {
			one.fields[0].name, one.fields[1].name = endNames(typ)
		}
		one.when = append(slices.Clone(r.when), oneOf(column(c.Name), of[typ]))
		rules = append(rules, one)
	}
	return rules
}

// endNames are the fields of the two ends of an edge.
func endNames(typ string) (from, to string) {
	switch typ {
	case "follow":
		return "follower", "followee"
	case "like", "favorite":
		return "user", "post"
	}
	return "user", "target"
}
