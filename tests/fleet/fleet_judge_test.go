package fleet

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// span is a period; a zero end means that it continues.
type span struct{ from, to time.Time }

func (s span) has(t time.Time) bool { return !t.Before(s.from) && (s.to.IsZero() || t.Before(s.to)) }

// judge decides whether each page read under load was right. Several pages may be right, since
// posts appear when they are pushed. But a page never shows what the viewer may not see, is never
// out of order, has the viewer's own posts, and lacks no post that was pushed before the request.
type judge struct {
	net      *harness.Network
	database string

	mu     sync.Mutex
	sights []harness.Observation
	// waiting has acknowledged posts that were not pushed at the last poll.
	waiting map[string]bool
	// pushed has the times at which each post was pushed to all followers: several after a rollback
	// of Redis.
	pushed map[string][]span
	// goneAt has the times of acknowledged deletions.
	goneAt map[string]time.Time
	// losses has the periods in which Redis may have lost pushes without the program noticing.
	losses []span
	// beats is the number of heartbeats at the last poll. noticedAt has, for each of losses, the
	// number at which the program has noticed it.
	beats     int64
	noticedAt []int64
}

func newJudge(net *harness.Network, database string) *judge {
	j := &judge{net: net, database: database, waiting: map[string]bool{}, pushed: map[string][]span{}, goneAt: map[string]time.Time{}}
	for _, p := range net.Posts {
		j.pushed[strconv.FormatInt(p.ID, 10)] = []span{{from: time.Now()}}
	}
	return j
}

func (j *judge) Published(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting[id] = true
}

func (j *judge) Deleted(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.goneAt[id] = time.Now()
}

func (j *judge) Follows(follower, followee feed.UserID) bool {
	return j.net.Follows[[2]int{int(follower), int(followee)}]
}

func (j *judge) Saw(s harness.Observation) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sights = append(j.sights, s)
}

// A killed Redis may lose pushes of the last lossBefore. The program notices lossAfter the restart,
// or on a busy machine after the second heartbeat.
const (
	lossBefore = 5 * time.Second
	lossAfter  = 10 * time.Second
)

// loses records that a Redis was lost and when it came back.
func (j *judge) loses(from, to time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.losses = append(j.losses, span{from.Add(-lossBefore), to.Add(lossAfter)})
	j.noticedAt = append(j.noticedAt, j.beats+1+harness.NoticedAfterHeartbeats)
}

// follow polls the tables until ctx ends for posts that are pushed. It keeps one connection as long
// as it works, because connecting costs the database more than a query.
func (j *judge) follow(ctx context.Context) {
	const pause = 250 * time.Millisecond
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	var conn *pgx.Conn
	defer func() { closeConn(ctx, conn) }()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		if conn == nil {
			var err error
			if conn, err = pgx.Connect(ctx, j.database); err != nil {
				continue
			}
		}
		if err := j.poll(ctx, conn); err != nil {
			closeConn(ctx, conn)
			conn = nil
		}
	}
}

// closeConn closes a connection if there is one, even after ctx has ended.
func closeConn(ctx context.Context, conn *pgx.Conn) {
	if conn != nil {
		_ = conn.Close(context.WithoutCancel(ctx))
	}
}

const unpushed = `SELECT content_id FROM events WHERE state = 0 UNION SELECT content_id FROM plan_slices WHERE state < 2`

// poll queries the tables once. After an error the connection is unusable.
func (j *judge) poll(ctx context.Context, conn *pgx.Conn) error {
	j.mu.Lock()
	acknowledged := make([]string, 0, len(j.waiting))
	for id := range j.waiting {
		acknowledged = append(acknowledged, id)
	}
	j.mu.Unlock()
	rows, err := conn.Query(ctx, unpushed)
	if err != nil {
		return err
	}
	open, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	var beats int64
	if err := conn.QueryRow(ctx, harness.HeartbeatsQuery).Scan(&beats); err != nil {
		return err
	}
	j.take(acknowledged, open)
	j.hear(beats)
	return nil
}

