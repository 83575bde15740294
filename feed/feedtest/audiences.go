package feedtest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// Audiences checks who may see a post. Each case of the table is judged by [feed.Judge] and by the
// reference query, and both must equal what the table says. open returns an empty backend.
func Audiences(t *testing.T, open func(t *testing.T) Backend) {
	t.Run("the judge and the reference query equal the table", protected(func(t *testing.T) {
		newAudienceTable(worldOf(t, open(t).Stores)).check()
	}))
	s := storeSuite{t, in(func(t *testing.T) Stores { return open(t).Stores })}
	s.promise("posts are read with the privacy of their author and audience author", accountsOfPosts)
	s.promise("an edit of the audience sets no time and is logged as hiding if it narrows", editedAudience)
	s.promise("a stranger's outbox lacks what is for the author's own followers", strangersOutbox)
	running := storeSuite{t, in(started(func(t *testing.T) Stores { return open(t).Stores }))}
	running.group("Records", audienceRecordPromises)
	running.group("Unknown", unknownAudiencePromises)
	running.group("Unfit", unfitRecordPromises)
	t.Run("strangers get empty lists of a private account", protected(func(t *testing.T) { listsOfPrivateAccounts(t, open(t)) }))
	t.Run("an account may become private or public twice a day", protected(func(t *testing.T) { privacyTwiceADay(t, open(t)) }))
}

// bond is what there is between a viewer and an author.
type bond int

const (
	noBond bond = iota
	follows
	followedBefore
	followsMuted
	followsBlocked
	followsBlocking
	followsHidden
	blockedStranger
	bonds
)

func (b bond) follows() bool {
	return slices.Contains([]bond{follows, followsMuted, followsBlocked, followsBlocking, followsHidden}, b)
}

// hides reports whether the bond hides the author's posts.
func (b bond) hides() bool {
	return slices.Contains([]bond{followsBlocked, followsBlocking, followsHidden, blockedStranger}, b)
}

// presence is whether an audience author is there.
type presence int

const (
	isPresent presence = iota
	isAbsent
	isDeleted
	presences
)

// threadPair are the author of posts, and the one whose post they answer and share.
type threadPair struct {
	author, host               feed.UserID
	authorPrivate, hostPrivate bool
	hostIs                     presence
}

// audienceViewer has one bond to all authors, and one to all hosts.
type audienceViewer struct {
	id             feed.UserID
	author, parent bond
}

// audiencePost is a post of a pair. If chain is set, it shares that post.
type audiencePost struct {
	*feed.Post
	pair  threadPair
	chain *audiencePost
}

// audienceTable is the table of all cases in one store.
type audienceTable struct {
	*world
	pairs   []threadPair
	viewers []audienceViewer
	posts   []*audiencePost
	// sanctioned are the posts that are taken down, or the users who are suspended.
	sanctioned map[feed.Subject]bool
}

func newAudienceTable(w *world) *audienceTable {
	m := &audienceTable{world: w}
	m.makePairs()
	m.makeViewers()
	m.makePosts()
	for _, p := range m.pairs {
		for user, private := range map[feed.UserID]bool{p.author: p.authorPrivate, p.host: p.hostPrivate} {
			must(m.Profiles.UpdateProfile(m.ctx, user, feed.ProfileChange{Private: &private}))
		}
		switch p.hostIs {
		case isAbsent:
			check(m.Presence.SetAbsent(m.ctx, []feed.UserID{p.host}, true))
		case isDeleted:
			check(m.Profiles.DeleteAccount(m.ctx, p.host, noon+hour))
		}
	}
	return m
}

func (m *audienceTable) makePairs() {
	id := feed.UserID(1000)
	for hostIs := range presences {
		for i := range 4 {
			m.pairs = append(m.pairs, threadPair{id, id + 1, i%2 == 1, i/2 == 1, hostIs})
			m.user(id, id+1)
			id += 2
		}
	}
	check(m.AuthorLists.CreateList(m.ctx, &feed.AuthorList{ID: everyone, Owner: 1000, Name: "everyone"}))
	for _, p := range m.pairs {
		must(m.AuthorLists.AddMembers(m.ctx, 1000, everyone, []feed.UserID{p.author, p.host}, noon))
	}
}

// everyone is a list of all authors.
const everyone feed.ListID = 1

func (m *audienceTable) makeViewers() {
	id := feed.UserID(1)
	var all []feed.Record
	for author := range bonds {
		for parent := range bonds {
			m.viewers = append(m.viewers, audienceViewer{id, author, parent})
			m.user(id)
			for _, p := range m.pairs {
				all = append(all, author.records(id, p.author)...)
				all = append(all, parent.records(id, p.host)...)
			}
			id++
		}
	}
	failIf(m.t, len(m.imports(records(all...)).Bad) > 0, "bad records of bonds")
	for _, v := range m.viewers {
		for _, p := range m.pairs {
			if v.author == followedBefore {
				m.unfollow(v.id, p.author)
			}
			if v.parent == followedBefore {
				m.unfollow(v.id, p.host)
			}
		}
	}
}

