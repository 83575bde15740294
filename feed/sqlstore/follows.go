package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// errNoUser refuses a change that names a user who is not stored.
func errNoUser() error { return feed.Errorf(feed.CodeNotFound, "there is no such user") }

// errNoFollow refuses options for a follow that does not exist.
func errNoFollow() error {
	return feed.Errorf(feed.CodeNotFound, "you neither follow this user nor have you asked to").At("userId")
}

// follow is one follower of an author: since when, and how many users they may follow.
type follow struct {
	follower feed.UserID
	at       int64
	limit    int
	choice   feed.FollowChoice
	// exists: it changes only the options of a follow or request that is stored.
	exists bool
	// before and options are set once the follow is judged.
	before, options feed.FollowOptions
}

// Follow implements [feed.Follows].
func (s *Store) Follow(ctx context.Context, follower, followee feed.UserID, at int64, limit int, choice feed.FollowChoice) error {
	return s.groupCommits.follows.Do(ctx, followee, follow{follower: follower, at: at, limit: limit, choice: choice})
}

// UpdateFollow implements [feed.Follows].
func (s *Store) UpdateFollow(ctx context.Context, follower, followee feed.UserID, choice feed.FollowChoice) error {
	return s.groupCommits.follows.Do(ctx, followee, follow{follower: follower, choice: choice, exists: true})
}

// follow stores several followers of one author.
func (s *Store) follow(ctx context.Context, followee feed.UserID, parts []follow) ([]error, error) {
	if first := parts[0]; s.d.isPostgres() && len(parts) == 1 && first.follower != followee && !first.exists && !first.choice.On.Has(feed.FollowSpecial) {
		if done, err := s.followAtOnce(ctx, followee, first); done || err != nil {
			return nil, err
		}
	}
	return inTxOf(ctx, s, func(tx *sql.Tx) ([]error, error) { return s.followIn(ctx, tx, followee, parts) })
}

func (s *Store) followIn(ctx context.Context, tx *sql.Tx, followee feed.UserID, parts []follow) ([]error, error) {
	followers := followersOf(parts)
	stored, err := s.lockPresent(ctx, tx, followers)
	if err != nil {
		return nil, err
	}
	states, err := s.readFollows(ctx, tx, followers, followee)
	if err != nil {
		return nil, err
	}
	j := judgeFollows(parts, stored, states)
	return j.errors, inOrder(
		func() error { return s.storeRequests(ctx, tx, j.asked, followee) },
		func() error { return s.storeFollows(ctx, tx, j.begun, followee) },
		func() error { return s.storeOptions(ctx, tx, j.changed, followee) },
	)
}

// followAtOnce stores a new follow in one statement of PostgreSQL. If it returns false, it changed
// nothing: the follow exists, is refused or is to be a request, or the follower's relations changed
// meanwhile.
func (s *Store) followAtOnce(ctx context.Context, followee feed.UserID, f follow) (done bool, err error) {
	err = s.changeRow(ctx, followQuery(), []any{f.follower, followee, f.at, f.limit, f.choice.On}, &done)
	if done {
		s.changed()
	}
	return done, err
}

// followQuery is PostgreSQL's statement to make user $1 follow another user, $2, since $3, with a limit of $4
// and options $5, of which none is limited, and to return whether it did.
//
// It judges by the rows that were committed when it began, and may then wait for the row of the
// follower. So it compares the version, which changes with all follows of that user, after it has
// locked the row. Locks are in the order of all changes: users, then counters.
func followQuery() string {
	return `
WITH held AS (SELECT u.id FROM users AS u WHERE u.id = $2 AND u.deleted_at = 0 AND u.absent = 0 AND u.private = 0` + postgres.holding + `),
raised AS (
  UPDATE users SET version = version + 1 FROM held
  WHERE users.id = $1 AND deleted_at = 0 AND absent = 0 AND version = (SELECT seen.version FROM users AS seen WHERE seen.id = $1)
    AND NOT EXISTS (SELECT 1 FROM follows WHERE follower_id = $1 AND followee_id = $2 AND active = 1)
    AND NOT EXISTS (SELECT 1 FROM follow_requests WHERE follower_id = $1 AND followee_id = $2)
    AND COALESCE((SELECT following FROM user_counters WHERE user_id = $1), 0) + (SELECT COUNT(*) FROM follow_requests WHERE follower_id = $1) < $4
  RETURNING users.id, version),
logged AS (` + queueChanges + fmt.Sprintf("%d, id, $2, %d FROM raised", feed.ChangeRelation, -feed.PostID(feed.ObstacleNotFollowing)) + `),
stored AS (
  INSERT INTO follows (follower_id, followee_id, created_at, version, active, options) SELECT id, $2, $3, version, 1, $5 FROM raised
  ON CONFLICT ` + replaced + `),
counted AS (
  INSERT INTO user_counters (user_id, following, followers)
  SELECT c.user_id, c.following, c.followers
  FROM raised CROSS JOIN (VALUES ($1, 1, 0), ($2, 0, 1)) AS c (user_id, following, followers)
  ORDER BY c.user_id
  ON CONFLICT (user_id) DO UPDATE
  SET following = user_counters.following + excluded.following, followers = user_counters.followers + excluded.followers)
SELECT EXISTS (SELECT 1 FROM raised)`
}

