package harness

import (
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Stance is what a client knows of whether the posts of an author belong in a viewer's feed.
type Stance byte

// What a client knows.
const (
	Hidden  Stance = iota // they do not
	Shown                 // they do
	Unknown               // a change of it was not acknowledged
)

// Sight is a page that a client has read, and what it knew then.
type Sight struct {
	Viewer feed.UserID
	// Began is when the page was asked for.
	Began time.Time
	// IDs are the posts on the page.
	IDs []string
	// End says that the feed has no more.
	End bool
	// Stances are those of the viewer by user.
	Stances []Stance
	// Own are the viewer's newest posts that were acknowledged and that nobody tried to
	// delete, Gone those on the page whose deletion was acknowledged.
	Own, Gone []string
}

// sight returns what a client saw. A client does one thing at a time, so it knows the same
// as when the read began.
func (c *client) sight(as feed.UserID, began time.Time, ids []string, end bool) Sight {
	s := Sight{Viewer: as, Began: began, IDs: ids, End: end, Stances: make([]Stance, c.load.users+1)}
	for user := range s.Stances {
		s.Stances[user] = c.stance(as, feed.UserID(user))
	}
	own := c.live[as]
	s.Own = slices.Clone(own[max(0, len(own)-5):])
	for _, id := range ids {
		if c.gone[id] {
			s.Gone = append(s.Gone, id)
		}
	}
	return s
}

func (c *client) stance(as, user feed.UserID) Stance {
	follows, followKnown := c.knows(Relation{"follow", as, user})
	mutes, muteKnown := c.knows(Relation{"mute", as, user})
	switch {
	case as == user:
		return Shown
	case followKnown && !follows, muteKnown && mutes:
		return Hidden
	case followKnown && muteKnown:
		return Shown
	}
	return Unknown
}

// knows returns whether a relation is there, and false when that is not known.
func (c *client) knows(r Relation) (is, known bool) {
	if is, known = c.edges[r]; known || c.touched[r] {
		return is, known
	}
	return r.kind == "follow" && c.load.watcher.Follows(r.from, r.to), true
}
