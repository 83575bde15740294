package propose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/connect/mirror"
)

// mapUsers maps the table of users.
func (p *proposal) mapUsers() {
	t := p.users
	r := rule{typ: "user"}
	r.add("id", "="+p.ownID(t), "")
	handle := t.find(handles, mirror.Text)
	if handle != nil {
		r.add("handle", "="+p.handle(t, handle), "")
	}
	p.name(&r, t, handle)
	if c := t.find(avatars, mirror.Text); c != nil {
		r.add("avatarUrl", "="+p.url(t, c), "")
	}
	p.created(&r, t, "createdAt")
	if c := t.find(seens, mirror.Time, mirror.ZonelessTime); c != nil {
		r.add("lastSeenAt", "="+p.time(t, c), "")
	}
	p.ended(&r, t)
	p.decide(&r, t)
	p.inputs = append(p.inputs, input{table: t, rules: []rule{r}, notes: p.profiles()})
}

// profiles says which tables may have more about users.
func (p *proposal) profiles() []string {
	var notes []string
	for _, t := range p.tables {
		if t != p.users && len(t.words) > 0 && t.words[len(t.words)-1] == "profile" && len(t.references(p.users, userColumns, false)) > 0 {
			notes = append(notes, fmt.Sprintf("names and avatars may be in %s; a rule there with the same id and \"partial: true\" adds them", t.Quoted))
		}
	}
	return notes
}

// handle returns the expression of a handle. Texts that are no handles are left out.
func (p *proposal) handle(t *table, c *mirror.Column) string {
	if p.rows.matching(t, c, `[^\w.-]|^\.|\.$|\.\.|^.{65}|^$`) == 0 {
		return column(c.Name)
	}
	x := column(c.Name)
	valid := fmt.Sprintf(`%s.matches("^[\\p{L}\\p{N}_-]+([.][\\p{L}\\p{N}_-]+)*$") && size(%s) <= 64 ? %s : null`, x, x, x)
	return nullable(c, valid)
}

// name adds the name of a user: a column, a first and a last name, or the handle.
func (p *proposal) name(r *rule, t *table, handle *mirror.Column) {
	first := t.find([]string{"first_name", "firstname", "given_name", "forename"}, mirror.Text)
	last := t.find([]string{"last_name", "lastname", "family_name", "surname"}, mirror.Text)
	switch c := t.find(userNames, mirror.Text); {
	case c != nil && c != handle:
		r.add("name", "="+column(c.Name), "")
	case first != nil && last != nil:
		r.add("name", fmt.Sprintf(`=(%s + " " + %s).trim()`, orEmpty(first), orEmpty(last)), "")
	case first != nil:
		r.add("name", "="+column(first.Name), "")
	case handle != nil:
		r.add("name", "="+column(handle.Name), "")
	}
}

// orEmpty is the text in a column, empty for null.
func orEmpty(c *mirror.Column) string {
	if c.NotNull {
		return column(c.Name)
	}
	return fmt.Sprintf(`(%s == null ? "" : %s)`, column(c.Name), column(c.Name))
}

// url returns the expression of a URL. Those that are neither https nor relative are left out.
func (p *proposal) url(t *table, c *mirror.Column) string {
	x := column(c.Name)
	if p.rows.matching(t, c, badURLs) == 0 {
		return x
	}
	return nullable(c, fmt.Sprintf(`%s.matches(%s) ? null : %s`, x, text(badURLs), x))
}

// badURLs match URLs that records cannot have.
const badURLs = `^(http:|data:|//)|\s`

// mapPosts maps the table of posts.
func (p *proposal) mapPosts() {
	t := p.posts
	r := rule{typ: "post"}
	r.add("id", "="+p.ownID(t), "")
	p.author(&r, t)
	p.kind(&r, t)
	p.content(&r, t)
	p.published(&r, t)
	p.ended(&r, t)
	p.decide(&r, t)
	in := input{table: t, rules: []rule{r}}
	for _, other := range p.tables {
		if other != t && other != p.users && other != p.comments && other.postScore() >= t.postScore()-3 && len(other.references(p.users, userColumns, true)) > 0 {
			in.notes = append(in.notes, fmt.Sprintf("%s may have posts, too", other.Quoted))
		}
	}
	p.inputs = append(p.inputs, in)
}

