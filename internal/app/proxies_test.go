package app

import (
	"bytes"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/gateway"
)

func TestProxyWatch_LogsEachDoubtOnceAnHour(t *testing.T) {
	var log bytes.Buffer
	now := time.Unix(1_777_896_000, 0)
	w := newProxyWatch(slog.New(slog.NewTextHandler(&log, nil)), func() time.Time { return now })
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
		t.Errorf("the log does not say what to do: %s", log.String())
	}
}
