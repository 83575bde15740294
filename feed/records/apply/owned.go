package apply

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// The rules for types that a source owns. A record is the whole state of its object. It may name
// users and posts that have not arrived: users are stored as placeholders, posts not at all.

// checkOwned returns what is wrong with a record in itself. Of an object that is not there, only
// its key counts.
func checkOwned(b *feed.Batch, rules feed.Rules, r *feed.Record, now int64) error {
	if !b.Ordered && r.Version.Number == 0 {
		return feed.Errorf(feed.CodeInvalid, "without an order of records each needs a version").At("version")
	}
	if err := r.Version.Check(); err != nil && !b.Ordered {
		return err
	}
	if r.Counters != nil {
		if err := r.Counters.Check(); err != nil {
			return err
		}
	}
	rules.AnyPlace = true // those of a stored post stay
	rules.NoHandles, rules.NoTexts = true, b.Upstream.Has(feed.RecordPost)
	switch {
	case r.Partial != nil && b.Ordered:
		// Checked once it is whole.
		return nil
	case r.Unclear != "", r.EndedAt != 0, r.User != nil && max(r.User.DeletedAt, r.User.ErasedAt) != 0:
		return nil
	case r.Post != nil && r.Post.DeletedAt != 0:
		return nil
	case isScheduled(r, rules, now):
		return feed.Errorf(feed.CodeInvalid, "%s", scheduled)
	}
	return rules.Check(r, now)
}

// scheduled says why a post with a later time is no post yet.
const scheduled = `the field "publishedAt": the post is not published yet; once it is, run: tideline ingest dead --retry-all`

func isScheduled(r *feed.Record, rules feed.Rules, now int64) bool {
	return r.Post != nil && r.Post.DeletedAt == 0 && r.Post.PublishedAt > now+rules.ClockSkew.Milliseconds()
}

// step is what a record does: its result, and the change to make if it changes something.
type step struct {
	is  feed.RecordResult
	set func()
}

func known() step                         { return step{is: feed.ResultKnown()} }
func bad(format string, args ...any) step { return step{is: feed.ResultBad(format, args...)} }

// versioned applies a record unless one with the same or a higher version was applied before.
func (f *fold) versioned(r *feed.Record) feed.RecordResult {
	object := r.Object()
	last, has := f.versions.get(object)
	order := r.Version.Compare(last)
	if f.batch.Ordered || !has {
		order = +1
	}
	if order < 0 {
		return feed.ResultOutdated()
	}
	if err := r.Version.CheckAfter(last, f.now); err != nil && has && !f.batch.Ordered {
		return feed.ResultBad("%s", feed.Reason(err))
	}
	f.claimed(r)
	if r.Partial != nil {
		w, err := f.complete(r)
		if err != nil {
			return feed.ResultBad("%s", feed.Reason(err))
		}
		r = w
	}
	if r.Unclear != "" {
		r = hiding(*r, f.now) // what was stored has completed it
	}
	if order == 0 && r.Post != nil && r.Post.AudienceAuthor == 0 {
		// The parent's audience may have changed meanwhile.
		again, post := *r, *r.Post
		post.LeaveAudience()
		again.Post, r = &post, &again
	}
	r = whileItLasts(r, f.now)
	if f.leavesFollow(r) || order == 0 && r.Relation != nil && r.Relation.Lapsed(f.now) {
		return feed.ResultKnown()
	}
	s := f.step(r)
	switch {
	case s.is.Bad():
		return s.is
	case order == 0 && s.is.Changes() && !last.Unsettled:
		return feed.ResultBad("another record of %s has the same version and other content", r.Name())
	case s.set != nil:
		s.set()
	}
	if order > 0 && !s.is.Changes() {
		f.renew(r)
	}
	if order > 0 || last.Unsettled {
		f.keepVersion(r, last)
	}
	return s.is
}

// claimed makes a record unclear that gives a stored post to another author, whose followers and privacy may be
// others.
func (f *fold) claimed(r *feed.Record) {
	if r.Post == nil || r.Post.Author == 0 || r.Post.DeletedAt != 0 || r.Unclear != "" {
		return
	}
	if have, stored := f.posts.get(r.Post.ID); stored && have.Author != r.Post.Author {
		r.Unclear = fmt.Sprintf("post %s is by user %s, not %s, and hidden until a record says so; give another post another id",
			f.postID(r.Post.ID), f.userID(have.Author), f.userID(r.Post.Author))
	}
}

// whileItLasts returns the record, or that of a mute that is over if it has ended by itself.
func whileItLasts(r *feed.Record, now int64) *feed.Record {
	if r.Relation == nil || r.EndedAt != 0 || r.Partial != nil || !r.Relation.Lapsed(now) {
		return r
	}
	over := *r
	over.EndedAt = r.Relation.Until
	return &over
}

