package feedtest

import (
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// inboxModel implements the port's comments from the keys offered since the build began, by pushes
// or by the build. The floor is the newest of these keys beyond the cap, or the build's floor if
// that is higher. The entries are the keys above the floor. An amendment may drop keys, so it
// starts over with the remaining keys above the floor.
type inboxModel struct {
	cap     int
	viewers map[feed.UserID]*modelInbox
}

type modelInbox struct {
	header    feed.Inbox
	startedAt int64
	// lowest is the lower bound of the floor.
	lowest  feed.Key
	offered map[feed.Key]bool
}

func (m *inboxModel) push(viewers []feed.UserID, k feed.Key) {
	for _, viewer := range viewers {
		if in := m.viewers[viewer]; in != nil {
			in.offered[k] = true
		}
	}
}

func (m *inboxModel) begin(viewer feed.UserID, b feed.BuildHeader, staleBefore int64) bool {
	old := m.viewers[viewer]
	if old != nil && old.header.State == feed.InboxBuilding && old.startedAt > staleBefore {
		return false
	}
	m.viewers[viewer] = &modelInbox{
		header:    feed.Inbox{State: feed.InboxBuilding, Token: b.Token, Generation: b.Generation},
		startedAt: b.StartedAt,
		offered:   map[feed.Key]bool{},
	}
	return true
}

func (m *inboxModel) finish(viewer feed.UserID, token string, b feed.Build) bool {
	in := m.viewers[viewer]
	if in == nil || in.header.State != feed.InboxBuilding || in.header.Token != token {
		return false
	}
	in.header.State, in.header.Version, in.header.WarmUntil = feed.InboxReady, b.Version, b.WarmUntil
	in.lowest = b.Floor
	for _, k := range b.Keys {
		in.offered[k] = true
	}
	return true
}

func (m *inboxModel) amend(viewer feed.UserID, a feed.Amendment) bool {
	in := m.viewers[viewer]
	if in == nil || in.header.State != feed.InboxReady || in.header.Token != a.Token || in.header.Version != a.Version {
		return false
	}
	floor, entries := in.entries(m.cap)
	in.lowest, in.offered = feed.Newest(floor, a.Floor), map[feed.Key]bool{}
	for _, k := range append(entries, a.Add...) {
		in.offered[k] = true
	}
	for _, k := range a.Remove {
		delete(in.offered, k)
	}
	in.header.Version = a.NewVersion
	in.header.WarmUntil = max(in.header.WarmUntil, a.WarmUntil)
	return true
}

func (m *inboxModel) trim(viewers []feed.UserID, generation int64) {
	for _, viewer := range viewers {
		if in := m.viewers[viewer]; in != nil && in.header.Generation < generation {
			delete(m.viewers, viewer)
		}
	}
}

func (m *inboxModel) read(viewer feed.UserID, r feed.Range) feed.Inbox {
	in := m.viewers[viewer]
	if in == nil {
		return feed.Inbox{}
	}
	read := in.header
	var entries []feed.Key
	read.Floor, entries = in.entries(m.cap)
	read.Count = len(entries)
	read.Keys = keysWithin(entries, r)
	return read
}

// entries returns the floor and the entries, newest first.
func (in *modelInbox) entries(cap int) (feed.Key, []feed.Key) {
	floor := in.lowest
	offered := slices.SortedFunc(maps.Keys(in.offered), func(a, b feed.Key) int { return b.Compare(a) })
	if len(offered) > cap {
		floor = feed.Newest(floor, offered[cap])
	}
	return floor, slices.DeleteFunc(offered, func(k feed.Key) bool { return !k.Newer(floor) })
}
