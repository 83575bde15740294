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

// Load is a group of clients that publish, delete, follow, unfollow, mute, unmute and read
// continuously. It records the acknowledged changes. Each client acts for its own users, so it
// knows the order of its changes.
type Load struct {
	api     *Caller
	users   int
	clients []*client
	group   sync.WaitGroup
	// Clock measures how long requests fail.
	Clock *Windows
	// watcher may be nil.
	watcher Watcher
	// stopping is closed to stop the clients.
	stopping chan struct{}
}

// ClientPause is the pause between two requests of a client. At this rate a small machine pushes as
// fast as a few clients publish. Tests therefore measure faults and not a backlog.
const ClientPause = 40 * time.Millisecond

// Watcher receives the changes and pages of clients. Many goroutines call its methods.
type Watcher interface {
	// Published and Deleted receive the ids of acknowledged posts and deletions.
	Published(id string)
	Deleted(id string)
	// Saw receives a page.
	Saw(Observation)
	// Follows reports whether one user followed another before the load.
	Follows(follower, followee feed.UserID) bool
}

// StartLoad starts n clients that act for the given number of users. They run until [Load.Finish]
// or the end of ctx. The seed decides their actions.
func StartLoad(ctx context.Context, api *Caller, users, n int, seed uint64) *Load {
	return StartWatchedLoad(ctx, api, users, n, seed, nil)
}

// StartWatchedLoad is [StartLoad] with a watcher. The watcher may be nil.
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

// Finish stops the clients and waits for their last requests.
func (l *Load) Finish() {
	close(l.stopping)
	l.group.Wait()
}

// Results counts the results of all requests by [CodeOf].
func (l *Load) Results() map[string]int {
	sum := map[string]int{}
	for _, c := range l.clients {
		for code, n := range c.results {
			sum[code] += n
		}
	}
	return sum
}

// Relation is a follow or a mute.
type Relation struct {
	kind     string
	from, to feed.UserID
}

// client is one client of a load. Until the load is finished, only the client's goroutine uses the
// fields.
type client struct {
	load   *Load
	no, of int
	rng    *rand.Rand
	sent   int

	// live has, for each user, the posts that the client has not tried to delete.
	live map[feed.UserID][]string
	// posts has the texts of all acknowledged posts by id. gone has the acknowledged deletions.
	posts map[string]string
	gone  map[string]bool
	// edges has the relations with an acknowledged last change.
	edges map[Relation]bool
	// touched has the relations that the client has tried to change.
	touched map[Relation]bool

	results map[string]int
	// unread has a message for each acknowledged post that its author's feed lacked.
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

// step sends one random request: 40 % publish, 10 % delete, 20 % change relations, 30 % read.
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

// own returns a random user of this client.
func (c *client) own() feed.UserID {
	return feed.UserID(1 + c.no + c.of*c.rng.IntN(c.load.users/c.of))
}

// note counts a result and reports whether it is a success. It ignores requests that the end of the
// load cancelled.
func (c *client) note(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	c.results[CodeOf(err)]++
	c.load.Clock.Note(err)
	return err == nil
}

// publish publishes a post and retries until it is acknowledged. The idempotency key prevents
// duplicates.
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

// read reads the first page of a feed. It returns false if the request fails.
func (c *client) read(ctx context.Context, as feed.UserID, size int) ([]string, bool) {
	began := time.Now()
	ids, next, err := c.load.api.Page(ctx, as, size, nil)
	if !c.note(ctx, err) {
		return nil, false
	}
	c.load.tell(func(w Watcher) { w.Saw(c.observe(as, began, ids, next == nil)) })
	return ids, true
}

// tell calls what with the watcher, if any.
func (l *Load) tell(what func(Watcher)) {
	if l.watcher != nil {
		what(l.watcher)
	}
}

// readBack checks that a new post is on the first page of its author's feed. It checks one post in
// four.
func (c *client) readBack(ctx context.Context, as feed.UserID, id string) {
	if c.rng.IntN(4) > 0 {
		return
	}
	page, ok := c.read(ctx, as, 100)
	if ok && !slices.Contains(page, id) {
		c.unread = append(c.unread, fmt.Sprintf("user %d does not see their own post %s", as, id))
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
	// Follows are as frequent as unfollows, and mutes are rarer.
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
	// The result is unknown until the change is acknowledged.
	delete(c.edges, edge)
	c.touched[edge] = true
	if c.note(ctx, c.load.api.Relate(ctx, change.mutation, as, to)) {
		c.edges[edge] = change.on
	}
}

// Acknowledged is all acknowledged changes of a load.
type Acknowledged struct {
	// Posts has the texts by id.
	Posts map[string]string
	// Live has the posts that no client tried to delete. Gone has the acknowledged deletions.
	Live, Gone map[string]bool
	// Edges has the relations with an acknowledged last change, and whether they exist.
	Edges map[Relation]bool
	// Unread has a message for each acknowledged post that its author's feed lacked.
	Unread []string
}

// Acknowledged returns the acknowledged changes. The load must be finished.
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

// Visibility is a client's knowledge of whether an author's posts belong in a viewer's feed.
type Visibility byte

// The values of [Visibility].
const (
	Hidden Visibility = iota
	Shown
	Unknown // a change was not acknowledged
)

// Observation is a page that a client read, with the client's knowledge at that time.
type Observation struct {
	Viewer feed.UserID
	// Began is the time of the request.
	Began time.Time
	IDs   []string
	// End is set on the last page of the feed.
	End bool
	// Visible is indexed by user id.
	Visible []Visibility
	// Own has the viewer's newest acknowledged posts that no client tried to delete. Gone has the
	// posts on the page with an acknowledged deletion.
	Own, Gone []string
}

// observe returns the observation of a page. A client sends one request at a time, so its knowledge
// has not changed since the read began.
func (c *client) observe(as feed.UserID, began time.Time, ids []string, end bool) Observation {
	s := Observation{Viewer: as, Began: began, IDs: ids, End: end, Visible: make([]Visibility, c.load.users+1)}
	for user := range s.Visible {
		s.Visible[user] = c.visibility(as, feed.UserID(user))
	}
	own := c.live[as]
	s.Own = slices.Clone(own[max(0, len(own)-5):])
	for _, id := range ids {
		if c.gone[id] {
			s.Gone = append(s.Gone, id)
		}
	}
	return s
}

func (c *client) visibility(as, user feed.UserID) Visibility {
	follows, followKnown := c.knows(Relation{"follow", as, user})
	mutes, muteKnown := c.knows(Relation{"mute", as, user})
	switch {
	case as == user:
		return Shown
	case followKnown && !follows, muteKnown && mutes:
		return Hidden
	case followKnown && muteKnown:
		return Shown
	}
	return Unknown
}

// knows returns whether a relation exists, and whether the client knows that.
func (c *client) knows(r Relation) (is, known bool) {
	if is, known = c.edges[r]; known || c.touched[r] {
		return is, known
	}
	return r.kind == "follow" && c.load.watcher.Follows(r.from, r.to), true
}

// Windows measures the time between two successful responses.
type Windows struct {
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	// failed is the time of the last failure.
	failed time.Time
}

// NewWindows starts the first window.
func NewWindows() *Windows { return &Windows{last: time.Now()} }

// Note records the result of a request.
func (w *Windows) Note(err error) {
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

// FailedSince returns the time from since to the last failure.
func (w *Windows) FailedSince(since time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return max(0, w.failed.Sub(since))
}

// Take returns the longest window since the last call, including the current one.
func (w *Windows) Take() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	longest := max(w.longest, time.Since(w.last))
	w.longest = 0
	return longest
}
