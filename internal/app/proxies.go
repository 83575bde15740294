package app

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/gateway"
)

const (
	// proxyLogEvery is how often the log has a line about one doubt: often enough to be
	// found in the log of a day, and seldom enough not to fill it, because strangers can
	// cause one.
	proxyLogEvery = time.Hour
	// proxyStoreEvery is how often a process stores that it still has a doubt: one small
	// write in a minute, so that a warning that was settled by mistake is soon back.
	proxyStoreEvery = time.Minute
)

// proxyWatch keeps what requests leave in doubt about the proxies before this process. It
// says so in the log, and stores it for [ProxyChecks]. It is safe for concurrent use.
type proxyWatch struct {
	log   *slog.Logger
	now   func() time.Time
	store observer
	later func(func(context.Context))

	mu   sync.Mutex
	seen map[gateway.Doubt]sighting
}

// sighting is when a doubt was last logged and last stored.
type sighting struct{ logged, stored time.Time }

// observer stores what a process has seen, for all processes of its database.
type observer interface {
	Observe(ctx context.Context, o sqlstore.Observation) error
}

// newProxyWatch returns a watch that stores doubts in the background: later must call a
// function soon, or never, without blocking.
func newProxyWatch(log *slog.Logger, now func() time.Time, store observer, later func(func(context.Context))) *proxyWatch {
	return &proxyWatch{log: log, now: now, store: store, later: later, seen: map[gateway.Doubt]sighting{}}
}

// doubted notes a doubt of a request that came from peer.
func (w *proxyWatch) doubted(ctx context.Context, d gateway.Doubt, peer netip.Addr) {
	logs, stores := w.due(d)
	if logs {
		what, action := proxyAdvice(d)
		w.log.WarnContext(ctx, what, "doubt", string(d), "peer", peer.String(), "action", action)
	}
	if stores {
		w.later(func(ctx context.Context) {
			if err := w.store.Observe(ctx, sqlstore.Observation{Name: string(d), Subject: peer.String()}); err != nil {
				w.log.DebugContext(ctx, "a doubt about a proxy could not be stored", "doubt", string(d), "error", err)
			}
		})
	}
}

// due returns whether to log and to store a doubt now, and counts that as done.
func (w *proxyWatch) due(d gateway.Doubt) (logs, stores bool) {
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.seen[d]
	dueAt := func(last *time.Time, every time.Duration) bool {
		if !last.IsZero() && now.Sub(*last) < every {
			return false
		}
		*last = now
		return true
	}
	logs, stores = dueAt(&s.logged, proxyLogEvery), dueAt(&s.stored, proxyStoreEvery)
	w.seen[d] = s
	return logs, stores
}

// proxyAdvice returns what is wrong where a doubt arises, and what to do.
func proxyAdvice(d gateway.Doubt) (what, action string) {
	switch d {
	case gateway.UntrustedProxy:
		return "requests with headers of a proxy come from an address that is not trusted; its clients share one budget",
			"name the address in TIDELINE_TRUSTED_PROXIES if it is your proxy"
	case gateway.SilentProxy:
		return "a trusted proxy does not say for which client it asks; its clients share one budget",
			"have the proxy set X-Forwarded-For; deploy/nginx, deploy/haproxy and deploy/caddy show how"
	case gateway.AmbiguousProxy:
		return "a trusted proxy sends X-Forwarded-For and Forwarded that differ; such requests share one budget",
			"have the proxy set one of the two headers and remove the other"
	}
	return "", ""
}
