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
	"github.com/tideline-feeds/tideline/feed/doctor"
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
	// examined again after one common pause.
	examinedTogether = 100
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
		began := time.Now()
		r := &doctorReport{}
		err := c.examineBoth(ctx, o, store, inboxes, user, r)
		if errors.Is(err, context.Canceled) {
			return errInterrupted
		}
		if err != nil {
			return err
		}
		r.took = time.Since(began)
		waits := r.inspectQueues(ctx, c.maintenanceSettings)
		if err := r.readStore(ctx, store, waits); err != nil {
			return err
		}
		c.warn(ctx, env, store, r)
		write := r.print
		if c.JSON {
			write = r.printJSON
		}
		if err := write(o.out); err != nil {
			return err
		}
		if n := r.all().WrongCount(); n > 0 {
			return fmt.Errorf("found %d errors in inboxes or feeds; docs/operations.md says what to do", n)
		}
		return nil
	})
}

// newDoctor returns a doctor that bypasses all caches.
func newDoctor(store *sqlstore.Store, inboxes feed.Inboxes, depth int) *doctor.Doctor {
	return &doctor.Doctor{
		Home: &timeline.Timeline{
			Viewers: &timeline.Direct{Inboxes: inboxes, Relations: store, Outboxes: store, Posts: store, Primary: store},
			Inboxes: inboxes, Outboxes: store, Reference: store, Pending: store,
			Queue: feed.NoUpkeep{}, Policy: feed.DefaultPolicy(),
		},
		Inboxes: inboxes, Reference: store, Relations: store, Policy: feed.DefaultPolicy(),
		Coverage: store, Posts: store, Progress: store,
		Depth: depth, AtOnce: examinedAtOnce, Pause: func(ctx context.Context) error { return await(ctx, time.After(recheckPause)) },
	}
}

// inspectQueues reads the task queues, which may be on another Redis than the inboxes, and
// returns how long tasks wait.
func (r *doctorReport) inspectQueues(ctx context.Context, s maintenanceSettings) (waits feed.Waits) {
	r.queuesErr = s.withQueue(ctx, func(queue *tasks.Queue) (err error) {
		if r.queues, err = queue.Inspect(ctx); err != nil {
			return err
		}
		if r.workers, err = queue.Workers(ctx); err != nil {
			return err
		}
		waits, err = queue.Waits(ctx)
		return err
	})
	return waits
}

// newReplayDoctor is newDoctor for the feeds of replays.
func newReplayDoctor(store *sqlstore.Store, inboxes feed.Inboxes, depth int) *doctor.Doctor {
	d := newDoctor(store, inboxes, depth)
	replays, posts := sqlstore.NewReplays(store), live.ReplayPosts{Sessions: sqlstore.NewLive(store)}
	d.Replays, d.Reference, d.Coverage, d.Posts = true, replays, replays, replays
	d.Home = &timeline.Timeline{
		Viewers: &timeline.Direct{Inboxes: inboxes, Relations: store, Outboxes: replays, Posts: posts, Primary: posts},
		Inboxes: inboxes, Outboxes: replays, Reference: replays, Pending: replays, PullsPending: true,
		Queue: feed.NoUpkeep{}, Policy: d.Policy,
	}
	return d
}

// examineBoth examines home feeds and feeds of replays.
func (c *doctorCommand) examineBoth(ctx context.Context, o output, store *sqlstore.Store, inboxes app.InboxStores, user feed.UserID, r *doctorReport) error {
	if err := c.examine(ctx, o, newDoctor(store, inboxes.Home, c.Depth), inboxes.Home, user, &r.home); err != nil {
		return err
	}
	if err := r.home.Explain(ctx, newExplainer(store, inboxes.Home)); err != nil {
		return err
	}
	return c.examine(ctx, o, newReplayDoctor(store, inboxes.Replays, c.Depth), inboxes.Replays, user, &r.replays)
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
func (c *doctorCommand) examine(ctx context.Context, o output, d *doctor.Doctor, inboxes feed.InboxWalker, user feed.UserID, r *examined) (err error) {
	if c.All {
		return c.examineAll(ctx, o, d, inboxes, r)
	}
	viewers := []feed.UserID{user}
	if user == 0 {
		random := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
		viewers, r.inboxes, err = inbox.Sample(ctx, inboxes, c.Sample, d.Policy.UpkeepBatch, random)
		if err != nil {
			return err
		}
	}
	bar := newCount(o.err, "examined", len(viewers))
	defer func() { _ = bar.Finish() }()
	for len(viewers) > 0 {
		some := viewers[:min(len(viewers), examinedTogether)]
		viewers = viewers[len(some):]
		if err := r.examine(ctx, d, some); err != nil {
			return err
		}
		_ = bar.Add(len(some))
	}
	return nil
}

func (c *doctorCommand) examineAll(ctx context.Context, o output, d *doctor.Doctor, inboxes feed.InboxWalker, r *examined) error {
	bar := newCount(o.err, "examined", -1)
	defer func() { _ = bar.Finish() }()
	return inbox.Walk(ctx, inboxes, examinedTogether, func(viewers []feed.UserID) error {
		r.inboxes += len(viewers)
		_ = bar.Add(len(viewers))
		return r.examine(ctx, d, viewers)
	})
}
