package app

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/telemetry"
	"github.com/tideline-feeds/tideline/internal/upstream"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// upstreamSettings say how the services of [SourceSettings] are called.
type upstreamSettings struct {
	UpstreamProtocol      string        `env:"TIDELINE_UPSTREAM_PROTOCOL" default:"connect" enum:"connect,json,grpc,grpc-web" help:"How other services are called: connect, json (plain POST requests), grpc or grpc-web (${default})."`
	UpstreamAuthorization string        `env:"TIDELINE_UPSTREAM_AUTHORIZATION" placeholder:"TEXT" help:"Authorization header for other services, such as Bearer and a token. Set the variable, since others can read command lines."`
	UpstreamTimeout       time.Duration `env:"TIDELINE_UPSTREAM_TIMEOUT" default:"500ms" placeholder:"DURATION" help:"Time limit of a call to another service (${default})."`
	UpstreamBudget        time.Duration `env:"TIDELINE_UPSTREAM_BUDGET" default:"1s" placeholder:"DURATION" help:"How long one operation waits for other services in total (${default})."`
	UpstreamTTL           time.Duration `env:"TIDELINE_UPSTREAM_TTL" default:"1m" placeholder:"DURATION" help:"Maximum age of a cached post or profile of another service. Change records evict it before (${default})."`
	UpstreamStale         time.Duration `env:"TIDELINE_UPSTREAM_STALE" default:"1h" placeholder:"DURATION" help:"Maximum age of what is shown while a service fails (${default})."`
	SlotsFrom             string        `env:"TIDELINE_SLOTS_FROM" placeholder:"URL" help:"Service that places slots, such as advertisements, between the posts of a page."`
	SlotsTimeout          time.Duration `env:"TIDELINE_SLOTS_TIMEOUT" default:"50ms" placeholder:"DURATION" help:"Time limit of a call for slots (${default})."`
	SlotsGap              int           `env:"TIDELINE_SLOTS_GAP" default:"5" placeholder:"N" help:"Minimum number of posts before the first slot of a page, and between two (${default})."`
}

// The limits leave an operation time for the rest, and a page its meaning.
const (
	upstreamTimeoutShortest = 10 * time.Millisecond
	upstreamTimeoutLongest  = 5 * time.Second
	upstreamAgeMax          = 7 * 24 * time.Hour
	// slotsGapMax is the length of the longest page.
	slotsGapMax = 100
)

func (s upstreamSettings) Check() error {
	return cmp.Or(
		InRange("--upstream-timeout", s.UpstreamTimeout, upstreamTimeoutShortest, upstreamTimeoutLongest),
		InRange("--upstream-budget", s.UpstreamBudget, upstreamTimeoutShortest, upstreamTimeoutLongest),
		InRange("--upstream-ttl", s.UpstreamTTL, 0, upstreamAgeMax),
		InRange("--upstream-stale", s.UpstreamStale, 0, upstreamAgeMax),
		checkUpstream("--slots-from", s.SlotsFrom),
		// A call that the budget ends says nothing about the service.
		InRange("--slots-timeout", s.SlotsTimeout, upstreamTimeoutShortest, s.UpstreamBudget),
		InRange("--slots-gap", s.SlotsGap, 1, slotsGapMax),
	)
}

const (
	// upstreamCalls limits the concurrent calls to one service.
	upstreamCalls = 64
	// upstreamCountersTTL is that of own counters.
	upstreamCountersTTL = time.Second
)

// upstreams are the services that have contents, profiles, counters and slots. A nil one has none.
type upstreams struct {
	posts    *upstream.Service[feed.PostContent]
	users    *upstream.Service[feed.Profile]
	counters *upstream.Service[feed.UpstreamCounters]
	slots    *upstream.SlotPlacer
	slotsGap int
	budget   time.Duration
	log      *slog.Logger

	// sink and metrics are set before the first read.
	sink    *ingest.Sink
	metrics *telemetry.Metrics
}

