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
// of a field changes. Workers read all versions up to their own.
const PayloadVersion = 1

// ErrElsewhere leaves a task to another process, for [keptFor]. Its tries are not failures.
var ErrElsewhere = errors.New("the task is kept for another process")

// keptFor is longer than a rolling upgrade. Then SQL or the next read asks for the work again.
const keptFor = time.Hour

// A kept task pauses for an eighth of its age: the right process gets it within seconds.
const (
	keptAtLeast = time.Second
	keptAtMost  = time.Minute
)

// headerAt has the time of the enqueue in Unix milliseconds, which asynq does not store.
const headerAt = "at"

// kept makes an [ErrElsewhere] that has lasted for keptFor final.
func kept(err error, headers map[string]string) error {
	if errors.Is(err, ErrElsewhere) && age(headers, time.Now()) >= keptFor {
		return fmt.Errorf("no process took it within %v: %w: %w", keptFor, err, asynq.SkipRetry)
	}
	return err
}

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

func keptDelay(age time.Duration, spread float64) time.Duration {
	return spreadOut(min(max(age/8, keptAtLeast), keptAtMost), spread)
}
