package apply

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Changes is what a batch changes. The lists are in order of their keys, each key once, and have
// no entry for what ends as it began.
type Changes struct {
	// Users have a Before of nil if they are new.
	Users []UserChange
	// OwnsUsers says that Users are records of a source. Their former handles are not reserved: in another
	// order of arrival they may not have had them.
	OwnsUsers bool
	// OwnsFollows says the same of follows and requests. Only their records end requests then, not blocks.
	OwnsFollows bool
	Posts       []PostChange
	// AwaitedPosts are referred to and not stored. TakenPosts were taken back before they were stored.
	AwaitedPosts, TakenPosts []feed.PostID
	// Edges that end have an After that is undone.
	Follows   []EdgeChange[feed.FollowRecord]
	Requests  []EdgeChange[feed.FollowRecord]
	Reactions []EdgeChange[feed.ReactionRecord]
	Relations []EdgeChange[feed.RelationRecord]
	Members   []EdgeChange[feed.ListMemberRecord]
	// Lists have a Before without a list if they are new.
	Lists []ListChange
	// Sessions are in the order of the records.
	Sessions []*SessionChange
	// Counters are the new counters of users and posts; nil where they were removed.
	Counters map[feed.Object]*feed.CountersRecord
	// Seen is when users were last seen, those of Users included.
	Seen map[feed.UserID]int64
	// Renewed are stored posts, by their author, and users whose content may have changed at the service
	// that has it, though nothing else has. Log and evict them ([Changes.Renewals]).
	Renewed map[feed.Object]feed.UserID
	// Versions are the new versions of objects. Ended has an undone edge for each of them that is an
	// edge and not there.
	Versions map[feed.Object]feed.ObjectVersion
	Ended    map[feed.Object]feed.StoredEdge
	// Sanctions are imposed.
	Sanctions []*feed.Sanction
	// Counts counts the records of the batch.
	Counts feed.OutcomeCounts
}

