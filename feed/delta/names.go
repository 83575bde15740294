package delta

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

var errReset = errors.New("the changes name too many posts")

// name is a post that may have changed, and how.
type name struct {
	id feed.PostID
	// author must be a source to be reported; 0 if the relation to the author has changed.
	author feed.UserID
	// added: more than the content may have changed. removed: the viewer may have seen the post
	// before. The arrival of a post that is hidden by now says nothing of that.
	added, removed bool
	// next is where a page ends that has this post and not the next one; zero for the last.
	next cut
}

// names collects the posts that rows of the log name, in the order in which they are first named.
type names struct {
	d      *Reader
	state  feed.ViewerState
	viewer feed.UserID
	kinds  feed.Kinds
	above  feed.Key
	// size is the most names of the page. Further ones are only counted.
	size int
	list []name
	at   map[feed.PostID]int
	// full: there are names beyond the page, which ends at cut.
	full bool
	cut  cut
	// reposts are those of the viewer's sources above the key, read once.
	reposts *reposts
}

// cut is where a page ends: after the row with the number, and within the next row above a key if
// below is not zero.
type cut struct {
	number int64
	below  feed.Key
}

// from returns the token of the cut for the feed of another token.
func (c cut) from(token feed.SyncToken) feed.SyncToken {
	token.Place.Number, token.Below = c.number, c.below
	return token
}

// add adds what a row names, in part: only what is below a key.
func (n *names) add(ctx context.Context, row feed.Change, below feed.Key) error {
	switch row.Kind {
	case feed.ChangeReset:
		return errReset
	case feed.ChangePublished:
		return n.name(name{id: row.Post, author: row.User, added: true}, cut{number: row.Number - 1})
	case feed.ChangeArrived, feed.ChangePushed:
		author := cmp.Or(row.Other, row.User)
		// Viewers see their own posts as soon as they are published.
		if author == n.viewer {
			return nil
		}
		return n.name(name{id: row.Post, author: author, added: true}, cut{number: row.Number - 1})
	case feed.ChangeEdited:
		return n.name(name{id: row.Post, author: row.User}, cut{number: row.Number - 1})
	case feed.ChangeDeleted:
		return n.name(name{id: row.Post, author: row.User, added: true, removed: true}, cut{number: row.Number - 1})
	case feed.ChangeRelation:
		return n.addRelated(ctx, row.Other, 0, row.Number, below)
	case feed.ChangeAccount:
		return n.addRelated(ctx, row.User, row.User, row.Number, below)
	case feed.ChangeProfile, feed.ChangeRevoked:
	default:
		// Processes of a later version may log other kinds.
		if row.User == n.viewer && row.Post != 0 {
			return n.name(name{id: row.Post, author: row.Other, added: true}, cut{number: row.Number - 1})
		}
	}
	return nil
}

// addRelated adds the posts below a key that a changed relation to a user names, newest first.
// author is as in [name].
func (n *names) addRelated(ctx context.Context, other, author feed.UserID, number int64, below feed.Key) error {
	keys, err := n.postsOf(ctx, other, below)
	if err != nil {
		return err
	}
	if len(keys) > n.d.Policy.SyncMax {
		return errReset
	}
	authors := make(map[feed.Key]feed.UserID, len(keys))
	for _, k := range keys {
		authors[k] = author
	}
	if n.kinds.Has(feed.KindRepost) {
		if n.reposts == nil {
			if n.reposts, err = n.readReposts(ctx); err != nil {
				return err
			}
		}
		for _, r := range n.reposts.of[other] {
			if _, listed := authors[r.key]; !listed && below.Newer(r.key) {
				authors[r.key] = r.author
				keys = append(keys, r.key)
			}
		}
		slices.SortFunc(keys, func(a, b feed.Key) int { return b.Compare(a) })
	}
	end := cut{number: number - 1, below: below}
	if below == feed.Top {
		end.below = feed.Key{}
	}
	for _, k := range keys {
		if err := n.name(name{id: feed.PostID(k.ID), author: authors[k], added: true, removed: true}, end); err != nil {
			return err
		}
		end.below = k
	}
	return nil
}

// postsOf returns the keys of a user's posts. It returns none if the viewer has never followed the
// user, because then none was in the feed: a block by a stranger reveals no ids.
func (n *names) postsOf(ctx context.Context, other feed.UserID, below feed.Key) ([]feed.Key, error) {
	if other != n.viewer {
		edges, err := n.state.Edges(ctx, []feed.UserID{other})
		if err != nil {
			return nil, err
		}
		if !edges[0].Follows {
			ended, err := n.d.Coverage.Unfollowed(ctx, n.viewer, 0)
			if err != nil || !slices.Contains(ended, other) {
				return nil, err
			}
		}
	}
	return n.d.Log.PostsOf(ctx, other, feed.Range{Above: n.above, Below: below, Limit: n.d.Policy.SyncMax + 1, Kinds: n.kinds})
}