// records are the records of the bond from a viewer to an author.
func (b bond) records(viewer, author feed.UserID) (list []feed.Record) {
	if b.follows() || b == followedBefore {
		list = append(list, followRecord(viewer, author))
	}
	switch b {
	case followsMuted:
		list = append(list, relationRecord(feed.RelationMute, viewer, author))
	case followsBlocked, blockedStranger:
		list = append(list, relationRecord(feed.RelationBlock, author, viewer))
	case followsBlocking:
		list = append(list, relationRecord(feed.RelationBlock, viewer, author))
	case followsHidden:
		list = append(list, relationRecord(feed.RelationHide, author, viewer))
	case noBond, follows, followedBefore:
	}
	return list
}

// makePosts publishes, for each pair and audience, a post by the host, a comment and two reposts of it,
// one of them by a chain, and comments whose parent has not arrived.
func (m *audienceTable) makePosts() {
	id := feed.PostID(1)
	add := func(pair threadPair, p *feed.Post, chain *audiencePost) *audiencePost {
		m.publish(p)
		made := &audiencePost{p, pair, chain}
		m.posts = append(m.posts, made)
		id++
		return made
	}
	for _, pair := range m.pairs {
		for _, audience := range []feed.PostAudience{feed.AudiencePublic, feed.AudienceFollowers} {
			of := func(p *feed.Post, audienceAuthor feed.UserID) *feed.Post {
				p.Audience, p.AudienceAuthor = audience, audienceAuthor
				return p
			}
			post := add(pair, of(newPost(id, pair.host, noon), pair.host), nil)
			add(pair, of(newComment(id, pair.author, noon, post.ID), pair.host), nil)
			repost := add(pair, of(newRepost(id, pair.author, noon, post.ID), pair.host), post)
			add(pair, of(newRepost(id, pair.author, noon, repost.ID), pair.host), repost)
			add(pair, of(newPost(id, pair.author, noon), pair.author), nil)
			add(pair, of(newComment(id, pair.author, noon, 999_999), 0), nil)
		}
		unsettled := newComment(id, pair.author, noon, 999_999)
		unsettled.Audience, unsettled.AudienceAuthor = feed.AudienceOfParent, 0
		add(pair, unsettled, nil)
	}
}

// check compares what every viewer sees with the table, before and after the purge of deleted accounts, and
// while posts are taken down and users suspended.
func (m *audienceTable) check() {
	m.compare()
	whileMore(func() (bool, error) { return m.Profiles.PurgeDeleted(m.ctx, many) })
	m.compare()
	for _, sanctioned := range []func(p *audiencePost) feed.Subject{
		func(p *audiencePost) feed.Subject { return feed.Subject{User: p.pair.author} },
		func(p *audiencePost) feed.Subject { return feed.Subject{User: p.pair.host} },
		func(p *audiencePost) feed.Subject { return feed.Subject{Post: p.ID} },
		func(p *audiencePost) feed.Subject { return feed.Subject{Post: cmp.Or(p.Parent(), p.ID)} },
	} {
		m.sanctioned = map[feed.Subject]bool{}
		for _, p := range m.posts {
			if of := sanctioned(p); of.Post <= m.posts[len(m.posts)-1].ID && !m.sanctioned[of] {
				m.sanctioned[of] = true
				check(m.Moderation.Impose(m.ctx, feed.Sanction{Subject: of, Reason: "spam", At: noon}))
			}
		}
		m.compare()
		for of := range m.sanctioned {
			check(m.Moderation.Lift(m.ctx, of, noon, "mod"))
		}
	}
	m.sanctioned = nil
	m.compare()
}

// compare compares for all viewers. A sanction is judged before bonds, so that few of them say enough.
func (m *audienceTable) compare() {
	viewers := append([]audienceViewer{{}}, m.viewers...)
	if m.sanctioned != nil {
		viewers = slices.DeleteFunc(viewers, func(v audienceViewer) bool { return max(v.author, v.parent) > follows })
	}
	for _, p := range m.pairs {
		viewers = append(viewers, audienceViewer{id: p.author})
		if p.hostIs == isPresent {
			viewers = append(viewers, audienceViewer{id: p.host})
		}
	}
	for _, v := range viewers {
		m.compareViewer(v)
	}
}

