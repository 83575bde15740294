package examine

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Reason is why a post is, or is not, in a feed, by a word that is the same in all versions. If the
// post may not be seen, it is a [feed.Hidden].
type Reason string

// The reasons for a post of the feed, by how a read gets it.
const (
	// Own: the viewer's own outbox is part of every read.
	Own Reason = "own"
	// Entry: the inbox has it.
	Entry Reason = "in-inbox"
	// PulledUnpushed and PulledSelective: reads pull the author for their coverage flag.
	// PulledFollow: reads pull them because the follow is later than the inbox's version.
	PulledUnpushed  Reason = "pulled-unpushed"
	PulledSelective Reason = "pulled-selective"
	PulledFollow    Reason = "pulled-followed-since"
	// BelowFloor: the inbox does not reach down to it, so the reference query reads it.
	BelowFloor Reason = "below-floor"
	// NoInbox: no inbox can be used, so the reference query reads all.
	NoInbox Reason = "no-inbox"
	// Pending: reads do not show it before its push.
	Pending Reason = "pending"
	// Missing: the inbox covers it, its push is done, and it is not there. This is an error.
	Missing Reason = "missing"
)

// OtherKind is the reason for a visible post that the filter in question leaves out.
const OtherKind Reason = "other-kind"

// Explanation is why a post is, or is not, in a feed.
type Explanation struct {
	Viewer feed.UserID
	Post   feed.PostID
	Author feed.UserID
	// Key is the post's place; zero if it is not stored.
	Key feed.Key
	// InFeed says that the reference query returns the post, Shown that a page read now does.
	InFeed, Shown bool
	Reason        Reason
	// Original is the original of a repost that Reason is about; 0 if it is about Post.
	Original feed.PostID
	// HasEntry says that the inbox has the post, visible or not.
	HasEntry bool
	// PushedAt is when progress beyond the viewer was last stored for the post; 0 if that is not
	// stored. An entry may also come from a build.
	PushedAt int64
	// Inbox is the header. InboxDown says that it could not be reached.
	Inbox     feed.Inbox
	InboxDown bool
	Version   feed.ViewerVersion
}

// Suspicious implements [Exam].
func (e *Explanation) Suspicious() bool { return e.Reason == Missing }

// Explain says why a post is, or is not, in the viewer's home feed with a filter.
//
// It reads in the order of a read. Pending comes before the inbox, and the viewer's state after it.
func (x *Examiner) Explain(ctx context.Context, viewer feed.UserID, post feed.PostID, filter feed.Filter) (Explanation, error) {
	e := Explanation{Viewer: viewer, Post: post}
	place, err := x.place(ctx, viewer, post)
	if err != nil {
		return e, err
	}
	waits, err := x.Progress.IsPending(ctx, []feed.PostID{post})
	if err != nil {
		return e, err
	}
	only := feed.Range{Above: place.Prev(), Below: place.Next(), Limit: 1}
	inbox, state, err := x.Viewers.Inbox(ctx, viewer, only, feed.Path{})
	e.InboxDown = feed.CodeOf(err) == feed.CodeUnavailable
	if err != nil && !e.InboxDown {
		return e, err
	}
	if e.InboxDown {
		state = x.Viewers.State(viewer)
	}
	e.Inbox, e.HasEntry = inbox, len(inbox.Keys) > 0
	if e.Version, err = state.Version(ctx); err != nil {
		return e, err
	}
	if err := e.judge(ctx, state, filter); err != nil || !e.InFeed {
		return e, err
	}
	if e.PushedAt, err = x.Fanouts.PushedAt(ctx, post, viewer); err != nil {
		return e, err
	}
	e.Reason, err = e.source(ctx, state, waits[0])
	e.Shown = e.Reason != Pending && e.Reason != Missing
	return e, err
}

// Why is [Examiner.Explain] for a whole feed. It looks again before it says that a post is missing.
func (x *Examiner) Why(ctx context.Context, viewer feed.UserID, post feed.PostID) (*Explanation, error) {
	exams, err := Examine(ctx, x.Walk, []feed.UserID{viewer}, func(ctx context.Context, viewer feed.UserID, _ *Explanation) (*Explanation, error) {
		e, err := x.Explain(ctx, viewer, post, feed.Filter{})
		return &e, err
	})
	if err != nil {
		return nil, err
	}
	return exams[0], nil
}

// place returns the key of a post, which never changes; zero if it is not stored.
func (x *Examiner) place(ctx context.Context, viewer feed.UserID, post feed.PostID) (feed.Key, error) {
	posts, err := x.Viewers.State(viewer).Posts(ctx, []feed.PostID{post})
	if err != nil || posts[0] == nil {
		return feed.Key{}, err
	}
	return posts[0].Key(), nil
}

// judge applies the predicate of reads.
func (e *Explanation) judge(ctx context.Context, state feed.ViewerState, filter feed.Filter) error {
	j, err := feed.JudgeOne(ctx, e.Viewer, state, e.Post, feed.ScopeHome)
	if err != nil {
		return err
	}
	if j.Post != nil {
		e.Author, e.Key = j.Post.Author, j.Post.Key()
	}
	if j.Cause != e.Post {
		e.Original = j.Cause
	}
	switch {
	case j.Hidden != feed.Visible:
		e.Reason = Reason(j.Hidden)
	case !filter.Match(j.Post):
		e.Original, e.Reason = 0, OtherKind
	default:
		e.Original, e.InFeed = 0, true
	}
	return nil
}

// source says where a read gets a post of the feed.
func (e *Explanation) source(ctx context.Context, state feed.ViewerState, pending bool) (Reason, error) {
	switch {
	case e.InboxDown || !e.Inbox.Usable(e.Version):
		return NoInbox, nil
	case e.Author == e.Viewer:
		return Own, nil
	case !e.Key.Newer(e.Inbox.Floor):
		return BelowFloor, nil
	case e.HasEntry:
		return Entry, nil
	}
	warm := e.Inbox.Warm(e.Version.Now)
	for _, pull := range []struct {
		since  int64
		cold   bool
		reason Reason
	}{
		{math.MaxInt64, false, PulledUnpushed},
		{math.MaxInt64, !warm, PulledSelective},
		{e.Inbox.Version, !warm, PulledFollow},
	} {
		pulled, err := state.Pulled(ctx, pull.since, pull.cold)
		if errors.Is(err, feed.ErrGenerationRaised) {
			return NoInbox, nil
		}
		if err != nil {
			return "", err
		}
		if slices.Contains(pulled, e.Author) {
			return pull.reason, nil
		}
	}
	if pending {
		return Pending, nil
	}
	return Missing, nil
}