// name adds a post. If the page is full, it ends at end.
func (n *names) name(post name, end cut) error {
	if i, named := n.at[post.id]; named {
		// What follows the end of a full page is reported by the next one.
		if !n.full {
			before := &n.list[i]
			before.added, before.removed = before.added || post.added, before.removed || post.removed
			if post.author == 0 {
				before.author = 0
			}
		}
		return nil
	}
	if len(n.at) == n.d.Policy.SyncMax {
		return errReset
	}
	n.at[post.id] = len(n.at)
	if len(n.at)-1 == len(n.list) && len(n.list) > 0 {
		n.list[len(n.list)-1].next = end
	}
	if len(n.at) <= n.size {
		n.list = append(n.list, post)
		return nil
	}
	if !n.full {
		n.full, n.cut = true, end
	}
	return nil
}

// judge returns the changes of a page since a token as they are now. end is the token of the page.
func (n *names) judge(ctx context.Context, since, end feed.SyncToken) ([]feed.HomeChange, error) {
	reported, err := n.bySources(ctx)
	if err != nil {
		return nil, err
	}
	shown, err := feed.Judge(ctx, n.viewer, n.state, idsOf(reported), feed.ScopeHome)
	if err != nil {
		return nil, err
	}
	gone, err := n.removed(ctx, reported, shown)
	if err != nil {
		return nil, err
	}
	var list []feed.HomeChange
	for i, p := range reported {
		before := len(list)
		switch {
		case shown[i] == nil && gone[p.id] != nil:
			list = append(list, feed.HomeChange{Kind: feed.HomeRemoved, ID: p.id, PublicID: gone[p.id].PublicID()})
		case shown[i] == nil || !n.wants(shown[i]):
		case p.added:
			list = append(list, shownAs(feed.HomeAdded, shown[i]))
		default:
			list = append(list, shownAs(feed.HomeChanged, shown[i]))
		}
		if len(list) > before {
			list[before].Token = end
			if p.next != (cut{}) {
				list[before].Token = p.next.from(since)
			}
		}
	}
	return list, nil
}

// removed returns the posts that are not shown and that the viewer may have seen before.
func (n *names) removed(ctx context.Context, list []name, shown []*feed.Post) (map[feed.PostID]*feed.Post, error) {
	gone := map[feed.PostID]*feed.Post{}
	var ids []feed.PostID
	for i, p := range list {
		if p.removed && shown[i] == nil {
			ids = append(ids, p.id)
		}
	}
	if len(ids) == 0 {
		return gone, nil
	}
	stored, err := n.state.Posts(ctx, ids)
	for i, p := range stored {
		// A post that is not stored was never shown.
		if p != nil && n.wants(p) {
			gone[ids[i]] = p
		}
	}
	return gone, err
}

func (n *names) wants(p *feed.Post) bool { return n.kinds.Has(p.Kind) && p.Key().Newer(n.above) }

func idsOf(list []name) []feed.PostID {
	ids := make([]feed.PostID, len(list))
	for i, p := range list {
		ids[i] = p.id
	}
	return ids
}

func shownAs(kind feed.HomeChangeKind, p *feed.Post) feed.HomeChange {
	return feed.HomeChange{Kind: kind, ID: p.ID, PublicID: p.PublicID(), Entry: feed.Entry{Cursor: feed.HomeCursor(p), Post: p}}
}

// bySources leaves out the posts of authors who are no sources, unless that has changed: muted
// authors and those who hide from the viewer reveal nothing.
func (n *names) bySources(ctx context.Context) ([]name, error) {
	hidden := map[feed.UserID]bool{}
	var authors []feed.UserID
	for _, p := range n.list {
		if _, listed := hidden[p.author]; !listed && p.author != 0 && p.author != n.viewer {
			hidden[p.author] = false
			authors = append(authors, p.author)
		}
	}
	if len(authors) > 0 {
		edges, err := n.state.Edges(ctx, authors)
		if err != nil {
			return nil, err
		}
		for i, e := range edges {
			hidden[authors[i]] = e.Mutes || !e.Visible()
		}
	}
	return slices.DeleteFunc(n.list, func(p name) bool { return hidden[p.author] }), nil
}
