package feedtest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// runConcurrently runs two to four tasks, changes and reads of home feeds. They interleave in
// random order at every store call.
func (m *history) runConcurrently(t *rapid.T) {
	var actors []Actor
	for range rapid.IntRange(2, 4).Draw(t, "actors") {
		switch drawn(t, "actor", []string{"task", "task", "changes", "read"}) {
		case "task":
			if i, ok := m.drawTask(t); ok {
				task := m.s.Queue.Take(i)
				t.Log("concurrently:", task)
				actors = append(actors, func() { m.runTaskConcurrently(t, task) })
			}
		case "changes":
			actors = append(actors, func() { m.changeConcurrently(t) })
		case "read":
			viewer := m.someone(t)
			actors = append(actors, func() { m.readConcurrently(t, viewer) })
		}
	}
	m.inTask = true
	m.s.Interleave(actors, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "next actor") })
	m.inTask = false
}

// runTaskConcurrently runs a task. The task may fail while a store is down.
func (m *history) runTaskConcurrently(t *rapid.T, task Task) {
	if err := m.s.Run(m.ctx, task); feed.CodeOf(err) != feed.CodeUnavailable {
		check(err)
	}
}

// changeConcurrently makes one to three changes. Each is one step.
func (m *history) changeConcurrently(t *rapid.T) {
	changes := m.changes()
	names := []string{"publish", "publish", "delete", "follow", "unfollow", "relate", "go or return", "import", "load", "end a load", "lose an inbox", "time passes", "settings", "heartbeat"}
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		m.s.Atomically(func() {
			changes[drawn(t, "change", names)](t)
			m.updateScroll(t)
			for _, r := range m.reads {
				r.observe(m.feedOf(t, r.viewer, nil))
			}
		})
		m.s.Yield()
	}
}

// runningRead records the feeds of a viewer while a read runs.
type runningRead struct {
	viewer feed.UserID
	// ever has the posts that were visible at some moment, always those visible at every moment.
	ever, always []feed.Key
}

func (r *runningRead) observe(now []feed.Key) {
	r.ever = append(r.ever, now...)
	r.always = slices.DeleteFunc(r.always, func(k feed.Key) bool { return !slices.Contains(now, k) })
}

// readConcurrently reads a home feed. The page must have all posts that were visible throughout the
// read, and no post that was never visible.
func (m *history) readConcurrently(t *rapid.T, viewer feed.UserID) {
	var r *runningRead
	m.s.Atomically(func() {
		whole := m.feedOf(t, viewer, nil)
		r = &runningRead{viewer: viewer, ever: whole, always: m.requiredKeys(viewer, whole)}
	})
	m.reads = append(m.reads, r)
	page := m.wholeFeed(t, viewer)
	m.reads = slices.DeleteFunc(m.reads, func(other *runningRead) bool { return other == r })
	m.hasOnly(t, viewer, page, r.ever)
	m.hasAll(t, viewer, page, r.always)
}
