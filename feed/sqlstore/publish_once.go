package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// publishAtOnce publishes on PostgreSQL in one statement: one transaction and one round trip. own is
// that of ownID.
func (s *Store) publishAtOnce(ctx context.Context, p *feed.Post, own feed.ExternalID, idem feed.Idempotency, d feed.FirstDispatch) (feed.Publication, error) {
	stmt, args := s.publishQuery(p, own, idem, d)
	var stored, planned bool
	var activeUntil int64
	err := s.changeRow(ctx, stmt, args, &stored, &planned, &activeUntil)
	switch {
	case slices.Contains([]string{"contents_pkey", "external_ids_pkey", "idx_external_ids_n"}, violated(err)):
		return feed.Publication{}, feed.ErrIDTaken
	case err != nil:
		return feed.Publication{}, err
	case !stored:
		return s.notPublished(ctx, p, idem)
	}
	s.changed()
	post := *p
	post.Media = slices.Clone(p.Media)
	return feed.Publication{Post: &post, Planned: planned, ActiveUntil: activeUntil}, nil
}

// notPublished returns the post of an earlier publish under the key, or why nothing was stored.
func (s *Store) notPublished(ctx context.Context, p *feed.Post, idem feed.Idempotency) (feed.Publication, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (feed.Publication, error) {
		first, err := firstUnder(idem)(tx.QueryRowContext(ctx, underKey, p.Author, idem.Key, idem.Since))
		if err == nil {
			post, err := readPost(ctx, tx, first)
			return feed.Publication{Post: post}, err
		}
		if errors.Is(err, sql.ErrNoRows) {
			// If the key has been removed meanwhile, the caller may try again.
			if _, err = checkPost(ctx, tx, p); err == nil {
				err = feed.ErrIDTaken
			}
		}
		return feed.Publication{}, err
	})
}

// publishing builds the statement of a publish: one WITH, whose parts read from each other. So rows
// are locked in the order of the parts, and if a part has no row, neither have the parts after it.
type publishing struct {
	parts []string
	args  []any
}

func (s *Store) publishQuery(p *feed.Post, own feed.ExternalID, idem feed.Idempotency, d feed.FirstDispatch) (stmt string, args []any) {
	b := &publishing{}
	author := b.arg(int64(p.Author))
	b.lockAuthor(p, author, s.d.holding)
	before := "author"
	if idem.Key != "" {
		b.claimKey(p, idem, author, d.EventDue)
		before = "author, claimed"
	}
	b.storePost(p, before)
	if own != "" {
		b.add(`assigned AS (INSERT INTO external_ids (kind, external, n) SELECT 'post', `, b.arg(string(own)), `, id FROM posted)`)
	}
	before = "posted"
	if parent, counter := parentOf(p); parent != 0 {
		b.countAtParent(parent, counter)
		before = "posted, parent"
	}
	b.add(`counted AS (
  INSERT INTO user_counters AS c (user_id, posts, changes) SELECT posted.author_id, 1, 1 FROM `, before, `
  ON CONFLICT (user_id) DO UPDATE SET posts = c.posts + 1, changes = c.changes + 1 RETURNING followers)`)
	b.add(`logged AS (`, queueChanges, strconv.Itoa(int(feed.ChangePublished)), `, author_id, 0, id FROM posted)`)
	now, args := s.now(b.args...)
	b.args = args
	b.beginFanout(p, author, now, d)
	return "WITH " + strings.Join(b.parts, ",\n") + `
SELECT EXISTS (SELECT 1 FROM posted), EXISTS (SELECT 1 FROM planned), COALESCE((SELECT active_until FROM author), 0)`, b.args
}

// arg adds an argument and returns its parameter.
func (b *publishing) arg(v any) string {
	b.args = append(b.args, v)
	return "$" + strconv.Itoa(len(b.args))
}

func (b *publishing) add(part ...string) { b.parts = append(b.parts, strings.Join(part, "")) }

