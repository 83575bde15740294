package live

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// knownScroll is a scroll through a feed of which something is known: it reads what is not,
// and remembers it.
type knownScroll struct {
	feedScroll
	known *CachedFeed
}

// remember begins a scroll, or goes on with one, by what is known of viewer's feed. That is
// recalled before anything is read, so it is of no later number than the standing.
func (f *Feed) remember(ctx context.Context, viewer feed.UserID, at *cursor) (scroll, error) {
	k := f.Cache.Get(viewer)
	if at != nil && (k == nil || k.moment.Number != at.moment.Number || k.version != at.version) {
		return &feedScroll{f: f, viewer: viewer, base: *at}, nil
	}
	standing, err := f.Changes.FeedVersion(ctx, viewer)
	if err != nil {
		return nil, err
	}
	holds, err := f.holds(ctx, k, standing)
	if err != nil {
		return nil, err
	}
	s := feedScroll{f: f, viewer: viewer}
	switch {
	case at != nil:
		s.base = *at
	case holds:
		s.base = k.start(standing.At)
	default:
		return f.meet(ctx, viewer, standing)
	}
	if !holds {
		return &s, nil
	}
	return &knownScroll{s, k}, nil
}

// holds says whether what is known of a feed is what it shows to whoever finds the standing.
func (f *Feed) holds(ctx context.Context, k *CachedFeed, s FeedVersion) (bool, error) {
	if k == nil || s.Leaving || !k.fits(s, f.Policy.CachedFor) {
		return false, nil
	}
	return f.Tracker.Unchanged(ctx, k.moment.Number, s.Moment, k.sources)
}

// meet begins a scroll through a feed of which nothing is known. Whom the viewer follows
// comes before whatever else is read: somebody who is missing there because he has just been
// unfollowed must not be in the feed either.
func (f *Feed) meet(ctx context.Context, viewer feed.UserID, standing FeedVersion) (scroll, error) {
	followed, err := f.Relations.Following(ctx, viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: f.Policy.SourcesMax})
	if err != nil {
		return nil, err
	}
	s := feedScroll{f: f, viewer: viewer}
	if err := s.begin(ctx, standing.Version); err != nil {
		return nil, err
	}
	if standing.Leaving || len(followed) == f.Policy.SourcesMax || s.base.moment.Generation != standing.Generation {
		return &s, nil
	}
	k := &CachedFeed{moment: s.base.moment, version: standing.Version, snapshot: s.base.snapshot, sources: []feed.UserID{viewer}}
	for _, key := range followed {
		k.sources = append(k.sources, feed.UserID(key.ID))
	}
	f.Tracker.Start(k.moment)
	return &knownScroll{s, k}, nil
}

// read implements [scroll].
func (s *knownScroll) read(ctx context.Context, behind Position, want int) ([]shown, error) {
	if found, ok := s.known.behind(behind, want); ok {
		return found, nil
	}
	found, err := s.feedScroll.read(ctx, behind, want)
	if err != nil {
		return nil, err
	}
	if more := s.known.with(behind, found, want, s.f.Policy.CachedMax); more != nil {
		s.known = more
		s.f.Cache.Put(s.viewer, more)
	}
	return found, nil
}
