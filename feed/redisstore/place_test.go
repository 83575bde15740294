package redisstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed/redisstore"
)

func TestPlace_NamesHostsOnly(t *testing.T) {
	for url, want := range map[string]string{
		"redis://ann:hunter2@cache":                       "redis://cache:6379",
		"rediss://:hunter2@cache:6380/2":                  "rediss://cache:6380, database 2",
		"redis-sentinel://ann:hunter2@one,two:26380/main": "redis-sentinel://one:26379,two:26380/main",
		"redis-cluster://ann:hunter2@one:7000,two:7001":   "redis-cluster://one:7000,two:7001",
		"redis://ann:hunter2@cache/not-a-number":          "",
	} {
		if got := redisstore.Place(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}
