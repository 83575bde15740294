package sqlstore_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// observed records which statements began, and how many succeeded and failed. It leaves out those that
// set up a connection: a connection may be opened whenever the others are still busy.
type observed struct {
	mu         sync.Mutex
	statements []string
	well, bad  int
}

func (o *observed) begin(ctx context.Context, statement string) (context.Context, func(error)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !strings.HasPrefix(statement, "SET ") {
		o.statements = append(o.statements, statement)
	}
	return ctx, func(err error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if err != nil {
			o.bad++
			return
		}
		o.well++
	}
}

// count returns how many statements have begun.
func (o *observed) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.statements)
}

// openObserved opens a migrated database and returns the observer of its statements.
func openObserved(t *testing.T, b backend) (*sqlstore.Store, *observed) {
	t.Helper()
	o := &observed{}
	return b.openWith(t, sqlstore.WithBegin(o.begin)), o
}

func TestWithBegin_SeesStatementsWithoutValues(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s, o := openObserved(t, b)
		o.statements = nil
		for range 2 { // also of a statement that was kept
			_, err := s.UserByHandle(t.Context(), "somebody")
			must(t, err)
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		if len(o.statements) != 2 || o.well < 2 || o.bad != 0 {
			t.Errorf("of two statements %d were reported, %d as succeeded and %d as failed", len(o.statements), o.well, o.bad)
		}
		for _, text := range o.statements {
			if !strings.Contains(text, "users") || strings.Contains(text, "somebody") {
				t.Errorf("the statement is reported as %s", text)
			}
		}
	})
}
