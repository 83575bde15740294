package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/tasks"
)

// doctorCommand examines feeds and inboxes, or compares objects with those of a source, without changing
// them, while servers run.
type doctorCommand struct {
	maintenanceSettings
	Sample int    `default:"1000" placeholder:"N" help:"Examine N random inboxes (${default})."`
	All    bool   `xor:"users" help:"Examine all inboxes."`
	User   string `xor:"users" placeholder:"ID" help:"Examine one user, with or without an inbox."`
	Depth  int    `placeholder:"N" help:"Compare only the newest N entries of each home feed."`
	JSON   bool   `name:"json" help:"Print the report as JSON."`

	Source   bool     `xor:"users" help:"Compare all objects with those of the mirror's source, or of a dump, instead of examining inboxes. The mirror waits for about a second."`
	Position []string `placeholder:"PARTITION:POSITION" help:"With --source and a dump: the place of the source that the dump is of. It fails if another one is applied."`
	compareSettings
	Dump string `arg:"" optional:"" type:"path" help:"With --source: a file with the records of all objects that the source has, plain or compressed by gzip."`
}

const (
	// examinedAtOnce is low, because each examination runs a reference query over a whole feed,
	// and servers need the database too.
	examinedAtOnce = 4
	// examinedTogether is the size of a batch of viewers. Suspicious viewers of a batch are
	// examined again after one common pause. examinedFirst is the size of the first batch: if
	// nothing can be read, it shows soon.
	examinedTogether = 100
	examinedFirst    = 10
	// recheckPause is the pause before each of two further examinations. Together the pauses
	// outlast five missed heartbeats and a successful one, which re-dispatches lost writes.
	recheckPause = 3 * time.Second
)

var errInterrupted = errors.New("doctor: interrupted")

func (c *doctorCommand) check() error {
	if !c.Source && (c.Dump != "" || len(c.Position) > 0) || c.Dump == "" && len(c.Position) > 0 {
		return app.BadSetting("a dump needs --source, and --position needs a dump")
	}
	if c.Source {
		return cmp.Or(c.DatabaseSettings.Check(), c.CheckExists("doctor"))
	}
	if err := c.maintenanceSettings.check("doctor"); err != nil {
		return err
	}
	return cmp.Or(app.InRange("--sample", c.Sample, 1, math.MaxInt32), app.InRange("--depth", c.Depth, 0, math.MaxInt32))
}

// Run prints a report, and fails if anything is wrong.
func (c *doctorCommand) Run(ctx context.Context, o output, env environment) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Source {
		return c.compare(ctx, o)
	}
	return c.withInboxes(ctx, o, "--user", c.User, func(store *sqlstore.Store, inboxes app.InboxStores, user feed.UserID) error {
		r, err := c.report(ctx, o, env, store, inboxes, user)
		if errors.Is(err, context.Canceled) {
			return errInterrupted
		}
		if err != nil {
			return err
		}
		if err := o.print(c.JSON, r, r.print); err != nil {
			return err
		}
		if r.Wrong > 0 {
			return fmt.Errorf("found %d errors in inboxes or feeds; docs/operations.md says what to do", r.Wrong)
		}
		return nil
	})
}

// report examines home feeds and feeds of replays, and reads the state of the system.
func (c *doctorCommand) report(ctx context.Context, o output, env environment, store *sqlstore.Store, inboxes app.InboxStores, user feed.UserID) (*doctorReport, error) {
	began := time.Now()
	r := newDoctorReport()
	home, replays := newExaminer(store, inboxes.Home), newReplayExaminer(store, inboxes.Replays)
	home.Depth, replays.Depth = c.Depth, c.Depth
	err := c.examine(ctx, o, home, inboxes.Home, user, &r.Tally, r.Report)
	if err == nil {
		err = c.examine(ctx, o, replays, inboxes.Replays, user, &r.Replays, r.Report)
	}
	if err == nil {
		err = home.Describe(ctx, r.Findings, finderOf(store))
	}
	if err != nil {
		return nil, err
	}
	r.Took = time.Since(began).Milliseconds()
	r.count()
	waits := r.inspectQueues(ctx, c.maintenanceSettings)
	if err := r.readStore(ctx, store, waits); err != nil {
		return nil, err
	}
	c.warn(ctx, env, store, r)
	return r, nil
}

