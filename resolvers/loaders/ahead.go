package loaders

import (
	"context"
	"slices"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// Ahead reads what belongs to the contents of one page while it is still found out which of
// them the viewer may see. Make it with [Loaders.Ahead]; it is used on one goroutine.
type Ahead struct {
	loaders *Loaders
	want    *PostWant
	reads   sync.WaitGroup
}

// Ahead returns what reads ahead for a page of contents of which want is wanted.
func (l *Loaders) Ahead(want *PostWant) *Ahead { return &Ahead{loaders: l, want: want} }

// Read begins to read what [Loaders.HydratePosts] would of some contents, nil for one that is
// not stored, and does not wait for it. That the viewer is not to see one of them does not
// matter: nobody is shown what was read for it, and contents within it are judged themselves.
func (a *Ahead) Read(ctx context.Context, posts []*feed.Post) {
	if a.want == nil {
		return
	}
	stored := slices.DeleteFunc(slices.Clone(posts), func(p *feed.Post) bool { return p == nil })
	a.reads.Go(func() {
		// What cannot be read now is read again for the page, which fails if that does.
		_ = a.loaders.hydrate(ctx, stored, a.want)
	})
}

// Wait waits for all that was begun.
func (a *Ahead) Wait() { a.reads.Wait() }
