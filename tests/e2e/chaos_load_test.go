package e2e

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// A load is several clients that publish, delete, follow, unfollow, mute, unmute and
// read without pause, and remember what the server has acknowledged. Each acts for users
// of its own, so it knows in which order it did what.
type load struct {
	api     *caller
	users   int
	clients []*client
	group   sync.WaitGroup
	clock   *windows
	// watcher is told what clients did and saw; nil for nobody.
	watcher watcher
	// stopping is closed when no client is to begin anything more.
	stopping chan struct{}
}

// clientPause is how often a client does something. At that pace a small machine pushes as
// fast as a few clients publish: what is measured are the faults, and not a backlog.
const clientPause = 40 * time.Millisecond

// watcher is told by clients, from many goroutines, what was acknowledged, and which pages
// they have read.
type watcher interface {
	published(id string)
	deleted(id string)
	saw(sight)
}

// startLoad starts n clients, which go on until they are stopped.
func startLoad(ctx context.Context, api *caller, users, n int, seed uint64) *load {
	return startWatchedLoad(ctx, api, users, n, seed, nil)
}

// startWatchedLoad is startLoad with somebody to watch, nil for nobody.
func startWatchedLoad(ctx context.Context, api *caller, users, n int, seed uint64, w watcher) *load {
	l := &load{api: api, users: users, stopping: make(chan struct{}), clock: newWindows(), watcher: w}
	for i := range n {
		c := &client{
			load: l, no: i, of: n, rng: rand.New(rand.NewPCG(seed, uint64(i))),
			live: map[feed.UserID][]string{}, posts: map[string]string{}, gone: map[string]bool{},
			edges: map[relation]bool{}, touched: map[relation]bool{}, results: map[string]int{},
		}
		l.clients = append(l.clients, c)
		l.group.Go(func() { c.run(ctx) })
	}
	return l
}

// finish lets the clients end what they are doing, and returns when all have.
func (l *load) finish() {
	close(l.stopping)
	l.group.Wait()
}

// results counts the answers of all clients by their code.
func (l *load) results() map[string]int {
	sum := map[string]int{}
	for _, c := range l.clients {
		for code, n := range c.results {
			sum[code] += n
		}
	}
	return sum
}

// relation is how a user stands to another one: kind is follow or mute.
type relation struct {
	kind     string
	from, to feed.UserID
}

// client is one of the clients of a load. What it knows is for others to read once the
// load is finished.
type client struct {
	load   *load
	no, of int
	rng    *rand.Rand
	sent   int

	// live are the posts of each user that the client has not tried to delete.
	live map[feed.UserID][]string
	// posts are the texts of all posts that were acknowledged, by id, and gone those
	// whose deletion was.
	posts map[string]string
	gone  map[string]bool
	// edges are the relations whose last change was acknowledged.
	edges map[relation]bool
	// touched are those that the client has ever tried to change.
	touched map[relation]bool

	results map[string]int
	// unread says what a user of this client did not find in his own feed right
	// after it was acknowledged.
	unread []string
}

func (c *client) run(ctx context.Context) {
	pause := time.NewTicker(clientPause)
	defer pause.Stop()
	for {
		c.step(ctx)
		select {
		case <-pause.C:
		case <-c.load.stopping:
			return
		case <-ctx.Done():
			return
		}
	}
}

// step does one thing at random: of ten, four publish, one deletes, two change
// relations, and three read.
func (c *client) step(ctx context.Context) {
	as := c.own()
	switch n := c.rng.IntN(10); {
	case n < 4:
		c.publish(ctx, as)
	case n < 5:
		c.remove(ctx, as)
	case n < 7:
		c.relate(ctx, as)
	default:
		c.read(ctx, as, 20)
	}
}

// own returns one of the users this client acts for.
func (c *client) own() feed.UserID {
	return feed.UserID(1 + c.no + c.of*c.rng.IntN(c.load.users/c.of))
}

// note counts an answer. What the end of the load cut off is none.
func (c *client) note(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	c.results[codeOf(err)]++
	c.load.clock.note(err)
	return err == nil
}

