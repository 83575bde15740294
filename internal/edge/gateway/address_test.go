package gateway

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// proxies parses a list.
func proxies(t *testing.T, list string) Proxies {
	t.Helper()
	p, err := ParseProxies(list)
	noError(t, err)
	return p
}

// located returns the client of a request from peer with the headers, each "Name: value".
func located(t *testing.T, trusted, peer string, headers ...string) Client {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/graphql", nil)
	r.RemoteAddr = peer
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	var client Client
	serve(Locate(proxies(t, trusted), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { client = ClientFrom(r.Context()) })), r)
	return client
}

const x, standard = "X-Forwarded-For: ", "Forwarded: "

// Only what a trusted proxy appended counts.
func TestLocate_TrustsOnlyListedProxies(t *testing.T) {
	const trusted = "10.0.0.0/8, 127.0.0.1, 192.0.2.7, 2001:db8:1::/48"
	for _, c := range []struct {
		peer    string
		headers []string
		want    string
		shared  bool
		doubt   Doubt
		because string
	}{
		{"203.0.113.9:1234", nil, "203.0.113.9", false, "", "it came directly"},
		{"203.0.113.9:1234", []string{x + "198.51.100.1"}, "203.0.113.9", true, UntrustedProxy, "anybody can write the header"},
		{"203.0.113.9:1234", []string{"Via: 1.1 squid"}, "203.0.113.9", true, UntrustedProxy, "a proxy without an address"},
		{"10.1.2.3:1234", []string{x + "198.51.100.1"}, "198.51.100.1", false, "", "a trusted proxy says so"},
		{"10.1.2.3:1234", []string{x + "127.0.0.1, 198.51.100.1"}, "198.51.100.1", false, "", "what stands before is the client's own"},
		{"10.1.2.3:1234", []string{x + "198.51.100.1, 192.0.2.7"}, "198.51.100.1", false, "", "two trusted proxies"},
		{"10.1.2.3:1234", []string{x + "198.51.100.1", x + "192.0.2.7"}, "198.51.100.1", false, "", "the same in two headers"},
		{"10.1.2.3:1234", []string{x + "198.51.100.1, 203.0.113.5"}, "203.0.113.5", false, "", "a proxy that is not trusted is the client"},
		{"10.1.2.3:1234", nil, "10.1.2.3", true, SilentProxy, "the proxy names no client"},
		{"10.1.2.3:1234", []string{x + "198.51.100.1, unknown"}, "10.1.2.3", true, SilentProxy, "the proxy does not know"},
		{"10.1.2.3:1234", []string{x + "10.9.9.9"}, "10.9.9.9", false, "", "a trusted one asks through another"},
		{"10.1.2.3:1234", []string{x + "127.0.0.1, 10.9.9.9"}, "10.9.9.9", false, "", "a trusted client is not this machine for that"},
		{"10.1.2.3:1234", []string{x + "[::1]:80"}, "10.1.2.3", true, SilentProxy, "nor is a proxy"},
		{"127.0.0.1:1234", []string{x + "::1"}, "loopback", true, "", "a proxy here asks for a client here"},
		{"10.1.2.3:1234", []string{x + "198.51.100.1:4711"}, "198.51.100.1", false, "", "with a port"},
		{"10.1.2.3:1234", []string{x + "[2001:db8::5]:4711"}, "2001:db8::/64", false, "", "IPv6 with a port"},
		{"[::ffff:10.1.2.3]:1234", []string{x + "2001:db8::5"}, "2001:db8::/64", false, "", "the peer is IPv4 in IPv6"},
		{"@", []string{x + "198.51.100.1"}, "unknown", true, UntrustedProxy, "a connection without an address"},
		{"10.1.2.3:1234", []string{standard + "for=198.51.100.1"}, "198.51.100.1", false, "", "the standard header"},
		{"10.1.2.3:1234", []string{standard + `for=192.0.2.60;proto=http, For="[2001:db8::5]:4711";by=10.1.2.3`}, "2001:db8::/64", false, "", "its last element"},
		{"10.1.2.3:1234", []string{standard + "for=198.51.100.1, for=_hidden"}, "10.1.2.3", true, SilentProxy, "a name for an address"},
		{"10.1.2.3:1234", []string{x + "198.51.100.1", standard + "for=198.51.100.1"}, "198.51.100.1", false, "", "both headers agree"},
		{"10.1.2.3:1234", []string{x + "198.51.100.1", standard + "for=203.0.113.5"}, "10.1.2.3", true, AmbiguousProxy, "they differ"},
	} {
		got := located(t, trusted, c.peer, c.headers...)
		if got.Address != c.want || got.Shared != c.shared || got.Doubt != c.doubt {
			t.Errorf("from %s with %q: %+v, want %s, shared %v, %q; %s", c.peer, c.headers, got, c.want, c.shared, c.doubt, c.because)
		}
	}
}

