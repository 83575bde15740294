package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// IsLoopbackAddr reports whether only this machine can reach a server that listens on addr,
// host:port. The host must be localhost or a loopback address; an empty host means all
// interfaces.
func IsLoopbackAddr(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && isLoopbackHost(host)
}

// isLoopbackHost does not resolve names other than localhost, because their owners control the
// result.
func isLoopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// looksLocal reports whether a request seems to come from a client on this machine. It is no
// proof: a local proxy that adds no headers looks the same. Use it as one condition of several,
// or where nothing is granted, as for attributes of cookies.
//
// A request is not local if it has
//
//   - an end of the connection that is not a loopback address
//   - a Host that is not one: a name that was made to resolve to 127.0.0.1, or the original
//     Host that a proxy passed on
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
