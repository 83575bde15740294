package cli

import (
	"context"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// maintenanceSettings are those of commands that work on inboxes while servers run.
type maintenanceSettings struct {
	app.DatabaseSettings
	app.RedisSettings
	app.InboxSettings
}

// check refuses invalid settings and a missing database.
func (s maintenanceSettings) check(command string) error {
	if err := app.CheckAll(s.DatabaseSettings, s.RedisSettings, s.InboxSettings); err != nil {
		return err
	}
	return s.CheckExists(command)
}

// found returns the Redis servers; an embedded one is that of the server on the data directory.
func (s maintenanceSettings) found(ctx context.Context) (app.RedisServers, error) {
	servers := s.Servers(s.Inbox)
	if !servers.IsEmbedded() {
		return servers, nil
	}
	url, err := s.ReadRedisURL(ctx)
	if err != nil {
		return app.RedisServers{}, err
	}
	for _, server := range []*app.RedisServer{&servers.Main, &servers.Queue} {
		if server.URL == app.Embedded {
			server.URL = url
		}
	}
	return servers, nil
}

// withInboxes calls do with the database, the inboxes and the user whose id a flag has.
func (s maintenanceSettings) withInboxes(ctx context.Context, o output, flag, text string, do func(*sqlstore.Store, app.InboxStores, feed.UserID) error) error {
	return withDatabase(ctx, s.DatabaseSettings, o, func(store *sqlstore.Store) error {
		user, err := findID(ctx, store, feed.UserIDs, flag, "user", text)
		if err != nil {
			return err
		}
		if s.Inbox == app.InboxSQL {
			return do(store, app.InboxesInSQL(store, s.InboxCap), feed.UserID(user))
		}
		servers, err := s.found(ctx)
		if err != nil {
			return err
		}
		client, err := redisstore.Open(ctx, servers.Main.URL)
		if err != nil {
			return err
		}
		return errors.Join(do(store, app.InboxesInRedis(client, s.InboxCap), feed.UserID(user)), client.Close())
	})
}
