package bench_test

import (
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

// inboxCap is the number of entries of every inbox, Tideline's default.
const inboxCap = 300

// fillPeers writes the keys of bench/peers/inbox.mjs: inboxes of the viewers, and the counters of
// their posts.
func (s *site) fillPeers(c *redis.Client, viewers []int64) {
	s.b.Helper()
	pipe := c.Pipeline()
	for _, viewer := range viewers {
		posts := s.size.Home(viewer, inboxCap).Posts
		entries := make([]redis.Z, len(posts))
		for i, p := range posts {
			entries[i] = redis.Z{Score: float64(p.TS), Member: fmt.Sprintf("%020d", p.ID)}
			pipe.Set(s.b.Context(), "peer:counters:"+strconv.FormatInt(p.ID, 10), fmt.Sprintf("%d,0,0,0", world.Likes(p)), 0)
		}
		pipe.ZAdd(s.b.Context(), "peer:inbox:"+strconv.FormatInt(viewer, 10), entries...)
		_, err := pipe.Exec(s.b.Context())
		must(s.b, err)
	}
}

// copyInboxes copies Tideline's inboxes in SQL for the peers, to a table with the same index. The
// peers' also have the viewer's own posts, as is usual, so that one statement reads a page;
// Tideline merges those from the outbox.
func (n *network) copyInboxes(viewers []int64) {
	n.b.Helper()
	n.exec(`CREATE TABLE peer_inbox (user_id BIGINT NOT NULL, publish_time BIGINT NOT NULL, content_id BIGINT NOT NULL)`)
	n.exec(`INSERT INTO peer_inbox SELECT user_id, publish_time, content_id FROM inbox`)
	n.exec(`INSERT INTO peer_inbox SELECT author_id, published_at, id FROM contents WHERE author_id = ANY($1)`, viewers)
	n.exec(`CREATE UNIQUE INDEX idx_peer_inbox ON peer_inbox (user_id, publish_time, content_id)`)
	n.exec(`VACUUM ANALYZE peer_inbox`)
}
