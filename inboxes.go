package main

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// inboxStore keeps inboxes, and can go through all it has.
type inboxStore interface {
	feed.Inboxes
	feed.InboxKeeper
}

// inboxStores keep the inboxes of contents and those of replays, which know nothing of each
// other, and beside the former, where it saves a read of the database, what is known of viewers.
type inboxStores struct {
	home, replays inboxStore
	notes         feed.Notes
}

// inboxesInSQL returns the inboxes in the database, which keep up to limit entries each.
func inboxesInSQL(store *sqlstore.Store, limit int) inboxStores {
	return inboxStores{home: sqlstore.NewInboxes(store, limit), replays: sqlstore.NewReplayInboxes(store, limit)}
}

// inboxesInRedis returns those in Redis.
func inboxesInRedis(client *redisstore.Client, limit int) inboxStores {
	layout := redisstore.WithLayout(thisVersion().layout)
	home := redisstore.NewInboxes(client, limit, layout)
	return inboxStores{home: home, replays: redisstore.NewReplayInboxes(client, limit, layout), notes: home}
}
