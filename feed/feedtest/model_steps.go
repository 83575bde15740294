package feedtest

import (
	"math"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// steps returns all steps by name. A step without an object does nothing. Steps stay within the
// calls of the domain. The acting users are stored, and so are posts with comments or reposts.
// Chains of reposts respect the policy.
func (m *modelTest) steps() map[string]func(t *rapid.T) {
	return map[string]func(t *rapid.T){
		"make a user":       func(t *rapid.T) { m.ensureUser(t, m.someUserRecord(t)) },
		"raise a flag":      m.raiseFlag,
		"lower a flag":      m.lowerFlag,
		"lower all flags":   m.lowerFlags,
		"follow":            m.follow,
		"unfollow":          m.unfollow,
		"follow again":      m.followAgain,
		"relate":            m.relate,
		"change a profile":  m.updateProfile,
		"delete an account": m.deleteAccount,
		"purge a slice":     m.purgeSlice,
		"purge":             m.purge,
		"go or return":      m.setAbsent,
		"users":             m.changeUserMode,
		"publish a post":    func(t *rapid.T) { m.publish(t, m.somePost(t, m.actor(t))) },
		"publish a comment": m.publishComment,
		"publish a repost":  m.publishRepost,
		"edit":              m.edit,
		"delete":            m.delete,
		"react":             m.react,
		"unreact":           m.unreact,
		"import":            m.importBatch,
		"renew a lease":     m.renew,
		"store a plan":      m.storePlan,
		"claim a slice":     m.claim,
		"claim together":    m.claimTogether,
		"advance a slice":   m.advance,
		"mark as announced": m.markAnnounced,
		"clean up":          m.cleanUp,
		"drop handles":      m.dropHandles,
		"rerun":             m.rerun,
	}
}

// drawn draws an element of a list.
func drawn[T any](t *rapid.T, what string, from []T) T { return rapid.SampledFrom(from).Draw(t, what) }

func anything(*feed.Post) bool { return true }

// actor draws a stored user, other any user, post any post.
func (m *modelTest) actor(t *rapid.T) feed.UserID { return drawn(t, "actor", m.storedUsers()) }
func (m *modelTest) other(t *rapid.T) feed.UserID { return drawn(t, "other", m.users) }
func (m *modelTest) post(t *rapid.T) feed.PostID  { return drawn(t, "post", m.posts) }

// time draws one of a few milliseconds, so that ties are common.
func (m *modelTest) time(t *rapid.T) int64 {
	return noon + rapid.Int64Range(0, 4).Draw(t, "millisecond")
}

func (m *modelTest) reaction(t *rapid.T) feed.Reaction {
	return drawn(t, "reaction", []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite})
}

func (m *modelTest) relation(t *rapid.T) feed.RelationKind {
	return drawn(t, "relation", relationKinds())
}

// someUserRecord returns the record of a user, sometimes with another user's handle.
func (m *modelTest) someUserRecord(t *rapid.T) *feed.User {
	u := newUser(m.other(t))
	if rapid.IntRange(0, 3).Draw(t, "with another's handle, of four") == 0 {
		u.Handle = "U" + m.other(t).String()
	}
	return u
}

func (m *modelTest) ensureUser(t *rapid.T, u *feed.User) {
	both(m, t, "EnsureUser", func(s Stores) (*feed.User, error) { return s.Users.EnsureUser(m.ctx, u) })
}

func (m *modelTest) raiseFlag(t *rapid.T) {
	author := m.actor(t)
	flag := drawn(t, "flag", []feed.CoverageFlag{feed.FlagNone, feed.FlagSelective, feed.FlagUnpushed})
	why := drawn(t, "reason", []feed.FlagReason{feed.FlagThreshold, feed.FlagMode, feed.FlagBacklog})
	bothDo(m, t, "RaiseFlag", func(s Stores) error { return s.Audience.RaiseFlag(m.ctx, author, flag, why) })
}

func (m *modelTest) lowerFlag(t *rapid.T) {
	author := m.actor(t)
	flag := drawn(t, "flag", []feed.CoverageFlag{feed.FlagNone, feed.FlagNone, feed.FlagSelective})
	both(m, t, "LowerFlag", func(s Stores) (bool, error) { return s.Flags.LowerFlag(m.ctx, author, flag) })
}

