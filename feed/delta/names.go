package delta

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// names collects the posts that rows of the log name, in the order in which they are first named.
type names struct {
	nameList
	d      *Reader
	state  feed.ViewerState
	viewer feed.UserID
	since  feed.SyncToken
	filter feed.Filter
	above  feed.Key
	// reposts are those of the viewer's sources above the key, read once.
	reposts *reposts
	// seen has what [feed.EverSeen] has returned.
	seen map[feed.PostID]bool
}

// add adds what a row names, in part: only what is below a key.
func (n *names) add(ctx context.Context, row feed.Change, below feed.Key) error {
	switch row.Kind {
	case feed.ChangeReset, feed.ChangeListed:
		return errReset
	case feed.ChangePublished:
		return n.name(name{id: row.Post, author: row.User, added: true}, before(row))
	case feed.ChangeArrived, feed.ChangePushed:
		author := cmp.Or(row.Other, row.User)
		// Viewers see their own posts as soon as they are published.
		if author == n.viewer {
			return nil
		}
		return n.name(name{id: row.Post, author: author, added: true}, before(row))
	case feed.ChangeEdited:
		return n.name(name{id: row.Post, author: row.User, edited: n.filter != n.filter.Fixed()}, before(row))
	case feed.ChangeNarrowed, feed.ChangeWidened:
		return n.addJudgedAgain(ctx, row)
	case feed.ChangeTakenDown:
		others := row.User != n.viewer
		return n.name(name{id: row.Post, author: row.User, added: others, removed: others && row.Hides()}, before(row))
	case feed.ChangeDeleted:
		return n.name(name{id: row.Post, author: row.User, added: true, removed: true}, before(row))
	case feed.ChangeRelation:
		return n.addRelated(ctx, row.Other, 0, row.Number, below)
	case feed.ChangeOptions:
		return n.addChosen(ctx, row, below)
	case feed.ChangeSuspended:
		if row.User == n.viewer {
			return nil // they see what they saw
		}
		return n.addRelated(ctx, row.User, row.User, row.Number, below)
	case feed.ChangeAccount:
		return n.addRelated(ctx, row.User, row.User, row.Number, below)
	case feed.ChangeProfile, feed.ChangeRevoked, feed.ChangeScheduled, feed.ChangeSession:
	default:
		// Processes of a later version may log other kinds.
		if row.User == n.viewer && row.Post != 0 {
			return n.name(name{id: row.Post, author: row.Other, added: true}, before(row))
		}
	}
	return nil
}

// addJudgedAgain adds the post of a row that says that it is for other users. Followers of the account that
// the row names see no difference.
func (n *names) addJudgedAgain(ctx context.Context, row feed.Change) error {
	if row.Other == n.viewer {
		return nil
	}
	edges, err := n.state.Edges(ctx, []feed.UserID{row.Other})
	if err != nil || edges[0].Follows {
		return err
	}
	return n.name(name{id: row.Post, author: row.User, added: true, removed: row.Hides()}, before(row))
}

// addRelated adds the posts below a key that a changed relation to a user names, newest first.
// author is as in [name].
func (n *names) addRelated(ctx context.Context, other, author feed.UserID, number int64, below feed.Key) error {
	var keys []feed.Key
	known, err := everFollowed(ctx, n.d.Coverage, n.viewer, n.state, other)
	if err == nil && known {
		keys, err = n.listed(ctx, other, below, n.filter.Fixed(), n.d.Log.PostsOf)
	}
	if err != nil {
		return err
	}
	further, ofAudience, err := n.repostsOf(ctx, other, below)
	if err == nil && known && author == 0 {
		var inThreads []repost
		inThreads, err = n.audienceOf(ctx, other, below)
		further = slices.Concat(further, ofAudience, inThreads)
	}
	if err != nil {
		return err
	}
	authors := make(map[feed.Key]feed.UserID, len(keys))
	for _, k := range keys {
		authors[k] = author
	}
	for _, r := range further {
		if _, listed := authors[r.key]; !listed {
			authors[r.key] = r.author
			keys = append(keys, r.key)
		}
	}
	slices.SortFunc(keys, func(a, b feed.Key) int { return b.Compare(a) })
	return n.nameAll(ctx, keys, authors, within(number, below))
}

