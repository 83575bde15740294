package memstore

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/records/apply"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// Apply implements [feed.Applier].
func (s *Store) Apply(ctx context.Context, batch feed.Batch) (feed.Applied, error) {
	return inTx(ctx, s, func() feed.Applied {
		checked := apply.Check(&batch, s.now())
		changes, result := checked.Fold(s.objects(checked.Names()))
		if batch.Bulk {
			s.logStored(&changes)
		}
		s.write(&changes)
		s.see(&changes, &batch)
		switch {
		case !changes.Any():
		case batch.Bulk:
			s.markLoad()
		default:
			s.raiseGeneration()
		}
		return result
	})
}

// markLoad begins or continues a bulk load.
func (s *Store) markLoad() {
	s.load.LastAt = s.now()
	s.load.Since = cmp.Or(s.load.Since, s.load.LastAt)
}

// EndLoad implements [feed.BulkLoads].
func (s *Store) EndLoad(ctx context.Context, idle time.Duration) (bool, error) {
	return inTx(ctx, s, func() bool {
		if s.load.Since == 0 || s.now()-s.load.LastAt < idle.Milliseconds() {
			return false
		}
		s.load = feed.BulkLoad{}
		s.raiseGeneration()
		return true
	})
}

// see raises the times at which users were last seen, and their leases.
func (s *Store) see(changes *apply.Changes, batch *feed.Batch) {
	for id, at := range changes.Seen {
		s.lastSeen[id] = max(s.lastSeen[id], at)
		s.activeUntil[id] = max(s.activeUntil[id], batch.LeaseUntil(at, s.now()))
	}
}

func (s *Store) objects(n apply.Names) *apply.Objects {
	have := &apply.Objects{
		Mode: s.userMode, Users: map[feed.UserID]*feed.UserRecord{}, Handles: map[string]feed.UserID{}, Posts: map[feed.PostID]apply.Post{},
		Follows: map[feed.FollowRecord]feed.StoredEdge{}, Reactions: map[feed.ReactionRecord]feed.StoredEdge{},
		Relations: map[feed.RelationRecord]feed.StoredEdge{}, Sessions: map[int64]*live.Session{}, Open: map[feed.UserID]int{}, Versions: s.sources.versions, Ended: s.sources.ended,
		Counters: map[feed.Object]*feed.CountersRecord{},
	}
	for object, counters := range s.sources.counters {
		have.Counters[object] = &counters
	}
	for id := range n.Users {
		if u := s.userRecord(id); u != nil {
			have.Users[id] = u
		}
	}
	for handle := range n.Handles {
		if owner := s.ownerOf(handle); owner != 0 {
			have.Handles[handle] = owner
		}
	}
	for id := range n.Posts {
		if p := s.posts[id]; p != nil {
			have.Posts[id] = apply.Post{Post: clonePost(p), RepostDepth: s.chainLength(p)}
		}
	}
	for id := range n.Sessions {
		if steps := s.sessions[live.ID(id)]; steps != nil {
			last := steps[len(steps)-1]
			have.Sessions[id] = &last
		}
	}
	for host := range n.Hosts {
		have.Open[host] = len(s.open(host, math.MaxInt64))
	}
	s.loadEdges(n, have)
	return have
}

func (s *Store) loadEdges(n apply.Names, have *apply.Objects) {
	for _, r := range n.Follows {
		p, key := pair{r.Follower, r.Followee}, feed.FollowRecord{Follower: r.Follower, Followee: r.Followee}
		f, exists := s.follows[p]
		if _, ended := s.ended[p]; exists || ended {
			have.Follows[key] = feed.StoredEdge{CreatedAt: f.at, Undone: !exists}
		}
	}
	for _, r := range n.Reactions {
		key := reaction{r.Reaction, r.User, r.Post}
		if at, exists := s.reactions[key]; exists || s.undoneReactions[key] {
			have.Reactions[feed.ReactionRecord{Reaction: r.Reaction, User: r.User, Post: r.Post}] = feed.StoredEdge{CreatedAt: at, Undone: !exists}
		}
	}
	for _, r := range n.Relations {
		key := relation{r.Kind, r.User, r.Target}
		if at, exists := s.relations[key]; exists || s.undoneRelations[key] {
			have.Relations[feed.RelationRecord{Kind: r.Kind, User: r.User, Target: r.Target}] = feed.StoredEdge{CreatedAt: at, Undone: !exists}
		}
	}
}

