package apply

import (
	"cmp"
	"maps"

	"github.com/tideline-feeds/tideline/feed"
)

// fold is the state while a batch is applied.
type fold struct {
	batch *feed.Batch
	rules feed.Rules
	now   int64
	mode  feed.UserMode
	// privatePlaceholders is that of [Objects].
	privatePlaceholders bool

	users   tracked[feed.UserID, *feed.UserRecord]
	handles tracked[string, feed.UserID]
	posts   tracked[feed.PostID, Post]
	follows tracked[feed.FollowRecord, feed.StoredEdge]
	// requests end without a trace: an undone one is not stored.
	requests  tracked[feed.FollowRecord, feed.StoredEdge]
	reactions tracked[feed.ReactionRecord, feed.StoredEdge]
	relations tracked[feed.RelationRecord, feed.StoredEdge]
	lists     tracked[feed.ListID, List]
	members   tracked[feed.ListMemberRecord, feed.StoredEdge]
	versions  tracked[feed.Object, feed.ObjectVersion]
	ended     tracked[feed.Object, feed.StoredEdge]
	// named are posts that records refer to, taken those that a record has taken back; stored or not.
	named, taken map[feed.PostID]bool
	seen         map[feed.UserID]int64
	// renewed are the authors of posts, and users, whose content may have changed elsewhere.
	renewed map[feed.Object]feed.UserID
	open    map[feed.UserID]int
	// listed and sizes are those of [Objects].
	listed   map[feed.UserID]int
	sizes    map[feed.ListID]int64
	sessions sessions
	// counters are nil where they were removed.
	counters tracked[feed.Object, *feed.CountersRecord]
	// conflicts are the owners of handles that records of this part want.
	conflicts map[*feed.UserRecord]feed.UserID
	// sanctions are those of exports that are not in force.
	sanctions []*feed.Sanction
	result    feed.Applied
	counts    feed.OutcomeCounts
	// external are the external ids in the batch, by kind and number.
	external map[feed.IDKind]map[int64]feed.ExternalID
}

// Checked is a batch of which each record is known to be good or bad in itself.
type Checked struct {
	batch *feed.Batch
	now   int64
	fit   []feed.Record
	bad   []feed.BadRecord
	// counts counts the bad records.
	counts feed.OutcomeCounts
}

// Check checks the records of a batch. now is on the store's clock. It does not change b.
func Check(b *feed.Batch, now int64) *Checked {
	c := &Checked{batch: b, now: now, fit: make([]feed.Record, 0, len(b.Records)), counts: feed.OutcomeCounts{}}
	rules := feed.RecordRules()
	for _, r := range b.Records {
		if r.Post != nil && r.Post.Audience == feed.AudienceUnknown {
			r.Unclear = cmp.Or(r.Unclear, feed.UnknownAudience)
		}
		if b.Ordered && isScheduled(&r, rules, now) {
			r.Unclear = cmp.Or(r.Unclear, scheduled) // it may have been published at another time
		}
		if b.Owned.Has(r.Type()) {
			r = *whileItLasts(&r, now)
			if r.Unclear != "" {
				r = *hiding(r, now)
			}
		}
		if r.User != nil && !b.Owned.Has(feed.RecordUser) {
			r.User = ownUser(r.User)
		}
		err := check(b, rules, &r, now)
		if part := decidingPart(b, &r, err, now); part != nil {
			r, err = *part, nil
		}
		if err != nil {
			c.bad = append(c.bad, feed.BadRecord{Line: r.Line, Reason: feed.Reason(err)})
			c.counts[feed.TypedOutcome{Type: r.Type(), Outcome: feed.OutcomeBad}]++
			continue
		}
		c.fit = append(c.fit, r.WithoutModerators())
	}
	return c
}

func check(b *feed.Batch, rules feed.Rules, r *feed.Record, now int64) error {
	switch {
	case r.Unfit != "":
		return feed.Errorf(feed.CodeInvalid, "%s", r.Unfit)
	case b.Owned.Has(r.Type()):
		return checkOwned(b, rules, r, now)
	case r.Counters != nil:
		return feed.Errorf(feed.CodeInvalid, "%s", feed.Unowned(feed.RecordCounters))
	case r.EndedAt != 0:
		return feed.Errorf(feed.CodeInvalid, "only a source that owns the type %s can remove objects", r.Type()).At("deletedAt")
	}
	return rules.Check(r, now)
}

