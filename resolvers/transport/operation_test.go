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
			t.Errorf("with %s time, the request ends with its operation: %v", what, ctx.Err())
		}
		cancel()
	}
	long, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for what, ctx := range map[string]context.Context{"more": long, "any": t.Context()} {
		bounded, end := transport.Bounded(ctx)
		if by, ok := bounded.Deadline(); !ok || time.Until(by) > time.Minute {
			t.Errorf("with %s time, the deadline of the operation is %v", what, by)
		}
		end()
		if bounded.Err() == nil || ctx.Err() != nil {
			t.Errorf("with %s time, at its end the operation has the error %v and its request %v", what, bounded.Err(), ctx.Err())
		}
	}
}
