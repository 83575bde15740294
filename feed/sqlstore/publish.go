package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// Changes of posts lock rows in the order of all changes: the users, the idempotency key, the post,
// and then the counters in the order of tally.

// Publish implements [feed.PostWriter]. An author who is not stored is [feed.CodeNotFound], and a
// repost of a longer chain than [feed.DefaultPolicy] allows is [feed.CodeInvalid].
func (s *Store) Publish(ctx context.Context, p *feed.Post, idem feed.Idempotency, d feed.FirstDispatch) (feed.Publication, error) {
	own := s.ownID(int64(p.ID), p.External)
	if own != "" {
		named := *p
		named.External, p = own, &named
	}
	var published feed.Publication
	err := s.groupCommits.serialize(ctx, p.Parent(), func() (err error) {
		if s.d.isPostgres() && !isUnsettled(p) {
			published, err = s.publishAtOnce(ctx, p, own, idem, d)
			return err
		}
		published, err = inTxOf(ctx, s, func(tx *sql.Tx) (feed.Publication, error) { return s.publishInSteps(ctx, tx, p, own, idem, d) })
		return err
	})
	return published, err
}

// isUnsettled reports whether the parent of a new post had no audience author when it was read: its own parent
// has not arrived.
func isUnsettled(p *feed.Post) bool { return p.Parent() != 0 && p.AudienceAuthor == 0 }

// settledUnderParent returns the post in its parent's audience as of now, which stays until the transaction
// ends. A batch that settles the parent later settles the post with it.
func (s *Store) settledUnderParent(ctx context.Context, tx *sql.Tx, p *feed.Post) (*feed.Post, error) {
	if !isUnsettled(p) {
		return p, nil
	}
	parent := &feed.Post{ID: p.Parent()}
	row := tx.QueryRowContext(ctx, "SELECT audience, audience_author FROM contents WHERE id = $1"+s.d.forShare, parent.ID)
	if err := row.Scan(&parent.Audience, &parent.AudienceAuthor); errors.Is(err, sql.ErrNoRows) {
		return p, nil
	} else if err != nil {
		return nil, err
	}
	return p.InAudience(parent), nil
}

// publishInSteps publishes on SQLite, where a statement is no round trip, and under a parent that must
// not change meanwhile.
func (s *Store) publishInSteps(ctx context.Context, tx *sql.Tx, p *feed.Post, own feed.ExternalID, idem feed.Idempotency, d feed.FirstDispatch) (feed.Publication, error) {
	var done feed.Publication
	first, err := claimKey(ctx, tx, p, idem, d.EventDue)
	if err == nil && first == 0 {
		first = p.ID
		if p, err = s.settledUnderParent(ctx, tx, p); err == nil {
			err = s.insertPost(ctx, tx, p, own)
		}
		if err == nil {
			done.Planned, err = s.beginFanout(ctx, tx, p, d)
		}
		if err == nil {
			done.ActiveUntil, err = one[int64](tx.QueryRowContext(ctx, `SELECT active_until FROM users WHERE id = $1`, p.Author))
		}
	}
	if err == nil {
		done.Post, err = readPost(ctx, tx, first)
	}
	return done, err
}

// claimKey returns the post of the first publish with the idempotency key, or 0 if this publish is
// the first or has no key. Of two concurrent publishes, the second waits in its insert until the
// first commits or rolls back.
//
// The event's due time replaces the time of the call, which is not known here; p's publish time may
// be years ago.
func claimKey(ctx context.Context, tx *sql.Tx, p *feed.Post, idem feed.Idempotency, dueAt int64) (feed.PostID, error) {
	if idem.Key == "" {
		return 0, nil
	}
	// Deleting all old keys of the author keeps the table at one day of keys.
	if err := exec(ctx, tx, `DELETE FROM idempotency_keys WHERE author_id = $1 AND created_at < $2`, p.Author, idem.Since); err != nil {
		return 0, err
	}
	claimed, err := execRows(ctx, tx, `
INSERT INTO idempotency_keys (author_id, key, fingerprint, content_id, created_at)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`, p.Author, idem.Key, idem.Fingerprint, p.ID, dueAt)
	if err != nil || claimed == 1 {
		return 0, err
	}
	return firstUnder(idem)(tx.QueryRowContext(ctx, underKey, p.Author, idem.Key, idem.Since))
}

