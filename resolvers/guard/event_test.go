package guard

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/graph"
)

// bustle runs operations and events in a synctest bubble until the test ends them.
type bustle struct {
	t *testing.T
	g *Guard
	// within is the timeout of an event.
	within time.Duration

	mu sync.Mutex
	// running has the names of what runs, in order; ended has the code with which each ended.
	running []string
	ended   map[string]string
	letGo   map[string]chan struct{}
}

func inBustle(t *testing.T, operationsMax int, test func(*bustle)) {
	synctest.Test(t, func(t *testing.T) {
		c := &bustle{t: t, within: time.Minute, ended: map[string]string{}, letGo: map[string]chan struct{}{}}
		c.g = New(graph.LoadSchema(), Options{OperationsMax: operationsMax, Hit: func(limit string) { c.note("hit", limit) }})
		test(c)
		for name := range c.letGo {
			c.end(name)
		}
	})
}

// begin starts an operation or event, and returns when it runs, waits or has ended.
func (c *bustle) begin(name string, operation ast.Operation) {
	letGo := make(chan struct{})
	run := func(context.Context) *graphql.Response {
		c.mu.Lock()
		c.running = append(c.running, name)
		c.mu.Unlock()
		<-letGo
		return &graphql.Response{Data: []byte(`{}`)}
	}
	go func() {
		ctx, cancel := context.WithTimeout(running(c.t, operation), c.within)
		defer cancel()
		if operation != ast.Subscription {
			c.note(name, codeOf(c.g.InterceptResponse(ctx, run).Errors))
			return
		}
		release := c.g.Slot(ctx)
		if release == nil {
			c.note(name, "no slot")
			return
		}
		if _, refused := c.g.Event(ctx, release, run); refused != nil {
			c.note(name, codeOf(gqlerror.List{refused}))
			return
		}
		c.note(name, "")
	}()
	c.letGo[name] = letGo
	synctest.Wait()
}

func (c *bustle) note(name, code string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended[name] = code
}

// codeOf returns the code of the first error; empty for none.
func codeOf(errs gqlerror.List) string {
	if len(errs) == 0 {
		return ""
	}
	code, _ := errs[0].Extensions["code"].(string)
	return code
}

// end ends an operation or event, and returns when all goroutines wait.
func (c *bustle) end(name string) {
	close(c.letGo[name])
	delete(c.letGo, name)
	synctest.Wait()
}

func (c *bustle) want(running []string, ended map[string]string) {
	c.t.Helper()
	if !cmp.Equal(c.running, running) || !cmp.Equal(c.ended, ended) {
		c.t.Errorf("there have run %v and ended %v, want %v and %v", c.running, c.ended, running, ended)
	}
}

// A client that misses an event would have to read its feed again.
func TestEvent_WaitsForASlot(t *testing.T) {
	inBustle(t, 1, func(c *bustle) {
		c.begin("query", ast.Query)
		c.begin("first", ast.Subscription)
		c.begin("second", ast.Subscription)
		c.want([]string{"query"}, map[string]string{})
		c.end("query")
		c.want([]string{"query", "first"}, map[string]string{"query": ""})
		c.end("first")
		c.want([]string{"query", "first", "second"}, map[string]string{"query": "", "first": ""})
		c.end("second")
		c.begin("last", ast.Query)
		c.want([]string{"query", "first", "second", "last"}, map[string]string{"query": "", "first": "", "second": ""})
	})
}

func TestEvent_WaitEndsWithContext(t *testing.T) {
	inBustle(t, 1, func(c *bustle) {
		c.begin("query", ast.Query)
		c.begin("event", ast.Subscription)
		<-time.After(c.within)
		synctest.Wait()
		c.want([]string{"query"}, map[string]string{"event": "no slot"})
		c.end("query")
		c.begin("next", ast.Subscription)
		c.want([]string{"query", "next"}, map[string]string{"event": "no slot", "query": ""})
	})
}

// Otherwise no client could read a feed while one post causes events for many.
func TestEvents_LeaveSlotsToQueries(t *testing.T) {
	inBustle(t, 4, func(c *bustle) {
		for _, name := range []string{"1", "2", "3", "4", "5", "6"} {
			c.begin(name, ast.Subscription)
		}
		c.begin("query", ast.Query)
		c.begin("mutation", ast.Mutation)
		c.want([]string{"1", "2", "query", "mutation"}, map[string]string{})
		c.begin("no room", ast.Query)
		c.end("2")
		c.want([]string{"1", "2", "query", "mutation", "3"}, map[string]string{"2": "", "no room": "UNAVAILABLE", "hit": LimitOperations})
	})
}

func TestEvent_PanicReleasesTheSlot(t *testing.T) {
	inBustle(t, 1, func(c *bustle) {
		func() {
			defer func() { _ = recover() }()
			ctx := running(c.t, ast.Subscription)
			_, _ = c.g.Event(ctx, c.g.Slot(ctx), func(context.Context) *graphql.Response { panic("out of order") })
		}()
		c.begin("event", ast.Subscription)
		c.want([]string{"event"}, map[string]string{})
	})
}

// Events must not wait for a store.
func TestEvent_GrantedByLocalBudgets(t *testing.T) {
	_, shared, p := newLedger()
	g := New(graph.LoadSchema(), Options{
		Budgets: p,
		Rates:   []Rate{{Name: "viewer", Quota: testQuota, Window: time.Minute, Key: func(context.Context) string { return "ann" }}},
	})
	ran := 0
	for range testDebtMax {
		_, refused := g.Event(running(t, ast.Subscription), func() {}, func(context.Context) *graphql.Response { ran++; return nil })
		if refused != nil {
			t.Fatal(refused)
		}
	}
	if asked := shared.asked.Load(); ran != testDebtMax || asked != 0 {
		t.Errorf("for %d events the shared budgets were called %d times", ran, asked)
	}
}
