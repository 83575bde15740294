package sqlstore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// Each store stands for a process. The lists overlap and are in different orders.
func TestDrawIDs_ProcessesAgree(t *testing.T) {
	for _, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := emptyTemplate.url(t, name)
			stores := []*sqlstore.Store{opened(t, url), opened(t, url), opened(t, url), opened(t, url)}
			ids := func(i int) []feed.NumberedID {
				list := make([]feed.NumberedID, 500)
				for n := range list {
					list[n].ID = feed.ExternalID(fmt.Sprintf("b5fd1b53-6a3c-4f0e-8b1a-%012d", n*7%500+i))
				}
				if i%2 == 1 {
					slices.Reverse(list)
				}
				return list
			}
			drawn, errs := atOnce(len(stores), func(i int) ([]int64, error) {
				return stores[i].DrawIDs(t.Context(), feed.UserIDs, ids(i))
			})
			for i, err := range errs {
				must(t, err)
				again, err := stores[(i+1)%len(stores)].DrawIDs(t.Context(), feed.UserIDs, ids(i))
				if err != nil || !slices.Equal(again, drawn[i]) || slices.Contains(again, 0) {
					t.Errorf("process %d has other numbers than the next (error %v)", i, err)
				}
			}
		})
	}
}
