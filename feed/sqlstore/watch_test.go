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

// behind returns a URL that names another host in front of its own.
func behind(t *testing.T, first, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = first + "," + u.Host
	return u.String()
}

// together has so many transactions be under way at once, each on a connection of its own,
// and returns the errors they end with.
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

// A machine that is stuck or off refuses nobody: whoever asks it waits. The host that has
// taken over is found all the same, and nothing goes on waiting for the one before it.
func TestTheOtherHostOfTheURLIsFoundWhenTheFirstOneFallsSilent(t *testing.T) {
	const conns = 4
	t.Parallel() // it waits for the most part
	url := emptyTemplate.url(t, "postgres")
	proxy := testenv.StartProxy(t, url)
	// A host that is there is found to answer within three seconds also on a busy machine.
	s := openedWith(t, behind(t, proxy.Addr(), url), sqlstore.Postgres{
		SilentFor: 200 * time.Millisecond, ConnectWithin: 3 * time.Second,
	})
	ctx := eventually.Context(t)
	eventually.Succeeds(t, "connecting to the first host", func() error { return together(ctx, s, conns) })
	proxy.Silence()
	mustBe(t, feed.CodeUnavailable, together(ctx, s, conns))
	if !s.Away(proxy.Addr()) {
		t.Error("connections are still made to the silent host")
	}
	mustBe(t, "", together(ctx, s, conns))
	// The first host is asked again and again by now, which ends nothing on the second.
	mustBe(t, "", s.Change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "SELECT pg_sleep(1.5)")
		return err
	}))
}

// Nothing is ever heard of a connection that could not be made, so it is the making that
// tells of the host.
func TestAHostThatIsOffIsNotWaitedForByEveryConnection(t *testing.T) {
	const within = 500 * time.Millisecond
	s := openedWith(t, behind(t, nobodyTakes(t), emptyTemplate.url(t, "postgres")), sqlstore.Postgres{
		SilentFor: 100 * time.Millisecond, ConnectWithin: within, LivesFor: time.Nanosecond,
	})
	eventually.True(t, "a new connection is made at once", func() bool {
		began := time.Now()
		mustBe(t, "", s.RaiseGeneration(t.Context()))
		return time.Since(began) < within
	})
}

// nobodyTakes returns an address where connections are neither made nor refused: so many
// wait there already that the kernel drops what others send.
func nobodyTakes(t *testing.T) string {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "listener")
	t.Cleanup(func() { _ = f.Close() })
	if err := errors.Join(syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), syscall.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	l, err := net.FileListener(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	for {
		conn, err := net.DialTimeout("tcp", l.Addr().String(), 200*time.Millisecond)
		if err != nil {
			return l.Addr().String()
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
}
