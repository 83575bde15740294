package feedtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// step is a random action. It does nothing if there is no object for it, such as a post to edit.
type step = func(t *rapid.T)

// steps returns all steps by name. The step without a name runs after every other step.
func (m *history) steps() map[string]step {
	steps := m.changes()
	for name, s := range map[string]step{
		"run a task":                 m.runTask,
		"run a task, interrupted":    m.runInterrupted,
		"run a task, failing":        m.runFailing,
		"run a task twice":           m.runTwice,
		"lose a task":                m.loseTask,
		"run everything":             func(t *rapid.T) { check(m.s.Work(m.ctx)) },
		"sweep":                      m.sweep,
		"read":                       func(t *rapid.T) { m.readHome(t, m.someone(t)) },
		"read again":                 func(t *rapid.T) { m.readHome(t, m.someone(t)) },
		"read, interrupted":          m.readInterrupted,
		"read fresh":                 m.readFresh,
		"read fresh, interrupted":    m.readFreshInterrupted,
		"read without inboxes":       m.readWithoutInboxes,
		"begin or continue a scroll": m.continueScroll,
		"continue the scroll":        m.continueScroll,
		"several things at once":     m.runConcurrently,
		"several things again":       m.runConcurrently,
		"":                           m.updateScroll,
	} {
		steps[name] = s
	}
	return steps
}

// changes are the steps that may also run in the middle of other steps.
func (m *history) changes() map[string]step {
	steps := map[string]step{
		"publish":       m.publish,
		"publish more":  m.publishMore,
		"delete":        m.delete,
		"edit":          m.edit,
		"follow":        m.follow,
		"update follow": m.updateFollow,
		"change a list": m.changeExclusive,
		"unfollow":      m.unfollow,
		"relate":        m.relate,
		"accept":        m.accept,
		"flip":          m.flip,
		"edit audience": m.editAudience,
		"moderate":      m.moderate,
		"go or return":  m.goOrReturn,
		"users":         m.changeUserMode,
		"import":        func(t *rapid.T) { m.importPost(t, m.s.Import) },
		"load":          m.loadPost,
		"end a load":    m.endLoad,
		"lose an inbox": m.loseInbox,
		"time passes":   m.timePasses,
		"settings":      m.changeSettings,
		"maintain":      m.maintain,
		"lower a flag":  m.lowerFlag,
		"lower flags":   m.lowerFlags,
		"heartbeat":     m.heartbeat,
		"come online":   m.comeOnline,
	}
	for name, do := range steps {
		steps[name] = m.observed(do)
	}
	return steps
}

// observed returns a step that calls changed at its end.
func (m *history) observed(do step) step {
	return func(t *rapid.T) {
		do(t)
		if m.changed != nil {
			m.changed()
		}
	}
}

func (m *history) someone(t *rapid.T) feed.UserID { return drawn(t, "user", m.users) }

// twoOf draws two different users.
func twoOf(t *rapid.T, users []feed.UserID) (a, b feed.UserID) {
	i := rapid.IntRange(0, len(users)-1).Draw(t, "user")
	j := (i + rapid.IntRange(1, len(users)-1).Draw(t, "other, as an offset")) % len(users)
	return users[i], users[j]
}

// newID draws an unused id. Ids are independent of times.
func (m *history) newID(t *rapid.T) feed.PostID {
	const ids = 1000
	id := rapid.Int64Range(0, ids-1).Draw(t, "id")
	for taken := true; taken; {
		taken = false
		for _, c := range m.posts {
			if c.key.ID == int64(m.firstID)+id {
				id, taken = (id+1)%ids, true
			}
		}
	}
	return m.firstID + feed.PostID(id)
}

// pastTime returns a random publish time. Some posts have the same time.
func (m *history) pastTime(t *rapid.T) int64 {
	return feed.Millis(m.began) + rapid.Int64Range(0, backDatedBy).Draw(t, "millisecond")
}

