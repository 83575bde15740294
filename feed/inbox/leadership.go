package inbox

import (
	"context"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Leadership has one of many processes do what all of them would otherwise do at the same
// time. Each of them tries, again and again; the one that leads goes on leading while it
// does, and another takes over once it has not for so long.
type Leadership struct {
	Leaders feed.Leaders
	// Name is what is led in.
	Name string
	// Holder names this process among the others.
	Holder string
	// For is how long the others wait for a leader of whom nothing is heard.
	For time.Duration
}

// renewals is how often a leader whose work takes long is heard of within [Leadership.For]:
// one call may be lost, and another come late.
const renewals = 3

// errDeposed is why a leader's work is broken off.
var errDeposed = errors.New("this process does not lead any more")

// Do calls do when this process leads, and returns nil when it does not. The context of do
// ends as soon as another process may lead: when this one is told so, and when the store
// could not be asked for so long that nobody would wait any longer. The time is taken
// before the store is asked, so it is over here before it is over there.
//
// A leader whose work fails resigns: another may be able to do what this one cannot, as when
// only this one has lost its way to Redis, and would otherwise never get to it, since the next
// try would be in time to go on leading. Who is alone leads again with his next try. So does a
// leader whose time was over here: the store may have heard of him just then, and would have
// the others wait for one who has stopped.
//
// So a leader that is cut off stops. One whose whole process is stopped in the middle of a
// call finds out only afterwards, which is why nothing may depend on leading alone.
func (l Leadership) Do(ctx context.Context, do func(context.Context) error) error {
	asked := time.Now()
	leads, err := l.Leaders.Lead(ctx, l.Name, l.Holder, l.For)
	if err != nil || !leads {
		return err
	}
	working, depose := context.WithCancelCause(ctx)
	over := time.AfterFunc(l.For-time.Since(asked), func() { depose(errDeposed) })
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		l.renew(working, over, depose)
	}()
	err = do(working)
	deposed := errors.Is(context.Cause(working), errDeposed)
	depose(nil)
	over.Stop()
	// A renewal that is under way would take back what is given up.
	<-renewed
	if deposed {
		err = errors.Join(errDeposed, err)
	}
	if err != nil && ctx.Err() == nil {
		return errors.Join(err, l.Resign(ctx))
	}
	return err
}

// renew goes on leading until ctx ends, and ends it when it cannot.
func (l Leadership) renew(ctx context.Context, over *time.Timer, depose context.CancelCauseFunc) {
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
			// The time that is left may be enough to try again.
		case !leads:
			depose(errDeposed)
		default:
			over.Reset(l.For - time.Since(asked))
		}
	}
}

// Resign lets another process lead at once, if this one does. It is called when a process
// stops or cannot do the work, so that nobody waits for what is known not to come.
func (l Leadership) Resign(ctx context.Context) error {
	_, err := l.Leaders.Lead(ctx, l.Name, l.Holder, 0)
	return err
}