// lockAuthor keeps the author from being deleted, and limits the chain of reposts.
func (b *publishing) lockAuthor(p *feed.Post, author, holding string) {
	depth, limit := "0", ""
	if p.RepostOf != 0 {
		depth = `(SELECT COALESCE(MAX(c.repost_depth), 0) + 1 FROM contents AS c WHERE c.id = ` + b.arg(int64(p.RepostOf)) + `)`
		limit = ` AND ` + depth + ` <= ` + strconv.Itoa(maxRepostDepth())
	}
	b.add(`author AS (
  SELECT u.id, u.mark, u.active_until, `, depth, ` AS depth FROM users AS u WHERE u.id = `, author, ` AND u.deleted_at = 0 AND u.absent = 0`, limit, holding, `)`)
}

// claimKey first deletes the author's old keys, as the function claimKey does. It cannot delete the
// row that it claims, so it updates that one.
func (b *publishing) claimKey(p *feed.Post, idem feed.Idempotency, author string, at int64) {
	key, since := b.arg(idem.Key), b.arg(idem.Since)
	b.add(`expired AS (
  DELETE FROM idempotency_keys WHERE author_id = `, author, ` AND key <> `, key, ` AND created_at < `, since, ` RETURNING 1)`)
	b.add(`claimed AS (
  INSERT INTO idempotency_keys AS k (author_id, key, fingerprint, content_id, created_at)
  SELECT id, `, key, `, `, b.arg(idem.Fingerprint), `, `, b.arg(int64(p.ID)), `, `, b.arg(at), ` FROM author
  WHERE (SELECT COUNT(*) FROM expired) >= 0
  ON CONFLICT (author_id, key) DO UPDATE
  SET fingerprint = excluded.fingerprint, content_id = excluded.content_id, created_at = excluded.created_at
  WHERE k.created_at < `, since, ` RETURNING content_id)`)
}

// storePost fails if the id is taken, so that nothing of the statement is stored.
func (b *publishing) storePost(p *feed.Post, before string) {
	columns := postColumns.take([]*feed.Post{p})
	values := mapped(columns, func(c column) string { return b.arg(c.first()) })
	b.add(`posted AS (
  INSERT INTO contents (`, columnNames(columns, ""), `, repost_depth)
  SELECT `, strings.Join(values, ", "), `, author.depth FROM `, before, ` RETURNING id, author_id)`)
}

// parentOf returns the post that p replies to or reposts, and the column that counts p there.
func parentOf(p *feed.Post) (parent feed.PostID, counter string) {
	if p.ReplyTo != 0 {
		return p.ReplyTo, "comments"
	}
	return p.RepostOf, "reposts"
}

func (b *publishing) countAtParent(parent feed.PostID, counter string) {
	b.add(`parent AS (
  INSERT INTO content_counters AS c (content_id, `, counter, `) SELECT `, b.arg(int64(parent)), `, 1 FROM posted
  ON CONFLICT (content_id) DO UPDATE SET `, counter, ` = c.`, counter, ` + 1 RETURNING content_id)`)
}

// beginFanout plans for a small audience, or else stores an event. The followers are counted in the
// row that every follow of the author locks.
func (b *publishing) beginFanout(p *feed.Post, author, now string, d feed.FirstDispatch) {
	b.add(`planned AS (
  INSERT INTO plans (content_id, slices, open_slices, created_at)
  SELECT posted.id, 1, 1, `, now, ` FROM posted, author, counted
  WHERE author.mark = 0 AND counted.followers < `, b.arg(d.PlanBelow), `
  ON CONFLICT DO NOTHING RETURNING content_id)`)
	all := feed.SliceOfAll(p.ID)
	b.add(`sliced AS (
  INSERT INTO plan_slices (content_id, task, author_id, first_id, last_id, progress, due_at)
  SELECT content_id, `, b.arg(all.Task), `, `, author, `, `, b.arg(int64(all.First)), `, `, b.arg(int64(all.Last)), `, `,
		b.arg(int64(all.First)-1), `, `, b.arg(d.SliceDue), ` FROM planned)`)
	due := b.arg(d.EventDue)
	b.add(`evented AS (
  INSERT INTO events (content_id, due_at, created_at)
  SELECT id, `, due, `, `, due, ` FROM posted WHERE NOT EXISTS (SELECT 1 FROM planned))`)
}
