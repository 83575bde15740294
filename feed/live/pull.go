package live

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// pull reads the upcoming and live sessions of the hosts: from a host's set if its number is that
// of the last transition, else from SQL. A set with a later number is from after the scroll's
// moment and as useless as one that lags.
func (s *feedScroll) pull(ctx context.Context, transitions []HostTransition) error {
	s.hosts = make([]feed.UserID, len(transitions))
	for i, m := range transitions {
		s.hosts[i] = m.Host
	}
	sets, err := s.f.Sets.Read(ctx, s.base.Moment.Generation, s.hosts, s.f.Policy.PullMax)
	away := feed.CodeOf(err) == feed.CodeUnavailable
	if err != nil && !away {
		return err
	}
	var lagging []feed.UserID
	m := merge{}
	for i, transition := range transitions {
		if away || sets[i].Number != transition.Number {
			lagging = append(lagging, transition.Host)
			continue
		}
		m.add(transition.Host, sets[i])
	}
	if len(lagging) > 0 {
		limit := s.f.Policy.PullMax
		open, err := s.f.History.Open(ctx, lagging, s.base.Moment.Number, Position{}, limit)
		if err != nil {
			return err
		}
		m.addRun(open, len(open) == limit)
	}
	if !away {
		s.f.refresh(ctx, lagging)
	}
	s.open, s.complete = m.entries()
	return nil
}

const refreshMax = 500

// refresh is repeated by the next page if the queue fails.
func (f *Feed) refresh(ctx context.Context, hosts []feed.UserID) {
	for some := range slices.Chunk(hosts, refreshMax) {
		if err := f.Queue.Refresh(ctx, some); err != nil {
			f.Trace.ReportEnqueue(err)
			return
		}
	}
}

// merge merges lists that were read to different depths. Entries after the end of a truncated list
// are left out, because further entries of that list may come before them.
type merge struct {
	all []Entry
	// end is the first end of a truncated list; zero if none was truncated.
	end Position
}

func (m *merge) add(host feed.UserID, s Set) {
	run := make([]Entry, len(s.Open))
	for i, p := range s.Open {
		run[i] = Entry{Position: p, Host: host}
	}
	m.addRun(run, s.More)
}

func (m *merge) addRun(run []Entry, cut bool) {
	m.all = append(m.all, run...)
	if cut && len(run) > 0 {
		end := run[len(run)-1].Position
		if m.end == (Position{}) || end.Compare(m.end) < 0 {
			m.end = end
		}
	}
}

// entries returns the entries without a gap, in feed order, and whether these are all.
func (m *merge) entries() (all []Entry, complete bool) {
	slices.SortFunc(m.all, func(a, b Entry) int { return a.Compare(b.Position) })
	if m.end == (Position{}) {
		return m.all, true
	}
	return slices.DeleteFunc(m.all, func(e Entry) bool { return e.Compare(m.end) > 0 }), false
}
