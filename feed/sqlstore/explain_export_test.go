package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// Statement is a query with its arguments. The text may begin with options of PostgreSQL's EXPLAIN.
type Statement struct {
	Text string
	Args []any
}

// Statements are queries by name.
type Statements map[string]Statement

// analyzed makes PostgreSQL run a statement, so that its plan has the rows that each step read.
const analyzed = "(ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "

// Explain returns the database's plan for a statement, a line per step.
func (s *Store) Explain(ctx context.Context, q Statement) (string, error) {
	return s.explain(ctx, q.Text, q.Args)
}

func (s *Store) explain(ctx context.Context, stmt string, args []any) (string, error) {
	command := "EXPLAIN QUERY PLAN "
	if s.d.isPostgres() {
		command = "EXPLAIN "
	}
	lines, err := query(ctx, s, command+stmt, args, scanText)
	return strings.Join(lines, "\n"), err
}

// ExplainPage is Explain on PostgreSQL's connections for pages, which use generic plans.
func (s *Store) ExplainPage(ctx context.Context, q Statement) (string, error) {
	if !s.d.isPostgres() {
		return s.Explain(ctx, q)
	}
	lines, err := fetch(ctx, s, "EXPLAIN "+q.Text, q.Args, one[string])
	return strings.Join(lines, "\n"), err
}

// ExplainImport is Explain in PostgreSQL's transaction of an import.
func (s *Store) ExplainImport(ctx context.Context, q Statement) (string, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (string, error) {
		if err := s.importing(ctx, tx); err != nil {
			return "", err
		}
		lines, err := collect(ctx, tx, "EXPLAIN "+q.Text, q.Args, scanText)
		return strings.Join(lines, "\n"), err
	})
}

// scanText scans the last column, which is text. SQLite puts numbers before the line of a plan.
func scanText(row scanner) (string, error) {
	rows, ok := row.(*sql.Rows)
	if !ok {
		return "", fmt.Errorf("a %T has no columns", row)
	}
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	var line string
	dest := make([]any, len(columns))
	for i := range dest {
		dest[i] = new(any)
	}
	dest[len(dest)-1] = &line
	err = rows.Scan(dest...)
	return line, err
}

// OutboxStatements read posts of authors in a range: their outboxes, the viewer's feed, and what builds
// put into inboxes.
func (s *Store) OutboxStatements(viewer feed.UserID, authors []feed.UserID, r feed.Range) Statements {
	all := Statements{
		"outboxes": s.outboxStatement(postsTable, viewer, authors, r),
		"a feed":   {s.feedQuery(postsTable, feed.HomeAuthors, s.postsShow(), r), filterArgs(int64(viewer), r)},
	}
	for name, f := range followeeFilters() {
		all["a build of "+name] = Statement{s.coveredQuery(postsTable, "$1", r), coveredArgs(viewer, f, r)}
	}
	if inboxCap := feed.DefaultPolicy().InboxCap; s.d.isPostgres() {
		builds := mapped(append(authors[:2:2], viewer), func(id feed.UserID) build { return build{id, inboxCap} })
		text, args := s.buildsQuery(postsTable, builds, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: inboxCap})
		all["builds together"] = Statement{text, args}
	}
	return all
}

func followeeFilters() map[string]feed.FolloweeFilter {
	return map[string]feed.FolloweeFilter{"all": {}, "new": {Since: 1}, "selective": {Selective: true}, "both": {Since: 1, Selective: true}}
}

// ListsStatement reads lists. On PostgreSQL its plan has the rows that each step read.
func (s *Store) ListsStatement(lists []feed.List) Statement {
	text, args := s.listsQuery(lists)
	if s.d.isPostgres() {
		text = "(ANALYZE, TIMING OFF) " + text
	}
	return Statement{text, args}
}

