package chaos

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
)

// liveWords has the API's names of the states that tables and cursors have as numbers.
var liveWords = map[int64]string{1: "LIVE", 2: "UPCOMING", 3: "REPLAY", 4: "cancelled"}

// transition is one row of the history of all sessions. Score orders the sessions of a state; it is
// negative while the session is upcoming.
type transition struct {
	Number, Session, Host, State, Score int64
}

// before compares two sessions in feed order, by the contract.
func (e transition) before(other transition) int {
	return cmp.Or(cmp.Compare(e.State, other.State), cmp.Compare(other.Score, e.Score), cmp.Compare(other.Session, e.Session))
}

// liveHistory computes from the tables the state as of any number. It shares nothing with the
// program.
type liveHistory struct {
	// all has the transitions in the order of their numbers.
	all []transition
	// cancelled has the number of the cancellation of each cancelled session.
	cancelled map[int64]int64
}

func readLiveHistory(ctx context.Context, conn *pgx.Conn) (*liveHistory, error) {
	rows, err := conn.Query(ctx, `SELECT number, session_id AS session, host_id AS host, state, score FROM live_transitions ORDER BY number`)
	if err != nil {
		return nil, err
	}
	h := &liveHistory{cancelled: map[int64]int64{}}
	if h.all, err = pgx.CollectRows(rows, pgx.RowToStructByName[transition]); err != nil {
		return nil, err
	}
	for _, t := range h.all {
		if liveWords[t.State] == "cancelled" {
			h.cancelled[t.Session] = t.Number
		}
	}
	return h, nil
}

