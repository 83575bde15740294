//go:build !upgraded

package app

import (
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/tasks"
)

// thisVersion returns the formats of this version. The build tag upgraded makes a program
// of the next one, by which upgrades are tried.
func thisVersion() formats {
	return formats{payload: tasks.PayloadVersion, layout: redisstore.InboxLayout}
}
