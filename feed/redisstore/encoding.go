package redisstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// The scripts in lua use the same widths.
const (
	// recordWidth is 6 bytes for a time up to [feed.MaxTime] (below 2^48), and 8 for the id.
	recordWidth = 14
	timeWidth   = 6
	// tokenWidth has room for the 26 bytes of crypto/rand's text.
	tokenWidth = 32
	// numberWidth has room for 2^63-1.
	numberWidth = 19
	// headWidth is a letter and four numbers, each followed by a space, and the token.
	headWidth = 2 + 4*(numberWidth+1) + tokenWidth
)

const (
	stateBuilding = "b"
	stateReady    = "r"
)

// bound lowers times that a record has no room for, such as that of [feed.Top], to the last valid
// one. That does not change the keys in range.
func bound(k feed.Key) feed.Key {
	if k.TS > feed.MaxTime {
		return feed.Key{TS: feed.MaxTime + 1}
	}
	return k
}

// appendRecord appends a key, or the bound of a range. Records sort as bytes in the order of keys.
func appendRecord(b []byte, k feed.Key) []byte {
	k = bound(k)
	var time [8]byte
	binary.BigEndian.PutUint64(time[:], uint64(k.TS))
	b = append(b, time[len(time)-timeWidth:]...)
	return binary.BigEndian.AppendUint64(b, uint64(k.ID))
}

func record(k feed.Key) string { return string(appendRecord(nil, k)) }

// records returns the keys as records in ascending order without duplicates.
func records(keys []feed.Key) string {
	keys = slices.Clone(keys)
	slices.SortFunc(keys, feed.Key.Compare)
	keys = slices.Compact(keys)
	b := make([]byte, 0, recordWidth*len(keys))
	for _, k := range keys {
		b = appendRecord(b, k)
	}
	return string(b)
}

// reply is data from Redis, in a string or a reused buffer.
type reply interface{ string | []byte }

func parseRecords[T reply](s T) ([]feed.Key, error) {
	if len(s)%recordWidth != 0 {
		return nil, fmt.Errorf("%d bytes are not records of %d", len(s), recordWidth)
	}
	keys := make([]feed.Key, 0, len(s)/recordWidth)
	for ; len(s) > 0; s = s[recordWidth:] {
		keys = append(keys, parseRecord(s[:recordWidth]))
	}
	return keys, nil
}

func parseRecord[T reply](s T) feed.Key {
	var b [8 + 8]byte
	copy(b[8-timeWidth:], s)
	return feed.Key{TS: int64(binary.BigEndian.Uint64(b[:8])), ID: int64(binary.BigEndian.Uint64(b[8:]))}
}

// digits returns a number, at least 0, as scripts compare it.
func digits(n int64) string { return fmt.Sprintf("%0*d", numberWidth, n) }

func padded(token string) string { return fmt.Sprintf("%-*s", tokenWidth, token) }

func newInbox(m feed.BuildHeader) (string, error) {
	if len(m.Token) > tokenWidth {
		return "", fmt.Errorf("the token of a build has %d bytes and may have %d", len(m.Token), tokenWidth)
	}
	fields := []string{stateBuilding, digits(m.Generation), digits(0), digits(0), digits(m.StartedAt), padded(m.Token)}
	return strings.Join(fields, " ") + record(feed.Bottom), nil
}

// parseInbox takes the wanted entries in ascending order.
func parseInbox[T reply](head, floor, entries T) (feed.Inbox, error) {
	in, err := parseHead(head)
	if err != nil {
		return feed.Inbox{}, err
	}
	in.Floor = parseRecord(floor)
	in.Keys, err = parseRecords(entries)
	return in, err
}

// parseHead leaves out the start of the build, which reads do not need.
func parseHead[T reply](head T) (feed.Inbox, error) {
	var err error
	number := func(i int) int64 {
		from := 2 + i*(numberWidth+1)
		n, bad := strconv.ParseInt(string(head[from:from+numberWidth]), 10, 64)
		if bad != nil {
			err = bad
		}
		return n
	}
	in := feed.Inbox{
		Generation: number(0), Version: number(1), WarmUntil: number(2),
		// A copy, so that keeping it does not keep all that was read.
		Token: strings.Clone(strings.TrimRight(string(head[headWidth-tokenWidth:]), " ")),
	}
	switch string(head[:1]) {
	case stateBuilding:
		in.State = feed.InboxBuilding
	case stateReady:
		in.State = feed.InboxReady
	default:
		err = errors.Join(err, fmt.Errorf("%q is not a state", head[:1]))
	}
	return in, err
}
