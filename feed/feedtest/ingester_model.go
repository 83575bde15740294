package feedtest

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// ingestModel plays random histories of a source, whose own tables say what every feed must be.
func ingestModel(t *testing.T, open func(t *testing.T) Stores) {
	for name, ordered := range map[string]bool{"in order": true, "without order": false} {
		t.Run(name, func(t *testing.T) {
			w := &world{t: t, ctx: t.Context(), Stores: open(t)}
			m := newSource(w, w.seed(), ordered)
			m.useIDs()
			for round := range sourceRounds {
				m.mode = []feed.UserMode{feed.UsersExplicit, feed.UsersImplicit}[round%2]
				w.useUsers(m.mode)
				for range 30 {
					m.change()
					if m.random.IntN(4) == 0 {
						m.deliver()
					}
				}
				m.deliverAll()
				m.compare()
			}
		})
	}
}

const (
	sourceUsers  = 6
	sourcePosts  = 14
	sourceRounds = 4
)

// source is another system with its own tables. It sends the state of a row after each change.
type source struct {
	*world
	random  *rand.Rand
	ordered bool
	mode    feed.UserMode
	// text says that ids are texts.
	text bool
	// rows are the current records, gone or not; by object.
	rows map[feed.Object]feed.Record
	// arrived are the objects whose records may be partial.
	arrived map[feed.Object]bool
	version int64
	// waiting are records that were sent and not delivered, sent all that were.
	waiting, sent []feed.Record
	position      int
}

func newSource(w *world, seed uint64, ordered bool) *source {
	return &source{world: w, random: rand.New(rand.NewPCG(seed, 7)), ordered: ordered, rows: map[feed.Object]feed.Record{}, arrived: map[feed.Object]bool{}}
}

// useIDs makes ids texts in half of the histories. Each has the number that the model uses.
func (m *source) useIDs() {
	m.t.Helper()
	if m.text = m.random.IntN(2) == 0; !m.text {
		return
	}
	_, err := m.IDs.UseIDs(m.ctx, feed.TextIDs)
	m.must(err)
	for id := range int64(sourceUsers) {
		m.drawAs(feed.UserIDs, m.external(feed.UserIDs, id+1), id+1)
	}
	for id := range int64(sourcePosts) {
		m.drawAs(feed.PostIDs, m.external(feed.PostIDs, id+1), id+1)
	}
}

// external returns the external id of a number; empty where ids are numbers.
func (m *source) external(kind feed.IDKind, number int64) feed.ExternalID {
	if !m.text {
		return ""
	}
	return feed.ExternalID(kind) + "|é " + feed.ExternalID(strconv.FormatInt(number, 10))
}

// addExternal adds the external ids of a record that names its users and its own post.
func (m *source) addExternal(r *feed.Record) {
	ref := func(user *feed.UserID) {
		at := (*int64)(user)
		r.IDs = append(r.IDs, feed.IDRef{Kind: feed.UserIDs, ID: m.external(feed.UserIDs, *at), At: at})
	}
	switch {
	case !m.text:
	case r.User != nil:
		r.User.External = m.external(feed.UserIDs, int64(r.User.ID))
	case r.Post != nil:
		r.Post.External = m.external(feed.PostIDs, int64(r.Post.ID))
		ref(&r.Post.Author)
	case r.Follow != nil:
		ref(&r.Follow.Follower)
		ref(&r.Follow.Followee)
	case r.Relation != nil:
		ref(&r.Relation.User)
		ref(&r.Relation.Target)
	case r.Reaction != nil:
		ref(&r.Reaction.User)
	}
}

func (m *source) userID() feed.UserID { return feed.UserID(1 + m.random.IntN(sourceUsers)) }
func (m *source) postID() feed.PostID { return feed.PostID(1 + m.random.IntN(sourcePosts)) }

