package guard

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

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