// A local proxy without headers looks like a local client, so both share a budget.
func TestLocate_LoopbackSharesOneKey(t *testing.T) {
	for peer, headers := range map[string][]string{
		"127.0.0.1:1": nil, "127.8.8.8:1": nil, "[::1]:1": nil, "127.0.0.1:2": {x + "198.51.100.1"}, "127.0.0.1:3": {"Cf-Connecting-Ip: 198.51.100.1"},
	} {
		if got := located(t, "", peer, headers...); got.Address != "loopback" || !got.Shared {
			t.Errorf("from %s with %v: %+v", peer, headers, got)
		}
	}
}

func TestLocate_BoundsHops(t *testing.T) {
	got := located(t, "10.0.0.0/8", "10.1.2.3:1234", x+"198.51.100.1"+strings.Repeat(", 10.0.0.1", 50))
	wantEqual(t, "10.0.0.1", got.Address, "the client")
}

func TestLocate_DetectsHTTPS(t *testing.T) {
	for _, c := range []struct {
		peer   string
		header string
		want   bool
	}{
		{"10.1.2.3:1", "X-Forwarded-Proto: https", true},
		{"10.1.2.3:1", "X-Forwarded-Proto: http", false},
		{"10.1.2.3:1", "X-Forwarded-Proto: https, http", false},
		{"10.1.2.3:1", "Forwarded: for=198.51.100.1;proto=https", true},
		{"203.0.113.9:1", "X-Forwarded-Proto: https", false},
	} {
		wantEqual(t, c.want, located(t, "10.0.0.0/8", c.peer, c.header).HTTPS, "HTTPS from %s with %s", c.peer, c.header)
	}
	r := localRequest(http.MethodGet, "/", "")
	r.TLS = &tls.ConnectionState{}
	wantEqual(t, true, (Proxies{}).locate(r).HTTPS, "HTTPS with TLS of our own")
}

func TestParseProxies_RefusesOtherText(t *testing.T) {
	for _, list := range []string{"10.0.0.0/33", "proxy.example", "10.0.0.1;10.0.0.2"} {
		if p, err := ParseProxies(list); err == nil {
			t.Errorf("%q is read as %v", list, p)
		}
	}
	if p := proxies(t, " , "); len(p) != 0 {
		t.Errorf("an empty list is read as %v", p)
	}
}

func TestAddressKey_GroupsIPv6ByNetwork(t *testing.T) {
	for addr, want := range map[string]string{
		"203.0.113.9": "203.0.113.9", "2001:db8::5": "2001:db8::/64", "2001:db8::ffff:1": "2001:db8::/64",
		"2001:db8:0:1::5": "2001:db8:0:1::/64", "127.0.0.1": "loopback", "127.8.8.8": "loopback", "::1": "loopback",
	} {
		wantEqual(t, want, addressKey(netip.MustParseAddr(addr)), "the key of %s", addr)
	}
	wantEqual(t, "unknown", addressKey(netip.Addr{}), "the key without an address")
}