const underKey = `
SELECT content_id, fingerprint FROM idempotency_keys WHERE author_id = $1 AND key = $2 AND created_at >= $3`

// firstUnder returns a function that scans a row of underKey and rejects another publish.
func firstUnder(idem feed.Idempotency) func(scanner) (feed.PostID, error) {
	return func(row scanner) (first feed.PostID, err error) {
		var fingerprint string
		err = row.Scan(&first, &fingerprint)
		if err == nil && fingerprint != idem.Fingerprint {
			err = feed.Errorf(feed.CodeConflict, "the idempotency key was used for another input").At("idempotencyKey")
		}
		return first, err
	}
}

// Published implements [feed.PostWriter].
func (s *Store) Published(ctx context.Context, author feed.UserID, idem feed.Idempotency) (*feed.Post, error) {
	if idem.Key == "" {
		return nil, nil
	}
	first, err := query(ctx, s, underKey, []any{author, idem.Key, idem.Since}, firstUnder(idem))
	if err != nil || len(first) == 0 {
		return nil, err
	}
	posts, err := s.Posts(ctx, first)
	if err != nil {
		return nil, err
	}
	return posts[0], nil
}

// insertPost stores a new post and counts it. own is that of ownID.
func (s *Store) insertPost(ctx context.Context, tx *sql.Tx, p *feed.Post, own feed.ExternalID) error {
	depth, err := checkPost(ctx, tx, p)
	if err != nil {
		return err
	}
	columns := append(postColumns.take([]*feed.Post{p}), intColumn("repost_depth", []int{depth}, func(n int) int { return n }))
	stored, err := s.d.insertRows(ctx, tx, "contents", "DO NOTHING", columns...)
	if err != nil {
		return err
	}
	if stored == 0 {
		return feed.ErrIDTaken
	}
	if err := s.assignOwn(ctx, tx, feed.PostIDs, own, int64(p.ID)); err != nil {
		return err
	}
	t := newTally()
	t.post(p, +1)
	t.log(feed.Change{Kind: feed.ChangePublished, User: p.Author, Post: p.ID})
	return t.store(ctx, s, tx)
}

