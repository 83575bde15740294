package app

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/viewercache"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
)

// cacheSettings bound the caches of a process.
type cacheSettings struct {
	CacheMB  int           `name:"cache-mb" env:"TIDELINE_CACHE_MB" default:"64" placeholder:"N" help:"Megabytes for cached posts. Viewers get as much again, live feeds half, profiles, followees and two kinds of counters a quarter each, and live sessions an eighth; 0 disables caching (${default})."`
	CacheTTL time.Duration `env:"TIDELINE_CACHE_TTL" default:"5s" placeholder:"DURATION" help:"Maximum age of a cached entry; 0 disables caching (${default})."`
	// ViewerCache is on unless it is [viewerCacheOff].
	ViewerCache string `env:"TIDELINE_VIEWER_CACHE" default:"on" enum:"on,off" help:"on caches the state of viewers, such as follows and blocks, in memory; off reads it from the database for every page (${default})."`
}

const viewerCacheOff = "off"

// With more memory than this, run more processes instead.
const (
	cacheMBMax  = 1 << 16
	cacheTTLMax = time.Hour
)

func (s cacheSettings) Check() error {
	return cmp.Or(InRange("--cache-mb", s.CacheMB, 0, cacheMBMax), InRange("--cache-ttl", s.CacheTTL, 0, cacheTTLMax))
}

type cacheBounds struct{ posts, users, counters, viewers, live, sessions, followees lrucache.Options }

// bounds scales the default bounds to the configured memory.
func (s cacheSettings) bounds() cacheBounds {
	b := cacheBounds{
		lrucache.DefaultPosts(), lrucache.DefaultUsers(), lrucache.DefaultCounters(), lrucache.DefaultViewers(), lrucache.DefaultLiveFeeds(),
		lrucache.DefaultSessions(), lrucache.DefaultFollowees(),
	}
	share := float64(int64(s.CacheMB)<<20) / float64(b.posts.Bytes)
	for _, o := range []*lrucache.Options{&b.posts, &b.users, &b.counters, &b.viewers, &b.live, &b.sessions, &b.followees} {
		o.Size, o.Bytes, o.TTL = int(share*float64(o.Size)), int64(share*float64(o.Bytes)), s.CacheTTL
	}
	return b
}

// caches hold data of the database in memory.
type caches struct {
	// uncached reports that all caches are disabled.
	uncached bool
	posts    *lrucache.Posts
	users    *lrucache.Users
	// viewerCache reports whether the viewer cache is enabled; viewers are its local entries.
	viewers     *lrucache.Viewers
	viewerCache bool
	live        *lrucache.LiveFeeds
	sessions    *lrucache.Sessions
	followees   *lrucache.Followees
	// counters count for reads; postWriter, follows and requests change what they count.
	counters   *lrucache.Counters
	postWriter feed.PostWriter
	follows    feed.Follows
	requests   feed.FollowRequests
	// evictor evicts from the caches of this process. Other processes follow the change log.
	evictor feed.Evictor
	// follower follows the change log, which keeps these caches current.
	follower *changes.Follower
}

// localViewers returns the local entries of the viewer cache; nil if it is disabled.
func (c caches) localViewers() viewercache.Local {
	if c.uncached || !c.viewerCache {
		return nil
	}
	return c.viewers
}

// liveCache returns the cache of live feeds; nil if it is disabled.
func (c caches) liveCache() live.FeedCache {
	if c.uncached || !c.viewerCache {
		return nil
	}
	return c.live
}

// evictor evicts from the caches of this process. It also makes the revocations reload, because the
// users may have been signed out or deleted.
type evictor struct {
	lrucache.Evictor
	revocations *gateway.Revocations
	// ids is nil where ids are numbers.
	ids       *lrucache.IDs
	upstreams *upstreams
}

func (e evictor) Evict(posts []feed.PostID, users []feed.UserID) {
	e.Evictor.Evict(posts, users)
	e.upstreams.evict(posts, users)
	if len(users) > 0 {
		e.revocations.Evict(users)
	}
}

func (e evictor) Purge() {
	e.Evictor.Purge()
	e.upstreams.purge()
	if e.ids != nil {
		e.ids.Purge()
	}
	e.revocations.Evict(nil)
}

// openCaches puts caches in front of the database. A process that serves requests keeps them current
// until close. owned are the types that sources own.
func (st *stores) openCaches(s cacheSettings, owned feed.RecordTypes, serves bool, log *slog.Logger) caches {
	bounds := s.bounds()
	counters := feed.Counters(st.sql)
	if owned.Has(feed.RecordCounters) {
		counters = st.sql.SourceCounters()
	}
	c := caches{
		posts:    lrucache.NewPosts(st.sql, bounds.posts, time.Now),
		users:    lrucache.NewUsers(st.sql, bounds.users, time.Now),
		viewers:  lrucache.NewViewers(bounds.viewers),
		live:     lrucache.NewLiveFeeds(bounds.live),
		counters: lrucache.NewCounters(counters, bounds.counters, time.Now),

		sessions:  lrucache.NewSessions(sqlstore.NewLive(st.sql), bounds.sessions, time.Now),
		followees: lrucache.NewFollowees(bounds.followees),
	}
	c.uncached = !c.viewers.Keeps() && !c.live.Keeps()
	c.viewerCache = s.ViewerCache != viewerCacheOff
	c.postWriter = c.counters.PostWriter(st.sql, st.sql)
	c.follows, c.requests = c.counters.Follows(st.sql), c.counters.FollowRequests(st.sql)
	st.revocations = gateway.NewRevocations(st.sql, time.Now)
	local := evictor{lrucache.Evictor{Posts: c.posts, Users: c.users, Sessions: c.sessions}, st.revocations, st.ids, st.upstreams}
	c.evictor = local
	st.sql.EvictHidden(local)
	follower := st.follower(local, log)
	if serves {
		st.start(follower)
	}
	c.follower = follower
	return c
}

// follower evicts from the caches of this process what others change.
func (st *stores) follower(cache changes.Cache, log *slog.Logger) *changes.Follower {
	return &changes.Follower{
		Log: st.sql, Signal: redisstore.NewChangeSignal(st.redis), Cache: cache,
		Failed: func(err error) {
			if err != nil {
				log.Warn("cannot follow the change log; this process may show outdated data for its caches' time to live", "error", err)
			} else {
				log.Info("the change log is followed again")
			}
		},
	}
}

// start runs a follower until the stores are closed.
func (st *stores) start(follower *changes.Follower) {
	ctx, stop := context.WithCancel(context.Background())
	var following sync.WaitGroup
	following.Go(func() { follower.Run(ctx) })
	st.closers = append(st.closers, func() error {
		stop()
		following.Wait()
		return nil
	})
}
