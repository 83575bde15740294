package apply

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// complete completes a partial record, or one of which only a part is good, and notes if that is so.
func (f *fold) complete(r *feed.Record) (*feed.Record, error) {
	w, err := f.whole(r)
	switch {
	case err == nil:
		return w, nil
	case r.Unfit != "":
		return nil, feed.Errorf(feed.CodeInvalid, "%s", r.Unfit) // of an object that is not stored
	}
	part := decidingPart(f.batch, r, err, f.now)
	if part == nil {
		return nil, err
	}
	if w, again := f.whole(part); again == nil {
		r.Unfit, r.Unclear, r.Moderated = part.Unfit, part.Unclear, part.Moderated
		return w, nil
	}
	return nil, err
}

// whole completes a partial record with what is stored, or returns what is wrong with the result.
func (f *fold) whole(r *feed.Record) (*feed.Record, error) {
	w, stored := *r, false
	has := func(name string) bool { return slices.Contains(r.Partial, name) }
	switch {
	case r.User != nil:
		w.User, stored = f.wholeUserOf(r.User, has)
	case r.Post != nil:
		w.Post, stored = f.wholePostOf(r.Post, has)
	case r.Live != nil:
		w.Live, stored = f.wholeSessionOf(r.Live, has)
	case r.Follow != nil:
		edge := *r.Follow
		w.Follow = &edge
		stored = f.completeFollow(&w, &edge, has)
	case r.Reaction != nil:
		edge := *r.Reaction
		w.Reaction = &edge
		stored = completeEdge(f, &f.reactions, reactionKey(r.Reaction), &w, &edge.CreatedAt, has)
	case r.Relation != nil:
		edge := *r.Relation
		w.Relation = &edge
		have, _ := f.relations.get(relationKey(r.Relation))
		keep(has, "until", &edge.Until, have.Until)
		stored = completeEdge(f, &f.relations, relationKey(r.Relation), &w, &edge.CreatedAt, has)
	case r.List != nil:
		w.List, stored = f.wholeListOf(&w, has)
	case r.ListMember != nil:
		edge := *r.ListMember
		w.ListMember = &edge
		stored = completeEdge(f, &f.members, memberKey(r.ListMember), &w, &edge.CreatedAt, has)
	case r.Counters != nil:
		w.Counters, stored = f.wholeCountersOf(r, has)
	}
	if !stored && r.Completes() {
		w, stored = *r, true
	}
	if !stored {
		return nil, feed.Errorf(feed.CodeInvalid, "%s is not stored, so its record must not be partial", r.Object())
	}
	w.Partial = nil
	return &w, checkOwned(f.batch, f.rules, &w, f.now)
}

// keep sets a field of a record to its stored value unless the record has it.
func keep[V any](has func(string) bool, name string, field *V, stored V) {
	if !has(name) {
		*field = stored
	}
}

func (f *fold) wholeUserOf(r *feed.UserRecord, has func(string) bool) (*feed.UserRecord, bool) {
	have := f.user(r.ID)
	if have == nil || have.Awaited() {
		return nil, false
	}
	u := *r
	keep(has, "handle", &u.Handle, have.Handle)
	keep(has, "name", &u.Name, have.Name)
	keep(has, "avatarUrl", &u.AvatarURL, have.AvatarURL)
	keep(has, "custom", &u.Custom, have.Custom)
	keep(has, "createdAt", &u.CreatedAt, have.CreatedAt)
	keep(has, "private", &u.Private, have.Private)
	keep(has, "suspended", &u.Suspended, have.Suspended)
	if !has("deletedAt") {
		keep(has, "absent", &u.Absent, have.Absent)
	}
	return &u, true
}

func (f *fold) wholePostOf(r *feed.Post, has func(string) bool) (*feed.Post, bool) {
	have, stored := f.posts.get(r.ID)
	if !stored {
		return nil, false
	}
	p := *r
	feed.Complete(feed.PostFields(), &p, have.Post, has)
	keep(has, "audience", &p.Audience, have.Audience) // even if it waits for that of the parent
	if have.DeletedAt == feed.HiddenAsUnclear && has("audience") && !has("deletedAt") {
		p.DeletedAt = 0
	}
	return &p, true
}

func (f *fold) wholeSessionOf(r *feed.LiveRecord, has func(string) bool) (*feed.LiveRecord, bool) {
	have := f.sessions.get(r.ID)
	if have == nil {
		return nil, false
	}
	l, stored := *r, live.Record(*have)
	feed.Complete(feed.LiveFields(), &l, &stored, has)
	return &l, true
}

// wholeListOf completes a list. One that is gone stays so unless the record has deletedAt.
func (f *fold) wholeListOf(w *feed.Record, has func(string) bool) (*feed.AuthorList, bool) {
	have, stored := f.lists.get(w.List.ID)
	if !stored {
		return nil, false
	}
	l := *w.List
	feed.Complete(feed.ListFields(), &l, have.AuthorList, has)
	keep(has, "deletedAt", &w.EndedAt, have.DeletedAt)
	return &l, true
}

func (f *fold) wholeCountersOf(r *feed.Record, has func(string) bool) (*feed.CountersRecord, bool) {
	have, _ := f.counters.get(r.Object())
	if have == nil {
		return nil, false
	}
	c := *r.Counters
	feed.Complete(feed.CounterFields(), &c, have, has)
	return &c, true
}

// completeFollow completes a follow or a request. A request stays one unless the record names a state.
func (f *fold) completeFollow(w *feed.Record, edge *feed.FollowRecord, has func(string) bool) (stored bool) {
	if have, asked := findEdge(&f.requests, followKey(edge)); asked {
		keep(has, "createdAt", &edge.CreatedAt, have.CreatedAt)
		keep(has, "state", &edge.Requested, true)
		return true
	}
	return completeEdge(f, &f.follows, followKey(edge), w, &edge.CreatedAt, has)
}

// completeEdge completes the times of an edge. An edge that has ended stays so unless the record
// has deletedAt.
func completeEdge[R comparable](
	f *fold, t *tracked[R, feed.StoredEdge], key R, w *feed.Record, createdAt *int64, has func(string) bool,
) bool {
	have, stored := t.get(key)
	if ended, known := f.ended.get(w.Object()); known && ended.Undone && (!stored || have.Undone) {
		have, stored = ended, true
	}
	keep(has, "createdAt", createdAt, have.CreatedAt)
	if have.Undone && !has("deletedAt") {
		w.EndedAt = 1
	}
	return stored
}
