package app

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/warnings"
)

const (
	// proxyWarnFor is how long the warning lasts after a doubt was last stored: in the
	// morning it still tells what the traffic of the day before showed.
	proxyWarnFor = 24 * time.Hour
	// proxySettledAfter is how long no process may have stored a doubt before one whose
	// settings settle it drops it. It is longer than a process that has the doubt waits to
	// store it again: processes whose settings differ do not drop and store it in turns.
	proxySettledAfter = 2 * proxyStoreEvery
)

// observations are what processes of one database have seen.
type observations interface {
	ObservedWithin(ctx context.Context, window time.Duration) ([]sqlstore.Observation, error)
	DropObservation(ctx context.Context, o sqlstore.Observation, unseenFor time.Duration) (dropped bool, err error)
}

// ProxyChecks returns a check for each [gateway.Doubt], which warns if a server of the
// database had it within a day. The messages name the address of the proxy, so they are for
// operators only.
func ProxyChecks(store observations) []warnings.Check { return proxyChecks(store, true, nil) }

// proxyChecks returns the checks of [ProxyChecks]. names says whether messages name the
// address. A doubt that settles accepts is dropped; nil accepts none.
func proxyChecks(store observations, names bool, settles func(gateway.Doubt, netip.Addr) bool) []warnings.Check {
	doubts := []gateway.Doubt{gateway.UntrustedProxy, gateway.SilentProxy, gateway.AmbiguousProxy}
	checks := make([]warnings.Check, len(doubts))
	for i, d := range doubts {
		_, action := proxyAdvice(d)
		c := &proxyCheck{store: store, doubt: d, names: names, settles: settles}
		checks[i] = warnings.Check{Name: string(d), Action: action, Look: c.look}
	}
	return checks
}

// proxyCheck looks for one doubt.
type proxyCheck struct {
	store   observations
	doubt   gateway.Doubt
	names   bool
	settles func(gateway.Doubt, netip.Addr) bool
	looked  bool // whether it has looked before
}

// look implements [warnings.Check].
func (c *proxyCheck) look(ctx context.Context) (string, error) {
	all, err := c.store.ObservedWithin(ctx, proxyWarnFor)
	if err != nil {
		return "", err
	}
	first := !c.looked
	c.looked = true
	i := slices.IndexFunc(all, func(o sqlstore.Observation) bool { return o.Name == string(c.doubt) })
	if i < 0 {
		return "", nil
	}
	if settled, err := c.settle(ctx, all[i], first); settled || err != nil {
		return "", err
	}
	what, _ := proxyAdvice(c.doubt)
	if c.names {
		what += fmt.Sprintf(" (last seen from %s)", all[i].Subject)
	}
	return what, nil
}

// settle drops an observation that the settings of this process settle, and reports whether
// it did. At the first look it drops one of any age: the process was probably started with
// other settings because of it.
func (c *proxyCheck) settle(ctx context.Context, o sqlstore.Observation, first bool) (bool, error) {
	peer, err := netip.ParseAddr(o.Subject)
	if c.settles == nil || err != nil || !c.settles(c.doubt, peer) {
		return false, nil
	}
	if first {
		return c.store.DropObservation(ctx, o, 0)
	}
	return c.store.DropObservation(ctx, o, proxySettledAfter)
}
