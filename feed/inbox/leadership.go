package inbox

import (
	"context"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Leadership elects one of many processes, which all call Do periodically.
type Leadership struct {
	Leaders feed.Leaders
	// Name is the name of the lease.
	Name string
	// Holder names this process among the others.
	Holder string
	// For is how long the others wait for a silent leader.
	For time.Duration
}

// renewals per [Leadership.For] allow that one call is lost, and another comes late.
const renewals = 3

var errLostLeadership = errors.New("this process has lost the leadership")

// Do calls do if this process leads, and returns nil if it does not. The context of do ends before
// another process may lead, since the time is taken before the store is asked. A paused process
// notices the loss only afterwards, so correctness must not depend on leading. A leader whose work
// fails resigns, because another process may succeed. It also resigns after its time was over: the
// store may have renewed it just then.
func (l Leadership) Do(ctx context.Context, do func(context.Context) error) error {
	asked := time.Now()
	leads, err := l.Leaders.Lead(ctx, l.Name, l.Holder, l.For)
	if err != nil || !leads {
		return err
	}
	working, cancel := context.WithCancelCause(ctx)
	over := time.AfterFunc(l.For-time.Since(asked), func() { cancel(errLostLeadership) })
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		l.renew(working, over, cancel)
	}()
	err = do(working)
	lost := errors.Is(context.Cause(working), errLostLeadership)
	cancel(nil)
	over.Stop()
	// A renewal in flight would take back the resignation.
	<-renewed
	if lost {
		err = errors.Join(errLostLeadership, err)
	}
	if err != nil && ctx.Err() == nil {
		return errors.Join(err, l.Resign(ctx))
	}
	return err
}

func (l Leadership) renew(ctx context.Context, over *time.Timer, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(l.For / renewals)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		asked := time.Now()
		leads, err := l.Leaders.Lead(ctx, l.Name, l.Holder, l.For)
		switch {
		case err != nil:
			// The remaining time may be enough to try again.
		case !leads:
			cancel(errLostLeadership)
		default:
			over.Reset(l.For - time.Since(asked))
		}
	}
}

// Resign lets another process lead at once, if this one leads.
func (l Leadership) Resign(ctx context.Context) error {
	_, err := l.Leaders.Lead(ctx, l.Name, l.Holder, 0)
	return err
}