// checkPost refuses a post whose author is not stored, or whose chain of reposts is too long. It
// returns the length of the chain.
func checkPost(ctx context.Context, tx *sql.Tx, p *feed.Post) (depth int, err error) {
	known, err := one[bool](tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM users WHERE id = $1 AND deleted_at = 0 AND absent = 0)`, p.Author))
	switch {
	case err != nil:
		return 0, err
	case !known:
		return 0, errNoUser()
	}
	return repostDepth(ctx, tx, p)
}

// beginFanout stores the plan of a small audience, or else an event. It reports which. The event's
// creation is its due time, as in claimKey.
func (s *Store) beginFanout(ctx context.Context, tx *sql.Tx, p *feed.Post, d feed.FirstDispatch) (planned bool, err error) {
	now, args := s.now(p.ID, d.PlanBelow, p.Author)
	n, err := execRows(ctx, tx, `
INSERT INTO plans (content_id, slices, open_slices, created_at) SELECT $1, 1, 1, `+now+` FROM users AS u
WHERE u.id = $3 AND u.mark = 0 AND (SELECT c.followers FROM user_counters AS c WHERE c.user_id = u.id) < $2
ON CONFLICT DO NOTHING`, args...)
	switch {
	case err != nil:
		return false, err
	case n == 0:
		return false, exec(ctx, tx, `INSERT INTO events (content_id, due_at, created_at) VALUES ($1, $2, $2)`, p.ID, d.EventDue)
	}
	whole := feed.Plan{Post: p.ID, Author: p.Author, Slices: []feed.Slice{feed.SliceOfAll(p.ID)}}
	return true, s.storeSlices(ctx, tx, whole, d.SliceDue)
}

// maxRepostDepth is the length of the longest chain of reposts that is stored.
func maxRepostDepth() int { return feed.DefaultPolicy().RepostDepth }

// repostDepth counts the reposts from p, if it is one, to the end of its chain. A chain never
// changes, so no row needs a lock.
func repostDepth(ctx context.Context, tx *sql.Tx, p *feed.Post) (int, error) {
	if p.RepostOf == 0 {
		return 0, nil
	}
	depth, err := one[int](tx.QueryRowContext(ctx, `
SELECT COALESCE(MAX(repost_depth), 0) + 1 FROM contents WHERE id = $1`, p.RepostOf))
	if err == nil && depth > maxRepostDepth() {
		err = feed.Errorf(feed.CodeInvalid, "a chain of reposts has at most %d links", maxRepostDepth()).At("repostOf")
	}
	return depth, err
}

// Edit implements [feed.PostWriter].
func (s *Store) Edit(ctx context.Context, id feed.PostID, e feed.PostEdit) (*feed.Post, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (*feed.Post, error) {
		var was *feed.Post
		if e.Audience != nil {
			var err error
			was, err = postColumns.scan()(tx.QueryRowContext(ctx, selectStored+"WHERE c.id = $1"+s.d.forUpdate, id))
			if errors.Is(err, sql.ErrNoRows) {
				return nil, errNoPost()
			} else if err != nil {
				return nil, err
			}
		}
		n, err := execRows(ctx, tx, `
UPDATE contents SET text = COALESCE(CAST($2 AS TEXT), text), audience = COALESCE(CAST($3 AS SMALLINT), audience),
  edited_at = CASE WHEN CAST($2 AS TEXT) IS NULL THEN edited_at ELSE $4 END
WHERE id = $1 AND deleted_at = 0 AND `+s.d.present("author_id"), id, e.Text, e.Audience, e.At)
		switch {
		case err != nil:
			return nil, err
		case n == 0:
			return nil, errNoPost()
		}
		edited, err := readPost(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		return edited, s.logEdit(ctx, tx, cmp.Or(was, edited), edited)
	})
}

// logEdit logs an edit, and what a changed audience concerns.
func (s *Store) logEdit(ctx context.Context, tx *sql.Tx, was, edited *feed.Post) error {
	changed := newAudienceChanges()
	changed.post(was, edited)
	if err := changed.store(ctx, s, tx); err != nil {
		return err
	}
	return s.countChange(ctx, tx, feed.Change{
		Kind: feed.ChangeEdited, User: edited.Author, Post: edited.ID,
		Other: feed.NarrowedFor(edited.Author, edited.Narrows(was), was.Narrows(edited)),
	})
}

// Delete implements [feed.PostWriter]. Deleting a post that is not stored changes nothing.
func (s *Store) Delete(ctx context.Context, id feed.PostID, at int64) error {
	return s.inTx(ctx, func(tx *sql.Tx) error { return s.deletePost(ctx, tx, id, at) })
}

// deletePost counts the deletion only if it was the first of several.
func (s *Store) deletePost(ctx context.Context, tx *sql.Tx, id feed.PostID, at int64) error {
	p := feed.Post{ID: id}
	err := tx.QueryRowContext(ctx, s.deleteQuery(), id, at).Scan(&p.Author, &p.ReplyTo, &p.RepostOf)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return err
	}
	if !s.d.isPostgres() {
		if err := exec(ctx, tx, "INSERT INTO repost_changes (content_id) VALUES ($1)"+repostsPending, id); err != nil {
			return err
		}
	}
	t := newTally()
	t.post(&p, -1)
	t.log(feed.Change{Kind: feed.ChangeDeleted, User: p.Author, Post: id})
	return t.store(ctx, s, tx)
}

// deleteQuery marks a post as deleted. On PostgreSQL it also makes the reposts pending.
func (s *Store) deleteQuery() string {
	const marked = `
UPDATE contents SET deleted_at = $2 WHERE id = $1 AND deleted_at = 0 AND author_id NOT IN ` + leavers + `
RETURNING author_id, reply_to, repost_of`
	if !s.d.isPostgres() {
		return marked
	}
	return "WITH marked AS (" + marked + ", id), pending AS (INSERT INTO repost_changes (content_id) SELECT id FROM marked" +
		repostsPending + ") SELECT author_id, reply_to, repost_of FROM marked"
}

func readPost(ctx context.Context, tx *sql.Tx, id feed.PostID) (*feed.Post, error) {
	return postColumns.scan()(tx.QueryRowContext(ctx, selectStored+"WHERE c.id = $1", id))
}

// errNoPost refuses a change of a post that is deleted or not stored.
func errNoPost() error { return feed.Errorf(feed.CodeNotFound, "there is no such post") }
