package redisstore

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

// headerFields is how many texts the read script returns before the entries.
const headerFields = 8

// member returns a key's id as 20 digits, enough for 2^63-1, so that ids in text
// order are in the order of their numbers.
func member(k feed.Key) string { return fmt.Sprintf("%020d", k.ID) }

// bound returns the end of a range in times that a script's numbers can hold
// exactly. Everything above the last time a content may carry, such as [feed.Top],
// is brought down to just above it, where it encloses the same keys.
func bound(k feed.Key) feed.Key {
	if k.TS > feed.MaxTime {
		return feed.Key{TS: feed.MaxTime + 1}
	}
	return k
}

// parseInbox reads the result of the read script.
func parseInbox(reply []string) (feed.Inbox, error) {
	if len(reply) == 0 {
		return feed.Inbox{}, nil
	}
	if len(reply) < headerFields || (len(reply)-headerFields)%2 != 0 {
		return feed.Inbox{}, fmt.Errorf("the script returned %d texts", len(reply))
	}
	p := parser{}
	in := feed.Inbox{
		State:      p.state(reply[0]),
		Token:      reply[1],
		Generation: p.integer(reply[2]),
		Version:    p.integer(reply[3]),
		WarmUntil:  p.integer(reply[4]),
		Floor:      feed.Key{TS: p.millis(reply[5]), ID: p.integer(reply[6])},
		Count:      int(p.integer(reply[7])),
	}
	entries := reply[headerFields:]
	in.Keys = make([]feed.Key, 0, len(entries)/2)
	for i := 0; i < len(entries); i += 2 {
		pair := entries[i : i+2]
		in.Keys = append(in.Keys, feed.Key{TS: p.millis(pair[1]), ID: p.integer(pair[0])})
	}
	return in, p.err
}

// parser collects the errors of many fields, so that they are looked at once.
type parser struct{ err error }

func (p *parser) state(s string) feed.InboxState {
	switch s {
	case "building":
		return feed.InboxBuilding
	case "ready":
		return feed.InboxReady
	}
	p.err = errors.Join(p.err, fmt.Errorf("%q is not a state", s))
	return feed.InboxAbsent
}

func (p *parser) integer(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	p.err = errors.Join(p.err, err)
	return n
}

// millis reads a time as Redis prints scores: as a double, which may come out as
// 1.7e+12.
func (p *parser) millis(s string) int64 {
	f, err := strconv.ParseFloat(s, 64)
	p.err = errors.Join(p.err, err)
	return int64(f)
}
