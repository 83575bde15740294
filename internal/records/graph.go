package records

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// graphTime dates the users and follows of a graph, which has no times of its own:
// 2020-01-01T00:00:00Z in milliseconds.
const graphTime = 1577836800000

// ImportGraph reads an edge list, two numbers a line with a comma between, and
// makes a user of every number and two follows of every edge. Ids are the numbers
// plus one, since 0 is no id. The first line may name the columns. Otherwise it is
// like [Import].
func ImportGraph(ctx context.Context, r io.Reader, to Sink, o Options) (Summary, error) {
	im := newImporter(to, o)
	known := map[feed.UserID]bool{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		im.sum.Lines++
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		a, b, err := edge(text)
		if err != nil {
			if im.sum.Lines == 1 {
				continue // the names of the columns
			}
			if err := im.refuse(im.sum.Lines, err.Error()); err != nil {
				return im.sum, err
			}
			continue
		}
		for _, rec := range edgeRecords(known, a, b) {
			rec.Line = im.sum.Lines
			if err := im.add(ctx, rec); err != nil {
				return im.sum, err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return im.sum, err
	}
	return im.sum, im.end(ctx)
}

// edge reads the two ends of an edge.
func edge(text string) (a, b feed.UserID, err error) {
	from, to, _ := strings.Cut(text, ",")
	ends := [2]feed.UserID{}
	for i, s := range []string{from, to} {
		n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
		if err != nil || n < 0 || n == math.MaxInt64 {
			return 0, 0, fmt.Errorf("an edge is two numbers with a comma between, not %.60q", text)
		}
		ends[i] = feed.UserID(n + 1)
	}
	if ends[0] == ends[1] {
		return 0, 0, fmt.Errorf("user %d cannot follow itself", ends[0])
	}
	return ends[0], ends[1], nil
}

// edgeRecords returns the users that are new, and a follow in either direction.
func edgeRecords(known map[feed.UserID]bool, a, b feed.UserID) []feed.Record {
	var out []feed.Record
	for _, id := range []feed.UserID{a, b} {
		if !known[id] {
			known[id] = true
			out = append(out, feed.Record{User: &feed.UserRecord{User: feed.User{
				ID: id, Handle: "user" + id.String(), Name: "User " + id.String(), CreatedAt: graphTime,
			}}})
		}
	}
	return append(out,
		feed.Record{Follow: &feed.FollowRecord{Follower: a, Followee: b, CreatedAt: graphTime}},
		feed.Record{Follow: &feed.FollowRecord{Follower: b, Followee: a, CreatedAt: graphTime}})
}
