package resolvers_test

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers"
)

// timelineHook calls page with every page that was read, which it may change.
type timelineHook struct {
	resolvers.Timeline
	page func(*feed.Page)
}

func (h timelineHook) Page(ctx context.Context, viewer feed.UserID, f feed.FeedRef, q feed.PageQuery) (*feed.Page, error) {
	page, err := h.Timeline.Page(ctx, viewer, f, q)
	if err == nil {
		h.page(page)
	}
	return page, err
}

func (h timelineHook) Pages(ctx context.Context, viewer feed.UserID, requests []feed.PageRequest) ([]feed.PageResult, error) {
	results, err := h.Timeline.Pages(ctx, viewer, requests)
	for _, r := range results {
		if r.Err == nil {
			h.page(r.Page)
		}
	}
	return results, err
}

// directoryHook does the same for lists of users.
type directoryHook struct {
	resolvers.Directory
	page func(*feed.UserPage)
}

func (h directoryHook) seen(page *feed.UserPage, err error) (*feed.UserPage, error) {
	if err == nil {
		h.page(page)
	}
	return page, err
}

func (h directoryHook) Followers(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	return h.seen(h.Directory.Followers(ctx, viewer, user, q))
}

func (h directoryHook) Following(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	return h.seen(h.Directory.Following(ctx, viewer, user, q))
}

func (h directoryHook) Related(ctx context.Context, viewer feed.UserID, kind feed.RelationKind, q feed.PageQuery) (*feed.UserPage, error) {
	return h.seen(h.Directory.Related(ctx, viewer, kind, q))
}

func (h directoryHook) Search(ctx context.Context, viewer feed.UserID, query string, q feed.PageQuery) (*feed.UserPage, error) {
	return h.seen(h.Directory.Search(ctx, viewer, query, q))
}
