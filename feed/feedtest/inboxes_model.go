package feedtest

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"pgregory.net/rapid"

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

// inboxHistories is the number of random histories for each implementation. The flag -rapid.checks
// overrides it: scripts/soak.sh runs hundreds.
const inboxHistories = 30

func inboxModelCases(s inboxSuite) {
	s.promise("After any history, the inbox equals that of the model", 4, func(t inboxTest) {
		runs, passed, failed := feed.UserID(0), 0, false
		all := isSet("rapid.checks")
		rapid.Check(t.T, func(rt *rapid.T) {
			// The flag is global, and other suites run in parallel in this process.
			if passed == inboxHistories && !failed && !all {
				return
			}
			failed = true // unless the run comes to its end
			// Every run has its own viewers, so one store is enough.
			runs++
			h := inboxHistory{
				T: rt, test: t,
				model:   &inboxModel{cap: t.cap, viewers: map[feed.UserID]*modelInbox{}},
				viewers: []feed.UserID{runs, math.MaxInt64 - runs},
				keys:    drawKeys(rt),
			}
			rt.Repeat(map[string]func(*rapid.T){
				"push": h.push, "begin": h.begin, "finish": h.finish, "amend": h.amend,
				"remove": h.remove, "trim": h.trim, "walk": h.walk, "": h.compare,
			})
			passed++
			failed = false
		})
	})
}

// inboxHistory runs the same steps on a store and on the model.
type inboxHistory struct {
	*rapid.T
	test    inboxTest
	model   *inboxModel
	viewers []feed.UserID
	// keys are the keys of the history. There are few, so that collisions are common.
	keys []feed.Key
}

// drawKeys gives each of some awkward ids one publish time. Many times are equal.
func drawKeys(rt *rapid.T) []feed.Key {
	times := rapid.SampledFrom([]int64{0, 1, 1700000000000, 1700000000001, feed.MaxTime})
	var keys []feed.Key
	for _, id := range []int64{
		1, 9, 10, 99, 627, 1673, 10833, 19671, 1 << 53, 1<<53 + 1, 1e18 - 1, 1e18, math.MaxInt64 - 1, math.MaxInt64,
	} {
		keys = append(keys, keyAt(times.Draw(rt, fmt.Sprintf("time of %d", id)), id))
	}
	return keys
}

func (h inboxHistory) push(rt *rapid.T) {
	viewers := rapid.SliceOfDistinct(rapid.SampledFrom(h.viewers), rapid.ID).Draw(rt, "viewers")
	keys := rapid.SliceOfN(rapid.SampledFrom(h.keys), 1, 6).Draw(rt, "keys")
	size := rapid.IntRange(1, len(keys)).Draw(rt, "at once")
	for some := range slices.Chunk(keys, size) {
		for _, k := range some {
			h.model.push(viewers, k)
		}
		n, err := h.test.store.Push(h.test.Context(), viewers, some...)
		h.same(rt, "served", len(viewers), n, err)
	}
}

func (h inboxHistory) begin(rt *rapid.T) {
	viewer := rapid.SampledFrom(h.viewers).Draw(rt, "viewer")
	header := feed.BuildHeader{
		Token:      rapid.SampledFrom([]string{"one", "two"}).Draw(rt, "token"),
		Generation: rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Min(0)).Draw(rt, "generation"),
		StartedAt:  rapid.Int64Range(0, 3).Draw(rt, "started at"),
	}
	staleBefore := rapid.Int64Range(0, 3).Draw(rt, "stale before")
	want := h.model.begin(viewer, header, staleBefore)
	got, err := h.test.store.BeginBuild(h.test.Context(), viewer, header, staleBefore)
	h.same(rt, "began", want, got, err)
}

func (h inboxHistory) finish(rt *rapid.T) {
	viewer := rapid.SampledFrom(h.viewers).Draw(rt, "viewer")
	token := rapid.SampledFrom([]string{"one", "two"}).Draw(rt, "token")
	build := feed.Build{
		Keys:      rapid.SliceOf(rapid.SampledFrom(h.keys)).Draw(rt, "keys"),
		Floor:     rapid.SampledFrom(append([]feed.Key{feed.Bottom}, h.keys...)).Draw(rt, "floor"),
		Version:   rapid.Int64Min(0).Draw(rt, "version"),
		WarmUntil: drawTime(rt, "warm until"),
	}
	want := h.model.finish(viewer, token, build)
	got, err := h.test.store.FinishBuild(h.test.Context(), viewer, token, build)
	h.same(rt, "finished", want, got, err)
}

