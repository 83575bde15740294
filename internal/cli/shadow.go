package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/tideline-feeds/tideline/connect/shadow"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// shadowCommand compares the feeds of another system with Tideline's, without changing anything.
type shadowCommand struct {
	maintenanceSettings
	Old          string           `required:"" env:"TIDELINE_SHADOW_OLD" placeholder:"URL" help:"Endpoint of the other system, http:// or https://. The mapping file adds path and query."`
	Map          string           `required:"" env:"TIDELINE_SHADOW_MAP" placeholder:"FILE" help:"File that says how to ask for a viewer's page, and where it has the posts."`
	Viewers      string           `placeholder:"FILE" help:"Compare the users whose ids are in a file, one a line."`
	Sample       int              `default:"1000" placeholder:"N" help:"Compare N random active users, or N random users if none is active (${default})."`
	Seed         uint64           `placeholder:"N" help:"Seed of the sample, to compare the same users again; random by default."`
	Pages        int              `default:"3" placeholder:"N" help:"Compare the first N pages of the other system (${default})."`
	Kinds        []feed.Kind      `enum:"POST,COMMENT,REPOST" placeholder:"KIND,…" help:"Compare with feeds of these kinds of post: POST, COMMENT, REPOST. All by default."`
	Rate         float64          `default:"20" placeholder:"N" help:"Send at most N requests a second to the other system (${default})."`
	Concurrency  int              `default:"4" placeholder:"N" help:"Compare N users at the same time (${default})."`
	Timeout      time.Duration    `default:"10s" placeholder:"DURATION" help:"Time-out of a request. Failed ones are repeated three times (${default})."`
	Pause        time.Duration    `default:"3s" placeholder:"DURATION" help:"Pause before each of two further reads of feeds that differ. Differences that are gone then do not count (${default})."`
	Duration     time.Duration    `placeholder:"DURATION" help:"Draw and compare further samples until this time is over."`
	MaxDifferent string           `default:"0%" placeholder:"PERCENT" help:"Fail if the feeds of more users differ (${default})."`
	Allow        []examine.Reason `placeholder:"REASON,…" help:"Report differences for these reasons, but do not count them for --max-different."`
	JSON         bool             `name:"json" help:"Print the report as JSON."`
}

// drawnTogether is how many users are listed at once for a sample.
const drawnTogether = 10_000

// share returns the number of a percentage, from 0 to 1.
func share(flag, text string) (float64, error) {
	n, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !strings.HasSuffix(text, "%") || !(n >= 0 && n <= 100) {
		return 0, app.BadSetting("%s must be a percentage from 0%% to 100%%, such as 0.1%%, not %.40q", flag, text)
	}
	return n / 100, nil
}

func (c *shadowCommand) check() error {
	_, err := share("--max-different", c.MaxDifferent)
	return cmp.Or(err,
		app.InRange("--sample", c.Sample, 1, math.MaxInt32), app.InRange("--pages", c.Pages, 1, 1000),
		app.InRange("--rate", c.Rate, 0.01, 1e6), app.InRange("--concurrency", c.Concurrency, 1, 1000),
		app.InRange("--timeout", c.Timeout, time.Millisecond, time.Hour), app.InRange("--pause", c.Pause, 0, time.Hour),
		app.InRange("--duration", c.Duration, 0, 365*24*time.Hour), c.checkReasons())
}

func (c *shadowCommand) checkReasons() error {
	known := shadow.Reasons()
	for _, reason := range c.Allow {
		if !known[reason] {
			return app.BadSetting("--allow: %.40q is no reason of differences; docs/cutover.md lists them", string(reason))
		}
	}
	return nil
}

