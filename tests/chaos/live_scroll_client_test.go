package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// sessionsOn returns one page of a viewer's live feed, or of the sessions of a host if host is not
// 0. A host that the viewer may not see has an empty list.
func sessionsOn(ctx context.Context, c *harness.Caller, as, host feed.UserID, size int, after *string) (tideline.SessionPage, error) {
	if host != 0 {
		got, err := tideline.LiveSessions(ctx, c.As(as), fmt.Sprint("u", host), size, after)
		if err != nil || got.User == nil {
			return tideline.SessionPage{}, err
		}
		return got.User.LiveSessions, nil
	}
	got, err := tideline.LiveFeed(ctx, c.As(as), size, after)
	switch {
	case err != nil:
		return tideline.SessionPage{}, err
	case got.Viewer == nil:
		return tideline.SessionPage{}, fmt.Errorf("the viewer of user %d's token is null", as)
	}
	return got.Viewer.LiveFeed, nil
}

// changeLive runs a mutation on live sessions and returns the session's global id, empty if the
// session was cancelled.
func changeLive(ctx context.Context, c *harness.Caller, as feed.UserID, mutation, inputType string, input map[string]any) (string, error) {
	var got struct{ Done tideline.SessionChange }
	err := c.Ask(ctx, as, `mutation($input: `+inputType+`!) { done: `+mutation+`(input: $input) { liveSession { id } userErrors { code message } } }`,
		map[string]any{"input": input}, &got)
	if err = errors.Join(err, tideline.Refused(got.Done.UserErrors)); err != nil || got.Done.LiveSession == nil {
		return "", err
	}
	return got.Done.LiveSession.Id, nil
}

// announcer is a client that makes random possible changes to the sessions of its own hosts, so the
// server must refuse none.
type announcer struct {
	api     *harness.Caller
	rng     *rand.Rand
	hosts   []feed.UserID
	open    map[feed.UserID][]announced
	results map[string]int
}

// announced is a session that is upcoming or live.
type announced struct {
	id   string
	live bool
}

// announcerPause is the pause between two changes.
const announcerPause = 40 * time.Millisecond

func (a *announcer) run(ctx context.Context, stopping <-chan struct{}) {
	pause := time.NewTicker(announcerPause)
	defer pause.Stop()
	for {
		err := a.step(ctx)
		if ctx.Err() != nil {
			return
		}
		a.results[harness.CodeOf(err)]++
		select {
		case <-pause.C:
		case <-stopping:
			return
		case <-ctx.Done():
			return
		}
	}
}

// step makes one transition. If its response is lost, the result is unknown and the session is not
// used again.
func (a *announcer) step(ctx context.Context) error {
	host := a.hosts[a.rng.IntN(len(a.hosts))]
	open := a.open[host]
	if len(open) < 2 || a.rng.IntN(10) < 3 {
		input := map[string]any{"title": "a session", "scheduledAt": a.soon()}
		id, err := changeLive(ctx, a.api, host, "scheduleLive", "ScheduleLiveInput", input)
		if err == nil {
			a.open[host] = append(open, announced{id: id})
		}
		return err
	}
	i := a.rng.IntN(len(open))
	s := open[i]
	a.open[host] = slices.Delete(open, i, i+1)
	mutation, inputType, input := a.change(s)
	input["liveSessionId"] = s.id
	_, err := changeLive(ctx, a.api, host, mutation, inputType, input)
	if err == nil && (mutation == "startLive" || mutation == "rescheduleLive") {
		a.open[host] = append(a.open[host], announced{s.id, mutation == "startLive"})
	}
	return err
}

// change returns a random change of a session.
func (a *announcer) change(s announced) (mutation, inputType string, input map[string]any) {
	switch n := a.rng.IntN(10); {
	case s.live:
		return "endLive", "EndLiveInput", map[string]any{"replayUrl": "https://replays.example/1"}
	case n < 2:
		return "rescheduleLive", "RescheduleLiveInput", map[string]any{"scheduledAt": a.soon()}
	case n < 4:
		return "cancelLive", "LiveIdInput", map[string]any{}
	}
	return "startLive", "LiveIdInput", map[string]any{}
}

// soon returns one of a few times, so that many are equal.
func (a *announcer) soon() string {
	return time.Now().Add(time.Duration(1+a.rng.IntN(20)) * time.Minute).Truncate(time.Minute).UTC().Format(time.RFC3339)
}

// scroller reads lists as its own viewers, on two devices at once. No other client changes their
// relations to hosts, so it knows them when it reads a page.
type scroller struct {
	api *harness.Caller
	// conn reads from the tables what belongs to the time of a page.
	conn    *pgx.Conn
	rng     *rand.Rand
	viewers []feed.UserID
	// hosts has the users that its viewers may follow, mute and block. They do not scroll.
	hosts []feed.UserID
	users int
	// changing viewers change their relations to hosts between pages.
	changing bool
	// faults counts the faults so far.
	faults *atomic.Int64

	open, done []*liveScroll
	results    map[string]int
	// proofs counts the ended scrolls of all scrollers.
	proofs *scrollProofs
}