// author adds the reference to the user. Where there are several, names of authors count.
func (p *proposal) author(r *rule, t *table) {
	list := t.references(p.users, userColumns, true)
	best := list[0]
	for _, name := range slices.Backward(userColumns) {
		for _, ref := range list {
			if contains(t, ref, []string{name}) {
				best = ref
			}
		}
	}
	r.add("author", "="+p.id(p.users, best), "")
}

// kind adds the kind of a post, with what it replies to or repeats, by references to its own table.
func (p *proposal) kind(r *rule, t *table) {
	var reply, repost *reference
	for _, ref := range t.references(t, nil, false) {
		if slices.ContainsFunc(ref.words, func(word string) bool { return slices.Contains(reposts, word) }) {
			repost = &ref
		} else if reply == nil {
			reply = &ref
		}
	}
	if reply == nil {
		reply = t.self(func(r reference) bool { return contains(t, r, replies) })
	}
	if repost == nil {
		repost = t.self(func(r reference) bool {
			return len(r.words) > 1 && slices.ContainsFunc(r.words, func(word string) bool { return slices.Contains(reposts, word) })
		})
	}
	switch {
	case reply == nil && repost == nil:
		r.add("kind", "POST", "")
		return
	case repost == nil:
		r.add("kind", fmt.Sprintf(`=%s ? "POST" : "COMMENT"`, reply.none), "")
	case reply == nil:
		r.add("kind", fmt.Sprintf(`=%s ? "POST" : "REPOST"`, repost.none), "")
	default:
		r.add("kind", fmt.Sprintf(`=%s ? "REPOST" : %s ? "POST" : "COMMENT"`, repost.some, reply.none), "")
	}
	if reply != nil {
		x := p.optional(t, *reply)
		if repost != nil {
			x = fmt.Sprintf("%s ? %s : null", repost.none, x)
		}
		r.add("replyTo", "="+x, "")
	}
	if repost != nil {
		r.add("repostOf", "="+p.optional(t, *repost), "")
	}
}

// self returns the first reference to the table itself that fits, nil if there is none. It has no foreign
// key.
func (t *table) self(fits func(reference) bool) *reference {
	if len(t.key) != 1 {
		return nil
	}
	kind := t.Column(t.key[0]).Type.Kind()
	for _, c := range t.Columns {
		if r := t.reference([]string{c.Name}); c.Type.Kind() == kind && fits(r) && !t.refersElsewhere(c.Name, t) {
			return &r
		}
	}
	return nil
}

// contains reports whether a column of a reference has one of the names.
func contains(t *table, r reference, names []string) bool {
	return slices.ContainsFunc(r.columns, func(c string) bool {
		return slices.ContainsFunc(referenceNames(t.words, c), func(name string) bool { return slices.Contains(names, name) })
	})
}

// published adds the time of publication. A row without one is not published.
func (p *proposal) published(r *rule, t *table) {
	c := t.find(publications, mirror.Time, mirror.ZonelessTime, mirror.Date)
	if c == nil {
		p.created(r, t, "publishedAt")
	} else {
		r.add("publishedAt", "="+p.time(t, c), "")
		if !c.NotNull {
			r.decides = append(r.decides, decision{column: c, answer: `{null: hidden, "*": shown}`})
		}
	}
	if c := t.find(edits, mirror.Time, mirror.ZonelessTime); c != nil {
		r.add("editedAt", "="+p.time(t, c), "")
	}
}

// content adds text and media.
func (p *proposal) content(r *rule, t *table) {
	title := t.find(titles, mirror.Text)
	body := t.find(bodies, mirror.Text)
	document := t.find(append(bodies[:len(bodies):len(bodies)], medias...), mirror.JSON)
	switch {
	case body != nil && title != nil:
		r.add("text", fmt.Sprintf(`=(%s + "\n\n" + %s).trim()`, orEmpty(title), orEmpty(body)), "")
	case body != nil:
		r.add("text", "="+column(body.Name), "")
	case title != nil:
		r.add("text", "="+column(title.Name), "")
	case document != nil:
		r.fields = append(r.fields, field{name: "text", value: "=" + column(document.Name) + ".text", note: "which member has the text?", guess: true})
	}
	if media := p.media(t); media != "" {
		r.add("media", "="+media, "")
	} else if body != nil && title == nil && !r.has("repostOf") && p.rows.matching(t, body, `^\s*$`) > 0 {
		r.notes = append(r.notes, fmt.Sprintf("some rows have no text, which posts without media need; %s == \"\" ? \"…\" : %[1]s gives them one", column(body.Name)))
	}
}

