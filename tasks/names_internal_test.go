package tasks

import (
	"slices"
	"testing"
)

func TestNames_SpreadOverThirdsOfTheSlots(t *testing.T) {
	if got := namesOf("", true).pushes; !slices.Equal(got, []string{"push", "push-2", "push-3"}) {
		t.Errorf("the names are %v, which must never change", got)
	}
	for _, prefix := range []string{"", "blue:", "green:", "eu-1.feeds_"} {
		n := namesOf(prefix, true)
		thirds := map[int]bool{}
		for _, name := range n.pushes {
			thirds[third(name)] = true
		}
		if len(thirds) != 3 || len(n.all()) != 5 || n.short(n.dispatch) != QueueDispatch {
			t.Errorf("the queues %v are in %d thirds", n.all(), len(thirds))
		}
	}
}
