package memstore

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// applied is a batch during its application.
type applied struct {
	feed.Batch
	change
	// conflicts has the owner of each user record's handle, in the current part of the batch.
	conflicts map[*feed.UserRecord]feed.UserID
}

// Apply implements [feed.Applier].
func (s *Store) Apply(ctx context.Context, batch feed.Batch) (feed.Applied, error) {
	return inTx(ctx, s, func() feed.Applied {
		var result feed.Applied
		a := &applied{Batch: batch, change: s.newChange()}
		fit, bad := feed.RecordRules().Sort(batch.Records, s.now())
		for _, part := range batch.Parts(fit) {
			if batch.Update {
				a.conflicts = feed.HandleConflicts(part, s.userRecord, s.ownerOf)
			}
			for _, r := range part {
				result.Add(&r, s.applyRecord(a, r))
			}
		}
		result.AddBad(bad...)
		if result.Stored+len(result.Updated) > 0 {
			s.raiseGeneration()
		}
		return result
	})
}

// applyRecord applies one record and returns the result.
func (s *Store) applyRecord(a *applied, r feed.Record) feed.RecordResult {
	switch {
	case r.User != nil:
		return s.importUser(a, r.User)
	case r.Follow != nil:
		return s.importFollow(a, r.Follow)
	case r.Post != nil:
		return s.importPost(a, r.Post)
	case r.Reaction != nil:
		return s.importReaction(a, r.Reaction)
	case r.Relation != nil:
		return s.importRelation(a, r.Relation)
	case r.Live != nil:
		return s.importLive(a, r.Live)
	}
	return feed.ResultBad("an empty record")
}

func (s *Store) importUser(a *applied, r *feed.UserRecord) feed.RecordResult {
	if s.isDeleted(r.ID) && r.DeletedAt == 0 {
		return feed.ResultBad("user %d has been deleted", r.ID)
	}
	if have := s.userRecord(r.ID); have != nil {
		s.importSeen(a, r)
		return feed.ResultStored(feed.DifferentUser(have, r), a.Update, func() error { return s.updateUser(a, r) })
	}
	switch {
	case r.DeletedAt != 0:
		s.deleted[r.ID] = tombstone{createdAt: r.CreatedAt, deletedAt: r.DeletedAt}
		return feed.ResultNew()
	case a.conflicts[r] != 0:
		return feed.ResultBad("the handle %q belongs to user %d", r.Handle, a.conflicts[r])
	case !a.Update && s.ownerOf(r.Handle) != 0:
		return feed.ResultBad("the handle %q belongs to user %d", r.Handle, s.ownerOf(r.Handle))
	}
	u := r.User
	s.users[r.ID] = &u
	s.storeHandle(r.ID, r.Handle)
	s.importSeen(a, r)
	return feed.ResultNew()
}

// updateUser sets all fields of a stored user from a record.
func (s *Store) updateUser(a *applied, r *feed.UserRecord) error {
	if r.DeletedAt != 0 {
		s.deleteAccount(r.ID, r.DeletedAt)
		return nil
	}
	if owner := a.conflicts[r]; owner != 0 {
		return feed.Errorf(feed.CodeConflict, "the handle %q belongs to user %d", r.Handle, owner)
	}
	s.freeHandle(r.ID, texts.Skeletons(r.Handle))
	s.storeHandle(r.ID, r.Handle)
	u := r.User
	u.Flag = s.flagOf(r.ID)
	s.users[r.ID] = &u
	s.changes[r.ID]++
	return nil
}

// importSeen raises the user's last activity and their lease. It ignores records of deleted
// accounts, whose time the rules do not check.
func (s *Store) importSeen(a *applied, r *feed.UserRecord) {
	if r.LastSeenAt == 0 || r.DeletedAt != 0 || s.isDeleted(r.ID) {
		return
	}
	s.lastSeen[r.ID] = max(s.lastSeen[r.ID], r.LastSeenAt)
	s.activeUntil[r.ID] = max(s.activeUntil[r.ID], a.LeaseUntil(r.LastSeenAt, s.now()))
}

// userRecord returns the record of a stored or deleted user, or nil.
func (s *Store) userRecord(id feed.UserID) *feed.UserRecord {
	if t, deleted := s.deleted[id]; deleted {
		return &feed.UserRecord{User: feed.User{ID: id, CreatedAt: t.createdAt}, DeletedAt: t.deletedAt}
	}
	if u := s.users[id]; u != nil {
		return &feed.UserRecord{User: *u}
	}
	return nil
}

// Undone implements [feed.UndoneEdges].
func (s *Store) Undone(ctx context.Context, r feed.Record) (bool, error) {
	return inTx(ctx, s, func() bool {
		switch {
		case r.Follow != nil:
			p := pair{r.Follow.Follower, r.Follow.Followee}
			_, exists := s.follows[p]
			_, ended := s.ended[p]
			return ended && !exists
		case r.Reaction != nil:
			key := reaction{r.Reaction.Reaction, r.Reaction.User, r.Reaction.Post}
			_, exists := s.reactions[key]
			return s.undoneReactions[key] && !exists
		case r.Relation != nil:
			key := relation{r.Relation.Kind, r.Relation.User, r.Relation.Target}
			_, exists := s.relations[key]
			return s.undoneRelations[key] && !exists
		}
		return false
	})
}

