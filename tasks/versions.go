package tasks

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/hibiken/asynq"
)

// PayloadVersion is the version of the payloads that this program writes. Raise it if the meaning
// of a field changes; a new field that old workers may ignore does not need it. Workers read all
// versions up to their own, because tasks enqueued before an upgrade are still there.
const PayloadVersion = 1

// ErrElsewhere is wrapped by the error of a handler if another process can do the work and this
// one cannot. The task is retried for [keptFor], and the tries do not count as failures.
var ErrElsewhere = errors.New("the task is kept for another process")

// keptFor is how long a task waits for a process that can do it: longer than a rolling upgrade.
// After that, SQL or the next read asks for the work again.
const keptFor = time.Hour

// The pause between tries of such a task is an eighth of its age, so that the right one of two
// processes gets it within seconds, and a queue full of them after a rollback costs little.
const (
	keptAtLeast = time.Second
	keptAtMost  = time.Minute
)

// headerAt is the header with the time of the enqueue, in milliseconds since the epoch; asynq
// does not store it.
const headerAt = "at"

// kept returns the error of a task with these headers. An [ErrElsewhere] that has lasted for
// keptFor becomes final.
func kept(err error, headers map[string]string) error {
	if errors.Is(err, ErrElsewhere) && age(headers, time.Now()) >= keptFor {
		return fmt.Errorf("no process took it within %v: %w: %w", keptFor, err, asynq.SkipRetry)
	}
	return err
}

// withTime returns headers, which may be nil, with the time of the enqueue.
func withTime(headers map[string]string, at time.Time) map[string]string {
	all := make(map[string]string, len(headers)+1)
	maps.Copy(all, headers)
	all[headerAt] = strconv.FormatInt(at.UnixMilli(), 10)
	return all
}

// age returns how long ago a task was enqueued. A task without the header counts as old.
func age(headers map[string]string, now time.Time) time.Duration {
	at, err := strconv.ParseInt(headers[headerAt], 10, 64)
	if err != nil {
		return keptFor
	}
	return now.Sub(time.UnixMilli(at))
}

// keptDelay returns the pause before the next try of a task of the given age, spread as by
// [retryDelay].
func keptDelay(age time.Duration, spread float64) time.Duration {
	return spreadOut(min(max(age/8, keptAtLeast), keptAtMost), spread)
}