// Names returns the names in the good records.
func (c *Checked) Names() Names {
	n := named(c.fit)
	if c.batch.Owned.Has(feed.RecordUser) {
		clear(n.Handles)
	}
	return n
}

// Fold applies the good records to the objects that they name, and returns what changes and the
// result for all records. It does not change have.
func (c *Checked) Fold(have *Objects) (Changes, feed.Applied) {
	f := &fold{
		batch: c.batch, rules: feed.RecordRules(), now: c.now, mode: have.Mode, privatePlaceholders: have.PrivatePlaceholders,
		users: track(have.Users), handles: track(have.Handles), posts: track(have.Posts),
		follows: track(have.Follows), requests: track(have.Requests), reactions: track(have.Reactions), relations: track(have.Relations),
		versions: track(have.Versions), ended: track(have.Ended), named: map[feed.PostID]bool{}, taken: map[feed.PostID]bool{}, seen: map[feed.UserID]int64{}, renewed: map[feed.Object]feed.UserID{}, open: cloned(have.Open), listed: cloned(have.Listed), sizes: cloned(have.Sizes),
		lists: track(have.Lists), members: track(have.ListMembers),
		sessions: newSessions(have.Sessions), counters: track(have.Counters), counts: maps.Clone(c.counts), external: externalIDs(c.fit),
	}
	for _, part := range c.batch.Parts(c.fit) {
		if c.batch.Update {
			f.conflicts = feed.HandleConflicts(part, f.user, f.ownerOf)
		}
		for i := range part {
			is := f.record(&part[i])
			f.result.Add(&part[i], is)
			f.counts[feed.TypedOutcome{Type: part[i].Type(), Outcome: is.Outcome()}]++
			f.reportHidden(&part[i], is)
			if !is.Bad() {
				f.restoreSanction(&part[i])
			}
		}
	}
	f.result.AddBad(c.bad...)
	return f.changes(), f.result
}

// reportHidden adds a bad record for one that was applied, but hides its object because it is unclear, or is unfit.
func (f *fold) reportHidden(r *feed.Record, is feed.RecordResult) {
	reason := cmp.Or(r.Unclear, r.Unfit)
	if reason == "" || is.Bad() || is.Outcome() == feed.OutcomeOutdated {
		return
	}
	f.result.Bad = append(f.result.Bad, feed.BadRecord{Line: r.Line, Reason: reason, Hides: true})
	f.counts[feed.TypedOutcome{Type: r.Type(), Outcome: feed.OutcomeBad}]++
}

// restoreSanction imposes the sanction that the record of an export has, unless one is in force.
func (f *fold) restoreSanction(r *feed.Record) {
	if r.Moderated.At == 0 {
		return
	}
	s := &feed.Sanction{Reason: r.Moderated.Reason, At: r.Moderated.At, By: feed.ImportedSanction}
	switch {
	case r.Post != nil:
		have, stored := f.posts.get(r.Post.ID)
		if !stored || have.TakenDown&feed.HiddenForModerator != 0 {
			return
		}
		post := *have.Post
		post.TakenDown |= feed.HiddenForModerator
		f.posts.set(post.ID, Post{&post, have.RepostDepth})
		s.Post = post.ID
	case r.User != nil:
		have := f.user(r.User.ID)
		if have == nil || have.Suspended&feed.HiddenForModerator != 0 {
			return
		}
		user := *have
		user.Suspended |= feed.HiddenForModerator
		f.setUser(&user)
		s.User = user.ID
	}
	f.sanctions = append(f.sanctions, s)
}

// cloned returns a copy of a map; an empty one for nil.
func cloned[K comparable, V any](m map[K]V) map[K]V {
	c := make(map[K]V, len(m))
	maps.Copy(c, m)
	return c
}

func (f *fold) owned(r *feed.Record) bool { return f.batch.Owned.Has(r.Type()) }

func (f *fold) record(r *feed.Record) feed.RecordResult {
	switch {
	case r.Seen != nil:
		return f.active(r.Seen)
	case f.owned(r):
		return f.versioned(r)
	case r.User != nil:
		return f.addUser(r.User)
	case r.Follow != nil:
		return f.addFollow(r.Follow)
	case r.Post != nil:
		return f.addPost(r.Post)
	case r.Reaction != nil:
		return f.addReaction(r.Reaction)
	case r.Relation != nil:
		return f.addRelation(r.Relation)
	case r.List != nil:
		return f.addList(r.List)
	case r.ListMember != nil:
		return f.addMember(r)
	}
	return f.addSession(r.Live)
}

