//go:build upgraded

package app

import (
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/tasks"
)

// thisVersion returns formats of a version that changes everything that may change: payloads, the
// storage format of inboxes, and, by an addition, the schema.
func thisVersion() formats {
	return formats{
		payload: tasks.PayloadVersion + 1, inbox: redisstore.InboxFormat + 1,
		schema: []sqlstore.Option{sqlstore.WithMigration(9000, "ALTER TABLE contents ADD COLUMN of_later BIGINT NOT NULL DEFAULT 0")},
	}
}
