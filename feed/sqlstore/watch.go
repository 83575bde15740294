package sqlstore

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// watch detects a server that accepts connections and statements but sends nothing, such as a stuck
// machine, or one that a proxy has lost. A single connection cannot tell it from a slow server. So
// if one has waited for long and none has received anything, the watch probes the server by a new
// connection. Until a probe succeeds, it closes all connections and refuses new ones, so that
// callers fail at once.
//
// Hosts are watched by address. A URL may name several hosts, and a name may have several
// addresses: a silent one must not delay connecting to another, and a response of another must not
// keep its callers waiting.
type watch struct {
	config    pgconn.Config
	silentFor time.Duration
	dialer    *net.Dialer
	began     time.Time
	stop      context.CancelFunc
	done      sync.WaitGroup

	mu sync.Mutex
	// hosts are the addresses that connections were requested for.
	hosts map[string]*host
}

// host is the state of one address. All fields but heard are guarded by watch.mu.
type host struct {
	network, address string
	// heard is when anything was last received from the host, and wanted when a connection to it
	// was last requested, on the clock of the watch.
	heard  atomic.Int64
	wanted int64
	conns  map[*watchedConn]struct{}
	// doubted says that a connection attempt was slow and failed, probed that a probe is running,
	// and away that the last probe failed.
	doubted, probed, away bool
}

// errSilent refuses connections while the server is away.
var errSilent = errors.New("it does not answer")

// forgottenAfter is when the watch forgets an address without connections or requests. A name may
// have changed its addresses for good; a server that is away gets requests all the time.
const forgottenAfter = time.Minute

// newWatch returns a watch, not started, over the server of config.
func newWatch(config pgconn.Config, silentFor time.Duration, dialer *net.Dialer) *watch {
	return &watch{config: config, silentFor: silentFor, dialer: dialer, began: time.Now(), hosts: map[string]*host{}}
}

// start watches until [watch.close].
func (w *watch) start(ctx context.Context) {
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	w.done.Go(func() {
		ticker := time.NewTicker(w.silentFor / 2)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				w.check(ctx)
			}
		}
	})
}

func (w *watch) close() {
	w.stop()
	w.done.Wait()
}

// check starts a probe of every suspect host, each on its own goroutine.
func (w *watch) check(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for address, h := range w.hosts {
		switch {
		case h.probed:
		case len(h.conns) == 0 && h.wanted < w.now()-forgottenAfter.Nanoseconds():
			delete(w.hosts, address)
		case w.suspects(h):
			h.probed = true
			w.done.Go(func() { w.judge(ctx, h) })
		}
	}
}

// suspects reports whether a call waits for the host for long without receiving anything.
func (w *watch) suspects(h *host) bool {
	if h.away || h.doubted {
		return true
	}
	before := w.now() - w.silentFor.Nanoseconds()
	if h.heard.Load() > before {
		return false
	}
	for c := range h.conns {
		if since := c.since.Load(); since != 0 && since < before {
			return true
		}
	}
	return false
}

func (w *watch) judge(ctx context.Context, h *host) {
	answers := w.probe(ctx, h)
	w.mu.Lock()
	defer w.mu.Unlock()
	h.probed, h.doubted = false, false
	if ctx.Err() != nil {
		return
	}
	h.away = !answers
	if answers {
		return
	}
	for c := range h.conns {
		// This also ends pending reads.
		_ = c.Conn.Close()
	}
}

// probe opens a connection to a host, bypassing the watch, and reports whether the host responds.
// An error message of the server, such as too many connections, is a response; so is a server that
// takes no writes. The URL may configure each host differently, and an address does not tell which
// host it belongs to, so the probe tries all configurations.
func (w *watch) probe(ctx context.Context, h *host) bool {
	ctx, cancel := context.WithTimeout(ctx, w.config.ConnectTimeout)
	defer cancel()
	config := w.config
	config.ValidateConnect = nil
	config.LookupFunc = func(_ context.Context, name string) ([]string, error) { return []string{name}, nil }
	config.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return w.dialer.DialContext(ctx, h.network, h.address)
	}
	conn, err := pgconn.ConnectConfig(ctx, &config)
	if err != nil {
		return postgresCode(err) != ""
	}
	_ = conn.Close(ctx)
	return true
}

func (w *watch) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.mu.Lock()
	away, began := w.host(network, address).away, w.now()
	w.mu.Unlock()
	if away {
		return nil, errSilent
	}
	conn, err := w.dialer.DialContext(ctx, network, address)
	w.mu.Lock()
	defer w.mu.Unlock()
	h := w.host(network, address)
	if err != nil {
		// A machine that is off behaves like this; not every caller should have to wait for it.
		h.doubted = h.doubted || w.now()-began > w.silentFor.Nanoseconds()
		return nil, err
	}
	c := &watchedConn{Conn: conn, watch: w, host: h}
	h.conns[c] = struct{}{}
	return c, nil
}

// host returns the state of an address that a connection is requested for. The caller holds mu.
func (w *watch) host(network, address string) *host {
	h := w.hosts[address]
	if h == nil {
		h = &host{network: network, address: address, conns: map[*watchedConn]struct{}{}}
		w.hosts[address] = h
	}
	h.wanted = w.now()
	return h
}

// now is the time since the watch was made, in nanoseconds, and never 0.
func (w *watch) now() int64 { return int64(time.Since(w.began)) + 1 }

// watchedConn is a connection that knows how long it has waited for a response.
type watchedConn struct {
	net.Conn
	watch *watch
	host  *host
	// since is 0 while no response is awaited.
	since atomic.Int64
}

// Write sends, and marks the start of a wait unless one has started.
func (c *watchedConn) Write(b []byte) (int, error) {
	c.since.CompareAndSwap(0, c.watch.now())
	return c.Conn.Write(b)
}

// Read receives, which ends the wait.
func (c *watchedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.since.Store(0)
		c.host.heard.Store(c.watch.now())
	}
	return n, err
}

// Close closes the connection and removes it from the watch.
func (c *watchedConn) Close() error {
	c.watch.mu.Lock()
	delete(c.host.conns, c)
	c.watch.mu.Unlock()
	return c.Conn.Close()
}
