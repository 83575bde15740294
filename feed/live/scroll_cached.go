package live

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

type cachedScroll struct {
	feedScroll
	cached *CachedFeed
}

// openCached gets the cached feed first, so its number is not later than the feed version.
func (f *Feed) openCached(ctx context.Context, viewer feed.UserID, at *Cursor) (scroll, error) {
	cached := f.Cache.Get(viewer)
	if at != nil && (cached == nil || cached.moment.Number != at.Moment.Number || cached.version != at.Version) {
		return &feedScroll{f: f, viewer: viewer, base: *at}, nil
	}
	version, err := f.Changes.FeedVersion(ctx, viewer)
	if err != nil {
		return nil, err
	}
	valid, err := f.valid(ctx, cached, version)
	if err != nil {
		return nil, err
	}
	s := feedScroll{f: f, viewer: viewer}
	switch {
	case at != nil:
		s.base = *at
	case valid:
		s.base = cached.start(version.At)
	default:
		return f.openUncached(ctx, viewer, version)
	}
	if !valid {
		return &s, nil
	}
	return &cachedScroll{s, cached}, nil
}

func (f *Feed) valid(ctx context.Context, cached *CachedFeed, s FeedVersion) (bool, error) {
	if cached == nil || s.Leaving || !cached.fits(s, f.Policy.CachedFor) {
		return false, nil
	}
	return f.Tracker.Unchanged(ctx, cached.moment.Number, s.Moment, cached.sources)
}

// openUncached reads the followees first: a host who is missing there because of a concurrent
// unfollow must be missing from the feed too.
func (f *Feed) openUncached(ctx context.Context, viewer feed.UserID, version FeedVersion) (scroll, error) {
	followed, err := f.Relations.Following(ctx, viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: f.Policy.SourcesMax})
	if err != nil {
		return nil, err
	}
	s := feedScroll{f: f, viewer: viewer}
	if err := s.begin(ctx, version.Version); err != nil {
		return nil, err
	}
	if version.Leaving || len(followed) == f.Policy.SourcesMax || s.base.Moment.Generation != version.Generation {
		return &s, nil
	}
	cached := &CachedFeed{moment: s.base.Moment, version: version.Version, absences: version.Absences, snapshot: s.base.Snapshot, sources: []feed.UserID{viewer}}
	for _, key := range followed {
		cached.sources = append(cached.sources, feed.UserID(key.ID))
	}
	f.Tracker.Start(cached.moment)
	return &cachedScroll{s, cached}, nil
}

func (s *cachedScroll) read(ctx context.Context, behind Position, want int) ([]shown, error) {
	if found, ok := s.cached.behind(behind, want); ok {
		return found, nil
	}
	found, err := s.feedScroll.read(ctx, behind, want)
	if err != nil {
		return nil, err
	}
	if more := s.cached.with(behind, found, want, s.f.Policy.CachedMax); more != nil {
		s.cached = more
		s.f.Cache.Put(s.viewer, more)
	}
	return found, nil
}
