// Package examine compares what viewers are shown, and what their inboxes hold, with the source of
// truth, and says why a post is, or is not, in a home feed. It changes nothing and enqueues nothing.
package examine

import (
	"context"
	"iter"

	"github.com/tideline-feeds/tideline/feed"
)

// Examiner examines the feeds and inboxes of viewers.
type Examiner struct {
	// Home reads home feeds as viewers see them, without asking for upkeep.
	Home HomeReader
	// Neither Viewers, which read what Home reads, nor Posts may read from caches.
	Viewers   feed.Viewers
	Posts     feed.Posts
	Reference feed.Reference
	Coverage  feed.Coverage
	Progress  feed.Progress
	Fanouts   feed.Fanouts
	// PageMax is the largest page of Home.
	PageMax int
	// Replays says that the feeds are those of replays. Findings then name sessions by their
	// [feed.ReplayRef].
	Replays bool
	// Depth is how many entries of each feed are compared, from the newest on; 0 for all.
	Depth int
	Walk
}

// HomeReader reads home feeds.
type HomeReader interface {
	// Page returns one page of viewer's home feed.
	Page(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.Page, error)
}

// Examine examines viewers, with or without inboxes, and adds what it finds. An error means that the
// examination failed, not that it found something.
func (x *Examiner) Examine(ctx context.Context, viewers []feed.UserID, tally *Tally, report *Report[Finding]) error {
	exams, err := Examine(ctx, x.Walk, viewers, x.examine)
	if err != nil {
		return err
	}
	for _, e := range exams {
		tally.add(e)
		report.Add(e.findings)
	}
	return nil
}

func (x *Examiner) examine(ctx context.Context, viewer feed.UserID, before *exam) (*exam, error) {
	e := &exam{viewer: viewer, replays: x.Replays}
	err := x.examineInbox(ctx, e)
	if err == nil && !e.unreadable {
		err = x.examineFeed(ctx, e)
	}
	if before != nil {
		e.findings = Again(before.findings, e.findings, func(f Finding) Finding { return f })
	}
	return e, err
}

// Scroll returns the entries of a viewer's home feed as they see them, from the newest on.
func (x *Examiner) Scroll(ctx context.Context, viewer feed.UserID, filter feed.Filter) iter.Seq2[feed.Entry, error] {
	return func(yield func(feed.Entry, error) bool) {
		for q := (feed.PageQuery{First: &x.PageMax, Filter: filter}); ; {
			page, err := x.Home.Page(ctx, viewer, q)
			if err != nil {
				yield(feed.Entry{}, err)
				return
			}
			for _, entry := range page.Entries {
				if !yield(entry, nil) {
					return
				}
				q.After = entry.Cursor
			}
			if !page.HasNext || len(page.Entries) == 0 {
				return
			}
		}
	}
}

// Describe explains the findings about posts, which may have changed since, and names users and
// posts by their public ids.
func (x *Examiner) Describe(ctx context.Context, findings []Finding, ids feed.IDFinder) error {
	var named feed.Named
	for i := range findings {
		f := &findings[i]
		named.Users, named.Posts = append(named.Users, f.Viewer), append(named.Posts, f.Post)
		if f.Post <= 0 {
			continue
		}
		e, err := x.Explain(ctx, f.Viewer, f.Post, feed.Filter{})
		if err != nil {
			return err
		}
		f.Reason = e.Reason
	}
	names, err := named.Read(ctx, ids)
	if err != nil {
		return err
	}
	for i := range findings {
		findings[i].name(names)
	}
	return nil
}
