package redisstore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// Every name begins with tideline: to keep it apart from those of other programs in one
// Redis, such as a task queue's. What stands in braces alone decides a key's slot in a
// Cluster.
//
//	tideline:inbox:{viewer}                   a viewer's inbox, of the first layout
//	tideline:inbox-2:{viewer}                 the same of the second, and so on
//	tideline:inbox:{viewer}:note              the shared viewer cache beside it ([feed.SharedViewerCache])
//	tideline:replay-inbox:{viewer}            his replay inbox
//	tideline:live:{host}:generation           what a host has upcoming and live
//	tideline:live-snapshot:{viewer}:name      the snapshot of one scroll, name in hex
//	tideline:pulse                            the pulse of the only server there is
//	tideline:pulse:{tag}                      that of one master of a Cluster
//	tideline:identity                         the number that a Redis is known by
//	tideline:identity:cluster                 that of a Cluster
//	tideline:evict                            no key but the channel of evictions
//
// Versions before inboxes were one key each wrote tideline:inbox:{viewer}:header and
// tideline:inbox:{viewer}:entries, and likewise for replays. Nothing reads these any more,
// and [Inboxes.Trim] drops them.

// keyspace makes the names of one kind of inboxes. It is what they begin with.
type keyspace string

const (
	homeInboxes   keyspace = "tideline:inbox:"
	replayInboxes keyspace = "tideline:replay-inbox:"
)

// of returns where inboxes of a layout are. Those of the first were named before there was
// another.
func (s keyspace) of(layout int64) keyspace {
	if layout == 1 {
		return s
	}
	return keyspace(fmt.Sprintf("%s-%d:", strings.TrimSuffix(string(s), ":"), layout))
}

// pattern matches the names of inboxes and what older versions kept, and may match others.
func (s keyspace) pattern() string { return string(s) + "{*}*" }

// key returns the name of a viewer's inbox.
func (s keyspace) key(viewer feed.UserID) string {
	return string(s.append(make([]byte, 0, s.longest()), viewer))
}

// keys returns the names of the inboxes of some viewers. They share one string: a push to a
// thousand followers would leave as many behind.
func (s keyspace) keys(viewers []feed.UserID) []string {
	text, ends := make([]byte, 0, len(viewers)*s.longest()), make([]int, len(viewers))
	for i, viewer := range viewers {
		text = s.append(text, viewer)
		ends[i] = len(text)
	}
	all, from, names := string(text), 0, make([]string, len(viewers))
	for i, end := range ends {
		names[i], from = all[from:end], end
	}
	return names
}

// longest is how long a name may be.
func (s keyspace) longest() int { return len(s) + len("{9223372036854775807}") }

// append writes the name of a viewer's inbox behind text.
func (s keyspace) append(text []byte, viewer feed.UserID) []byte {
	text = append(append(text, s...), '{')
	return append(strconv.AppendInt(text, int64(viewer), 10), '}')
}

// all returns the names of a viewer's inbox and of what older versions kept in its place,
// in the order in which the script trim takes them. They are in one slot.
func (s keyspace) all(viewer feed.UserID) []string {
	name := s.key(viewer)
	return []string{name, name + ":header", name + ":entries"}
}

// allOf returns these names of each of some viewers, in their order.
func (s keyspace) allOf(viewers []feed.UserID) (names []string) {
	for _, viewer := range viewers {
		names = append(names, s.all(viewer)...)
	}
	return names
}

// entry returns the key of a viewer's entry in the shared viewer cache. It is in the slot of
// their inbox.
func (s keyspace) entry(viewer feed.UserID) string { return s.key(viewer) + ":note" }

// parse returns whose key it is, or false for a name that [keyspace.all] never returns.
func (s keyspace) parse(name string) (viewer feed.UserID, ok bool) {
	rest, ok := strings.CutPrefix(name, string(s)+"{")
	if !ok {
		return 0, false
	}
	id, _, _ := strings.Cut(rest, "}")
	viewer, err := feed.ParseUserID(id)
	if err != nil {
		return 0, false
	}
	return viewer, slices.Contains(s.all(viewer), name)
}

// setKey returns the name of a host's set in one generation.
func setKey(generation int64, host feed.UserID) string {
	return fmt.Sprintf("tideline:live:{%d}:%d", host, generation)
}

// snapshotKey returns the name of a snapshot.
func snapshotKey(viewer feed.UserID, name uint64) string {
	return fmt.Sprintf("tideline:live-snapshot:{%d}:%x", viewer, name)
}

// identityKey holds what [Identity] knows a Redis by. A Cluster has a name of its own for it,
// so that one which was filled from a single server is not taken for that server, whose pulse
// it does not have either.
const (
	identityKey        = "tideline:identity"
	clusterIdentityKey = "tideline:identity:cluster"
)

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
