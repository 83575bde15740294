package sqlstore_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// A new device would be the oldest, and be dropped, if it had the time of a clock that was set back.
func TestMarkRead_NewestWinsAfterClockStepsBack(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		now := time.UnixMilli(noon)
		s := b.openWith(t, sqlstore.WithClock(func() time.Time { return now }))
		importAll(t, s, []feed.Record{{User: townUser(1)}})
		mark := func(device string, want int64) {
			t.Helper()
			p := feed.ReadPosition{Cursor: "cursor", SyncToken: "token"}
			at, err := s.MarkRead(t.Context(), 1, device, p, 2)
			must(t, err)
			p.At = want
			stored, err := s.ReadPosition(t.Context(), 1, device)
			must(t, err)
			same(t, at, want)
			same(t, stored, &p)
		}
		mark("phone", noon)
		mark("laptop", noon+1)
		now = now.Add(-time.Hour)
		mark("phone", noon+2)
		mark("tablet", noon+3)
		now = now.Add(2 * time.Hour)
		mark("phone", now.UnixMilli())
	})
}
