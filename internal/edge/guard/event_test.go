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
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
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

type addressKey struct{}

// ofAddress returns the context of an operation of an address.
func ofAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// shared is a guard with eight slots, two per address. Operations run until the test releases them.
type shared struct {
	t        *testing.T
	g        *Guard
	hit      []string
	releases []func()
}

func newShared(t *testing.T) *shared {
	s := &shared{t: t}
	s.g = New(graph.LoadSchema(), Options{
		OperationsMax: 8,
		Holder:        func(ctx context.Context) string { address, _ := ctx.Value(addressKey{}).(string); return address },
		AfterWrite:    func(_ context.Context, release func()) bool { s.releases = append(s.releases, release); return true },
		Hit:           func(limit string) { s.hit = append(s.hit, limit) },
	})
	return s
}

// query executes a query of an address and returns the code of its response.
func (s *shared) query(address string) string {
	response := s.g.InterceptResponse(ofAddress(running(s.t, ast.Query), address), func(context.Context) *graphql.Response {
		return &graphql.Response{Data: []byte(`{}`)}
	})
	return codeOf(response.Errors)
}

func (s *shared) release() {
	for _, release := range s.releases {
		release()
	}
	s.releases = nil
}

func TestSlots_AddressHoldsAQuarter(t *testing.T) {
	s := newShared(t)
	got := []string{s.query("a"), s.query("a"), s.query("a"), s.query("b")}
	wantEqual(t, []string{"", "", string(apierror.RateLimited), ""}, got, "codes")
	wantEqual(t, []string{LimitOperations}, s.hit, "the limits that were hit")
}

func TestSlots_AreHeldUntilResponsesAreWritten(t *testing.T) {
	s := newShared(t)
	for _, address := range []string{"a", "a", "b", "b", "c", "c", "d", "d"} {
		wantEqual(t, "", s.query(address), "the code of the response to %s", address)
	}
	wantEqual(t, "UNAVAILABLE", s.query("e"), "the code while all slots are in use")
	s.release()
	wantEqual(t, "", s.query("a"), "the code after all responses were written")
	s.release()
	wantEqual(t, 0, s.g.slots.all.Used(), "the slots in use")
}

func TestSlots_LargestHolderLosesItsOldest(t *testing.T) {
	s := newShared(t)
	var evicted []string
	s.g.o.Evict = func(ctx context.Context) func() {
		return func() { evicted = append(evicted, s.g.o.Holder(ctx)) }
	}
	for _, address := range []string{"a", "b", "b", "c", "c", "d", "d", "a"} {
		wantEqual(t, "", s.query(address), "the code of the response to %s", address)
	}
	wantEqual(t, []string{"", "", "UNAVAILABLE"}, []string{s.query("user:1"), s.query("user:2"), s.query("user:2")}, "codes")
	wantEqual(t, []string{"a", "b"}, evicted, "the holders that lose an operation")
	s.release()
	wantEqual(t, 0, s.g.slots.all.Used(), "the slots in use")
}

// The client learns that its operation was cancelled, and not what that led to.
func TestSlots_EvictedOperationIsUnavailable(t *testing.T) {
	s := newShared(t)
	s.g.o.Evict = func(context.Context) func() { return func() {} }
	s.g.slots = newSlots(8, func(context.Context) string { return "" })
	response := s.g.InterceptResponse(running(t, ast.Query), func(ctx context.Context) *graphql.Response {
		for range 7 {
			s.query("a") //nolint:contextcheck // another operation
		}
		s.g.slots.all.Take("user:1", 1, nil)
		graphql.AddErrorf(ctx, "context canceled")
		return &graphql.Response{Data: []byte(`{"viewer":null}`)}
	})
	wantEqual(t, "UNAVAILABLE", codeOf(response.Errors), "the code")
	wantEqual(t, []int{1, 0}, []int{len(response.Errors), len(response.Data)}, "the number of errors, and the bytes of data")
}

// An address has one slot for events, so the second event waits.
func TestSlots_EventsOfAnAddressWaitForTheirOwn(t *testing.T) {
	s := newShared(t)
	event := func(ctx context.Context, address string) string {
		ctx = ofAddress(ctx, address)
		release := s.g.Slot(ctx)
		if release == nil {
			return "no slot"
		}
		if _, refused := s.g.Event(ctx, release, func(context.Context) *graphql.Response { return &graphql.Response{} }); refused != nil {
			return refused.Extensions["code"].(string)
		}
		return ""
	}
	ctx := running(t, ast.Subscription)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	got := []string{event(ctx, "a"), event(ended, "a"), s.query("a"), event(ctx, "b")}
	wantEqual(t, []string{"", "no slot", "", ""}, got, "codes")
	s.release()
	wantEqual(t, "", event(ctx, "a"), "the code after the event was written")
	s.release()
	wantEqual(t, 0, s.g.slots.all.Used(), "the slots in use")
}
