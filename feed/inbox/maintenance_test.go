package inbox_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/inbox"
)

// walk tidies as many slices as there are at most.
func walk(v fixture.Service, h *inbox.Maintenance) {
	v.Helper()
	for range 10 {
		v.Must(h.TrimInboxes(v.Context()))
	}
}

func TestTrimInboxes_RemovesThoseOfDormantViewers(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		v.Cover(viewer, star)
	}
	v.WorkAll()
	v.Clock.Advance(v.Policy.ActiveFor)
	v.WarmUp(bob)
	v.Clock.Advance(v.Policy.DormantFor)
	walk(v, v.Maintenance)
	fixture.Is(t, "the inbox before its time", v.Header(ann).State, feed.InboxReady)
	v.Clock.Advance(time.Millisecond)
	walk(v, v.Maintenance)
	for viewer, want := range map[feed.UserID]feed.InboxState{ann: feed.InboxAbsent, bob: feed.InboxReady, cem: feed.InboxAbsent} {
		fixture.Is(t, "the inbox of user "+viewer.String(), v.Header(viewer).State, want)
	}
	fixture.Same(t, "the feed of who comes back", v.Home(ann), 1)
	v.WorkAll()
	fixture.Same(t, "their inbox", v.Entries(ann), 1)
}

func TestTrimInboxes_RemovesOldGenerations(t *testing.T) {
	v := fixture.New(t)
	v.BuildInbox(ann)
	v.ImportPost(1, star)
	v.BuildInbox(bob)
	walk(v, v.Maintenance)
	if a, b := v.Header(ann).State, v.Header(bob).State; a != feed.InboxAbsent || b != feed.InboxReady {
		t.Errorf("the states are %d and %d", a, b)
	}
}

// Several processes tidy up, of which one does the work; when it has gone another goes
// on.
func TestMaintenance_RunsInOneProcess(t *testing.T) {
	v := fixture.New(t)
	m := v.Maintenance
	other := &inbox.Maintenance{
		Inboxes: m.Inboxes, Trimmer: m.Trimmer, Relations: m.Relations, Activity: m.Activity,
		Leaders: m.Leaders, Holder: "the other one", Clock: m.Clock, Policy: v.Policy,
	}
	v.BuildInbox(ann)
	v.Clock.Advance(v.Policy.ActiveFor + v.Policy.DormantFor + time.Second)
	v.LoseInbox(ann)
	walk(v, v.Maintenance)
	fixture.Got(v.Backend.Inboxes.BeginBuild(t.Context(), ann, feed.BuildHeader{Token: "of a dormant viewer"}, 0)).Must(t)
	walk(v, other)
	if v.Header(ann).State == feed.InboxAbsent {
		t.Error("two processes tidy up")
	}
	v.Clock.Advance(time.Minute)
	walk(v, other)
	fixture.Is(t, "the inbox after maintenance by another process", v.Header(ann).State, feed.InboxAbsent)
}

// countedTrimmer counts the slices of walks.
type countedTrimmer struct {
	feed.InboxTrimmer
	walks int
}

func (c *countedTrimmer) Walk(ctx context.Context, cursor string, limit int) ([]feed.UserID, string, error) {
	c.walks++
	return c.InboxTrimmer.Walk(ctx, cursor, limit)
}

func TestTrimInboxes_PausesAfterLastInbox(t *testing.T) {
	v := fixture.New(t)
	v.BuildInboxes(ann, bob, cem)
	trimmer := &countedTrimmer{InboxTrimmer: v.Maintenance.Trimmer}
	v.Maintenance.Trimmer, v.Maintenance.Pause = trimmer, time.Minute
	walk(v, v.Maintenance)
	slices := trimmer.walks
	if slices < 2 {
		t.Fatalf("a walk has %d slices, want several", slices)
	}
	v.Clock.Advance(time.Minute - time.Millisecond)
	walk(v, v.Maintenance)
	v.Clock.Advance(time.Millisecond)
	walk(v, v.Maintenance)
	fixture.Is(t, "the slices of two walks and a pause", trimmer.walks, 2*slices)
}

func flagOf(v fixture.Service, author feed.UserID) feed.CoverageFlag {
	v.Helper()
	_, flag, err := v.Backend.Audience.Reach(v.Context(), author)
	v.Must(err)
	return flag
}

