package redisstore

import (
	"fmt"
	"strconv"
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

// pulsePrefix begins the names of the keys that hold pulses, which no inbox has. The
// only server there is, is called onlyServer; a master of a Cluster serverOfSlot and
// its lowest slot, such as "slot 5461".
const (
	pulsePrefix  = "tideline:pulse"
	onlyServer   = "redis"
	serverOfSlot = "slot "
)

// pulseKey returns the name of the key that holds a server's pulse, such as
// tideline:pulse or tideline:pulse:{4213}, where what stands in braces lies in the slot
// that the server is called by. tags are those of [slotTags].
func pulseKey(server string, tags func() []string) (string, error) {
	if server == onlyServer {
		return pulsePrefix, nil
	}
	number, ok := strings.CutPrefix(server, serverOfSlot)
	slot, err := strconv.Atoi(number)
	if !ok || err != nil || slot < 0 || slot >= slotCount {
		return "", fmt.Errorf("redis: there is no server called %q", server)
	}
	return fmt.Sprintf("%s:{%s}", pulsePrefix, tags()[slot]), nil
}