// ViewerStatements read what a viewer's page needs: posts, edges to other users, and what is pulled.
func (s *Store) ViewerStatements(viewer feed.UserID, posts []feed.PostID, others []feed.UserID) Statements {
	post := s.askPosts(batch.Keys[feed.PostID]{List: posts})
	reactions := s.askReactions(batch.Keys[toPost]{List: mapped(posts, func(id feed.PostID) toPost { return toPost{viewer, id} })})
	edges := s.askEdges(batch.Keys[between]{List: mapped(others, func(id feed.UserID) between { return between{viewer, id} })})
	all := Statements{
		"posts": {post.text, post.args}, "reactions": {reactions.text, reactions.args}, "edges": {edges.text, edges.args},
		"pulled": {generationAndPulled(), []any{viewer, 1, feed.FlagSelective}},
	}
	if s.d.isPostgres() { // SQLite reads the parts of a survey in turn
		survey := s.askSurveys(batch.Keys[surveyed]{List: []surveyed{{viewer, 1, feed.FlagSelective, 50}}})
		all["a survey"] = Statement{survey.text, survey.args}
	}
	return all
}

// UserStatements list and search users.
func (s *Store) UserStatements(user feed.UserID, words []string, r feed.Range) Statements {
	search, args := s.searchQuery(words, r)
	return Statements{
		"a search": {search, args},
		"follows":  {s.followsQuery("follower_id", "followee_id", r), rangeArgs(user, r)},
		"blocks":   {s.relatedQuery(r), append(rangeArgs(user, r), feed.RelationBlock)},
	}
}

// ImportedPostsStatement reads the posts that a batch names.
func (s *Store) ImportedPostsStatement(list []feed.PostID) Statement {
	return Statement{s.loadedPosts(), []any{ids(s.d, list)}}
}

// ChangeStatements read the change log.
func (s *Store) ChangeStatements() Statements {
	return Statements{
		"sights of authors": {sightQuery(s.d), []any{101, ids(s.d, []feed.UserID{101, 102, 103}), ids(s.d, []feed.PostID{1, 2})}},
		"changes of a feed": {feedChangesQuery(s.d, homeKinds()), []any{100, 100, 101}},
	}
}

// PostStatements read the posts of an author with deleted ones, the reposts of a post, and posts
// without reposts.
func (s *Store) PostStatements() Statements {
	r := feed.Range{Below: feed.Top, Limit: 10}
	return Statements{
		"posts with deleted ones": {postsOfQuery(s.d, r), filterArgs(feed.UserID(1), r)},
		"reposts":                 {repostsQuery, []any{1, 0, 100}},
		"posts without reposts":   {forgetQuery(), nil},
	}
}

// FollowersStatement reads followers in a range.
func (s *Store) FollowersStatement(author feed.UserID, r feed.FollowerRange) Statement {
	text, args := s.followersQuery(author, r)
	return Statement{text, args}
}

// BoundsStatement reads the bounds of slices of followers. PostgreSQL has to run it to print what it does
// for each row of a recursion.
func (s *Store) BoundsStatement(author feed.UserID) Statement {
	text := boundsQuery
	if s.d.isPostgres() {
		text = "ANALYZE " + text
	}
	return Statement{text, []any{author, 0, 999, 100}}
}

// LeasesStatement reads leases.
func (s *Store) LeasesStatement(users []feed.UserID) Statement {
	return Statement{s.leasesQuery(), []any{0, ids(s.d, users)}}
}

// UpkeepStatements are those of maintenance.
func (s *Store) UpkeepStatements(users []feed.UserID) Statements {
	dormant, args := s.dormantQuery(users[:10], time.Hour)
	return Statements{
		"unfollowed":      {unfollowedQuery, []any{7, 30}},
		"leases":          s.LeasesStatement(users),
		"followers among": {s.amongQuery(), []any{ids(s.d, users), 1}},
		"dormant":         {dormant, args},
		"walk":            {NewInboxes(s, 5).walkInboxes(), []any{100, 500}},
		"old plans":       {s.oldPlansQuery(), []any{2000, 50}},
		"old keys":        {s.dropKeysQuery(), []any{2000, 50}},
		"freed handles":   {s.dropFreedQuery(), []any{2000, 50}},
	}
}

