package redisstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// announcing returns two processes on the Redis at a URL.
func announcing(t *testing.T, url string) (one, other *redisstore.Announcements) {
	t.Helper()
	return redisstore.NewAnnouncements(open(t, url)), redisstore.NewAnnouncements(open(t, url))
}

func TestAnnouncements(t *testing.T) {
	t.Run("redis", func(t *testing.T) {
		feedtest.Announcements(t, func(t *testing.T) (one, other feedtest.Announcer, lose func()) {
			url := testenv.StartRedis(t, testenv.RedisOptions{}).URL()
			one, other = announcing(t, url)
			return one, other, func() {
				must(t, raw(t, open(t, url)).ClientKillByFilter(t.Context(), "TYPE", "pubsub").Err())
			}
		})
	})
	t.Run("embedded", func(t *testing.T) {
		feedtest.Announcements(t, func(t *testing.T) (one, other feedtest.Announcer, lose func()) {
			url := embedded(t).URL()
			one, other = announcing(t, url)
			return one, other, func() { publish(t, url, `{"v":2}`) }
		})
	})
	t.Run("cluster", func(t *testing.T) {
		url := testenv.StartRedisCluster(t, 0).URL()
		feedtest.Announcements(t, func(t *testing.T) (one, other feedtest.Announcer, lose func()) {
			one, other = announcing(t, url)
			return one, other, func() { publish(t, url, "nonsense") }
		})
	})
}

// publish puts a text on the channel of announcements.
func publish(t *testing.T, url, text string) {
	t.Helper()
	must(t, raw(t, open(t, url)).Publish(t.Context(), "tideline:announce", text).Err())
}