// newExaminer returns an examiner that bypasses all caches.
func newExaminer(store *sqlstore.Store, inboxes feed.Inboxes) *examine.Examiner {
	direct := &timeline.Direct{Inboxes: inboxes, Relations: store, Outboxes: store, Posts: store, Primary: store}
	return &examine.Examiner{
		Home: &timeline.Timeline{
			Viewers: direct, Inboxes: inboxes, Outboxes: store, Reference: store, Pending: store, Queue: feed.NoUpkeep{}, Policy: feed.DefaultPolicy(),
		},
		Viewers: direct, Posts: store, Reference: store, Coverage: store, Progress: store, Fanouts: store,
		PageMax: feed.DefaultPolicy().PageMax, Walk: walk(examinedAtOnce, recheckPause),
	}
}

// newReplayExaminer is newExaminer for the feeds of replays.
func newReplayExaminer(store *sqlstore.Store, inboxes feed.Inboxes) *examine.Examiner {
	replays, posts := sqlstore.NewReplays(store), live.ReplayPosts{Sessions: sqlstore.NewLive(store)}
	direct := &timeline.Direct{Inboxes: inboxes, Relations: store, Outboxes: replays, Posts: posts, Primary: posts}
	x := newExaminer(store, inboxes)
	x.Replays, x.Viewers, x.Posts, x.Reference, x.Coverage = true, direct, replays, replays, replays
	x.Home = &timeline.Timeline{
		Viewers: direct, Inboxes: inboxes, Outboxes: replays, Reference: replays, Pending: replays, PullsPending: true,
		Queue: feed.NoUpkeep{}, Policy: feed.DefaultPolicy(),
	}
	return x
}

// walk returns a walk with pauses.
func walk(atOnce int, pause time.Duration) examine.Walk {
	return examine.Walk{AtOnce: atOnce, Pause: func(ctx context.Context) error { return await(ctx, time.After(pause)) }}
}

// withQueue calls do with the task queues of the server.
func (s maintenanceSettings) withQueue(ctx context.Context, do func(*tasks.Queue) error) error {
	servers, err := s.found(ctx)
	if err != nil {
		return err
	}
	client, err := redisstore.Open(ctx, servers.Queue.URL)
	if err != nil {
		return err
	}
	queue := tasks.NewQueue(client, tasks.QueueOptions{Prefix: servers.QueuePrefix, Spread: client.Sharded()})
	return errors.Join(do(queue), queue.Close(), client.Close())
}

// examine examines the users that the flags select; user is that of --user.
func (c *doctorCommand) examine(ctx context.Context, o output, x *examine.Examiner, inboxes feed.InboxWalker, user feed.UserID, tally *examine.Tally, report *examine.Report[examine.Finding]) error {
	viewers, n := []feed.UserID{user}, c.Sample
	if c.All {
		n = math.MaxInt
	}
	if user == 0 {
		var err error
		random := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
		viewers, tally.Users.WithInbox, err = inbox.Sample(ctx, inboxes, n, feed.DefaultPolicy().UpkeepBatch, random)
		if err != nil {
			return err
		}
	}
	return o.inBatches("examined", viewers, func(some []feed.UserID) error { return x.Examine(ctx, some, tally, report) })
}

// inBatches calls do with batches of viewers, and shows how many are done.
func (o output) inBatches(done string, viewers []feed.UserID, do func([]feed.UserID) error) error {
	bar := newCount(o.err, done, len(viewers))
	defer func() { _ = bar.Finish() }()
	for size := examinedFirst; len(viewers) > 0; size = examinedTogether {
		n := min(size, len(viewers))
		if err := do(viewers[:n]); err != nil {
			return err
		}
		viewers = viewers[n:]
		_ = bar.Add(n)
	}
	return nil
}
