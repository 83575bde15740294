package redisstore

import (
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// keyPrefix keeps the names apart from those of other programs in one Redis, such
// as a task queue's. inboxPattern matches the names of headers and entries.
const (
	keyPrefix    = "tideline:inbox:"
	inboxPattern = keyPrefix + "{*}:*"
)

// inboxKeys returns the names of a viewer's header and entries, in the order in
// which every script takes them. What stands in braces alone decides a key's slot
// in a Cluster.
func inboxKeys(viewer feed.UserID) []string {
	slot := fmt.Sprintf("%s{%d}", keyPrefix, viewer)
	return []string{slot + ":header", slot + ":entries"}
}

// parseInboxKey returns whose key it is and whether it is the header, or false for a
// name that [inboxKeys] never returns.
func parseInboxKey(name string) (viewer feed.UserID, header, ok bool) {
	rest, ok := strings.CutPrefix(name, keyPrefix+"{")
	if !ok {
		return 0, false, false
	}
	id, _, _ := strings.Cut(rest, "}")
	viewer, err := feed.ParseUserID(id)
	if err != nil {
		return 0, false, false
	}
	keys := inboxKeys(viewer)
	return viewer, name == keys[0], name == keys[0] || name == keys[1]
}
