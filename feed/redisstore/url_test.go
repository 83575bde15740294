package redisstore

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

func TestParseURL_FourForms(t *testing.T) {
	for url, want := range map[string]address{
		"redis://localhost":                     {hosts: []string{"localhost:6379"}},
		"redis://localhost:7000/3":              {hosts: []string{"localhost:7000"}, db: 3},
		"redis://localhost/":                    {hosts: []string{"localhost:6379"}},
		"redis://:p%40ss%2Fword@[::1]:7000/0":   {hosts: []string{"[::1]:7000"}, password: "p@ss/word"},
		"redis://ann:a:b@10.0.0.1":              {hosts: []string{"10.0.0.1:6379"}, user: "ann", password: "a:b"},
		"rediss://ann:pw@redis.example.com/1":   {hosts: []string{"redis.example.com:6379"}, user: "ann", password: "pw", db: 1},
		"redis-sentinel://a,b:1/main":           {kind: sentinel, hosts: []string{"a:26379", "b:1"}, master: "main"},
		"redis-sentinel://u:p@a/my%20main?db=2": {kind: sentinel, hosts: []string{"a:26379"}, master: "my main", db: 2, user: "u", password: "p"},
		"redis-cluster://a:7000,b,[::1]":        {kind: cluster, hosts: []string{"a:7000", "b:6379", "[::1]:6379"}},
		"redis-cluster://u:p@a":                 {kind: cluster, hosts: []string{"a:6379"}, user: "u", password: "p"},
	} {
		t.Run(url, func(t *testing.T) {
			got, err := parseURL(url)
			if err != nil {
				t.Fatal(err)
			}
			if secure := strings.HasPrefix(url, "rediss:"); secure != (got.tls != nil) {
				t.Errorf("TLS is %v", got.tls != nil)
			} else if secure && got.tls.ServerName+":6379" != got.hosts[0] {
				t.Errorf("the server's name is %q", got.tls.ServerName)
			}
			diff := cmp.Diff(want, got, cmp.AllowUnexported(address{}), cmpopts.IgnoreFields(address{}, "tls"))
			if diff != "" {
				t.Errorf("the address differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseURL_ErrorShowsFormsOnly(t *testing.T) {
	for _, url := range []string{
		"",
		"s3cret",
		"http://:s3cret@localhost",
		"redis://",
		"redis://:s3cret@",
		"redis://:s3cret@localhost:s3cret",
		"redis://:s3cret@localhost:65536",
		"redis://:s3cret@localhost/s3cret",
		"redis://:s3cret@localhost?password=s3cret",
		"redis://:s3cret%zz@localhost",
		"redis://:s3cret@a,b",
		"redis://:s3cret@::1",
		"redis-sentinel://:s3cret@a",
		"redis-sentinel://:s3cret@a/main/1",
		"redis-sentinel://:s3cret@a/main?db=s3cret",
		"redis-cluster://:s3cret@a,",
		"redis-cluster://:s3cret@a?db=1",
	} {
		t.Run(url, func(t *testing.T) {
			_, err := parseURL(url)
			if feed.CodeOf(err) != feed.CodeInvalid {
				t.Fatalf("parseURL returned %v", err)
			}
			for _, form := range []string{"redis://", "rediss://", "redis-sentinel://", "redis-cluster://"} {
				if !strings.Contains(err.Error(), form) {
					t.Errorf("the error does not name %s: %v", form, err)
				}
			}
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error shows a part of the URL: %v", err)
			}
		})
	}
}

// The library by itself waits five seconds for a connection, tries five times, and looks
// at the nodes of a Cluster once a minute. Clients then fail for a minute after a master
// has died.
func TestClient_LeavesDeadServer(t *testing.T) {
	for _, url := range []string{"redis://a", "rediss://a", "redis-sentinel://a/main", "redis-cluster://a"} {
		a, err := parseURL(url)
		if err != nil {
			t.Fatal(err)
		}
		c := a.connect()
		t.Cleanup(func() { _ = c.Close() })
		var dial time.Duration
		var dials int
		switch c := c.(type) {
		case *redis.Client:
			dial, dials = c.Options().DialTimeout, c.Options().DialerRetries
		case *redis.ClusterClient:
			dial, dials = c.Options().DialTimeout, c.Options().DialerRetries
			if look := c.Options().ClusterStateReloadInterval; look > time.Second {
				t.Errorf("%s: it looks at the nodes every %v", url, look)
			}
		}
		if dial != time.Second || dials != 1 {
			t.Errorf("%s: it dials %d times for %v", url, dials, dial)
		}
	}
}
