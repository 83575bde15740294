package viewercache

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// state is the state of one viewer for one read.
type state struct {
	c      *Cache
	viewer feed.UserID
	// local returns the local entry, nil if there is none, and shared is the shared one. Shares
	// says that what is read anew goes to the shared cache.
	local  func() *Entry
	shared *Entry
	shares bool
	// survey says which authors to pull the read will most likely ask for; nil if it will not.
	survey *pulledAuthors
	// known is what is cached and holds under version, once that is known.
	versioned bool
	version   feed.ViewerVersion
	known     Entry
	// learned: something has been read that the shared entry does not have.
	learned bool
}

// Version implements [feed.ViewerState].
func (s *state) Version(ctx context.Context) (feed.ViewerVersion, error) {
	if s.versioned {
		return s.version, nil
	}
	local := s.local()
	if local == nil && s.shared == nil && s.survey != nil {
		return s.readSurvey(ctx)
	}
	version, err := s.c.Direct.Relations.ViewerVersion(ctx, s.viewer)
	if err != nil {
		return feed.ViewerVersion{}, err
	}
	if s.c.Trace.VersionRead != nil {
		s.c.Trace.VersionRead()
	}
	switch {
	case local != nil:
		s.use(local, version)
	case s.shared != nil:
		s.use(s.shared, version)
		s.putLocal()
	default:
		s.begin(version)
	}
	return version, nil
}

// use makes what holds of an entry under a version what is known.
func (s *state) use(e *Entry, version feed.ViewerVersion) {
	s.versioned, s.version, s.known = true, version, e.under(version)
}

// begin makes nothing but a version what is known.
func (s *state) begin(version feed.ViewerVersion) {
	s.versioned, s.version, s.known = true, version, Entry{version: version, since: version.Now}
}

// readSurvey reads the version together with what a home read asks next. The version is read
// first, so the rest may be cached under it.
func (s *state) readSurvey(ctx context.Context) (feed.ViewerVersion, error) {
	found, err := s.c.Surveyor.Survey(ctx, s.viewer, s.survey.since, s.survey.cold, ownMax)
	if err != nil {
		return feed.ViewerVersion{}, err
	}
	s.begin(found.Version)
	s.known.pulled = &pulledAuthors{since: s.survey.since, cold: s.survey.cold, authors: found.Pulled}
	s.known.own = newOwnOutbox(found.Own)
	s.put()
	return found.Version, nil
}

// put caches what is known.
func (s *state) put() {
	s.learned = true
	s.putLocal()
}

func (s *state) putLocal() {
	if s.c.Local != nil {
		e := s.known
		s.c.Local.Put(s.viewer, &e)
	}
}

// Edges implements [feed.ViewerState].
func (s *state) Edges(ctx context.Context, others []feed.UserID) ([]feed.Edge, error) {
	if _, err := s.Version(ctx); err != nil {
		return nil, err
	}
	return lookup(others, s.known.edges.to, func(missing []feed.UserID) ([]feed.Edge, error) {
		found, err := s.c.Direct.Relations.Edges(ctx, s.viewer, missing)
		if err != nil {
			return nil, err
		}
		for i := range found {
			// Hiding from others changes nothing that the viewer sees, and not their version.
			found[i].HidesFrom = false
		}
		s.known.edges = s.known.edges.with(missing, found)
		s.put()
		return found, nil
	})
}

// Pulled implements [feed.ViewerState].
func (s *state) Pulled(ctx context.Context, since int64, cold bool) ([]feed.UserID, error) {
	if _, err := s.Version(ctx); err != nil {
		return nil, err
	}
	if p := s.known.pulled; p != nil && p.since == since && p.cold == cold {
		return p.authors, nil
	}
	authors, err := s.c.Direct.Relations.Pulled(ctx, s.viewer, since, cold)
	if err != nil {
		return nil, err
	}
	s.known.pulled = &pulledAuthors{since: since, cold: cold, authors: authors}
	s.put()
	return authors, nil
}

// Outbox implements [feed.ViewerState].
func (s *state) Outbox(ctx context.Context, r feed.Range) ([]feed.Key, error) {
	if _, err := s.Version(ctx); err != nil {
		return nil, err
	}
	read := func(r feed.Range) ([]feed.Key, error) {
		return s.c.Direct.Outboxes.Outbox(ctx, []feed.UserID{s.viewer}, r)
	}
	if s.known.own == nil {
		keys, err := read(feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: ownMax})
		if err != nil {
			return nil, err
		}
		s.known.own = newOwnOutbox(keys)
		s.put()
	}
	if keys, ok := s.known.own.within(r); ok {
		return keys, nil
	}
	return read(r)
}

// Posts implements [feed.ViewerState].
func (s *state) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	posts, err := s.c.Direct.Posts.Posts(ctx, ids)
	if err != nil || s.c.Direct.Posts == s.c.Direct.Primary {
		return posts, err
	}
	return feed.WithOwn(ctx, s.viewer, posts, s.ownPosts)
}

// ownPosts returns posts of the viewer's own.
func (s *state) ownPosts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	if _, err := s.Version(ctx); err != nil {
		return nil, err
	}
	known := func(id feed.PostID) (*feed.Post, bool) {
		p, ok := s.known.posts[id]
		return p, ok
	}
	return lookup(ids, known, func(missing []feed.PostID) ([]*feed.Post, error) {
		found, err := s.c.Direct.Primary.Posts(ctx, missing)
		if err == nil {
			s.known.posts = grown(s.known.posts, missing, found)
			// Posts are no part of shared entries.
			s.putLocal()
		}
		return found, err
	})
}

// Close implements [feed.ViewerState]. It shares what the read has learned.
func (s *state) Close(ctx context.Context) {
	keep := keepFor - time.Duration(s.version.Now-s.known.since)*time.Millisecond
	if !s.shares || !s.learned || keep <= 0 {
		return
	}
	put := func(ctx context.Context) {
		err := s.c.Shared.PutCached(ctx, s.viewer, s.known.encode(), keep)
		if err != nil && s.c.Trace.SharedPutFailed != nil {
			s.c.Trace.SharedPutFailed(err)
		}
	}
	if s.c.Async == nil {
		put(ctx)
		return
	}
	s.c.Async(put)
}

// lookup returns one value for each key: the known ones, and the others from read.
func lookup[K comparable, V any](keys []K, known func(K) (V, bool), read func(missing []K) ([]V, error)) ([]V, error) {
	out := make([]V, len(keys))
	var missing []K
	var at []int
	for i, k := range keys {
		v, ok := known(k)
		if !ok {
			missing, at = append(missing, k), append(at, i)
		}
		out[i] = v
	}
	if len(missing) == 0 {
		return out, nil
	}
	found, err := read(missing)
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		out[i] = found[n]
	}
	return out, nil
}
