package cli

import (
	"context"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// maintenanceSettings are those of a command that works on inboxes while servers run, which
// keep them up.
type maintenanceSettings struct {
	app.DatabaseSettings
	app.RedisSettings
	app.InboxSettings
}

// check refuses settings that are wrong, and a database that is not there.
func (s maintenanceSettings) check(command string) error {
	if err := app.CheckAll(s.DatabaseSettings, s.RedisSettings, s.InboxSettings); err != nil {
		return err
	}
	return s.CheckExists(command)
}

// found returns the servers' Redis. The embedded one is that of the server that runs on
// the data directory.
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

// withInboxes opens database and inboxes, calls do, and closes them again.
func (s maintenanceSettings) withInboxes(ctx context.Context, o output, do func(*sqlstore.Store, app.InboxStores) error) error {
	return withDatabase(ctx, s.DatabaseSettings, o, func(store *sqlstore.Store) error {
		if s.Inbox == app.InboxSQL {
			return do(store, app.InboxesInSQL(store, s.InboxCap))
		}
		servers, err := s.found(ctx)
		if err != nil {
			return err
		}
		client, err := redisstore.Open(ctx, servers.Main.URL)
		if err != nil {
			return err
		}
		return errors.Join(do(store, app.InboxesInRedis(client, s.InboxCap)), client.Close())
	})
}

// userFlag reads the value of --user; 0 if there is none.
func userFlag(text string) (feed.UserID, error) {
	if text == "" {
		return 0, nil
	}
	user, err := feed.ParseUserID(text)
	if err != nil {
		return 0, app.BadSetting("--user: %.40q is not a user id; it is a whole number from 1 on", text)
	}
	return user, nil
}
