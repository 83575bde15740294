package redisstore_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
)

func TestObserve_ReportsCommandsAndPipelines(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		var mu sync.Mutex
		var begun []string
		failed := map[string]int{}
		c.Observe(func(ctx context.Context, command string) (context.Context, func(error)) {
			mu.Lock()
			defer mu.Unlock()
			begun = append(begun, command)
			return ctx, func(err error) {
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed[command]++
				}
			}
		})
		must(t, c.Ping(t.Context()))
		_, err := newInboxes(c, 10).Push(t.Context(), []feed.UserID{1, 2}, feed.Key{TS: 1, ID: 1})
		must(t, err)
		// A missing key is no failure, and clients made by this one are observed too.
		if err := raw(t, c).Get(t.Context(), "nothing").Err(); err != redis.Nil { //nolint:errorlint // it is what the library returns
			t.Fatal(err)
		}
		if err := raw(t, c).Do(t.Context(), "nonsense").Err(); err == nil {
			t.Fatal("there is a command called nonsense")
		}
		mu.Lock()
		defer mu.Unlock()
		for _, want := range []string{"ping", "pipeline", "get"} {
			if !slices.Contains(begun, want) {
				t.Errorf("%s was not observed: %v", want, begun)
			}
		}
		if failed["get"] != 0 || failed["ping"] != 0 || failed["nonsense"] != 1 {
			t.Errorf("so many of each are said to have failed: %v", failed)
		}
	})
}
