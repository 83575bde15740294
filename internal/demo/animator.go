package demo

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// StepInterval is long enough to read what happened.
const StepInterval = 5 * time.Second

// Animator announces, starts and ends live sessions of demo users. It has no state of its own, so
// it continues after a restart. If several processes have one, a leader does the work.
type Animator struct {
	Hosting *live.Hosting
	History live.History
	Leaders feed.Leaders
	// Holder identifies this process.
	Holder string
	// Size is that of the demo data.
	Size  Size
	Clock feed.Clock
	// Rand chooses hosts, titles and times of new sessions.
	Rand *rand.Rand
}

const (
	leadName = "animate the demo"
	// leadFor lets another process take over after some missed steps.
	leadFor = 3 * StepInterval
)

// Step makes one transition: it ends an overdue session, or else starts one, or else announces one.
// Call it every [StepInterval].
func (a *Animator) Step(ctx context.Context) error {
	leads, err := a.Leaders.Lead(ctx, leadName, a.Holder, leadFor)
	if err != nil || !leads {
		return err
	}
	err = a.step(ctx)
	// Another change came first, or the account was deleted. The next step adapts.
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

// overdue returns a session that should have ended, and one that should have begun, or zeros.
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