// AwaitedStatements read the users and posts that have been awaited the longest.
func AwaitedStatements() Statements {
	args := []any{feed.OldestAwaited}
	return Statements{"users": {oldestQuery("users"), args}, "posts": {oldestQuery("awaited_posts"), args}}
}

// LetterStatements read the counts of dead letters, and the letters of a source.
func LetterStatements() Statements {
	return Statements{"counts": {countedQuery, nil}, "letters": {lettersOf, []any{"a", 1, 10}}}
}

// VersionStatements read viewer versions, and what has been hidden.
func (s *Store) VersionStatements() Statements {
	r := s.askVersions(batch.Keys[feed.UserID]{List: []feed.UserID{1, 2}})
	return Statements{"versions": {r.text, r.args}}
}

// OpenStatements read the work that is not done.
func (s *Store) OpenStatements(now int64, limit int) Statements {
	return Statements{
		"backlog":         {backlogQuery, []any{limit}},
		"any due":         {anyDueQuery, []any{now}},
		"waiting":         {dueSlicesQuery, []any{sliceWaiting, 0, now, limit}},
		"running":         {dueSlicesQuery, []any{sliceRunning, 1, now, limit}},
		"pending":         {pendingCountsQuery, []any{now, now, now, now, now}},
		"pending authors": {pendingAuthorsQuery, []any{1, pendingMax}},
		"pending posts":   {s.pendingQuery(), []any{ids(s.d, []feed.PostID{1, 2, 3})}},
	}
}

// NamedStatements are those of a fan-out that look up plans, slices and events by key.
func (s *Store) NamedStatements() Statements {
	now, args := s.now(1, 2, 3, 4, sliceRunning, 6)
	return Statements{
		"the slices of a plan that are open": {openSlices, []any{1}},
		"a plan":                             {planQuery, []any{1}},
		"to claim a slice":                   {claimQuery, []any{1, 2, 3, 4}},
		"to claim slices together":           {s.togetherQuery(), []any{1, 2, 3, 4, 0, 5, 6, 7}},
		"to advance a slice":                 {advance(now), args},
		"to put an event off":                {postponeQuery, []any{1, 2}},
		"which events are pending":           {s.pendingQuery(), []any{ids(s.d, []feed.PostID{1, 2})}},
	}
}

// FanoutStatements read fan-outs for operators: one fan-out, its open slices, the slice of a follower, and
// the slowest since a time.
func FanoutStatements(post feed.PostID, since int64) Statements {
	return Statements{
		"a fan-out":               {fanoutQuery, []any{post}},
		"its open slices":         {openSlicesQuery, []any{post, 20}},
		"the slice of a follower": {pushedAtQuery, []any{post, 2}},
		"the slowest":             {slowestQuery, []any{since, movedMax, 20}},
	}
}

// RerunStatements find and lock moved slices.
func (s *Store) RerunStatements(moved []feed.SliceRef, since, began int64) Statements {
	lock, args := s.lockMovedQuery(moved, pass{since: since, began: began})
	return Statements{"find": {movedQuery, []any{since, began, rerunBatch}}, "lock": {lock, args}}
}

// LiveStatements read live feeds of viewers who follow hosts.
func (l *Live) LiveStatements(hosts []feed.UserID) Statements {
	followed, followedArgs := l.hostsQuery(1, 5, 1<<62)
	versions, versionArgs := l.store.feedVersionsQuery([]feed.UserID{1, 2, 3})
	behind := live.Position{State: live.Upcoming, At: 5, ID: 9}
	return Statements{
		"hosts":             {followed, followedArgs},
		"sets":              {l.setsQuery(), []any{ids(l.store.d, hosts)}},
		"open now":          {l.openQuery(), l.openArgs(hosts, 1<<40, behind, 101)},
		"open a moment ago": {l.openQuery(), l.openArgs(hosts, 199_000, behind, 101)},
		"sessions of host":  {ofHostQuery, []any{feed.UserID(7), 75, 501}},
		"versions":          {versions, versionArgs},
		"transitions":       {sinceQuery, []any{150_000, 5_000}},
		"pending replays":   {pendingHostsQuery, []any{1}},
	}
}

