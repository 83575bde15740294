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

// watch finds out when a server takes connections and statements and answers nothing, as
// one does whose machine is stuck, or that is behind a proxy which has lost it. By one
// connection alone nobody can tell it from a server that is slow, so when one has waited
// for long and none has heard anything, the server is asked by a new connection. As long
// as that is not answered either, all connections are closed and no others are made: who
// waits, and who comes, is refused at once.
//
// All that goes by address. A URL may name several hosts, and a name have several
// addresses: where one of them is silent the others must be found without waiting for it,
// and what waits for the silent one must not go on because another one answers.
type watch struct {
	config    pgconn.Config
	silentFor time.Duration
	dialer    *net.Dialer
	began     time.Time
	stop      context.CancelFunc
	done      sync.WaitGroup

	mu sync.Mutex
	// hosts are those that connections were asked for, by address.
	hosts map[string]*host
}

// host is what a watch knows of one address. All but heard belongs to the watch's mu.
type host struct {
	network, address string
	// heard is when anything was last received from it, and wanted when a connection to it
	// was last asked for, on the clock of the watch.
	heard  atomic.Int64
	wanted int64
	conns  map[*watchedConn]struct{}
	// doubted says that making a connection took long and failed, asked that it is being
	// asked, and away that it did not answer when it last was.
	doubted, asked, away bool
}

// errSilent is what connections are refused for while the server is away.
var errSilent = errors.New("it does not answer")

// forgottenAfter is when an address that nobody wants a connection to is no longer asked.
// A name may have got others for good; and a server that is away is wanted by every
// request there is.
const forgottenAfter = time.Minute

// newWatch returns a watch over the server that config names, which has not begun.
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
				w.look(ctx)
			}
		}
	})
}

// close ends the watch. The connections are not its to close.
func (w *watch) close() {
	w.stop()
	w.done.Wait()
}

// look has every host asked that there is reason to ask, each by itself, so that none is
// found out late because another one keeps silent.
func (w *watch) look(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for address, h := range w.hosts {
		switch {
		case h.asked:
		case len(h.conns) == 0 && h.wanted < w.now()-forgottenAfter.Nanoseconds():
			delete(w.hosts, address)
		case w.suspects(h):
			h.asked = true
			w.done.Go(func() { w.judge(ctx, h) })
		}
	}
}

// suspects says whether somebody has been waiting for a host for long while nobody heard
// anything from it.
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

// judge asks a host and acts on what it says.
func (w *watch) judge(ctx context.Context, h *host) {
	answers := w.ask(ctx, h)
	w.mu.Lock()
	defer w.mu.Unlock()
	h.asked, h.doubted = false, false
	if ctx.Err() != nil {
		// The watch has ended, and did not wait for the answer.
		return
	}
	h.away = !answers
	if answers {
		return
	}
	for c := range h.conns {
		// Whoever reads from it is told that it is closed.
		_ = c.Conn.Close()
	}
}

// ask makes a connection to a host, past the watch, and says whether it answers. A refusal
// in words, such as that it has too many connections, is an answer, and so is one of a
// server that takes no writes. The URL may have another way for each of the hosts it
// names, and which of them is this one only names tell, so all ways are tried at this
// address.
func (w *watch) ask(ctx context.Context, h *host) bool {
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

// dial makes a connection that is watched.
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
		// So it is with a machine that is off. Those who come must not all find out anew.
		h.doubted = h.doubted || w.now()-began > w.silentFor.Nanoseconds()
		return nil, err
	}
	c := &watchedConn{Conn: conn, watch: w, host: h}
	h.conns[c] = struct{}{}
	return c, nil
}

// host returns what is known of an address that a connection is wanted to. Whoever calls
// it holds mu.
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

// watchedConn is a connection that knows since when it has been waiting for an answer.
type watchedConn struct {
	net.Conn
	watch *watch
	host  *host
	// since is 0 while nothing is waited for.
	since atomic.Int64
}

// Write sends, and begins to wait for an answer unless one is awaited already.
func (c *watchedConn) Write(b []byte) (int, error) {
	c.since.CompareAndSwap(0, c.watch.now())
	return c.Conn.Write(b)
}

// Read receives, which ends the waiting.
func (c *watchedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.since.Store(0)
		c.host.heard.Store(c.watch.now())
	}
	return n, err
}

// Close closes the connection and takes it out of the watch.
func (c *watchedConn) Close() error {
	c.watch.mu.Lock()
	delete(c.host.conns, c)
	c.watch.mu.Unlock()
	return c.Conn.Close()
}
