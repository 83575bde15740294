package redisstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// wholeMost is the highest cap with which inboxes are fetched whole. With a cap of 300, which is
// five kilobytes, that takes two thirds of the time of a script, and with 1,000 the same
// (BenchmarkWholeOrScript).
const wholeMost = 500

// wholeReader fetches whole inboxes with one command and searches them here; a script takes six.
type wholeReader struct{}

func (wholeReader) args(int, feed.Range) []any { return nil }

func (wholeReader) fetch(ctx context.Context, r redis.UniversalClient, calls []scriptCall) []result {
	pipe := r.Pipeline()
	read := make([]*redis.StringCmd, len(calls))
	for i, c := range calls {
		read[i] = pipe.Get(ctx, c.keys[0])
	}
	_, _ = pipe.Exec(ctx) // the error is the first of those of the commands
	results := make([]result, len(calls))
	for i, cmd := range read {
		results[i].reply, results[i].err = cmd.Bytes()
	}
	return results
}

// parse treats a value that cannot be an inbox as none, as all scripts do.
func (wholeReader) parse(reply any, cap int, r feed.Range) (feed.Inbox, error) {
	stored, _ := reply.([]byte)
	if len(stored) < headWidth+recordWidth || (len(stored)-headWidth)%recordWidth != 0 {
		return feed.Inbox{}, nil
	}
	records := stored[headWidth:]
	at := func(i int) []byte { return records[i*recordWidth : (i+1)*recordWidth] }
	// Entries beyond the cap are not part of the inbox; see lua/format.lua.
	high := len(records) / recordWidth
	bottom := max(0, high-1-cap)
	low := bottom + 1
	count := high - low
	search := func(k feed.Key) int {
		var from [recordWidth]byte
		appendRecord(from[:0], k)
		return low + sort.Search(high-low, func(i int) bool { return bytes.Compare(at(low+i), from[:]) >= 0 })
	}
	if r.Ascending {
		low = search(bound(r.Above).Next())
		high = min(high, low+r.Limit)
	} else {
		high = search(r.Below)
		low = max(low, high-r.Limit)
	}
	in, err := parseInbox(stored[:headWidth], at(bottom), records[low*recordWidth:high*recordWidth])
	in.Count = count
	return in, err
}

// scriptReader lets Redis search, and fetches only what is wanted.
type scriptReader struct{ script *redis.Script }

func (scriptReader) args(cap int, r feed.Range) []any {
	direction, from := "descending", ""
	if r.Below.TS <= feed.MaxTime {
		from = record(r.Below)
	}
	if r.Ascending {
		direction, from = "ascending", record(bound(r.Above).Next())
	}
	return []any{cap, direction, from, r.Limit}
}

func (w scriptReader) fetch(ctx context.Context, r redis.UniversalClient, calls []scriptCall) []result {
	results := make([]result, len(calls))
	for i, cmd := range callAll(ctx, r, w.script, calls) {
		results[i].reply, results[i].err = cmd.Result()
	}
	return results
}

func (scriptReader) parse(reply any, _ int, _ feed.Range) (feed.Inbox, error) {
	values, isList := reply.([]any)
	if isList && len(values) == 0 {
		return feed.Inbox{}, nil
	}
	if len(values) != 3 {
		return feed.Inbox{}, fmt.Errorf("the script returned %d values", len(values))
	}
	head, isText := values[0].(string)
	count, isNumber := values[1].(int64)
	records, areText := values[2].(string)
	if !isText || !isNumber || !areText || len(head) != headWidth || len(records) < recordWidth {
		return feed.Inbox{}, errors.New("the script returned values of other types")
	}
	in, err := parseInbox(head, records[:recordWidth], records[recordWidth:])
	in.Count = int(count)
	return in, err
}
