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

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// backend serves every read, and records the keys by kind.
type backend struct {
	mu    sync.Mutex
	calls map[string][][]int64
	posts map[feed.PostID]*feed.Post
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
	out := make([]*feed.Post, len(ids))
	for i, id := range ids {
		out[i] = v.posts[id]
	}
	return out, note(ctx, v.backend, "posts", ids)
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

func (b *backend) UserByHandle(context.Context, string) (*feed.User, error) { return nil, nil }

func (b *backend) EnsureUser(_ context.Context, u *feed.User) (*feed.User, error) { return u, nil }

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

// expect compares the reads so far, and forgets them.
func (b *backend) expect(t *testing.T, want map[string][][]int64) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if diff := cmp.Diff(want, b.calls); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
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

func TestLoad_ConcurrentLoadsShareARead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{}
		l := loaders.New(t.Context(), new(b.deps()), 1)
		start := time.Now()
		if err := errors.Join(together(l, 3, 1, 2)...); err != nil {
			t.Error(err)
		}
		if waited := time.Since(start); waited != time.Millisecond {
			t.Errorf("waited %s", waited)
		}
		b.expect(t, map[string][][]int64{"post counters": {{1, 2, 3}}})
		// Key 1 has been read.
		if err := errors.Join(together(l, 1, 3)...); err != nil {
			t.Error(err)
		}
		b.expect(t, nil)
	})
}

// This test runs in real time: the second load waits for a mutex, which does not count as waiting
// in a synctest bubble.
func TestLoad_ReadsAKeyOnce(t *testing.T) {
	b := &backend{}
	l := loaders.New(t.Context(), new(b.deps()), 1)
	if err := errors.Join(together(l, 3, 3, 3)...); err != nil {
		t.Error(err)
	}
	b.expect(t, map[string][][]int64{"post counters": {{3}}})
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

func TestLoad_PanicIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{fail: func(context.Context, string) error { panic("broken store") }}
		l := loaders.New(t.Context(), new(b.deps()), 1)
		err := errors.Join(together(l, 1)...)
		if err == nil || !strings.Contains(err.Error(), "broken store") || !strings.Contains(err.Error(), "loaders_test.go") {
			t.Errorf("a load returns %v, want the panic with its stack", err)
		}
		err = l.HydratePosts(t.Context(), []*feed.Post{{ID: 1}}, &loaders.PostWant{Counters: true})
		if err == nil || !strings.Contains(err.Error(), "broken store") {
			t.Errorf("hydration returns %v, want the panic", err)
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

func TestLoad_AnonymousReadsNoRelations(t *testing.T) {
	b := &backend{}
	l := loaders.New(t.Context(), new(b.deps()), 0)
	reactions, err := l.Reactions(t.Context(), 1)
	if reactions != (feed.ViewerReactions{}) || err != nil {
		t.Errorf("reactions: %v, %v", reactions, err)
	}
	edge, err := l.Edge(t.Context(), 1)
	if edge != (feed.Edge{}) || err != nil {
		t.Errorf("edge: %v, %v", edge, err)
	}
	post, err := l.Post(t.Context(), 0)
	if post != nil || err != nil {
		t.Errorf("the post without an id: %v, %v", post, err)
	}
	b.expect(t, nil)
}

func TestHydratePosts_ReadsEachKindOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hidden := feed.PostID(12)
		b := &backend{posts: map[feed.PostID]*feed.Post{
			10: {ID: 10, Author: 3, ReplyTo: 11},
			11: {ID: 11, Author: 4},
		}}
		page := []*feed.Post{
			{ID: 1, Author: 1, ReplyTo: 10}, {ID: 2, Author: 1, RepostOf: 11}, {ID: 3, Author: 2, ReplyTo: hidden},
		}
		l := loaders.New(t.Context(), new(b.deps()), 9)
		start := time.Now()
		err := l.HydratePosts(t.Context(), page, &loaders.PostWant{
			Author: &loaders.UserWant{Edge: true}, Counters: true,
			ReplyTo:  &loaders.PostWant{Author: &loaders.UserWant{Counters: true}, ReplyTo: &loaders.PostWant{Reactions: true}},
			RepostOf: &loaders.PostWant{Counters: true},
		})
		noError(t, err)
		b.expect(t, map[string][][]int64{
			"posts":         {{10, 11, 12}},
			"users":         {{1, 2, 3}},
			"edges":         {{1, 2}},
			"user counters": {{3}},
			"post counters": {{1, 2, 3, 11}},
			"reactions":     {{11}},
		})
		checkHydrated(t, l)
		b.expect(t, nil)
		if waited := time.Since(start); waited != 0 {
			t.Errorf("waited %s for a timer", waited)
		}
	})
}

