package shadow

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/explain"
)

// Shadow compares the home feeds of another system with Tideline's. It writes nothing, and enqueues
// nothing.
//
// Both systems change meanwhile, and neither is read at the same moment. So Shadow reads feeds that
// differ twice more, after a pause, and keeps the differences that are there each time.
type Shadow struct {
	Old OldFeeds
	// Home reads home feeds as viewers see them, without asking for upkeep.
	Home Home
	// Posts must not read from a cache.
	Posts     feed.Posts
	IDs       feed.IDFinder
	Explainer Explainer
	// Filter is that of Tideline's feeds.
	Filter feed.Filter
	// PageMax is the largest page of Home.
	PageMax int
	// AtOnce is how many viewers are compared concurrently.
	AtOnce int
	// Pause is called before each further round.
	Pause func(context.Context) error
}

// OldFeeds reads feeds of another system. An error concerns one viewer.
type OldFeeds interface {
	Scroll(ctx context.Context, viewer string) (Scroll, error)
}

// Home reads home feeds.
type Home interface {
	Page(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.Page, error)
}

// Explainer explains why a post is, or is not, in a home feed.
type Explainer interface {
	Explain(ctx context.Context, viewer feed.UserID, post feed.PostID, filter feed.Filter) (explain.Explanation, error)
}

const (
	// rounds is how often a difference must be found to be reported.
	rounds = 3
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

	pair  *pair
	first int
}

// Compare compares the feeds of viewers, in their order. An error means that Tideline's feeds could
// not be read.
func (s *Shadow) Compare(ctx context.Context, viewers []feed.UserID) ([]*Exam, error) {
	names, err := feed.Named{Users: viewers}.Read(ctx, s.IDs)
	if err != nil {
		return nil, err
	}
	exams := make([]*Exam, len(viewers))
	for i, viewer := range viewers {
		exams[i] = &Exam{Viewer: viewer, Name: string(names.User(viewer).Text())}
	}
	differing := exams
	for round := range rounds {
		if err := s.each(ctx, differing, func(ctx context.Context, e *Exam) error { return s.round(ctx, e, round == 0) }); err != nil {
			return nil, err
		}
		differing = slices.DeleteFunc(slices.Clone(differing), func(e *Exam) bool { return e.Err != nil || len(e.Differences) == 0 })
		if len(differing) == 0 {
			break
		}
		if round+1 < rounds {
			if err := s.Pause(ctx); err != nil {
				return nil, err
			}
		}
	}
	if err := s.each(ctx, differing, s.explain); err != nil {
		return nil, err
	}
	for _, e := range exams {
		e.Moving = e.first - len(e.Differences)
		e.pair = nil
	}
	return exams, nil
}

func (s *Shadow) each(ctx context.Context, exams []*Exam, do func(context.Context, *Exam) error) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(max(s.AtOnce, 1))
	for _, e := range exams {
		all.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := do(ctx, e); err != nil {
				return fmt.Errorf("compare the feeds of user %s: %w", e.Name, err)
			}
			return nil
		})
	}
	return all.Wait()
}

// round compares the feeds of a viewer, and keeps the differences that were there before.
func (s *Shadow) round(ctx context.Context, e *Exam, first bool) error {
	scroll, err := s.Old.Scroll(ctx, e.Name)
	if err != nil {
		e.Differences, e.Err = nil, err
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
	e.pair, e.Pages, e.Posts = p, scroll.Pages, len(scroll.Items)
	if first {
		e.first, e.Differences = len(p.differences), p.differences
		return nil
	}
	before := map[Difference]bool{}
	for _, d := range e.Differences {
		before[d.key()] = true
	}
	e.Differences = slices.DeleteFunc(p.differences, func(d Difference) bool { return !before[d.key()] })
	return nil
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
		posts, err := s.Posts.Posts(ctx, ids)
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

// home reads the viewer's home feed down to the floor, at most limit posts and a page more.
func (s *Shadow) home(ctx context.Context, p *pair, limit int) error {
	size := min(s.PageMax, limit)
	for after := ""; ; {
		page, err := s.Home.Page(ctx, p.viewer, feed.PageQuery{First: &size, After: after, Filter: s.Filter})
		if err != nil {
			return err
		}
		for _, entry := range page.Entries {
			if p.floor.Newer(entry.Post.Key()) {
				return nil
			}
			p.ours = append(p.ours, entry.Post)
			after = entry.Cursor
		}
		switch {
		case !page.HasNext || len(page.Entries) == 0:
			p.whole = true
			return nil
		case len(p.ours) >= limit:
			p.cut = p.ours[len(p.ours)-1].Key()
			return nil
		}
	}
}

// explain gives the differences of a viewer reasons.
func (s *Shadow) explain(ctx context.Context, e *Exam) error {
	named := feed.Named{}
	for _, d := range e.Differences {
		named.Posts = append(named.Posts, d.Post)
	}
	names, err := named.Read(ctx, s.IDs)
	if err != nil {
		return err
	}
	x := &explainer{
		pair: e.pair, explain: s.Explainer, wanted: s.Filter, names: names.Post,
		shows: func(id feed.PostID) (bool, error) {
			again := &pair{viewer: e.Viewer, floor: e.pair.floor}
			err := s.home(ctx, again, len(e.pair.ours))
			return slices.ContainsFunc(again.ours, func(p *feed.Post) bool { return p.ID == id }), err
		},
	}
	if e.Differences, err = x.all(ctx, e.Differences); err != nil {
		return err
	}
	for i := range e.Differences {
		if d := &e.Differences[i]; d.ID == "" {
			d.ID = string(names.Post(d.Post).Text())
		}
	}
	return nil
}
