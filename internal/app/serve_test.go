package app

import (
	"net"
	"strings"
	"testing"
)

func TestReachable_ReplacesWildcardAddress(t *testing.T) {
	for _, c := range []struct {
		ip   net.IP
		want string
	}{
		{net.IPv4(127, 0, 0, 1), "127.0.0.1:8080"},
		{net.IPv6loopback, "[::1]:8080"},
		{net.IPv4(10, 0, 0, 7), "10.0.0.7:8080"},
		{net.IPv4zero, "localhost:8080"},
		{net.IPv6unspecified, "localhost:8080"},
	} {
		if got := reachable(&net.TCPAddr{IP: c.ip, Port: 8080}); got != c.want {
			t.Errorf("reachable(%v) = %s, want %s", c.ip, got, c.want)
		}
	}
}

func TestServer_HidesPasswordsOfItsStores(t *testing.T) {
	c := &Server{}
	c.DatabaseURL, c.RedisURL, c.QueueRedisURL = "postgres://ann:hunter2@db/feeds", "redis://:hunter2@cache", "redis-sentinel://:hunter2@one/main"
	if got := c.places(); strings.Contains(got, "hunter2") || !strings.Contains(got, "queues      redis-sentinel://one:26379/main") {
		t.Errorf("places returned\n%s", got)
	}
}
