package tasks

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hibiken/asynq"
)

const (
	// ingestTimeout is for one batch.
	ingestTimeout = 30 * time.Second
	// ingestRetries spread over hours, so a task outlives an outage of the database.
	ingestRetries = 100
	// ingestMax is the number of records in a task, one transaction.
	ingestMax = 2000
)

// NewIngest returns a task with 1 to 2,000 change records, each a JSON object with a version, in
// any order. Enqueue it on the Redis of Tideline's queues. It is applied at least once, and bad
// records become dead letters. What Redis loses is not applied: enqueue it again.
func NewIngest(records ...json.RawMessage) (*asynq.Task, error) {
	if len(records) == 0 || len(records) > ingestMax {
		return nil, fmt.Errorf("a task has 1 to %d records, not %d", ingestMax, len(records))
	}
	raw, err := json.Marshal(payload{V: 1, Records: records})
	if err != nil {
		return nil, errors.Join(errors.New("a record is no JSON"), err)
	}
	return asynq.NewTask(TypeIngest, raw, asynq.Queue(QueueIngest), asynq.Timeout(ingestTimeout), asynq.MaxRetry(ingestRetries)), nil
}
