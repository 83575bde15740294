package feedtest

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// SourceModel plays random histories of another system, which sends the changes of its tables. Once
// everything has arrived and all work is done, each home and live feed, and what leads to a user, equals
// that of the source's tables.
//
// Accounts become private and public, and follows are requested. Records come in order or, with
// versions, in any order and several times. Users, posts and lists are referred to before they arrive, and go
// and return. The process that reads the source dies between a batch and its fan-outs, and a zombie
// applies batches again. The source restores its database, and its versions begin again. Feeds are
// read meanwhile, so that there are inboxes and caches.
//
// histories is their number in each setting, unless the flag -rapid.checks overrides it. open opens
// a backend for each; it may return the same one again. A failure prints the seed, which the flag
// -rapid.seed repeats.
func SourceModel(t *testing.T, open func(t *testing.T, p feed.Policy) Backend, histories int) {
	draw := rand.Uint64
	if isSet("rapid.checks") {
		histories = flag.Lookup("rapid.checks").Value.(flag.Getter).Get().(int)
	}
	if isSet("rapid.seed") {
		histories, draw = 1, func() uint64 { return flag.Lookup("rapid.seed").Value.(flag.Getter).Get().(uint64) }
	}
	played := int64(0)
	for _, setting := range []struct {
		ordered bool
		mode    feed.FanoutMode
		cap     int
	}{
		{true, feed.FanoutHybrid, 5},
		{false, feed.FanoutHybrid, 5},
		{true, feed.FanoutPush, 3},
		{false, feed.FanoutPush, 3},
	} {
		p := SmallPolicy(setting.mode)
		p.InboxCap = setting.cap
		t.Run(fmt.Sprintf("%s mode, ordered %v, ids as %s", p.Fanout, setting.ordered, IDsFor(p)), func(t *testing.T) {
			var seed uint64
			read := map[feed.Source]int{}
			defer func() {
				t.Logf("%d histories so far, the last with seed %d; sources of the pages read at rest: %v", played, seed, read)
			}()
			for n := 0; n < histories && !t.Failed(); n++ {
				played++
				seed = draw()
				m := newSource(t, open(t, p), p, played, seed)
				m.ordered, m.read = setting.ordered, read
				m.play()
			}
			if read[feed.SourceInbox] == 0 {
				t.Error("no page came from an inbox alone")
			}
		})
	}
}

const (
	sourceUsers  = 6
	sourcePosts  = 14
	sourceLives  = 4
	sourceLists  = 3
	sourceRounds = 4
	// sourceChanges is the number of changes in a round.
	sourceChanges = 30
)

// source is another system with its own tables. It sends the state of a row after each change.
type source struct {
	*world
	s       *Service
	random  *rand.Rand
	ordered bool
	mode    feed.UserMode
	// number is that of the history. Ids of users and posts follow firstUser and firstPost.
	number    int64
	firstUser feed.UserID
	firstPost feed.PostID
	// text says that ids are texts.
	text bool
	// rows are the current records, gone or not; by object.
	rows map[feed.Object]feed.Record
	// arrived are the objects whose records may be partial.
	arrived map[feed.Object]bool
	version feed.ObjectVersion
	// waiting are records that were sent and not delivered, sent all that were.
	waiting, sent []feed.Record
	position      int
	// read counts the sources of pages at rest.
	read map[feed.Source]int
}

func newSource(t *testing.T, b Backend, p feed.Policy, number int64, seed uint64) *source {
	m := &source{
		world: worldOf(t, b.Stores), s: NewService(b, p), random: rand.New(rand.NewPCG(seed, 7)),
		number: number, firstUser: feed.UserID(10 * number), firstPost: feed.PostID(100 * number),
		rows: map[feed.Object]feed.Record{}, arrived: map[feed.Object]bool{},
	}
	UseIDs(t, b.Stores, IDsFor(p))
	must(m.Numberer.CheckEpoch(m.ctx))
	m.useIDs(IDsFor(p))
	// From the first private record on, users without a record are private.
	private := profileRecord(m.firstUser, "", "")
	private.User.Private = true
	m.addExternal(&private)
	m.ingests(batchOf([]feed.Record{private}))
	return m
}

// play plays the history.
func (m *source) play() {
	for round := range sourceRounds {
		m.mode = []feed.UserMode{feed.UsersExplicit, feed.UsersImplicit}[round%2]
		m.useUsers(m.mode)
		for range sourceChanges {
			m.change()
			switch m.random.IntN(8) {
			case 0, 1:
				m.deliver()
			case 2:
				m.page(m.userID())
			case 3:
				check(m.s.Work(m.ctx))
			}
		}
		if m.random.IntN(4) == 0 {
			m.restoreSource()
		}
		m.deliverAll()
		m.compare()
	}
}