// addChosen adds the posts below a key that a changed option of a follow shows or hides, newest first. Whether
// a follow is special matters to the special feed only, which then has or lacks all posts of the author.
func (n *names) addChosen(ctx context.Context, row feed.Change, below feed.Key) error {
	changed, filter := feed.FollowOptions(row.Post), n.filter.Fixed()
	if n.since.Of != feed.SpecialAuthors || !changed.Has(feed.FollowSpecial) {
		if filter = filter.Only(changed.Hides); len(filter.Kinds()) == 0 {
			return nil
		}
	}
	keys, err := n.listed(ctx, row.Other, below, filter, n.d.Log.PostsOf)
	if err != nil {
		return err
	}
	return n.nameAll(ctx, keys, nil, within(row.Number, below))
}

// repostsOf returns the reposts by sources below a key of originals by a user, and of those for their audience.
func (n *names) repostsOf(ctx context.Context, user feed.UserID, below feed.Key) (by, to []repost, err error) {
	if !n.filter.Has(feed.KindRepost) {
		return nil, nil, nil
	}
	if n.reposts == nil {
		if n.reposts, err = n.readReposts(ctx); err != nil {
			return nil, nil, err
		}
	}
	isAbove := func(r repost) bool { return !below.Newer(r.key) }
	return slices.DeleteFunc(slices.Clone(n.reposts.by[user]), isAbove), slices.DeleteFunc(slices.Clone(n.reposts.to[user]), isAbove), nil
}

// listed returns what list has of a user between the oldest key of the request and another one. It returns
// errReset for more than SyncMax posts. Clients may hold posts that have left the filter since.
func (n *names) listed(
	ctx context.Context, user feed.UserID, below feed.Key, filter feed.Filter, list func(context.Context, feed.UserID, feed.Range) ([]feed.Key, error),
) ([]feed.Key, error) {
	keys, err := list(ctx, user, feed.Range{Above: n.above, Below: below, Limit: n.d.Policy.SyncMax + 1, Filter: filter})
	if err == nil && len(keys) > n.d.Policy.SyncMax {
		err = errReset
	}
	return keys, err
}

// audienceOf returns the comments and reposts by sources whose audience author is a user.
func (n *names) audienceOf(ctx context.Context, user feed.UserID, below feed.Key) (found []repost, err error) {
	keys, err := n.listed(ctx, user, below, n.filter.Fixed(), n.d.Audiences.PostsFor)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	posts, err := n.state.Posts(ctx, postIDs(keys))
	if err != nil {
		return nil, err
	}
	for _, p := range posts {
		if p != nil {
			found = append(found, repost{p.Key(), p.Author})
		}
	}
	return n.bySource(ctx, found)
}

