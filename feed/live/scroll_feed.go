package live

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

type feedScroll struct {
	f      *Feed
	viewer feed.UserID
	// base is a cursor of the scroll without a position.
	base Cursor
	// ready: the scroll has begun, or its snapshot was loaded.
	ready bool
	// kept: a snapshot is stored, and open is its content.
	kept bool
	// hosts are those with an upcoming or live session; nil if not read yet.
	hosts []feed.UserID
	// open is the beginning of the upcoming and live sessions; if complete, it is all of them.
	open     []Entry
	complete bool
}

func (f *Feed) openScroll(ctx context.Context, viewer feed.UserID, at *Cursor) (scroll, error) {
	if f.Cache != nil {
		return f.openCached(ctx, viewer, at)
	}
	s := &feedScroll{f: f, viewer: viewer}
	if at != nil {
		s.base = *at
		return s, nil
	}
	version, err := f.Changes.FeedVersion(ctx, viewer)
	if err != nil {
		return nil, err
	}
	return s, s.begin(ctx, version.Version)
}

// begin reads the moment that the scroll shows. The version was read before: a host followed in
// between is not part of the scroll in either case.
func (s *feedScroll) begin(ctx context.Context, version int64) error {
	moment, transitions, err := s.f.History.Hosts(ctx, s.viewer, version, noHistory)
	if err != nil {
		return err
	}
	s.base = Cursor{List: ListFeed, Moment: moment, Version: version, Snapshot: s.f.NewName()}
	s.ready = true
	return s.pull(ctx, transitions)
}

const noHistory = 1<<63 - 1

func (s *feedScroll) resume(ctx context.Context) error {
	kept, err := s.f.Snapshots.Load(ctx, s.viewer, s.base.Snapshot)
	if err != nil && feed.CodeOf(err) != feed.CodeUnavailable {
		return err
	}
	if kept != nil && kept.Number == s.base.Moment.Number && kept.Version == s.base.Version {
		s.open, s.complete, s.kept = kept.Open, true, true
	}
	s.ready = true
	return nil
}

func (s *feedScroll) start() Cursor { return s.base }

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
		found, err := s.f.visible(ctx, some, s.sources)
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

// next returns up to n upcoming and live entries after a position; none at the end.
func (s *feedScroll) next(ctx context.Context, behind Position, n int) ([]Entry, error) {
	i := firstAfter(s.open, behind)
	if some := s.open[i:min(i+n, len(s.open))]; len(some) > 0 || s.complete {
		return some, nil
	}
	hosts, err := s.openHosts(ctx)
	if err != nil {
		return nil, err
	}
	return s.f.History.Open(ctx, hosts, s.base.Moment.Number, behind, n)
}

func (s *feedScroll) openHosts(ctx context.Context) ([]feed.UserID, error) {
	if s.hosts != nil {
		return s.hosts, nil
	}
	_, transitions, err := s.f.History.Hosts(ctx, s.viewer, s.base.Version, s.base.Moment.Number)
	if err != nil {
		return nil, err
	}
	s.hosts = make([]feed.UserID, len(transitions))
	for i, m := range transitions {
		s.hosts[i] = m.Host
	}
	return s.hosts, nil
}

// sources returns which hosts were followed before the scroll began and, by their relations now, still
// are. Privacy hides no host from a follower.
func (s *feedScroll) sources(ctx context.Context, hosts []feed.UserID) (map[feed.UserID]bool, error) {
	followed, err := s.f.History.Followed(ctx, s.viewer, s.base.Version, hosts)
	if err != nil {
		return nil, err
	}
	edges, err := s.f.Relations.Edges(ctx, s.viewer, followed)
	if err != nil {
		return nil, err
	}
	out := make(map[feed.UserID]bool, len(followed))
	for i, host := range followed {
		e := edges[i]
		out[host] = host == s.viewer || e.Follows && e.Visible() && !e.Mutes
	}
	return out, nil
}

// followed is sources for hosts whose other relations a scan of replays has judged.
func (s *feedScroll) followed(ctx context.Context, hosts []feed.UserID) (map[feed.UserID]bool, error) {
	followed, err := s.f.History.Followed(ctx, s.viewer, s.base.Version, hosts)
	if err != nil {
		return nil, err
	}
	return allHosts(ctx, followed)
}

func (s *feedScroll) replays(ctx context.Context, behind Position, want int) ([]shown, error) {
	if want <= 0 {
		return nil, nil
	}
	k := &replayFilter{f: s.f, asOf: s.base.Moment.Number, sources: s.followed, found: map[feed.PostID]*Session{}}
	posts, err := s.f.Replays.Scan(ctx, s.viewer, replaysBehind(behind, want), k.filter)
	return k.shown(posts), err
}

// finish stores a snapshot, unless there is one or the next pages need none.
func (s *feedScroll) finish(last Position) {
	if !s.ready || s.kept || last.State == Replay {
		return
	}
	if s.complete && (len(s.open) == 0 || s.open[len(s.open)-1].Compare(last) <= 0) {
		return
	}
	s.f.Async(func(ctx context.Context) {
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
		open, err = s.f.History.Open(ctx, hosts, s.base.Moment.Number, Position{}, s.f.Policy.SnapshotMax+1)
		if err != nil {
			return err
		}
	}
	if len(open) > s.f.Policy.SnapshotMax {
		return nil
	}
	kept := Snapshot{Number: s.base.Moment.Number, Version: s.base.Version, Open: open}
	return s.f.Snapshots.Save(ctx, s.viewer, s.base.Snapshot, kept, s.f.Policy.SnapshotFor)
}
