package guard

import (
	"context"
	"sync"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/fairshare"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

// slots are semaphores for operations and events, in total and for each address.
type slots struct {
	slotPair
	// address returns the address of an operation; nil for no limit per address.
	address func(context.Context) string
	share   int

	mu        sync.Mutex
	addresses map[string]*addressSlots // those with holders or waiters
}

// slotPair has an element in all for each running operation and event, and one in events for each
// event that runs or is next. One post can cause ten thousand events at once. Events hold at most
// half of the slots, so that queries still run.
type slotPair struct{ all, events chan struct{} }

type addressSlots struct {
	slotPair
	users int // holders and waiters
}

func newSlots(n int, address func(context.Context) string) *slots {
	return &slots{
		slotPair: newSlotPair(n), address: address,
		share: fairshare.OfAddress(n), addresses: map[string]*addressSlots{},
	}
}

func newSlotPair(n int) slotPair {
	return slotPair{all: make(chan struct{}, n), events: make(chan struct{}, max(1, n/2))}
}

// of returns the slots of an operation's address, until leave is called.
func (s *slots) of(ctx context.Context) (a *addressSlots, leave func()) {
	address := s.address(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	a = s.addresses[address]
	if a == nil {
		a = &addressSlots{slotPair: newSlotPair(s.share)}
		s.addresses[address] = a
	}
	a.users++
	return a, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if a.users--; a.users == 0 {
			delete(s.addresses, address)
		}
	}
}

// try takes a slot for an operation, or returns an error if none is free.
func (s *slots) try(ctx context.Context) (release func(), full *gqlerror.Error) {
	wanted, leave := []chan struct{}{s.all}, func() {}
	if s.address != nil {
		a, done := s.of(ctx)
		wanted, leave = []chan struct{}{a.all, s.all}, done
	}
	for i, slot := range wanted {
		select {
		case slot <- struct{}{}:
		default:
			giveBack(wanted[:i], leave)
			if slot == s.all {
				return nil, apierror.New(feed.CodeUnavailable, busy)
			}
			return nil, apierror.New(apierror.RateLimited, addressBusy)
		}
	}
	return func() { giveBack(wanted, leave) }, nil
}

// wait takes a slot for an event, in the order of calls; nil if ctx is done before one is free.
func (s *slots) wait(ctx context.Context) (release func()) {
	wanted, leave := []chan struct{}{s.events, s.all}, func() {}
	if s.address != nil {
		a, done := s.of(ctx)
		// An event that waits for its address must not hold up those of others.
		wanted, leave = []chan struct{}{a.events, a.all, s.events, s.all}, done
	}
	for i, slot := range wanted {
		select {
		case slot <- struct{}{}:
		case <-ctx.Done():
			giveBack(wanted[:i], leave)
			return nil
		}
	}
	return func() { giveBack(wanted, leave) }
}

func giveBack(held []chan struct{}, leave func()) {
	for _, slot := range held {
		<-slot
	}
	leave()
}