func TestLowerFlags_WaitsForFewFollowers(t *testing.T) {
	v := fixture.NewFollowing(t, func(p *feed.Policy) { p.Fanout, p.PushThreshold = feed.FanoutHybrid, 3 })
	v.AddFollowers(star, bob, cem)
	v.Flag(star, feed.FlagSelective)
	lower := func() feed.CoverageFlag {
		v.Must(v.Maintenance.LowerFlags(t.Context()))
		return flagOf(v, star)
	}
	step := v.Policy.FlagsKept
	lower()
	v.Clock.Advance(step)
	fixture.Same(t, "the flag of an author with many followers", []feed.CoverageFlag{lower()}, feed.FlagSelective)
	v.Unfollow(cem, star)
	lower()
	v.Clock.Advance(step / 2)
	v.Follow(cem, star)
	lower()
	v.Clock.Advance(step / 2)
	v.Unfollow(cem, star)
	fixture.Same(t, "the flag after a return above the limit", []feed.CoverageFlag{lower()}, feed.FlagSelective)
	v.Clock.Advance(step)
	fixture.Same(t, "the flag after a week with few", []feed.CoverageFlag{lower()}, feed.FlagNone)
	v.Deliver(star, 1)
	fixture.Same(t, "the feed", v.Home(ann), feed.PostID(1))
}

func TestWalk_MeetsEveryInbox(t *testing.T) {
	v := fixture.New(t)
	v.BuildInboxes(ann, cem, star, moon)
	var met []feed.UserID
	v.Must(inbox.Walk(t.Context(), v.Backend.Inboxes, 3, func(viewers []feed.UserID) error {
		met = append(met, viewers...)
		return nil
	}))
	fixture.Same(t, "whom it met", met, ann, cem, star, moon)

	stop, slicesMet := errors.New("stop"), 0
	err := inbox.Walk(t.Context(), v.Backend.Inboxes, 1, func([]feed.UserID) error {
		slicesMet++
		return stop
	})
	if !errors.Is(err, stop) || slicesMet != 1 {
		t.Errorf("after %d slices the error is %v", slicesMet, err)
	}
}

func TestSample_ReturnsAllOfFew(t *testing.T) {
	v := fixture.New(t)
	for n := range 4 {
		sample, total, err := inbox.Sample(t.Context(), v.Backend.Inboxes, 3, 2, rand.New(rand.NewPCG(1, 2)))
		v.Must(err)
		fixture.Same(t, "the sample", sample, []feed.UserID{ann, bob, cem}[:n]...)
		fixture.Is(t, "the inboxes in all", total, n)
		v.BuildInbox([]feed.UserID{ann, bob, cem, star}[n])
	}
}

func TestSample_IsUniform(t *testing.T) {
	v := fixture.New(t)
	everybody := []feed.UserID{ann, bob, cem, star, moon}
	for _, viewer := range everybody {
		v.BuildInbox(viewer)
	}
	const draws = 2000
	drawn := map[feed.UserID]int{}
	random := rand.New(rand.NewPCG(3, 4))
	for range draws {
		sample, total, err := inbox.Sample(t.Context(), v.Backend.Inboxes, 2, 2, random)
		v.Must(err)
		if len(sample) != 2 || total != 5 || !slices.IsSorted(sample) {
			t.Fatalf("of %d the sample is %v", total, sample)
		}
		for _, viewer := range sample {
			drawn[viewer]++
		}
	}
	for _, viewer := range everybody {
		// Two of five; 80 is four times the standard deviation.
		if n := drawn[viewer]; n < 2*draws/5-80 || n > 2*draws/5+80 {
			t.Errorf("user %d was drawn %d times in %d", viewer, n, draws)
		}
	}
}

// manyInboxes pretends that there are n inboxes of one user.
type manyInboxes struct {
	n     int
	slice []feed.UserID
	// walked counts the walks through all inboxes.
	walked int
}

func (m *manyInboxes) Walk(_ context.Context, cursor string, limit int) (viewers []feed.UserID, next string, err error) {
	at := 0
	if cursor != "" {
		if at, err = strconv.Atoi(cursor); err != nil {
			return nil, "", err
		}
	}
	for len(m.slice) < limit {
		m.slice = append(m.slice, ann)
	}
	if at += limit; at >= m.n {
		m.walked++
		return m.slice[:limit], "", nil
	}
	return m.slice[:limit], strconv.Itoa(at), nil
}

