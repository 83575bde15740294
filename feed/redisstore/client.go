package redisstore

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// The timeouts are short: without a reply a read goes on with SQL, and a push is sent again later.
const (
	// dialTimeout covers the first repetition of a lost packet, after one second.
	dialTimeout = time.Second
	// replyTimeout exceeds the slowest commands, those of the task queue's web UI on a long queue.
	replyTimeout = 2 * time.Second
	// retries may be more than 0 because every write of this package may be sent twice.
	retries = 1
	// noBackoff disables a pause of up to a second, which pages would wait for.
	noBackoff = -1
	// clusterReload is the maximum age of a node list. With the library's minute, clients failed
	// for a minute after a master had died.
	clusterReload = time.Second
	// connectionLives is the maximum age of a connection. Behind one name for the current master,
	// one that only reads never learns that its server became a replica, and would read old
	// inboxes.
	connectionLives = time.Minute
)

// Client is a connection to a Redis server, Sentinel or Cluster. It is safe for concurrent use. It
// also serves as a connection option of the task queue's library.
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
// where rediss is redis over TLS. User and password are those of the data nodes, with reserved
// characters percent-encoded. Any other form is [feed.CodeInvalid], and a Redis that does not
// answer is [feed.CodeUnavailable]; no error shows a password. Close the client when done.
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

// Connect returns a client for a URL as [Open] takes. It connects when it is used.
func Connect(url string) (redis.UniversalClient, error) {
	address, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	return address.connect(), nil
}

// Ping returns nil if Redis replies, else an error as the methods of [Inboxes] do.
func (c *Client) Ping(ctx context.Context) error {
	return failed(ctx, c.redis.Ping(ctx).Err())
}

// Sharded reports whether the keys are spread over the servers of a Cluster.
func (c *Client) Sharded() bool {
	_, sharded := c.redis.(*redis.ClusterClient)
	return sharded
}

// together returns how many keys of different viewers or clients one script may take: most, or one
// in a Cluster, where they are in different slots.
func (c *Client) together(most int) int {
	if c.Sharded() {
		return 1
	}
	return most
}

// Close closes the client's connections, except those of [Client.MakeRedisClient].
func (c *Client) Close() error { return c.redis.Close() }

// MakeRedisClient returns a new redis.UniversalClient with its own pool. The caller closes it.
func (c *Client) MakeRedisClient() any { return c.fresh() }

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

// options returns new options each time, because the library fills in defaults.
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
		// Only a hosted service has this protocol; asking costs every new connection a refusal.
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
}

// serverOf returns the address of the key's master, as far as known; empty if there is one server.
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

// groupByServer returns the indexes of the keys by their [serverOf].
func groupByServer(ctx context.Context, r redis.UniversalClient, keys []string) map[string][]int {
	groups := map[string][]int{}
	for i, key := range keys {
		server := serverOf(ctx, r, key)
		groups[server] = append(groups[server], i)
	}
	return groups
}