// client returns the client of the other system.
func (c *shadowCommand) client() (*shadow.Client, error) {
	text, err := os.ReadFile(c.Map)
	if err != nil {
		return nil, app.BadSetting("--map: %v", err)
	}
	file, err := shadow.ParseMap(text, os.LookupEnv)
	if err != nil {
		return nil, app.BadSetting("--map: %s:\n%v", c.Map, err)
	}
	target, err := url.Parse(c.Old)
	switch {
	case err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https":
		return nil, app.BadSetting("--old must be the URL of an endpoint, http://… or https://…")
	case target.User != nil:
		return nil, app.BadSetting("--old must not have a user or a password; let the mapping file set a header of a variable, as in env.OLD_FEED_TOKEN")
	}
	return &shadow.Client{
		Map: file, URL: target, Limit: rate.NewLimiter(rate.Limit(c.Rate), 1), Pages: c.Pages, Timeout: c.Timeout, Wait: time.Second,
		HTTP: &http.Client{
			Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: c.Concurrency, IdleConnTimeout: time.Minute},
			// A redirection could send the token to another host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Run prints a report, and fails if too many viewers differ.
func (c *shadowCommand) Run(ctx context.Context, o output) error {
	if err := c.check(); err != nil {
		return err
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	if err := c.maintenanceSettings.check("shadow"); err != nil {
		return err
	}
	limit, err := share("--max-different", c.MaxDifferent)
	if err != nil {
		return err
	}
	sum := shadow.NewSummary(limit, c.Allow)
	err = c.withInboxes(ctx, o, "shadow", "", func(store *sqlstore.Store, inboxes app.InboxStores, _ feed.UserID) error {
		return c.compare(ctx, o, sum, store, c.shadow(store, inboxes, client))
	})
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && (!interrupted || sum.Viewers == 0) {
		return err
	}
	if err := o.print(c.JSON, sum, sum.Write); err != nil {
		return err
	}
	switch {
	case interrupted:
		return errors.New("shadow: interrupted; the report has what was compared until then")
	case !sum.OK:
		return fmt.Errorf("the feeds of %d of %d users differ, more than %s; docs/cutover.md explains the reasons", sum.Different, sum.Viewers, c.MaxDifferent)
	}
	return nil
}

// shadow returns a comparison that bypasses all caches.
func (c *shadowCommand) shadow(store *sqlstore.Store, inboxes app.InboxStores, client *shadow.Client) *shadow.Shadow {
	ours := newExaminer(store, inboxes.Home)
	ours.Walk = walk(c.Concurrency, c.Pause)
	s := &shadow.Shadow{Old: client, Ours: ours, IDs: feed.DecimalIDs{}, Filter: feed.OfKinds(c.Kinds...)}
	if store.TextIDs() {
		s.IDs = store
	}
	return s
}

// compare compares the users that the flags select, and adds what it finds.
func (c *shadowCommand) compare(ctx context.Context, o output, r *shadow.Summary, store *sqlstore.Store, s *shadow.Shadow) error {
	began := time.Now()
	defer func() { r.Took = time.Since(began).Milliseconds() }()
	if err := c.warnOfLag(ctx, o, store); err != nil {
		return err
	}
	if c.Viewers == "" {
		r.Seed = &c.Seed
		if c.Seed == 0 {
			c.Seed = rand.Uint64N(1 << 53) // a number that JavaScript reads exactly
		}
	}
	random := rand.New(rand.NewPCG(c.Seed, 0))
	for {
		viewers, err := c.viewers(ctx, store, s.IDs, random)
		if err != nil {
			return err
		}
		if err := c.compareAll(ctx, o, r, s, viewers); err != nil {
			return err
		}
		if time.Since(began) >= c.Duration {
			return nil
		}
	}
}

// warnOfLag warns of sources whose lag is longer than the pause.
func (c *shadowCommand) warnOfLag(ctx context.Context, o output, store *sqlstore.Store) error {
	sources, err := store.ReportSources(ctx)
	if err != nil {
		return err
	}
	for _, p := range sources.Positions {
		if lag := time.Duration(p.Lag(sources.Now).Millis) * time.Millisecond; lag > c.Pause {
			_, _ = fmt.Fprintf(o.err, "tideline: warning: the source %s is %v behind, which is longer than --pause; what has not arrived counts as a difference\n", p.Source, lag)
		}
	}
	return nil
}

func (c *shadowCommand) compareAll(ctx context.Context, o output, r *shadow.Summary, s *shadow.Shadow, viewers []feed.UserID) error {
	return o.inBatches("compared", viewers, func(some []feed.UserID) error {
		exams, err := s.Compare(ctx, some)
		if err != nil {
			return err
		}
		if r.Add(exams); r.Failed == r.Viewers {
			return fmt.Errorf("the feeds of the first %d users cannot be read from the other system: user %s: %s", r.Viewers, r.Findings[0].User, r.Findings[0].Words)
		}
		return nil
	})
}

// viewers returns the users of the file, or a sample.
func (c *shadowCommand) viewers(ctx context.Context, store *sqlstore.Store, ids feed.IDFinder, random *rand.Rand) ([]feed.UserID, error) {
	if c.Viewers != "" {
		return c.listed(ctx, ids)
	}
	for _, list := range []userList{store.Active, store.Viewers} {
		sample, _, err := inbox.Sample(ctx, list, c.Sample, drawnTogether, random)
		if err != nil || len(sample) > 0 {
			random.Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
			return sample, err
		}
	}
	return nil, errors.New("there are no users to compare")
}

// userList lists users by ascending ids.
type userList func(ctx context.Context, after feed.UserID, limit int) ([]feed.UserID, error)

// Walk implements [feed.InboxWalker] for a sample. The cursor is the last id.
func (list userList) Walk(ctx context.Context, cursor string, limit int) ([]feed.UserID, string, error) {
	after, err := strconv.ParseInt(cmp.Or(cursor, "0"), 10, 64)
	if err != nil {
		return nil, "", err
	}
	users, err := list(ctx, feed.UserID(after), limit)
	if err != nil || len(users) < limit {
		return users, "", err
	}
	return users, users[len(users)-1].String(), nil
}

// listed returns the users whose ids the file has.
func (c *shadowCommand) listed(ctx context.Context, ids feed.IDFinder) ([]feed.UserID, error) {
	text, err := os.ReadFile(c.Viewers)
	if err != nil {
		return nil, app.BadSetting("--viewers: %v", err)
	}
	var external []feed.ExternalID
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			external = append(external, feed.ExternalID(line))
		}
	}
	numbers, err := shadow.FindIDs(ctx, ids, feed.UserIDs, external)
	if err != nil {
		return nil, err
	}
	viewers := make([]feed.UserID, len(numbers))
	for i, n := range numbers {
		if n == 0 {
			return nil, app.BadSetting("--viewers: no user has the id %.40q", string(external[i]))
		}
		viewers[i] = feed.UserID(n)
	}
	if len(viewers) == 0 {
		return nil, app.BadSetting("--viewers: the file %s has no ids", c.Viewers)
	}
	return viewers, nil
}