func (m *history) publish(t *rapid.T) {
	author := m.someone(t)
	draft := publish.Draft{Text: "text", Language: drawnLanguage(t)}
	if rapid.Bool().Draw(t, "with media") {
		draft.Media = []string{"https://example.org/p"}
	}
	if rapid.IntRange(0, 3).Draw(t, "for followers, if zero") == 0 {
		draft.Audience = new(feed.AudienceFollowers)
	}
	if len(m.posts) > 0 {
		about := feed.PostID(drawn(t, "about", m.posts).key.ID)
		switch drawn(t, "kind", []feed.Kind{feed.KindPost, feed.KindPost, feed.KindComment, feed.KindRepost}) {
		case feed.KindComment:
			draft.ReplyTo, draft.Audience = about, nil
		case feed.KindRepost:
			draft.RepostOf, draft.Audience = about, nil
			if rapid.Bool().Draw(t, "bare") {
				draft.Text, draft.Media, draft.Language = "", nil, ""
			}
		}
	}
	m.s.Clock.Advance(time.Duration(rapid.IntRange(0, 2).Draw(t, "milliseconds passed")) * time.Millisecond)
	if rapid.Bool().Draw(t, "back-dated") {
		draft.PublishedAt = new(m.pastTime(t))
	}
	m.s.IDs = []feed.PostID{m.newID(t)}
	post, err := m.s.Publisher.Publish(m.ctx, author, draft)
	if m.allowed(t, err) {
		m.posts = append(m.posts, storedPost{post.Key(), author, post.RepostOf, post.Kind})
	}
}

func (m *history) publishMore(t *rapid.T) {
	for range rapid.IntRange(2, 5).Draw(t, "posts") {
		m.publish(t)
	}
}

func (m *history) delete(t *rapid.T) {
	if len(m.posts) > 0 {
		c := drawn(t, "post", m.posts)
		if m.allowed(t, m.s.Publisher.Delete(m.ctx, c.author, feed.PostID(c.key.ID))) {
			m.facts.deleted[feed.PostID(c.key.ID)] = true
		}
	}
}

func (m *history) edit(t *rapid.T) {
	if len(m.posts) > 0 {
		m.editPost(t, drawn(t, "post", m.posts))
	}
}

// editPost gives a post a text that it never had.
func (m *history) editPost(t *rapid.T, post storedPost) {
	m.edits++
	_, err := m.s.Publisher.Edit(m.ctx, post.author, feed.PostID(post.key.ID), feed.PostEdit{Text: new(fmt.Sprint("edit ", m.edits))})
	m.allowed(t, err)
}

func (m *history) relate(t *rapid.T) {
	user, target := twoOf(t, m.users)
	kind := drawn(t, "relation", relationKinds())
	r := feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: m.s.Clock.Millis()}
	on := rapid.Bool().Draw(t, "on")
	if m.allowed(t, m.s.SetRelation(m.ctx, r, on)) {
		m.facts.relations[kind][pair{user, target}] = on
	}
}

// goOrReturn makes a user absent or present.
func (m *history) goOrReturn(t *rapid.T) {
	user, absent := m.someone(t), rapid.Bool().Draw(t, "absent")
	check(m.s.Presence.SetAbsent(m.ctx, []feed.UserID{user}, absent))
	if m.facts.absent[user] != absent {
		delete(m.awaited, user)
	}
	m.facts.absent[user] = absent
}

// changeUserMode shows or hides the users without a record.
func (m *history) changeUserMode(t *rapid.T) {
	mode := drawn(t, "mode of users", []feed.UserMode{feed.UsersImplicit, feed.UsersExplicit})
	m.useUsers(mode)
	for user := range m.awaited {
		m.facts.absent[user] = mode == feed.UsersExplicit
	}
}

func (m *history) useUsers(mode feed.UserMode) {
	must2(m.s.Presence.UseUsers(m.ctx, feed.UserModeChange{Want: mode, Was: feed.UsersImplicit}))
}

// importPost imports a post, which raises the generation or is part of a bulk load.
func (m *history) importPost(t *rapid.T, apply func(context.Context, []feed.Record) (feed.Applied, error)) {
	post := newPost(m.newID(t), m.someone(t), m.pastTime(t))
	must(apply(m.ctx, records(feed.Record{Post: post})))
	m.posts = append(m.posts, storedPost{post.Key(), post.Author, 0, post.Kind})
}

// loadPost begins or continues a bulk load.
func (m *history) loadPost(t *rapid.T) {
	if m.noLoads {
		m.importPost(t, m.s.Import)
		return
	}
	m.importPost(t, m.s.Load)
}

// endLoad ends the bulk load, if there is one. Another one may go on.
func (m *history) endLoad(t *rapid.T) { must(m.s.Loads.EndLoad(m.ctx, 0)) }