// hiding returns an unclear record as one that hides its object.
func hiding(r feed.Record, now int64) *feed.Record {
	switch {
	case r.Post != nil:
		post := *r.Post
		post.Audience, post.DeletedAt = feed.AudienceFollowers, cmp.Or(post.DeletedAt, feed.HiddenAsUnclear)
		post.LeaveAudience()
		r.Post = &post
	case r.User != nil:
		user := *r.User
		user.DeletedAt = cmp.Or(user.DeletedAt, now)
		r.User = &user
	case r.Follow != nil:
		edge := *r.Follow
		edge.Requested = false // neither a request nor a follow is left
		r.Follow, r.EndedAt = &edge, cmp.Or(r.EndedAt, now)
	default:
		r.EndedAt = cmp.Or(r.EndedAt, now)
	}
	return &r
}

// decidingPart returns what a bad record still says: who may see its object. Of a user or a follow, the rest stays as
// it is. A post is hidden, since its text may be what has to go. It returns nil if the record has no such part, or
// its order is what is bad.
func decidingPart(b *feed.Batch, r *feed.Record, bad error, now int64) *feed.Record {
	inOrder := b.Ordered || r.Version.Number != 0 && r.Version.Check() == nil && r.Partial == nil
	if bad == nil || r.Unclear != "" || !b.Owned.Has(r.Type()) || !inOrder {
		return nil
	}
	part := *r
	part.Unfit, part.Moderated = feed.Reason(bad), feed.Moderated{}
	switch {
	case r.Post != nil:
		part.Unclear = part.Unfit
		return hiding(part, now)
	case r.User != nil:
		part.Partial = []string{"private", "suspended"}
	case r.Follow != nil:
		part.Partial = []string{"state"}
	default:
		return nil
	}
	if r.Partial != nil {
		part.Partial = slices.DeleteFunc(part.Partial, func(name string) bool { return !slices.Contains(r.Partial, name) })
	}
	return &part
}

// keepVersion keeps the version of an object. On ways with an order it keeps only the ends of edges,
// with the last version, so that a partial record may follow on an edge that was never stored.
func (f *fold) keepVersion(r *feed.Record, last feed.ObjectVersion) {
	object, version := r.Object(), r.Version
	version.Unsettled = r.Unclear != "" || r.Unfit != ""
	if f.batch.Ordered {
		if r.EndedAt == 0 || !isEdge(r) {
			return
		}
		version = last
	}
	f.versions.set(object, version)
	edge := feed.StoredEdge{}
	if r.EndedAt != 0 && r.Live == nil && r.List == nil {
		edge, _ = f.ended.get(object)
		edge.Undone = true
	}
	f.ended.set(object, edge)
}

// renew notes that the content of a stored object may have changed at the service that has it.
func (f *fold) renew(r *feed.Record) {
	switch {
	case !f.batch.Upstream.Has(r.Type()):
	case r.Post != nil:
		if have, stored := f.posts.get(r.Post.ID); stored && have.DeletedAt == 0 {
			f.renewed[r.Object()] = have.Author
		}
	case r.User != nil:
		f.renewed[r.Object()] = r.User.ID
	}
}

func (f *fold) step(r *feed.Record) step {
	switch {
	case r.User != nil:
		return f.wholeUser(r.User)
	case r.Post != nil:
		return f.wholePost(r.Post)
	case r.Follow != nil:
		return f.wholeFollow(r)
	case r.Relation != nil:
		return wholeEdge(f, &f.relations, relationKey(r.Relation), r, r.Relation.Edge(), r.Relation.User, r.Relation.Target)
	case r.Reaction != nil:
		return f.wholeReaction(r)
	case r.List != nil:
		return f.wholeList(r)
	case r.ListMember != nil:
		return f.wholeMember(r)
	case r.Counters != nil:
		return f.wholeCounters(r)
	}
	return f.wholeSession(r)
}

// wholeCounters stores counters. Their user or post need not have arrived, and no feed depends on
// them.
func (f *fold) wholeCounters(r *feed.Record) step {
	key, counters := r.Object(), *r.Counters
	have, _ := f.counters.get(key)
	set := func(to *feed.CountersRecord) func() { return func() { f.counters.set(key, to) } }
	switch {
	case r.EndedAt != 0 && have == nil:
		return known()
	case r.EndedAt != 0:
		return step{feed.ResultUpdated("deletedAt"), set(nil)}
	case f.deleted(counters.User):
		return bad("the account of user %s was deleted", f.userID(counters.User))
	case have == nil:
		return step{feed.ResultNew(), set(&counters)}
	}
	d := feed.DifferentCounters(have, &counters)
	if d.None() {
		return known()
	}
	return step{feed.ResultUpdated(d.Fields...), set(&counters)}
}