// take records that all acknowledged posts but the open ones are pushed.
func (j *judge) take(acknowledged []string, open []int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now()
	waits := map[string]bool{}
	for _, id := range open {
		id := strconv.FormatInt(id, 10)
		waits[id] = true
		if spans := j.pushed[id]; len(spans) > 0 && spans[len(spans)-1].to.IsZero() {
			spans[len(spans)-1].to = now
			j.waiting[id] = true
		}
	}
	for _, id := range acknowledged {
		if !waits[id] {
			j.pushed[id] = append(j.pushed[id], span{from: now})
			delete(j.waiting, id)
		}
	}
}

// hear records the number of heartbeats. A loss ends when the program notices it.
func (j *judge) hear(beats int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.beats = beats
	for i, at := range j.noticedAt {
		if now := time.Now(); beats < at && j.losses[i].to.Before(now.Add(lossAfter)) {
			j.losses[i].to = now.Add(lossAfter)
		}
	}
}

// post is a row of the table contents.
type post struct {
	id     string
	author int
	key    [2]int64
	gone   bool
}

// verdict judges all pages by the tables after the load. It returns the number of pages and what is
// wrong with some.
func (j *judge) verdict(t *testing.T, o *harness.Oracle) (pages int, wrong []string) {
	t.Helper()
	rows, err := o.Conn.Query(t.Context(), `SELECT id, author_id, published_at, deleted_at <> 0 FROM contents`)
	harness.Check(t, err)
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (post, error) {
		var c post
		err := row.Scan(&c.key[1], &c.author, &c.key[0], &c.gone)
		c.id = strconv.FormatInt(c.key[1], 10)
		return c, err
	})
	harness.Check(t, err)
	slices.SortFunc(all, func(a, b post) int { return slices.Compare(b.key[:], a.key[:]) })
	byID := make(map[string]post, len(all))
	for _, c := range all {
		byID[c.id] = c
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, s := range j.sights {
		if what := cmp.Or(j.showsWrong(s, byID), j.lacks(s, all, byID)); what != "" {
			wrong = append(wrong, fmt.Sprintf("at %s viewer %d %s", s.Began.Format("15:04:05.000"), s.Viewer, what))
		}
	}
	return len(j.sights), wrong
}

// evictedWithin limits the time until a deletion has reached every cache: their time to live,
// doubled for a busy machine.
const evictedWithin = 10 * time.Second

// showsWrong names an entry that the page must not show or that is out of order.
func (j *judge) showsWrong(s harness.Observation, byID map[string]post) string {
	var last *post
	for _, id := range s.IDs {
		c, stored := byID[id]
		gone := j.goneAt[id]
		switch {
		case !stored:
			return "sees " + id + ", which is not stored"
		case last != nil && slices.Compare(c.key[:], last.key[:]) >= 0:
			return "sees " + id + " below " + last.id
		case s.Visible[c.author] == harness.Hidden:
			return fmt.Sprintf("sees %s by user %d, which the viewer mutes or does not follow", id, c.author)
		case !gone.IsZero() && s.Began.Sub(gone) > evictedWithin, c.author == int(s.Viewer) && slices.Contains(s.Gone, id):
			return "sees " + id + ", which was deleted"
		}
		last = &c
	}
	return ""
}

// lacks names a post that the page must show and does not.
func (j *judge) lacks(s harness.Observation, all []post, byID map[string]post) string {
	on := map[string]bool{}
	for _, id := range s.IDs {
		on[id] = true
	}
	var last [2]int64
	if !s.End && len(s.IDs) > 0 {
		last = byID[s.IDs[len(s.IDs)-1]].key
	}
	for _, id := range s.Own {
		if c := byID[id]; !on[id] && slices.Compare(c.key[:], last[:]) > 0 {
			return "lacks the viewer's own post " + id
		}
	}
	for _, c := range all {
		if slices.Compare(c.key[:], last[:]) <= 0 {
			break
		}
		if !on[c.id] && !c.gone && s.Visible[c.author] == harness.Shown && c.author != int(s.Viewer) && j.wasPushed(c.id, s.Began) {
			return fmt.Sprintf("lacks %s by user %d", c.id, c.author)
		}
	}
	return ""
}