// comeOnline sets who is online, as far as fan-outs know.
func (m *history) comeOnline(t *rapid.T) {
	some := func(label string) []feed.UserID {
		return slices.DeleteFunc(slices.Clone(m.users), func(feed.UserID) bool { return rapid.IntRange(0, 2).Draw(t, label+", unless zero") == 0 })
	}
	m.s.Online.Users = feed.Online{Connected: some("connected"), Seen: some("seen")}
	m.s.Online.Err = nil
	if rapid.IntRange(0, 9).Draw(t, "unknown, if zero") == 0 {
		m.s.Online.Err = errDown()
	}
}

func (m *history) loseInbox(t *rapid.T) { check(m.s.Inboxes.Remove(m.ctx, m.someone(t))) }

// timePasses advances the clock. Afterwards leases may need a renewal, have ended, or have ended
// long ago.
func (m *history) timePasses(t *rapid.T) {
	p := m.s.Policy
	m.s.Clock.Advance(drawn(t, "time passed", []time.Duration{
		time.Second, p.LeaseGrace, p.RenewAfter + time.Millisecond, p.ActiveFor, p.ActiveFor + p.LeaseGrace, p.ActiveFor + p.DormantFor,
	}))
}

// changeSettings simulates a restart of all workers, or all publishers, with another fan-out mode
// and push threshold.
func (m *history) changeSettings(t *rapid.T) {
	p := drawn(t, "process", []*feed.Policy{&m.s.Fanout.Policy, &m.s.Publisher.Policy})
	p.Fanout = drawn(t, "mode", []feed.FanoutMode{feed.FanoutHybrid, feed.FanoutHybrid, feed.FanoutPush, feed.FanoutPull})
	p.PushThreshold = rapid.IntRange(0, 4).Draw(t, "push threshold")
}

// heartbeat runs a heartbeat. Sometimes it first saves or restarts the inbox server.
func (m *history) heartbeat(t *rapid.T) {
	if m.s.Heartbeat == nil {
		return
	}
	switch drawn(t, "server", []string{"beats", "is saved", "is saved", "is restored", "is wiped"}) {
	case "is saved":
		m.s.Server.Save()
	case "is restored":
		m.s.Server.Restore()
		m.forgetDisplays()
	case "is wiped":
		m.s.Server.Wipe()
	}
	check(m.s.Heartbeat.Beat(m.ctx))
}

// forgetDisplays ends the requirements by display and the open scroll, because pushes are pending
// again.
func (m *history) forgetDisplays() {
	m.scroll = nil
	for _, viewer := range m.users {
		maps.DeleteFunc(m.required[viewer], func(_ feed.Key, d requirement) bool { return d == requiredByDisplay })
	}
	for _, r := range m.reads {
		r.always = nil
	}
}

func (m *history) maintain(t *rapid.T) {
	check(m.s.Maintenance.TrimInboxes(m.ctx))
	check(m.s.Maintenance.PurgeRows(m.ctx))
}

// lowerFlag lowers the flag of any author, which the policy would do later or never.
func (m *history) lowerFlag(t *rapid.T) {
	to := drawn(t, "flag", []feed.CoverageFlag{feed.FlagNone, feed.FlagNone, feed.FlagSelective})
	must(m.s.Flags.LowerFlag(m.ctx, m.someone(t), to))
}

// lowerFlags lowers all flags as the policy does, or as a rebuild does.
func (m *history) lowerFlags(t *rapid.T) {
	p := m.s.Fanout.Policy
	if rapid.Bool().Draw(t, "by a rebuild") {
		must(m.s.Flags.LowerFlags(m.ctx, p.KeepsFlagAbove()))
		return
	}
	m.s.Maintenance.Policy = p
	check(m.s.Maintenance.LowerFlags(m.ctx))
}

// drawTask draws the index of a queued task. It returns false if the queue is empty.
func drawTask(t *rapid.T, q *Queue) (int, bool) {
	if q.Len() == 0 {
		return 0, false
	}
	return rapid.IntRange(0, q.Len()-1).Draw(t, "task"), true
}

// run runs a task. The task may fail while a store is down.
func (m *history) run(t *rapid.T, task Task) {
	t.Log(task)
	m.inTask = true
	defer func() { m.inTask = false }()
	if err := m.s.Run(m.ctx, task); feed.CodeOf(err) != feed.CodeUnavailable {
		check(err)
	}
}

