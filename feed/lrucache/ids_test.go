package lrucache_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

type countedIDs struct {
	feed.IDMap
	asked []feed.ExternalID
}

func (c *countedIDs) FindIDs(ctx context.Context, kind feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	c.asked = append(c.asked, ids...)
	return c.IDMap.FindIDs(ctx, kind, ids)
}

func TestIDs_AreReadOnce(t *testing.T) {
	inner := &countedIDs{IDMap: memstore.New(time.Now)}
	ids := lrucache.NewIDs(inner, 10, time.Now)
	drawn, err := ids.DrawIDs(t.Context(), feed.UserIDs, []feed.NumberedID{{ID: "a", Number: 5}})
	if err != nil || drawn[0] != 5 {
		t.Fatal(drawn, err)
	}
	for range 2 {
		found, err := ids.FindIDs(t.Context(), feed.UserIDs, []feed.ExternalID{"a", "b"})
		if err != nil || !slices.Equal(found, []int64{5, 0}) {
			t.Errorf("got %v, %v, want 5 and 0", found, err)
		}
		if found, err := ids.FindIDs(t.Context(), feed.PostIDs, []feed.ExternalID{"a"}); err != nil || found[0] != 0 {
			t.Errorf("the post a has number %v, %v, want 0", found, err)
		}
	}
	if want := []feed.ExternalID{"a", "a", "b", "a", "b", "a"}; !slices.Equal(inner.asked, want) {
		t.Errorf("the store was asked for %v, want %v: only ids that exist are cached", inner.asked, want)
	}
}