// useIDs gives each object the number that the model uses.
func (m *source) useIDs(mode feed.IDMode) {
	m.text = mode == feed.TextIDs
	for _, id := range m.users() {
		if m.text {
			m.drawAs(feed.UserIDs, m.external(feed.UserIDs, int64(id)), int64(id))
		}
		// A first request makes a placeholder.
		must(m.Users.EnsureUser(m.ctx, &feed.User{ID: id, External: m.external(feed.UserIDs, int64(id))}))
	}
	for _, id := range m.posts() {
		if m.text {
			m.drawAs(feed.PostIDs, m.external(feed.PostIDs, int64(id)), int64(id))
			m.drawAs(feed.LiveIDs, m.external(feed.LiveIDs, int64(id)), int64(id))
			m.drawAs(feed.ListIDs, m.external(feed.ListIDs, int64(id)), int64(id))
		}
	}
}

func (m *source) users() []feed.UserID {
	return each(upTo(feed.UserID(sourceUsers)), func(n feed.UserID) feed.UserID { return m.firstUser + n })
}

func (m *source) posts() []feed.PostID {
	return each(upTo(feed.PostID(sourcePosts)), func(n feed.PostID) feed.PostID { return m.firstPost + n })
}

func (m *source) lists() []feed.ListID {
	return each(upTo(feed.ListID(sourceLists)), func(n feed.ListID) feed.ListID { return feed.ListID(m.firstPost) + n })
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
	case r.List != nil:
		r.List.External = m.external(feed.ListIDs, int64(r.List.ID))
		ref(&r.List.Owner)
	case r.ListMember != nil:
		ref(&r.ListMember.User)
	case r.Live != nil:
		r.Live.External = m.external(feed.LiveIDs, r.Live.ID)
		ref(&r.Live.Host)
	}
}

func (m *source) userID() feed.UserID { return m.firstUser + feed.UserID(1+m.random.IntN(sourceUsers)) }

func (m *source) postID() feed.PostID { return m.firstPost + feed.PostID(1+m.random.IntN(sourcePosts)) }

// change changes one row and sends it.
func (m *source) change() {
	r := m.draw()
	if have, ok := m.rows[r.Object()]; ok && r.Post != nil {
		// Author, place and references of a post are fixed.
		fixed := *have.Post
		fixed.Text, fixed.TakenDown, fixed.DeletedAt = r.Post.Text, r.Post.TakenDown, 0
		r.Post = &fixed
	}
	if r.Live == nil && m.random.IntN(4) == 0 {
		r = m.end(r)
	}
	m.addExternal(&r)
	r = m.versioned(r)
	m.rows[r.Object()] = r
	m.waiting = append(m.waiting, m.abridged(r))
	if !isGone(r) {
		m.arrived[r.Object()] = true
	} else if r.Counters != nil { // of counters that are gone, nothing is kept
		delete(m.arrived, r.Object())
	}
}

// end returns the record as one of an object that is gone. A source with a table of requests ends what is one there.
func (m *source) end(r feed.Record) feed.Record {
	have := m.rows[r.Object()]
	r = gone(r)
	if r.Follow != nil {
		r.Follow.Requested = m.ordered && have.Follow != nil && have.Follow.Requested
	}
	return r
}

// versioned gives a record its version, where records have one.
func (m *source) versioned(r feed.Record) feed.Record {
	m.version.Number++
	r.Version = m.version
	if m.ordered {
		r.Version = feed.ObjectVersion{}
	}
	return r
}

