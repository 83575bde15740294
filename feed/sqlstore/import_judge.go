package sqlstore

import (
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// news is what a batch brings that is not stored, by type and in order.
type news struct {
	users []*feed.UserRecord
	// seen is when users who are stored, also by the batch itself, were last seen.
	seen      map[feed.UserID]int64
	posts     []newPost
	follows   []*feed.FollowRecord
	reactions []*feed.ReactionRecord
	relations []*feed.RelationRecord
	sessions  []*feed.LiveRecord
}

// newPost is a content with the length of the chain of reposts it begins.
type newPost struct {
	*feed.Post
	repostDepth int
}

// verdict is what becomes of one record.
type verdict int

const (
	recordStored verdict = iota
	recordKnown
	recordRefused
)

// judgement goes through a batch. What it stores is known to the records after.
type judgement struct {
	*knowledge
	news news
}

// judge says what becomes of each record of a batch, given what is stored.
func judge(batch []feed.Record, k *knowledge) (feed.Applied, news) {
	j := judgement{knowledge: k, news: news{seen: map[feed.UserID]int64{}}}
	var result feed.Applied
	for _, r := range batch {
		switch v, reason := j.record(r); v {
		case recordStored:
			result.Stored++
		case recordKnown:
			result.Known++
		case recordRefused:
			result.Bad = append(result.Bad, feed.BadRecord{Line: r.Line, Reason: reason})
		}
	}
	return result, j.news
}

func (j *judgement) record(r feed.Record) (verdict, string) {
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
	return refuse("an empty record")
}

func refuse(format string, args ...any) (verdict, string) {
	return recordRefused, fmt.Sprintf(format, args...)
}

func (j *judgement) user(u *feed.UserRecord) (verdict, string) {
	switch {
	case j.gone[u.ID] && u.DeletedAt == 0:
		return refuse("user %d has been deleted", u.ID)
	case j.gone[u.ID]:
		return recordKnown, ""
	case j.users[u.ID]:
		j.see(u)
		return recordKnown, ""
	case u.DeletedAt != 0:
		j.gone[u.ID] = true
		j.news.users = append(j.news.users, &feed.UserRecord{User: feed.User{ID: u.ID, CreatedAt: u.CreatedAt}, DeletedAt: u.DeletedAt})
		return recordStored, ""
	}
	handle := feed.FoldHandle(u.Handle)
	if owner, taken := j.handles[handle]; taken {
		return refuse("the handle %q belongs to user %d", u.Handle, owner)
	}
	j.users[u.ID], j.handles[handle] = true, u.ID
	j.news.users = append(j.news.users, u)
	return recordStored, ""
}

// see notes when a user who is stored was last seen. The rules do not check that time in
// the record of a deleted account.
func (j *judgement) see(u *feed.UserRecord) {
	if u.LastSeenAt != 0 && u.DeletedAt == 0 {
		j.news.seen[u.ID] = max(j.news.seen[u.ID], u.LastSeenAt)
	}
}

func (j *judgement) follow(f *feed.FollowRecord) (verdict, string) {
	switch key := keyOfFollow(f); {
	case !j.users[f.Follower]:
		return refuse("no user %d", f.Follower)
	case !j.users[f.Followee]:
		return refuse("no user %d", f.Followee)
	case f.Follower == f.Followee:
		return refuse("user %d follows itself", f.Follower)
	case j.follows[key]:
		return recordKnown, ""
	default:
		j.follows[key] = true
	}
	j.news.follows = append(j.news.follows, f)
	return recordStored, ""
}

func (j *judgement) post(p *feed.Post) (verdict, string) {
	if have, ok := j.posts[p.ID]; ok {
		if have.author != p.Author {
			return refuse("post %d is by user %d, not %d", p.ID, have.author, p.Author)
		}
		return recordKnown, ""
	}
	if reason := j.missing(p); reason != "" {
		return recordRefused, reason
	}
	n := newPost{Post: p}
	if p.RepostOf != 0 {
		n.repostDepth = j.posts[p.RepostOf].repostDepth + 1
	}
	if n.repostDepth > maxRepostDepth() {
		return refuse("the repost chain is longer than %d", maxRepostDepth())
	}
	j.posts[p.ID] = postFacts{author: p.Author, repostDepth: n.repostDepth}
	j.news.posts = append(j.news.posts, n)
	return recordStored, ""
}

// missing says who or what a content names that is not there; empty when all are.
func (j *judgement) missing(p *feed.Post) string {
	if !j.users[p.Author] && (!j.gone[p.Author] || p.DeletedAt == 0) {
		return fmt.Sprintf("no user %d", p.Author)
	}
	for _, id := range []feed.ContentID{p.ReplyTo, p.RepostOf} {
		if _, ok := j.posts[id]; id != 0 && !ok {
			return fmt.Sprintf("no post %d", id)
		}
	}
	return ""
}

func (j *judgement) reaction(r *feed.ReactionRecord) (verdict, string) {
	if !isReaction(r.Reaction) {
		return refuse("%q is not a reaction", r.Reaction)
	}
	if !j.users[r.User] {
		return refuse("no user %d", r.User)
	}
	if _, ok := j.posts[r.Post]; !ok {
		return refuse("no post %d", r.Post)
	}
	key := keyOfReaction(r)
	if j.reactions[key] {
		return recordKnown, ""
	}
	j.reactions[key] = true
	j.news.reactions = append(j.news.reactions, r)
	return recordStored, ""
}

func (j *judgement) relation(r *feed.RelationRecord) (verdict, string) {
	switch key := keyOfRelation(r); {
	case !isRelation(r.Kind):
		return refuse("%q is not a relation", r.Kind)
	case !j.users[r.User]:
		return refuse("no user %d", r.User)
	case !j.users[r.Target]:
		return refuse("no user %d", r.Target)
	case r.User == r.Target:
		return refuse("a %s of user %d by itself", r.Kind, r.User)
	case j.relations[key]:
		return recordKnown, ""
	default:
		j.relations[key] = true
	}
	j.news.relations = append(j.news.relations, r)
	return recordStored, ""
}

func isReaction(r feed.Reaction) bool {
	return r == feed.ReactionLike || r == feed.ReactionFavorite
}

func isRelation(k feed.RelationKind) bool {
	return k == feed.RelationMute || k == feed.RelationHide || k == feed.RelationBlock
}