// amend draws amendments. Most match the inbox's header.
func (h inboxHistory) amend(rt *rapid.T) {
	viewer := rapid.SampledFrom(h.viewers).Draw(rt, "viewer")
	some := rapid.SliceOf(rapid.SampledFrom(h.keys))
	stored := h.model.read(viewer, wholeInbox())
	a := feed.Amendment{
		Token: stored.Token, Version: stored.Version,
		Add: some.Draw(rt, "add"), Remove: some.Draw(rt, "remove"),
		Floor:     rapid.SampledFrom(append([]feed.Key{feed.Bottom}, h.keys...)).Draw(rt, "floor"),
		WarmUntil: drawTime(rt, "warm until"),
	}
	switch rapid.IntRange(0, 9).Draw(rt, "wrong field") {
	case 0:
		a.Token = rapid.SampledFrom([]string{"one", "two", "three"}).Draw(rt, "token")
	case 1:
		a.Version = rapid.Int64Min(0).Draw(rt, "version")
	}
	a.NewVersion = rapid.Int64Range(a.Version, math.MaxInt64).Draw(rt, "new version")
	want := h.model.amend(viewer, a)
	got, err := h.test.store.Amend(h.test.Context(), viewer, a)
	h.same(rt, "amended", want, got, err)
}

func drawTime(rt *rapid.T, what string) int64 {
	return rapid.Int64Range(0, feed.MaxTime).Draw(rt, what)
}

func (h inboxHistory) trim(rt *rapid.T) {
	viewers := rapid.SliceOfDistinct(rapid.SampledFrom(h.viewers), rapid.ID).Draw(rt, "viewers")
	generation := rapid.Int64Range(0, 4).Draw(rt, "generation")
	h.model.trim(viewers, generation)
	h.same(rt, "trimmed", nil, nil, h.test.store.Trim(h.test.Context(), viewers, generation))
}

// walk ignores the viewers of earlier runs, which the walk also returns.
func (h inboxHistory) walk(rt *rapid.T) {
	walked, err := h.test.walkAll("", 100, nil)
	h.same(rt, "the walk", nil, nil, err)
	for _, viewer := range h.viewers {
		h.same(rt, fmt.Sprintf("whether the walk returns viewer %d", viewer), h.model.viewers[viewer] != nil, walked[viewer] > 0, nil)
	}
}

func (h inboxHistory) remove(rt *rapid.T) {
	viewer := rapid.SampledFrom(h.viewers).Draw(rt, "viewer")
	delete(h.model.viewers, viewer)
	h.same(rt, "removed", nil, nil, h.test.store.Remove(h.test.Context(), viewer))
}

// compare reads the whole of every inbox, and a part of one.
func (h inboxHistory) compare(rt *rapid.T) {
	for _, viewer := range h.viewers {
		h.compareRange(rt, viewer, wholeInbox())
	}
	ends := rapid.SampledFrom(append([]feed.Key{feed.Bottom, feed.Top}, h.keys...))
	h.compareRange(rt, rapid.SampledFrom(h.viewers).Draw(rt, "reader"), feed.Range{
		Above:     ends.Draw(rt, "above"),
		Below:     ends.Draw(rt, "below"),
		Limit:     rapid.IntRange(1, 5).Draw(rt, "limit"),
		Ascending: rapid.Bool().Draw(rt, "ascending"),
	})
}

func (h inboxHistory) compareRange(rt *rapid.T, viewer feed.UserID, r feed.Range) {
	got, err := h.test.store.Read(h.test.Context(), viewer, r)
	h.same(rt, fmt.Sprintf("the inbox of %d in %+v", viewer, r), h.model.read(viewer, r), got, err)
}

func (h inboxHistory) same(rt *rapid.T, what string, want, got any, err error) {
	if err != nil {
		rt.Fatalf("%s: %v", what, err)
	}
	if diff := inboxDiff(want, got); diff != "" {
		rt.Fatalf("%s differs from the model (-model +store):\n%s", what, diff)
	}
}