// restoreSource restores the source's database: versions begin again in another epoch, and the
// source sends all rows.
func (m *source) restoreSource() {
	m.version = feed.ObjectVersion{Epoch: m.version.Epoch + 1}
	objects := slices.SortedFunc(maps.Keys(m.rows), func(a, b feed.Object) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	for _, object := range objects {
		m.rows[object] = m.versioned(m.rows[object])
		m.waiting = append(m.waiting, m.rows[object])
	}
}

// abridged returns the record, or a partial one with what may have changed.
func (m *source) abridged(r feed.Record) feed.Record {
	if !m.ordered || !m.arrived[r.Object()] || m.random.IntN(2) == 0 {
		return r
	}
	switch {
	case r.User != nil:
		r.User = &feed.UserRecord{
			User: feed.User{
				ID: r.User.ID, External: r.User.External, Handle: r.User.Handle, Name: r.User.Name,
				Private: r.User.Private, Suspended: r.User.Suspended, CreatedAt: r.User.CreatedAt,
			},
			DeletedAt: r.User.DeletedAt,
		}
		return partial(r, "handle", "name", "private", "suspended", "createdAt", "deletedAt")
	case r.Live != nil:
		return r
	case r.List != nil:
		r.List = &feed.AuthorList{ID: r.List.ID, External: r.List.External, Owner: r.List.Owner, Name: r.List.Name, Exclusive: r.List.Exclusive}
		return partial(r, "name", "exclusive", "deletedAt")
	case r.Post != nil:
		r.Post = &feed.Post{ID: r.Post.ID, External: r.Post.External, Author: r.Post.Author, Text: r.Post.Text, TakenDown: r.Post.TakenDown, DeletedAt: r.Post.DeletedAt}
	case r.Follow != nil:
		r.Follow = &feed.FollowRecord{Follower: r.Follow.Follower, Followee: r.Follow.Followee, Requested: r.Follow.Requested}
		return partial(r, "state", "deletedAt")
	}
	if r.Counters != nil {
		// What draw does not change is left out.
		c := *r.Counters
		c.Comments, c.Following = 0, 0
		r.Counters = &c
		return partial(r, "likes", "followers", "deletedAt")
	}
	return partial(r, "text", "takenDown", "deletedAt")
}

func (m *source) draw() feed.Record {
	a, b := m.userID(), m.userID()
	for a == b {
		b = m.userID()
	}
	switch m.random.IntN(13) {
	case 0, 1:
		r := profileRecord(a, "", m.word())
		if m.random.IntN(5) > 0 {
			r.User.Handle = m.handle()
		}
		r.User.CreatedAt, r.User.Suspended, r.User.Private = noon-int64(m.random.IntN(2)), m.hidden(), m.random.IntN(4) == 0
		return r
	case 2, 3:
		r := followRecord(a, b)
		r.Follow.Requested = m.random.IntN(4) == 0
		return r
	case 4:
		kinds := relationKinds()
		return relationRecord(kinds[m.random.IntN(3)], a, b)
	case 5:
		return reactionRecord(feed.ReactionLike, a, m.postID())
	case 6:
		n := int64(m.random.IntN(3))
		if m.random.IntN(2) == 0 {
			return userCountersRecord(a, feed.UserCounters{Followers: n, Following: 7})
		}
		return postCountersRecord(m.postID(), feed.PostCounters{Likes: n, Comments: 7})
	case 7:
		return m.drawLive(a)
	case 10:
		return m.drawList(a)
	case 11, 12:
		return memberRecord(m.lists()[m.random.IntN(sourceLists)], a)
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
	r.Post.AudienceAuthor = 0 // it is that of the parent
	r.Post.PublishedAt = noon - int64(m.random.IntN(4))
	r.Post.Text, r.Post.TakenDown = []string{"one", "two"}[m.random.IntN(2)], m.hidden()
	return r
}

// hidden draws whether a record hides its object.
func (m *source) hidden() feed.HiddenFor {
	if m.random.IntN(5) == 0 {
		return feed.HiddenForRecord
	}
	return 0
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
	b := batchOf(batch)
	b.Ordered = m.ordered
	if m.ordered {
		b.Move = feed.PositionMove{Partition: fmt.Sprint(m.number), Identity: "one", To: feed.UserID(m.position + 1).String()}
		if m.position > 0 {
			b.Move.From = feed.UserID(m.position).String()
		}
		m.position++
	}
	got := m.ingests(b)
	if len(got.Bad) > 0 {
		m.t.Fatalf("bad records: %+v", got.Bad)
	}
	if m.random.IntN(3) > 0 { // otherwise the process dies before
		check(m.s.enqueue(m.ctx, got))
	}
	if _, err := m.Ingester.Ingest(m.ctx, b); m.ordered && err == nil {
		m.t.Fatal("the same batch is applied twice")
	} else if !m.ordered {
		check(err)
	}
}

// drawLive draws a session of a host, or the next step of one.
func (m *source) drawLive(host feed.UserID) feed.Record {
	r := feed.LiveRecord{ID: int64(m.firstPost) + 1 + int64(m.random.IntN(sourceLives)), Host: host, ScheduledAt: noon}
	row, drawn := m.rows[feed.Object{Type: feed.RecordLive, A: r.ID}]
	if drawn {
		r = *row.Live
	}
	switch {
	case !drawn || !r.Open() || m.random.IntN(3) == 0:
	case r.StartedAt != 0:
		r.EndedAt = noon + 1
	case m.random.IntN(3) == 0:
		r.CancelledAt = noon
	default:
		r.StartedAt = noon
	}
	r.Title = m.word()
	return feed.Record{Live: &r}
}

// drawList draws a list of an owner, or a change of one.
func (m *source) drawList(owner feed.UserID) feed.Record {
	r := exclusiveRecord(m.lists()[m.random.IntN(sourceLists)], owner)
	if row, drawn := m.rows[r.Object()]; drawn {
		r.List.Owner = row.List.Owner
	}
	r.List.Name, r.List.Exclusive = m.word(), m.random.IntN(3) > 0
	return r
}

// handle draws one of few handles, in two forms that are the same. They move between users.
func (m *source) handle() string { return []string{"h", "H"}[m.random.IntN(2)] + m.word() }

// word draws a word that only this history has.
func (m *source) word() string { return fmt.Sprintf("w%dx%d", m.number, m.random.IntN(3)) }