// change changes one row and sends it.
func (m *source) change() {
	r := m.draw()
	if have, ok := m.rows[r.Object()]; ok && r.Post != nil {
		// Author, place and references of a post are fixed.
		fixed := *have.Post
		fixed.Text, fixed.DeletedAt = r.Post.Text, 0
		r.Post = &fixed
	}
	if m.random.IntN(4) == 0 {
		r = gone(r)
	}
	m.addExternal(&r)
	m.version++
	r.Version = feed.ObjectVersion{Number: m.version}
	if m.ordered {
		r.Version = feed.ObjectVersion{}
	}
	m.rows[r.Object()] = r
	m.waiting = append(m.waiting, m.abridged(r))
	if !isGone(r) {
		m.arrived[r.Object()] = true
	} else if r.Counters != nil {
		delete(m.arrived, r.Object())
	}
}

// abridged returns the record, or a partial one with what may have changed.
func (m *source) abridged(r feed.Record) feed.Record {
	if !m.ordered || !m.arrived[r.Object()] || m.random.IntN(2) == 0 {
		return r
	}
	switch {
	case r.User != nil:
		r.User = &feed.UserRecord{User: feed.User{ID: r.User.ID, External: r.User.External}, DeletedAt: r.User.DeletedAt}
	case r.Post != nil:
		r.Post = &feed.Post{ID: r.Post.ID, External: r.Post.External, Author: r.Post.Author, Text: r.Post.Text, DeletedAt: r.Post.DeletedAt}
	case r.Follow != nil:
		r.Follow = &feed.FollowRecord{Follower: r.Follow.Follower, Followee: r.Follow.Followee}
	}
	if r.Counters != nil {
		// What draw does not change is left out.
		c := *r.Counters
		c.Comments, c.Following = 0, 0
		r.Counters = &c
		return partial(r, "likes", "followers", "deletedAt")
	}
	return partial(r, "text", "deletedAt")
}

func (m *source) draw() feed.Record {
	a, b := m.userID(), m.userID()
	for a == b {
		b = m.userID()
	}
	switch m.random.IntN(9) {
	case 0, 1:
		return profileRecord(a, "u"+a.String(), "")
	case 2, 3:
		return followRecord(a, b)
	case 4:
		kinds := []feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock}
		return relationRecord(kinds[m.random.IntN(3)], a, b)
	case 5:
		return reactionRecord(feed.ReactionLike, a, m.postID())
	case 6:
		n := int64(m.random.IntN(3))
		if m.random.IntN(2) == 0 {
			return userCountersRecord(a, feed.UserCounters{Followers: n, Following: 7})
		}
		return postCountersRecord(m.postID(), feed.PostCounters{Likes: n, Comments: 7})
	}
	return m.drawPost(a)
}

func (m *source) drawPost(author feed.UserID) feed.Record {
	r := postRecord(m.postID(), author)
	switch m.random.IntN(3) {
	case 0:
		r = repostRecord(r.Post.ID, author, m.postID())
	case 1:
		r = commentRecord(r.Post.ID, author, m.postID())
	}
	r.Post.PublishedAt = noon - int64(m.random.IntN(4))
	r.Post.Text = []string{"one", "two"}[m.random.IntN(2)]
	return r
}

// deliver applies some of the waiting records, and perhaps some that were delivered before. On the
// way without order, they come in any order.
func (m *source) deliver() {
	n := m.random.IntN(len(m.waiting) + 1)
	batch := slices.Clone(m.waiting[:n])
	if !m.ordered {
		m.random.Shuffle(len(m.waiting), func(i, j int) { m.waiting[i], m.waiting[j] = m.waiting[j], m.waiting[i] })
		batch = slices.Clone(m.waiting[:n])
		for range m.random.IntN(3) {
			if len(m.sent) > 0 {
				batch = append(batch, m.sent[m.random.IntN(len(m.sent))])
			}
		}
		m.random.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
	}
	m.sent = append(m.sent, m.waiting[:n]...)
	m.waiting = m.waiting[n:]
	m.apply(batch)
}

func (m *source) deliverAll() {
	for len(m.waiting) > 0 {
		m.deliver()
	}
}

