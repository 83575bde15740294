package app

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// InboxStore keeps inboxes and can list them.
type InboxStore interface {
	feed.Inboxes
	feed.InboxTrimmer
}

// InboxStores are the stores of one backend.
type InboxStores struct {
	// Home keeps the inboxes of posts, and Replays those of replays.
	Home, Replays InboxStore
}

// InboxesInSQL returns inboxes in the database, with at most limit entries each.
func InboxesInSQL(store *sqlstore.Store, limit int) InboxStores {
	return InboxStores{Home: sqlstore.NewInboxes(store, limit), Replays: sqlstore.NewReplayInboxes(store, limit)}
}

// InboxesInRedis returns inboxes in Redis, with at most limit entries each.
func InboxesInRedis(client *redisstore.Client, limit int) InboxStores {
	format := redisstore.WithFormat(thisVersion().inbox)
	return InboxStores{Home: redisstore.NewInboxes(client, limit, format), Replays: redisstore.NewReplayInboxes(client, limit, format)}
}
