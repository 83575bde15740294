package feedtest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

func (m *history) follow(t *rapid.T) {
	viewer, author := twoOf(t, m.users)
	edges, asked := must(m.s.Relations.Edges(m.ctx, viewer, []feed.UserID{author})), m.hasAsked(viewer, author)
	choice := drawnChoice(t)
	_, err := m.s.Follower.Follow(m.ctx, viewer, author, choice)
	if !m.allowed(t, err) {
		return
	}
	before := feed.FollowOptions(0)
	if edges[0].Follows || asked {
		before = m.facts.options[pair{viewer, author}]
	}
	m.facts.options[pair{viewer, author}] = choice.Of(before)
	if edges[0].Follows {
		return
	}
	if edges = must(m.s.Relations.Edges(m.ctx, viewer, []feed.UserID{author})); !edges[0].Follows {
		return // it is a request
	}
	m.facts.follows[pair{viewer, author}] = true
	for _, c := range m.posts {
		if c.author == author {
			m.required[viewer][c.key] = requiredByFollow
		}
	}
}

func (m *history) hasAsked(viewer, author feed.UserID) bool {
	return slices.ContainsFunc(must(m.s.Requests.SentFollowRequests(m.ctx, viewer, all())), func(k feed.Key) bool { return k.ID == int64(author) })
}

// updateFollow changes options of a follow or of a request.
func (m *history) updateFollow(t *rapid.T) {
	viewer, author := twoOf(t, m.users)
	choice := drawnChoice(t)
	_, err := m.s.Follower.Update(m.ctx, viewer, author, choice)
	if m.allowed(t, err) {
		m.facts.options[pair{viewer, author}] = choice.Of(m.facts.options[pair{viewer, author}])
	}
}

// drawnChoice draws options of a follow.
func drawnChoice(t *rapid.T) (c feed.FollowChoice) {
	for _, o := range feed.FollowOptionNames() {
		c.Choose(o.Option, drawn(t, o.Name, []*bool{nil, nil, new(true), new(false)}))
	}
	return c
}

func (m *history) unfollow(t *rapid.T) {
	viewer, author := twoOf(t, m.users)
	_, err := m.s.Follower.Unfollow(m.ctx, viewer, author)
	if m.allowed(t, err) {
		m.facts.follows[pair{viewer, author}] = false
	}
}

// makeList makes a list of some users, perhaps with its owner.
func (m *history) makeList(t *rapid.T) {
	list := &feed.AuthorList{ID: feed.ListID(m.firstID), Owner: m.users[0], Name: "list", CreatedAt: 1}
	check(m.s.Backend.AuthorLists.CreateList(m.ctx, list))
	members := slices.DeleteFunc(slices.Clone(m.users), func(feed.UserID) bool { return rapid.IntRange(0, 2).Draw(t, "listed, unless zero") == 0 })
	must(m.s.Backend.AuthorLists.AddMembers(m.ctx, list.Owner, list.ID, members, 1))
	m.listed = feed.MembersOf(list.ID)
}

// exclusiveList is a list of some user that is exclusive, unless it is turned off.
type exclusiveList struct {
	id      feed.ListID
	off     bool
	members map[feed.UserID]bool
}

// has reports whether an author is a member, and the list exclusive. There may be no list.
func (l *exclusiveList) has(author feed.UserID) bool { return l != nil && !l.off && l.members[author] }

// changeExclusive changes an exclusive list: perhaps one that is new.
func (m *history) changeExclusive(t *rapid.T) {
	owner, author := twoOf(t, m.users)
	lists, list := m.s.Backend.AuthorLists, m.facts.exclusive[owner]
	if list == nil {
		m.lists++
		list = &exclusiveList{id: feed.ListID(m.firstID) + m.lists, members: map[feed.UserID]bool{}}
		err := lists.CreateList(m.ctx, &feed.AuthorList{ID: list.id, Owner: owner, Name: "exclusive", Exclusive: true, CreatedAt: 2})
		if !m.allowed(t, err) {
			return
		}
		m.facts.exclusive[owner] = list
	}
	switch drawn(t, "change of a list", []string{"add", "add", "remove", "turn", "delete"}) {
	case "add":
		if _, err := lists.AddMembers(m.ctx, owner, list.id, []feed.UserID{author, owner}, 2); m.allowed(t, err) {
			list.members[author] = true
		}
	case "remove":
		must(lists.RemoveMembers(m.ctx, owner, list.id, []feed.UserID{author}))
		delete(list.members, author)
	case "turn":
		must(lists.UpdateList(m.ctx, owner, list.id, feed.ListChange{Exclusive: &list.off}))
		list.off = !list.off
	case "delete":
		check(lists.DeleteList(m.ctx, owner, list.id))
		delete(m.facts.exclusive, owner)
	}
}
