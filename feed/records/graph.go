package records

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/tideline-feeds/tideline/feed"
)

// graphTime is the time of all users and follows of a graph: 2020-01-01T00:00:00Z in
// milliseconds.
const graphTime = 1577836800000

// Graph describes an edge list.
type Graph struct {
	// Directed makes the first user of an edge follow the second; otherwise edges are mutual.
	Directed bool
	// IDOffset is added to every id, for lists whose ids begin at 0.
	IDOffset int64
}

// ImportGraph imports an edge list, two comma-separated ids per line. It creates a user for every
// id, and the follows of every edge. The first line can be a header, and lines that begin with #
// or % are comments. Otherwise it is like [Import].
func ImportGraph(ctx context.Context, r io.Reader, to feed.Applier, o Options, g Graph) (Summary, error) {
	im := newImporter(to, o)
	known := map[feed.UserID]bool{}
	first := true
	return im.readAll(ctx, r, func(l line) error {
		text := string(l.text)
		if strings.HasPrefix(text, "#") || strings.HasPrefix(text, "%") {
			im.skip(l.number, "a comment")
			return nil
		}
		isFirst := first
		first = false
		if isFirst && isHeader(text) {
			im.skip(l.number, "the header")
			return nil
		}
		a, b, err := g.edge(text)
		if err != nil {
			return im.refuseLine(ctx, l.number, err.Error())
		}
		for _, rec := range g.records(known, a, b) {
			rec.Line = l.number
			if err := im.add(ctx, rec); err != nil {
				return err
			}
		}
		return nil
	})
}

// isHeader reports whether a line is a header: no field is a number, and each has a letter.
func isHeader(text string) bool {
	for field := range strings.SplitSeq(text, ",") {
		_, err := strconv.ParseFloat(unquoted(field), 64)
		if err == nil || !strings.ContainsFunc(field, unicode.IsLetter) {
			return false
		}
	}
	return true
}

// unquoted returns a field without surrounding spaces and quotation marks.
func unquoted(field string) string {
	field = strings.TrimSpace(field)
	if len(field) >= 2 && field[0] == '"' && field[len(field)-1] == '"' {
		return field[1 : len(field)-1]
	}
	return field
}

func (g Graph) edge(text string) (a, b feed.UserID, err error) {
	from, to, two := strings.Cut(text, ",")
	if !two {
		return 0, 0, errNoEdge(text)
	}
	if a, err = g.end(from, text); err != nil {
		return 0, 0, err
	}
	if b, err = g.end(to, text); err != nil {
		return 0, 0, err
	}
	if a == b {
		return 0, 0, fmt.Errorf("user %d cannot follow itself", a)
	}
	return a, b, nil
}

// end parses one end of an edge.
func (g Graph) end(field, text string) (feed.UserID, error) {
	field = unquoted(field)
	n, err := strconv.ParseUint(field, 10, 63)
	if err != nil || len(field) > 1 && field[0] == '0' {
		return 0, errNoEdge(text)
	}
	if g.IDOffset == 0 && n == 0 {
		return 0, fmt.Errorf("0 is not an id; ids begin at 1, and --id-offset 1 adds one to each")
	}
	id := int64(n)
	if id > 0 && g.IDOffset > math.MaxInt64-id || id+g.IDOffset < 1 {
		return 0, fmt.Errorf("%d with the offset %d is not an id; ids are from 1 to %d", id, g.IDOffset, int64(math.MaxInt64))
	}
	return feed.UserID(id + g.IDOffset), nil
}

func errNoEdge(text string) error {
	return fmt.Errorf("an edge is two comma-separated ids, not %.60q", text)
}

// records returns the new users and the follows of an edge.
func (g Graph) records(known map[feed.UserID]bool, a, b feed.UserID) []feed.Record {
	var out []feed.Record
	for _, id := range []feed.UserID{a, b} {
		if !known[id] {
			known[id] = true
			out = append(out, feed.Record{User: &feed.UserRecord{User: feed.User{
				ID: id, Handle: "user" + id.String(), Name: "User " + id.String(), CreatedAt: graphTime,
			}}})
		}
	}
	out = append(out, feed.Record{Follow: &feed.FollowRecord{Follower: a, Followee: b, CreatedAt: graphTime}})
	if !g.Directed {
		out = append(out, feed.Record{Follow: &feed.FollowRecord{Follower: b, Followee: a, CreatedAt: graphTime}})
	}
	return out
}
