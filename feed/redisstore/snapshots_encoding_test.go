package redisstore

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

func TestSnapshotEncoding_RoundTrip(t *testing.T) {
	positive := rapid.Int64Range(1, math.MaxInt64)
	entry := rapid.Custom(func(t *rapid.T) live.Entry {
		return live.Entry{Host: feed.UserID(positive.Draw(t, "host")), Position: live.Position{
			State: rapid.SampledFrom([]live.State{live.Live, live.Upcoming}).Draw(t, "state"),
			At:    rapid.Int64Range(0, feed.MaxTime).Draw(t, "at"),
			ID:    live.ID(positive.Draw(t, "id")),
		}}
	})
	rapid.Check(t, func(t *rapid.T) {
		want := &live.Snapshot{
			Number: positive.Draw(t, "number"), Version: positive.Draw(t, "version"),
			Open: rapid.SliceOfN(entry, 0, 10).Draw(t, "open"),
		}
		raw := encodeSnapshot(*want)
		if diff := cmp.Diff(want, decodeSnapshot(raw), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("it is read as another one (-want +got):\n%s", diff)
		}
		for n := range raw {
			if got := decodeSnapshot(raw[:n]); got != nil {
				t.Errorf("%d of its %d bytes are read as %+v", n, len(raw), got)
			}
		}
	})
}

// The bytes are promised to processes of other versions: a change here needs a new
// version.
func TestSnapshotEncoding_StoredForm(t *testing.T) {
	got := encodeSnapshot(live.Snapshot{Number: 300, Version: 2, Open: []live.Entry{
		{Host: 7, Position: live.Position{State: live.Live, At: 60, ID: 5}},
		{Host: 8, Position: live.Position{State: live.Upcoming, At: 50, ID: 6}},
	}})
	want := []byte{1, 0xac, 2, 2, 2, 1, 120, 5, 7, 2, 19, 6, 8}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the bytes are others (-want +got):\n%s", diff)
	}
}