func (s *Store) importFollow(a *applied, r *feed.FollowRecord) feed.RecordResult {
	if reason := s.pairRefusal(r.Follower, r.Followee, "follow"); reason != "" {
		return feed.ResultBad("%s", reason)
	}
	p := pair{r.Follower, r.Followee}
	_, ended := s.ended[p]
	if have, exists := s.follows[p]; exists || ended {
		d := feed.DifferentEdge(feed.StoredEdge{CreatedAt: have.at, Undone: !exists}, r.CreatedAt)
		return feed.ResultStored(d, a.Update, func() error {
			if exists {
				s.follows[p] = follow{at: r.CreatedAt, version: have.version}
			} else {
				s.addFollow(a.change, p, r.CreatedAt)
			}
			return nil
		})
	}
	s.addFollow(a.change, p, r.CreatedAt)
	return feed.ResultNew()
}

func (s *Store) importRelation(a *applied, r *feed.RelationRecord) feed.RecordResult {
	if !r.Kind.Valid() {
		return feed.ResultBad("%q is not a relation", r.Kind)
	}
	if reason := s.pairRefusal(r.User, r.Target, string(r.Kind)); reason != "" {
		return feed.ResultBad("%s", reason)
	}
	key := relation{r.Kind, r.User, r.Target}
	if at, exists := s.relations[key]; exists || s.undoneRelations[key] {
		d := feed.DifferentEdge(feed.StoredEdge{CreatedAt: at, Undone: !exists}, r.CreatedAt)
		return feed.ResultStored(d, a.Update, func() error {
			s.setRelation(a.change, *r, true)
			s.relations[key] = r.CreatedAt
			return nil
		})
	}
	s.setRelation(a.change, *r, true)
	return feed.ResultNew()
}

// pairRefusal returns why a cannot follow, mute, hide from or block b, or the empty string.
func (s *Store) pairRefusal(a, b feed.UserID, verb string) string {
	switch {
	case s.users[a] == nil:
		return noUser(a)
	case s.users[b] == nil:
		return noUser(b)
	case a == b:
		return fmt.Sprintf("user %d cannot %s themselves", a, verb)
	}
	return ""
}

func (s *Store) importReaction(a *applied, r *feed.ReactionRecord) feed.RecordResult {
	switch {
	case !r.Reaction.Valid():
		return feed.ResultBad("%q is not a reaction", r.Reaction)
	case s.users[r.User] == nil:
		return feed.ResultBad("%s", noUser(r.User))
	case s.posts[r.Post] == nil:
		return feed.ResultBad("%s", noPost(r.Post))
	}
	key := reaction{r.Reaction, r.User, r.Post}
	if at, exists := s.reactions[key]; exists || s.undoneReactions[key] {
		d := feed.DifferentEdge(feed.StoredEdge{CreatedAt: at, Undone: !exists}, r.CreatedAt)
		return feed.ResultStored(d, a.Update, func() error { s.reactions[key] = r.CreatedAt; return nil })
	}
	s.addReaction(key, r.CreatedAt)
	return feed.ResultNew()
}

func (s *Store) importPost(a *applied, p *feed.Post) feed.RecordResult {
	if have := s.posts[p.ID]; have != nil {
		if have.Author != p.Author {
			return feed.ResultBad("post %d is by user %d, not %d", p.ID, have.Author, p.Author)
		}
		d := feed.DifferentPost(have, p)
		return feed.ResultStored(d, a.Update, func() error { return s.updatePost(have, p, d) })
	}
	if reason := s.postRefusal(p); reason != "" {
		return feed.ResultBad("%s", reason)
	}
	s.posts[p.ID] = clonePost(p)
	return feed.ResultNew()
}

// updatePost sets the fields of a stored post from a record.
func (s *Store) updatePost(have, p *feed.Post, d feed.Difference) error {
	if s.users[have.Author] == nil {
		return feed.Errorf(feed.CodeInvalid, "user %d has been deleted", have.Author)
	}
	after, err := feed.UpdatedPost(have, p, d)
	if err == nil {
		s.posts[p.ID] = clonePost(after)
		s.changes[p.Author]++
	}
	return err
}

// postRefusal returns why a new post cannot be stored, or the empty string.
func (s *Store) postRefusal(p *feed.Post) string {
	switch {
	case s.users[p.Author] == nil && (!s.isDeleted(p.Author) || p.DeletedAt == 0):
		return noUser(p.Author)
	case p.ReplyTo != 0 && s.posts[p.ReplyTo] == nil:
		return noPost(p.ReplyTo)
	case p.RepostOf != 0 && s.posts[p.RepostOf] == nil:
		return noPost(p.RepostOf)
	case s.chainLength(p) > s.repostDepth:
		return fmt.Sprintf("a chain of reposts has at most %d links", s.repostDepth)
	}
	return ""
}

// chainLength returns the number of reposts in the chain that begins with p, 0 if p is not a
// repost. It stops counting above the maximum.
func (s *Store) chainLength(p *feed.Post) int {
	n := 0
	for p != nil && p.RepostOf != 0 && n <= s.repostDepth {
		n++
		p = s.posts[p.RepostOf]
	}
	return n
}

func noUser(id feed.UserID) string { return fmt.Sprintf("no user %d", id) }
func noPost(id feed.PostID) string { return fmt.Sprintf("no post %d", id) }
