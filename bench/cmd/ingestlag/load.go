package main

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	// requestRecords is the maximum number of records in a request of the load.
	requestRecords = 500
	// requestsPerSecond is the minimum number of requests, unless the rate is lower.
	requestsPerSecond = 10
	// drainedLag is the lag of a post once no others wait before it.
	drainedLag = 150 * time.Millisecond
)

// records returns records of the load: a tenth are posts, the others change profiles. Each connection
// has authors of its own with their followers: so few users would else be changed twice at a time.
func (m *meter) records(connection, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		author := m.author(rand.IntN(authors/m.connections)*m.connections + connection)
		if i%10 == 0 {
			lines[i] = m.post(firstLoad+int(m.posts.Add(1)), author)
		} else {
			lines[i] = m.user(author + rand.IntN(m.followers+1))
		}
	}
	return lines
}

// capacity returns the records per second that the server can accept and fan out. All connections
// send one request after the other for a while. The time ends when posts arrive at once again.
func (m *meter) capacity(ctx context.Context, period time.Duration) (float64, error) {
	began := time.Now()
	err := m.together(ctx, func(ctx context.Context, connection int) error {
		for time.Since(began) < period && ctx.Err() == nil {
			if err := m.sendLoad(ctx, m.records(connection, requestRecords)); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	for lag := 2 * drainedLag; err == nil && lag > drainedLag; {
		lag, err = m.lag(ctx)
	}
	return float64(m.sent.Load()) / time.Since(began).Seconds(), err
}

// load sends records at a rate until ctx ends. A request waits for a free connection.
func (m *meter) load(ctx context.Context, rate float64) error {
	n := max(1, min(requestRecords, int(rate/requestsPerSecond)))
	tick := time.NewTicker(time.Duration(float64(n) / rate * float64(time.Second)))
	defer tick.Stop()
	err := m.together(ctx, func(running context.Context, connection int) error {
		for {
			select {
			case <-tick.C:
			case <-running.Done():
				return nil
			}
			if err := m.sendLoad(running, m.records(connection, n)); err != nil {
				return err
			}
		}
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (m *meter) sendLoad(ctx context.Context, lines []string) error {
	err := m.send(ctx, lines)
	if err == nil {
		m.sent.Add(int64(len(lines)))
	}
	return err
}

// together runs do once for each connection, and returns the first error, which ends all of them.
func (m *meter) together(ctx context.Context, do func(ctx context.Context, connection int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	for connection := range m.connections {
		group.Go(func() {
			if err := do(ctx, connection); err != nil {
				cancel(err)
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
