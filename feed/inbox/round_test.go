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
	// rounds counts the walks through all inboxes.
	rounds int
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
		m.rounds++
		return m.slice[:limit], "", nil
	}
	return m.slice[:limit], strconv.Itoa(at), nil
}

func (*manyInboxes) Trim(context.Context, []feed.UserID, int64) error { return nil }

type noDormant struct{ feed.Activity }

func (noDormant) Dormant(context.Context, []feed.UserID, time.Duration) ([]feed.UserID, error) {
	return nil, nil
}

func TestSimulation_TrimRoundTakesLessThanDay(t *testing.T) {
	for name, n := range map[string]int{"a thousand": 1000, "a million": 1_000_000, "a hundred million": 100_000_000} {
		v := fixture.New(t, func(p *feed.Policy) { p.UpkeepBatch = feed.DefaultPolicy().UpkeepBatch })
		all := &manyInboxes{n: n}
		m := v.Maintenance
		m.Trimmer, m.Activity, m.Pause = all, noDormant{}, 10*time.Second
		// The first round does not know the number, and the second does.
		for round := 1; round <= 2; round++ {
			began := v.Clock.Now()
			for all.rounds < round && v.Clock.Now().Sub(began) <= 24*time.Hour {
				v.Must(m.TrimInboxes(t.Context()))
				v.Clock.Advance(inbox.TrimInterval)
			}
			took := v.Clock.Now().Sub(began)
			t.Logf("round %d through %s inboxes takes %v", round, name, took)
			if took > 24*time.Hour {
				t.Errorf("round %d through %s inboxes takes more than a day", round, name)
			}
		}
	}
}

// removal is what a removal costs that waits for Redis: one round trip to another machine.
const removal = 500 * time.Microsecond

// allDormant says that the first viewer of each slice is dormant, who stands for all of them.
type allDormant struct{ feed.Activity }

func (allDormant) Dormant(_ context.Context, viewers []feed.UserID, _ time.Duration) ([]feed.UserID, error) {
	return viewers[:1], nil
}

// slowRemovals takes the time of a whole slice for the removal of its first inbox.
type slowRemovals struct {
	feed.Inboxes
	advance func()
}

func (s slowRemovals) Remove(context.Context, feed.UserID) error { s.advance(); return nil }

func TestSimulation_RemovalsTakeLessThanDay(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.UpkeepBatch = feed.DefaultPolicy().UpkeepBatch })
	all := &manyInboxes{n: 100_000_000}
	m := v.Maintenance
	m.Trimmer, m.Activity, m.Pause, m.RemovedAtOnce = all, allDormant{}, 10*time.Second, 8
	slice := time.Duration(v.Policy.UpkeepBatch) * removal / time.Duration(m.RemovedAtOnce)
	m.Inboxes = slowRemovals{m.Inboxes, func() { v.Clock.Advance(slice) }}
	began := v.Clock.Now()
	for all.rounds == 0 && v.Clock.Now().Sub(began) <= 24*time.Hour {
		v.Must(m.TrimInboxes(t.Context()))
		v.Clock.Advance(inbox.TrimInterval)
	}
	took := v.Clock.Now().Sub(began)
	t.Logf("the removal of all takes %v", took)
	if took > 24*time.Hour {
		t.Error("the removal of a hundred million inboxes takes more than a day")
	}
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
	for _, viewer := range []feed.UserID{ann, bob} {
		v.BuildInbox(viewer)
	}
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
