package redisstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

func TestLowestSlots_NameMasters(t *testing.T) {
	of := func(master string) []redis.ClusterNode { return []redis.ClusterNode{{ID: master}, {ID: "a replica"}} }
	got := lowestSlots([]redis.ClusterSlot{
		{Start: 12000, End: 16383, Nodes: of("c")},
		{Start: 9000, End: 11999, Nodes: of("a")},
		{Start: 5000, End: 5999, Nodes: of("b")},
		{Start: 6000, End: 8999},
		{Start: 0, End: 4999, Nodes: of("c")},
		{Start: 8000, End: 8999, Nodes: of("b")},
	})
	if diff := cmp.Diff([]int{0, 5000, 9000}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
