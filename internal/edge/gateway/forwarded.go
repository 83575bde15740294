package gateway

import (
	"net/http"
	"slices"
	"strings"
)

func forwardedFor(h http.Header) []string { return listOf(h, "X-Forwarded-For") }

// forwardedStandard returns the for parameters of Forwarded (RFC 7239), client first; empty texts,
// which are no addresses, for elements without one.
func forwardedStandard(h http.Header) []string {
	elements := listOf(h, "Forwarded")
	for i, element := range elements {
		elements[i] = forwardedParam(element, "for")
	}
	return elements
}

func forwardedHTTPS(h http.Header) bool {
	scheme := last(listOf(h, "X-Forwarded-Proto"))
	if scheme == "" {
		scheme = forwardedParam(last(listOf(h, "Forwarded")), "proto")
	}
	return strings.EqualFold(strings.TrimSpace(scheme), "https")
}

// listOf returns the elements of a list header; nil if there is none. A comma in a quoted string
// yields two invalid addresses.
func listOf(h http.Header, name string) []string {
	values := h.Values(name)
	if len(values) == 0 {
		return nil
	}
	return strings.Split(strings.Join(values, ","), ",")
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

func forwardedParam(element, name string) string {
	for pair := range strings.SplitSeq(element, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if strings.EqualFold(key, name) {
			return strings.Trim(value, `"`)
		}
	}
	return ""
}

// hasProxyHeader reports whether a request has a header that only proxies and the like add.
func hasProxyHeader(h http.Header) bool {
	for name := range h {
		if isProxyHeader(name) {
			return true
		}
	}
	return false
}

func isProxyHeader(name string) bool {
	switch name {
	case "Forwarded", "Via", "Max-Forwards", "Proxy-Connection", "Cdn-Loop", "Front-End-Https",
		"Client-Ip", "True-Client-Ip", "Incap-Client-Ip", "Ali-Cdn-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip",
		"X-Proxyuser-Ip", "X-Remote-Ip", "X-Remote-Addr", "X-Host", "X-Scheme", "X-Url-Scheme",
		"X-Request-Start", "X-Queue-Start", "X-Varnish", "X-Cloud-Trace-Context", "X-Coming-From":
		return true
	}
	return slices.ContainsFunc([]string{
		"X-Forwarded", "X-Real-", "X-Original-", "X-Proxy", "Cf-", "Fastly-", "Fly-", "X-Akamai-", "X-Amz-Cf-", "X-Amzn-",
		"X-Appengine-", "X-Arr-", "X-Azure-", "X-Envoy-", "X-Nginx-", "X-Sucuri-", "X-Vercel-",
	}, func(beginning string) bool { return strings.HasPrefix(name, beginning) })
}
