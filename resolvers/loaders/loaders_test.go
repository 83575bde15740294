package loaders_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// backend serves every read, and records the keys by kind.
type backend struct {
	mu    sync.Mutex
	calls map[string][][]int64
	// fail is called before each read, if set; it may return an error or panic.
	fail func(ctx context.Context, kind string) error
}

func (b *backend) deps() loaders.Deps {
	return loaders.Deps{Posts: visible{b}, Users: b, Counters: b, Relations: b}
}

func note[ID ~int64](ctx context.Context, b *backend, kind string, ids []ID) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	keys := make([]int64, len(ids))
	for i, id := range ids {
		keys[i] = int64(id)
	}
	slices.Sort(keys)
	if b.calls == nil {
		b.calls = map[string][][]int64{}
	}
	b.calls[kind] = append(b.calls[kind], keys)
	if b.fail != nil {
		return b.fail(ctx, kind)
	}
	return nil
}

type visible struct{ *backend }

func (v visible) Posts(ctx context.Context, _ feed.UserID, ids []feed.PostID) ([]*feed.Post, error) {
	return make([]*feed.Post, len(ids)), note(ctx, v.backend, "posts", ids)
}

// Pages returns pages of one post, whose id is that of the list's owner.
func (v visible) Pages(ctx context.Context, _ feed.UserID, requests []feed.PageRequest) ([]feed.PageResult, error) {
	out, ids := make([]feed.PageResult, len(requests)), make([]feed.PostID, len(requests))
	for i, r := range requests {
		ids[i] = r.Ref.Post
		out[i].Page = &feed.Page{Entries: []feed.Entry{{Post: &feed.Post{ID: r.Ref.Post, Author: feed.UserID(r.Ref.Post)}}}}
	}
	return out, note(ctx, v.backend, "pages", ids)
}

func (b *backend) Authors(ctx context.Context, _ feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	out := make([]*feed.User, len(ids))
	for i, id := range ids {
		out[i] = &feed.User{ID: id}
	}
	return out, note(ctx, b, "users", ids)
}

func (b *backend) PostCounters(ctx context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	out := make([]feed.PostCounters, len(ids))
	for i, id := range ids {
		out[i].Likes = int64(id)
	}
	return out, note(ctx, b, "post counters", ids)
}

func (b *backend) UserCounters(ctx context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	out := make([]feed.UserCounters, len(ids))
	for i, id := range ids {
		out[i].Posts = int64(id)
	}
	return out, note(ctx, b, "user counters", ids)
}

func (b *backend) Reactions(ctx context.Context, _ feed.UserID, ids []feed.PostID) ([]feed.ViewerReactions, error) {
	return make([]feed.ViewerReactions, len(ids)), note(ctx, b, "reactions", ids)
}

func (b *backend) Edges(ctx context.Context, _ feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	out := make([]feed.Edge, len(others))
	for i := range others {
		out[i].Follows = true
	}
	return out, note(ctx, b, "edges", others)
}

// wantEqual compares what a test got; the format says what it is.
func wantEqual[T any](t testing.TB, want, got T, format string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", fmt.Sprintf(format, args...), diff)
	}
}

// expect compares the reads so far, and forgets them.
func (b *backend) expect(t *testing.T, want map[string][][]int64) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	wantEqual(t, want, b.calls, "reads")
	b.calls = nil
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
		wantEqual(t, 0, time.Since(start), "the wait")
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
		b := &backend{fail: func(_ context.Context, read string) error {
			if read == kind {
				return away
			}
			return nil
		}}
		l := loaders.New(t.Context(), new(b.deps()), 9)
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
		b := &backend{fail: func(_ context.Context, kind string) error {
			if kind == "users" {
				return lost
			}
			return nil
		}}
		l := loaders.New(t.Context(), new(b.deps()), 9)
		var wg sync.WaitGroup
		for id, want := range map[feed.PostID]*loaders.PostWant{1: {Author: &loaders.UserWant{}}, 3: nil} {
			wg.Go(func() {
				page, err := l.Page(t.Context(), feed.PageRequest{Ref: feed.CommentsRef(id)}, want, false)
				if err != nil || len(page.Entries) != 1 {
					t.Errorf("page %d: %+v, %v", id, page, err)
				}
			})
		}
		wg.Wait()
		if _, err := l.User(t.Context(), 1); !errors.Is(err, lost) {
			t.Errorf("the author of a post: got the error %v, want %v", err, lost)
		}
		b.expect(t, map[string][][]int64{"pages": {{1, 3}}, "users": {{1}, {1}}})
	})
}
