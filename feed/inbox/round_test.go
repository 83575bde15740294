package inbox_test

import (
	"context"
	"strconv"
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

func TestTrimInboxes_RoundTakesLessThanDay(t *testing.T) {
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
