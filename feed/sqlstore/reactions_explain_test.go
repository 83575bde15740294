package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// popularTables fill a database with contents of which one is liked by everybody and the
// others by hardly anybody, which is what statistics tell.
var popularTables = []string{
	`INSERT INTO users (id, handle, handle_fold, name, created_at, active_until)
SELECT n.i, 'u' || n.i, 'u' || n.i, 'A user', 1, 1 FROM %n%`,
	`INSERT INTO contents (id, author_id, kind, text, media, published_at) SELECT n.i, 1, 'article', '', '[]', n.i FROM %n%`,
	`INSERT INTO reactions (content_id, kind, user_id, created_at) SELECT 1, 'like', n.i, 1 FROM %n%`,
	`INSERT INTO reactions (content_id, kind, user_id, created_at) SELECT n.i, 'like', 1 + n.i % 50, 1 FROM %n% WHERE n.i > 1`,
	`ANALYZE`,
}

// reactionLookUp is how each database says that it looks a reaction up by all three columns of
// the key. With fewer it would read all who have reacted to a content.
var reactionLookUp = map[string]string{
	"sqlite":   "SEARCH did USING PRIMARY KEY (content_id=? AND kind=? AND user_id=?)",
	"postgres": "Index Cond: ((content_id = r.content) AND (kind = 'like'::text) AND (user_id = r.viewer))",
}

func TestWhatAViewerDidIsFoundWithoutReadingWhatOthersDid(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		for _, stmt := range popularTables {
			if err := s.Exec(t.Context(), strings.ReplaceAll(stmt, "%n%", numbers(b, upkeepRows[b.name]))); err != nil {
				t.Fatal(err)
			}
		}
		plan, err := s.ExplainReactions(t.Context(), 7, []feed.ContentID{1, 2, 3})
		mustLookUp(t, plan, err, reactionLookUp[b.name])
	})
}
