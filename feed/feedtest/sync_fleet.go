package feedtest

import (
	"context"
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/subscribe"
)

// fleet is what histories of home feeds and of live feeds have in common: processes that follow the
// change log when the test says so, and clients that read changes from them or receive them.
type fleet[P process, C client] struct {
	ctx context.Context
	s   *Service
	// calls are those of one feed.
	calls     feedCalls[P, C]
	processes []P
	clients   []C
	// serving is the last process that was called.
	serving int
}

// feedCalls are the calls of the clients of a feed.
type feedCalls[P process, C client] struct {
	// start starts the i-th process, without anything in its memory.
	start     func(i int) P
	users     func() []feed.UserID
	newClient func(t *rapid.T, viewer feed.UserID) C
	// readFirst reads a first page, readNext a further one, and readSome a page of changes. readSome
	// reports whether there may be more.
	readFirst, readNext func(t *rapid.T, c C)
	readSome            func(t *rapid.T, c C) (more bool)
	// compare ends the test if a client that has all changes holds anything else than the feed.
	compare func(t *rapid.T, c C)
	// subscribe subscribes a client from its token.
	subscribe func(t *rapid.T, p P, c C) *clientSubscription
	// interrupts are steps that may run in the middle of others.
	interrupts func() map[string]step
}

type process interface{ log() *logProcess }

type client interface{ state() *clientState }

// logProcess is the part of a process that follows the log.
type logProcess struct {
	follower      *changes.Follower
	subscriptions *subscribe.Subscriptions
}

func (p *logProcess) log() *logProcess { return p }

// clientState is what clients of all feeds have.
type clientState struct {
	viewer feed.UserID
	size   int
	// open is false until the first page and after a reset.
	open  bool
	token string
	// more says that the client has a part of the changes.
	more bool
	// next is the cursor of the last entry while there is a next page; empty otherwise.
	next string
	// sub sends changes after the token; nil for a client that reads them.
	sub *clientSubscription
}

func (c *clientState) state() *clientState { return c }

// clientSubscription is a subscription at a process. receive lets the client receive a page, if one
// waits, and reports whether it did.
type clientSubscription struct {
	process int
	receive func(t *rapid.T) bool
	close   func()
}

// clientSubscriptionOf gives the pages of a subscription to a client by apply.
func clientSubscriptionOf[Page any](
	ctx context.Context, must func(*rapid.T, error), sub interface {
		Poll(ctx context.Context) (*Page, error)
		Close()
	}, apply func(t *rapid.T, page *Page),
) *clientSubscription {
	return &clientSubscription{close: sub.Close, receive: func(t *rapid.T) bool {
		page, err := sub.Poll(ctx)
		must(t, err)
		if page != nil {
			apply(t, page)
		}
		return page != nil
	}}
}

func (c *clientState) unsubscribe() {
	if c.sub != nil {
		c.sub.close()
		c.sub = nil
	}
}

func newFleet[P process, C client](ctx context.Context, s *Service, calls feedCalls[P, C]) *fleet[P, C] {
	f := &fleet[P, C]{ctx: ctx, s: s, calls: calls}
	must(s.Numberer.CheckEpoch(ctx))
	for i := range 2 {
		f.processes = append(f.processes, calls.start(i))
	}
	return f
}

// addTo adds the steps of clients, of processes and of the log.
func (f *fleet[P, C]) addTo(steps map[string]step) {
	maps.Copy(steps, f.clientSteps())
	for name, do := range map[string]step{
		"read changes":  f.readChanges,
		"open a client": f.open,
		"read on":       f.readOn,
		"receive":       f.receive,
	} {
		steps[name+", interrupted"] = f.interrupted(do)
		steps[name+", killed"] = f.killed(do)
	}
	steps["read changes again"] = f.readChanges
	steps["number changes again"] = f.numberSome
	steps["disconnect"] = f.disconnect
	steps["trim or restore"] = f.endTokens
}

// clientSteps are the steps that lock no row that a change locks.
func (f *fleet[P, C]) clientSteps() map[string]step {
	return map[string]step{
		"open a client":        f.open,
		"read on":              f.readOn,
		"read changes":         f.readChanges,
		"subscribe":            f.subscribe,
		"receive":              f.receive,
		"number changes":       f.numberSome,
		"a process catches up": f.catchUp,
	}
}

// process draws the process that serves a call.
func (f *fleet[P, C]) process(t *rapid.T) P {
	f.serving = rapid.IntRange(0, len(f.processes)-1).Draw(t, "process")
	return f.processes[f.serving]
}

