package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// IsLoopbackAddr reports whether only this machine can reach a server that listens on addr,
// host:port. An empty host means all interfaces.
func IsLoopbackAddr(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && isLoopbackHost(host)
}

// Names other than localhost are not resolved, because their owners control the result.
func isLoopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// looksLocal reports whether a request seems to come from a client on this machine. It is no proof:
// a local proxy that adds no headers looks the same. A request is not local if it has
//
//   - an end of the connection that is not a loopback address
//   - another Host: a name that resolves to 127.0.0.1, or one that a proxy passed on
//   - a header that proxies add, or HTTP/1.0, which proxies use and clients do not
//   - an origin on another site
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

func hostname(hostport string) string {
	return (&url.URL{Host: hostport}).Hostname()
}
