package redisstore

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/circuit"
	"github.com/tideline-feeds/tideline/internal/kit/hashslot"
)

const (
	// readWithin limits a read of an inbox. TCP repeats a lost packet after 200 ms and again after
	// 400 ms, so one may be lost. After that the reference query is faster.
	readWithin = time.Second
	// restFor is the pause before a failing server is tried again.
	restFor = time.Second
)

// breaker is a circuit breaker for calls to Redis servers. After a call without a reply, or with a
// reply of [notNow], it lets one call per restFor through until one succeeds. A reply that concerns
// one slot of a Cluster stops only the calls for that slot. Reads and writes need separate
// breakers: a full Redis refuses writes and serves reads.
type breaker struct {
	circuits *circuit.Breaker
	within   time.Duration
}

func newBreaker(now feed.Clock, within time.Duration) *breaker {
	return &breaker{circuits: circuit.New(now, restFor), within: within}
}

// call runs do with a limited context. If the circuit of the target is open, the error is
// [circuit.ErrOpen].
func (b *breaker) call(ctx context.Context, at target, do func(context.Context) error) error {
	for _, key := range at.keys() {
		if err := b.circuits.Allow(key); err != nil {
			return err
		}
	}
	bounded, cancel := context.WithTimeout(ctx, b.within)
	defer cancel()
	err := do(bounded)
	outcomes := at.outcomes(ctx, err)
	for i, key := range at.keys() {
		b.circuits.Report(key, outcomes[i], err)
	}
	return err
}

type target struct {
	// server is that of [serverOf].
	server string
	// slot is empty if there are no slots, and for calls with several keys.
	slot string
}

func targetOf(ctx context.Context, r redis.UniversalClient, key string) target {
	at := target{server: serverOf(ctx, r, key)}
	if _, sharded := r.(*redis.ClusterClient); sharded {
		at.slot = "slot " + strconv.Itoa(hashslot.Of(key))
	}
	return at
}

func (at target) keys() []string {
	if at.slot == "" {
		return []string{at.server}
	}
	return []string{at.server, at.slot}
}

// outcomes returns what an error says about server and slot. A caller that gave up says nothing.
func (at target) outcomes(ctx context.Context, err error) [2]circuit.Outcome {
	switch reach := notNow(err); {
	case err == nil:
		return [2]circuit.Outcome{circuit.Working, circuit.Working}
	case reach == slotOnly && at.slot != "":
		return [2]circuit.Outcome{circuit.Working, circuit.Failing}
	case reach == slotOnly && at.server != "":
		return [2]circuit.Outcome{} // one of the keys lies in such a slot
	case reach != servesNow:
		return [2]circuit.Outcome{circuit.Failing}
	case answered(err):
		return [2]circuit.Outcome{circuit.Working, circuit.Working}
	case ended(ctx) != nil:
		return [2]circuit.Outcome{}
	}
	return [2]circuit.Outcome{circuit.Failing}
}
