package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// IsLoopbackAddr reports whether a server that listens on addr, host:port, can be
// reached from its own machine only. The host is localhost or a loopback address;
// an empty one, as in ":8080", means every interface and is none.
func IsLoopbackAddr(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && isLoopbackHost(host)
}

// isLoopbackHost knows loopback by its name and by its addresses. Other names are not
// resolved: their owner decides what they resolve to.
func isLoopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// looksLocal reports whether nothing speaks against a request having been made on this
// machine by a client that knows it. That is no proof: a proxy on this machine that adds
// nothing, and asks for the address it was given, looks the same. So this may be one
// condition of several, or decide what is no grant, such as the attributes of a cookie.
//
// What speaks against it:
//   - an end of the connection that is not a loopback address
//   - a Host that is none: the name of another site that was made to resolve to 127.0.0.1,
//     or one that a proxy has passed on
//   - a header that proxies add, or HTTP/1.0, which proxies speak and clients do not
//   - a page of another site that has the browser make the request
func looksLocal(r *http.Request) bool {
	if !IsLoopbackAddr(r.RemoteAddr) || !isLoopbackHost(hostname(r.Host)) || !r.ProtoAtLeast(1, 1) || hasProxyHeader(r.Header) {
		return false
	}
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && !IsLoopbackAddr(local.String()) {
		return false
	}
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		return false
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
