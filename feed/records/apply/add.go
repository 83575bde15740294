package apply

import (
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// The rules for types that Tideline owns. Such records name only what is stored.

func (f *fold) addUser(r *feed.UserRecord) feed.RecordResult {
	if have := f.user(r.ID); have != nil {
		if have.DeletedAt != 0 && r.DeletedAt == 0 {
			return feed.ResultBad("user %s has been deleted", f.userID(r.ID))
		}
		f.seeUser(r)
		return feed.ResultStored(feed.DifferentUser(have, r), f.batch.Update, func() error { return f.updateUser(have, r) })
	}
	if owner := f.takenBy(r); owner != 0 {
		return feed.ResultBad("%s", f.handleTaken(r.Handle, owner))
	}
	f.setUser(r)
	f.seeUser(r)
	return feed.ResultNew()
}

// ownUser returns the record of a user if Tideline owns users: deletedAt deletes the account.
func ownUser(r *feed.UserRecord) *feed.UserRecord {
	if at := max(r.DeletedAt, r.ErasedAt); at != 0 {
		return &feed.UserRecord{User: feed.User{ID: r.ID, CreatedAt: r.CreatedAt, Private: r.Private}, DeletedAt: at}
	}
	return r
}

func (f *fold) takenBy(r *feed.UserRecord) feed.UserID {
	switch {
	case r.DeletedAt != 0:
		return 0
	case f.batch.Update:
		return f.conflicts[r]
	}
	return f.ownerOf(feed.FoldHandle(r.Handle))
}

// handleTaken names the owner, unless ids are text and the batch does not name them.
func (f *fold) handleTaken(handle string, owner feed.UserID) string {
	id := f.userID(owner)
	if len(f.external) > 0 && id.External == "" {
		return fmt.Sprintf("the handle %q belongs to another user", handle)
	}
	return fmt.Sprintf("the handle %q belongs to user %s", handle, id)
}

func (f *fold) seeUser(r *feed.UserRecord) {
	if r.DeletedAt == 0 {
		f.see(r.ID, r.LastSeenAt)
	}
}

func (f *fold) updateUser(have, r *feed.UserRecord) error {
	if owner := f.takenBy(r); owner != 0 {
		return feed.Errorf(feed.CodeConflict, "%s", f.handleTaken(r.Handle, owner))
	}
	after := *r
	after.LastSeenAt, after.Suspended = have.LastSeenAt, have.Suspended.ByRecord(r.Suspended)
	if r.DeletedAt != 0 {
		after.CreatedAt = have.CreatedAt
	}
	f.setUser(&after)
	return nil
}

func (f *fold) addFollow(r *feed.FollowRecord) feed.RecordResult {
	if reason := f.pairRefusal(r.Follower, r.Followee, "follow"); reason != "" {
		return feed.ResultBad("%s", reason)
	}
	key, made := followKey(r), f.followEdge(r)
	if !r.Requested {
		is := addEdge(&f.follows, key, made, f.batch.Update)
		if _, follows := findEdge(&f.follows, key); follows {
			f.endRequest(key)
		}
		return is
	}
	if have, follows := findEdge(&f.follows, key); follows {
		return feed.ResultStored(feed.Difference{Fields: []string{"state"}}, f.batch.Update, func() error {
			f.follows.set(key, feed.StoredEdge{CreatedAt: have.CreatedAt, Undone: true})
			f.requests.set(key, made)
			return nil
		})
	}
	return addEdge(&f.requests, key, made, f.batch.Update)
}

// followEdge returns the follow or the request that a record makes, with the options that it does not name.
func (f *fold) followEdge(r *feed.FollowRecord) feed.StoredEdge {
	have, follows := findEdge(&f.follows, followKey(r))
	if !follows { // one that has ended has none
		have, _ = findEdge(&f.requests, followKey(r))
	}
	return feed.StoredEdge{CreatedAt: r.CreatedAt, Options: r.Options.Of(have.Options)}
}

// findEdge returns an edge, and whether it is stored and was not undone.
func findEdge[R comparable](t *tracked[R, feed.StoredEdge], key R) (have feed.StoredEdge, is bool) {
	have, stored := t.get(key)
	return have, stored && !have.Undone
}

// endRequest ends a request, if there is one.
func (f *fold) endRequest(key feed.FollowRecord) {
	if have, asked := findEdge(&f.requests, key); asked {
		f.requests.set(key, feed.StoredEdge{CreatedAt: have.CreatedAt, Undone: true})
	}
}

func (f *fold) addRelation(r *feed.RelationRecord) feed.RecordResult {
	if !r.Kind.Valid() {
		return feed.ResultBad("%q is not a relation", r.Kind)
	}
	if reason := f.pairRefusal(r.User, r.Target, string(r.Kind)); reason != "" {
		return feed.ResultBad("%s", reason)
	}
	if _, is := findEdge(&f.relations, relationKey(r)); r.Lapsed(f.now) && !is {
		return feed.ResultKnown()
	}
	return addEdge(&f.relations, relationKey(r), r.Edge(), f.batch.Update)
}

func (f *fold) pairRefusal(a, b feed.UserID, verb string) string {
	switch {
	case !f.isUser(a):
		return f.noUser(a)
	case !f.isUser(b):
		return f.noUser(b)
	case a == b:
		return fmt.Sprintf("user %s cannot %s themselves", f.userID(a), verb)
	}
	return ""
}

func (f *fold) addReaction(r *feed.ReactionRecord) feed.RecordResult {
	switch {
	case !r.Reaction.Valid():
		return feed.ResultBad("%q is not a reaction", r.Reaction)
	case !f.isUser(r.User):
		return feed.ResultBad("%s", f.noUser(r.User))
	}
	if _, stored := f.posts.get(r.Post); !stored {
		return feed.ResultBad("%s", f.noPost(r.Post))
	}
	return addEdge(&f.reactions, reactionKey(r), feed.StoredEdge{CreatedAt: r.CreatedAt}, f.batch.Update)
}

func followKey(r *feed.FollowRecord) feed.FollowRecord {
	return feed.FollowRecord{Follower: r.Follower, Followee: r.Followee}
}

func reactionKey(r *feed.ReactionRecord) feed.ReactionRecord {
	return feed.ReactionRecord{Reaction: r.Reaction, User: r.User, Post: r.Post}
}

func relationKey(r *feed.RelationRecord) feed.RelationRecord {
	return feed.RelationRecord{Kind: r.Kind, User: r.User, Target: r.Target}
}

func addEdge[R comparable](t *tracked[R, feed.StoredEdge], key R, made feed.StoredEdge, update bool) feed.RecordResult {
	have, stored := t.get(key)
	set := func() error { t.set(key, made); return nil }
	if stored {
		return feed.ResultStored(feed.DifferentEdge(have, made), update, set)
	}
	_ = set()
	return feed.ResultNew()
}

func (f *fold) addPost(p *feed.Post) feed.RecordResult {
	if have, ok := f.post(p.ID); ok {
		if have.Author != p.Author {
			return feed.ResultBad("post %s is by user %s, not %s", f.postID(p.ID), f.userID(have.Author), f.userID(p.Author))
		}
		p = f.laterAudience(p)
		d := feed.DifferentPost(have.Post, p)
		return feed.ResultStored(d, f.batch.Update, func() error { return f.updatePost(have, p, d) })
	}
	if reason := f.missing(p); reason != "" {
		return feed.ResultBad("%s", reason)
	}
	n := f.newPost(p)
	if limit := feed.DefaultPolicy().RepostDepth; n.RepostDepth > limit {
		return feed.ResultBad("a chain of reposts has at most %d links", limit)
	}
	f.posts.set(p.ID, n)
	return feed.ResultNew()
}

// post returns a post. With the account of its author, it counts as deleted.
func (f *fold) post(id feed.PostID) (Post, bool) {
	p, ok := f.posts.get(id)
	if ok && p.DeletedAt == 0 && f.deleted(p.Author) {
		gone := *p.Post
		gone.DeletedAt = f.user(p.Author).DeletedAt
		p.Post = &gone
	}
	return p, ok
}

func (f *fold) newPost(p *feed.Post) Post {
	parent, _ := f.posts.get(p.Parent())
	p = p.InAudience(parent.Post)
	if p.RepostOf == 0 {
		return Post{Post: p}
	}
	return Post{p.Inherit(parent.Post), parent.RepostDepth + 1}
}

// laterAudience returns a later record of a stored post with the audience that it would be stored with
// now. A record that names none keeps the stored one.
func (f *fold) laterAudience(p *feed.Post) *feed.Post {
	parent, stored := f.posts.get(p.Parent())
	if !stored || p.Audience == feed.AudienceOfParent {
		return p
	}
	return p.InAudience(parent.Post)
}

func (f *fold) updatePost(have Post, p *feed.Post, d feed.Difference) error {
	if f.deleted(have.Author) {
		return feed.Errorf(feed.CodeInvalid, "user %s has been deleted", f.userID(have.Author))
	}
	after, err := feed.UpdatedPost(have.Post, p, d)
	if err == nil {
		f.posts.set(p.ID, Post{after, have.RepostDepth})
	}
	return err
}

// missing describes the first user or post that p refers to and that is not stored, if any.
func (f *fold) missing(p *feed.Post) string {
	if author := f.user(p.Author); author == nil || author.DeletedAt != 0 && p.DeletedAt == 0 {
		return f.noUser(p.Author)
	}
	if p.AudienceAuthor != 0 && f.user(p.AudienceAuthor) == nil {
		return f.noUser(p.AudienceAuthor)
	}
	for _, id := range []feed.PostID{p.ReplyTo, p.RepostOf} {
		if _, ok := f.posts.get(id); id != 0 && !ok {
			return f.noPost(id)
		}
	}
	return ""
}

func (f *fold) noUser(id feed.UserID) string { return fmt.Sprintf("no user %s", f.userID(id)) }

func (f *fold) noPost(id feed.PostID) string { return fmt.Sprintf("no post %s", f.postID(id)) }
