package testenv

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// Proxy is a TCP proxy between a program and a server that can simulate network faults. It starts
// without faults. Call its methods from the test's goroutine.
//
// It is a Toxiproxy, built from the module in servers and controlled over HTTP.
type Proxy struct {
	t      testing.TB
	client *http.Client
	// api is the URL of Toxiproxy's API. listen is the address that it forwards.
	api, listen string
	// faults are the names of the active faults.
	faults []string
	// loses is set if the proxy may have lost a response. A connection cannot continue after that.
	loses bool
}

// proxyPath is the API path of the only proxy.
const proxyPath = "/proxies/proxy"

// StartProxy starts a proxy to the server at a URL, such as redis://127.0.0.1:15001/0. The proxy
// ends with the test.
func StartProxy(t testing.TB, server string) *Proxy {
	t.Helper()
	u, err := url.Parse(server)
	check(t, err)
	p := startToxiproxy(t)
	for range startTries {
		p.listen = address(FreePort(t))
		if err = p.call(http.MethodPost, "/proxies", map[string]any{"name": "proxy", "listen": p.listen, "upstream": u.Host, "enabled": true}); err == nil {
			return p
		}
	}
	t.Fatalf("testenv: start a proxy at %s: %v", p.listen, err)
	return nil
}

// startToxiproxy starts a Toxiproxy that forwards nothing yet.
func startToxiproxy(t testing.TB) *Proxy {
	t.Helper()
	// Leak tests would find the goroutine of a kept connection.
	p := &Proxy{t: t, client: &http.Client{Timeout: eventually.Limit, Transport: &http.Transport{DisableKeepAlives: true}}}
	for range startTries {
		port := FreePort(t)
		// By default it logs every interruption, which makes thousands of lines.
		process := Program(t, []string{builtToxiproxy.path(t), "-host", host, "-port", fmt.Sprint(port)}, []string{"LOG_LEVEL=error"})
		p.api = "http://" + address(port)
		if p.responds(process) {
			return p
		}
	}
	t.Fatal("testenv: Toxiproxy found no free port")
	return nil
}

// responds waits until Toxiproxy responds. It returns false if Toxiproxy ends first.
func (p *Proxy) responds(process *Process) (ok bool) {
	p.t.Helper()
	eventually.True(p.t, "Toxiproxy responds", func() bool {
		select {
		case <-process.Done():
			return true
		default:
			ok = p.call(http.MethodGet, "/version", nil) == nil
			return ok
		}
	})
	return ok
}

// call sends a request to Toxiproxy. It returns an error unless the request succeeds.
func (p *Proxy) call(method, path string, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	// Cleanups call it after the test's context has ended.
	r, err := http.NewRequestWithContext(context.WithoutCancel(p.t.Context()), method, p.api+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	response, err := p.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	reply, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, reply)
	}
	return nil
}

// must is call for requests that must succeed.
func (p *Proxy) must(method, path string, body any) {
	p.t.Helper()
	if err := p.call(method, path, body); err != nil {
		p.t.Fatalf("testenv: the proxy at %s: %v", p.listen, err)
	}
}

// URL returns the URL of the server through the proxy: the server's own URL with another host and
// port.
func (p *Proxy) URL(server string) string {
	p.t.Helper()
	u, err := url.Parse(server)
	check(p.t, err)
	u.Host = p.listen
	return u.String()
}

// Addr returns the host and port of the proxy.
func (p *Proxy) Addr() string { return p.listen }

// Delay delays every response of the server by d.
func (p *Proxy) Delay(d time.Duration) {
	p.t.Helper()
	p.add("downstream", "latency", map[string]int64{"latency": d.Milliseconds()})
}

// Narrow limits the server's responses to this many kilobytes a second on each connection.
func (p *Proxy) Narrow(kilobytes int) {
	p.t.Helper()
	p.add("downstream", "bandwidth", map[string]int{"rate": kilobytes})
}

// NarrowRequests limits the requests to this many kilobytes a second on each connection.
func (p *Proxy) NarrowRequests(kilobytes int) {
	p.t.Helper()
	p.add("upstream", "bandwidth", map[string]int{"rate": kilobytes})
}

// Slice cuts the server's responses into packets of this many bytes on average. apart is the time
// between packets.
func (p *Proxy) Slice(bytes int, apart time.Duration) {
	p.t.Helper()
	p.add("downstream", "slicer", map[string]int64{"average_size": int64(bytes), "size_variation": int64(bytes / 2), "delay": apart.Microseconds()})
}

// Silence makes the server half-open: it accepts connections and executes requests, but no response
// arrives.
func (p *Proxy) Silence() {
	p.t.Helper()
	p.loses = true
	p.add("downstream", "timeout", map[string]int{"timeout": 0})
}

// Reset breaks every connection with a TCP reset when the server responds on it.
func (p *Proxy) Reset() {
	p.t.Helper()
	p.loses = true
	p.add("downstream", "reset_peer", map[string]int{"timeout": 0})
}

// add adds a fault to all current and future connections. stream is downstream, to the clients, or
// upstream, to the server.
func (p *Proxy) add(stream, kind string, attributes any) {
	p.t.Helper()
	name := kind + "-" + stream
	p.must(http.MethodPost, proxyPath+"/toxics", map[string]any{"name": name, "type": kind, "stream": stream, "attributes": attributes})
	p.faults = append(p.faults, name)
}

// Cut closes all connections and refuses new ones.
func (p *Proxy) Cut() {
	p.t.Helper()
	p.enable(false)
}

// enable lets the proxy listen, or closes all connections and refuses new ones. It does nothing if
// that is already so.
func (p *Proxy) enable(enabled bool) {
	p.t.Helper()
	p.must(http.MethodPost, proxyPath, map[string]bool{"enabled": enabled})
}

// Heal ends all faults. It closes connections that lost data and keeps the others open.
func (p *Proxy) Heal() {
	p.t.Helper()
	if p.loses {
		p.enable(false)
	}
	for _, fault := range p.faults {
		p.must(http.MethodDelete, proxyPath+"/toxics/"+fault, nil)
	}
	p.faults, p.loses = nil, false
	p.enable(true)
}
