package transport

import (
	"context"
	"testing"
	"time"
)

func TestBounded_LimitsTheTime(t *testing.T) {
	transport := New(Options{OperationWithin: time.Minute})
	for what, has := range map[string]time.Duration{"as much": time.Minute, "less": time.Second} {
		ctx, cancel := context.WithTimeout(t.Context(), has)
		bounded, end := transport.Bounded(ctx)
		end()
		if bounded != ctx || ctx.Err() != nil {
			t.Errorf("a request that has %s time ends with its operation, %v", what, ctx.Err())
		}
		cancel()
	}
	long, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for what, ctx := range map[string]context.Context{"more": long, "any": t.Context()} {
		bounded, end := transport.Bounded(ctx)
		if by, ok := bounded.Deadline(); !ok || time.Until(by) > time.Minute {
			t.Errorf("an operation whose request has %s time ends by %v", what, by)
		}
		end()
		if bounded.Err() == nil || ctx.Err() != nil {
			t.Errorf("at the end of an operation whose request has %s time it is %v, and the request %v", what, bounded.Err(), ctx.Err())
		}
	}
}