func (m *audienceTable) compareViewer(v audienceViewer) {
	ids := each(m.posts, func(p *audiencePost) feed.PostID { return p.ID })
	direct := timeline.Direct{Relations: m.Relations, Outboxes: m.Outboxes, Posts: m.Posts, Primary: m.Posts}
	judged := must(feed.Judge(m.ctx, v.id, direct.State(v.id), ids, feed.ScopePublic))
	home := must(feed.Judge(m.ctx, v.id, direct.State(v.id), ids, feed.ScopeHome))
	listed := must(feed.Judge(m.ctx, v.id, direct.State(v.id), ids, feed.ScopeListed))
	reference, inList := idsOf(m.feedOf(v.id)), idsOf(must(m.Reference.Feed(m.ctx, v.id, feed.MembersOf(everyone), all())))
	for i, p := range m.posts {
		what := fmt.Sprintf("viewer %+v, %s %d for %d by %d of %+v", v, p.Kind, p.ID, p.Audience, p.Author, p.pair)
		failIf(m.t, (judged[i] != nil) != m.shows(v, p), "%s: the judge shows it: %t", what, judged[i] != nil)
		failIf(m.t, (home[i] != nil) != (v.hasAtHome(p) && m.shows(v, p)), "%s: the judge shows it at home: %t", what, home[i] != nil)
		shown := m.shows(v, p) && !v.mutes(p)
		failIf(m.t, (listed[i] != nil) != shown, "%s: the judge shows it in a list: %t", what, listed[i] != nil)
		failIf(m.t, inList[p.ID] != shown, "%s: the reference query of a list shows it: %t", what, inList[p.ID])
		if v.id != 0 {
			failIf(m.t, reference[p.ID] != (v.hasAtHome(p) && m.shows(v, p)), "%s: the reference query shows it: %t", what, reference[p.ID])
		}
	}
}

// shows reports whether the viewer may see a post, and is the author of all that is sanctioned of its chain.
func (m *audienceTable) shows(v audienceViewer, p *audiencePost) bool {
	for original := p; original != nil; original = original.chain {
		sanctioned := m.sanctioned[feed.Subject{Post: original.ID}] || m.sanctioned[feed.Subject{User: original.Author}]
		if sanctioned && (v.id == 0 || original.Author != v.id) {
			return false
		}
	}
	return v.sees(p)
}

// hasAtHome reports whether the viewer's home feed has a post.
func (v audienceViewer) hasAtHome(p *audiencePost) bool {
	return (p.Author == v.id || v.to(p.pair, p.Author).follows()) && !v.mutes(p) && v.sees(p)
}

// mutes reports whether the viewer mutes an author of a post's chain.
func (v audienceViewer) mutes(p *audiencePost) bool {
	for original := p; original != nil; original = original.chain {
		if original.Author != v.id && v.to(p.pair, original.Author) == followsMuted {
			return true
		}
	}
	return false
}

func idsOf(keys []feed.Key) map[feed.PostID]bool {
	set := map[feed.PostID]bool{}
	for _, k := range keys {
		set[feed.PostID(k.ID)] = true
	}
	return set
}

// sees is the table: it reports whether the viewer may see a post.
func (v audienceViewer) sees(p *audiencePost) bool {
	if p.chain != nil && !v.sees(p.chain) {
		return false
	}
	pair := p.pair
	gone := pair.hostIs != isPresent
	if p.Author == pair.host && gone {
		return false
	}
	if p.Author != v.id && v.to(pair, p.Author).hides() {
		return false
	}
	isOrFollows := func(user feed.UserID) bool {
		return v.id != 0 && (v.id == user || v.to(pair, user).follows() && (user != pair.host || !gone))
	}
	for _, user := range []feed.UserID{p.Author, p.AudienceAuthor} {
		private := user == pair.author && pair.authorPrivate || user == pair.host && pair.hostPrivate
		if private && !isOrFollows(user) {
			return false
		}
	}
	if p.Audience == feed.AudiencePublic || v.id != 0 && p.Author == v.id {
		return true
	}
	return p.AudienceAuthor != 0 && isOrFollows(p.AudienceAuthor) && (p.AudienceAuthor == v.id || !v.to(pair, p.AudienceAuthor).hides())
}

// to returns the viewer's bond to a user of a pair. Only viewers without a role have bonds.
func (v audienceViewer) to(pair threadPair, user feed.UserID) bond {
	switch user {
	case pair.author:
		return v.author
	case pair.host:
		return v.parent
	}
	return noBond
}

