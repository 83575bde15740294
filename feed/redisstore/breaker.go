package redisstore

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/circuit"
)

const (
	// readWithin is how long a read of an inbox may take, which takes Redis less than a
	// millisecond. A lost packet is sent again after 200 ms, and after 400 ms more, so
	// one may be lost. A page that has waited longer is better served by the reference query,
	// which takes tens of milliseconds.
	readWithin = time.Second
	// restFor is how long a server that did not serve is not asked again: of a Redis
	// that hangs, one read a second notices, and its return is noticed within a second.
	restFor = time.Second
)

// breaker spares calls the wait for a server that does not serve. After a call that got no
// answer, or an answer that means "not now" (see [notNow]), further calls to that server fail
// at once, except for one every restFor, until one is served. Where the answer concerns one
// slot of a Cluster, this holds for the slot and not for the server.
//
// Reads and writes need breakers of their own: a Redis that is full refuses writes and serves
// reads.
type breaker struct {
	circuits *circuit.Breaker
	within   time.Duration
}

// newBreaker returns a breaker of calls that may take as long as within.
func newBreaker(now feed.Clock, within time.Duration) *breaker {
	return &breaker{circuits: circuit.New(now, restFor), within: within}
}

// call calls do with a context that ends in time, and returns its error. If the circuit of the
// target is open, it returns an error that is [circuit.ErrOpen] instead.
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

// target is what a call goes to.
type target struct {
	// server is the address of the master that has the key, as far as the client knows; empty
	// where there is one server.
	server string
	// slot names the slot of the key; empty where there are no slots, and for calls that
	// concern several keys.
	slot string
}

// targetOf returns the target of calls that concern one key.
func targetOf(ctx context.Context, r redis.UniversalClient, key string) target {
	at := target{server: serverOf(ctx, r, key)}
	if _, sharded := r.(*redis.ClusterClient); sharded {
		at.slot = "slot " + strconv.Itoa(slotOf(key))
	}
	return at
}

// keys returns the keys of its circuits: the server's, and the slot's if there is one.
func (at target) keys() []string {
	if at.slot == "" {
		return []string{at.server}
	}
	return []string{at.server, at.slot}
}

// outcomes returns what the error of a call says about its server and its slot. A caller that
// gave up says nothing.
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
