package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// IsLoopbackAddr says whether a server that listens on addr, host:port, can be
// reached from its own machine only. The host is localhost or a loopback address;
// an empty one, as in ":8080", means every interface and is none.
func IsLoopbackAddr(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && isLoopbackHost(host)
}

// isLoopbackHost knows loopback by its name and by its addresses. Names are not
// resolved: whoever owns a name decides what it resolves to.
func isLoopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// fromLoopback says whether the request was made on this machine, by a client that
// knows it. Both ends count: the remote address alone would trust a page of another
// site whose name was made to resolve to 127.0.0.1 (the Host header gives it away),
// and it would trust everybody behind a proxy on this machine (the headers that
// proxies add, or the page's origin, give that away).
func fromLoopback(r *http.Request) bool {
	if !IsLoopbackAddr(r.RemoteAddr) || !isLoopbackHost(hostname(r.Host)) {
		return false
	}
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && isLoopbackHost(u.Hostname())
}

// hostname returns the host of a Host header, with or without its port.
func hostname(hostport string) string {
	return (&url.URL{Host: hostport}).Hostname()
}