// replaced is the conflict clause for a follow that replaces one that has ended.
const replaced = `(follower_id, followee_id) DO UPDATE
SET created_at = excluded.created_at, version = excluded.version, followed = 0, active = 1, options = excluded.options`

func followersOf(parts []follow) []feed.UserID {
	return mapped(parts, func(p follow) feed.UserID { return p.follower })
}

// judgedFollows are the follows and requests to store, those with other options, each by ascending follower,
// and the errors of all parts.
type judgedFollows struct {
	begun, asked, changed []follow
	errors                []error
}

func judgeFollows(parts []follow, stored map[feed.UserID]int64, states map[feed.UserID]followState) (j judgedFollows) {
	j.errors = make([]error, len(parts))
	for i, p := range parts {
		state := states[p.follower]
		p.before, p.options = state.options, p.choice.Of(state.options)
		_, there := stored[p.follower]
		if there {
			j.errors[i] = state.refuses(p)
		} else {
			j.errors[i] = errNoUser()
		}
		exists := state.active || state.requested && (state.private || p.exists)
		switch {
		case j.errors[i] != nil, exists && p.options == p.before:
			continue
		case exists:
			j.changed = append(j.changed, p)
		case state.private:
			j.asked = append(j.asked, p)
			state.requested = true
		default:
			j.begun = append(j.begun, p)
			state.active = true
		}
		state.options = p.options
		states[p.follower] = state
	}
	for _, list := range [][]follow{j.begun, j.asked, j.changed} {
		slices.SortFunc(list, func(a, b follow) int { return cmp.Compare(a.follower, b.follower) })
	}
	return j
}

// refuses returns why a follow or a request with options may not be stored, nil if it may.
func (state followState) refuses(p follow) error {
	exists := state.active || state.requested
	switch {
	case !state.followeeStored:
		return errNoUser()
	case p.exists && !exists:
		return errNoFollow()
	case state.private && !exists && state.blocks > 0:
		return feed.Errorf(feed.CodeConflict, "there is a block between you and this private account")
	case !exists && state.following >= int64(p.limit):
		return feed.Errorf(feed.CodeFollowLimit, "a user may follow at most %d users", p.limit)
	case p.options.Has(feed.FollowSpecial) && !p.before.Has(feed.FollowSpecial) && state.special >= feed.SpecialFollowsMax:
		return feed.Errorf(feed.CodeFollowLimit, "a user may have at most %d special follows", feed.SpecialFollowsMax)
	}
	return nil
}

// storeFollows stores new follows, and ends their requests.
func (s *Store) storeFollows(ctx context.Context, tx *sql.Tx, begun []follow, followee feed.UserID) error {
	if len(begun) == 0 {
		return nil
	}
	followers := followersOf(begun)
	if err := s.endRequests(ctx, tx, followers, followee); err != nil {
		return err
	}
	versions, err := s.raise(ctx, tx, followers, followChanges(followers, followee, false)...)
	if err != nil {
		return err
	}
	_, err = s.d.insertRows(ctx, tx, "follows", replaced,
		intColumn("follower_id", begun, func(p follow) feed.UserID { return p.follower }),
		intColumn("followee_id", begun, func(follow) feed.UserID { return followee }),
		intColumn("created_at", begun, func(p follow) int64 { return p.at }),
		intColumn("version", begun, func(p follow) int64 { return versions[p.follower] }),
		intColumn("active", begun, func(follow) int64 { return 1 }),
		intColumn("options", begun, func(p follow) feed.FollowOptions { return p.options }))
	if err != nil {
		return err
	}
	return s.countFollows(ctx, tx, followers, followee, +1)
}

