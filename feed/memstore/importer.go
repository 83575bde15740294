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
	refused
)

// Apply implements [feed.Applier]. A user or content is known by its id: whatever
// else the record says may have been changed since it was first imported.
func (s *Store) Apply(ctx context.Context, batch feed.Batch) (feed.Applied, error) {
	if err := s.begin(ctx); err != nil {
		return feed.Applied{}, err
	}
	defer s.mu.Unlock()
	var result feed.Applied
	c := s.newChange()
	fit, bad := feed.RecordRules().Sort(batch.Records, s.now())
	for _, r := range fit {
		switch v, reason := s.importRecord(c, r, batch); v {
		case stored:
			result.Stored++
		case known:
			result.Known++
		case refused:
			result.Bad = append(result.Bad, feed.BadRecord{Line: r.Line, Reason: reason})
		}
	}
	result.AddBad(bad...)
	if result.Stored > 0 {
		s.raiseGeneration()
	}
	return result, nil
}

func (s *Store) importRecord(c change, r feed.Record, b feed.Batch) (verdict, string) {
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

func refuse(format string, args ...any) (verdict, string) {
	return refused, fmt.Sprintf(format, args...)
}

func (s *Store) importUser(r *feed.UserRecord, b feed.Batch) (verdict, string) {
	switch {
	case s.isGone(r.ID) && r.DeletedAt == 0:
		return refuse("user %d has been deleted", r.ID)
	case s.isGone(r.ID):
		return known, ""
	case s.users[r.ID] != nil:
		s.importSeen(r, b)
		return known, ""
	case r.DeletedAt != 0:
		s.gone[r.ID] = tombstone{createdAt: r.CreatedAt, deletedAt: r.DeletedAt}
		return stored, ""
	case s.ownerOf(r.Handle) != 0:
		return refuse("the handle %q is taken", r.Handle)
	}
	u := r.User
	s.users[r.ID] = &u
	s.storeHandle(r.ID, r.Handle)
	s.importSeen(r, b)
	return stored, ""
}

// importSeen raises the time at which a user was last seen, and the lease that follows
// from it. The rules do not check that time in the record of a deleted account.
func (s *Store) importSeen(r *feed.UserRecord, b feed.Batch) {
	if r.LastSeenAt == 0 || r.DeletedAt != 0 {
		return
	}
	s.lastSeen[r.ID] = max(s.lastSeen[r.ID], r.LastSeenAt)
	s.activeUntil[r.ID] = max(s.activeUntil[r.ID], b.LeaseUntil(r.LastSeenAt, s.now()))
}

func (s *Store) importFollow(c change, r *feed.FollowRecord) (verdict, string) {
	if reason := s.whyNoPair(r.Follower, r.Followee); reason != "" {
		return refused, reason
	}
	if s.isFollowing(r.Follower, r.Followee) {
		return known, ""
	}
	s.addFollow(c, pair{r.Follower, r.Followee}, r.CreatedAt)
	return stored, ""
}

func (s *Store) importRelation(c change, r *feed.RelationRecord) (verdict, string) {
	if !isRelation(r.Kind) {
		return refuse("%q is not a relation", r.Kind)
	}
	if reason := s.whyNoPair(r.User, r.Target); reason != "" {
		return refused, reason
	}
	if !s.setRelation(c, *r, true) {
		return known, ""
	}
	return stored, ""
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

func (s *Store) importReaction(r *feed.ReactionRecord) (verdict, string) {
	switch {
	case r.Reaction != feed.ReactionLike && r.Reaction != feed.ReactionFavorite:
		return refuse("%q is not a reaction", r.Reaction)
	case s.users[r.User] == nil:
		return refused, noUser(r.User)
	case s.posts[r.Post] == nil:
		return refused, noPost(r.Post)
	}
	if !s.addReaction(reaction{r.Reaction, r.User, r.Post}, r.CreatedAt) {
		return known, ""
	}
	return stored, ""
}

func (s *Store) importPost(p *feed.Post) (verdict, string) {
	if have := s.posts[p.ID]; have != nil {
		if have.Author != p.Author {
			return refuse("post %d is by user %d", p.ID, have.Author)
		}
		return known, ""
	}
	if reason := s.whyNoPost(p); reason != "" {
		return refused, reason
	}
	s.posts[p.ID] = clonePost(p)
	return stored, ""
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