// publish publishes a post, and sends it again until it is acknowledged: the key in it
// must keep it single.
func (c *client) publish(ctx context.Context, as feed.UserID) {
	c.sent++
	text := fmt.Sprintf("post %d of client %d", c.sent, c.no)
	for {
		id, err := c.load.api.publish(ctx, as, text)
		if c.note(ctx, err) {
			c.posts[id] = text
			c.live[as] = append(c.live[as], id)
			c.load.tell(func(w watcher) { w.published(id) })
			c.readBack(ctx, as, id)
			return
		}
		select {
		case <-time.After(clientPause):
		case <-c.load.stopping:
			return
		case <-ctx.Done():
			return
		}
	}
}

// read reads the first page of a feed, and says whether there was one.
func (c *client) read(ctx context.Context, as feed.UserID, size int) ([]string, bool) {
	began := time.Now()
	ids, next, err := c.load.api.page(ctx, as, size, nil)
	if !c.note(ctx, err) {
		return nil, false
	}
	c.load.tell(func(w watcher) { w.saw(c.sight(as, began, ids, next == nil)) })
	return ids, true
}

// tell tells the watcher something, if there is one.
func (l *load) tell(what func(watcher)) {
	if l.watcher != nil {
		what(l.watcher)
	}
}

// readBack looks for a post at the top of its author's own feed. Others may have
// published meanwhile, but not a whole page.
func (c *client) readBack(ctx context.Context, as feed.UserID, id string) {
	if c.rng.IntN(4) > 0 {
		return
	}
	page, ok := c.read(ctx, as, 100)
	if ok && !slices.Contains(page, id) {
		c.unread = append(c.unread, fmt.Sprintf("user %d does not see his post %s", as, id))
	}
}

func (c *client) remove(ctx context.Context, as feed.UserID) {
	posts := c.live[as]
	if len(posts) == 0 {
		return
	}
	i := c.rng.IntN(len(posts))
	id := posts[i]
	c.live[as] = slices.Delete(posts, i, i+1)
	if c.note(ctx, c.load.api.remove(ctx, as, id)) {
		c.gone[id] = true
		c.load.tell(func(w watcher) { w.deleted(id) })
	}
}

func (c *client) relate(ctx context.Context, as feed.UserID) {
	to := feed.UserID(1 + c.rng.IntN(c.load.users))
	if to == as {
		return
	}
	// Follows are as frequent as unfollows, and mutes are rarer than either.
	changes := []struct {
		mutation, kind string
		on             bool
	}{
		{"followUser", "follow", true},
		{"followUser", "follow", true},
		{"unfollowUser", "follow", false},
		{"unfollowUser", "follow", false},
		{"muteUser", "mute", true},
		{"unmuteUser", "mute", false},
	}
	change := changes[c.rng.IntN(len(changes))]
	edge := relation{change.kind, as, to}
	// Until it is acknowledged, the change may have happened or not.
	delete(c.edges, edge)
	c.touched[edge] = true
	if c.note(ctx, c.load.api.relate(ctx, change.mutation, as, to)) {
		c.edges[edge] = change.on
	}
}

// acknowledged is everything that the clients of a load were told is done.
type acknowledged struct {
	// posts are the texts by id.
	posts map[string]string
	// live are those nobody tried to delete, gone those whose deletion was acknowledged.
	live, gone map[string]bool
	edges      map[relation]bool
	unread     []string
}

func (l *load) acknowledged() acknowledged {
	all := acknowledged{posts: map[string]string{}, live: map[string]bool{}, gone: map[string]bool{}, edges: map[relation]bool{}}
	for _, c := range l.clients {
		maps.Copy(all.posts, c.posts)
		maps.Copy(all.gone, c.gone)
		maps.Copy(all.edges, c.edges)
		for _, posts := range c.live {
			for _, id := range posts {
				all.live[id] = true
			}
		}
		all.unread = append(all.unread, c.unread...)
	}
	return all
}

// windows measures for how long nobody had an answer without an error.
type windows struct {
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	// failed is when the last request failed.
	failed time.Time
}

func newWindows() *windows { return &windows{last: time.Now()} }

// note notes an answer.
func (w *windows) note(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if err != nil {
		w.failed = now
		return
	}
	w.longest = max(w.longest, now.Sub(w.last))
	w.last = now
}

// failedSince returns for how long requests have failed since some time.
func (w *windows) failedSince(since time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return max(0, w.failed.Sub(since))
}

// take returns the longest window since the last call, the one that goes on included.
func (w *windows) take() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	longest := max(w.longest, time.Since(w.last))
	w.longest = 0
	return longest
}