func (f *fold) user(id feed.UserID) *feed.UserRecord {
	u, _ := f.users.get(id)
	return u
}

func (f *fold) ownerOf(fold string) feed.UserID {
	owner, _ := f.handles.get(fold)
	return owner
}

// isUser reports whether a user exists whose account is not deleted. Absent users exist.
func (f *fold) isUser(id feed.UserID) bool {
	u := f.user(id)
	return u != nil && u.DeletedAt == 0
}

// deleted reports whether the account of a user is deleted.
func (f *fold) deleted(id feed.UserID) bool {
	u := f.user(id)
	return u != nil && u.DeletedAt != 0
}

// setUser stores a user. A handle that the user did not have before becomes theirs.
func (f *fold) setUser(u *feed.UserRecord) {
	had, has := "", handleOf(u)
	if have := f.user(u.ID); have != nil {
		had = handleOf(have)
	}
	if had != has {
		if f.ownerOf(had) == u.ID {
			f.handles.set(had, 0)
		}
		f.handles.set(has, u.ID)
	}
	f.users.set(u.ID, u)
}

// handleOf returns the folded handle of a user; empty for none.
func handleOf(u *feed.UserRecord) string {
	if u.DeletedAt != 0 {
		return ""
	}
	return feed.FoldHandle(u.Handle)
}

// active records when a user was seen.
func (f *fold) active(r *feed.SeenRecord) feed.RecordResult {
	switch {
	case f.deleted(r.User):
		return feed.ResultBad("the account of user %s was deleted", f.userID(r.User))
	case f.user(r.User) == nil && !f.batch.Owned.Has(feed.RecordUser):
		return feed.ResultBad("%s", f.noUser(r.User))
	}
	f.expect(r.User)
	f.see(r.User, min(r.At, f.now))
	return feed.ResultKnown()
}

func (f *fold) see(id feed.UserID, at int64) {
	if at != 0 {
		f.seen[id] = max(f.seen[id], at)
	}
}

// expect stores placeholders for users who are not stored.
func (f *fold) expect(ids ...feed.UserID) {
	for _, id := range ids {
		if f.user(id) == nil {
			f.setUser(f.placeholder(feed.User{ID: id, External: f.external[feed.UserIDs][int64(id)]}, f.now))
		}
	}
}

// expectAudienceAuthor stores a placeholder for the audience author that a record names, unless it was
// stored with the post.
func (f *fold) expectAudienceAuthor(p *feed.Post, was feed.UserID) {
	if p.AudienceAuthor != 0 && p.AudienceAuthor != was {
		f.expect(p.AudienceAuthor)
	}
}

// placeholder returns a user without a record, who was named at a time.
func (f *fold) placeholder(u feed.User, at int64) *feed.UserRecord {
	u.Private = f.privatePlaceholders
	return &feed.UserRecord{User: u, Absent: f.mode != feed.UsersImplicit, AwaitedAt: at}
}

// expectPosts records that posts are referred to.
func (f *fold) expectPosts(ids ...feed.PostID) {
	for _, id := range ids {
		if id > 0 {
			f.named[id] = true
		}
	}
}

func externalIDs(list []feed.Record) map[feed.IDKind]map[int64]feed.ExternalID {
	all := map[feed.IDKind]map[int64]feed.ExternalID{}
	for i := range list {
		for _, ref := range list[i].IDs {
			if all[ref.Kind] == nil {
				all[ref.Kind] = map[int64]feed.ExternalID{}
			}
			all[ref.Kind][*ref.At] = ref.ID
		}
	}
	return all
}

// userID returns the id of a user for messages.
func (f *fold) userID(id feed.UserID) feed.PublicID {
	p := feed.PublicID{Number: int64(id), External: f.external[feed.UserIDs][int64(id)]}
	if u := f.user(id); u != nil && u.External != "" {
		p.External = u.External
	}
	return p
}

// listID returns the id of a list for messages.
func (f *fold) listID(id feed.ListID) feed.PublicID {
	return feed.PublicID{Number: int64(id), External: f.external[feed.ListIDs][int64(id)]}
}

// postID returns the id of a post for messages.
func (f *fold) postID(id feed.PostID) feed.PublicID {
	return feed.PublicID{Number: int64(id), External: f.external[feed.PostIDs][int64(id)]}
}
