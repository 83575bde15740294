package app

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// InboxStore keeps inboxes and can walk through all of them.
type InboxStore interface {
	feed.Inboxes
	feed.InboxKeeper
}

// InboxStores are the stores of one backend.
type InboxStores struct {
	// Home keeps the inboxes of contents, and Replays those of replays.
	Home, Replays InboxStore
	// ViewerCache is shared by processes; nil where it saves no read of the database.
	ViewerCache feed.SharedViewerCache
}

// InboxesInSQL returns the inboxes in the database, which keep up to limit entries each.
func InboxesInSQL(store *sqlstore.Store, limit int) InboxStores {
	return InboxStores{Home: sqlstore.NewInboxes(store, limit), Replays: sqlstore.NewReplayInboxes(store, limit)}
}

// InboxesInRedis returns the inboxes in Redis, which keep up to limit entries each.
func InboxesInRedis(client *redisstore.Client, limit int) InboxStores {
	layout := redisstore.WithLayout(thisVersion().layout)
	home := redisstore.NewInboxes(client, limit, layout)
	return InboxStores{Home: home, Replays: redisstore.NewReplayInboxes(client, limit, layout), ViewerCache: home}
}
