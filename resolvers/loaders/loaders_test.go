package loaders_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// backend serves every read, unless fail, if set, returns an error or panics for its kind.
type backend struct {
	fail func(ctx context.Context, kind string) error
}

func (b *backend) deps() loaders.Deps {
	return loaders.Deps{Posts: visible{b}, Users: b, Counters: b, Relations: b}
}

func (b *backend) failed(ctx context.Context, kind string) error {
	if b.fail == nil {
		return nil
	}
	return b.fail(ctx, kind)
}

type visible struct{ *backend }

func (v visible) Posts(ctx context.Context, _ feed.UserID, ids []feed.PostID) ([]*feed.Post, error) {
	return make([]*feed.Post, len(ids)), v.failed(ctx, "posts")
}

// Pages returns pages of one post.
func (v visible) Pages(ctx context.Context, _ feed.UserID, requests []feed.PageRequest) ([]feed.PageResult, error) {
	one := &feed.Page{Entries: []feed.Entry{{Post: &feed.Post{ID: 1, Author: 1}}}}
	return slices.Repeat([]feed.PageResult{{Page: one}}, len(requests)), v.failed(ctx, "pages")
}

func (b *backend) Authors(ctx context.Context, _ feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	return slices.Repeat([]*feed.User{{}}, len(ids)), b.failed(ctx, "users")
}

func (b *backend) PostCounters(ctx context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	out := make([]feed.PostCounters, len(ids))
	for i, id := range ids {
		out[i].Likes = int64(id)
	}
	return out, b.failed(ctx, "post counters")
}

func (b *backend) UserCounters(ctx context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	return make([]feed.UserCounters, len(ids)), b.failed(ctx, "user counters")
}

func (b *backend) Reactions(ctx context.Context, _ feed.UserID, ids []feed.PostID) ([]feed.ViewerReactions, error) {
	return make([]feed.ViewerReactions, len(ids)), b.failed(ctx, "reactions")
}

func (b *backend) Edges(ctx context.Context, _ feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	return make([]feed.Edge, len(others)), b.failed(ctx, "edges")
}

// failing returns loaders of a backend whose reads of a kind fail with an error.
func failing(t *testing.T, kind string, err error) *loaders.Loaders {
	b := &backend{fail: func(_ context.Context, read string) error {
		if read == kind {
			return err
		}
		return nil
	}}
	return loaders.New(t.Context(), new(b.deps()), 9)
}

// together loads the likes of posts concurrently.
func together(l *loaders.Loaders, ids ...feed.PostID) []error {
	errs := make([]error, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() {
			c, err := l.PostCounters(context.Background(), id)
			if err == nil && c.Likes != int64(id) {
				err = errors.New("the result of another key")
			}
			errs[i] = err
		})
	}
	wg.Wait()
	return errs
}

func TestLoad_FullBatchDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{}
		l := loaders.New(t.Context(), new(b.deps()), 1)
		ids := make([]feed.PostID, 100)
		for i := range ids {
			ids[i] = feed.PostID(i + 1)
		}
		start := time.Now()
		if err := errors.Join(together(l, ids...)...); err != nil {
			t.Error(err)
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("waited %s", waited)
		}
	})
}

// The library would repeat errors, although the store may have recovered.
func TestLoad_ForgetsFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("away")
		b := &backend{fail: func(context.Context, string) error { return away }}
		l := loaders.New(t.Context(), new(b.deps()), 1)
		for _, err := range together(l, 1, 2) {
			if !errors.Is(err, away) {
				t.Errorf("the failed read returns %v", err)
			}
		}
		b.fail = nil
		if err := errors.Join(together(l, 1, 2)...); err != nil {
			t.Errorf("after the store has recovered: %v", err)
		}
	})
}

// short returns fewer counters than keys.
type short struct{ *backend }

func (short) PostCounters(context.Context, []feed.PostID) ([]feed.PostCounters, error) {
	return make([]feed.PostCounters, 1), nil
}

func TestLoad_WrongNumberOfValuesIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{}
		d := b.deps()
		d.Counters = short{b}
		l := loaders.New(t.Context(), &d, 1)
		for _, err := range together(l, 1, 2) {
			if err == nil || !strings.Contains(err.Error(), "1 values for 2 keys") {
				t.Errorf("a load returns %v", err)
			}
		}
	})
}

// Canceling the context of one field must not fail the others in its batch.
func TestLoad_UsesTheOperationsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{fail: func(ctx context.Context, _ string) error { return ctx.Err() }}
		operation, cancel := context.WithCancel(t.Context())
		l := loaders.New(operation, new(b.deps()), 1)
		impatient, give := context.WithCancel(operation)
		give()
		if _, err := l.PostCounters(impatient, 1); err != nil {
			t.Errorf("the batch ended with the context of one caller: %v", err)
		}
		cancel()
		if _, err := l.PostCounters(t.Context(), 2); !errors.Is(err, context.Canceled) {
			t.Errorf("a batch of a finished operation returns %v", err)
		}
	})
}

func TestHydratePosts_ReturnsTheFirstError(t *testing.T) {
	away := errors.New("away")
	for _, kind := range []string{"posts", "users", "post counters", "user counters", "reactions", "edges"} {
		l := failing(t, kind, away)
		err := l.HydratePosts(t.Context(), []*feed.Post{{ID: 1, Author: 2, ReplyTo: 3}}, &loaders.PostWant{
			Counters: true, Reactions: true,
			Author: &loaders.UserWant{Counters: true, Edge: true}, ReplyTo: &loaders.PostWant{},
		})
		if !errors.Is(err, away) {
			t.Errorf("without %s hydration returns %v", kind, err)
		}
	}
}

func TestPages_SucceedWithoutTheirAuthors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lost := errors.New("no authors today")
		l := failing(t, "users", lost)
		var wg sync.WaitGroup
		for id, want := range map[feed.PostID]*loaders.PostWant{1: {Author: &loaders.UserWant{}}, 3: nil} {
			wg.Go(func() {
				page, _, err := l.Page(t.Context(), feed.PageRequest{Ref: feed.CommentsRef(id)}, want, false, false)
				if err != nil || len(page.Entries) != 1 {
					t.Errorf("page %d: %+v, %v", id, page, err)
				}
			})
		}
		wg.Wait()
		if _, err := l.User(t.Context(), 1); !errors.Is(err, lost) {
			t.Errorf("the author of a post: got the error %v, want %v", err, lost)
		}
	})
}
