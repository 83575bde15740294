package memstore

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// reaction is an existing like or favorite.
type reaction struct {
	kind feed.Reaction
	user feed.UserID
	post feed.PostID
}

// idempotencyKey identifies a stored publish.
type idempotencyKey struct {
	author feed.UserID
	key    string
}

// publish is the stored result of a publish with an idempotency key.
type publish struct {
	fingerprint string
	post        feed.PostID
	// at is the due time of the event, soon after the call. The publish time may be back-dated.
	at int64
}

// Publish implements [feed.PostWriter].
func (s *Store) Publish(ctx context.Context, p *feed.Post, idem feed.Idempotency, d feed.FirstDispatch) (feed.Publication, error) {
	if err := s.begin(ctx); err != nil {
		return feed.Publication{}, err
	}
	defer s.mu.Unlock()
	if first, err := s.first(p.Author, idem); first != nil || err != nil {
		return feed.Publication{Post: first}, err
	}
	switch {
	case !s.isPresent(p.Author):
		return feed.Publication{}, errNoUser()
	case s.chainLength(p) > s.repostDepth:
		return feed.Publication{}, feed.Errorf(feed.CodeInvalid, "a chain of reposts has at most %d links", s.repostDepth).At("repostOf")
	case s.posts[p.ID] != nil:
		return feed.Publication{}, feed.ErrIDTaken
	}
	stored := clonePost(p)
	if !s.nameOwn(feed.PostIDs, &stored.External, int64(p.ID)) {
		return feed.Publication{}, feed.ErrIDTaken
	}
	s.posts[p.ID] = stored
	s.changes[p.Author]++
	s.log(feed.Change{Kind: feed.ChangePublished, User: p.Author, Post: p.ID})
	if idem.Key != "" {
		s.idempotencyKeys[idempotencyKey{p.Author, idem.Key}] = publish{fingerprint: idem.Fingerprint, post: p.ID, at: d.EventDue}
	}
	return feed.Publication{Post: s.post(p.ID), Planned: s.beginFanout(p, 0, d), ActiveUntil: s.activeUntil[p.Author]}, nil
}

// beginFanout stores the plan of a small audience, or else an event. It reports which. The attempts of
// its slices will be above attempt.
func (s *Store) beginFanout(p *feed.Post, attempt int64, d feed.FirstDispatch) (planned bool) {
	small := s.countFollowers(p.Author) < int64(d.PlanBelow) && s.flagOf(p.Author) == feed.FlagNone
	if _, stored := s.plans[p.ID]; stored || !small {
		s.events[p.ID] = &event{schedule{due: d.EventDue}, attempt}
		return false
	}
	whole := feed.Plan{Post: p.ID, Author: p.Author, Attempt: attempt, Slices: []feed.Slice{feed.SliceOfAll(p.ID)}}
	s.plans[p.ID] = &plan{slices: newSlices(whole, d.SliceDue), at: s.now(), selective: whole.Selective}
	return true
}

// Published implements [feed.PostWriter].
func (s *Store) Published(ctx context.Context, author feed.UserID, idem feed.Idempotency) (*feed.Post, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	first, err := s.first(author, idem)
	return s.markAbsent(first), err
}

// first returns the post that was published with the key, or nil.
func (s *Store) first(author feed.UserID, idem feed.Idempotency) (*feed.Post, error) {
	first, ok := s.idempotencyKeys[idempotencyKey{author, idem.Key}]
	if !ok || idem.Key == "" || first.at < idem.Since {
		return nil, nil
	}
	if first.fingerprint != idem.Fingerprint {
		return nil, feed.Errorf(feed.CodeConflict, "the idempotency key was used for another input").At("idempotencyKey")
	}
	return s.post(first.post), nil
}

// Edit implements [feed.PostWriter].
func (s *Store) Edit(ctx context.Context, id feed.PostID, text string, at int64) (*feed.Post, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	p := s.shown(id)
	if p == nil {
		return nil, errNoPost()
	}
	p.Text, p.EditedAt = text, at
	s.changes[p.Author]++
	s.log(feed.Change{Kind: feed.ChangeEdited, User: p.Author, Post: id})
	return s.post(id), nil
}

// Delete implements [feed.PostWriter].
func (s *Store) Delete(ctx context.Context, id feed.PostID, at int64) error {
	return s.change(ctx, func() {
		if p := s.undeleted(id); p != nil {
			p.DeletedAt = at
			s.changes[p.Author]++
			s.log(feed.Change{Kind: feed.ChangeDeleted, User: p.Author, Post: id})
			s.logReposts(id)
		}
	})
}