// asOf returns all sessions as of a number in feed order, without cancelled ones.
func (h *liveHistory) asOf(number int64) []transition {
	last := map[int64]transition{}
	for _, t := range h.all {
		if t.Number <= number {
			last[t.Session] = t
		}
	}
	var list []transition
	for _, t := range last {
		if liveWords[t.State] != "cancelled" {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, transition.before)
	return list
}

// states returns the states of a session between two numbers, both included.
func (h *liveHistory) states(session, from, to int64) []string {
	var words []string
	for _, t := range h.all {
		if t.Session != session || t.Number > to {
			continue
		}
		if t.Number <= from {
			words = nil // what it was before does not count
		}
		words = append(words, liveWords[t.State])
	}
	return words
}

// gone returns whether a session was cancelled at a number.
func (h *liveHistory) gone(session, by int64) bool {
	number, cancelled := h.cancelled[session]
	return cancelled && number <= by
}

// check returns what is wrong with a scroll, or "". Each page must have the next entries of the
// list as of the scroll's number, of the hosts that belonged in it when the page was read. Sessions
// cancelled during the read may be there or not.
func (h *liveHistory) check(s *liveScroll) string {
	rest := h.asOf(s.number)
	if old := h.missed(s); old != "" {
		return fmt.Sprintf("%v: %s", s, old)
	}
	for i, page := range s.pages {
		var complaint string
		if rest, complaint = h.checkPage(rest, page); complaint != "" {
			return fmt.Sprintf("%v, page %d of %d, read between the numbers %d and %d: %s",
				s, i+1, len(s.pages), page.before, page.after, complaint)
		}
	}
	return ""
}

// missed returns a transition from before the first page that the scroll does not show, or "". A
// scroll may show an earlier number only if nothing in its list has changed since.
func (h *liveHistory) missed(s *liveScroll) string {
	if len(s.pages) == 0 {
		return ""
	}
	for _, t := range h.all {
		if first := s.pages[0]; t.Number > s.number && t.Number <= first.before && first.hosts[t.Host] {
			return fmt.Sprintf("its first page, asked for at the number %d, does not know of %+v", first.before, t)
		}
	}
	return ""
}

// checkPage compares a page with the rest of the list, and returns what follows it.
func (h *liveHistory) checkPage(rest []transition, page livePage) (behind []transition, complaint string) {
	may := func(e transition) bool { return page.hosts[e.Host] && !h.gone(e.Session, page.before) }
	must := func(e transition) bool { return page.hosts[e.Host] && !h.gone(e.Session, page.after) }
	for _, got := range page.entries {
		next := slices.IndexFunc(rest, func(e transition) bool { return must(e) || e.Session == got.session })
		switch {
		case next < 0:
			return nil, fmt.Sprintf("%v does not belong there", got)
		case rest[next].Session != got.session:
			return nil, fmt.Sprintf("%v is where %+v must be", got, rest[next])
		case !may(rest[next]):
			return nil, fmt.Sprintf("%v should have left", got)
		case liveWords[rest[next].State] != got.state:
			return nil, fmt.Sprintf("%v was %+v", got, rest[next])
		case !slices.Contains(h.states(got.session, page.before, page.after), got.now):
			return nil, fmt.Sprintf("the current state of %v is wrong", got)
		}
		rest = rest[next+1:]
	}
	switch {
	case !page.more && slices.ContainsFunc(rest, must):
		return nil, fmt.Sprintf("it is the last page, but %+v is missing", rest[slices.IndexFunc(rest, must)])
	case page.more && !slices.ContainsFunc(rest, may):
		return nil, "it announces another page, but the list ends"
	case page.more && len(page.entries) != page.size:
		return nil, fmt.Sprintf("it has %d of %d entries, but the list goes on", len(page.entries), page.size)
	}
	return rest, ""
}

// The hosts whose sessions belong in a list now. The parameters of the first are the viewer and the
// version of the scroll, those of the second the viewer and the host.
const (
	hostsOfFeed = `
SELECT host FROM (
    SELECT $1::bigint AS host
    UNION SELECT followee_id FROM follows WHERE follower_id = $1 AND active = 1 AND version <= $2
) AS mine WHERE NOT EXISTS (
    SELECT 1 FROM relations r
    WHERE r.user_id = $1 AND r.target_id = host AND r.kind IN ('mute', 'block')
       OR r.user_id = host AND r.target_id = $1 AND r.kind IN ('hide', 'block'))`
	hostsOfList = `
SELECT $2::bigint WHERE $1::bigint = $2 OR NOT EXISTS (
    SELECT 1 FROM relations r
    WHERE r.user_id = $1 AND r.target_id = $2 AND r.kind = 'block'
       OR r.user_id = $2 AND r.target_id = $1 AND r.kind IN ('hide', 'block'))`
)

// hostsOf returns the hosts whose sessions belong in a scroll now. Only the calling scroller
// changes its viewer's relations, so they are the same as at the last page.
func hostsOf(ctx context.Context, conn *pgx.Conn, s *liveScroll) (map[int64]bool, error) {
	query, arg := hostsOfFeed, s.version
	if s.host != 0 {
		query, arg = hostsOfList, int64(s.host)
	}
	rows, err := conn.Query(ctx, query, int64(s.viewer), arg)
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	hosts := map[int64]bool{}
	for _, host := range list {
		hosts[host] = true
	}
	return hosts, err
}

// liveNumber returns the number of the last transition.
func liveNumber(ctx context.Context, conn *pgx.Conn) (number int64, err error) {
	err = conn.QueryRow(ctx, `SELECT number FROM live_clock`).Scan(&number)
	return number, err
}

// liveScroll is one scroll with the pages that its reader received.
type liveScroll struct {
	viewer feed.UserID
	// host is 0 in a live feed.
	host feed.UserID
	// number and version identify what the scroll shows; its cursors have them. If the first page
	// is empty, the number is the one before the request and the version is the largest.
	number, version int64
	snapshotAt      time.Time
	pages           []livePage
	next            *string
	// ended is set after the last page.
	ended bool
	// changes counts the relations that the viewer has changed during the scroll.
	changes int
	// faults is the number of faults when the scroll began.
	faults int64
}

func (s *liveScroll) String() string {
	list := "the live feed"
	if s.host != 0 {
		list = fmt.Sprintf("the sessions of %d", s.host)
	}
	return fmt.Sprintf("viewer %d, %s as of the number %d and version %d", s.viewer, list, s.number, s.version)
}

// livePage is one page of a scroll. The page was read between the numbers before and after.
type livePage struct {
	size          int
	before, after int64
	hosts         map[int64]bool
	entries       []liveEntry
	more          bool
}

// liveEntry is one session on a page: its state at the moment of the scroll and its state now.
type liveEntry struct {
	session    int64
	state, now string
}

func (e liveEntry) String() string {
	return fmt.Sprintf("session %d, %s (now %s)", e.session, e.state, e.now)
}

// cursorFields has the fields of a cursor that identify a scroll, and the session at the cursor.
type cursorFields struct{ number, at, version, session int64 }

// readCursor decodes a cursor by its documented layout: version, list and state, one byte each;
// then number and time of the moment, version of the relations, name of the snapshot, time and id
// of the position, eight bytes each.
func readCursor(cursor string) (cursorFields, error) {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) != 3+6*8 || b[0] != 1 {
		return cursorFields{}, fmt.Errorf("the cursor %q does not have the documented layout: %w", cursor, err)
	}
	field := func(i int) int64 { return int64(binary.BigEndian.Uint64(b[3+8*i:])) }
	return cursorFields{number: field(0), at: field(1), version: field(2), session: field(5)}, nil
}

// newLiveScroll returns a scroll without pages.
func newLiveScroll(viewer, host feed.UserID, faults int64) *liveScroll {
	return &liveScroll{viewer: viewer, host: host, version: math.MaxInt64, faults: faults}
}
