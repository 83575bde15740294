package live

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// pull reads what the hosts have open, each from his set when that knows of all his
// transitions, and from SQL otherwise. A set that knows of later ones is from after the
// scroll's moment, and so as useless as one that lags.
func (s *feedScroll) pull(ctx context.Context, marks []HostTransition) error {
	s.hosts = make([]feed.UserID, len(marks))
	for i, m := range marks {
		s.hosts[i] = m.Host
	}
	sets, err := s.f.Sets.Read(ctx, s.base.moment.Generation, s.hosts, s.f.Policy.PullMax)
	away := feed.CodeOf(err) == feed.CodeUnavailable
	if err != nil && !away {
		return err
	}
	var lagging []feed.UserID
	m := merge{}
	for i, mark := range marks {
		if away || sets[i].Number != mark.Number {
			lagging = append(lagging, mark.Host)
			continue
		}
		m.add(mark.Host, sets[i])
	}
	if len(lagging) > 0 {
		limit := s.f.Policy.PullMax
		open, err := s.f.History.Open(ctx, lagging, s.base.moment.Number, Position{}, limit)
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

// refreshMax is how many sets one task writes.
const refreshMax = 500

// refresh has the sets of hosts written. What cannot be asked for, the next page asks for.
func (f *Feed) refresh(ctx context.Context, hosts []feed.UserID) {
	for some := range slices.Chunk(hosts, refreshMax) {
		if err := f.Queue.Refresh(ctx, some); err != nil {
			f.Trace.ReportEnqueue(err)
			return
		}
	}
}

// merge puts runs of entries that were read to different depths into one. What comes behind
// the end of a run that was cut off is not handed out: something of that run may come before.
type merge struct {
	all []Entry
	// end is the first of the ends at which runs were cut off; the zero position when none
	// was.
	end Position
}

// add takes what a set holds.
func (m *merge) add(host feed.UserID, s Set) {
	run := make([]Entry, len(s.Open))
	for i, p := range s.Open {
		run[i] = Entry{Position: p, Host: host}
	}
	m.addRun(run, s.More)
}

// addRun takes a run; cut says that it goes on.
func (m *merge) addRun(run []Entry, cut bool) {
	m.all = append(m.all, run...)
	if cut && len(run) > 0 {
		end := run[len(run)-1].Position
		if m.end == (Position{}) || end.Compare(m.end) < 0 {
			m.end = end
		}
	}
}

// entries returns what is known without a gap, in feed order, and whether that is all.
func (m *merge) entries() (known []Entry, complete bool) {
	slices.SortFunc(m.all, func(a, b Entry) int { return a.Compare(b.Position) })
	if m.end == (Position{}) {
		return m.all, true
	}
	return slices.DeleteFunc(m.all, func(e Entry) bool { return e.Compare(m.end) > 0 }), false
}
