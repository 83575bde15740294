package memstore

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// verdict is what becomes of one record.
type verdict int

const (
	stored verdict = iota
	known
	different
	refused
)

// ruling is the verdict on a record, with the reason of a refusal or what differs.
type ruling struct {
	verdict    verdict
	reason     string
	difference feed.Difference
}

// isNew is the ruling on a record that was stored.
func isNew() ruling { return ruling{verdict: stored} }

// compared is the ruling on a record whose object is stored.
func compared(d feed.Difference) ruling {
	if d.None() {
		return ruling{verdict: known}
	}
	return ruling{verdict: different, difference: d}
}

// Apply implements [feed.Applier].
func (s *Store) Apply(ctx context.Context, batch feed.Batch) (feed.Applied, error) {
	if err := s.begin(ctx); err != nil {
		return feed.Applied{}, err
	}
	defer s.mu.Unlock()
	var result feed.Applied
	c := s.newChange()
	fit, bad := feed.RecordRules().Sort(batch.Records, s.now())
	for _, r := range fit {
		switch is := s.importRecord(c, r, batch); is.verdict {
		case stored:
			result.Stored++
		case known:
			result.Known++
		case different:
			result.AddDifferent(&r, is.difference)
		case refused:
			result.Bad = append(result.Bad, feed.BadRecord{Line: r.Line, Reason: is.reason})
		}
	}
	result.AddBad(bad...)
	if result.Stored > 0 {
		s.raiseGeneration()
	}
	return result, nil
}

func (s *Store) importRecord(c change, r feed.Record, b feed.Batch) ruling {
	switch {
	case r.User != nil:
		return s.importUser(r.User, b)
	case r.Follow != nil:
		return s.importFollow(c, r.Follow)
	case r.Post != nil:
		return s.importPost(r.Post)
	case r.Reaction != nil:
		return s.importReaction(r.Reaction)
	case r.Relation != nil:
		return s.importRelation(c, r.Relation)
	case r.Live != nil:
		return s.importLive(r.Live)
	}
	return refuse("an empty record")
}

func refuse(format string, args ...any) ruling {
	return ruling{verdict: refused, reason: fmt.Sprintf(format, args...)}
}

func (s *Store) importUser(r *feed.UserRecord, b feed.Batch) ruling {
	if s.isGone(r.ID) && r.DeletedAt == 0 {
		return refuse("user %d has been deleted", r.ID)
	}
	if have := s.userRecord(r.ID); have != nil {
		s.importSeen(r, b)
		return compared(feed.DifferentUser(have, r))
	}
	switch {
	case r.DeletedAt != 0:
		s.gone[r.ID] = tombstone{createdAt: r.CreatedAt, deletedAt: r.DeletedAt}
		return isNew()
	case s.ownerOf(r.Handle) != 0:
		return refuse("the handle %q is taken", r.Handle)
	}
	u := r.User
	s.users[r.ID] = &u
	s.storeHandle(r.ID, r.Handle)
	s.importSeen(r, b)
	return isNew()
}

// importSeen raises the time at which a user was last seen, and the lease that follows
// from it. The rules do not check that time in the record of a deleted account.
func (s *Store) importSeen(r *feed.UserRecord, b feed.Batch) {
	if r.LastSeenAt == 0 || r.DeletedAt != 0 || s.isGone(r.ID) {
		return
	}
	s.lastSeen[r.ID] = max(s.lastSeen[r.ID], r.LastSeenAt)
	s.activeUntil[r.ID] = max(s.activeUntil[r.ID], b.LeaseUntil(r.LastSeenAt, s.now()))
}

// userRecord returns what is stored of an id, also of a deleted account; nil when nothing is.
func (s *Store) userRecord(id feed.UserID) *feed.UserRecord {
	if t, gone := s.gone[id]; gone {
		return &feed.UserRecord{User: feed.User{ID: id, CreatedAt: t.createdAt}, DeletedAt: t.deletedAt}
	}
	if u := s.users[id]; u != nil {
		return &feed.UserRecord{User: *u}
	}
	return nil
}