// storeOptions stores the options of follows and of requests. The versions of the follows stay: inboxes have
// what options hide.
func (s *Store) storeOptions(ctx context.Context, tx *sql.Tx, changed []follow, followee feed.UserID) error {
	if len(changed) == 0 {
		return nil
	}
	from, args := s.d.table([]column{
		intColumn("follower_id", changed, func(p follow) feed.UserID { return p.follower }),
		intColumn("options", changed, func(p follow) feed.FollowOptions { return p.options }),
	})
	args = append(args, followee)
	set := func(table, condition string) string {
		return fmt.Sprintf(`
UPDATE %[1]s SET options = r.options FROM %[2]s
WHERE %[1]s.follower_id = r.follower_id AND %[1]s.followee_id = $%[3]d AND %[4]s RETURNING %[1]s.follower_id`, table, from, len(args), condition)
	}
	if err := exec(ctx, tx, set("follow_requests", "TRUE"), args...); err != nil {
		return err
	}
	followers, err := collect(ctx, tx, set("follows", "active = 1"), args, one[feed.UserID])
	if err != nil {
		return err
	}
	follows := setOf(followers)
	var rows []feed.Change
	for _, p := range changed {
		if follows[p.follower] {
			rows = append(rows, feed.OptionsChange(p.follower, followee, p.before, p.options))
		}
	}
	_, err = s.raise(ctx, tx, followers, rows...)
	return err
}

// followChanges are the rows for follows of one user, or for their end.
func followChanges(followers []feed.UserID, followee feed.UserID, ended bool) []feed.Change {
	return mapped(followers, func(id feed.UserID) feed.Change { return feed.FollowChange(id, followee, ended) })
}

// Unfollow implements [feed.Follows].
func (s *Store) Unfollow(ctx context.Context, follower, followee feed.UserID) error {
	return s.groupCommits.unfollows.Do(ctx, followee, follower)
}

func (s *Store) unfollowAll(ctx context.Context, followee feed.UserID, followers []feed.UserID) ([]error, error) {
	return nil, s.inTx(ctx, func(tx *sql.Tx) error { return s.unfollow(ctx, tx, followers, followee) })
}

// unfollow ends the follows of one author by several users, or their requests, as far as they exist.
func (s *Store) unfollow(ctx context.Context, tx *sql.Tx, followers []feed.UserID, followee feed.UserID) error {
	versions, err := s.lockVersions(ctx, tx, followers)
	if err != nil || len(versions) == 0 {
		return err
	}
	ended, err := s.endFollows(ctx, tx, sortedKeys(versions), followee, func(id feed.UserID) int64 { return versions[id] + 1 })
	if err == nil && len(ended) < len(versions) {
		err = s.endRequests(ctx, tx, followers, followee)
	}
	if err != nil || len(ended) == 0 {
		return err
	}
	if _, err := s.raise(ctx, tx, ended, followChanges(ended, followee, true)...); err != nil {
		return err
	}
	return s.countFollows(ctx, tx, ended, followee, -1)
}

// endFollows ends existing follows of a user, with new versions, and returns the followers.
func (s *Store) endFollows(
	ctx context.Context, tx *sql.Tx, followers []feed.UserID, followee feed.UserID, version func(feed.UserID) int64,
) ([]feed.UserID, error) {
	from, args := s.d.table([]column{
		intColumn("follower_id", followers, func(id feed.UserID) feed.UserID { return id }),
		intColumn("followee_id", followers, func(feed.UserID) feed.UserID { return followee }),
		intColumn("version", followers, version),
	})
	return collect(ctx, tx, `
UPDATE follows SET active = 0, options = 0, version = r.version FROM `+from+`
WHERE follows.follower_id = r.follower_id AND follows.followee_id = r.followee_id AND follows.active = 1
RETURNING follows.follower_id`, args, one[feed.UserID])
}

// lockVersions locks the rows of users against other changes of their relations and against
// deletion, and returns the versions of those who are stored. Call it before reading anything that
// the change depends on. It locks in ascending order, so that concurrent changes do not deadlock.
func (s *Store) lockVersions(ctx context.Context, tx *sql.Tx, users []feed.UserID) (map[feed.UserID]int64, error) {
	return s.lockWhere(ctx, tx, "TRUE", users)
}