// interrupted returns a step during which another step runs, and all processes may then see it.
func (f *fleet[P, C]) interrupted(do step) step {
	return func(t *rapid.T) {
		others := f.calls.interrupts()
		f.s.interrupt(t, do, others[drawn(t, "concurrent step", slices.Sorted(maps.Keys(others)))], func(*rapid.T) { f.settleLog() })
	}
}

// killed returns a step during which, or after which, the process that serves it is killed. Another
// one starts in its place, and its subscribers are disconnected.
func (f *fleet[P, C]) killed(do step) step {
	return func(t *rapid.T) {
		f.serving = -1
		f.s.kill(t, do)
		if f.serving < 0 {
			return
		}
		for _, c := range f.clients {
			if sub := c.state().sub; sub != nil && sub.process == f.serving {
				c.state().sub = nil
			}
		}
		f.processes[f.serving] = f.calls.start(f.serving)
	}
}

// late returns a step that makes a change, whose transaction commits after other steps and up to
// hours later.
func (f *fleet[P, C]) late(change step, others map[string]step) step {
	names := slices.Sorted(maps.Keys(others))
	return func(t *rapid.T) {
		f.s.commitLate(t, change, func(t *rapid.T) {
			for range rapid.IntRange(1, 5).Draw(t, "steps before the commit") {
				others[drawn(t, "step", names)](t)
				f.s.Clock.Advance(drawn(t, "time passed", []time.Duration{0, time.Second, time.Hour}))
			}
			if rapid.Bool().Draw(t, "clients have all changes") {
				f.settleLog()
				for _, c := range f.clients {
					f.readAll(t, c)
				}
			}
		})
	}
}

// settleLog numbers all changes, and lets all processes see them.
func (f *fleet[P, C]) settleLog() {
	whileMore(func() (bool, error) {
		more, _, err := f.s.Numberer.NumberChanges(f.ctx, many)
		return more, err
	})
	for _, p := range f.processes {
		check(p.log().follower.CatchUp(f.ctx))
	}
}

// numberSome numbers a few changes.
func (f *fleet[P, C]) numberSome(t *rapid.T) {
	must2(f.s.Numberer.NumberChanges(f.ctx, rapid.IntRange(1, 9).Draw(t, "changes to number")))
}

// endTokens seldom makes tokens invalid. Clients read the rest of changes before the log is trimmed to
// their beginning.
func (f *fleet[P, C]) endTokens(t *rapid.T) {
	switch drawn(t, "log", []string{"goes on", "goes on", "goes on", "goes on", "goes on", "goes on", "is trimmed", "is restored"}) {
	case "is trimmed":
		for _, c := range f.clients {
			if c.state().more {
				f.readAll(t, c)
			}
		}
		must(f.s.Numberer.TrimChanges(f.ctx, f.s.Clock.Millis()+1, rapid.IntRange(1, 9).Draw(t, "changes to trim")))
	case "is restored":
		check(f.s.Numberer.NewEpoch(f.ctx))
	}
}

func (f *fleet[P, C]) catchUp(t *rapid.T) { check(f.process(t).log().follower.CatchUp(f.ctx)) }

// client draws a client, if there is one.
func (f *fleet[P, C]) client(t *rapid.T) (c C, any bool) {
	if len(f.clients) == 0 {
		return c, false
	}
	return drawn(t, "client", f.clients), true
}

// open adds a client, in place of another one if there are many, and reads its first page.
func (f *fleet[P, C]) open(t *rapid.T) {
	c := f.calls.newClient(t, drawn(t, "user", f.calls.users()))
	if len(f.clients) < 3 {
		f.clients = append(f.clients, c)
	} else {
		i := rapid.IntRange(0, 2).Draw(t, "in place of")
		f.clients[i].state().unsubscribe()
		f.clients[i] = c
	}
	f.calls.readFirst(t, c)
}

// readOn reads the next page of a client.
func (f *fleet[P, C]) readOn(t *rapid.T) {
	if c, any := f.client(t); any && c.state().open && c.state().next != "" {
		f.calls.readNext(t, c)
	}
}

// forget removes the clients of users who have gone.
func (f *fleet[P, C]) forget(gone func(viewer feed.UserID) bool) {
	f.clients = slices.DeleteFunc(f.clients, func(c C) bool {
		if !gone(c.state().viewer) {
			return false
		}
		c.state().unsubscribe()
		return true
	})
}

