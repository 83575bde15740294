package tasks

import (
	"slices"
	"testing"
)

func TestNames_SpreadOverThirdsOfTheSlots(t *testing.T) {
	if got := namesOf("", true).pushes; !slices.Equal(got, []string{"push", "push-2", "push-3"}) {
		t.Errorf("the names are %v, which must never change", got)
	}
	if got := namesOf("", true).pushesLarge; !slices.Equal(got, []string{"push-large", "push-large-2", "push-large-4"}) {
		t.Errorf("the names are %v, which must never change", got)
	}
	for _, prefix := range []string{"", "blue:", "green:", "eu-1.feeds_"} {
		n := namesOf(prefix, true)
		for _, pushes := range [][]string{n.pushes, n.pushesLarge} {
			thirds := map[int]bool{}
			for _, name := range pushes {
				thirds[third(name)] = true
			}
			if len(thirds) != 3 || len(n.all()) != 9 || n.short(n.dispatch) != QueueDispatch {
				t.Errorf("the queues %v are in %d thirds", pushes, len(thirds))
			}
		}
	}
}
