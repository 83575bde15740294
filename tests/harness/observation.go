package harness

import (
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Visibility is a client's knowledge of whether an author's posts belong in a viewer's feed.
type Visibility byte

// The values of [Visibility].
const (
	Hidden Visibility = iota
	Shown
	Unknown // a change was not acknowledged
)

// Observation is a page that a client read, with the client's knowledge at that time.
type Observation struct {
	Viewer feed.UserID
	// Began is the time of the request.
	Began time.Time
	IDs   []string
	// End is set on the last page of the feed.
	End bool
	// Visible is indexed by user id.
	Visible []Visibility
	// Own has the viewer's newest acknowledged posts that no client tried to delete. Gone has the
	// posts on the page with an acknowledged deletion.
	Own, Gone []string
}

// observe returns the observation of a page. A client sends one request at a time, so its knowledge
// has not changed since the read began.
func (c *client) observe(as feed.UserID, began time.Time, ids []string, end bool) Observation {
	s := Observation{Viewer: as, Began: began, IDs: ids, End: end, Visible: make([]Visibility, c.load.users+1)}
	for user := range s.Visible {
		s.Visible[user] = c.visibility(as, feed.UserID(user))
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

func (c *client) visibility(as, user feed.UserID) Visibility {
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

// knows returns whether a relation exists, and whether the client knows that.
func (c *client) knows(r Relation) (is, known bool) {
	if is, known = c.edges[r]; known || c.touched[r] {
		return is, known
	}
	return r.kind == "follow" && c.load.watcher.Follows(r.from, r.to), true
}