func (s *Store) importFollow(c change, r *feed.FollowRecord) ruling {
	if reason := s.whyNoPair(r.Follower, r.Followee); reason != "" {
		return refuse("%s", reason)
	}
	p := pair{r.Follower, r.Followee}
	_, ended := s.ended[p]
	if have, stands := s.follows[p]; stands || ended {
		return compared(feed.DifferentEdge(feed.StoredEdge{CreatedAt: have.at, Undone: !stands}, r.CreatedAt))
	}
	s.addFollow(c, p, r.CreatedAt)
	return isNew()
}

func (s *Store) importRelation(c change, r *feed.RelationRecord) ruling {
	if !isRelation(r.Kind) {
		return refuse("%q is not a relation", r.Kind)
	}
	if reason := s.whyNoPair(r.User, r.Target); reason != "" {
		return refuse("%s", reason)
	}
	key := relation{r.Kind, r.User, r.Target}
	if at, stands := s.relations[key]; stands || s.undoneRelations[key] {
		return compared(feed.DifferentEdge(feed.StoredEdge{CreatedAt: at, Undone: !stands}, r.CreatedAt))
	}
	s.setRelation(c, *r, true)
	return isNew()
}

// whyNoPair says why nothing can stand between two users; empty when it can.
func (s *Store) whyNoPair(a, b feed.UserID) string {
	switch {
	case s.users[a] == nil:
		return noUser(a)
	case s.users[b] == nil:
		return noUser(b)
	case a == b:
		return fmt.Sprintf("user %d to himself", a)
	}
	return ""
}

func (s *Store) importReaction(r *feed.ReactionRecord) ruling {
	switch {
	case r.Reaction != feed.ReactionLike && r.Reaction != feed.ReactionFavorite:
		return refuse("%q is not a reaction", r.Reaction)
	case s.users[r.User] == nil:
		return refuse("%s", noUser(r.User))
	case s.posts[r.Post] == nil:
		return refuse("%s", noPost(r.Post))
	}
	key := reaction{r.Reaction, r.User, r.Post}
	if at, stands := s.reactions[key]; stands || s.undoneReactions[key] {
		return compared(feed.DifferentEdge(feed.StoredEdge{CreatedAt: at, Undone: !stands}, r.CreatedAt))
	}
	s.addReaction(key, r.CreatedAt)
	return isNew()
}

func (s *Store) importPost(p *feed.Post) ruling {
	if have := s.posts[p.ID]; have != nil {
		if have.Author != p.Author {
			return refuse("post %d is by user %d", p.ID, have.Author)
		}
		return compared(feed.DifferentPost(have, p))
	}
	if reason := s.whyNoPost(p); reason != "" {
		return refuse("%s", reason)
	}
	s.posts[p.ID] = clonePost(p)
	return isNew()
}

// whyNoPost says why a new content cannot be stored; empty when it can.
func (s *Store) whyNoPost(p *feed.Post) string {
	switch {
	case s.users[p.Author] == nil && (!s.isGone(p.Author) || p.DeletedAt == 0):
		return noUser(p.Author)
	case p.ReplyTo != 0 && s.posts[p.ReplyTo] == nil:
		return noPost(p.ReplyTo)
	case p.RepostOf != 0 && s.posts[p.RepostOf] == nil:
		return noPost(p.RepostOf)
	case s.chainLength(p) > s.repostDepth:
		return fmt.Sprintf("a chain of more than %d reposts", s.repostDepth)
	}
	return ""
}

// chainLength counts the reposts from p, if it is one, down to a content that is
// none. It stops counting above the longest chain allowed.
func (s *Store) chainLength(p *feed.Post) int {
	n := 0
	for p != nil && p.RepostOf != 0 && n <= s.repostDepth {
		n++
		p = s.posts[p.RepostOf]
	}
	return n
}

func noUser(id feed.UserID) string    { return fmt.Sprintf("no user %d", id) }
func noPost(id feed.ContentID) string { return fmt.Sprintf("no post %d", id) }