// SortedObjects returns the keys of a map in one order, so that transactions do not deadlock.
func SortedObjects[V any](m map[feed.Object]V) []feed.Object {
	return slices.SortedFunc(maps.Keys(m), func(a, b feed.Object) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
}

// UserChange is a user before and after a batch. Handle is the folded handle that no other user may
// have; empty for none, and for users of a source ([feed.FirstWithHandle]).
type UserChange struct {
	Before, After *feed.UserRecord
	Handle        string
}

// Renamed reports whether the user was stored under another handle.
func (c *UserChange) Renamed() bool {
	return c.Before != nil && handleOf(c.Before) != handleOf(c.After)
}

// Deleted reports whether the account is deleted.
func (c *UserChange) Deleted() bool {
	return c.After.DeletedAt != 0 && (c.Before == nil || c.Before.DeletedAt == 0)
}

// Flips reports whether a stored user becomes absent or present.
func (c *UserChange) Flips() bool { return c.Before != nil && c.Before.Absent != c.After.Absent }

// Sanctioned reports whether a stored user is suspended by the change, or shown again.
func (c *UserChange) Sanctioned() bool {
	return c.Before != nil && c.After.Suspended.Turns(c.Before.Suspended)
}

// Logged returns the rows of the change log for a stored user whose account is not deleted.
func (c *UserChange) Logged() []feed.Change {
	row := feed.Change{
		Kind: feed.ChangeProfile, User: c.After.ID,
		Other: feed.NarrowedFor(c.After.ID, c.After.Private && !c.Before.Private, c.Before.Private && !c.After.Private),
	}
	if c.Flips() {
		row = feed.AbsenceChange(c.After.ID, c.After.Absent)
	}
	rows := []feed.Change{row}
	if c.Sanctioned() {
		rows = append(rows, feed.Subject{User: c.After.ID}.Moderated(c.After.ID, c.After.Suspended != 0))
	}
	return rows
}

// PostChange is a post before and after a batch. Before.Post is nil if it is new.
type PostChange struct{ Before, After Post }

// Shown is +1 for a post that appears or returns, and -1 for one that is deleted.
func (c *PostChange) Shown() int64 {
	was := c.Before.Post != nil && c.Before.DeletedAt == 0
	switch is := c.After.DeletedAt == 0; {
	case is && !was:
		return +1
	case was && !is:
		return -1
	}
	return 0
}

// Sanctioned reports whether a stored post is taken down by the change, or shown again.
func (c *PostChange) Sanctioned() bool {
	return c.Before.Post != nil && c.After.TakenDown.Turns(c.Before.TakenDown)
}

// Logged returns the rows of the change log.
func (c *PostChange) Logged() []feed.Change {
	row := feed.Change{Kind: feed.ChangeEdited, User: c.After.Author, Post: c.After.ID}
	switch n := c.Shown(); {
	case n < 0:
		row.Kind = feed.ChangeDeleted
	case n > 0:
		row.Kind = feed.ChangePublished
	case c.Before.Post == nil:
		row.Kind, row.Other = feed.ChangePublished, c.After.Author
	default:
		row.Other = feed.NarrowedFor(c.After.Author, c.After.Narrows(c.Before.Post), c.Before.Narrows(c.After.Post))
	}
	rows := []feed.Change{row}
	if c.Sanctioned() {
		rows = append(rows, feed.Subject{Post: c.After.ID}.Moderated(c.After.Author, c.After.TakenDown != 0))
	}
	return rows
}

// EdgeChange is an edge before and after a batch. Without Stored it has no Before.
type EdgeChange[R comparable] struct {
	Key    R
	Stored bool
	Before feed.StoredEdge
	After  feed.StoredEdge
}

// Made is +1 for an edge that is made, new or again, and -1 for one that ends.
func (c *EdgeChange[R]) Made() int64 {
	was := c.Stored && !c.Before.Undone
	switch {
	case !was && !c.After.Undone:
		return +1
	case was && c.After.Undone:
		return -1
	}
	return 0
}

// Chosen reports whether the options of a follow change that there was and is.
func (c *EdgeChange[R]) Chosen() bool {
	return c.Made() == 0 && !c.After.Undone && c.Before.Options != c.After.Options
}

// SessionChange has the transitions of a session; none if only its texts change.
type SessionChange struct {
	Before *live.Session
	Steps  []live.Session
	After  live.Session
}

// Ends reports whether the session becomes a replay.
func (c *SessionChange) Ends() bool { return c.After.EndedSince(c.Before) }

// Any reports whether anything changes besides times, versions, counters of sources and what is known
// of posts that are not stored.
func (c *Changes) Any() bool {
	return len(c.Users)+len(c.Posts)+len(c.Follows)+len(c.Requests)+len(c.Reactions)+len(c.Relations)+len(c.Members)+len(c.Lists)+len(c.Sessions) > 0
}

// Renewals returns the rows of the change log for Renewed, in one order.
func (c *Changes) Renewals() []feed.Change {
	rows := make([]feed.Change, 0, len(c.Renewed))
	for _, o := range SortedObjects(c.Renewed) {
		row := feed.Change{Kind: feed.ChangeProfile, User: c.Renewed[o]}
		if o.Type == feed.RecordPost {
			row.Kind, row.Post = feed.ChangeEdited, feed.PostID(o.A)
		}
		rows = append(rows, row)
	}
	return rows
}

// Arrived returns the posts that were not stored before.
func (c *Changes) Arrived() []feed.PostID {
	var list []feed.PostID
	for _, p := range c.Posts {
		if p.Before.Post == nil {
			list = append(list, p.After.ID)
		}
	}
	return list
}

// tracked is a map of objects with changes over it.
type tracked[K comparable, V any] struct {
	stored, changed map[K]V
}

func track[K comparable, V any](stored map[K]V) tracked[K, V] {
	return tracked[K, V]{stored, map[K]V{}}
}

func (t *tracked[K, V]) get(key K) (V, bool) {
	if v, ok := t.changed[key]; ok {
		return v, true
	}
	v, ok := t.stored[key]
	return v, ok
}

func (t *tracked[K, V]) set(key K, v V) { t.changed[key] = v }

func edgeChanges[R comparable](t *tracked[R, feed.StoredEdge], order func(a, b R) int) []EdgeChange[R] {
	var list []EdgeChange[R]
	for _, key := range slices.SortedFunc(maps.Keys(t.changed), order) {
		before, stored := t.stored[key]
		c := EdgeChange[R]{key, stored, before, t.changed[key]}
		if c.Made() != 0 || !c.After.Undone && c.After != before {
			list = append(list, c)
		}
	}
	return list
}

func compareFollows(a, b feed.FollowRecord) int {
	return cmp.Or(cmp.Compare(a.Follower, b.Follower), cmp.Compare(a.Followee, b.Followee))
}

func (f *fold) changes() Changes {
	members := edgeChanges(&f.members, func(a, b feed.ListMemberRecord) int {
		return cmp.Or(cmp.Compare(a.List, b.List), cmp.Compare(a.User, b.User))
	})
	return Changes{
		Members: members, Lists: f.listChanges(members),
		Users:        f.userChanges(),
		OwnsUsers:    f.batch.Owned.Has(feed.RecordUser),
		OwnsFollows:  f.batch.Owned.Has(feed.RecordFollow),
		Posts:        f.postChanges(),
		AwaitedPosts: f.unstored(f.named), TakenPosts: f.unstored(f.taken),
		Follows:  edgeChanges(&f.follows, compareFollows),
		Requests: edgeChanges(&f.requests, compareFollows),
		Reactions: edgeChanges(&f.reactions, func(a, b feed.ReactionRecord) int {
			return cmp.Or(cmp.Compare(a.Post, b.Post), cmp.Compare(a.Reaction, b.Reaction), cmp.Compare(a.User, b.User))
		}),
		Relations: edgeChanges(&f.relations, func(a, b feed.RelationRecord) int {
			return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Target, b.Target))
		}),
		Sessions:  f.sessions.order,
		Counters:  f.counters.changed,
		Seen:      f.seen,
		Renewed:   f.renewed,
		Versions:  f.versions.changed,
		Ended:     f.ended.changed,
		Counts:    f.counts,
		Sanctions: f.sanctions,
	}
}

// unstored returns the posts of a set that are not stored, in order of their ids.
func (f *fold) unstored(set map[feed.PostID]bool) []feed.PostID {
	var list []feed.PostID
	for _, id := range slices.Sorted(maps.Keys(set)) {
		if _, stored := f.posts.get(id); !stored {
			list = append(list, id)
		}
	}
	return list
}

func (f *fold) userChanges() []UserChange {
	var list []UserChange
	for _, id := range slices.Sorted(maps.Keys(f.users.changed)) {
		before, after := f.users.stored[id], f.users.changed[id]
		if before == nil || *before != *after {
			c := UserChange{Before: before, After: after}
			if fold := handleOf(after); f.ownerOf(fold) == id && !f.batch.Owned.Has(feed.RecordUser) {
				c.Handle = fold
			}
			list = append(list, c)
		}
	}
	return list
}

func (f *fold) postChanges() []PostChange {
	var list []PostChange
	for _, id := range slices.Sorted(maps.Keys(f.posts.changed)) {
		before, after := f.posts.stored[id], f.posts.changed[id]
		if before.Post != nil {
			d := feed.DifferentPost(before.Post, after.Post)
			if d.None() && before.TakenDown == after.TakenDown {
				continue
			}
		}
		list = append(list, PostChange{before, after})
	}
	return list
}