func (m *history) runTask(t *rapid.T) {
	if i, ok := drawTask(t, m.s.Queue); ok {
		m.run(t, m.s.Queue.Take(i))
	}
}

func (m *history) runTwice(t *rapid.T) {
	if i, ok := drawTask(t, m.s.Queue); ok {
		m.run(t, m.s.Queue.Tasks()[i])
	}
}

func (m *history) loseTask(t *rapid.T) {
	if i, ok := drawTask(t, m.s.Queue); ok {
		m.s.Queue.Take(i)
	}
}

// runInterrupted runs another step in the middle of a task.
func (m *history) runInterrupted(t *rapid.T) {
	if i, ok := drawTask(t, m.s.Queue); ok {
		task := m.s.Queue.Take(i)
		cancel := m.interrupt(t, 6)
		m.run(t, task)
		cancel()
	}
}

// interrupt runs another step before one of the next store calls, from 0 to last, of a read or
// task. The returned function cancels the step if it has not run.
func (m *history) interrupt(t *rapid.T, last int) (cancel func() bool) {
	others := m.changes()
	others["run a task"] = m.runTask
	others["read"] = func(t *rapid.T) { m.readHome(t, m.someone(t)) }
	names := []string{
		"publish", "delete", "follow", "unfollow", "relate", "go or return", "users", "import", "load", "end a load", "lose an inbox", "time passes", "settings",
		"maintain", "run a task", "read", "lower a flag", "lower flags",
	}
	name := drawn(t, "concurrent step", names)
	return m.s.At(rapid.IntRange(0, last).Draw(t, "before call"), func() {
		inTask := m.inTask
		others[name](t)
		m.inTask = inTask
	})
}

// runFailing runs a task while one call to the inboxes fails, with or without effect.
func (m *history) runFailing(t *rapid.T) {
	if i, ok := drawTask(t, m.s.Queue); ok {
		m.s.Flaky.FailAt = rapid.IntRange(1, 3).Draw(t, "failing call")
		m.s.Flaky.Served = rapid.IntRange(0, 2).Draw(t, "served")
		m.s.Flaky.ReplyLost = rapid.Bool().Draw(t, "reply lost")
		m.run(t, m.s.Queue.Take(i))
		m.s.Flaky.FailAt = 0
	}
}

func (m *history) sweep(t *rapid.T) {
	m.s.Clock.Advance(drawn(t, "after", []time.Duration{0, time.Second, time.Minute, time.Hour}))
	check(m.s.Fanout.Sweep(m.ctx))
}

// runConcurrently runs two to four tasks, changes and reads of home feeds. They interleave in
// random order at every store call.
func (m *history) runConcurrently(t *rapid.T) {
	var actors []Actor
	for range rapid.IntRange(2, 4).Draw(t, "actors") {
		switch drawn(t, "actor", []string{"task", "task", "changes", "read"}) {
		case "task":
			if i, ok := drawTask(t, m.s.Queue); ok {
				task := m.s.Queue.Take(i)
				t.Log("concurrently:", task)
				actors = append(actors, func() { m.runTaskConcurrently(task) })
			}
		case "changes":
			actors = append(actors, func() { m.changeConcurrently(t) })
		case "read":
			viewer := m.someone(t)
			actors = append(actors, func() { m.readConcurrently(t, viewer) })
		}
	}
	m.inTask = true
	m.s.Interleave(actors, func(ready []int) int {
		if len(ready) == 1 {
			return 0
		}
		return rapid.IntRange(0, len(ready)-1).Draw(t, "next actor")
	})
	m.inTask = false
}

// runTaskConcurrently runs a task. The task may fail while a store is down.
func (m *history) runTaskConcurrently(task Task) {
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
				r.observe(m.feedOf(r.viewer, feed.Filter{}))
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
		whole := m.feedOf(viewer, feed.Filter{})
		r = &runningRead{viewer: viewer, ever: whole, always: m.requiredKeys(viewer, whole)}
	})
	m.reads = append(m.reads, r)
	page := m.wholeFeed(t, viewer)
	m.reads = slices.DeleteFunc(m.reads, func(other *runningRead) bool { return other == r })
	m.hasOnly(t, viewer, page, r.ever)
	m.hasAll(t, viewer, page, r.always)
}
