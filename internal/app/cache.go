package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/viewercache"
	"github.com/tideline-feeds/tideline/internal/gateway"
)

// cacheSettings bound what a process keeps in memory.
type cacheSettings struct {
	CacheMB  int           `name:"cache-mb" env:"TIDELINE_CACHE_MB" default:"64" placeholder:"N" help:"Megabytes for cached posts. Viewers get as much again, live feeds half, and profiles and two kinds of counters a quarter each; 0 disables caching (${default})."`
	CacheTTL time.Duration `env:"TIDELINE_CACHE_TTL" default:"5s" placeholder:"DURATION" help:"Maximum age of a cached entry, also of a stale one if Redis loses the message about an edit; 0 disables caching (${default})."`
	// ViewerCache is [viewerCacheOff] or anything else, which is on.
	ViewerCache string `env:"TIDELINE_VIEWER_CACHE" default:"on" enum:"on,off" help:"on caches the state of viewers, such as follows and blocks, in memory and in Redis; off reads it from the database for every page (${default})."`
}

// viewerCacheOff caches no viewers.
const viewerCacheOff = "off"

// The most that may be set: more memory than this is better spent on more processes,
// and an hour is as good as for ever.
const (
	cacheMBMax  = 1 << 16
	cacheTTLMax = time.Hour
)

// Check refuses numbers out of range.
func (s cacheSettings) Check() error {
	return cmp.Or(InRange("--cache-mb", s.CacheMB, 0, cacheMBMax), InRange("--cache-ttl", s.CacheTTL, 0, cacheTTLMax))
}

// cacheBounds are the bounds of every cache.
type cacheBounds struct{ posts, users, counters, viewers, live lrucache.Options }

// bounds returns the default bounds, in proportion to the memory that was set.
func (s cacheSettings) bounds() cacheBounds {
	b := cacheBounds{lrucache.DefaultPosts(), lrucache.DefaultUsers(), lrucache.DefaultCounters(), lrucache.DefaultViewers(), lrucache.DefaultLiveFeeds()}
	share := float64(int64(s.CacheMB)<<20) / float64(b.posts.Bytes)
	for _, o := range []*lrucache.Options{&b.posts, &b.users, &b.counters, &b.viewers, &b.live} {
		o.Size, o.Bytes, o.TTL = int(share*float64(o.Size)), int64(share*float64(o.Bytes)), s.CacheTTL
	}
	return b
}

// caches are what a process keeps in memory in front of the database.
type caches struct {
	// fresh says that nothing is kept, and all are as good as the database itself.
	fresh bool
	posts *lrucache.Posts
	users *lrucache.Users
	// viewers are the entries of the viewer cache in this process, and viewerCache says that
	// viewers are cached at all.
	viewers     *lrucache.Viewers
	viewerCache bool
	// live is what is known of live feeds.
	live *lrucache.LiveFeeds
	// counters are for reads, and contents and follows the ways to change what they count.
	counters *lrucache.Counters
	contents feed.PostWriter
	follows  feed.Follows
	// evictions reach the caches of every process.
	evictions *redisstore.Evictions
}

// localViewers returns the viewer cache's entries in this process, nil if it keeps none.
func (c caches) localViewers() viewercache.Local {
	if c.fresh || !c.viewerCache {
		return nil
	}
	return c.viewers
}

// liveMemory returns the memory of live feeds, nil if it keeps none.
func (c caches) liveMemory() live.FeedCache {
	if c.fresh || !c.viewerCache {
		return nil
	}
	return c.live
}

// refresh reads entries that pages show all the time again, before they are too old.
func (c caches) refresh(ctx context.Context) error {
	return errors.Join(c.posts.Refresh(ctx), c.users.Refresh(ctx), c.counters.Refresh(ctx))
}

// evictor evicts from the caches of this process, and has it look at once whether the users
// were signed out or deleted.
type evictor struct {
	lrucache.Evictor
	revocations *gateway.Revocations
}

// Evict implements [feed.Evictor].
func (e evictor) Evict(posts []feed.PostID, users []feed.UserID) {
	e.Evictor.Evict(posts, users)
	if len(users) > 0 {
		e.revocations.Evict(users)
	}
}

// Purge implements [redisstore.Cache].
func (e evictor) Purge() {
	e.Evictor.Purge()
	e.revocations.Evict(nil)
}

// openCaches puts caches in front of the database. They are closed with the stores.
func (st *stores) openCaches(s cacheSettings, log *slog.Logger) caches {
	bounds := s.bounds()
	c := caches{
		posts:    lrucache.NewPosts(st.sql, bounds.posts, time.Now),
		users:    lrucache.NewUsers(st.sql, bounds.users, time.Now),
		viewers:  lrucache.NewViewers(bounds.viewers),
		live:     lrucache.NewLiveFeeds(bounds.live),
		counters: lrucache.NewCounters(st.sql, bounds.counters, time.Now),
	}
	c.fresh = !c.viewers.Keeps() && !c.live.Keeps()
	c.viewerCache = s.ViewerCache != viewerCacheOff
	c.contents, c.follows = c.counters.PostWriter(st.sql, st.sql), c.counters.Follows(st.sql)
	st.revocations = gateway.NewRevocations(st.sql, time.Now)
	local := evictor{lrucache.Evictor{Posts: c.posts, Users: c.users}, st.revocations}
	c.evictions = redisstore.NewEvictions(st.redis, local, log)
	c.evictions.Start()
	st.closers = append(st.closers, c.evictions.Close)
	return c
}