// wasPushed returns whether a page requested at began must have a post.
func (j *judge) wasPushed(id string, at time.Time) bool {
	i := slices.IndexFunc(j.pushed[id], func(s span) bool { return s.has(at) })
	if i < 0 {
		return false
	}
	since := j.pushed[id][i].from
	return !slices.ContainsFunc(j.losses, func(loss span) bool { return loss.has(at) && since.After(loss.from) })
}

// The judge must find each kind of wrong page and accept right ones.
func TestJudge_FindsWrongPages(t *testing.T) {
	// User 1 reads. They follow 2 and not 3; whether they follow 4 is unknown.
	stances := []harness.Visibility{harness.Hidden, harness.Shown, harness.Shown, harness.Hidden, harness.Unknown}
	posts := []post{
		{id: "15", author: 4, key: [2]int64{5, 15}},
		{id: "14", author: 2, key: [2]int64{4, 14}},
		{id: "13", author: 3, key: [2]int64{3, 13}},
		{id: "12", author: 1, key: [2]int64{2, 12}},
		{id: "11", author: 2, key: [2]int64{1, 11}},
	}
	byID := map[string]post{}
	for _, c := range posts {
		byID[c.id] = c
	}
	began := time.Now()
	pushed := map[string][]span{
		"15": {{from: began.Add(-time.Hour)}},
		"14": {{from: began.Add(-time.Minute), to: began.Add(-30 * time.Second)}, {from: began.Add(-time.Second)}},
		"11": {{from: began.Add(-time.Hour)}},
	}
	for name, test := range map[string]struct {
		ids  string
		end  bool
		own  string
		gone string
		// lossAgo is the age of a loss of Redis, 0 for none.
		lossAgo time.Duration
		deleted time.Duration
		want    string
	}{
		"all posts":                             {ids: "15 14 12 11", end: true, own: "12"},
		"without an author of unknown relation": {ids: "14 12 11", end: true, own: "12"},
		"the beginning":                         {ids: "14 12", own: "12"},
		"without a post of the next page":       {ids: "15 14", own: "12"},
		"without posts that Redis lost":         {ids: "12 11", end: true, lossAgo: 3 * time.Second},
		"a post of an author not followed":      {ids: "14 13 12 11", end: true, want: "sees 13 by user 3"},
		"in another order":                      {ids: "12 14 11", end: true, want: "sees 14 below 12"},
		"the same post twice":                   {ids: "14 14 12 11", end: true, want: "sees 14 below 14"},
		"a post that is not stored":             {ids: "16 14", want: "sees 16, which is not stored"},
		"without the viewer's own post":         {ids: "14 11", end: true, own: "12", want: "lacks the viewer's own post 12"},
		"the viewer's own deleted post":         {ids: "14 12 11", end: true, gone: "12", want: "sees 12, which was deleted"},
		"a post deleted a minute ago":           {ids: "14 12 11", end: true, deleted: time.Minute, want: "sees 11, which was deleted"},
		"a post deleted a moment ago":           {ids: "14 12 11", end: true, deleted: time.Second},
		"without a pushed post":                 {ids: "12 11", end: true, want: "lacks 14 by user 2"},
		"short, and no end":                     {ids: "14 12", end: true, want: "lacks 11 by user 2"},
		"nothing":                               {end: true, want: "lacks 14 by user 2"},
	} {
		t.Run(name, func(t *testing.T) {
			j := &judge{pushed: pushed, goneAt: map[string]time.Time{}}
			if test.lossAgo > 0 {
				j.loses(began.Add(-test.lossAgo), began.Add(-test.lossAgo))
			}
			if test.deleted > 0 {
				j.goneAt["11"] = began.Add(-test.deleted)
			}
			s := harness.Observation{
				Viewer: feed.UserID(1), Began: began, IDs: strings.Fields(test.ids), End: test.end, Visible: stances,
				Own: strings.Fields(test.own), Gone: strings.Fields(test.gone),
			}
			got := j.showsWrong(s, byID) + j.lacks(s, posts, byID)
			if !strings.HasPrefix(got, test.want) || (test.want == "") != (got == "") {
				t.Errorf("the judge returns %q, want %q", got, test.want)
			}
		})
	}
}
