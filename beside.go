package main

import (
	"context"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// besideSettings are those of a command that works on inboxes beside the servers which
// keep them.
type besideSettings struct {
	databaseSettings
	redisSettings
	inboxSettings
}

// check refuses settings that are wrong, and a database that is not there.
func (s besideSettings) check(command string) error {
	if err := checkAll(s.databaseSettings, s.redisSettings, s.inboxSettings); err != nil {
		return err
	}
	return s.checkThere(command)
}

// found returns the servers' Redis. The embedded one is that of the server that runs on
// the data directory.
func (s besideSettings) found(ctx context.Context) (redisServers, error) {
	servers := s.servers(s.Inbox)
	if !servers.isEmbedded() {
		return servers, nil
	}
	url, err := s.readRedisURL(ctx)
	if err != nil {
		return redisServers{}, err
	}
	for _, server := range []*redisServer{&servers.main, &servers.queue} {
		if server.url == embedded {
			server.url = url
		}
	}
	return servers, nil
}

// withInboxes opens database and inboxes, calls do, and closes them again.
func (s besideSettings) withInboxes(ctx context.Context, o output, do func(*sqlstore.Store, inboxStores) error) error {
	return withDatabase(ctx, s.databaseSettings, o, func(store *sqlstore.Store) error {
		if s.Inbox == inboxSQL {
			return do(store, inboxesInSQL(store, s.InboxCap))
		}
		servers, err := s.found(ctx)
		if err != nil {
			return err
		}
		client, err := redisstore.Open(ctx, servers.main.url)
		if err != nil {
			return err
		}
		return errors.Join(do(store, inboxesInRedis(client, s.InboxCap)), client.Close())
	})
}

// userFlag reads the value of --user; nobody when there is none.
func userFlag(text string) (feed.UserID, error) {
	if text == "" {
		return 0, nil
	}
	user, err := feed.ParseUserID(text)
	if err != nil {
		return 0, badSetting("--user: %.40q is not a user id; it is a whole number from 1 on", text)
	}
	return user, nil
}
