package app

import (
	"bytes"
	"context"
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

func TestProxyWatch_LogsEachDoubtOnceAnHour(t *testing.T) {
	var log bytes.Buffer
	now := time.Unix(1_777_896_000, 0)
	w := newProxyWatch(slog.New(slog.NewTextHandler(&log, nil)), func() time.Time { return now }, &recorder{}, atOnce)
	peer := netip.MustParseAddr("192.0.2.7")
	for _, want := range []int{2, 2, 4} {
		for range 3 {
			w.doubted(t.Context(), gateway.UntrustedProxy, peer)
			w.doubted(t.Context(), gateway.SilentProxy, peer)
		}
		if got := strings.Count(log.String(), "peer=192.0.2.7"); got != want {
			t.Errorf("the log has %d lines, want %d:\n%s", got, want, log.String())
		}
		now = now.Add(proxyLogEvery/2 + time.Second)
	}
	if !strings.Contains(log.String(), "TIDELINE_TRUSTED_PROXIES") {
		t.Errorf("the log has no action: %s", log.String())
	}
}

func TestProxyWatch_StoresEachDoubtOnceAMinute(t *testing.T) {
	store := &recorder{}
	now := time.Unix(1_777_896_000, 0)
	w := newProxyWatch(slog.New(slog.DiscardHandler), func() time.Time { return now }, store, atOnce)
	peer := netip.MustParseAddr("192.0.2.7")
	both := []sqlstore.Observation{{Name: "untrusted_proxy", Subject: "192.0.2.7"}, {Name: "silent_proxy", Subject: "192.0.2.7"}}
	for i, want := range [][]sqlstore.Observation{both, nil, both} {
		store.stored = nil
		for range 3 {
			w.doubted(t.Context(), gateway.UntrustedProxy, peer)
			w.doubted(t.Context(), gateway.SilentProxy, peer)
		}
		if !slices.Equal(store.stored, want) {
			t.Errorf("after %d half minutes the store has %v, want %v", i, store.stored, want)
		}
		now = now.Add(proxyStoreEvery / 2)
	}
}
