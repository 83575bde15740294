package app

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/internal/gateway"
)

// proxyLogEvery is how often the log has a line about one doubt: often enough to be found in
// the log of a day, and seldom enough not to fill it, because strangers can cause one.
const proxyLogEvery = time.Hour

// proxyWatch keeps what requests leave in doubt about the proxies before this process, and
// says so in the log. It is safe for concurrent use.
type proxyWatch struct {
	log *slog.Logger
	now func() time.Time

	mu   sync.Mutex
	seen map[gateway.Doubt]sighting
}

// sighting is when a doubt was last seen and last logged, and the proxy that it is about.
type sighting struct {
	at, logged time.Time
	peer       netip.Addr
}

func newProxyWatch(log *slog.Logger, now func() time.Time) *proxyWatch {
	return &proxyWatch{log: log, now: now, seen: map[gateway.Doubt]sighting{}}
}

// doubted notes a doubt of a request that came from peer.
func (w *proxyWatch) doubted(ctx context.Context, d gateway.Doubt, peer netip.Addr) {
	now := w.now()
	w.mu.Lock()
	s := w.seen[d]
	due := s.logged.IsZero() || now.Sub(s.logged) >= proxyLogEvery
	s.at, s.peer = now, peer
	if due {
		s.logged = now
	}
	w.seen[d] = s
	w.mu.Unlock()
	if due {
		what, action := proxyAdvice(d)
		w.log.WarnContext(ctx, what, "doubt", string(d), "peer", peer.String(), "action", action)
	}
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