// React implements [feed.PostWriter].
func (s *Store) React(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.PostID, at int64) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if s.shown(post) == nil {
		return errNoPost()
	}
	if !s.isPresent(user) {
		return errNoUser()
	}
	s.addReaction(reaction{r, user, post}, at)
	return nil
}

// addReaction stores a reaction. An existing one keeps its time.
func (s *Store) addReaction(r reaction, at int64) {
	if !s.reacted(r) {
		s.reactions[r] = at
	}
}

func (s *Store) reacted(r reaction) bool {
	_, ok := s.reactions[r]
	return ok
}

// Unreact implements [feed.PostWriter]. The post may be deleted.
func (s *Store) Unreact(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.PostID) error {
	return s.change(ctx, func() {
		if key := (reaction{r, user, post}); s.reacted(key) {
			delete(s.reactions, key)
			s.undoneReactions[key] = true
		}
	})
}

func errNoPost() error { return feed.Errorf(feed.CodeNotFound, "there is no such post") }

// Posts implements [feed.Posts].
func (s *Store) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	return readEach(ctx, s, ids, func(id feed.PostID) *feed.Post { return s.markAbsent(s.post(id)) })
}

// post returns a copy of a stored post, or nil.
func (s *Store) post(id feed.PostID) *feed.Post {
	stored := s.posts[id]
	if stored == nil {
		return nil
	}
	return clonePost(stored)
}

// clonePost returns a copy that shares nothing with p.
func clonePost(p *feed.Post) *feed.Post {
	c := *p
	c.Media = slices.Clone(p.Media)
	return &c
}

// undeleted returns the stored post unless it is deleted, or nil.
func (s *Store) undeleted(id feed.PostID) *feed.Post {
	p := s.posts[id]
	if p == nil || p.DeletedAt != 0 {
		return nil
	}
	return p
}

// keysWhere returns the keys in r of the posts that are not deleted and for which want returns
// true.
func (s *Store) keysWhere(r feed.Range, want func(p *feed.Post) bool) []feed.Key {
	var keys []feed.Key
	for _, p := range s.posts {
		if p.DeletedAt == 0 && r.Filter.Match(p) && want(p) {
			keys = append(keys, p.Key())
		}
	}
	return page(keys, r)
}

// Outbox implements [feed.Outboxes].
func (s *Store) Outbox(ctx context.Context, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	return inTx(ctx, s, func() []feed.Key {
		return s.keysWhere(r, func(p *feed.Post) bool { return slices.Contains(authors, p.Author) && !s.absent[p.Author] })
	})
}

// ReadLists implements [feed.Lists].
func (s *Store) ReadLists(ctx context.Context, lists []feed.List) ([][]feed.Key, error) {
	return readEach(ctx, s, lists, func(l feed.List) []feed.Key {
		return s.keysWhere(l.Range, func(p *feed.Post) bool {
			if s.absent[p.Author] {
				return false
			}
			if l.Ref.Kind == feed.FeedOutbox {
				return p.Author == l.Ref.Author
			}
			return p.Kind == feed.KindComment && p.ReplyTo == l.Ref.Post
		})
	})
}

// Feed implements [feed.Reference].
func (s *Store) Feed(ctx context.Context, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return s.keysWhere(r, func(p *feed.Post) bool {
		return s.isSource(viewer, p.Author) && s.showsOriginals(viewer, p)
	}), nil
}

// isSource reports whether the author's posts belong in the viewer's feed.
func (s *Store) isSource(viewer, author feed.UserID) bool {
	if viewer == 0 {
		return false
	}
	if s.absent[author] {
		return false
	}
	return author == viewer || s.isFollowing(viewer, author) && !s.isHidden(viewer, author)
}

// isHidden reports whether a relation hides the author's posts from the viewer's home feed.
func (s *Store) isHidden(viewer, author feed.UserID) bool {
	e := s.edge(viewer, author)
	return e.Mutes || e.Blocks || e.BlockedBy || e.HiddenBy
}

// showsOriginals reports whether the viewer may see every post that p reposts, directly or
// indirectly. Follows do not matter. A chain that is too long, or a cycle, is not visible.
func (s *Store) showsOriginals(viewer feed.UserID, p *feed.Post) bool {
	links := 0
	for id := p.RepostOf; id != 0; links++ {
		original := s.shown(id)
		if links == s.repostDepth || original == nil || s.isHidden(viewer, original.Author) {
			return false
		}
		id = original.RepostOf
	}
	return true
}
