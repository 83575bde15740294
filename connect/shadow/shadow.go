package shadow

import (
	"context"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
)

// Shadow compares the home feeds of another system with Tideline's. It writes nothing, and enqueues
// nothing.
//
// Both systems change meanwhile, and neither is read at the same moment. So Shadow reads feeds that
// differ in all rounds of [examine.Examine], and keeps the differences that are there each time.
type Shadow struct {
	Old OldFeeds
	// Ours reads and explains Tideline's feeds.
	Ours *examine.Examiner
	IDs  feed.IDFinder
	// Filter is that of Tideline's feeds.
	Filter feed.Filter
}

// OldFeeds reads feeds of another system. An error concerns one viewer.
type OldFeeds interface {
	Scroll(ctx context.Context, viewer string) (Scroll, error)
}

const (
	// listMax is how many posts are loaded at once: as many as a read loads.
	listMax = 400
	// beyond is how many posts after the end of a shorter feed are compared.
	beyond = 100
)

// Exam is the comparison of a viewer's feeds.
type Exam struct {
	Viewer feed.UserID
	// Name is the viewer's id for people.
	Name string
	// Err is why the other system's feed could not be read; nil if it was compared.
	Err error
	// Differences were found in each round. Moving is how many others the first round found.
	Differences []Difference
	Moving      int
	// Pages is the number of pages of the other system, Posts that of its entries.
	Pages, Posts int

	// round is that of the examination, from 1 on.
	round int
}

// Suspicious implements [examine.Exam].
func (e *Exam) Suspicious() bool { return len(e.Differences) > 0 }

// Compare compares the feeds of viewers, in their order. An error means that Tideline's feeds could
// not be read.
func (s *Shadow) Compare(ctx context.Context, viewers []feed.UserID) ([]*Exam, error) {
	names, err := feed.Named{Users: viewers}.Read(ctx, s.IDs)
	if err != nil {
		return nil, err
	}
	return examine.Examine(ctx, s.Ours.Walk, viewers, func(ctx context.Context, viewer feed.UserID, before *Exam) (*Exam, error) {
		e := &Exam{Viewer: viewer, Name: string(names.User(viewer).Text()), round: 1}
		if before == nil {
			return e, s.compare(ctx, e, nil)
		}
		e.round = before.round + 1
		err := s.compare(ctx, e, before.Differences)
		e.Moving = before.Moving + len(before.Differences) - len(e.Differences)
		return e, err
	})
}

// compare compares the feeds of a viewer, and keeps the differences that were there before.
func (s *Shadow) compare(ctx context.Context, e *Exam, before []Difference) error {
	scroll, err := s.Old.Scroll(ctx, e.Name)
	if err != nil {
		e.Err = err
		return ctx.Err()
	}
	p := &pair{viewer: e.Viewer, scroll: scroll}
	if p.old, err = s.entries(ctx, scroll.Items); err != nil {
		return err
	}
	p.floor = floorOf(scroll, p.old)
	if err := s.home(ctx, p, len(scroll.Items)+beyond); err != nil {
		return err
	}
	p.compare()
	e.Pages, e.Posts, e.Differences = scroll.Pages, len(scroll.Items), p.differences
	if e.round > 1 {
		e.Differences = examine.Again(before, e.Differences, Difference.key)
	}
	if e.round < examine.Rounds {
		return nil
	}
	return s.explain(ctx, e, p)
}

// entries returns what Tideline knows of the entries of a scroll.
func (s *Shadow) entries(ctx context.Context, items []Item) ([]entry, error) {
	entries := make([]entry, len(items))
	for at := 0; at < len(items); at += listMax {
		some := entries[at:min(len(items), at+listMax)]
		external := make([]feed.ExternalID, len(some))
		for i := range some {
			some[i].Item = items[at+i]
			external[i] = feed.ExternalID(some[i].ID)
		}
		numbers, err := FindIDs(ctx, s.IDs, feed.PostIDs, external)
		if err != nil {
			return nil, err
		}
		var ids []feed.PostID
		for i := range some {
			some[i].post = feed.PostID(numbers[i])
			ids = append(ids, some[i].post)
		}
		posts, err := s.Ours.Posts.Posts(ctx, ids)
		if err != nil {
			return nil, err
		}
		for i, p := range posts {
			if p != nil {
				some[i].key = p.Key()
			}
		}
	}
	return entries, nil
}

// FindIDs is [feed.IDFinder.FindIDs] for texts that may be no ids.
func FindIDs(ctx context.Context, finder feed.IDFinder, kind feed.IDKind, texts []feed.ExternalID) ([]int64, error) {
	ids := slices.DeleteFunc(slices.Clone(texts), func(id feed.ExternalID) bool { return id.Check() != nil })
	found, err := finder.FindIDs(ctx, kind, ids)
	if err != nil {
		return nil, err
	}
	numbers := make([]int64, len(texts))
	for i, id := range texts {
		if id.Check() == nil {
			numbers[i], found = found[0], found[1:]
		}
	}
	return numbers, nil
}

// home reads the viewer's home feed down to the floor, at most limit posts.
func (s *Shadow) home(ctx context.Context, p *pair, limit int) error {
	for entry, err := range s.Ours.Scroll(ctx, p.viewer, s.Filter) {
		if err != nil {
			return err
		}
		switch {
		case p.floor.Newer(entry.Post.Key()):
			return nil
		case len(p.ours) == limit:
			p.cut = p.ours[limit-1].Key()
			return nil
		}
		p.ours = append(p.ours, entry.Post)
	}
	p.whole = true
	return nil
}

// explain gives the differences of a viewer reasons.
func (s *Shadow) explain(ctx context.Context, e *Exam, p *pair) error {
	named := feed.Named{}
	for _, d := range e.Differences {
		named.Posts = append(named.Posts, d.Post)
	}
	names, err := named.Read(ctx, s.IDs)
	if err != nil {
		return err
	}
	x := &explainer{
		pair: p, examiner: s.Ours, wanted: s.Filter, names: names.Post,
		shows: func(id feed.PostID) (bool, error) {
			again := &pair{viewer: e.Viewer, floor: p.floor}
			err := s.home(ctx, again, len(p.ours))
			return slices.ContainsFunc(again.ours, func(p *feed.Post) bool { return p.ID == id }), err
		},
	}
	if e.Differences, err = x.all(ctx, e.Differences); err != nil {
		return err
	}
	for i := range e.Differences {
		d := &e.Differences[i]
		d.User, d.OldTime, d.OurTime = e.Name, timeText(d.OldAt), timeText(d.OurAt)
		if d.ID == "" {
			d.ID = string(names.Post(d.Post).Text())
		}
	}
	return nil
}

// timeText returns a time for programs; empty for none.
func timeText(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format(time.RFC3339Nano)
}