func (*manyInboxes) Trim(context.Context, []feed.UserID, int64) error { return nil }

// dormantFirst says that the first viewers of each slice are dormant.
type dormantFirst struct {
	feed.Activity
	n int
}

func (d dormantFirst) Dormant(_ context.Context, viewers []feed.UserID, _ time.Duration) ([]feed.UserID, error) {
	return viewers[:d.n], nil
}

// rounds walks n rounds through the inboxes, each of which must take less than a day. It takes longer
// than all of make quick, which leaves it to make test.
func (m *manyInboxes) rounds(v fixture.Service, n int) {
	v.Helper()
	if testing.Short() {
		v.Skip("a day of upkeep takes half a minute")
	}
	v.Maintenance.Trimmer, v.Maintenance.Pause = m, 10*time.Second
	for round := 1; round <= n; round++ {
		began := v.Clock.Now()
		for m.walked < round && v.Clock.Now().Sub(began) <= 24*time.Hour {
			v.Must(v.Maintenance.TrimInboxes(v.Context()))
			v.Clock.Advance(inbox.TrimInterval)
		}
		took := v.Clock.Now().Sub(began)
		v.Logf("round %d through %d inboxes takes %v", round, m.n, took)
		if took > 24*time.Hour {
			v.Errorf("round %d through %d inboxes takes more than a day", round, m.n)
		}
	}
}

// largeBatches sets the size of the batches of upkeep to the default.
func largeBatches(p *feed.Policy) { p.UpkeepBatch = feed.DefaultPolicy().UpkeepBatch }

func TestSimulation_TrimRoundTakesLessThanDay(t *testing.T) {
	numbers := []int{1000, 1_000_000}
	if feedtest.Nightly {
		numbers = append(numbers, 100_000_000)
	}
	for _, n := range numbers {
		v := fixture.New(t, largeBatches)
		v.Maintenance.Activity = dormantFirst{}
		// The first round does not know the number, and the second does.
		(&manyInboxes{n: n}).rounds(v, 2)
	}
}

// removal is what a removal costs that waits for Redis: one round trip to another machine.
const removal = 500 * time.Microsecond

// slowRemovals takes the time of a whole slice for the removal of its first inbox.
type slowRemovals struct {
	feed.Inboxes
	advance func()
}

func (s slowRemovals) Remove(context.Context, feed.UserID) error { s.advance(); return nil }

func TestSimulation_RemovalsTakeLessThanDay(t *testing.T) {
	// A tenth of the inboxes takes as long if each takes ten times as long.
	n, removal := 10_000_000, 10*removal
	if feedtest.Nightly {
		n, removal = 10*n, removal/10
	}
	v := fixture.New(t, largeBatches)
	m := v.Maintenance
	m.Activity, m.RemovedAtOnce = dormantFirst{n: 1}, 8
	slice := time.Duration(v.Policy.UpkeepBatch) * removal / time.Duration(m.RemovedAtOnce)
	m.Inboxes = slowRemovals{m.Inboxes, func() { v.Clock.Advance(slice) }}
	(&manyInboxes{n: n}).rounds(v, 1)
}

// meeting lets a removal wait until another one runs. The fixture's inboxes are for one goroutine, so
// they are removed one after the other then.
type meeting struct {
	feed.Inboxes
	other chan struct{}
	one   *sync.Mutex
}

func (m meeting) Remove(ctx context.Context, viewer feed.UserID) error {
	select {
	case m.other <- struct{}{}:
	case <-m.other:
	case <-ctx.Done():
		return ctx.Err()
	}
	m.one.Lock()
	defer m.one.Unlock()
	return m.Inboxes.Remove(ctx, viewer)
}

func TestTrimInboxes_RemovesSeveralAtOnce(t *testing.T) {
	v := fixture.New(t)
	v.BuildInbox(ann)
	v.BuildInbox(bob)
	v.Clock.Advance(v.Policy.ActiveFor + v.Policy.DormantFor + time.Hour)
	v.EndLeases()
	m := v.Maintenance
	m.RemovedAtOnce, m.Inboxes = 2, meeting{m.Inboxes, make(chan struct{}), &sync.Mutex{}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only if they wait for each other
	defer cancel()
	v.Must(m.TrimInboxes(ctx))
	fixture.Same(t, "the inbox", v.Entries(ann))
}
