package app

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
)

const (
	// proxyWarnFor keeps warnings about yesterday's traffic until the next morning.
	proxyWarnFor = 24 * time.Hour
	// proxySettledAfter is how long no process may have stored a doubt before one whose
	// settings settle it drops it. It exceeds proxyStoreEvery, so that processes with different
	// settings do not alternately drop and store it.
	proxySettledAfter = 2 * proxyStoreEvery
)

// observations are those of all processes on the database.
type observations interface {
	ObservedWithin(ctx context.Context, window time.Duration) ([]sqlstore.Observation, error)
	DropObservation(ctx context.Context, o sqlstore.Observation, unseenFor time.Duration) (dropped bool, err error)
}

// ProxyChecks returns a check per [gateway.Doubt], which warns if a server on the database had it
// within a day. Show the messages only to operators: they include the address of the proxy.
func ProxyChecks(store observations) []warnings.Check { return proxyChecks(store, true, nil) }

// proxyChecks returns the checks of [ProxyChecks]. names controls whether messages include the
// address. Issues for which settles returns true are dropped; nil drops none.
func proxyChecks(store observations, names bool, settles func(gateway.Doubt, netip.Addr) bool) []warnings.Check {
	doubts := []gateway.Doubt{gateway.UntrustedProxy, gateway.SilentProxy, gateway.AmbiguousProxy}
	checks := make([]warnings.Check, len(doubts))
	for i, d := range doubts {
		_, action := proxyAdvice(d)
		c := &proxyCheck{store: store, doubt: d, names: names, settles: settles}
		checks[i] = warnings.Check{Name: string(d), Action: action, Evaluate: c.look}
	}
	return checks
}

type proxyCheck struct {
	store   observations
	doubt   gateway.Doubt
	names   bool
	settles func(gateway.Doubt, netip.Addr) bool
	looked  bool // whether it has looked before
}

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

// settle drops an observation that the settings settle. The first look drops one of any age,
// because the operator probably changed the settings for it.
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