// openUpstreams returns the configured services; nil if there are none, or if the process answers no
// queries. It calls none.
func (c *Server) openUpstreams(versions feed.ObjectVersions, log *slog.Logger) *upstreams {
	if c.Role == RoleWorker || c.PostsFrom == "" && c.UsersFrom == "" && c.CountersFrom == "" && c.SlotsFrom == "" {
		return nil
	}
	client := upstream.NewClient(upstream.Protocol(c.UpstreamProtocol), c.UpstreamAuthorization)
	bounds := c.bounds()
	for _, o := range []*lrucache.Options{&bounds.posts, &bounds.users, &bounds.counters} {
		if o.TTL > 0 {
			o.TTL = c.UpstreamTTL
		}
	}
	bounds.counters.TTL = min(bounds.counters.TTL, upstreamCountersTTL)
	u := &upstreams{budget: c.UpstreamBudget, slotsGap: c.SlotsGap, log: log}
	if c.PostsFrom != "" {
		u.posts = upstream.New(upstreamOptions(u, &c.ServerSettings, "posts", client.Posts(c.PostsFrom), bounds.posts))
		u.posts.Versions, u.posts.Gone = versions.ObjectVersions, u.deletions("posts")
		u.posts.Narrows = func(ref feed.UpstreamRef, c *feed.PostContent) (feed.PostAudience, bool) {
			return c.Audience, c.Narrows(ref)
		}
	}
	if c.UsersFrom != "" {
		u.users = upstream.New(upstreamOptions(u, &c.ServerSettings, "users", client.Users(c.UsersFrom), bounds.users))
		u.users.Versions, u.users.Gone = versions.ObjectVersions, u.deletions("users")
	}
	if c.CountersFrom != "" {
		u.counters = upstream.New(upstreamOptions(u, &c.ServerSettings, "counters", client.Counters(c.CountersFrom), bounds.counters))
	}
	if c.SlotsFrom != "" {
		u.slots = client.Slots(c.SlotsFrom, u.calls("slots", c.SlotsTimeout))
	}
	return u
}

func upstreamOptions[V any](u *upstreams, s *ServerSettings, name string, ask upstream.Asker[V], o lrucache.Options) upstream.Options[V] {
	return upstream.Options[V]{CallOptions: u.calls(name, s.UpstreamTimeout), Ask: ask, Cache: lrucache.NewContents[feed.Object, V](o, s.UpstreamStale)}
}

func (u *upstreams) calls(name string, timeout time.Duration) upstream.CallOptions {
	return upstream.CallOptions{Name: name, Timeout: timeout, CallsMax: upstreamCalls, Clock: time.Now, Trace: u.trace()}
}

// deletions applies what a service says is gone.
func (u *upstreams) deletions(service string) *upstream.Deletions {
	return upstream.NewDeletions("upstream-"+service, func(ctx context.Context, b feed.SourceBatch) error {
		_, err := u.sink.Apply(ctx, b)
		return err
	}, time.Now, func(err error) {
		u.log.Warn("cannot store that objects of a service are gone; the next read tries again", "service", service, "error", err)
	})
}

func (u *upstreams) trace() upstream.Trace {
	return upstream.Trace{
		Called: func(service string, _ int, took time.Duration, err error) {
			u.metrics.UpstreamCalled(service, took, err)
		},
		Fetched: func(service string, n upstream.Counts) {
			u.metrics.UpstreamObjects(service, n.Cached, n.Read, n.Stale, n.Missing)
		},
		Turned: func(service string, open bool, err error) {
			u.metrics.UpstreamOpen(service, open)
			if open {
				u.log.Warn("a service fails; pages show what is cached of it, or nothing", "service", service, "error", err)
			} else {
				u.log.Info("a service answers again", "service", service)
			}
		},
	}
}

// begin sets what was opened later. Call it before the first read.
func (u *upstreams) begin(sink *ingest.Sink, metrics *telemetry.Metrics) {
	if u == nil {
		return
	}
	u.sink, u.metrics = sink, metrics
	for service, used := range map[string]bool{"posts": u.posts != nil, "users": u.users != nil, "counters": u.counters != nil, "slots": u.slots != nil} {
		if used {
			metrics.UpstreamOpen(service, false) // so that the metric is there before the first failure
		}
	}
}

// loaders returns the services for dataloaders.
func (u *upstreams) loaders() loaders.Upstreams {
	var out loaders.Upstreams
	if u == nil {
		return out
	}
	out.Budget, out.SlotsGap = u.budget, u.slotsGap
	// A nil pointer would not be a nil interface.
	if u.posts != nil {
		out.Posts = u.posts
	}
	if u.users != nil {
		out.Users = u.users
	}
	if u.counters != nil {
		out.Counters = u.counters
	}
	if u.slots != nil {
		out.Slots = u.slots
	}
	return out
}

// evict makes what is cached of posts and users expire. Counters expire soon anyway.
func (u *upstreams) evict(posts []feed.PostID, users []feed.UserID) {
	if u == nil {
		return
	}
	if u.posts != nil {
		u.posts.Evict(objects(feed.RecordPost, posts))
	}
	if u.users != nil {
		u.users.Evict(objects(feed.RecordUser, users))
	}
}

func objects[ID ~int64](t feed.RecordType, ids []ID) []feed.Object {
	list := make([]feed.Object, len(ids))
	for i, id := range ids {
		list[i] = feed.Object{Type: t, A: int64(id)}
	}
	return list
}

// purge does the same for everything.
func (u *upstreams) purge() {
	if u == nil {
		return
	}
	if u.posts != nil {
		u.posts.Purge()
	}
	if u.users != nil {
		u.users.Purge()
	}
}
