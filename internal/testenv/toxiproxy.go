package testenv

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// Proxy stands between a program and a server it talks to over TCP, and does to their
// connections what networks do. It begins by passing everything on. Its methods must be
// called from the goroutine that runs the test.
type Proxy struct {
	t     testing.TB
	proxy *toxiproxy.Proxy
}

// StartProxy starts a proxy to the server at a URL, such as redis://127.0.0.1:15001/0.
// It ends with the test.
func StartProxy(t testing.TB, server string) *Proxy {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	// Faults trace every interruption to a logger of the library's own, past the one they
	// are given: thousands of lines, under which the reason of a failing test was lost.
	zerolog.SetGlobalLevel(zerolog.Disabled)
	api := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	p := &Proxy{t: t}
	for range startTries {
		p.proxy = toxiproxy.NewProxy(api, u.Scheme, address(FreePort(t)), u.Host)
		if err = p.proxy.Start(); err == nil {
			t.Cleanup(p.proxy.Stop)
			return p
		}
	}
	t.Fatalf("testenv: start a proxy at %s: %v", p.proxy.Listen, err)
	return nil
}

// URL returns the URL by which a program reaches the server through the proxy: the
// server's own, with another host and port.
func (p *Proxy) URL(server string) string {
	p.t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		p.t.Fatal(err)
	}
	u.Host = p.proxy.Listen
	return u.String()
}

// Addr returns host and port at which the proxy listens.
func (p *Proxy) Addr() string { return p.proxy.Listen }

// Delay makes every answer of the server come later by d.
func (p *Proxy) Delay(d time.Duration) {
	p.t.Helper()
	p.add("latency", fmt.Sprintf(`{"latency": %d}`, d.Milliseconds()))
}

// Narrow lets at most so many kilobytes a second of the server's answers through, on
// each connection.
func (p *Proxy) Narrow(kilobytes int) {
	p.t.Helper()
	p.add("bandwidth", fmt.Sprintf(`{"rate": %d}`, kilobytes))
}

// NarrowRequests lets at most so many kilobytes a second of what the server is sent through, on
// each connection.
func (p *Proxy) NarrowRequests(kilobytes int) {
	p.t.Helper()
	p.addTo("upstream", "bandwidth", fmt.Sprintf(`{"rate": %d}`, kilobytes))
}

// Slice cuts the server's answers into pieces of so many bytes on average, each of which
// is a packet of its own and comes some time after the one before.
func (p *Proxy) Slice(bytes int, apart time.Duration) {
	p.t.Helper()
	p.add("slicer", fmt.Sprintf(`{"average_size": %d, "size_variation": %d, "delay": %d}`, bytes, bytes/2, apart.Microseconds()))
}

// Silence makes the server half-open: it takes connections and requests, and acts on
// them, but no answer arrives.
func (p *Proxy) Silence() {
	p.t.Helper()
	p.add("timeout", `{"timeout": 0}`)
}

// Reset breaks every connection with a TCP reset as soon as the server answers on it.
func (p *Proxy) Reset() {
	p.t.Helper()
	p.add("reset_peer", `{"timeout": 0}`)
}

// Cut closes all connections and refuses new ones.
func (p *Proxy) Cut() { p.proxy.Stop() }

// Heal undoes all the other methods did. Connections on which something was lost are
// closed, the others stay.
func (p *Proxy) Heal() {
	p.t.Helper()
	if p.loses() {
		p.proxy.Stop()
	}
	p.proxy.Toxics.ResetToxics(p.t.Context())
	if p.proxy.Enabled {
		return
	}
	if err := p.proxy.Start(); err != nil {
		p.t.Fatalf("testenv: start the proxy at %s again: %v", p.proxy.Listen, err)
	}
}

// loses says whether an answer may have been dropped, after which a connection cannot
// go on.
func (p *Proxy) loses() bool {
	return p.proxy.Toxics.GetToxic("timeout downstream") != nil || p.proxy.Toxics.GetToxic("reset_peer downstream") != nil
}

// add adds a fault to the answers on all connections, those that stand and those to come.
func (p *Proxy) add(kind, attributes string) {
	p.t.Helper()
	p.addTo("downstream", kind, attributes)
}

// addTo adds a fault to what goes down to the clients, or up to the server.
func (p *Proxy) addTo(stream, kind, attributes string) {
	p.t.Helper()
	toxic := fmt.Sprintf(`{"name": %q, "type": %q, "stream": %q, "attributes": %s}`, kind+" "+stream, kind, stream, attributes)
	if _, err := p.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
		p.t.Fatalf("testenv: %s: %v", toxic, err)
	}
}
