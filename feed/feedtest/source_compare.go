package feedtest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// page reads a home feed in one page, by one of three processes.
func (m *source) page(viewer feed.UserID) []feed.Key {
	process := []*timeline.Timeline{m.s.Cached, m.s.OtherProcess, m.s.Uncached}[m.random.IntN(3)]
	page := must(process.Page(m.ctx, viewer, feed.PageQuery{First: new(m.s.Policy.PageMax)}))
	return each(page.Entries, func(e feed.Entry) feed.Key { return e.Post.Key() })
}

// comparePages compares every home feed at rest with the source's tables.
func (m *source) comparePages() {
	check(m.s.Rest(m.ctx))
	for _, viewer := range m.users() {
		m.sameFeed("the home feed of user "+viewer.String(), viewer, m.page(viewer))
		m.read[m.s.LastSource(viewer)]++
	}
}

// compare compares what every viewer reads with the source's tables, with the inboxes of the history,
// and with those that these reads have built.
func (m *source) compare() {
	m.comparePages()
	m.comparePages()
	m.compareLookups()
	m.compareLists()
	m.compareAuthorLists()
	m.compareLives()
	for _, viewer := range m.users() {
		m.sameFeed("the feed of user "+viewer.String(), viewer, m.feedOf(viewer))
		m.same("the followees of user "+viewer.String(), m.userCounters(viewer).Following, m.count(func(r feed.Record) bool {
			return isFollow(r) && r.Follow.Follower == viewer
		}))
		m.same("the followers of user "+viewer.String(), m.userCounters(viewer).Followers, m.count(func(r feed.Record) bool {
			return isFollow(r) && r.Follow.Followee == viewer
		}))
		m.same("the posts of user "+viewer.String(), m.userCounters(viewer).Posts, m.count(func(r feed.Record) bool {
			return r.Post != nil && r.Post.Author == viewer
		}))
		m.same("the counters that the source sent of user "+viewer.String(), m.sourceUserCounters(viewer),
			m.countersFromRows(userCountersRecord(viewer, feed.UserCounters{})).UserCounters)
	}
	for _, viewer := range m.users() {
		if u := m.userOf(viewer); u != nil && m.text {
			m.same("the external id of user "+viewer.String(), u.External, m.external(feed.UserIDs, int64(viewer)))
		}
	}
	for _, id := range m.posts() {
		if p := m.postsOf(id)[0]; p != nil && m.text {
			m.same("the external id of post "+id.String(), p.External, m.external(feed.PostIDs, int64(id)))
		}
		m.same("the counters that the source sent of post "+id.String(), m.sourcePostCounters(id),
			m.countersFromRows(postCountersRecord(id, feed.PostCounters{})).PostCounters)
		counters := must(m.Counters.PostCounters(m.ctx, []feed.PostID{id}))
		m.same("the counters of post "+id.String(), counters[0], feed.PostCounters{
			Likes:    m.count(func(r feed.Record) bool { return r.Reaction != nil && r.Reaction.Post == id }),
			Comments: m.count(func(r feed.Record) bool { return r.Post != nil && r.Post.ReplyTo == id }),
			Reposts:  m.count(func(r feed.Record) bool { return r.Post != nil && r.Post.RepostOf == id }),
		})
	}
}

// countersFromRows returns the counters of the source for the object of r.
func (m *source) countersFromRows(r feed.Record) feed.CountersRecord {
	if !m.is(r) {
		return feed.CountersRecord{}
	}
	return *m.rows[r.Object()].Counters
}

// count returns the number of rows that are there.
func (m *source) count(which func(feed.Record) bool) (n int64) {
	for _, r := range m.rows {
		if !isGone(r) && which(r) {
			n++
		}
	}
	return n
}

func isGone(r feed.Record) bool {
	return r.EndedAt != 0 || r.User != nil && r.User.DeletedAt != 0 || r.Post != nil && r.Post.DeletedAt != 0
}

// is reports whether the row of an object is there.
func (m *source) is(r feed.Record) bool {
	row, ok := m.rows[r.Object()]
	return ok && !isGone(row)
}

// isFollow reports whether a row is a follow, and not a request.
func isFollow(r feed.Record) bool { return r.Follow != nil && !r.Follow.Requested }

func (m *source) follows(follower, followee feed.UserID) bool {
	r := followRecord(follower, followee)
	return m.is(r) && isFollow(m.rows[r.Object()])
}