func (s *Store) outboxStatement(table string, viewer feed.UserID, authors []feed.UserID, r feed.Range) Statement {
	args := append(filterArgs(ids(s.d, authors), r), viewer)
	return Statement{s.outboxQuery(table, r, len(args)), args}
}

// ReplayStatements read replays of hosts in a range.
func (v *Replays) ReplayStatements(hosts []feed.UserID, r feed.Range) Statements {
	s := v.store
	return Statements{
		"outboxes": s.outboxStatement(replaysTable, 1, hosts, r),
		"a feed":   {s.feedQuery(replaysTable, feed.HomeAuthors, "TRUE", r), filterArgs(int64(1), r)},
		"a build":  {s.coveredQuery(replaysTable, "$1", r), coveredArgs(1, feed.FolloweeFilter{}, r)},
	}
}

// ReadStatement reads a page, and TopsStatement pages of concurrent callers on PostgreSQL. PostgreSQL's
// plans have row counts.
func (s *Inboxes) ReadStatement(viewer feed.UserID, r feed.Range) Statement {
	text := s.readInbox(r)
	if s.store.d.isPostgres() {
		text = analyzed + text
	}
	return Statement{text, rangeArgs(int64(viewer), r)}
}

func (s *Inboxes) TopsStatement(viewer feed.UserID, r feed.Range) Statement {
	asked := s.askTops(batch.Keys[inboxTop]{List: []inboxTop{{viewer, &r}}})
	return Statement{analyzed + asked.text, asked.args}
}

// TrimStatements trim full inboxes after a push.
func (s *Inboxes) TrimStatements(viewers []feed.UserID) Statements {
	drop, args := s.dropFloors(mapped(viewers, func(viewer feed.UserID) inboxHeader { return inboxHeader{viewer: viewer} }))
	return Statements{"raise": {s.raiseFloors(), []any{ids(s.store.d, viewers)}}, "drop": {drop, args}}
}

// ExplainPreparedRead returns PostgreSQL's generic plan for [Inboxes.Read], which it uses after
// several runs.
func (s *Inboxes) ExplainPreparedRead(ctx context.Context, viewer feed.UserID, r feed.Range) (plan string, err error) {
	err = s.store.inTx(ctx, func(tx *sql.Tx) error {
		args := make([]string, 0, 6)
		for _, arg := range rangeArgs(int64(viewer), r) {
			args = append(args, fmt.Sprint(arg))
		}
		for _, stmt := range []string{
			"SET LOCAL plan_cache_mode = force_generic_plan",
			"PREPARE read_inbox (bigint, bigint, bigint, bigint, bigint, bigint) AS " + s.readInbox(r),
		} {
			if _, err := tx.ExecContext(ctx, stmt); err != nil {
				return err
			}
		}
		lines, err := collect(ctx, tx, "EXPLAIN "+analyzed+"EXECUTE read_inbox ("+strings.Join(args, ", ")+")", nil, scanText)
		if err != nil {
			return err
		}
		plan = strings.Join(lines, "\n")
		// A rollback does not deallocate, and the connection is used again.
		_, err = tx.ExecContext(ctx, "DEALLOCATE read_inbox")
		return err
	})
	return plan, err
}

// Plans is how often a prepared statement ran with the generic plan, and with a custom one.
type Plans struct{ Generic, Custom int }

// preparedForPages selects the prepared statements of a connection, except for this query.
const preparedForPages = `FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_prepared_statements%'`

// OnePageConnection leaves pages a single connection.
func (s *Store) OnePageConnection() { s.pages.SetMaxOpenConns(1) }