// apply ingests a batch. On the way with order, a second consumer tries the same batch again.
func (m *source) apply(batch []feed.Record) {
	m.t.Helper()
	b := batchOf(batch)
	b.Ordered = m.ordered
	if m.ordered {
		b.Move = feed.PositionMove{Partition: "0", Identity: "one", To: feed.UserID(m.position + 1).String()}
		if m.position > 0 {
			b.Move.From = feed.UserID(m.position).String()
		}
		m.position++
	}
	if got := m.ingests(b); len(got.Bad) > 0 {
		m.t.Fatalf("bad records: %+v", got.Bad)
	}
	if _, err := m.Ingester.Ingest(m.ctx, b); m.ordered && err == nil {
		m.t.Fatal("the same batch is applied twice")
	} else if !m.ordered {
		m.must(err)
	}
}

// compare compares every viewer's feed with the source's tables.
func (m *source) compare() {
	m.t.Helper()
	for viewer := feed.UserID(1); viewer <= sourceUsers; viewer++ {
		m.same("the feed of user "+viewer.String(), m.feedOf(viewer), m.feedFromRows(viewer))
		m.same("the followees of user "+viewer.String(), m.userCounters(viewer).Following, m.count(func(r feed.Record) bool {
			return r.Follow != nil && r.Follow.Follower == viewer
		}))
		m.same("the counters that the source sent of user "+viewer.String(), m.sourceUserCounters(viewer),
			m.countersFromRows(userCountersRecord(viewer, feed.UserCounters{})).UserCounters)
	}
	for viewer := feed.UserID(1); viewer <= sourceUsers; viewer++ {
		if u := m.userOf(viewer); u != nil && m.text {
			m.same("the external id of user "+viewer.String(), u.External, m.external(feed.UserIDs, int64(viewer)))
		}
	}
	for id := feed.PostID(1); id <= sourcePosts; id++ {
		if p := m.postsOf(id)[0]; p != nil && m.text {
			m.same("the external id of post "+id.String(), p.External, m.external(feed.PostIDs, int64(id)))
		}
		m.same("the counters that the source sent of post "+id.String(), m.sourcePostCounters(id),
			m.countersFromRows(postCountersRecord(id, feed.PostCounters{})).PostCounters)
		counters, err := m.Counters.PostCounters(m.ctx, []feed.PostID{id})
		m.must(err)
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

// shows reports whether posts of an author may be in the viewer's home feed at all.
func (m *source) shows(viewer, author feed.UserID) bool {
	if row, ok := m.rows[feed.Object{Type: feed.RecordUser, A: int64(author)}]; !ok && m.mode == feed.UsersExplicit || isGone(row) {
		return false
	}
	return viewer == author || !m.is(relationRecord(feed.RelationMute, viewer, author)) &&
		!m.is(relationRecord(feed.RelationBlock, viewer, author)) &&
		!m.is(relationRecord(feed.RelationBlock, author, viewer)) &&
		!m.is(relationRecord(feed.RelationHide, author, viewer))
}

// feedFromRows is the feed as the source would compute it.
func (m *source) feedFromRows(viewer feed.UserID) []feed.Key {
	var keys []feed.Key
	for _, r := range m.rows {
		if r.Post == nil || isGone(r) || r.Post.Author != viewer && !m.is(followRecord(viewer, r.Post.Author)) {
			continue
		}
		if m.chainShows(viewer, r.Post) {
			keys = append(keys, r.Post.Key())
		}
	}
	slices.SortFunc(keys, func(a, b feed.Key) int { return -cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(a.ID, b.ID)) })
	return keys
}

func (m *source) chainShows(viewer feed.UserID, p *feed.Post) bool {
	for links := 0; links <= feed.DefaultPolicy().RepostDepth; links++ {
		if !m.shows(viewer, p.Author) {
			return false
		}
		if p.RepostOf == 0 {
			return true
		}
		original, ok := m.rows[feed.Object{Type: feed.RecordPost, A: int64(p.RepostOf)}]
		if !ok || isGone(original) {
			return false
		}
		p = original.Post
	}
	return false
}