// shows reports whether posts of an author may be in the viewer's home feed at all.
func (m *source) shows(viewer, author feed.UserID) bool {
	return m.isPresent(author) && (viewer == author || !m.isSuspended(author) && !m.is(relationRecord(feed.RelationMute, viewer, author)) &&
		!m.is(relationRecord(feed.RelationBlock, viewer, author)) &&
		!m.is(relationRecord(feed.RelationBlock, author, viewer)) &&
		!m.is(relationRecord(feed.RelationHide, author, viewer)) && m.opens(viewer, author))
}

// opens reports whether the viewer may see what is for those who see an account.
func (m *source) opens(viewer, account feed.UserID) bool {
	return !m.isPrivate(account) || viewer == account || m.follows(viewer, account)
}

func (m *source) isPrivate(user feed.UserID) bool {
	row, ok := m.userRow(user)
	return !ok || row.User.Private
}

func (m *source) userRow(id feed.UserID) (row feed.Record, ok bool) {
	row, ok = m.rows[feed.Object{Type: feed.RecordUser, A: int64(id)}]
	return row, ok
}

func (m *source) postRow(id feed.PostID) (row feed.Record, ok bool) {
	row, ok = m.rows[feed.Object{Type: feed.RecordPost, A: int64(id)}]
	return row, ok
}

func (m *source) isPresent(user feed.UserID) bool {
	row, ok := m.userRow(user)
	return (ok || m.mode == feed.UsersImplicit) && !isGone(row)
}

func (m *source) isSuspended(user feed.UserID) bool {
	row, ok := m.userRow(user)
	return ok && row.User.Suspended != 0
}

// sameFeed compares a feed with the one that the source's tables give.
func (m *source) sameFeed(what string, viewer feed.UserID, got []feed.Key) {
	want, unsure := m.feedFromRows(viewer)
	got = slices.DeleteFunc(slices.Clone(got), func(k feed.Key) bool { return unsure[k] })
	m.same(what, got, slices.DeleteFunc(want, func(k feed.Key) bool { return unsure[k] }))
}

// feedFromRows is the feed as the source would compute it, and those posts of it that the rows do not decide.
func (m *source) feedFromRows(viewer feed.UserID) (keys []feed.Key, unsure map[feed.Key]bool) {
	unsure = map[feed.Key]bool{}
	for _, r := range m.rows {
		if r.Post == nil || isGone(r) || r.Post.Author != viewer && (!m.follows(viewer, r.Post.Author) || m.lacks(viewer, r.Post.Author)) {
			continue
		}
		shows, sure := m.chainShows(viewer, r.Post)
		if shows {
			keys = append(keys, r.Post.Key())
		}
		if !sure {
			unsure[r.Post.Key()] = true
		}
	}
	slices.SortFunc(keys, func(a, b feed.Key) int { return -cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(a.ID, b.ID)) })
	return keys, unsure
}

func (m *source) chainShows(viewer feed.UserID, p *feed.Post) (shows, sure bool) {
	sure = true
	for links := 0; links <= feed.DefaultPolicy().RepostDepth; links++ {
		opens, known := m.threadOpens(viewer, p)
		if sure = sure && known; !opens || !m.shows(viewer, p.Author) || p.TakenDown != 0 && p.Author != viewer {
			return false, sure
		}
		if p.RepostOf == 0 {
			return true, sure
		}
		original, ok := m.postRow(p.RepostOf)
		if !ok || isGone(original) {
			return false, sure
		}
		p = original.Post
	}
	return false, sure
}

// threadOpens reports whether the account that a post's thread began with lets the viewer see it. The rows do
// not tell if they lack a post between: it may have come and gone, and passed its audience author on. Nor do
// they tell the privacy of a deleted account.
func (m *source) threadOpens(viewer feed.UserID, p *feed.Post) (opens, sure bool) {
	for passed := 0; passed <= sourcePosts; passed++ {
		parent := p.Parent()
		if parent == 0 {
			return m.opens(viewer, p.Author), m.isPresent(p.Author)
		}
		row, ok := m.postRow(parent)
		if !ok {
			return true, true
		}
		if isGone(row) {
			return true, false
		}
		p = row.Post
	}
	return true, false // a circle
}