// PagePlans returns the plans of the prepared statements on the connection for pages.
func (s *Store) PagePlans(ctx context.Context) (map[string]Plans, error) {
	rows, err := s.pages.QueryContext(ctx, `SELECT statement, generic_plans, custom_plans `+preparedForPages)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	plans := map[string]Plans{}
	for rows.Next() {
		var text string
		var p Plans
		if err := rows.Scan(&text, &p.Generic, &p.Custom); err != nil {
			return nil, err
		}
		plans[text] = p
	}
	return plans, rows.Err()
}

// EndOtherConnections ends all connections to the database but its own, and waits for their end.
func (s *Store) EndOtherConnections(ctx context.Context) error {
	var ended sql.NullBool
	return s.db.QueryRowContext(ctx, `SELECT bool_and(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()`).Scan(&ended)
}

// ExplainPages returns the generic plans of the prepared statements on the connection for pages.
func (s *Store) ExplainPages(ctx context.Context) (map[string]string, error) {
	conn, err := s.pages.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	prepared, err := lines(ctx, conn, `SELECT 'EXPLAIN EXECUTE "' || name || '"' || COALESCE('(' || NULLIF(array_to_string(array_fill('NULL'::text, ARRAY[cardinality(parameter_types)]), ', '), '') || ')', '') `+preparedForPages+` ORDER BY statement`)
	if err != nil {
		return nil, err
	}
	texts, err := lines(ctx, conn, `SELECT statement `+preparedForPages+` ORDER BY statement`)
	if err != nil {
		return nil, err
	}
	plans := map[string]string{}
	for i, explain := range prepared {
		plan, err := lines(ctx, conn, explain)
		if err != nil {
			return nil, err
		}
		plans[texts[i]] = strings.Join(plan, "\n")
	}
	return plans, nil
}

// lines returns the rows of a query of one text, without preparing it.
func lines(ctx context.Context, conn *sql.Conn, query string) (out []string, err error) {
	rows, err := conn.QueryContext(ctx, query, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, rows.Err()
}

// ErrSilent refuses connections while the server is away.
var ErrSilent = errSilent

// Away reports whether connections to an address are refused because it did not respond.
func (s *Store) Away(address string) bool {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	h := s.watch.hosts[address]
	return h != nil && h.away
}

// Change runs one transaction like every change of the store.
func (s *Store) Change(ctx context.Context, change func(tx *sql.Tx) error) error {
	return s.inTx(ctx, change)
}

// Setting returns a setting of a connection.
func (s *Store) Setting(ctx context.Context, name string) (value string, err error) {
	err = s.row(ctx, "SELECT current_setting($1)", []any{name}, &value)
	return value, err
}

// Unlimited returns a setting of a connection for migrations.
func (s *Store) Unlimited(ctx context.Context, name string) (value string, err error) {
	db := s.unlimitedDB()
	defer func() { _ = db.Close() }()
	err = db.QueryRowContext(ctx, "SELECT current_setting($1)", name).Scan(&value)
	return value, err
}

// Waits returns how long the attempts of a transaction that never succeeds wait, each with the
// given spread, and how many there are.
func Waits(ctx context.Context, spread float64) (tries int, waited time.Duration, err error) {
	s := &Store{spread: func() float64 { return spread }}
	began := time.Now()
	err = s.retrying(ctx, func() error {
		tries++
		return &pgconn.PgError{Code: "40001"}
	})
	return tries, time.Since(began), err
}

// ErrTakesNoWrites refuses connections to a server that takes no writes.
var ErrTakesNoWrites = errTakesNoWrites

// SettleStatements settle the children of posts.
func (s *Store) SettleStatements() Statements {
	parents := []any{ids(s.d, []feed.PostID{1000, 1001}), settleMax}
	return Statements{"comments": {s.settleQuery("reply_to"), parents}, "reposts": {s.settleQuery("repost_of"), parents}}
}
