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
	"github.com/tideline-feeds/tideline/internal/warnings"
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

// oneObservation is a store of at most one observation.
type oneObservation struct {
	sqlstore.Observation
	ago time.Duration // since it was stored
}

func (o *oneObservation) ObservedWithin(_ context.Context, window time.Duration) ([]sqlstore.Observation, error) {
	if o.Name == "" || o.ago > window {
		return nil, nil
	}
	return []sqlstore.Observation{o.Observation}, nil
}

func (o *oneObservation) DropObservation(_ context.Context, dropped sqlstore.Observation, unseenFor time.Duration) (bool, error) {
	if o.Observation != dropped || o.ago < unseenFor {
		return false, nil
	}
	*o = oneObservation{}
	return true, nil
}

// warned returns the messages of the checks by name.
func warned(t *testing.T, checks []warnings.Check) map[string]string {
	t.Helper()
	messages := map[string]string{}
	for _, c := range checks {
		message, err := c.Evaluate(t.Context())
		check(t, err)
		if message != "" {
			messages[c.Name] = message
		}
	}
	return messages
}

func TestProxyChecks_WarnForADay(t *testing.T) {
	for _, d := range []gateway.Doubt{gateway.UntrustedProxy, gateway.SilentProxy, gateway.AmbiguousProxy} {
		store := &oneObservation{Observation: sqlstore.Observation{Name: string(d), Subject: "192.0.2.7"}}
		for ago, want := range map[time.Duration]int{0: 1, proxyWarnFor: 1, proxyWarnFor + 1: 0} {
			store.ago = ago
			if got := warned(t, proxyChecks(store, false, nil)); len(got) != want || want == 1 && got[string(d)] == "" {
				t.Errorf("%v after %s the warnings are %v", ago, d, got)
			}
		}
	}
}

func TestProxyChecks_NameAddressesToOperatorsOnly(t *testing.T) {
	store := &oneObservation{Observation: sqlstore.Observation{Name: "untrusted_proxy", Subject: "192.0.2.7"}}
	if got := warned(t, proxyChecks(store, false, nil)); strings.Contains(got["untrusted_proxy"], "192.0.2.7") {
		t.Errorf("/readyz shows %q", got)
	}
	if got := warned(t, ProxyChecks(store)); !strings.Contains(got["untrusted_proxy"], "192.0.2.7") {
		t.Errorf("the doctor shows %q", got)
	}
}

func TestProxyChecks_EndWithOtherSettings(t *testing.T) {
	const name = "untrusted_proxy"
	trusted, err := gateway.ParseProxies("192.0.2.0/24")
	check(t, err)
	store := &oneObservation{}
	seen := func(peer string, ago time.Duration) {
		*store = oneObservation{sqlstore.Observation{Name: name, Subject: peer}, ago}
	}
	started := func() []warnings.Check { return proxyChecks(store, false, trusted.Settle) }
	for _, peer := range []string{"198.51.100.7", "192.0.2.7"} {
		seen(peer, 0)
		if got, trusts := warned(t, started()), peer == "192.0.2.7"; (got[name] == "") != trusts {
			t.Errorf("after a start that trusts %s: %v, the warnings are %v", peer, trusts, got)
		}
	}
	running := started()
	warned(t, running)
	// Another process with other settings still has the doubt.
	for ago, want := range map[time.Duration]int{0: 1, proxyStoreEvery: 1, proxySettledAfter: 0} {
		seen("192.0.2.7", ago)
		if got := warned(t, running); len(got) != want {
			t.Errorf("%v after the doubt the warnings are %v", ago, got)
		}
	}
}
