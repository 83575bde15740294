package harness

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// OpenInboxes opens the servers' inboxes until the test ends. inbox is the servers' value of
// --inbox: database or redis.
func OpenInboxes(t *testing.T, inbox, database, redis string) app.InboxStore {
	t.Helper()
	limit := feed.DefaultPolicy().InboxCap
	if inbox == app.InboxSQL {
		store, err := sqlstore.Open(t.Context(), database)
		Check(t, err)
		t.Cleanup(func() { Check(t, store.Close()) })
		return sqlstore.NewInboxes(store, limit)
	}
	client, err := redisstore.Open(t.Context(), redis)
	Check(t, err)
	t.Cleanup(func() { Check(t, client.Close()) })
	return redisstore.NewInboxes(client, limit)
}