// devices is the number of parallel scrolls. lookPause limits the pause between two pages, in which
// other changes happen.
const (
	devices   = 2
	lookPause = 40 * time.Millisecond
)

// run scrolls until stopping is closed and every scroll has ended.
func (s *scroller) run(ctx context.Context, stopping <-chan struct{}) error {
	for {
		select {
		case <-stopping:
			if len(s.open) == 0 {
				return nil
			}
		default:
			for len(s.open) < devices {
				s.open = append(s.open, s.begin())
			}
		}
		i := s.rng.IntN(len(s.open))
		if err := s.turn(ctx, s.open[i]); err != nil {
			return fmt.Errorf("%v: %w", s.open[i], err)
		}
		if scroll := s.open[i]; scroll.ended {
			s.open = slices.Delete(s.open, i, i+1)
			s.done = append(s.done, scroll)
			s.proofs.add(scroll, s.faults.Load())
		}
		select {
		case <-time.After(time.Duration(s.rng.Int64N(int64(lookPause)))):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// begin begins a scroll: three of four through live feeds, the others through the sessions of one
// host.
func (s *scroller) begin() *liveScroll {
	viewer := s.viewers[s.rng.IntN(len(s.viewers))]
	var host feed.UserID
	if s.rng.IntN(4) == 0 {
		host = feed.UserID(1 + s.rng.IntN(s.users))
	}
	return newLiveScroll(viewer, host, s.faults.Load())
}

// turn reads the next page of a scroll and records what to compare it with.
func (s *scroller) turn(ctx context.Context, scroll *liveScroll) (err error) {
	if s.changing && s.rng.IntN(5) == 0 {
		if err := s.relate(ctx, scroll.viewer); err != nil {
			return err
		}
	}
	page := livePage{size: 3 + s.rng.IntN(5)}
	if page.before, err = liveNumber(ctx, s.conn); err != nil {
		return err
	}
	var response tideline.SessionPage
	err = s.until(ctx, func() (err error) {
		response, err = sessionsOn(ctx, s.api, scroll.viewer, scroll.host, page.size, scroll.next)
		return err
	})
	if err != nil {
		return err
	}
	if page.after, err = liveNumber(ctx, s.conn); err != nil {
		return err
	}
	if err := scroll.take(response, &page); err != nil {
		return err
	}
	page.hosts, err = hostsOf(ctx, s.conn, scroll)
	scroll.pages = append(scroll.pages, page)
	return err
}

// until calls do until it succeeds. It retries only errors that a fault may cause.
func (s *scroller) until(ctx context.Context, do func() error) error {
	for {
		err := do()
		code := harness.CodeOf(err)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.results[code]++
		if code != "no response" && code != string(feed.CodeUnavailable) {
			return err
		}
		select {
		case <-time.After(harness.ClientPause):
		case <-ctx.Done():
		}
	}
}

// relate changes a relation between a viewer and one of the hosts.
func (s *scroller) relate(ctx context.Context, viewer feed.UserID) error {
	host := s.hosts[s.rng.IntN(len(s.hosts))]
	// Relations end as often as they begin, and hiding changes are rarer than follows.
	mutations := []string{
		"followUser", "followUser", "followUser", "unfollowUser", "unfollowUser", "unfollowUser",
		"muteUser", "unmuteUser", "blockUser", "unblockUser", "hideFromUser", "unhideFromUser",
	}
	mutation := mutations[s.rng.IntN(len(mutations))]
	as, to := viewer, host
	if mutation == "hideFromUser" || mutation == "unhideFromUser" {
		as, to = host, viewer
	}
	for _, scroll := range s.open {
		if scroll.viewer == viewer {
			scroll.changes++
		}
	}
	return s.until(ctx, func() error {
		err := s.api.Relate(ctx, mutation, as, to)
		if harness.CodeOf(err) == string(feed.CodeNotFound) {
			return nil // The viewer cannot follow a host who hides from them.
		}
		return err
	})
}

// take adds a page to a scroll and checks that its cursors show the moment of the earlier pages.
func (s *liveScroll) take(response tideline.SessionPage, page *livePage) error {
	first := len(s.pages) == 0
	if first {
		s.number, s.snapshotAt = page.before, response.SnapshotAt
	}
	for i, edge := range response.Edges {
		c, err := readCursor(edge.Cursor)
		if err != nil {
			return err
		}
		if first && i == 0 {
			s.number, s.version = c.number, c.version
		}
		session, err := strconv.ParseInt(edge.Node.DatabaseId, 10, 64)
		switch {
		case err != nil:
			return err
		case c.number != s.number || c.version != s.version || c.session != session || !response.SnapshotAt.Equal(s.snapshotAt):
			return fmt.Errorf("the cursor of %d, %+v, on a page of %s shows another moment than %s", session, c, response.SnapshotAt, s.snapshotAt)
		}
		page.entries = append(page.entries, liveEntry{session, string(edge.State), string(edge.Node.State)})
	}
	page.more, s.next = response.PageInfo.HasNextPage, response.PageInfo.EndCursor
	s.ended = !page.more
	return nil
}