func (f *fold) wholeUser(r *feed.UserRecord) step {
	have := f.user(r.ID)
	after := *r
	if have != nil {
		after.Suspended = have.Suspended.ByRecord(r.Suspended)
	}
	switch {
	case r.Awaited():
		return f.awaitedUser(have, r)
	case have != nil && have.DeletedAt != 0:
		if max(r.DeletedAt, r.ErasedAt) != 0 {
			return known()
		}
		return bad("the account of user %s was deleted", f.userID(r.ID))
	case r.ErasedAt != 0:
		after = feed.UserRecord{User: feed.User{ID: r.ID, CreatedAt: r.CreatedAt, Private: r.Private}, DeletedAt: r.ErasedAt}
	case r.DeletedAt != 0 && have != nil && have.Absent && !have.Awaited():
		return known()
	case r.DeletedAt != 0:
		return f.takeBack(have, r)
	}
	if have != nil {
		after.LastSeenAt = have.LastSeenAt
	}
	switch {
	case have != nil && after == *have:
		return step{feed.ResultKnown(), func() { f.seeUser(r) }}
	case have == nil, have.Awaited():
		return step{feed.ResultNew(), func() { f.setUser(&after); f.seeUser(r) }}
	}
	d := feed.DifferentUser(have, &after)
	if have.Absent != after.Absent {
		d.Fields = append(d.Fields, "deletedAt")
	}
	return step{feed.ResultUpdated(d.Fields...), func() { f.setUser(&after); f.seeUser(r) }}
}

// takeBack makes a user absent, also one who has not arrived, so that no later reference shows them.
func (f *fold) takeBack(have, r *feed.UserRecord) step {
	after := feed.UserRecord{User: feed.User{ID: r.ID, External: r.External}}
	if have != nil {
		after = *have
	}
	after.Absent, after.AwaitedAt, after.Private = true, 0, after.Private || r.Private
	return step{feed.ResultUpdated("deletedAt"), func() { f.setUser(&after) }}
}

// awaitedUser stores a placeholder from an export. It says nothing of a user who is stored.
func (f *fold) awaitedUser(have, r *feed.UserRecord) step {
	if have != nil {
		return known()
	}
	after := f.placeholder(feed.User{ID: r.ID, External: r.External, CreatedAt: r.CreatedAt}, r.AwaitedAt)
	return step{feed.ResultNew(), func() { f.setUser(after); f.seeUser(r) }}
}

func (f *fold) wholePost(p *feed.Post) step {
	have, stored := f.posts.get(p.ID)
	if p.DeletedAt != 0 {
		return f.hidePost(have, stored, p)
	}
	if f.deleted(p.Author) {
		return bad("the account of user %s was deleted", f.userID(p.Author))
	}
	if misplaced := p.Misplaced(); misplaced != "" && !stored {
		return bad("%s", misplaced)
	}
	if !stored {
		return step{feed.ResultNew(), func() { f.storeNew(p) }}
	}
	p = inPlace(p, have.Post)
	later := f.laterAudience(p)
	d := feed.DifferentPost(have.Post, later)
	after, err := feed.UpdatedPost(have.Post, later, d)
	switch {
	case err != nil:
		return bad("%s", feed.Reason(err))
	case d.None():
		return known()
	}
	return step{feed.ResultUpdated(d.Fields...), func() {
		f.expectAudienceAuthor(p, have.AudienceAuthor)
		f.posts.set(p.ID, Post{after, have.RepostDepth})
	}}
}

// inPlace returns a later record of a post with the fixed fields that are stored: its kind, its time, and what it
// answers or shares. So a source that has lost them, such as a reference to a row that was deleted, can still edit
// the post. A comment that it takes for a post of its own keeps its audience, unless that is narrower.
func inPlace(p, have *feed.Post) *feed.Post {
	kept := *p
	for _, f := range feed.PostFields() {
		if f.Fixed {
			f.Set(&kept, have)
		}
	}
	if p.Kind == feed.KindPost && kept.Kind != p.Kind && p.Audience == feed.AudiencePublic {
		kept.AudienceAuthor = 0
		kept.LeaveAudience()
	}
	return &kept
}

func (f *fold) storeNew(p *feed.Post) {
	f.expect(p.Author)
	f.expectAudienceAuthor(p, 0)
	f.expectPosts(p.ReplyTo, p.RepostOf)
	f.posts.set(p.ID, f.newPost(p))
}

