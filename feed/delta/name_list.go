package delta

import (
	"context"
	"errors"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

var errReset = errors.New("the changes name too many posts")

// name is a post that may have changed, and how. Live sessions have the ids of their replays.
type name struct {
	id feed.PostID
	// author must be a source, and not hide posts of the kind, to be reported; 0 if the relation to the author,
	// or an option of the follow, has changed.
	author feed.UserID
	// added: the post may have entered the feed, not only been edited. removed: it may have left the
	// feed. edited: an edit may have moved the post into or out of the filter.
	added, removed, edited bool
	// next is where a page ends that has this post and not the next one; zero for the last.
	next cut
}

// nameList collects the posts that rows of the log name, in the order in which they are first named.
type nameList struct {
	// size is the most names of the page. Further ones are only counted, up to max.
	size, max int
	list      []name
	at        map[feed.PostID]int
	// full: there are names beyond the page, which ends at cut.
	full bool
	cut  cut
}

func newNameList(size int, p feed.Policy) nameList {
	return nameList{size: size, max: p.SyncMax, at: map[feed.PostID]int{}}
}

// cut is where a page ends: after the row with the number, and within the next row above a key if
// below is not zero.
type cut struct {
	number int64
	below  feed.Key
}

// before is a cut before a row.
func before(row feed.Change) cut { return cut{number: row.Number - 1} }

// within is a cut within a row with a number, above the key.
func within(number int64, below feed.Key) cut {
	if below == feed.Top {
		below = feed.Key{}
	}
	return cut{number: number - 1, below: below}
}

// from returns the token of the cut for the feed of another token.
func (c cut) from(token feed.SyncToken) feed.SyncToken {
	token.Place.Number, token.Below = c.number, c.below
	return token
}

// name adds a post. If the page is full, it ends at end.
func (n *nameList) name(post name, end cut) error {
	if i, named := n.at[post.id]; named {
		// What follows the end of a full page is reported by the next one.
		if !n.full {
			before := &n.list[i]
			before.added, before.removed, before.edited = before.added || post.added, before.removed || post.removed, before.edited || post.edited
			if post.author == 0 {
				before.author = 0
			}
		}
		return nil
	}
	if len(n.at) == n.max {
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

// end returns the token of a page after another token, of rows up to a place.
func (n *nameList) end(token feed.SyncToken, next feed.ChangePlace) feed.SyncToken {
	if n.full {
		return n.cut.from(token)
	}
	token.Place, token.Below = next, feed.Key{}
	return token
}

// bySources leaves out the posts of authors who are no sources, unless that has changed: muted
// authors and those who hide from the viewer reveal nothing.
func (n *nameList) bySources(ctx context.Context, viewer feed.UserID, state feed.ViewerState, of feed.Authors) ([]name, error) {
	special := of == feed.SpecialAuthors
	hidden := map[feed.UserID]bool{viewer: special}
	var authors []feed.UserID
	for _, p := range n.list {
		if _, listed := hidden[p.author]; !listed && p.author != 0 && p.author != viewer {
			hidden[p.author] = false
			authors = append(authors, p.author)
		}
	}
	if len(authors) > 0 {
		edges, err := state.Edges(ctx, authors)
		if err != nil {
			return nil, err
		}
		for i, e := range edges {
			hidden[authors[i]] = e.Mutes || !e.Visible() || special && !e.Options.Has(feed.FollowSpecial)
		}
	}
	return slices.DeleteFunc(n.list, func(p name) bool { return hidden[p.author] }), nil
}

// eachRow calls add for the rows of a scope after a token. Of the first, only what is below a key
// may remain.
func eachRow(token feed.SyncToken, rows []feed.Change, scope Scope, add func(row feed.Change, below feed.Key) error) error {
	last := lastRelations(rows)
	for _, row := range rows {
		// A later change of the relation names all posts of the user.
		if scope != Arrivals && (row.Number < last[row.User] || (row.Kind == feed.ChangeRelation || row.Kind == feed.ChangeOptions) && row.Number < last[row.Other]) {
			continue
		}
		if !scope.Has(row) {
			continue
		}
		below := feed.Top
		if row.Number == token.Place.Number+1 && token.Below != (feed.Key{}) {
			below = token.Below
		}
		if err := add(row, below); err != nil {
			return err
		}
	}
	return nil
}

// lastRelations returns the number of the last change of the relation to each other user.
func lastRelations(rows []feed.Change) map[feed.UserID]int64 {
	last := map[feed.UserID]int64{}
	for _, row := range rows {
		if row.Kind == feed.ChangeRelation {
			last[row.Other] = row.Number
		}
	}
	return last
}

// everFollowed reports whether viewer follows another user or has followed them. Of others nothing
// was in a feed: a block by a stranger reveals no ids.
func everFollowed(ctx context.Context, c feed.Coverage, viewer feed.UserID, state feed.ViewerState, other feed.UserID) (bool, error) {
	if other == viewer {
		return true, nil
	}
	edges, err := state.Edges(ctx, []feed.UserID{other})
	if err != nil || edges[0].Follows {
		return true, err
	}
	ended, err := c.Unfollowed(ctx, viewer, 0)
	return slices.Contains(ended, other), err
}

// sizeOf returns the size of a page of changes. It returns [feed.CodeBadInput] if it is out of range.
func sizeOf(first *int, p feed.Policy) (int, error) {
	if first == nil {
		return p.PageDefault, nil
	}
	if *first < 0 || *first > p.PageMax {
		return 0, feed.Errorf(feed.CodeBadInput, "first must be from 0 to %d, not %d", p.PageMax, *first)
	}
	return *first, nil
}

// placer is the part of [feed.ChangeLog] that says how far it is.
type placer interface {
	LastChange(ctx context.Context) (feed.ChangePlace, error)
}

// restart returns the token with which a reset continues.
func restart(ctx context.Context, log placer, token feed.SyncToken) (feed.SyncToken, error) {
	last, err := log.LastChange(ctx)
	token.Place, token.Below = last, feed.Key{}
	return token, err
}