// userRecord returns the record of a stored or deleted user, or nil. It has no coverage flag.
func (s *Store) userRecord(id feed.UserID) *feed.UserRecord {
	if t, deleted := s.deleted[id]; deleted {
		return &feed.UserRecord{User: feed.User{ID: id, CreatedAt: t.createdAt}, DeletedAt: t.deletedAt}
	}
	if s.users[id] == nil {
		return nil
	}
	u := *s.users[id]
	u.Flag = feed.FlagNone
	return &feed.UserRecord{User: u, LastSeenAt: s.lastSeen[id], Absent: s.absent[id], AwaitedAt: s.sources.awaited[id]}
}

func (s *Store) write(changes *apply.Changes) {
	c := s.newChange()
	s.awaitPosts(changes)
	for object, version := range changes.Versions {
		s.sources.versions[object] = version
		delete(s.sources.endedAt, object)
		delete(s.sources.ended, object)
		if edge := changes.Ended[object]; edge.Undone {
			s.sources.endedAt[object], s.sources.ended[object] = s.now(), edge
		}
	}
	for object, counters := range changes.Counters {
		if delete(s.sources.counters, object); counters != nil {
			s.sources.counters[object] = *counters
		}
	}
	for _, u := range changes.Users {
		s.writeUser(u)
		if changes.OwnsUsers {
			s.dropHandles(u.After.ID)
		}
	}
	for _, p := range changes.Posts {
		s.posts[p.After.ID] = clonePost(p.After.Post)
		if p.Before.Post != nil || p.Shown() != 0 {
			s.changes[p.After.Author]++
		}
	}
	for _, e := range changes.Follows {
		p := pair{e.Key.Follower, e.Key.Followee}
		switch e.Made() {
		case +1:
			s.addFollow(c, p, e.After.CreatedAt)
		case -1:
			s.endFollow(c, p)
		default:
			edge := s.follows[p]
			edge.at = e.After.CreatedAt
			s.follows[p] = edge
		}
	}
	for _, e := range changes.Reactions {
		key := reaction{e.Key.Reaction, e.Key.User, e.Key.Post}
		if e.After.Undone {
			delete(s.reactions, key)
		} else {
			s.reactions[key] = e.After.CreatedAt
		}
	}
	for _, e := range changes.Relations {
		r := e.Key
		r.CreatedAt = e.After.CreatedAt
		s.setRelation(c, r, !e.After.Undone)
		if !e.After.Undone {
			s.relations[relation{r.Kind, r.User, r.Target}] = r.CreatedAt
		}
	}
	for _, session := range changes.Sessions {
		s.writeSession(session)
	}
}

func (s *Store) writeUser(c apply.UserChange) {
	u := c.After
	switch {
	case c.Before != nil && c.Deleted():
		s.deleteAccount(u.ID, u.DeletedAt)
		return
	case u.DeletedAt != 0:
		s.deleted[u.ID] = tombstone{createdAt: u.CreatedAt, deletedAt: u.DeletedAt}
		return
	case c.Before != nil && c.Before.Absent != u.Absent:
		s.flipAbsent(u.ID, u.Absent)
	case c.Before != nil:
		s.changes[u.ID]++
	case u.Absent:
		s.absent[u.ID] = true
	}
	delete(s.sources.awaited, u.ID)
	if u.Awaited() {
		s.sources.awaited[u.ID] = u.AwaitedAt
	}
	s.freeHandle(u.ID, texts.Skeletons(u.Handle))
	s.storeHandle(u.ID, u.Handle)
	stored := u.User
	stored.Flag = s.flagOf(u.ID)
	s.users[u.ID] = &stored
}

func (s *Store) writeSession(c *apply.SessionChange) {
	for _, step := range c.Steps {
		s.addTransition(step)
	}
	if len(c.Steps) == 0 {
		// The session keeps its number, so that scrolls keep showing a replay.
		steps := s.sessions[c.After.ID]
		steps[len(steps)-1] = c.After
		s.number++
		s.lastNumbers[c.After.Host] = s.number
		s.retitled = append(s.retitled, live.HostTransition{Host: c.After.Host, Number: s.number})
	}
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