// media returns the expression of media in columns; empty if there are none.
func (p *proposal) media(t *table) string {
	if c := t.find(medias, mirror.List); c != nil {
		if c.NotNull {
			return column(c.Name)
		}
		return fmt.Sprintf("%s == null ? [] : %s", column(c.Name), column(c.Name))
	}
	var list []string
	bad := 0
	for _, c := range t.findAll(medias, mirror.Text) {
		list = append(list, column(c.Name))
		bad += p.rows.matching(t, c, badURLs)
	}
	if list == nil {
		return ""
	}
	keep := `m != null && m != ""`
	if bad > 0 {
		keep += " && !m.matches(" + text(badURLs) + ")"
	}
	return fmt.Sprintf(`[%s].filter(m, %s)`, strings.Join(list, ", "), keep)
}

// mapComments maps the table of comments: posts that reply to others.
func (p *proposal) mapComments() {
	t := p.comments
	if t == nil {
		return
	}
	r := rule{typ: "post"}
	note := ""
	if t.prefix != "" {
		note = "comments and posts may have the same ids"
	}
	r.add("id", "="+p.ownID(t), note)
	p.author(&r, t)
	r.add("kind", "COMMENT", "")
	p.replyTo(&r, t)
	p.content(&r, t)
	p.published(&r, t)
	p.ended(&r, t)
	p.decide(&r, t)
	p.inputs = append(p.inputs, input{table: t, rules: []rule{r}})
}

// replyTo adds what a comment replies to: another comment, or a post.
func (p *proposal) replyTo(r *rule, t *table) {
	parent := t.self(func(r reference) bool { return contains(t, r, replies) })
	if own := t.references(t, nil, false); len(own) > 0 {
		parent = &own[0]
	}
	post := ""
	if refs := t.references(p.posts, p.postNames(), false); len(refs) > 0 {
		post = p.optional(p.posts, refs[0])
		if !refs[0].null {
			post = p.id(p.posts, refs[0])
		}
	} else if pair := t.polymorphic(); pair != nil {
		x, of := p.choose(t, pair)
		if post = x; len(of) > 0 {
			r.when = append(r.when, of...)
		}
	}
	switch {
	case parent == nil:
		r.add("replyTo", "="+post, "")
	case post == "":
		r.add("replyTo", "="+p.optional(t, *parent), "")
	default:
		r.add("replyTo", fmt.Sprintf("=%s ? %s : %s", parent.some, p.id(t, *parent), post), "")
	}
}

// choose returns the id that a polymorphic pair has, and the condition that it is one of a post or
// a comment.
func (p *proposal) choose(t *table, pair *polymorphic) (id string, when []string) {
	ref := t.reference([]string{pair.id.Name})
	typ := column(pair.typ.Name)
	var all []string
	expression := ""
	for _, of := range []*table{p.comments, p.posts} {
		if of == nil {
			continue
		}
		names := p.typeNames(t, pair, of)
		all = append(all, names...)
		x := p.id(of, ref)
		if of != p.posts && x != p.id(p.posts, ref) {
			expression = fmt.Sprintf("%s ? %s : ", oneOf(typ, names), x)
		}
	}
	return expression + p.id(p.posts, ref), []string{oneOf(typ, all)}
}

// typeNames returns the values, quoted, with which a polymorphic pair names the rows of a table. If the
// rows have none, it is built like theirs.
func (p *proposal) typeNames(t *table, pair *polymorphic, of *table) []string {
	known := append(p.rows.classes(t, pair.typ), labels(pair.typ)...)
	var names []string
	space := ""
	for _, v := range known {
		if of.namedBy(v.Text) && !slices.Contains(names, text(v.Text)) {
			names = append(names, text(v.Text))
		}
		space = v.Text[:len(v.Text)-len(localName(v.Text))]
	}
	if names == nil {
		return []string{text(space + className(of))}
	}
	return names
}

// localName returns a name of a class without its namespace.
func localName(class string) string { return class[strings.LastIndexAny(class, `\.:/`)+1:] }

// className is what frameworks call the class of a table.
func className(t *table) string {
	name := ""
	for _, word := range t.words {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}
