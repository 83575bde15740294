package tideline

import (
	"context"
	"iter"
	"slices"

	"github.com/Khan/genqlient/graphql"
)

// Home reads the home feed of the viewer. Create one with [Client.Home] or [NewHome]. It is safe for
// concurrent use.
type Home struct{ feedReader }

// NewHome returns the home feed of the viewer at a base URL.
func NewHome(base string, options ...FeedOption) *Home { return &Home{newFeedReader(base, options)} }

// Pages returns the pages of the feed, newest first. An error ends them.
func (h *Home) Pages(ctx context.Context) iter.Seq2[*ContentPage, error] {
	return pages(func(at PageOption) (*ContentPage, error) {
		return h.client.HomeFeed(ctx, First(h.size), at, OfKinds(h.kinds...), func(p *pageChoice) { p.special = h.special })
	})
}

// Changes returns the changes of the feed since a sync token, as they happen, until ctx ends. It
// connects again as often as necessary, and misses none.
//
// The last page is one with a RESET: then drop all posts and begin with [Home.Pages]. An error that
// no later attempt can avoid, such as UNAUTHENTICATED, or that of ctx also ends them.
func (h *Home) Changes(ctx context.Context, since string) iter.Seq2[*ChangePage, error] {
	request := func(since string) graphql.Request {
		return graphql.Request{
			Query: homeChangeEvents_Operation, OpName: "homeChangeEvents",
			Variables: &__homeChangeEventsInput{Since: since, Kinds: h.kinds, Special: h.special},
		}
	}
	return changes(ctx, h.feedReader, since, request, func(e *homeChangeEventsResponse) *ChangePage { return &e.HomeChanges })
}

func (v *ChangePage) resets() bool {
	return slices.ContainsFunc(v.Changes, func(c Change) bool { return c.Kind == HomeChangeKindReset })
}

// Live reads the live feed of the viewer. Create one with [Client.Live]. It is safe for concurrent
// use.
type Live struct{ feedReader }

// Pages returns the pages of the feed: live sessions, upcoming ones, replays. All pages show the
// moment of the first one. An error ends them.
func (l *Live) Pages(ctx context.Context) iter.Seq2[*SessionPage, error] {
	return pages(func(at PageOption) (*SessionPage, error) { return l.client.LiveFeed(ctx, First(l.size), at) })
}

// Changes returns the changes of the feed since a sync token, like [Home.Changes].
func (l *Live) Changes(ctx context.Context, since string) iter.Seq2[*LiveChangePage, error] {
	request := func(since string) graphql.Request {
		return graphql.Request{
			Query: liveChangeEvents_Operation, OpName: "liveChangeEvents", Variables: &__liveChangeEventsInput{Since: since},
		}
	}
	return changes(ctx, l.feedReader, since, request, func(e *liveChangeEventsResponse) *LiveChangePage { return &e.LiveChanges })
}

func (v *LiveChangePage) resets() bool {
	return slices.ContainsFunc(v.Changes, func(c LiveChange) bool { return c.Kind == HomeChangeKindReset })
}