// compareLookups compares the results of look-ups by handle and of searches with the source's tables.
func (m *source) compareLookups() {
	for n := range 3 {
		word := fmt.Sprintf("w%dx%d", m.number, n)
		var owner *feed.User
		var found []feed.UserID
		for _, id := range m.users() {
			row, ok := m.userRow(id)
			if !ok || isGone(row) {
				continue
			}
			u := &row.User.User
			if u.Name == word && u.Suspended == 0 {
				found = append(found, id)
			}
			if strings.EqualFold(u.Handle, "h"+word) && (owner == nil || u.CreatedAt < owner.CreatedAt) {
				owner = u // the first of equal times has the smallest id
			}
		}
		got := must(m.Users.UserByHandle(m.ctx, "h"+word))
		if got != nil {
			got.Flag = feed.FlagNone // no field of a record
		}
		m.same("the user with the handle h"+word, got, owner)
		keys := must(m.Profiles.SearchUsers(m.ctx, feed.SearchWords("", word), all()))
		m.same("the users named "+word, slices.Sorted(slices.Values(each(keys, func(k feed.Key) feed.UserID { return feed.UserID(k.ID) }))), found)
	}
}

// compareLists compares the followers and followees of every user with the source's tables.
func (m *source) compareLists() {
	for _, user := range m.users() {
		m.same("the list of followers of user "+user.String(), m.listed(m.Relations.Followers, user), m.present(func(other feed.UserID) bool {
			return m.follows(other, user)
		}))
		m.same("the list of followees of user "+user.String(), m.listed(m.Relations.Following, user), m.present(func(other feed.UserID) bool {
			return m.follows(user, other)
		}))
	}
}

// lacks reports whether the viewer's home feed lacks posts by an author in an exclusive list.
func (m *source) lacks(viewer, author feed.UserID) bool {
	return slices.ContainsFunc(m.lists(), func(id feed.ListID) bool {
		list := listRecord(id, viewer)
		return m.is(list) && m.is(memberRecord(id, author)) && m.rows[list.Object()].List.Owner == viewer && m.rows[list.Object()].List.Exclusive
	})
}

// compareAuthorLists compares lists of authors and their members with the source's tables.
func (m *source) compareAuthorLists() {
	for _, id := range m.lists() {
		list, want := listRecord(id, 0), (*feed.AuthorList)(nil)
		members := m.count(func(r feed.Record) bool { return r.ListMember != nil && r.ListMember.List == id })
		if m.is(list) {
			row := *m.rows[list.Object()].List
			row.Members, want = members, &row
			got := m.membersOf(id)
			slices.Sort(got)
			m.same("the members of list "+fmt.Sprint(id), got, m.present(func(user feed.UserID) bool { return m.is(memberRecord(id, user)) }))
		}
		m.same("list "+fmt.Sprint(id), m.storedList(id), want)
	}
}

func (m *source) listed(list func(context.Context, feed.UserID, feed.Range) ([]feed.Key, error), user feed.UserID) []feed.UserID {
	ids := each(must(list(m.ctx, user, all())), func(k feed.Key) feed.UserID { return feed.UserID(k.ID) })
	slices.Sort(ids)
	return ids
}

// present returns the users that which selects, without absent ones.
func (m *source) present(which func(feed.UserID) bool) (ids []feed.UserID) {
	for _, id := range m.users() {
		if m.isPresent(id) && which(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// compareLives compares every live feed with the source's tables.
func (m *source) compareLives() {
	for _, viewer := range m.users() {
		page := must(m.s.Live.Feed.Page(m.ctx, viewer, live.Query{First: new(m.s.Policy.PageMax)}))
		got := each(page.Entries, func(e live.PageEntry) live.Position { return e.Session.Position() })
		m.same("the live feed of user "+viewer.String(), got, m.livesFromRows(viewer))
	}
}

// livesFromRows is the live feed as the source would compute it.
func (m *source) livesFromRows(viewer feed.UserID) (lives []live.Position) {
	for _, r := range m.rows {
		if r.Live == nil || r.Live.CancelledAt != 0 || !m.shows(viewer, r.Live.Host) {
			continue
		}
		if r.Live.Host == viewer || m.follows(viewer, r.Live.Host) {
			steps := live.Steps(*r.Live)
			lives = append(lives, steps[len(steps)-1].Position())
		}
	}
	slices.SortFunc(lives, live.Position.Compare)
	return lives
}
