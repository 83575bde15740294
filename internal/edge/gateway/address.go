package gateway

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of trusted proxies, whose headers name the client. Make them with
// [ParseProxies]. The zero value trusts no proxy.
type Proxies []netip.Prefix

// ParseProxies parses a comma-separated list of addresses and networks; empty trusts no proxy.
func ParseProxies(list string) (Proxies, error) {
	var trusted Proxies
	for text := range strings.SplitSeq(list, ",") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		network, err := netip.ParsePrefix(text)
		if err != nil {
			addr, err := netip.ParseAddr(text)
			if err != nil {
				return nil, fmt.Errorf("%.60q is neither an address nor a network", text)
			}
			addr = addr.Unmap()
			network = netip.PrefixFrom(addr, addr.BitLen())
		}
		trusted = append(trusted, network.Masked())
	}
	return trusted, nil
}

func (p Proxies) trust(addr netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// A client can choose all bits of an IPv6 address beyond this prefix.
const addressNetwork = 64

const (
	// keyLoopback is the key of all loopback addresses: a local proxy can use any of them.
	keyLoopback = "loopback"
	// keyUnknown is the key of connections without an address, such as Unix sockets.
	keyUnknown = "unknown"
)

// addressKey returns the never empty key for limits: an IPv4 address or the /64 of an IPv6 address.
func addressKey(addr netip.Addr) string {
	switch {
	case !addr.IsValid():
		return keyUnknown
	case addr.IsLoopback():
		return keyLoopback
	case addr.Is4():
		return addr.String()
	}
	network, _ := addr.Prefix(addressNetwork)
	return network.String()
}
