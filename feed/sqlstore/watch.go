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
type watch struct {
	config    pgconn.Config
	silentFor time.Duration
	dialer    *net.Dialer
	began     time.Time
	// heard is when anything was last received, on the clock of since.
	heard atomic.Int64
	stop  context.CancelFunc
	done  sync.WaitGroup

	mu    sync.Mutex
	conns map[*watchedConn]struct{}
	// away says that the server did not answer when it was last asked.
	away bool
}

// errSilent is what connections are refused for while the server is away.
var errSilent = errors.New("it takes connections and does not answer")

// newWatch returns a watch over the server that config names, which has not begun.
func newWatch(config pgconn.Config, silentFor time.Duration, dialer *net.Dialer) *watch {
	w := &watch{
		config: config, silentFor: silentFor, dialer: dialer, began: time.Now(), conns: map[*watchedConn]struct{}{},
	}
	// The question itself goes past the watch.
	w.config.DialFunc = dialer.DialContext
	return w
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

// look asks the server when there is reason to, and acts on what it says.
func (w *watch) look(ctx context.Context) {
	if !w.suspects() {
		return
	}
	answers := w.ask(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.away = !answers
	if answers {
		return
	}
	for c := range w.conns {
		// Whoever reads from it is told that it is closed.
		_ = c.Conn.Close()
	}
}

// suspects says whether somebody has been waiting for long while nobody heard anything.
func (w *watch) suspects() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.away {
		return true
	}
	before := w.now() - w.silentFor.Nanoseconds()
	if w.heard.Load() > before {
		return false
	}
	for c := range w.conns {
		if since := c.since.Load(); since != 0 && since < before {
			return true
		}
	}
	return false
}

// ask makes a connection and says whether the server answers. A refusal in words, such as
// that it has too many connections, is an answer.
func (w *watch) ask(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, w.config.ConnectTimeout)
	defer cancel()
	conn, err := pgconn.ConnectConfig(ctx, &w.config)
	var said *pgconn.PgError
	if err != nil {
		return errors.As(err, &said)
	}
	_ = conn.Close(ctx)
	return true
}

// dial makes a connection that is watched.
func (w *watch) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.mu.Lock()
	away := w.away
	w.mu.Unlock()
	if away {
		return nil, errSilent
	}
	conn, err := w.dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &watchedConn{Conn: conn, watch: w}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns[c] = struct{}{}
	return c, nil
}

// now is the time since the watch was made, in nanoseconds, and never 0.
func (w *watch) now() int64 { return int64(time.Since(w.began)) + 1 }

// watchedConn is a connection that knows since when it has been waiting for an answer.
type watchedConn struct {
	net.Conn
	watch *watch
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
		c.watch.heard.Store(c.watch.now())
	}
	return n, err
}

// Close closes the connection and takes it out of the watch.
func (c *watchedConn) Close() error {
	c.watch.mu.Lock()
	delete(c.watch.conns, c)
	c.watch.mu.Unlock()
	return c.Conn.Close()
}
