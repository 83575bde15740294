package loaders

import (
	"context"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/slots"
)

// SlotSource places slots; [upstream.SlotPlacer] does.
type SlotSource interface {
	// Place returns slots that the page may show. It returns soon after the end of ctx.
	Place(ctx context.Context, page slots.Page) feed.Fetched[[]slots.Slot]
}

// Placing is the call of the slot source for a page.
type Placing struct {
	posts  []*feed.Post
	page   slots.Page
	call   sync.WaitGroup
	answer feed.Fetched[[]slots.Slot]
}

// Place begins to ask for the slots of a page of posts, unless it can have none.
func (l *Loaders) Place(ctx context.Context, ref feed.FeedRef, posts []*feed.Post) *Placing {
	up := &l.deps.Upstreams
	p := &Placing{posts: posts, page: slots.Page{Feed: slots.FeedName(ref), Gap: up.SlotsGap}}
	if up.Slots != nil && p.page.Feed != "" && slots.Fits(len(posts), up.SlotsGap) {
		p.call.Go(func() { p.answer = l.placed(ctx, p) })
	}
	return p
}

// placed asks for slots. A failure to describe the page costs the slots alone.
func (l *Loaders) placed(ctx context.Context, p *Placing) feed.Fetched[[]slots.Slot] {
	answers, err := l.slots.read(ctx, []*Placing{p})
	if err == nil {
		return answers[0]
	}
	if ctx.Err() == nil {
		l.deps.Log.ErrorContext(ctx, "cannot ask for the slots of a page", "error", err)
	}
	return feed.Fetched[[]slots.Slot]{Problem: feed.UpstreamUnavailable}
}

func readSlots(ctx context.Context, of *Loaders, pages []*Placing) ([]feed.Fetched[[]slots.Slot], error) {
	up := &of.deps.Upstreams
	ctx, cancel := of.budget.within(ctx, up.Budget)
	defer cancel()
	out := make([]feed.Fetched[[]slots.Slot], len(pages))
	for i, p := range pages {
		if err := of.describe(ctx, p); err != nil {
			return nil, err
		}
		out[i] = up.Slots.Place(ctx, p.page)
	}
	return out, nil
}

// describe sets the viewer and the entries of a page. What the anonymous viewer may not see has no ids.
func (l *Loaders) describe(ctx context.Context, p *Placing) error {
	ids, users := make([]feed.PostID, len(p.posts)), make([]feed.UserID, len(p.posts))
	for i, post := range p.posts {
		ids[i], users[i] = post.ID, post.Author
	}
	shown := p.posts
	if l.viewer != 0 {
		users = append(users, l.viewer)
		var err error
		if shown, err = l.deps.Posts.Posts(ctx, 0, ids); err != nil {
			return err
		}
	}
	public, err := feed.Named{Users: users}.Read(ctx, l.deps.IDs)
	if err != nil {
		return err
	}
	if l.viewer != 0 {
		p.page.Viewer = public.User(l.viewer).Text()
	}
	p.page.Entries = make([]slots.Entry, len(p.posts))
	for i, post := range p.posts {
		p.page.Entries[i].Kind = post.Kind
		if shown[i] != nil {
			p.page.Entries[i].ID, p.page.Entries[i].Author = feed.PublicID(post.PublicID()).Text(), public.User(post.Author).Text()
		}
	}
	return nil
}

// On waits for the call, and returns the slots on the final page. A slot whose entry is not there is left
// out.
func (p *Placing) On(page []*feed.Post) feed.Fetched[[]slots.Slot] {
	p.call.Wait()
	after := make(map[feed.PostID]int, len(page))
	for i, post := range page {
		after[post.ID] = i + 1
	}
	var left []slots.Slot
	for _, s := range p.answer.Value {
		if s.After = after[p.posts[s.After-1].ID]; s.After > 0 {
			left = append(left, s)
		}
	}
	return feed.Fetched[[]slots.Slot]{Value: slots.Spaced(left, len(page), p.page.Gap), Problem: p.answer.Problem}
}
