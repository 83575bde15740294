package demo

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// StepInterval is how often an [Animator] makes a step: often enough that something
// happens while one looks, and seldom enough to read it.
const StepInterval = 5 * time.Second

// Animator has the live sessions of demo users go on: they are announced, begin when their
// time has come, and end after a while. It keeps nothing itself, so it goes on after a
// restart from what is stored. Where several processes have one, a leader among them does
// the work.
type Animator struct {
	Hosting *live.Hosting
	History live.History
	Leaders feed.Leaders
	// Holder names this process among the others.
	Holder string
	// Size is that of the demo data.
	Size  Size
	Clock feed.Clock
	// Rand draws who holds a new session, about what, and when.
	Rand *rand.Rand
}

const (
	leadName = "animate the demo"
	// leadFor lets another process take over after a few steps that were missed.
	leadFor = 3 * StepInterval
)

// Step makes one transition: it ends a session that has gone on for long enough, or else
// begins one whose time has come, or else announces one. It is called again and again.
func (a *Animator) Step(ctx context.Context) error {
	leads, err := a.Leaders.Lead(ctx, leadName, a.Holder, leadFor)
	if err != nil || !leads {
		return err
	}
	err = a.step(ctx)
	// Somebody came in between, or has deleted the account; the next step does otherwise.
	if feed.CodeOf(err).Refusal() {
		return nil
	}
	return err
}

func (a *Animator) step(ctx context.Context) error {
	hosts := Hosts(a.Size)
	sets, err := a.History.Sets(ctx, hosts)
	if err != nil {
		return err
	}
	now := feed.Millis(a.Clock())
	over, due := overdue(hosts, sets, now)
	switch {
	case over.ID != 0:
		_, err = a.Hosting.End(ctx, over.Host, over.ID, replayURL(over.ID))
	case due.ID != 0:
		_, err = a.Hosting.Start(ctx, due.Host, due.ID)
	default:
		at := feed.Millis(a.Clock().Add(aheadMax/2 + within(a.Rand, aheadMax/2)))
		_, err = a.Hosting.Schedule(ctx, host(a.Rand, a.Size), title(a.Rand), at)
	}
	return err
}

// overdue returns one of the sessions that should have ended by now, and one of those that
// should have begun; the zero entry where there is none.
func overdue(hosts []feed.UserID, sets []live.Set, now int64) (over, due live.Entry) {
	for i, set := range sets {
		for _, p := range set.Open {
			e := live.Entry{Position: p, Host: hosts[i]}
			switch {
			case p.State == live.Live && p.At+duration(p.ID).Milliseconds() <= now:
				over = e
			case p.State == live.Upcoming && p.At <= now:
				due = e
			}
		}
	}
	return over, due
}
