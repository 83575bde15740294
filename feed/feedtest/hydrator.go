package feedtest

import (
	"context"
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Hydrator checks the promises of [feed.Hydrator].
func Hydrator(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"contents come with their counters, in the order of the ids, nil where none is stored", hydratedInOrder},
		{"authors come in the order of those asked for, nil where none is stored", hydratedAuthors},
		{"no ids, no contents and no authors", hydratedNothing},
		{"a deleted content is returned with its time of deletion", hydratedDeleted},
		{"of those who read at once each is given his own", hydratedAtOnce},
		{"a context that is over is an error", hydratedOver},
	})
}

func (w *world) hydrated(ids []feed.ContentID, authors ...feed.UserID) feed.Hydrated {
	w.t.Helper()
	h, err := w.Hydrator.Hydrated(w.ctx, ids, authors)
	w.must(err)
	return h
}

func hydratedInOrder(w *world) {
	w.four()
	w.post(9, ann, noon)
	w.post(10, bob, noon-1)
	w.must(w.Contents.React(w.ctx, feed.ReactionLike, bob, 9, noon))
	w.must(w.Contents.React(w.ctx, feed.ReactionFavorite, cem, 10, noon))
	nine, ten := newPost(9, ann, noon), newPost(10, bob, noon-1)
	w.same("what is found", w.hydrated([]feed.ContentID{10, 7, 9, 10}), feed.Hydrated{
		Posts:    []*feed.Post{ten, nil, nine, ten},
		Counters: []feed.PostCounters{{Favorites: 1}, {}, {Likes: 1}, {Favorites: 1}},
	})
}

func hydratedAuthors(w *world) {
	w.four()
	w.post(1, ann, noon)
	w.leave(cem)
	found := w.hydrated([]feed.ContentID{1}, dee, 12345, cem, ann, dee)
	w.same("the authors", found.Authors, []*feed.User{newUser(dee), nil, nil, newUser(ann), newUser(dee)})
	w.same("the contents", found.Posts, []*feed.Post{newPost(1, ann, noon)})
}

func hydratedNothing(w *world) {
	w.user(ann)
	found := w.hydrated(nil)
	w.same("how much is found", []int{len(found.Posts), len(found.Counters), len(found.Authors)}, []int{0, 0, 0})
	w.same("authors without contents", w.hydrated(nil, ann).Authors, []*feed.User{newUser(ann)})
}

func hydratedDeleted(w *world) {
	w.four()
	w.post(1, ann, noon)
	w.post(2, bob, noon)
	w.must(w.Contents.Delete(w.ctx, 1, noon+5))
	w.leave(bob)
	found := w.hydrated([]feed.ContentID{1, 2}, bob)
	w.same("the contents", found.Posts, w.postsOf(1, 2))
	w.same("which are deleted", []bool{found.Posts[0].DeletedAt != 0, found.Posts[1].DeletedAt != 0}, []bool{true, true})
	w.same("whose author has left", found.Authors, []*feed.User{nil})
}

func hydratedAtOnce(w *world) {
	w.four()
	authors := []feed.UserID{ann, bob, cem, dee}
	for id := range feed.ContentID(40) {
		w.post(1+id, authors[id%4], noon+int64(id))
	}
	for _, err := range together(60, func(n int) error {
		id := feed.ContentID(1 + n%40)
		author := authors[(id-1)%4]
		found, err := w.Hydrator.Hydrated(w.ctx, []feed.ContentID{id, 99}, []feed.UserID{author})
		if err == nil && (found.Posts[0] == nil || found.Posts[0].ID != id || found.Posts[1] != nil || found.Authors[0] == nil || found.Authors[0].ID != author) {
			err = fmt.Errorf("of %d by %s there is found %+v", id, author, found)
		}
		return err
	}) {
		w.must(err)
	}
}

func hydratedOver(w *world) {
	w.refuses(map[string]func(ctx context.Context) error{
		"Hydrated": func(ctx context.Context) error {
			_, err := w.Hydrator.Hydrated(ctx, []feed.ContentID{1}, []feed.UserID{ann})
			return err
		},
		"Hydrated without authors": func(ctx context.Context) error {
			_, err := w.Hydrator.Hydrated(ctx, []feed.ContentID{1}, nil)
			return err
		},
	})
}
