package resolvers_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/resolvers/guard"
)

// failingBudgets are shared budgets whose server does not respond.
type failingBudgets struct{}

func (failingBudgets) Spend(context.Context, string, int, int, time.Duration) (int, time.Duration, error) {
	return 0, 0, errors.New("no response")
}

// newPersistedWorld returns a server whose clients are viewers, and its clock.
func newPersistedWorld(t *testing.T, texts guard.Texts, budgets guard.Budgets) (*world, *time.Time) {
	t.Helper()
	now := time.Date(2024, 5, 17, 12, 0, 0, 0, time.UTC)
	w := newWorld(t, func(d *resolvers.Deps) {
		d.Guard.Texts, d.Guard.Budgets = texts, budgets
		d.Guard.Now = func() time.Time { return now }
		d.Guard.Holder = func(ctx context.Context) string { return resolvers.ViewerFrom(ctx).String() }
	})
	return w, &now
}

// register sends a query with its hash as a viewer.
func (w *world) register(viewer feed.UserID, query string) {
	w.t.Helper()
	body := must(json.Marshal(map[string]any{"query": query, "extensions": persisted(hashOf(query))}))
	wantEqual(w.t, []string(nil), decoded(w.t, w.sendBody(viewer, body)).codes(), "the codes for %.40s", query)
}

// isStored reports whether the server runs a query by its hash alone.
func (w *world) isStored(query string) bool {
	w.t.Helper()
	got := decoded(w.t, w.sendBody(1, must(json.Marshal(map[string]any{"extensions": persisted(hashOf(query))}))))
	return len(got.Errors) == 0
}

// tinyQuery returns the n-th of many different short queries.
func tinyQuery(n int) string { return fmt.Sprintf("{a%d:__typename}", n) }

func TestPersisted_OneClientEvictsNoOther(t *testing.T) {
	for name, budgets := range map[string]guard.Budgets{"budgets of the process": nil, "shared budgets that fail": failingBudgets{}} {
		t.Run(name, func(t *testing.T) {
			w, _ := newPersistedWorld(t, nil, budgets)
			w.register(2, benName)
			for n := range 1100 { // the process keeps 1,000
				w.register(1, tinyQuery(n))
			}
			if !w.isStored(benName) {
				t.Error("the query of another client is evicted")
			}
		})
	}
}

func TestPersisted_QuotaBoundsTheSharedStore(t *testing.T) {
	for name, c := range map[string]struct {
		query func(n int) string
		most  int
	}{
		"tiny texts": {tinyQuery, 126},
		"long texts": {func(n int) string { return tinyQuery(n) + strings.Repeat(" ", 16_000) }, 14},
	} {
		t.Run(name, func(t *testing.T) {
			shared := &sharedTexts{texts: map[string]string{}}
			w, now := newPersistedWorld(t, shared, nil)
			for n := range 200 {
				w.register(1, c.query(n))
			}
			wantEqual(t, c.most, len(shared.texts), "the number of stored texts")
			w.register(2, benName)
			if !w.isStored(benName) {
				t.Error("the query of a client with quota left is not stored")
			}
			*now = now.Add(24 * time.Hour)
			w.register(1, c.query(200))
			if !w.isStored(c.query(200)) {
				t.Error("the query is not stored a day later")
			}
		})
	}
}

func TestPersisted_KnownTextCostsNoQuota(t *testing.T) {
	w, _ := newPersistedWorld(t, nil, nil)
	for range 200 {
		w.register(1, benName)
	}
	w.register(1, tinyQuery(1))
	if !w.isStored(tinyQuery(1)) {
		t.Error("repeating a stored query spends the quota")
	}
}
