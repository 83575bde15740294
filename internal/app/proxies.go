package app

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
)

const (
	// proxyLogEvery limits log lines per doubt, because strangers can cause doubts.
	proxyLogEvery = time.Hour
	// Storing an ongoing doubt every minute soon restores a warning that was dropped by mistake.
	proxyStoreEvery = time.Minute
)

// proxyWatch logs doubts about proxies and stores them for [ProxyChecks]. It is safe for concurrent use.
type proxyWatch struct {
	log   *slog.Logger
	now   func() time.Time
	store observer
	later func(func(context.Context))

	mu   sync.Mutex
	seen map[gateway.Doubt]sighting
}

// sighting is when a doubt was last logged and stored.
type sighting struct{ logged, stored time.Time }

// observer stores observations for all processes on the database.
type observer interface {
	Observe(ctx context.Context, o sqlstore.Observation) error
}

// newProxyWatch returns a watch that stores doubts in the background: later must call its
// argument soon, or drop it, without blocking.
func newProxyWatch(log *slog.Logger, now func() time.Time, store observer, later func(func(context.Context))) *proxyWatch {
	return &proxyWatch{log: log, now: now, store: store, later: later, seen: map[gateway.Doubt]sighting{}}
}

func (w *proxyWatch) doubted(ctx context.Context, d gateway.Doubt, peer netip.Addr) {
	logs, stores := w.due(d)
	if logs {
		what, action := proxyAdvice(d)
		w.log.WarnContext(ctx, what, "doubt", string(d), "peer", peer.String(), "action", action)
	}
	if stores {
		w.later(func(ctx context.Context) {
			if err := w.store.Observe(ctx, sqlstore.Observation{Name: string(d), Subject: peer.String()}); err != nil {
				w.log.DebugContext(ctx, "cannot store a doubt about a proxy", "doubt", string(d), "error", err)
			}
		})
	}
}

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

func proxyAdvice(d gateway.Doubt) (what, action string) {
	switch d {
	case gateway.UntrustedProxy:
		return "an untrusted address sends proxy headers; its clients share one budget",
			"add the address to TIDELINE_TRUSTED_PROXIES if it is your proxy"
	case gateway.SilentProxy:
		return "a trusted proxy does not name its client; its clients share one budget",
			"make the proxy set X-Forwarded-For, as in deploy/nginx, deploy/haproxy and deploy/caddy"
	case gateway.AmbiguousProxy:
		return "a trusted proxy sends X-Forwarded-For and Forwarded with different clients; such requests share one budget",
			"make the proxy set one of the two headers and remove the other"
	}
	return "", ""
}
