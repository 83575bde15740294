//go:build !upgraded

package app

import (
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/tasks"
)

// thisVersion returns the formats of this version. The build tag upgraded builds a later version
// for tests of upgrades.
func thisVersion() formats {
	return formats{payload: tasks.PayloadVersion, inbox: redisstore.InboxFormat}
}
