package app

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/gateway"
)

type recorder struct{ stored []sqlstore.Observation }

func (r *recorder) Observe(_ context.Context, o sqlstore.Observation) error {
	r.stored = append(r.stored, o)
	return nil
}

// atOnce runs work immediately.
func atOnce(do func(context.Context)) { do(context.Background()) }

// newTestWatch returns a watch, and the time that it reads.
func newTestWatch(log io.Writer, store *recorder) (*proxyWatch, *time.Time) {
	now := time.Unix(1_777_896_000, 0)
	return newProxyWatch(slog.New(slog.NewTextHandler(log, nil)), func() time.Time { return now }, store, atOnce), &now
}

// doubtThrice has two doubts about one peer, each three times.
func doubtThrice(t *testing.T, w *proxyWatch) {
	t.Helper()
	for range 3 {
		for _, doubt := range []gateway.Doubt{gateway.UntrustedProxy, gateway.SilentProxy} {
			w.doubted(t.Context(), doubt, netip.MustParseAddr("192.0.2.7"))
		}
	}
}

func TestProxyWatch_LogsEachDoubtOnceAnHour(t *testing.T) {
	var log bytes.Buffer
	w, now := newTestWatch(&log, &recorder{})
	for _, want := range []int{2, 2, 4} {
		doubtThrice(t, w)
		if got := strings.Count(log.String(), "peer=192.0.2.7"); got != want {
			t.Errorf("the log has %d lines, want %d:\n%s", got, want, log.String())
		}
		*now = now.Add(proxyLogEvery/2 + time.Second)
	}
	if !strings.Contains(log.String(), "TIDELINE_TRUSTED_PROXIES") {
		t.Errorf("the log has no action: %s", log.String())
	}
}

func TestProxyWatch_StoresEachDoubtOnceAMinute(t *testing.T) {
	store := &recorder{}
	w, now := newTestWatch(io.Discard, store)
	both := []sqlstore.Observation{{Name: "untrusted_proxy", Subject: "192.0.2.7"}, {Name: "silent_proxy", Subject: "192.0.2.7"}}
	for i, want := range [][]sqlstore.Observation{both, nil, both} {
		store.stored = nil
		doubtThrice(t, w)
		if !slices.Equal(store.stored, want) {
			t.Errorf("after %d half minutes the store has %v, want %v", i, store.stored, want)
		}
		*now = now.Add(proxyStoreEvery / 2)
	}
}
