package redisstore

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// The patience of a client. A read that gets no answer goes on with SQL, and a push
// is sent again later, so there is nothing to win by waiting long.
const (
	// dialTimeout is long enough for a lost packet's first repetition, which comes
	// after one second at most.
	dialTimeout = time.Second
	// replyTimeout is above what the slowest steps take, those of the task queue's
	// web page on a long queue, and still short enough to notice a Redis that hangs.
	replyTimeout = 2 * time.Second
	// retries is how often a command is sent again after a failure that may pass.
	// Every write of this package may be sent twice.
	retries = 1
	// noBackoff is how long the library waits before it sends a command again. It would wait
	// for up to a second while a server says "not now", and a page with it. Who can wait does
	// so elsewhere: tasks are retried, and the breakers let pages do without.
	noBackoff = -1
	// clusterReload is how old a Cluster client's picture of the nodes may be. With
	// the library's minute, clients went on failing for that long after a master
	// had died.
	clusterReload = time.Second
	// connectionLives is for how long a connection is used. Where there is one name for
	// whoever is master, who writes is told by a server that it has become a replica, and who
	// only reads is not: a server of requests would read old copies of inboxes for as long as
	// its connections last. New ones cost nothing once a minute.
	connectionLives = time.Minute
)

// Client is a connection to Redis: a pool for a single server, for the master behind
// Sentinel, or for a Cluster. It may be used by many goroutines.
//
// It has the method that the task queue's library asks of a connection option, so
// it can be handed over as one.
type Client struct {
	redis redis.UniversalClient
	fresh func() redis.UniversalClient
}

// Open connects to the Redis that the URL names and pings it once. The URL is one of
//
//	redis://[user:password@]host[:port][/db]
//	rediss://[user:password@]host[:port][/db]
//	redis-sentinel://[user:password@]host[:port],…/master[?db=n]
//	redis-cluster://[user:password@]host[:port],…
//
// where rediss is redis over TLS, the hosts of redis-sentinel are sentinels, those of
// redis-cluster any of the nodes, and user and password are those of the data nodes.
// Reserved characters in them are percent-encoded. A URL of any other form is an
// error with [feed.CodeInvalid], a Redis that does not answer one with
// [feed.CodeUnavailable]; no error shows a password. Close the client when done.
func Open(ctx context.Context, url string) (*Client, error) {
	address, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	c := &Client{redis: address.connect(), fresh: address.connect}
	if err := c.Ping(ctx); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// Ping returns nil when Redis answers, and else an error as the methods of
// [Inboxes] do.
func (c *Client) Ping(ctx context.Context) error {
	return failed(ctx, c.redis.Ping(ctx).Err())
}

// Sharded tells whether the keys are spread over several servers, as a Cluster does by
// their names.
func (c *Client) Sharded() bool {
	_, sharded := c.redis.(*redis.ClusterClient)
	return sharded
}

// together returns how many keys of different viewers or clients one script may take: most
// where there is one server, and one in a Cluster, where two of them are in one slot as good
// as never.
func (c *Client) together(most int) int {
	if c.Sharded() {
		return 1
	}
	return most
}

// Close closes the client's connections. What [Client.MakeRedisClient] returned
// stays open.
func (c *Client) Close() error { return c.redis.Close() }

// MakeRedisClient returns a new redis.UniversalClient to the same Redis, with a pool
// of its own that is the caller's to close.
func (c *Client) MakeRedisClient() any { return c.fresh() }

// connect returns a client that connects when it is first used.
func (a address) connect() redis.UniversalClient {
	options := a.options()
	switch a.kind {
	case sentinel:
		return redis.NewFailoverClient(options.Failover())
	case cluster:
		// A Cluster client retries by following redirections instead.
		options.MaxRetries = 0
		o := options.Cluster()
		o.ClusterStateReloadInterval = clusterReload
		return redis.NewClusterClient(o)
	default:
		return redis.NewClient(options.Simple())
	}
}

// options returns what all kinds have in common. It is new for each client, because
// the library fills in defaults.
func (a address) options() *redis.UniversalOptions {
	return &redis.UniversalOptions{
		Addrs:      a.hosts,
		MasterName: a.master,
		DB:         a.db,
		Username:   a.user,
		Password:   a.password,
		TLSConfig:  a.tls.Clone(),

		DialTimeout:   dialTimeout,
		DialerRetries: 1,
		ReadTimeout:   replyTimeout,
		WriteTimeout:  replyTimeout,
		PoolTimeout:   replyTimeout,
		MaxRetries:    retries,

		MinRetryBackoff: noBackoff,
		MaxRetryBackoff: noBackoff,

		ConnMaxLifetime: connectionLives,

		// Without it a context's deadline would not reach the socket.
		ContextTimeoutEnabled: true,
		// A protocol of one vendor's hosted service; asking for it costs every new
		// connection a refusal.
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
}

// serverOf returns the address of the master that has a key, as far as the client
// knows; empty where there is one server.
func serverOf(ctx context.Context, r redis.UniversalClient, key string) string {
	cluster, ok := r.(*redis.ClusterClient)
	if !ok {
		return ""
	}
	master, err := cluster.MasterForKey(ctx, key)
	if err != nil {
		return ""
	}
	return master.Options().Addr
}

// groupByServer returns the indexes of the keys that each server has, by its [serverOf].
func groupByServer(ctx context.Context, r redis.UniversalClient, keys []string) map[string][]int {
	groups := map[string][]int{}
	for i, key := range keys {
		server := serverOf(ctx, r, key)
		groups[server] = append(groups[server], i)
	}
	return groups
}