// bySource leaves out posts by users that the viewer does not follow.
func (n *names) bySource(ctx context.Context, list []repost) ([]repost, error) {
	authors := make([]feed.UserID, len(list))
	for i, r := range list {
		authors[i] = r.author
	}
	edges, err := n.state.Edges(ctx, authors)
	if err != nil {
		return nil, err
	}
	var kept []repost
	for i, r := range list {
		if edges[i].Follows || r.author == n.viewer {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

// nameAll adds posts that a changed relation names, newest first. end is where a page ends before the
// first.
func (n *names) nameAll(ctx context.Context, keys []feed.Key, authors map[feed.Key]feed.UserID, end cut) error {
	for chunk := range slices.Chunk(keys, n.size+1) {
		if err := n.lookAt(ctx, chunk); err != nil {
			return err
		}
		for _, k := range chunk {
			// An unseen post must not end a page, because its token has the key of the last post.
			id := feed.PostID(k.ID)
			if seen, known := n.seen[id]; known && !seen {
				continue
			}
			if err := n.name(name{id: id, author: authors[k], added: true, removed: true}, end); err != nil {
				return err
			}
			end.below = k
		}
	}
	return nil
}

// lookAt fills seen for posts that may get into the page.
func (n *names) lookAt(ctx context.Context, keys []feed.Key) error {
	if n.full {
		return nil
	}
	return n.look(ctx, postIDs(keys))
}

// look fills seen for posts.
func (n *names) look(ctx context.Context, ids []feed.PostID) error {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id feed.PostID) bool { _, known := n.seen[id]; return known })
	seen, err := feed.EverSeen(ctx, n.since, n.state, n.d.Log, ids)
	for i := range seen {
		n.seen[ids[i]] = seen[i]
	}
	return err
}

// judge returns the changes of a page since a token as they are now. end is the token of the page.
func (n *names) judge(ctx context.Context, since, end feed.SyncToken) ([]feed.HomeChange, error) {
	reported, err := n.bySources(ctx, n.viewer, n.state, n.since.Of)
	if err != nil {
		return nil, err
	}
	shown, err := feed.Judge(ctx, n.viewer, n.state, idsOf(reported), n.since.Of.Scope())
	if err != nil {
		return nil, err
	}
	gone, err := n.removed(ctx, reported, shown)
	if err != nil {
		return nil, err
	}
	var list []feed.HomeChange
	for i, p := range reported {
		if c := n.change(p, shown[i], gone[p.id]); c != nil {
			c.Token = end
			if p.next != (cut{}) {
				c.Token = p.next.from(since)
			}
			list = append(list, *c)
		}
	}
	return list, nil
}

// change returns the change that reports a post; nil for none. shown is the post if the viewer may see it,
// gone if they no longer may. The filter may refuse what is shown.
func (n *names) change(p name, shown, gone *feed.Post) *feed.HomeChange {
	switch {
	case shown == nil && gone == nil, shown != nil && !shown.Key().Newer(n.above):
		return nil
	case shown == nil:
		return &feed.HomeChange{Kind: feed.HomeRemoved, ID: p.id, PublicID: gone.PublicID()}
	case n.filter.Match(shown) && (p.added || p.edited):
		return shownAs(feed.HomeAdded, shown)
	case n.filter.Match(shown):
		return shownAs(feed.HomeChanged, shown)
	case p.edited:
		return &feed.HomeChange{Kind: feed.HomeRemoved, ID: p.id, PublicID: shown.PublicID()}
	}
	return nil
}

// removed returns the posts that have left the feed, or have arrived as reposts that are not shown, if the
// viewer has been able to see them. An original that goes before a repost arrives has no row for the repost.
func (n *names) removed(ctx context.Context, list []name, shown []*feed.Post) (map[feed.PostID]*feed.Post, error) {
	gone := map[feed.PostID]*feed.Post{}
	var hidden []name
	for i, p := range list {
		if shown[i] == nil && (p.removed || p.added) {
			hidden = append(hidden, p)
		}
	}
	if len(hidden) == 0 {
		return gone, nil
	}
	stored, err := n.state.Posts(ctx, idsOf(hidden))
	if err != nil {
		return nil, err
	}
	for i, p := range stored {
		// A post that is not stored was never shown. A deletion empties what an edit can change.
		if p == nil || !n.filter.Fixed().Match(p) || !p.Key().Newer(n.above) || !hidden[i].removed && p.RepostOf == 0 {
			continue
		}
		edges, err := n.state.Edges(ctx, []feed.UserID{p.Author})
		if err != nil {
			return nil, err
		}
		if hidden[i].author == 0 || !edges[0].Options.Hides(p.Kind) {
			gone[p.ID] = p
		}
	}
	err = n.look(ctx, slices.Collect(maps.Keys(gone)))
	maps.DeleteFunc(gone, func(id feed.PostID, _ *feed.Post) bool { return !n.seen[id] })
	return gone, err
}

func postIDs(keys []feed.Key) []feed.PostID {
	ids := make([]feed.PostID, len(keys))
	for i, k := range keys {
		ids[i] = feed.PostID(k.ID)
	}
	return ids
}

func idsOf(list []name) []feed.PostID {
	ids := make([]feed.PostID, len(list))
	for i, p := range list {
		ids[i] = p.id
	}
	return ids
}

func shownAs(kind feed.HomeChangeKind, p *feed.Post) *feed.HomeChange {
	return &feed.HomeChange{Kind: kind, ID: p.ID, PublicID: p.PublicID(), Entry: feed.Entry{Cursor: feed.HomeCursor(p), Post: p}}
}