// hidePost takes a post back. A post that was never stored shows nothing, but a whole record of it is stored,
// since comments on it are for the audience that it has.
func (f *fold) hidePost(have Post, stored bool, p *feed.Post) step {
	switch {
	case !stored && p.Author != 0 && f.rules.Check(&feed.Record{Post: p}, f.now) == nil:
		return step{feed.ResultNew(), func() { f.storeNew(withoutContent(*p)) }}
	case !stored:
		return step{feed.ResultKnown(), func() { f.taken[p.ID] = true }}
	case have.DeletedAt != 0:
		return known()
	}
	return step{feed.ResultUpdated("deletedAt"), func() {
		after := *have.Post
		after.DeletedAt = p.DeletedAt
		f.posts.set(p.ID, Post{&after, have.RepostDepth})
	}}
}

// withoutContent returns a post with nothing to show.
func withoutContent(p feed.Post) *feed.Post {
	p.Text, p.Media, p.OtherMedia, p.Custom, p.Language, p.EditedAt = "", nil, 0, "", "", 0
	return &p
}

// leavesFollow reports whether a record ends a request that has become a follow. A source may have the two in two
// tables, and delete the request once it is accepted. Records without an order are about both, or the last one would
// not tell what is left.
func (f *fold) leavesFollow(r *feed.Record) bool {
	if r.Follow == nil || !r.Follow.Requested || r.EndedAt == 0 || !f.batch.Ordered {
		return false
	}
	_, follows := findEdge(&f.follows, followKey(r.Follow))
	return follows
}

// wholeFollow is for a follow or a request, of which there is one or none. A follow that becomes a request
// has ended.
func (f *fold) wholeFollow(r *feed.Record) step {
	key, made := followKey(r.Follow), f.followEdge(r.Follow)
	requests := r.Follow.Requested && r.EndedAt == 0
	edge := *r
	if _, follows := findEdge(&f.follows, key); follows && requests {
		edge.EndedAt = made.CreatedAt
	}
	s := wholeEdge(f, &f.follows, key, &edge, made, key.Follower, key.Followee)
	have, asked := findEdge(&f.requests, key)
	switch {
	case s.is.Bad(), !requests && !asked:
		return s
	case !requests:
		is, set := s.is, s.set
		if !is.Changes() {
			is = feed.ResultUpdated("state")
		}
		return step{is, func() {
			if f.endRequest(key); set != nil {
				set()
			}
		}}
	case asked && have == made:
		return known()
	}
	return step{feed.ResultUpdated("state"), func() {
		if edge.EndedAt != 0 {
			s.set()
		}
		f.expect(key.Follower, key.Followee)
		f.requests.set(key, made)
	}}
}

func (f *fold) wholeReaction(r *feed.Record) step {
	s := wholeEdge(f, &f.reactions, reactionKey(r.Reaction), r, feed.StoredEdge{CreatedAt: r.Reaction.CreatedAt}, r.Reaction.User)
	if s.set == nil || r.EndedAt != 0 {
		return s
	}
	return step{s.is, func() { s.set(); f.expectPosts(r.Reaction.Post) }}
}

func wholeEdge[R comparable](
	f *fold, t *tracked[R, feed.StoredEdge], key R, r *feed.Record, made feed.StoredEdge, users ...feed.UserID,
) step {
	have, stored := t.get(key)
	there := stored && !have.Undone
	if r.EndedAt != 0 {
		before, _ := f.ended.get(r.Object())
		end := func() {
			f.ended.set(r.Object(), feed.StoredEdge{CreatedAt: cmp.Or(made.CreatedAt, have.CreatedAt, before.CreatedAt), Undone: true})
		}
		if !there {
			return step{feed.ResultKnown(), end}
		}
		return step{feed.ResultUpdated("deletedAt"), func() {
			end()
			t.set(key, feed.StoredEdge{CreatedAt: have.CreatedAt, Undone: true})
		}}
	}
	for _, id := range users {
		if f.deleted(id) {
			return bad("the account of user %s was deleted", f.userID(id))
		}
	}
	if len(users) == 2 && users[0] == users[1] {
		return bad("user %s cannot %s themselves", f.userID(users[0]), r.Type())
	}
	is := feed.ResultNew()
	switch {
	case there && have == made:
		return known()
	case there:
		is = feed.ResultUpdated(feed.DifferentEdge(have, made).Fields...)
	case stored:
		is = feed.ResultUpdated("deletedAt")
	}
	return step{is, func() {
		f.expect(users...)
		t.set(key, made)
	}}
}
