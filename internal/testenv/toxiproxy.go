package testenv

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
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

// ReverseProxy is a reverse proxy that terminates TLS for a server, as in a user's deployment.
type ReverseProxy struct {
	// URL is the address for clients, such as https://127.0.0.1:15001.
	URL string
	// TLS is a client configuration that trusts the proxy's certificate.
	TLS *tls.Config
}

// reverseProxyKind says how to run one kind of proxy with a configuration snippet.
type reverseProxyKind struct {
	program, pkg string
	// args returns the arguments for a configuration file.
	args func(file string) []string
	// whole returns the complete configuration with the snippet.
	whole func(dir, snippet string) string
	// These are the texts in the snippet for its port and for the files of its certificate.
	port, certificate, key string
}

// StartNginx starts nginx with a snippet for its http block. It replaces the server address
// 127.0.0.1:8080 in the snippet by addr. The proxy ends with the test.
func StartNginx(t testing.TB, snippet, addr string) *ReverseProxy {
	t.Helper()
	return startReverseProxy(t, snippet, addr, reverseProxyKind{
		program: "nginx", pkg: "nginx-light",
		args: func(file string) []string { return []string{"-e", "stderr", "-p", filepath.Dir(file), "-c", file} },
		whole: func(dir, snippet string) string {
			temp := ""
			for _, what := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
				temp += what + "_temp_path " + filepath.Join(dir, what) + ";\n"
			}
			return "daemon off;\nmaster_process off;\npid " + filepath.Join(dir, "pid") + ";\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n" + temp + snippet + "}\n"
		},
		port: "listen 443 ", certificate: "/etc/nginx/tideline.crt", key: "/etc/nginx/tideline.key",
	})
}

// StartHAProxy is [StartNginx] for HAProxy and a snippet of whole sections.
func StartHAProxy(t testing.TB, snippet, addr string) *ReverseProxy {
	t.Helper()
	return startReverseProxy(t, snippet, addr, reverseProxyKind{
		program: "haproxy", pkg: "haproxy",
		args:  func(file string) []string { return []string{"-db", "-f", file} },
		whole: func(_, snippet string) string { return "global\n\tmaxconn 200\n" + snippet },
		port:  "bind :443 ", certificate: "/etc/haproxy/tideline.pem",
	})
}

func startReverseProxy(t testing.TB, snippet, addr string, kind reverseProxyKind) *ReverseProxy {
	t.Helper()
	program, err := exec.LookPath(kind.program)
	if err != nil {
		program = "/usr/sbin/" + kind.program // which Debian keeps out of PATH
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("testenv: this test needs %s, which is not installed; on Debian: apt-get install %s", kind.program, kind.pkg)
	}
	dir := t.TempDir()
	certificate, key, pool := selfSigned(t)
	proxy := &ReverseProxy{TLS: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}
	for range startTries {
		listen := address(FreePort(t))
		places := map[string]string{"127.0.0.1:8080": addr, kind.port: strings.Fields(kind.port)[0] + " " + listen + " "}
		if kind.key == "" {
			places[kind.certificate] = write(t, dir, "both.pem", append(certificate, key...))
		} else {
			places[kind.certificate], places[kind.key] = write(t, dir, "cert.pem", certificate), write(t, dir, "key.pem", key)
		}
		file := write(t, dir, "proxy.conf", []byte(kind.whole(dir, replaceEach(t, snippet, places))))
		process := Program(t, append([]string{program}, kind.args(file)...), nil)
		if proxy.URL = "https://" + listen; proxy.ready(process) {
			return proxy
		}
	}
	t.Fatalf("testenv: %s does not start", kind.program)
	return nil
}

// ready waits until the proxy presents its certificate. It returns false if the proxy ends first.
func (p *ReverseProxy) ready(process *Process) bool {
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: p.TLS.Clone(), DisableKeepAlives: true}}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(eventually.Limit)
	for {
		select {
		case <-process.done:
			return false
		case <-deadline:
			return false
		case <-tick.C:
			if resp, err := client.Get(p.URL + "/healthz"); err == nil {
				_ = resp.Body.Close()
				if resp.StatusCode == http.StatusOK {
					return true
				}
			}
		}
	}
}

// replaceEach replaces texts. It fails the test if one is missing, so that a changed snippet is
// noticed.
func replaceEach(t testing.TB, text string, places map[string]string) string {
	t.Helper()
	var pairs []string
	for old, replacement := range places {
		if !strings.Contains(text, old) {
			t.Fatalf("testenv: the snippet does not have %q", old)
		}
		pairs = append(pairs, old, replacement)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func write(t testing.TB, dir, name string, content []byte) string {
	t.Helper()
	file := filepath.Join(dir, name)
	check(t, os.WriteFile(file, content, 0o600))
	return file
}

// selfSigned makes a certificate for 127.0.0.1, its key, and a pool that trusts it.
func selfSigned(t testing.TB) (certificate, key []byte, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.ParseIP(host)}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	check(t, err)
	der, err := x509.MarshalECPrivateKey(private)
	check(t, err)
	certificate = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	return certificate, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), pool
}

// pgBouncerReady is the line that PgBouncer prints when it listens.
var pgBouncerReady = regexp.MustCompile(`process up: PgBouncer`)

// StartPgBouncer starts PgBouncer with its defaults and the given settings, such as
// "pool_mode = session", and returns the URL of a database through it. It ends with the test.
func StartPgBouncer(t testing.TB, databaseURL string, settings ...string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // which Debian keeps out of PATH
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatal("testenv: this test needs PgBouncer, which is not installed; on Debian: apt-get install pgbouncer")
	}
	database, err := url.Parse(databaseURL)
	check(t, err)
	dir := Dir(t)
	args := []string{program}
	if os.Getuid() == 0 {
		// It refuses to run as root. The user must be able to read its configuration.
		args = append(args, "-u", "postgres")
		check(t, os.Chmod(dir, 0o755))
	}
	for range startTries {
		port := FreePort(t)
		file := write(t, dir, "pgbouncer.ini", []byte(fmt.Sprintf(
			"[databases]\n* = host=%s port=%s user=postgres\n[pgbouncer]\nlisten_addr = %s\nlisten_port = %d\nauth_type = any\nunix_socket_dir =\nlogfile =\n%s\n",
			database.Hostname(), database.Port(), host, port, strings.Join(settings, "\n"))))
		check(t, os.Chmod(file, 0o644))
		process := Program(t, append(args, file), nil)
		if _, err := process.waitLine(pgBouncerReady); err == nil {
			database.Host = address(port)
			return database.String()
		}
	}
	t.Fatal("testenv: PgBouncer found no free port")
	return ""
}
