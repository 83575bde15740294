package feed_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// heldPlans stores the plan of one content when it is told to go on.
type heldPlans struct {
	feed.Plans
	content feed.ContentID
	goOn    chan struct{}
}

func (p heldPlans) StorePlan(ctx context.Context, plan feed.Plan, dueAt int64) ([]feed.SliceRef, error) {
	if plan.Content == p.content {
		<-p.goOn
	}
	return p.Plans.StorePlan(ctx, plan, dueAt)
}

// pushed notes whose subtasks are enqueued, in their order.
type pushed struct {
	feed.Queue
	mu       sync.Mutex
	contents []feed.ContentID
}

func (q *pushed) Push(_ context.Context, ds []feed.Dispatchable[feed.SliceRef]) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.contents = append(q.contents, ds[0].Ref.Content)
	return nil
}

// are fails the test unless those have been enqueued.
func (q *pushed) are(t *testing.T, when string, want ...feed.ContentID) {
	t.Helper()
	synctest.Wait()
	q.mu.Lock()
	defer q.mu.Unlock()
	same(t, "what is enqueued "+when, q.contents, want...)
}

// orderPatience is how long the tests have contents wait for those before them.
const orderPatience = time.Minute

// inOrder has contents 1 and 2 by star and 3 by moon be dispatched one while the others are,
// and the first be planned when it is told to go on. It hands over what is enqueued.
func inOrder(t *testing.T, act func(t *testing.T, q *pushed, goOn func())) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		v := newTown(t)
		v.follow(ann, star, moon)
		v.post(star, 1, 2)
		v.post(moon, 3)
		q, held := &pushed{Queue: v.Queue}, heldPlans{v.Fanout.Plans, 1, make(chan struct{})}
		v.Fanout.Queue, v.Fanout.Plans, v.Fanout.Policy.OrderPatience = q, held, orderPatience
		for _, content := range []feed.ContentID{1, 2, 3} {
			go func() {
				if err := v.Fanout.Dispatch(t.Context(), content); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
		}
		act(t, q, func() { close(held.goOn) })
	})
}

func TestAnAuthorsContentsAreEnqueuedInTheirOrder(t *testing.T) {
	inOrder(t, func(t *testing.T, q *pushed, goOn func()) {
		t.Helper()
		q.are(t, "while the first is planned", 3)
		goOn()
		q.are(t, "in the end", 3, 1, 2)
	})
}

func TestNobodyWaitsForLongForAContentThatIsNotPlanned(t *testing.T) {
	inOrder(t, func(t *testing.T, q *pushed, goOn func()) {
		t.Helper()
		<-time.After(orderPatience)
		q.are(t, "when patience is at its end", 3, 2)
		goOn()
		q.are(t, "in the end", 3, 2, 1)
	})
}
