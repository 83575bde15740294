package live

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// hostScroll reads from SQL without sets and snapshots: a host has few open sessions.
type hostScroll struct {
	f      *Feed
	viewer feed.UserID
	host   feed.UserID
	base   Cursor
	hidden bool
}

func (f *Feed) openHost(ctx context.Context, viewer, host feed.UserID, at *Cursor) (scroll, error) {
	visible, err := visibleHosts(ctx, f.Relations, f.Users, viewer, []feed.UserID{host})
	if err != nil {
		return nil, err
	}
	s := &hostScroll{f: f, viewer: viewer, host: host, hidden: !visible[host]}
	if at != nil {
		s.base = *at
		return s, nil
	}
	moment, err := f.History.Now(ctx)
	s.base = Cursor{List: ListHost, Moment: moment}
	return s, err
}

func (s *hostScroll) start() Cursor { return s.base }

func (s *hostScroll) finish(Position) {}

func (s *hostScroll) read(ctx context.Context, behind Position, want int) ([]shown, error) {
	if s.hidden || want <= 0 {
		return nil, nil
	}
	var out []shown
	if behind.State != Replay {
		var err error
		if out, err = s.open(ctx, behind, want); err != nil {
			return nil, err
		}
	}
	if len(out) == want {
		return out, nil
	}
	replays, err := s.replays(ctx, behind, want-len(out))
	return append(out, replays...), err
}

func (s *hostScroll) open(ctx context.Context, behind Position, want int) ([]shown, error) {
	var out []shown
	for len(out) < want {
		entries, err := s.f.History.Open(ctx, []feed.UserID{s.host}, s.base.Moment.Number, behind, want-len(out))
		if len(entries) == 0 || err != nil {
			return out, err
		}
		behind = entries[len(entries)-1].Position
		some, err := s.f.visible(ctx, entries, allHosts)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

func (s *hostScroll) replays(ctx context.Context, behind Position, want int) ([]shown, error) {
	k := &replayFilter{f: s.f, asOf: s.base.Moment.Number, sources: allHosts, found: map[feed.PostID]*Session{}}
	outbox := func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return s.f.Outboxes.Outbox(ctx, s.viewer, []feed.UserID{s.host}, r)
	}
	stream := feed.NewListStream(outbox, replaysBehind(behind, want))
	posts, err := feed.Collect(ctx, stream, want, func(ctx context.Context, keys []feed.Key) ([]*feed.Post, error) {
		posts := make([]*feed.Post, len(keys))
		for i, key := range keys {
			posts[i] = &feed.Post{ID: feed.PostID(key.ID)}
		}
		return k.filter(ctx, posts)
	})
	return k.shown(posts), err
}

func allHosts(_ context.Context, hosts []feed.UserID) (map[feed.UserID]bool, error) {
	out := make(map[feed.UserID]bool, len(hosts))
	for _, host := range hosts {
		out[host] = true
	}
	return out, nil
}
