package tasks

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/hibiken/asynq"
)

// PayloadVersion is the version of the payloads that this program writes. It rises when the
// meaning of a field changes. A new field that old workers may ignore does not raise it.
// Workers read all versions up to their own: the
// one that raises it goes on reading those before, since what they stand in front of was
// enqueued before the upgrade.
const PayloadVersion = 1

// ErrElsewhere is what a handler's error wraps when this process cannot do the work and
// another one can. The task is kept for that one: it is tried again, and not counted as a
// failure, until it is [keptFor] old.
var ErrElsewhere = errors.New("the task is kept for another process")

// keptFor is how long a task is kept for a process that can do it. A rolling upgrade is
// over by then. Whatever must be done is in SQL and dispatched again from there, and all
// else is asked for again by reads, so a task that nobody came for is only in the way.
const keptFor = time.Hour

// How long a task that is kept waits for the next process to try: an eighth of its age, so
// that the other one of two gets it within seconds, and a queue full of them after a
// release was taken back costs little.
const (
	keptAtLeast = time.Second
	keptAtMost  = time.Minute
)

// headerAt is the header that says when a task was enqueued, in milliseconds since the
// epoch. asynq does not tell.
const headerAt = "at"

// kept decides on an error of a task with these headers: one that says that the task is
// for another process says no longer so, but that it is not to be tried again, when the
// task has been kept for long enough.
func kept(err error, headers map[string]string) error {
	if errors.Is(err, ErrElsewhere) && age(headers, time.Now()) >= keptFor {
		return fmt.Errorf("nobody came for it within %v: %w: %w", keptFor, err, asynq.SkipRetry)
	}
	return err
}

// stamped adds to headers, which may be nil, when the task was enqueued.
func stamped(headers map[string]string, at time.Time) map[string]string {
	all := make(map[string]string, len(headers)+1)
	maps.Copy(all, headers)
	all[headerAt] = strconv.FormatInt(at.UnixMilli(), 10)
	return all
}

// age returns how long ago a task was enqueued. One that does not say is from before tasks
// did, and as old as can be.
func age(headers map[string]string, now time.Time) time.Duration {
	at, err := strconv.ParseInt(headers[headerAt], 10, 64)
	if err != nil {
		return keptFor
	}
	return now.Sub(time.UnixMilli(at))
}

// keptDelay returns how long a task of some age that is kept waits for its next try, moved
// by spread as [retryDelay] is.
func keptDelay(age time.Duration, spread float64) time.Duration {
	return spreadOut(min(max(age/8, keptAtLeast), keptAtMost), spread)
}
