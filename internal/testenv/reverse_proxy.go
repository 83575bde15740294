package testenv

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

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
