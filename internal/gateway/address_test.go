package gateway

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// proxies reads a list or fails.
func proxies(t *testing.T, list string) Proxies {
	t.Helper()
	p, err := ParseProxies(list)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Only what a trusted proxy has added is believed.
func TestTheClientIsWhoeverStandsBeforeTheTrustedProxies(t *testing.T) {
	const trusted = "10.0.0.0/8, 127.0.0.1, 192.0.2.7, 2001:db8:1::/48"
	for _, c := range []struct {
		peer      string
		forwarded []string
		want      string
		because   string
	}{
		{"203.0.113.9:1234", nil, "203.0.113.9", "it came directly"},
		{"203.0.113.9:1234", []string{"198.51.100.1"}, "203.0.113.9", "anybody can write the header"},
		{"10.1.2.3:1234", []string{"198.51.100.1"}, "198.51.100.1", "a trusted proxy says so"},
		{"10.1.2.3:1234", []string{"127.0.0.1, 198.51.100.1"}, "198.51.100.1", "what stands before is the client's own"},
		{"10.1.2.3:1234", []string{"198.51.100.1, 192.0.2.7"}, "198.51.100.1", "two trusted proxies"},
		{"10.1.2.3:1234", []string{"198.51.100.1", "192.0.2.7"}, "198.51.100.1", "the same in two headers"},
		{"10.1.2.3:1234", []string{"198.51.100.1, 203.0.113.5"}, "203.0.113.5", "a proxy nobody trusts is the client"},
		{"10.1.2.3:1234", nil, "10.1.2.3", "the proxy asks for itself"},
		{"10.1.2.3:1234", []string{"198.51.100.1, unknown"}, "10.1.2.3", "the proxy does not know"},
		{"10.1.2.3:1234", []string{"10.9.9.9"}, "10.9.9.9", "a trusted one asks through another"},
		{"10.1.2.3:1234", []string{"127.0.0.1, 10.9.9.9"}, "10.9.9.9", "who is trusted himself is not the server for that"},
		{"10.1.2.3:1234", []string{"[::1]:80"}, "10.1.2.3", "nor is a proxy"},
		{"127.0.0.1:1234", []string{"::1"}, "::1", "a proxy on the machine says who else is on it"},
		{"127.0.0.1:1234", []string{"198.51.100.1"}, "198.51.100.1", "and who is not"},
		{"10.1.2.3:1234", []string{"198.51.100.1:4711"}, "198.51.100.1", "with a port"},
		{"10.1.2.3:1234", []string{"[2001:db8::5]:4711"}, "2001:db8::5", "IPv6 with a port"},
		{"[::ffff:10.1.2.3]:1234", []string{"2001:db8::5"}, "2001:db8::5", "the peer is IPv4 in IPv6"},
		{"[2001:db8:1::1]:1234", []string{"198.51.100.1"}, "198.51.100.1", "a proxy by IPv6"},
		{"[fe80::1%eth0]:1234", nil, "fe80::1", "a zone is no part of who it is"},
		{"@", []string{"198.51.100.1"}, "invalid IP", "a connection without an address"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/graphql", nil)
		r.RemoteAddr = c.peer
		for _, line := range c.forwarded {
			r.Header.Add("X-Forwarded-For", line)
		}
		if got := proxies(t, trusted).ClientAddress(r).String(); got != c.want {
			t.Errorf("from %s for %q: the client is %s, want %s; %s", c.peer, c.forwarded, got, c.want, c.because)
		}
	}
}

// However much stands in the header, little of it is looked at.
func TestALongListOfProxiesIsNotFollowedToItsEnd(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/graphql", nil)
	r.RemoteAddr = "10.1.2.3:1234"
	r.Header.Set("X-Forwarded-For", "198.51.100.1"+strings.Repeat(", 10.0.0.1", 50))
	if got := proxies(t, "10.0.0.0/8").ClientAddress(r).String(); got != "10.0.0.1" {
		t.Errorf("the client is %s", got)
	}
}

func TestAListOfProxiesThatCannotBeReadIsRefused(t *testing.T) {
	for _, list := range []string{"10.0.0.0/33", "proxy.example", "10.0.0.1;10.0.0.2"} {
		if p, err := ParseProxies(list); err == nil {
			t.Errorf("%q is read as %v", list, p)
		}
	}
	if p := proxies(t, " , "); len(p) != 0 {
		t.Errorf("an empty list is read as %v", p)
	}
}

// Whoever has one IPv6 address has all of its /64.
func TestAddressesOfOneClientAreCountedTogether(t *testing.T) {
	for addr, want := range map[string]string{
		"203.0.113.9": "203.0.113.9", "2001:db8::5": "2001:db8::/64", "2001:db8::ffff:1": "2001:db8::/64",
		"2001:db8:0:1::5": "2001:db8:0:1::/64", "127.0.0.1": "", "127.8.8.8": "", "::1": "",
	} {
		if got := AddressKey(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s is counted as %q, want %q", addr, got, want)
		}
	}
	if got := AddressKey(netip.Addr{}); got != "" {
		t.Errorf("no address is counted as %q", got)
	}
}