// checkHydrated loads what was hydrated.
func checkHydrated(t *testing.T, l *loaders.Loaders) {
	t.Helper()
	ctx := t.Context()
	post, err := l.Post(ctx, 10)
	if err != nil || post == nil || post.ID != 10 {
		t.Errorf("the returned post: %v, %v", post, err)
	}
	hidden, err := l.Post(ctx, 12)
	if err != nil || hidden != nil {
		t.Errorf("the hidden post: %v, %v", hidden, err)
	}
	user, err := l.User(ctx, 3)
	if err != nil || user.ID != 3 {
		t.Errorf("the returned author: %v, %v", user, err)
	}
	edge, err := l.Edge(ctx, 2)
	if err != nil || !edge.Follows {
		t.Errorf("the edge: %v, %v", edge, err)
	}
	posts, err := l.PostCounters(ctx, 11)
	if err != nil || posts.Likes != 11 {
		t.Errorf("the counters of the post: %v, %v", posts, err)
	}
	users, err := l.UserCounters(ctx, 3)
	if err != nil || users.Posts != 3 {
		t.Errorf("the counters of the user: %v, %v", users, err)
	}
}

func TestHydrateUsers_ReadsWhatIsWanted(t *testing.T) {
	b := &backend{}
	l := loaders.New(t.Context(), new(b.deps()), 9)
	users := []*feed.User{{ID: 1}, {ID: 2}}
	noError(t, l.HydrateUsers(t.Context(), users, nil))
	b.expect(t, nil)
	noError(t, l.HydrateUsers(t.Context(), users, &loaders.UserWant{Counters: true, Edge: true}))
	b.expect(t, map[string][][]int64{"edges": {{1, 2}}, "user counters": {{1, 2}}})
	if u, err := l.User(t.Context(), 2); err != nil || u != users[1] {
		t.Errorf("a user of the page is read again: %v, %v", u, err)
	}
	b.expect(t, nil)
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

func TestFrom_ReturnsLoadersOfContext(t *testing.T) {
	l := loaders.New(t.Context(), new((&backend{}).deps()), 1)
	if got := loaders.From(loaders.With(t.Context(), l)); got != l {
		t.Errorf("got %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a context without loaders is not noticed")
		}
	}()
	loaders.From(t.Context())
}

func TestPages_ShareReadsAndHydration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{}
		l := loaders.New(t.Context(), new(b.deps()), 9)
		want := &loaders.PostWant{Author: &loaders.UserWant{}, Counters: true}
		first := 2
		var wg sync.WaitGroup
		for _, id := range []feed.PostID{1, 3, 5} {
			wg.Go(func() {
				page, err := l.Page(t.Context(), feed.PageRequest{Ref: feed.CommentsRef(id), Query: feed.PageQuery{First: &first}}, want, false)
				if err != nil || page.Entries[0].Post.ID != id {
					t.Errorf("page %d: %+v, %v", id, page, err)
				}
			})
		}
		wg.Wait()
		b.expect(t, map[string][][]int64{"pages": {{1, 3, 5}}, "users": {{1, 3, 5}}, "post counters": {{1, 3, 5}}})
		if _, err := l.User(t.Context(), 3); err != nil {
			t.Error(err)
		}
		b.expect(t, nil)
	})
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

func TestPage_AloneDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := loaders.New(t.Context(), new((&backend{}).deps()), 9)
		start := time.Now()
		if _, err := l.Page(t.Context(), feed.PageRequest{Ref: feed.CommentsRef(1)}, nil, true); err != nil {
			t.Error(err)
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("waited %s", waited)
		}
	})
}
