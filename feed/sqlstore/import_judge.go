package sqlstore

import (
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// news is what a batch changes, by type and in order.
type news struct {
	// update says that follows may be made again that were undone.
	update bool
	users  []*feed.UserRecord
	// seen is when stored users, including those of the batch, were last seen.
	seen      map[feed.UserID]int64
	posts     []newPost
	follows   edgeNews[feed.FollowRecord]
	reactions edgeNews[feed.ReactionRecord]
	relations edgeNews[feed.RelationRecord]
	sessions  []sessionSteps
	changed   changed
}

// newPost is a post with the length of the chain of reposts that it begins.
type newPost struct {
	*feed.Post
	repostDepth int
}

// judgement is the state while going through a batch. Later records see what earlier ones store.
type judgement struct {
	*storedRows
	// update says that records of stored objects are applied. conflicts are handles in them that
	// other users have.
	update    bool
	conflicts map[*feed.UserRecord]feed.UserID
	news      news
}

// judge adds the result of each record to result, and returns the changes to write.
func judge(part []feed.Record, k *storedRows, update bool, result *feed.Applied) news {
	j := judgement{storedRows: k, update: update, news: news{update: update, seen: map[feed.UserID]int64{}}}
	if update {
		j.conflicts = feed.HandleConflicts(part,
			func(id feed.UserID) *feed.UserRecord { return k.users[id] },
			func(fold string) feed.UserID { return k.handles[fold] })
	}
	for _, r := range part {
		result.Add(&r, j.record(r))
	}
	return j.news
}

func (j *judgement) record(r feed.Record) feed.RecordResult {
	switch {
	case r.User != nil:
		return j.user(r.User)
	case r.Follow != nil:
		return j.follow(r.Follow)
	case r.Post != nil:
		return j.post(r.Post)
	case r.Reaction != nil:
		return j.reaction(r.Reaction)
	case r.Relation != nil:
		return j.relation(r.Relation)
	case r.Live != nil:
		return j.live(r.Live)
	}
	return feed.ResultBad("an empty record")
}

func (j *judgement) user(u *feed.UserRecord) feed.RecordResult {
	if have := j.users[u.ID]; have != nil {
		if have.DeletedAt != 0 && u.DeletedAt == 0 {
			return feed.ResultBad("user %d has been deleted", u.ID)
		}
		j.see(u)
		return feed.ResultStored(feed.DifferentUser(have, u), j.update, func() error { return j.updateUser(have, u) })
	}
	if owner := j.conflicts[u]; owner != 0 {
		return feed.ResultBad("the handle %q belongs to user %d", u.Handle, owner)
	}
	if u.DeletedAt != 0 {
		u = &feed.UserRecord{User: feed.User{ID: u.ID, CreatedAt: u.CreatedAt}, DeletedAt: u.DeletedAt}
	} else {
		handle := feed.FoldHandle(u.Handle)
		if owner, taken := j.handles[handle]; taken && !j.update {
			return feed.ResultBad("the handle %q belongs to user %d", u.Handle, owner)
		}
		j.handles[handle] = u.ID
	}
	j.users[u.ID] = u
	j.news.users = append(j.news.users, u)
	return feed.ResultNew()
}

// isUser reports whether a user exists whose account is not deleted.
func (j *judgement) isUser(id feed.UserID) bool {
	u := j.users[id]
	return u != nil && u.DeletedAt == 0
}

// see records when a stored user was last seen. Records of deleted accounts may have a wrong time.
func (j *judgement) see(u *feed.UserRecord) {
	if u.LastSeenAt != 0 && u.DeletedAt == 0 {
		j.news.seen[u.ID] = max(j.news.seen[u.ID], u.LastSeenAt)
	}
}

func (j *judgement) follow(f *feed.FollowRecord) feed.RecordResult {
	switch {
	case !j.isUser(f.Follower):
		return feed.ResultBad("no user %d", f.Follower)
	case !j.isUser(f.Followee):
		return feed.ResultBad("no user %d", f.Followee)
	case f.Follower == f.Followee:
		return feed.ResultBad("user %d cannot follow themselves", f.Follower)
	}
	return followEdges.rule(j.follows, &j.news.follows, f, j.update)
}

func (j *judgement) post(p *feed.Post) feed.RecordResult {
	if have, ok := j.posts[p.ID]; ok {
		if have.Author != p.Author {
			return feed.ResultBad("post %d is by user %d, not %d", p.ID, have.Author, p.Author)
		}
		d := feed.DifferentPost(have.Post, p)
		return feed.ResultStored(d, j.update, func() error { return j.updatePost(have.Post, p, d) })
	}
	if reason := j.missing(p); reason != "" {
		return feed.ResultBad("%s", reason)
	}
	n := newPost{Post: p}
	if p.RepostOf != 0 {
		n.repostDepth = j.posts[p.RepostOf].repostDepth + 1
	}
	if n.repostDepth > maxRepostDepth() {
		return feed.ResultBad("a chain of reposts has at most %d links", maxRepostDepth())
	}
	j.posts[p.ID] = n
	j.news.posts = append(j.news.posts, n)
	return feed.ResultNew()
}

// missing describes the first user or post that p refers to and that is not stored, if any.
func (j *judgement) missing(p *feed.Post) string {
	if author := j.users[p.Author]; author == nil || author.DeletedAt != 0 && p.DeletedAt == 0 {
		return fmt.Sprintf("no user %d", p.Author)
	}
	for _, id := range []feed.PostID{p.ReplyTo, p.RepostOf} {
		if _, ok := j.posts[id]; id != 0 && !ok {
			return fmt.Sprintf("no post %d", id)
		}
	}
	return ""
}

func (j *judgement) reaction(r *feed.ReactionRecord) feed.RecordResult {
	if !r.Reaction.Valid() {
		return feed.ResultBad("%q is not a reaction", r.Reaction)
	}
	if !j.isUser(r.User) {
		return feed.ResultBad("no user %d", r.User)
	}
	if _, ok := j.posts[r.Post]; !ok {
		return feed.ResultBad("no post %d", r.Post)
	}
	return reactionEdges.rule(j.reactions, &j.news.reactions, r, j.update)
}

func (j *judgement) relation(r *feed.RelationRecord) feed.RecordResult {
	switch {
	case !r.Kind.Valid():
		return feed.ResultBad("%q is not a relation", r.Kind)
	case !j.isUser(r.User):
		return feed.ResultBad("no user %d", r.User)
	case !j.isUser(r.Target):
		return feed.ResultBad("no user %d", r.Target)
	case r.User == r.Target:
		return feed.ResultBad("user %d cannot %s themselves", r.User, r.Kind)
	}
	return relationEdges.rule(j.relations, &j.news.relations, r, j.update)
}