// accountsOfPosts checks [feed.Post.Accounts].
func accountsOfPosts(w *world) {
	w.post(1, ann, noon)
	comment := newComment(2, bob, noon, 1)
	comment.AudienceAuthor = ann
	w.publish(comment)
	accounts := func(what string, post, comment feed.PostAccounts) {
		posts := w.postsOf(1, 2)
		w.same("ann's post "+what, posts[0].Accounts, post)
		w.same("bob's comment "+what, posts[1].Accounts, comment)
	}
	accounts("at first", 0, 0)
	w.setPrivate(ann, true)
	w.same("the private account", w.usersOf(ann)[0].Private, true)
	accounts("on a private account's post", feed.AuthorPrivate, feed.AudienceAuthorPrivate)
	w.setPrivate(bob, true)
	accounts("by a private account", feed.AuthorPrivate, feed.AuthorPrivate|feed.AudienceAuthorPrivate)
	w.setPrivate(ann, false)
	check(w.Presence.SetAbsent(w.ctx, []feed.UserID{ann}, true))
	accounts("on an absent author's post", 0, feed.AuthorPrivate|feed.AudienceAuthorGone)
	check(w.Presence.SetAbsent(w.ctx, []feed.UserID{ann}, false))
	w.deleteAccounts(ann)
	accounts("on a deleted author's post", 0, feed.AuthorPrivate|feed.AudienceAuthorGone)
}

// editedAudience checks what [feed.PostEdit] changes.
func editedAudience(w *world) {
	must(w.Numberer.CheckEpoch(w.ctx))
	w.post(1, ann, noon)
	want := w.postsOf(1)[0]
	for _, audience := range []feed.PostAudience{forFollowers, forAll} {
		before := w.numberAll()
		edited := *want
		edited.Audience = audience
		w.same("the returned post", must(w.PostWriter.Edit(w.ctx, 1, feed.PostEdit{Audience: &audience, At: noon + 5})), &edited)
		w.same("the stored post", w.postsOf(1), []*feed.Post{&edited})
		row := feed.Change{Kind: feed.ChangeEdited, User: ann, Post: 1, Other: feed.NarrowedFor(ann, audience == forFollowers, audience == forAll)}
		w.same("the change", withoutNumbers(w.loggedAfter(before)), []feed.Change{row})
	}
	text := must(w.PostWriter.Edit(w.ctx, 1, feed.PostEdit{Text: new("new"), At: noon + 5}))
	w.same("the edit of the text", []any{text.Text, text.EditedAt, text.Audience}, []any{"new", noon + 5, forAll})
}

func (w *world) setPrivate(user feed.UserID, private bool) {
	must(w.Profiles.UpdateProfile(w.ctx, user, feed.ProfileChange{Private: &private}))
}

// strangersOutbox checks [feed.List.Stranger].
func strangersOutbox(w *world) {
	var want, all []feed.Key
	for id := feed.PostID(1); id <= 8; id++ {
		p := newPost(id, ann, noon+int64(id))
		p.AudienceAuthor = ann
		if id%2 == 0 {
			p.Audience = feed.AudienceFollowers
		}
		if id%4 == 0 {
			p.Kind, p.ReplyTo, p.AudienceAuthor = feed.KindComment, 99, bob
		}
		key := w.publish(p)
		all = append(all, key)
		if id%4 != 2 {
			want = append(want, key)
		}
	}
	slices.Reverse(want)
	slices.Reverse(all)
	ref := feed.OutboxRef(ann)
	found := must(w.Lists.ReadLists(w.ctx, []feed.List{
		{Ref: ref, Range: feed.Range{Below: feed.Top, Limit: many}, Stranger: true},
		{Ref: ref, Range: feed.Range{Below: feed.Top, Limit: many}},
		{Ref: ref, Range: feed.Range{Below: feed.Top, Limit: 3}, Stranger: true},
	}))
	w.same("the stranger's list", found[0], want)
	w.same("the whole list", found[1], all)
	w.same("the beginning of the stranger's list", found[2], want[:3])
}

// privacyTwiceADay checks that [feed.Profiles] limits changes of privacy.
func privacyTwiceADay(t *testing.T, b Backend) {
	w := worldOf(t, b.Stores)
	w.user(ann, bob)
	set := func(private bool) error {
		return errorOf(w.Profiles.UpdateProfile(w.ctx, ann, feed.ProfileChange{Private: &private, Name: new("Ann " + fmt.Sprint(private))}))
	}
	check(set(true))
	b.Clock.Advance(23 * time.Hour)
	check(set(true)) // changes nothing
	check(set(false))
	w.mustHaveCode(feed.CodeConflict, set(true), "isPrivate")
	w.same("the unchanged name", w.usersOf(ann)[0].Name, "Ann false")
	w.setPrivate(bob, true)
	b.Clock.Advance(time.Hour)
	check(set(true))
	w.mustHaveCode(feed.CodeConflict, set(false), "isPrivate")
	b.Clock.Advance(23 * time.Hour)
	check(set(false))
	w.mustHaveCode(feed.CodeNotFound, errorOf(w.Profiles.UpdateProfile(w.ctx, 12345, feed.ProfileChange{Private: new(true)})))
}
