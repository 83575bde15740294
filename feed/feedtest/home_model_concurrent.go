package feedtest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// sideBySide interleaves two to four tasks, changes and reads of home feeds in random order, at
// every store call.
func (m *history) sideBySide(t *rapid.T) {
	var actors []Actor
	for range rapid.IntRange(2, 4).Draw(t, "actors") {
		switch drawn(t, "actor", []string{"task", "task", "changes", "read"}) {
		case "task":
			if i, ok := m.drawTask(t); ok {
				task := m.s.Queue.Take(i)
				t.Log("concurrently:", task)
				actors = append(actors, func() { m.runBeside(t, task) })
			}
		case "changes":
			actors = append(actors, func() { m.changeBeside(t) })
		case "read":
			viewer := m.someone(t)
			actors = append(actors, func() { m.readBeside(t, viewer) })
		}
	}
	m.inTask = true
	m.s.Interleave(actors, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "who goes on") })
	m.inTask = false
}

// runBeside runs a task. The task may fail while a store is down.
func (m *history) runBeside(t *rapid.T, task Task) {
	if err := m.s.Run(m.ctx, task); feed.CodeOf(err) != feed.CodeUnavailable {
		m.must(t, err)
	}
}

// changeBeside makes one to three changes. Each is one step.
func (m *history) changeBeside(t *rapid.T) {
	changes := m.changes()
	names := []string{"publish", "publish", "delete", "follow", "unfollow", "relate", "import", "lose an inbox", "time passes", "settings", "beat"}
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		m.s.Atomically(func() {
			changes[drawn(t, "change", names)](t)
			m.keepScroll(t)
			for _, r := range m.reading {
				r.note(m.feedOf(t, r.viewer, nil))
			}
		})
		m.s.Yield()
	}
}

// watchedRead is a running read and the feeds at every moment since it began.
type watchedRead struct {
	viewer feed.UserID
	// ever are the posts that were visible at some moment. must are the posts that were visible at
	// every moment.
	ever, must []feed.Key
}

func (r *watchedRead) note(now []feed.Key) {
	r.ever = append(r.ever, now...)
	r.must = slices.DeleteFunc(r.must, func(k feed.Key) bool { return !slices.Contains(now, k) })
}

// readBeside reads a home feed. It must contain the posts that were visible all the time, and no
// post that was never visible.
func (m *history) readBeside(t *rapid.T, viewer feed.UserID) {
	var r *watchedRead
	m.s.Atomically(func() {
		whole := m.feedOf(t, viewer, nil)
		r = &watchedRead{viewer: viewer, ever: whole, must: m.owing(viewer, whole)}
	})
	m.reading = append(m.reading, r)
	page := m.whole(t, viewer)
	m.reading = slices.DeleteFunc(m.reading, func(other *watchedRead) bool { return other == r })
	m.within(t, viewer, page, r.ever)
	m.holds(t, viewer, page, r.must)
}
