package redisstore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// Every name begins with tideline: to keep it apart from those of other programs in one
// Redis, such as a task queue's. What stands in braces alone decides a key's slot in a
// Cluster.
//
//	tideline:inbox:{viewer}:header            the header of a viewer's inbox
//	tideline:inbox:{viewer}:entries           its entries
//	tideline:replay-inbox:{viewer}:header     the same of his replay inbox
//	tideline:replay-inbox:{viewer}:entries
//	tideline:live:{host}:generation           what a host has upcoming and live
//	tideline:live-snapshot:{viewer}:name      the snapshot of one scroll, name in hex
//	tideline:pulse                            the pulse of the only server there is
//	tideline:pulse:{tag}                      that of one master of a Cluster
//	tideline:evict                            no key but the channel of evictions

// keyspace makes the names of one kind of inboxes. It is what they begin with.
type keyspace string

const (
	homeInboxes   keyspace = "tideline:inbox:"
	replayInboxes keyspace = "tideline:replay-inbox:"
)

// pattern matches the names of headers and entries, and may match others.
func (s keyspace) pattern() string { return string(s) + "{*}:*" }

// keys returns the names of a viewer's header and entries, in the order in which every
// script takes them.
func (s keyspace) keys(viewer feed.UserID) []string {
	slot := fmt.Sprintf("%s{%d}", string(s), viewer)
	return []string{slot + ":header", slot + ":entries"}
}

// parse returns whose key it is and whether it is the header, or false for a name that
// [keyspace.keys] never returns.
func (s keyspace) parse(name string) (viewer feed.UserID, header, ok bool) {
	rest, ok := strings.CutPrefix(name, string(s)+"{")
	if !ok {
		return 0, false, false
	}
	id, _, _ := strings.Cut(rest, "}")
	viewer, err := feed.ParseUserID(id)
	if err != nil {
		return 0, false, false
	}
	keys := s.keys(viewer)
	return viewer, name == keys[0], name == keys[0] || name == keys[1]
}

// setKey returns the name of a host's set in one generation.
func setKey(generation int64, host feed.UserID) string {
	return fmt.Sprintf("tideline:live:{%d}:%d", host, generation)
}

// snapshotKey returns the name of a snapshot.
func snapshotKey(viewer feed.UserID, name uint64) string {
	return fmt.Sprintf("tideline:live-snapshot:{%d}:%x", viewer, name)
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