// readChanges reads a page of changes, or all of them.
func (f *fleet[P, C]) readChanges(t *rapid.T) {
	c, any := f.client(t)
	switch {
	case !any:
	case !c.state().open:
		f.calls.readFirst(t, c)
	case c.state().sub != nil:
	case rapid.Bool().Draw(t, "all"):
		f.readAll(t, c)
	default:
		f.calls.readSome(t, c)
	}
}

// readAll reads or receives all changes, and ends early after a reset.
func (f *fleet[P, C]) readAll(t *rapid.T, c C) {
	for more := c.state().open; more; {
		if c.state().sub != nil {
			more = f.receiveSome(t, c)
		} else {
			more = f.calls.readSome(t, c)
		}
	}
}

// rest compares what clients hold when they have all changes, and what new clients have read of whole
// feeds. No work is pending.
func (f *fleet[P, C]) rest(t *rapid.T) {
	f.settleLog()
	for _, c := range f.clients {
		f.readAll(t, c)
		if !c.state().open {
			f.calls.readFirst(t, c)
			f.readAll(t, c)
		}
		f.calls.compare(t, c)
	}
	for _, viewer := range f.calls.users() {
		c := f.calls.newClient(t, viewer)
		f.calls.readFirst(t, c)
		for c.state().next != "" {
			f.calls.readNext(t, c)
		}
		f.calls.compare(t, c)
	}
}

// subscribe lets a client receive changes from a process instead of reading them.
func (f *fleet[P, C]) subscribe(t *rapid.T) {
	c, any := f.client(t)
	if !any || !c.state().open || c.state().sub != nil {
		return
	}
	p := f.process(t)
	sub := f.calls.subscribe(t, p, c)
	sub.process = f.serving
	c.state().sub = sub
}

// disconnect ends a client's subscription. The client may read changes or subscribe again.
func (f *fleet[P, C]) disconnect(t *rapid.T) {
	if c, any := f.client(t); any {
		c.state().unsubscribe()
	}
}

// receive lets a subscriber receive some of what waits, or all.
func (f *fleet[P, C]) receive(t *rapid.T) {
	c, any := f.client(t)
	if !any || c.state().sub == nil {
		return
	}
	all := rapid.Bool().Draw(t, "all")
	for f.receiveSome(t, c) && all {
	}
}

// receiveSome receives a page and reports whether there may be more.
func (f *fleet[P, C]) receiveSome(t *rapid.T, c C) (more bool) {
	sub := c.state().sub
	if sub == nil {
		return false
	}
	f.serving = sub.process
	return sub.receive(t) && c.state().open
}

// applied gives a client a page of changes.
func applied[Change interface{ IsReset() bool }](page *feed.ChangePage[Change], c client, apply func(Change)) {
	state := c.state()
	state.token, state.more = page.Token.String(), page.HasMore
	for _, change := range page.Changes {
		apply(change)
		if change.IsReset() {
			state.open = false
			state.unsubscribe()
		}
	}
}

// interrupt runs a step, and another one before one of its calls. All processes may see the other
// step at once, by settle.
func (s *Service) interrupt(t *rapid.T, do, other, settle step) {
	seen := rapid.Bool().Draw(t, "seen at once")
	cancel := s.At(rapid.IntRange(0, 8).Draw(t, "before call"), func() {
		other(t)
		if seen {
			settle(t)
		}
	})
	do(t)
	cancel()
}

// killed ends a step by a panic.
type killed struct{}

// kill runs a step of a process that may be killed before one of its calls.
func (s *Service) kill(t *rapid.T, do step) {
	cancel := s.At(rapid.IntRange(0, 8).Draw(t, "killed before call"), func() { panic(killed{}) })
	defer func() {
		cancel()
		if why := recover(); why != nil && why != any(killed{}) {
			panic(why)
		}
	}()
	do(t)
}

// commitLate makes a change whose transaction commits after another step.
func (s *Service) commitLate(t *rapid.T, change, meanwhile step) {
	var failed any
	before := s.Backend.BeforeCommit
	if before == nil {
		// Where transactions cannot be held open, transitions of sessions can.
		before = func(do func()) (cancel func()) {
			s.Live.late = do
			return func() { s.Live.late = nil }
		}
	}
	cancel := before(func() {
		s.committing = true
		// A panic would leave the transaction open, and block the next histories.
		defer func() { failed, s.committing = recover(), false }()
		meanwhile(t)
	})
	change(t)
	cancel()
	if failed != nil {
		panic(failed)
	}
}
