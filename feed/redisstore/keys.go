package redisstore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/hashslot"
)

// Every key begins with tideline:, apart from those of other programs in the same Redis, such as a
// task queue's. In a Cluster the text in braces determines the slot.
//
//	tideline:inbox:{viewer}                   a viewer's inbox in the first format
//	tideline:inbox-2:{viewer}                 the same in the second, and so on
//	tideline:replay-inbox:{viewer}            the viewer's replay inbox
//	tideline:live:{host}:generation           the upcoming and live sessions of a host
//	tideline:live-snapshot:{viewer}:name      the snapshot of one scroll, name in hex
//	tideline:pulse                            the pulse of a single server
//	tideline:pulse:{tag}                      the pulse of one master of a Cluster
//	tideline:online:connected                 the users with subscriptions, by time
//	tideline:online:seen                      the users who have read their home feed, by time
//	tideline:identity                         the identity of a Redis
//	tideline:identity:cluster                 the identity of a Cluster
//	tideline:changes                          the channel of the change log, not a key
//	tideline:changes:waiting                  the channel of changes without numbers, not a key

// keyspace makes the keys of one kind of inboxes, which begin with it.
type keyspace string

const (
	homeInboxes   keyspace = "tideline:inbox:"
	replayInboxes keyspace = "tideline:replay-inbox:"
)

// of returns the keyspace of a format. The first format has no number.
func (s keyspace) of(format int64) keyspace {
	if format == 1 {
		return s
	}
	return keyspace(fmt.Sprintf("%s-%d:", strings.TrimSuffix(string(s), ":"), format))
}

// pattern matches the keys of inboxes, and may match others.
func (s keyspace) pattern() string { return string(s) + "{*}*" }

func (s keyspace) key(viewer feed.UserID) string {
	return string(s.append(make([]byte, 0, s.longest()), viewer))
}

// keys makes one string for all keys, so a push to many followers leaves one piece of garbage.
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

func (s keyspace) longest() int { return len(s) + len("{9223372036854775807}") }

func (s keyspace) append(text []byte, viewer feed.UserID) []byte {
	text = append(append(text, s...), '{')
	return append(strconv.AppendInt(text, int64(viewer), 10), '}')
}

// parse returns false for a key that [keyspace.key] never returns.
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
	return viewer, name == s.key(viewer)
}

func setKey(generation int64, host feed.UserID) string {
	return fmt.Sprintf("tideline:live:{%d}:%d", host, generation)
}

func snapshotKey(viewer feed.UserID, name uint64) string {
	return fmt.Sprintf("tideline:live-snapshot:{%d}:%x", viewer, name)
}

// identityKey has the number of [Identity]. A Cluster uses another key, so that one filled from a
// single server has its own identity; it lacks that server's pulse, too.
const (
	identityKey        = "tideline:identity"
	clusterIdentityKey = "tideline:identity:cluster"
)

// A single server is called onlyServer; a master of a Cluster serverOfSlot and its lowest slot,
// such as "slot 5461".
const (
	pulsePrefix  = "tideline:pulse"
	onlyServer   = "redis"
	serverOfSlot = "slot "
)

// pulseKey returns a key such as tideline:pulse or tideline:pulse:{4213}, where the tag lies in the
// server's slot. tags are those of [hashslot.Tags].
func pulseKey(server string, tags func() []string) (string, error) {
	if server == onlyServer {
		return pulsePrefix, nil
	}
	number, ok := strings.CutPrefix(server, serverOfSlot)
	slot, err := strconv.Atoi(number)
	if !ok || err != nil || slot < 0 || slot >= hashslot.Count {
		return "", fmt.Errorf("redis: there is no server called %q", server)
	}
	return fmt.Sprintf("%s:{%s}", pulsePrefix, tags()[slot]), nil
}
