package harness

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

// Load is several clients that publish, delete, follow, unfollow, mute, unmute and
// read without pause, and remember what the server has acknowledged. Each acts for users
// of its own, so it knows in which order it did what.
type Load struct {
	api     *Caller
	users   int
	clients []*client
	group   sync.WaitGroup
	// Clock measures for how long no client has an answer.
	Clock *Windows
	// watcher is told what clients did and saw; nil for nobody.
	watcher Watcher
	// stopping is closed when no client is to begin anything more.
	stopping chan struct{}
}

// ClientPause is how often a client does something. At that pace a small machine pushes as
// fast as a few clients publish: what is measured are the faults, and not a backlog.
const ClientPause = 40 * time.Millisecond

// Watcher is told what clients did and saw. Its methods are called from many goroutines.
type Watcher interface {
	// Published and Deleted tell of posts whose change was acknowledged.
	Published(id string)
	Deleted(id string)
	// Saw tells of a page that was read.
	Saw(Sight)
	// Follows says whether one user followed another before the load.
	Follows(follower, followee feed.UserID) bool
}

// StartLoad starts n clients of users users, which go on until [Load.Finish] or the end of
// ctx. The seed decides what they do.
func StartLoad(ctx context.Context, api *Caller, users, n int, seed uint64) *Load {
	return StartWatchedLoad(ctx, api, users, n, seed, nil)
}

// StartWatchedLoad is [StartLoad] with a watcher; nil for none.
func StartWatchedLoad(ctx context.Context, api *Caller, users, n int, seed uint64, w Watcher) *Load {
	l := &Load{api: api, users: users, stopping: make(chan struct{}), Clock: NewWindows(), watcher: w}
	for i := range n {
		c := &client{
			load: l, no: i, of: n, rng: rand.New(rand.NewPCG(seed, uint64(i))),
			live: map[feed.UserID][]string{}, posts: map[string]string{}, gone: map[string]bool{},
			edges: map[Relation]bool{}, touched: map[Relation]bool{}, results: map[string]int{},
		}
		l.clients = append(l.clients, c)
		l.group.Go(func() { c.run(ctx) })
	}
	return l
}

// Finish lets the clients end what they are doing, and returns when all have.
func (l *Load) Finish() {
	close(l.stopping)
	l.group.Wait()
}

// Results counts the answers of all clients by their code.
func (l *Load) Results() map[string]int {
	sum := map[string]int{}
	for _, c := range l.clients {
		for code, n := range c.results {
			sum[code] += n
		}
	}
	return sum
}

// Relation is how a user stands to another one: kind is follow or mute.
type Relation struct {
	kind     string
	from, to feed.UserID
}

// client is one of the clients of a load. What it knows is for others to read once the
// load is finished.
type client struct {
	load   *Load
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
	edges map[Relation]bool
	// touched are those that the client has ever tried to change.
	touched map[Relation]bool

	results map[string]int
	// unread says what a user of this client did not find in his own feed right
	// after it was acknowledged.
	unread []string
}

func (c *client) run(ctx context.Context) {
	pause := time.NewTicker(ClientPause)
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
	c.results[CodeOf(err)]++
	c.load.Clock.Note(err)
	return err == nil
}

// publish publishes a post, and sends it again until it is acknowledged: the key in it
// must keep it single.
func (c *client) publish(ctx context.Context, as feed.UserID) {
	c.sent++
	text := fmt.Sprintf("post %d of client %d", c.sent, c.no)
	for {
		id, err := c.load.api.Publish(ctx, as, text)
		if c.note(ctx, err) {
			c.posts[id] = text
			c.live[as] = append(c.live[as], id)
			c.load.tell(func(w Watcher) { w.Published(id) })
			c.readBack(ctx, as, id)
			return
		}
		select {
		case <-time.After(ClientPause):
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
	ids, next, err := c.load.api.Page(ctx, as, size, nil)
	if !c.note(ctx, err) {
		return nil, false
	}
	c.load.tell(func(w Watcher) { w.Saw(c.sight(as, began, ids, next == nil)) })
	return ids, true
}

// tell tells the watcher something, if there is one.
func (l *Load) tell(what func(Watcher)) {
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
		c.load.tell(func(w Watcher) { w.Deleted(id) })
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
	edge := Relation{change.kind, as, to}
	// Until it is acknowledged, the change may have happened or not.
	delete(c.edges, edge)
	c.touched[edge] = true
	if c.note(ctx, c.load.api.Relate(ctx, change.mutation, as, to)) {
		c.edges[edge] = change.on
	}
}

// Acknowledged is everything that the clients of a load were told is done.
type Acknowledged struct {
	// Posts are the texts by id.
	Posts map[string]string
	// Live are those that no client tried to delete, Gone those whose deletion was acknowledged.
	Live, Gone map[string]bool
	// Edges says whether a relation is there whose last change was acknowledged.
	Edges map[Relation]bool
	// Unread says what users did not find in their own feeds right after it was acknowledged.
	Unread []string
}

// Acknowledged returns what the clients were told is done. The load must be finished.
func (l *Load) Acknowledged() Acknowledged {
	all := Acknowledged{Posts: map[string]string{}, Live: map[string]bool{}, Gone: map[string]bool{}, Edges: map[Relation]bool{}}
	for _, c := range l.clients {
		maps.Copy(all.Posts, c.posts)
		maps.Copy(all.Gone, c.gone)
		maps.Copy(all.Edges, c.edges)
		for _, posts := range c.live {
			for _, id := range posts {
				all.Live[id] = true
			}
		}
		all.Unread = append(all.Unread, c.unread...)
	}
	return all
}
