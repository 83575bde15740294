package sqlstore

import (
	"fmt"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// HiddenCache is a cache of objects that must not outlive what hides them.
type HiddenCache interface {
	feed.Evictor
	// Purge evicts everything.
	Purge()
}

// EvictHidden keeps a cache current enough to judge by: before a viewer version or a survey returns, the
// cache has evicted the posts, users and sessions that any process had hidden by then (docs/adr/0070).
// Call it before the store is used concurrently.
func (s *Store) EvictHidden(from HiddenCache) { s.hidden.cache = from }

// hidden are the changes that this process has evicted.
type hidden struct {
	cache HiddenCache

	mu sync.Mutex
	// last is the place up to which changes have been evicted, once begun is set. queued has evicted
	// changes that had no place yet.
	last   feed.ChangePlace
	queued map[feed.Key]bool
	begun  bool
}

// hiddenMax is the number of changes from which loading the caches again is cheaper than evicting.
const hiddenMax = 1000

// hides is the condition on a change c that it is a reset, hides something by [feed.Change.Hides], or
// shows something again, which only evicts too much. Relations and the posts of threads do not count: relations
// raise the versions of the viewers that they concern, and posts are cached under their audience authors.
// Indexes have the same condition.
func hides() string {
	return fmt.Sprintf("(c.kind = %d AND c.other_id = 0 OR c.kind = %d AND c.content_id <> 0 OR c.kind IN (%d, %d, %d, %d, %d) AND c.other_id <> 0 OR c.kind = %d)",
		feed.ChangeDeleted, feed.ChangeAccount, feed.ChangeEdited, feed.ChangeProfile, feed.ChangeSession, feed.ChangeTakenDown, feed.ChangeSuspended,
		feed.ChangeReset)
}

// poll reads what has been hidden since the last poll, in the statement that reads viewer versions. It is
// for one run of the statement.
type poll struct {
	of    *hidden
	since feed.ChangePlace
	known map[feed.Key]bool
	begun bool

	found   feed.ChangePlace
	trimmed int64
	list    keyList
}

// poll adds the arguments of hiddenColumns to those of a statement.
func (h *hidden) poll(args []any) (*poll, []any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := &poll{of: h, since: h.last, known: h.queued, begun: h.begun}
	return p, append(args, p.since.Number)
}

// kindBits is more bits than a kind of change has.
const kindBits = 8

// hiddenColumns selects the end of the change log, from change_state as state, the last number that was
// trimmed, and the changes after number $n that hide something. Each is the id of a post, a user
// or a session, after its kind and, above kindBits, its place in the queue. Queued changes have no number,
// so every poll reads all of them. They are few: they are numbered within a tenth of a second.
func (s *Store) hiddenColumns(n int) string {
	change := fmt.Sprintf(" AS kind, CASE WHEN c.kind IN (%d, %d, %d) THEN c.user_id WHEN c.kind = %d THEN -c.content_id ELSE c.content_id END AS id FROM ",
		feed.ChangeAccount, feed.ChangeProfile, feed.ChangeSuspended, feed.ChangeSession)
	list := fmt.Sprintf("SELECT c.kind"+change+"changes AS c WHERE c.number > $%d AND "+hides(), n)
	if s.d.isPostgres() {
		list += fmt.Sprintf("\nUNION ALL\nSELECT c.kind + (c.id << %d)"+change+"change_queue AS c WHERE "+hides(), kindBits)
	}
	return fmt.Sprintf("state.epoch, %s, state.trimmed, (SELECT %s FROM (%s LIMIT %d) AS c)",
		s.d.lastChange, s.d.pairs("c.kind", "c.id"), list, hiddenMax+1)
}

func (p *poll) targets() []any {
	return []any{&p.found.Epoch, &p.found.Number, &p.trimmed, &p.list}
}

// before ends the poll before the values of its statement are used.
func before[V any](p *poll, r reading[V]) reading[V] {
	values := r.values
	r.values = func() []V {
		p.end()
		return values()
	}
	return r
}

// end evicts what the poll has found.
func (p *poll) end() {
	h := p.of
	if h.cache == nil {
		return
	}
	if posts, users, all := p.named(); all {
		h.cache.Purge()
	} else if len(posts)+len(users) > 0 {
		h.cache.Evict(posts, users)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	// Of concurrent polls, the last to end may have begun first. It has evicted less.
	if !h.begun || h.last == p.since || h.last.Epoch != p.found.Epoch || h.last.Number < p.found.Number {
		h.last, h.begun = p.found, true
	}
	if len(h.queued) > 0 || len(p.list) > 0 {
		h.queued = p.inQueue()
	}
}

// named returns what has been hidden, or that it may be anything.
func (p *poll) named() (posts []feed.PostID, users []feed.UserID, all bool) {
	// A lower number, too, says that the database is not the one of the last poll.
	follows := p.begun && p.since.Epoch == p.found.Epoch && p.trimmed <= p.since.Number && p.since.Number <= p.found.Number
	if !follows || len(p.list) > hiddenMax {
		return nil, nil, true
	}
	for _, c := range p.list {
		if p.known[c] {
			continue
		}
		switch feed.ChangeKind(c.TS & (1<<kindBits - 1)) { //nolint:exhaustive // hides selects these
		case feed.ChangeAccount, feed.ChangeProfile, feed.ChangeSuspended:
			users = append(users, feed.UserID(c.ID))
		case feed.ChangeSession:
			posts = append(posts, feed.ReplayRef(c.ID))
		case feed.ChangeReset:
			return nil, nil, true
		default:
			posts = append(posts, feed.PostID(c.ID))
		}
	}
	return posts, users, false
}

func (p *poll) inQueue() map[feed.Key]bool {
	queued := map[feed.Key]bool{}
	for _, c := range p.list {
		if c.TS>>kindBits > 0 {
			queued[c] = true
		}
	}
	return queued
}
