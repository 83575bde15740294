package viewercache

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

type state struct {
	c      *Cache
	viewer feed.UserID
	// local returns the cached entry, nil if there is none.
	local func() *Entry
	// survey are the arguments of the read's likely call of Pulled; nil if there will be none.
	survey *pulledAuthors
	// current is what is cached and valid under version, if versioned is set.
	versioned bool
	version   feed.ViewerVersion
	current   Entry
}

func (s *state) Version(ctx context.Context) (feed.ViewerVersion, error) {
	if s.versioned {
		return s.version, nil
	}
	local := s.local()
	if local == nil && s.survey != nil {
		return s.readSurvey(ctx)
	}
	version, err := s.c.Direct.Relations.ViewerVersion(ctx, s.viewer)
	if err != nil {
		return feed.ViewerVersion{}, err
	}
	if s.c.Trace.VersionRead != nil {
		s.c.Trace.VersionRead()
	}
	s.begin(version)
	if local != nil {
		s.current = local.under(version)
	}
	return version, nil
}

func (s *state) begin(version feed.ViewerVersion) {
	s.versioned, s.version, s.current = true, version, Entry{version: version, since: version.Now}
}

// readSurvey reads the version together with what a home read asks next. The version is read
// first, so the rest may be cached under it.
func (s *state) readSurvey(ctx context.Context) (feed.ViewerVersion, error) {
	found, err := s.c.Surveyor.Survey(ctx, s.viewer, s.survey.since, s.survey.cold, ownMax)
	if err != nil {
		return feed.ViewerVersion{}, err
	}
	s.begin(found.Version)
	s.current.pulled = &pulledAuthors{since: s.survey.since, cold: s.survey.cold, authors: found.Pulled}
	s.current.own = newOwnOutbox(found.Own)
	s.put()
	return found.Version, nil
}

func (s *state) put() {
	e := s.current
	s.c.Local.Put(s.viewer, &e)
}

func (s *state) Edges(ctx context.Context, others []feed.UserID) ([]feed.Edge, error) {
	if _, err := s.Version(ctx); err != nil {
		return nil, err
	}
	return lookup(others, s.current.edges.to, func(missing []feed.UserID) ([]feed.Edge, error) {
		found, err := s.c.Direct.Relations.Edges(ctx, s.viewer, missing)
		if err != nil {
			return nil, err
		}
		for i := range found {
			// Hiding from others changes neither what the viewer sees nor their version.
			found[i].HidesFrom = false
		}
		s.current.edges = s.current.edges.with(missing, found)
		s.put()
		return found, nil
	})
}

func (s *state) Pulled(ctx context.Context, since int64, cold bool) ([]feed.UserID, error) {
	if _, err := s.Version(ctx); err != nil {
		return nil, err
	}
	if p := s.current.pulled; p != nil && p.since == since && p.cold == cold {
		return p.authors, nil
	}
	authors, err := s.c.Direct.Relations.Pulled(ctx, s.viewer, feed.Completeness{
		Generation: s.version.Generation, Version: since, Cold: cold,
	})
	if err != nil {
		return nil, err
	}
	s.current.pulled = &pulledAuthors{since: since, cold: cold, authors: authors}
	s.put()
	return authors, nil
}

func (s *state) Outbox(ctx context.Context, r feed.Range) ([]feed.Key, error) {
	if _, err := s.Version(ctx); err != nil {
		return nil, err
	}
	read := func(r feed.Range) ([]feed.Key, error) {
		return s.c.Direct.Outboxes.Outbox(ctx, s.viewer, []feed.UserID{s.viewer}, r)
	}
	if s.current.own == nil {
		keys, err := read(feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: ownMax})
		if err != nil {
			return nil, err
		}
		s.current.own = newOwnOutbox(keys)
		s.put()
	}
	if keys, ok := s.current.own.within(r); ok {
		return keys, nil
	}
	return read(r)
}

func (s *state) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	if s.c.Direct.Posts == s.c.Direct.Primary {
		return s.c.Direct.Primary.Posts(ctx, ids)
	}
	// The version makes the cache evict what has been hidden.
	if _, err := s.Version(ctx); err != nil {
		return nil, err
	}
	posts, err := s.c.Direct.Posts.Posts(ctx, ids)
	if err != nil {
		return nil, err
	}
	return feed.WithOwn(ctx, s.viewer, posts, s.ownPosts)
}

func (s *state) ownPosts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	if _, err := s.Version(ctx); err != nil {
		return nil, err
	}
	cached := func(id feed.PostID) (*feed.Post, bool) {
		p, ok := s.current.posts[id]
		return p, ok
	}
	return lookup(ids, cached, func(missing []feed.PostID) ([]*feed.Post, error) {
		found, err := s.c.Direct.Primary.Posts(ctx, missing)
		if err == nil {
			s.current.posts = grown(s.current.posts, missing, found)
			s.put()
		}
		return found, err
	})
}

// lookup returns one value for each key: cached ones, and the others from read.
func lookup[K comparable, V any](keys []K, cached func(K) (V, bool), read func(missing []K) ([]V, error)) ([]V, error) {
	out := make([]V, len(keys))
	var missing []K
	var at []int
	for i, k := range keys {
		v, ok := cached(k)
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
