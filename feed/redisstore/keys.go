package redisstore

import (
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// keyPrefix keeps the names apart from those of other programs in one Redis, such
// as a task queue's.
const keyPrefix = "tideline:inbox:"

// inboxKeys returns the names of a viewer's header and entries, in the order in
// which every script takes them. What stands in braces alone decides a key's slot
// in a Cluster.
func inboxKeys(viewer feed.UserID) []string {
	slot := fmt.Sprintf("%s{%d}", keyPrefix, viewer)
	return []string{slot + ":header", slot + ":entries"}
}