// lowerFlags first lowers the flags of users of earlier cases, who may be in the backend only.
func (m *modelTest) lowerFlags(t *rapid.T) {
	threshold := rapid.Int64Range(0, 2).Draw(t, "threshold")
	if m.purging { // The stores may count different followers.
		threshold = many
	}
	flagged, err := m.backend.Flags.FlaggedAuthors(m.ctx, 0, math.MaxInt32)
	for _, a := range flagged {
		if err == nil && !slices.Contains(m.users, a.Author) {
			_, err = m.backend.Flags.LowerFlag(m.ctx, a.Author, feed.FlagNone)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	both(m, t, "LowerFlags", func(s Stores) (int, error) { return s.Flags.LowerFlags(m.ctx, threshold) })
}

func (m *modelTest) follow(t *rapid.T) {
	if follower, followee := m.actor(t), m.other(t); follower != followee {
		m.followAt(t, follower, followee, m.time(t))
	}
}

func (m *modelTest) followAt(t *rapid.T, follower, followee feed.UserID, at int64) {
	// A limit of three followees is often reached. The store checks it by counters.
	limit := 3
	if m.purging {
		limit = many
	}
	bothDo(m, t, "Follow", func(s Stores) error {
		return s.Follows.Follow(m.ctx, follower, followee, at, limit, feed.FollowChoice{})
	})
}

func (m *modelTest) unfollow(t *rapid.T) {
	follower, followee := m.actor(t), m.other(t)
	bothDo(m, t, "Unfollow", func(s Stores) error { return s.Follows.Unfollow(m.ctx, follower, followee) })
}

// followAgain ends an existing follow and usually follows again.
func (m *modelTest) followAgain(t *rapid.T) {
	follower := m.actor(t)
	following := must(m.model.Relations.Following(m.ctx, follower, all()))
	if len(following) == 0 {
		return
	}
	followee := feed.UserID(drawn(t, "followee", following).ID)
	bothDo(m, t, "Unfollow", func(s Stores) error { return s.Follows.Unfollow(m.ctx, follower, followee) })
	if rapid.IntRange(0, 3).Draw(t, "for good, of four") > 0 {
		m.followAt(t, follower, followee, m.time(t))
	}
}

func (m *modelTest) relate(t *rapid.T) {
	r := feed.RelationRecord{Kind: m.relation(t), User: m.actor(t), Target: m.other(t), CreatedAt: m.time(t)}
	on := rapid.Bool().Draw(t, "on")
	if r.User == r.Target {
		return
	}
	bothDo(m, t, "SetRelation", func(s Stores) error { return s.SetRelation(m.ctx, r, on) })
}

// somePost describes a post. Its id may be taken.
func (m *modelTest) somePost(t *rapid.T, author feed.UserID) *feed.Post {
	return newPost(m.post(t), author, m.time(t))
}

// publish uses an idempotency key half of the time.
func (m *modelTest) publish(t *rapid.T, p *feed.Post) {
	idem := feed.Idempotency{
		Key:         drawn(t, "key", []string{"", "", "k1", "k2"}),
		Fingerprint: drawn(t, "fingerprint", []string{"f", "g"}),
	}
	// While an account is purged, the twins may count different followers.
	below := []int{0, many}
	if !m.purging {
		below = append(below, 1, 2)
	}
	first := feed.FirstDispatch{EventDue: noon, SliceDue: noon, PlanBelow: drawn(t, "plan below", below)}
	done := both(m, t, "Publish", func(s Stores) (feed.Publication, error) { return s.PostWriter.Publish(m.ctx, p, idem, first) }, sameLease())
	if done.Planned {
		m.planned = append(m.planned, p.ID)
	}
}

// sameLease compares the ends of leases to the minute, since each store has a clock of its own.
func sameLease() cmp.Option {
	ends := func(p cmp.Path) bool { return p.Last().String() == ".ActiveUntil" }
	return cmp.FilterPath(ends, cmp.Comparer(func(a, b int64) bool {
		return (a == 0) == (b == 0) && max(a, b)-min(a, b) < time.Minute.Milliseconds()
	}))
}

func (m *modelTest) publishComment(t *rapid.T) {
	p := m.somePost(t, m.actor(t))
	if parents := m.storedPosts(func(o *feed.Post) bool { return o.ID != p.ID }); len(parents) > 0 {
		p.Kind, p.ReplyTo = feed.KindComment, drawn(t, "parent", parents)
		m.publish(t, p)
	}
}

// publishRepost often reposts a repost, so that chains exceed the depth of the policy.
func (m *modelTest) publishRepost(t *rapid.T) {
	p := m.somePost(t, m.actor(t))
	chained := rapid.Bool().Draw(t, "of a repost")
	originals := m.storedPosts(func(o *feed.Post) bool {
		return o.ID != p.ID && (o.RepostOf != 0 || !chained) && m.mayBeReposted(o)
	})
	if len(originals) > 0 {
		p.Kind, p.RepostOf = feed.KindRepost, drawn(t, "original", originals)
		m.publish(t, p)
	}
}

// mayBeReposted reports whether a repost of p is within the policy's depth.
func (m *modelTest) mayBeReposted(p *feed.Post) bool {
	depth := 1
	for p.RepostOf != 0 {
		depth++
		p = must(m.model.Posts.Posts(m.ctx, []feed.PostID{p.RepostOf}))[0]
	}
	return depth <= feed.DefaultPolicy().RepostDepth
}

func (m *modelTest) edit(t *rapid.T) {
	id, at := m.post(t), m.time(t)
	both(m, t, "Edit", func(s Stores) (*feed.Post, error) {
		return s.PostWriter.Edit(m.ctx, id, feed.PostEdit{Text: new("edited"), At: at})
	})
}

func (m *modelTest) delete(t *rapid.T) {
	if stored := m.storedPosts(anything); len(stored) > 0 {
		id, at := drawn(t, "post", stored), m.time(t)
		bothDo(m, t, "Delete", func(s Stores) error { return s.PostWriter.Delete(m.ctx, id, at) })
	}
}

func (m *modelTest) react(t *rapid.T) {
	r, user, id, at := m.reaction(t), m.actor(t), m.post(t), m.time(t)
	bothDo(m, t, "React", func(s Stores) error { return s.PostWriter.React(m.ctx, r, user, id, at) })
}

func (m *modelTest) unreact(t *rapid.T) {
	existing := m.storedPosts(func(p *feed.Post) bool { return p.DeletedAt == 0 })
	if len(existing) > 0 {
		r, user, id := m.reaction(t), m.actor(t), drawn(t, "post", existing)
		bothDo(m, t, "Unreact", func(s Stores) error { return s.PostWriter.Unreact(m.ctx, r, user, id) })
	}
}

// imported is the comparable result of an import. The wording of reasons may differ.
type imported struct {
	Stored, Known int
	Different     []feed.Difference
	Updated       []feed.Difference
	Refused       []int
}

func (m *modelTest) importBatch(t *rapid.T) {
	update := rapid.Bool().Draw(t, "update")
	batch := make([]feed.Record, rapid.IntRange(0, 8).Draw(t, "records"))
	for i := range batch {
		batch[i] = m.someRecord(t)
		if update && batch[i].User != nil {
			// Otherwise updates would delete all accounts in the end.
			batch[i].User.DeletedAt = 0
		}
	}
	batch = records(batch...)
	both(m, t, "Import", func(s Stores) (imported, error) {
		r, err := s.Applier.Apply(m.ctx, feed.Batch{Records: batch, Update: update, ActiveFor: feed.DefaultPolicy().ActiveFor})
		return imported{r.Stored, r.Unchanged, r.Different, r.Updated, lines(r.Bad)}, err
	})
}

// someRecord returns a record. It may name unknown objects.
func (m *modelTest) someRecord(t *rapid.T) feed.Record {
	switch rapid.IntRange(0, 6).Draw(t, "type") {
	case 0:
		u := &feed.UserRecord{User: *m.someUserRecord(t)}
		if rapid.IntRange(0, 4).Draw(t, "deleted, of five") == 0 {
			u.DeletedAt = m.time(t)
		}
		return feed.Record{User: u}
	case 1:
		return feed.Record{Follow: &feed.FollowRecord{Follower: m.other(t), Followee: m.other(t), CreatedAt: m.time(t)}}
	case 2:
		return reactionRecord(m.reaction(t), m.other(t), m.post(t))
	case 3:
		return relationRecord(m.relation(t), m.other(t), m.other(t))
	}
	p := m.somePost(t, m.other(t))
	p.Kind = drawn(t, "kind", feed.AllKinds())
	if rapid.IntRange(0, 4).Draw(t, "deleted, of five") == 0 {
		p.DeletedAt = m.time(t)
	}
	if broken := rapid.IntRange(0, 9).Draw(t, "broken, of ten") == 0; broken != (p.Kind == feed.KindComment) {
		p.ReplyTo = m.post(t)
	}
	if p.Kind == feed.KindRepost {
		p.RepostOf = m.post(t)
	}
	return feed.Record{Post: p}
}

// updateProfile changes a profile, often to the handle of another user.
func (m *modelTest) updateProfile(t *rapid.T) {
	user, like := m.actor(t), newUser(m.other(t))
	var c feed.ProfileChange
	if rapid.Bool().Draw(t, "handle") {
		c.Handle = &like.Handle
	}
	if rapid.Bool().Draw(t, "name") {
		c.Name = new(drawn(t, "names", []string{like.Name, "Tide Line", "tidal user", "🌊"}))
	}
	if rapid.Bool().Draw(t, "avatar") {
		c.AvatarURL = new(drawn(t, "avatars", []string{"", "https://example.org/a.png"}))
	}
	both(m, t, "UpdateProfile", func(s Stores) (*feed.User, error) { return s.Profiles.UpdateProfile(m.ctx, user, c) })
}

// deleteAccount sometimes deletes an account, which may be deleted or unknown already. It keeps at
// least one active user.
func (m *modelTest) deleteAccount(t *rapid.T) {
	user, at := m.other(t), m.time(t)
	stored := m.storedUsers()
	if rapid.IntRange(0, 2).Draw(t, "delete if 0, of three") != 0 || len(stored) == 1 && stored[0] == user {
		return
	}
	m.purging = true
	bothDo(m, t, "DeleteAccount", func(s Stores) error { return s.Profiles.DeleteAccount(m.ctx, user, at) })
	m.comparePurging(t)
}

// setAbsent makes some users, who may be deleted or unknown, absent or present. It keeps at least
// one present, because the actors are.
func (m *modelTest) setAbsent(t *rapid.T) {
	users := rapid.SliceOfN(rapid.SampledFrom(m.users[1:]), 0, 3).Draw(t, "users")
	absent := rapid.Bool().Draw(t, "absent")
	if absent && !slices.ContainsFunc(m.storedUsers(), func(id feed.UserID) bool { return !slices.Contains(users, id) }) {
		return
	}
	bothDo(m, t, "SetAbsent", func(s Stores) error { return s.Presence.SetAbsent(m.ctx, users, absent) })
	m.comparePurging(t)
}

// changeUserMode shows or hides users without a record. It keeps at least one user shown.
func (m *modelTest) changeUserMode(t *rapid.T) {
	m.useUsers(t, drawn(t, "mode of users", []feed.UserMode{feed.UsersExplicit, feed.UsersImplicit, feed.UsersImplicit}))
	if len(m.storedUsers()) == 0 {
		m.useUsers(t, feed.UsersImplicit)
	}
	m.comparePurging(t)
}

func (m *modelTest) useUsers(t *rapid.T, mode feed.UserMode) {
	both(m, t, "UseUsers", func(s Stores) (feed.UserMode, error) {
		got, _, err := s.Presence.UseUsers(m.ctx, feed.UserModeChange{Want: mode, Was: feed.UsersImplicit})
		return got, err
	})
}

// purgeSlice purges some of the remaining data in both stores.
func (m *modelTest) purgeSlice(t *rapid.T) {
	limit := rapid.IntRange(1, 3).Draw(t, "rows")
	for _, s := range []Stores{m.backend, m.model} {
		must(s.Profiles.PurgeDeleted(m.ctx, limit))
	}
	if m.purging {
		m.comparePurging(t)
	}
}

// purge purges all remaining data.
func (m *modelTest) purge(t *rapid.T) {
	limit := rapid.IntRange(1, 20).Draw(t, "rows")
	for _, s := range []Stores{m.backend, m.model} {
		whileMore(func() (bool, error) { return s.Profiles.PurgeDeleted(m.ctx, limit) })
	}
	m.purging = false
}

// comparePurging compares a viewer's results that must not depend on the progress of a purge.
func (m *modelTest) comparePurging(t *rapid.T) {
	m.compareUsers(t)
	m.comparePosts(t)
	viewer := m.actor(t)
	m.compareFeeds(t, viewer)
	m.compareUserLists(t, viewer)
	m.comparePulled(t, viewer)
}
