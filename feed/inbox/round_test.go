package inbox_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/inbox"
)

// manyInboxes pretends that there are n inboxes of one user.
type manyInboxes struct {
	n     int
	slice []feed.UserID
	// walked counts the walks through all inboxes.
	walked int
}

func (m *manyInboxes) Walk(_ context.Context, cursor string, limit int) (viewers []feed.UserID, next string, err error) {
	at := 0
	if cursor != "" {
		if at, err = strconv.Atoi(cursor); err != nil {
			return nil, "", err
		}
	}
	for len(m.slice) < limit {
		m.slice = append(m.slice, ann)
	}
	if at += limit; at >= m.n {
		m.walked++
		return m.slice[:limit], "", nil
	}
	return m.slice[:limit], strconv.Itoa(at), nil
}

func (*manyInboxes) Trim(context.Context, []feed.UserID, int64) error { return nil }

// dormantFirst says that the first viewers of each slice are dormant.
type dormantFirst struct {
	feed.Activity
	n int
}

func (d dormantFirst) Dormant(_ context.Context, viewers []feed.UserID, _ time.Duration) ([]feed.UserID, error) {
	return viewers[:d.n], nil
}

// rounds walks n rounds through the inboxes, each of which must take less than a day.
func (m *manyInboxes) rounds(v fixture.Service, n int) {
	v.Helper()
	v.Maintenance.Trimmer, v.Maintenance.Pause = m, 10*time.Second
	for round := 1; round <= n; round++ {
		began := v.Clock.Now()
		for m.walked < round && v.Clock.Now().Sub(began) <= 24*time.Hour {
			v.Must(v.Maintenance.TrimInboxes(v.Context()))
			v.Clock.Advance(inbox.TrimInterval)
		}
		took := v.Clock.Now().Sub(began)
		v.Logf("round %d through %d inboxes takes %v", round, m.n, took)
		if took > 24*time.Hour {
			v.Errorf("round %d through %d inboxes takes more than a day", round, m.n)
		}
	}
}

// largeBatches sets the size of the batches of upkeep to the default.
func largeBatches(p *feed.Policy) { p.UpkeepBatch = feed.DefaultPolicy().UpkeepBatch }

func TestSimulation_TrimRoundTakesLessThanDay(t *testing.T) {
	for _, n := range []int{1000, 1_000_000, 100_000_000} {
		v := fixture.New(t, largeBatches)
		v.Maintenance.Activity = dormantFirst{}
		// The first round does not know the number, and the second does.
		(&manyInboxes{n: n}).rounds(v, 2)
	}
}

// removal is what a removal costs that waits for Redis: one round trip to another machine.
const removal = 500 * time.Microsecond

// slowRemovals takes the time of a whole slice for the removal of its first inbox.
type slowRemovals struct {
	feed.Inboxes
	advance func()
}

func (s slowRemovals) Remove(context.Context, feed.UserID) error { s.advance(); return nil }

func TestSimulation_RemovalsTakeLessThanDay(t *testing.T) {
	v := fixture.New(t, largeBatches)
	m := v.Maintenance
	m.Activity, m.RemovedAtOnce = dormantFirst{n: 1}, 8
	slice := time.Duration(v.Policy.UpkeepBatch) * removal / time.Duration(m.RemovedAtOnce)
	m.Inboxes = slowRemovals{m.Inboxes, func() { v.Clock.Advance(slice) }}
	(&manyInboxes{n: 100_000_000}).rounds(v, 1)
}

// meeting lets a removal wait until another one runs. The fixture's inboxes are for one goroutine, so
// they are removed one after the other then.
type meeting struct {
	feed.Inboxes
	other chan struct{}
	one   *sync.Mutex
}

func (m meeting) Remove(ctx context.Context, viewer feed.UserID) error {
	select {
	case m.other <- struct{}{}:
	case <-m.other:
	case <-ctx.Done():
		return ctx.Err()
	}
	m.one.Lock()
	defer m.one.Unlock()
	return m.Inboxes.Remove(ctx, viewer)
}

func TestTrimInboxes_RemovesSeveralAtOnce(t *testing.T) {
	v := fixture.New(t)
	v.BuildInbox(ann)
	v.BuildInbox(bob)
	v.Clock.Advance(v.Policy.ActiveFor + v.Policy.DormantFor + time.Hour)
	v.EndLeases()
	m := v.Maintenance
	m.RemovedAtOnce, m.Inboxes = 2, meeting{m.Inboxes, make(chan struct{}), &sync.Mutex{}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only if they wait for each other
	defer cancel()
	v.Must(m.TrimInboxes(ctx))
	if left := v.Entries(ann); len(left) != 0 {
		t.Errorf("the inbox has %v", left)
	}
}