// lockPresent is lockVersions for users who are not absent.
func (s *Store) lockPresent(ctx context.Context, tx *sql.Tx, users []feed.UserID) (map[feed.UserID]int64, error) {
	return s.lockWhere(ctx, tx, "absent = 0", users)
}

func (s *Store) lockWhere(ctx context.Context, tx *sql.Tx, condition string, users []feed.UserID) (map[feed.UserID]int64, error) {
	return collectMap[feed.UserID](ctx, tx, `
SELECT id, version FROM users WHERE `+s.d.in("id", 1)+` AND deleted_at = 0 AND `+condition+` ORDER BY id`+s.d.forUpdate,
		[]any{ids(s.d, users)}, itself[int64])
}

// raise raises the versions of users by one, returns them, and logs changes. It locks the rows in
// ascending order first, which an UPDATE does not guarantee.
func (s *Store) raise(ctx context.Context, tx *sql.Tx, users []feed.UserID, changes ...feed.Change) (map[feed.UserID]int64, error) {
	if len(users) == 0 {
		return nil, nil
	}
	stmt, args, err := s.logging(ctx, tx, changes, fmt.Sprintf(`
WITH touched AS (SELECT id AS user_id FROM users WHERE %s ORDER BY id%s)
UPDATE users SET version = version + 1 FROM touched WHERE users.id = touched.user_id
RETURNING id, version`, s.d.in("id", 1), s.d.forUpdate), []any{ids(s.d, users)})
	if err != nil {
		return nil, err
	}
	return collectMap[feed.UserID](ctx, tx, stmt, args, itself[int64])
}

// followState is what a follow depends on. following and special count requests, too. options are those of the
// follow or of the request.
type followState struct {
	followeeStored, private, active, requested bool
	following, special, blocks                 int64
	options                                    feed.FollowOptions
}

// readFollows returns the state of each follower. It also protects the followee from deletion,
// because a purge would miss the new follow, and from becoming private or public.
func (s *Store) readFollows(ctx context.Context, tx *sql.Tx, followers []feed.UserID, followee feed.UserID) (map[feed.UserID]followState, error) {
	from, args := s.d.table([]column{intColumn("follower_id", followers, func(id feed.UserID) feed.UserID { return id })})
	args = append(args, followee)
	const block = "(SELECT COUNT(*) FROM relations AS b WHERE b.user_id = %s AND b.kind = 'block' AND b.target_id = %s)"
	to := fmt.Sprintf("$%d", len(args))
	return collectMap[feed.UserID](ctx, tx, `
WITH held AS (SELECT u.id, u.private FROM users AS u WHERE u.id = `+to+` AND u.deleted_at = 0 AND u.absent = 0`+s.d.holding+`)
SELECT r.follower_id, (SELECT COUNT(*) FROM held), COALESCE((SELECT private FROM held), 0),
       (SELECT COUNT(*) FROM follows AS f WHERE f.follower_id = r.follower_id AND f.followee_id = `+to+` AND f.active = 1),
       (SELECT COUNT(*) FROM follow_requests AS q WHERE q.follower_id = r.follower_id AND q.followee_id = `+to+`),
       COALESCE((SELECT c.following FROM user_counters AS c WHERE c.user_id = r.follower_id), 0)
         + (SELECT COUNT(*) FROM follow_requests AS q WHERE q.follower_id = r.follower_id),
       (SELECT COUNT(*) FROM follows AS f WHERE f.follower_id = r.follower_id AND f.active = 1 AND f.options % 2 = 1)
         + (SELECT COUNT(*) FROM follow_requests AS q WHERE q.follower_id = r.follower_id AND q.options % 2 = 1),
       COALESCE((SELECT f.options FROM follows AS f WHERE f.follower_id = r.follower_id AND f.followee_id = `+to+` AND f.active = 1),
         (SELECT q.options FROM follow_requests AS q WHERE q.follower_id = r.follower_id AND q.followee_id = `+to+`), 0),
       `+fmt.Sprintf(block, "r.follower_id", to)+" + "+fmt.Sprintf(block, to, "r.follower_id")+`
FROM `+from, args,
		func(st *followState) []any {
			return []any{&st.followeeStored, &st.private, &st.active, &st.requested, &st.following, &st.special, &st.options, &st.blocks}
		})
}

func (s *Store) countFollows(ctx context.Context, tx *sql.Tx, followers []feed.UserID, followee feed.UserID, n int64) error {
	t := newTally()
	for _, follower := range followers {
		t.follow(follower, followee, n)
	}
	return t.store(ctx, s, tx)
}
