package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"net/url"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// behind returns a URL with another host before its own.
func behind(t *testing.T, first, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	u.Host = first + "," + u.Host
	return u.String()
}

// together runs so many transactions at the same time, each on its own connection, and returns
// their errors.
func together(ctx context.Context, s *sqlstore.Store, n int) error {
	errs := make([]error, n)
	var all, met sync.WaitGroup
	met.Add(n)
	for i := range n {
		all.Go(func() {
			meet := sync.OnceFunc(met.Done)
			defer meet()
			errs[i] = s.Change(ctx, func(*sql.Tx) error { meet(); met.Wait(); return nil })
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// A stuck machine, or one that is off, refuses no connection, so callers wait. They must still find
// the host that has taken over, and calls that wait for the first one must end.
func TestWatch_FindsTheNextHostOfTheURL(t *testing.T) {
	const conns = 4
	t.Parallel() // it waits for the most part
	url := emptyTemplate.url(t, "postgres")
	proxy := testenv.StartProxy(t, url)
	// Three seconds are enough to probe a healthy host on a busy machine.
	s := openedWith(t, behind(t, proxy.Addr(), url), sqlstore.Postgres{
		SilentFor: 200 * time.Millisecond, ConnectWithin: 3 * time.Second,
	})
	ctx := eventually.Context(t)
	eventually.Succeeds(t, "connecting to the first host", func() error { return together(ctx, s, conns) })
	proxy.Silence()
	mustBe(t, feed.CodeUnavailable, together(ctx, s, conns))
	if !s.Away(proxy.Addr()) {
		t.Error("the silent host still gets connections")
	}
	mustBe(t, "", together(ctx, s, conns))
	// By now the first host is probed repeatedly, which ends nothing on the second.
	mustBe(t, "", s.Change(ctx, func(tx *sql.Tx) error { _, err := tx.ExecContext(ctx, "SELECT pg_sleep(1.5)"); return err }))
}

// A connection that was never made receives nothing, so the attempt itself must reveal the host.
func TestWatch_RefusesAHostThatIsOff(t *testing.T) {
	const within = 500 * time.Millisecond
	s := openedWith(t, behind(t, unacceptedAddress(t), emptyTemplate.url(t, "postgres")), sqlstore.Postgres{
		SilentFor: 100 * time.Millisecond, ConnectWithin: within, LivesFor: time.Nanosecond,
	})
	eventually.True(t, "a new connection is made at once", func() bool {
		began := time.Now()
		err := s.RaiseGeneration(t.Context()) // which a busy machine may not connect in time
		return err == nil && time.Since(began) < within
	})
}

// unacceptedAddress returns an address that neither accepts nor refuses connections: its queue is
// full, and the kernel drops further attempts.
func unacceptedAddress(t *testing.T) string {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	must(t, err)
	f := os.NewFile(uintptr(fd), "listener")
	t.Cleanup(func() { _ = f.Close() })
	must(t, errors.Join(syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), syscall.Listen(fd, 0)))
	l, err := net.FileListener(f)
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	for {
		conn, err := net.DialTimeout("tcp", l.Addr().String(), 200*time.Millisecond)
		if err != nil {
			return l.Addr().String()
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
}
