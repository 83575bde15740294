package live

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// feedScroll reads the live feed of one viewer as of one moment.
type feedScroll struct {
	f      *Feed
	viewer feed.UserID
	// base is a cursor of the scroll without a position.
	base cursor
	// ready: the scroll was begun, or its snapshot asked for.
	ready bool
	// kept: the scroll's snapshot is kept, and open is what it holds.
	kept bool
	// hosts are those who have, or had, something open; nil while that was not asked for.
	hosts []feed.UserID
	// open is what is upcoming and live from the beginning on, and complete says that it is
	// all of it.
	open     []Entry
	complete bool
}

// openScroll begins a scroll, or goes on with one.
func (f *Feed) openScroll(ctx context.Context, viewer feed.UserID, at *cursor) (scroll, error) {
	if f.Cache != nil {
		return f.remember(ctx, viewer, at)
	}
	s := &feedScroll{f: f, viewer: viewer}
	if at != nil {
		s.base = *at
		return s, nil
	}
	standing, err := f.Changes.FeedVersion(ctx, viewer)
	if err != nil {
		return nil, err
	}
	return s, s.begin(ctx, standing.Version)
}

// begin takes the moment that the scroll shows. The version was read before it: whoever is
// followed in between is none of the scroll's hosts in either case.
func (s *feedScroll) begin(ctx context.Context, version int64) error {
	moment, marks, err := s.f.History.Hosts(ctx, s.viewer, version, noHistory)
	if err != nil {
		return err
	}
	s.base = cursor{list: listFeed, moment: moment, version: version, snapshot: s.f.NewName()}
	s.ready = true
	return s.pull(ctx, marks)
}

// noHistory is the number as of which nobody is asked about: there is none after it.
const noHistory = 1<<63 - 1

// resume takes the snapshot of a scroll that goes on, if there is one.
func (s *feedScroll) resume(ctx context.Context) error {
	kept, err := s.f.Snapshots.Load(ctx, s.viewer, s.base.snapshot)
	if err != nil && feed.CodeOf(err) != feed.CodeUnavailable {
		return err
	}
	if kept != nil && kept.Number == s.base.moment.Number && kept.Version == s.base.version {
		s.open, s.complete, s.kept = kept.Open, true, true
	}
	s.ready = true
	return nil
}

func (s *feedScroll) start() cursor { return s.base }

// read implements [scroll].
func (s *feedScroll) read(ctx context.Context, behind Position, want int) ([]shown, error) {
	if !s.ready {
		if err := s.resume(ctx); err != nil {
			return nil, err
		}
	}
	var out []shown
	for behind.State != Replay && len(out) < want {
		some, err := s.next(ctx, behind, max(want-len(out), s.f.Policy.RefillMin))
		if err != nil {
			return nil, err
		}
		if len(some) == 0 {
			break
		}
		behind = some[len(some)-1].Position
		found, err := s.f.standing(ctx, some, s.sources)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	if len(out) >= want {
		return out[:want], nil
	}
	replays, err := s.replays(ctx, behind, want-len(out))
	return append(out, replays...), err
}

// next returns up to n entries of what is open behind a position, none at the end.
func (s *feedScroll) next(ctx context.Context, behind Position, n int) ([]Entry, error) {
	i, _ := slices.BinarySearchFunc(s.open, behind, func(e Entry, p Position) int {
		if e.Compare(p) <= 0 {
			return -1
		}
		return 1
	})
	if some := s.open[i:min(i+n, len(s.open))]; len(some) > 0 || s.complete {
		return some, nil
	}
	hosts, err := s.openHosts(ctx)
	if err != nil {
		return nil, err
	}
	return s.f.History.Open(ctx, hosts, s.base.moment.Number, behind, n)
}

// openHosts returns who had something open at the scroll's moment.
func (s *feedScroll) openHosts(ctx context.Context) ([]feed.UserID, error) {
	if s.hosts != nil {
		return s.hosts, nil
	}
	_, marks, err := s.f.History.Hosts(ctx, s.viewer, s.base.version, s.base.moment.Number)
	if err != nil {
		return nil, err
	}
	s.hosts = make([]feed.UserID, len(marks))
	for i, m := range marks {
		s.hosts[i] = m.Host
	}
	return s.hosts, nil
}

// sources returns which of the hosts belong into the scroll: those followed since before
// it began, as they stand to viewer now.
func (s *feedScroll) sources(ctx context.Context, hosts []feed.UserID) (map[feed.UserID]bool, error) {
	followed, err := s.f.History.Followed(ctx, s.viewer, s.base.version, hosts)
	if err != nil {
		return nil, err
	}
	return s.f.judge(ctx, s.viewer, followed, func(e feed.Edge) bool { return e.Follows && e.Visible() && !e.Mutes })
}

// followed is sources for hosts of whom the rest is known: a scan of replays has judged
// how they stand to viewer by the time it asks.
func (s *feedScroll) followed(ctx context.Context, hosts []feed.UserID) (map[feed.UserID]bool, error) {
	followed, err := s.f.History.Followed(ctx, s.viewer, s.base.version, hosts)
	if err != nil {
		return nil, err
	}
	return everybody(ctx, followed)
}

// replays returns up to want replays behind a position.
func (s *feedScroll) replays(ctx context.Context, behind Position, want int) ([]shown, error) {
	if want <= 0 {
		return nil, nil
	}
	k := &keeper{f: s.f, asOf: s.base.moment.Number, sources: s.followed, found: map[feed.PostID]*Session{}}
	posts, err := s.f.Replays.Scan(ctx, s.viewer, replaysBehind(behind, want), k.keep)
	return k.shown(posts), err
}

// leave implements [scroll]: it has the scroll's snapshot kept for the pages that follow,
// which need one while there is more that is open.
func (s *feedScroll) leave(last Position) {
	if !s.ready || s.kept || last.State == Replay {
		return
	}
	if s.complete && (len(s.open) == 0 || s.open[len(s.open)-1].Compare(last) <= 0) {
		return
	}
	s.f.Async(func(ctx context.Context) {
		// What cannot be kept is computed again when it is needed.
		_ = s.keepSnapshot(ctx)
	})
}

func (s *feedScroll) keepSnapshot(ctx context.Context) error {
	open := s.open
	if !s.complete {
		hosts, err := s.openHosts(ctx)
		if err != nil {
			return err
		}
		open, err = s.f.History.Open(ctx, hosts, s.base.moment.Number, Position{}, s.f.Policy.SnapshotMax+1)
		if err != nil {
			return err
		}
	}
	if len(open) > s.f.Policy.SnapshotMax {
		return nil
	}
	kept := Snapshot{Number: s.base.moment.Number, Version: s.base.version, Open: open}
	return s.f.Snapshots.Save(ctx, s.viewer, s.base.snapshot, kept, s.f.Policy.SnapshotFor)
}
