package fanout_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// heldPlans stores the plans of some contents when it is told to go on.
type heldPlans struct {
	feed.Plans
	goOn map[feed.ContentID]chan struct{}
}

func (p heldPlans) StorePlan(ctx context.Context, plan feed.Plan, dueAt int64) ([]feed.SliceRef, error) {
	if goOn := p.goOn[plan.Content]; goOn != nil {
		<-goOn
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
	fixture.Same(t, "what is enqueued "+when, q.contents, want...)
}

// orderPatience is how long the tests have contents wait for those before them.
const orderPatience = time.Minute

// dispatching has contents 1, 2 and 4 by star and 3 by moon be dispatched in some order, each
// while those before it are, and 1 and 2 be planned when they are told to go on. It hands over
// what is enqueued.
func dispatching(t *testing.T, order []feed.ContentID, act func(t *testing.T, q *pushed, goOn func(feed.ContentID))) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		v := fixture.New(t)
		v.Follow(ann, star, moon)
		v.Post(star, 1, 2, 4)
		v.Post(moon, 3)
		held := heldPlans{v.Fanout.Plans, map[feed.ContentID]chan struct{}{1: make(chan struct{}), 2: make(chan struct{})}}
		q := &pushed{Queue: v.Queue}
		v.Fanout.Queue, v.Fanout.Plans, v.Fanout.Policy.OrderPatience = q, held, orderPatience
		for _, content := range order {
			go func() {
				if err := v.Fanout.Dispatch(t.Context(), content); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
		}
		act(t, q, func(content feed.ContentID) { close(held.goOn[content]) })
	})
}

func TestAnAuthorsContentsAreEnqueuedInTheirOrder(t *testing.T) {
	dispatching(t, []feed.ContentID{1, 4, 3}, func(t *testing.T, q *pushed, goOn func(feed.ContentID)) {
		t.Helper()
		q.are(t, "while the first is planned", 3)
		goOn(1)
		q.are(t, "in the end", 3, 1, 4)
	})
}

// Which of them is told first what it is about does not matter: nobody is enqueued while an
// older one is planned, also if that one came second.
func TestAContentThatComesLateIsEnqueuedBeforeThoseThatAreNewer(t *testing.T) {
	dispatching(t, []feed.ContentID{1, 4, 2}, func(t *testing.T, q *pushed, goOn func(feed.ContentID)) {
		t.Helper()
		q.are(t, "while the first and the second are planned")
		goOn(1)
		q.are(t, "while the second is planned", 1)
		goOn(2)
		q.are(t, "in the end", 1, 2, 4)
	})
}

func TestNobodyWaitsForLongForAContentThatIsNotPlanned(t *testing.T) {
	dispatching(t, []feed.ContentID{1, 4, 3}, func(t *testing.T, q *pushed, goOn func(feed.ContentID)) {
		t.Helper()
		<-time.After(orderPatience)
		q.are(t, "when patience is at its end", 3, 4)
		goOn(1)
		q.are(t, "in the end", 3, 4, 1)
	})
}
