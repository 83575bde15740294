package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// template is a database that is migrated and filled once per test binary, at its first use, and
// then copied for every test. Migrating takes longer than most tests, and filling even longer.
// Unrelated tests share it, so templates are package variables.
type template struct {
	// sqlite returns the bytes of the database's file.
	sqlite   func() ([]byte, error)
	postgres func() (*testenv.PostgresTemplate, error)
}

// newTemplate returns the template of what fill stores in a new, migrated database. fill must close
// its connections.
func newTemplate(fill func(ctx context.Context, url string) error) template {
	make := func(url string) error {
		if err := migrate(url); err != nil {
			return err
		}
		return fill(context.Background(), url)
	}
	return template{
		sqlite: sync.OnceValues(func() ([]byte, error) {
			dir, err := os.MkdirTemp("", "tideline-template-")
			if err != nil {
				return nil, err
			}
			path := filepath.Join(dir, "template.db")
			file, err := []byte(nil), make("sqlite://"+path)
			if err == nil {
				// Closing the database has moved its log into the file.
				file, err = os.ReadFile(path)
			}
			return file, errors.Join(err, os.RemoveAll(dir))
		}),
		postgres: sync.OnceValues(func() (*testenv.PostgresTemplate, error) {
			return testenv.NewPostgresTemplate(context.Background(), make)
		}),
	}
}

// url returns the URL of a copy that is removed when the test ends.
func (f template) url(t testing.TB, database string) string {
	t.Helper()
	if database == "postgres" {
		copied, err := f.postgres()
		must(t, err)
		return copied.Copy(t)
	}
	file, err := f.sqlite()
	must(t, err)
	path := filepath.Join(testenv.Dir(t), "tideline.db")
	must(t, os.WriteFile(path, file, 0o600))
	return "sqlite://" + path
}

// open opens a copy for the duration of a test.
func (f template) open(t testing.TB, b backend) *sqlstore.Store {
	t.Helper()
	return opened(t, f.url(t, b.name))
}

// emptyTemplate is a database with only the rows of the migrations.
var emptyTemplate = newTemplate(func(context.Context, string) error { return nil })

// bulk fills a template with many rows.
type bulk struct {
	// rows are the numbers of rows of the FROM items %n% and %t% per database, whose columns n.i
	// and t.i are the numbers from 1 on. PostgreSQL's plans depend on the size of tables, SQLite's
	// hardly do.
	rows map[string][2]int
	// statements are INSERT INTO table (columns) SELECT …, or anything else.
	statements []string
	// last runs for each database when the tables are filled.
	last map[string]string
}

// template returns the template of a database with these rows.
func (f bulk) template() template {
	return newTemplate(func(ctx context.Context, url string) error {
		if strings.HasPrefix(url, "sqlite") {
			return f.insert(ctx, url)
		}
		return f.copy(ctx, url)
	})
}

// of returns the statements for a database.
func (f bulk) of(database string) []string {
	rows := f.rows[database]
	items := strings.NewReplacer("%n%", numbers(database, "n", rows[0]), "%t%", numbers(database, "t", rows[1]))
	var all []string
	for _, statement := range append(f.statements[:len(f.statements):len(f.statements)], f.last[database]) {
		if statement != "" {
			all = append(all, items.Replace(statement))
		}
	}
	return all
}

func (f bulk) insert(ctx context.Context, url string) error {
	s, err := sqlstore.Open(ctx, url)
	if err != nil {
		return err
	}
	for _, statement := range f.of("sqlite") {
		if err := s.Exec(ctx, statement); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", statement, err), s.Close())
		}
	}
	return s.Close()
}

// copy fills PostgreSQL by COPY, without checking references, on connections without the store's
// limits.
func (f bulk) copy(ctx context.Context, url string) error {
	from, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close(ctx) }()
	to, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = to.Close(ctx) }()
	// VACUUM marks no rows as visible to all whose commit has not been written yet.
	if _, err := to.Exec(ctx, "SET session_replication_role = replica; SET synchronous_commit = on"); err != nil {
		return err
	}
	for _, statement := range f.of("postgres") {
		if err := copyRows(ctx, from, to, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// copyRows runs an INSERT INTO table (columns) SELECT … as a COPY of what it selects.
// Other statements run as they are.
func copyRows(ctx context.Context, from, to *pgx.Conn, statement string) error {
	insert, isInsert := strings.CutPrefix(statement, "INSERT INTO ")
	if !isInsert {
		_, err := to.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
		return err
	}
	into, rows, _ := strings.Cut(insert, "SELECT ")
	r, w := io.Pipe()
	go func() {
		_, err := from.PgConn().CopyTo(ctx, w, "COPY (SELECT "+rows+") TO STDOUT")
		w.CloseWithError(err)
	}()
	_, err := to.PgConn().CopyFrom(ctx, r, "COPY "+into+" FROM STDIN")
	return err
}

// numbers returns a FROM item whose rows are the numbers i from 1 to last.
func numbers(database, name string, last int) string {
	if database == "sqlite" {
		return fmt.Sprintf("(WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < %d) SELECT i FROM c) AS %s", last, name)
	}
	return fmt.Sprintf("generate_series(1, %d) AS %s (i)", last, name)
}

// Templates of large tables, for tests that read plans.

// progressTables are nearly all done: of a thousand plans, whose slices moved one after the other,
// one is open, and of as many events ten have no plan. The rows of n are the plans, those of t
// their slices.
var progressTables = []string{
	`INSERT INTO plans (content_id, slices, open_slices, created_at)
SELECT n.i, 40, CASE WHEN n.i % 1000 = 0 THEN 40 ELSE 0 END, n.i FROM %n%`,
	`INSERT INTO plan_slices (content_id, task, first_id, last_id, progress, state, due_at, moved_at)
SELECT n.i, t.i, 1, 2, 2, CASE WHEN n.i % 1000 = 0 THEN 0 ELSE 2 END, 1, 1 + n.i * 40 + t.i FROM %n%, %t%`,
	`INSERT INTO events (content_id, state, due_at, created_at)
SELECT n.i, CASE WHEN n.i % 100 = 0 THEN 0 ELSE 1 END, 1, 1 FROM %n%`,
}

// progressTemplate has so many plans, of as many slices each.
var progressTemplate = bulk{
	rows:       map[string][2]int{"sqlite": {1000, 5}, "postgres": {2000, 20}},
	statements: progressTables,
	last:       map[string]string{"postgres": "VACUUM ANALYZE plans, plan_slices, events"},
}.template()

// inboxTables are full inboxes. %headers and %entries are the tables of one kind of them.
var inboxTables = []string{
	`INSERT INTO %headers (user_id, state, token, generation, started_at, entry_count) SELECT n.i, 2, 'one', 1, 1, ` +
		strconv.Itoa(feed.DefaultPolicy().InboxCap) + ` FROM %n%`,
	`INSERT INTO %entries (user_id, publish_time, content_id) SELECT n.i, 1700000000000 + 1000 * t.i, t.i FROM %n%, %t%`,
}

// inboxTemplate has so many full inboxes, in a table and that of their headers, that a wrong plan
// is expensive.
func inboxTemplate(entries, headers string) template {
	names := strings.NewReplacer("%entries", entries, "%headers", headers)
	var statements []string
	for _, statement := range inboxTables {
		statements = append(statements, names.Replace(statement))
	}
	rows := [2]int{300, feed.DefaultPolicy().InboxCap}
	return bulk{
		rows: map[string][2]int{"sqlite": rows, "postgres": rows}, statements: statements,
		last: map[string]string{"sqlite": "ANALYZE", "postgres": "VACUUM ANALYZE"},
	}.template()
}

var (
	homeInboxTemplate   = inboxTemplate("inbox", "inbox_headers")
	replayInboxTemplate = inboxTemplate("replay_inbox", "replay_inbox_headers")
)

// A town is data of a size at which a wrong plan shows: a viewer who follows all authors, and
// authors who publish in turn, every tenth time a repost of another author's post.
const (
	townViewer  feed.UserID = 1
	townAuthors             = 300
	townPosts               = 30_000
	townStart   int64       = 1_700_000_000_000
)

// townAuthor is the i-th author.
func townAuthor(i int) feed.UserID { return feed.UserID(100 + i%townAuthors) }

// townList is all authors.
func townList() []feed.UserID {
	list := make([]feed.UserID, townAuthors)
	for i := range list {
		list[i] = townAuthor(i)
	}
	return list
}

// townTemplate is imported, like the data of a network that moves to Tideline.
var townTemplate = newTemplate(func(ctx context.Context, url string) error {
	s, err := sqlstore.Open(ctx, url, sqlstore.WithPostgres(patient(sqlstore.Postgres{})))
	if err != nil {
		return err
	}
	return errors.Join(buildTown(ctx, s), s.Close())
})

func buildTown(ctx context.Context, s *sqlstore.Store) error {
	batch := []feed.Record{{User: townUser(townViewer)}}
	for i := range townAuthors {
		batch = append(batch,
			feed.Record{User: townUser(townAuthor(i))},
			feed.Record{Follow: &feed.FollowRecord{Follower: townViewer, Followee: townAuthor(i), CreatedAt: townStart}})
	}
	for i := range townPosts {
		batch = append(batch, feed.Record{Post: townPost(i)})
	}
	const batchSize = 5000
	for records := range slices.Chunk(batch, batchSize) {
		if _, err := s.Apply(ctx, feed.Batch{Records: records}); err != nil {
			return err
		}
	}
	// A database in use has such statistics.
	return s.Exec(ctx, "ANALYZE")
}

func townUser(id feed.UserID) *feed.UserRecord {
	return &feed.UserRecord{User: feed.User{ID: id, Handle: fmt.Sprintf("u%d", id), Name: "A user", CreatedAt: townStart}}
}

func townPost(i int) *feed.Post {
	p := &feed.Post{
		ID:          feed.PostID(1000 + i),
		Author:      townAuthor(i),
		Kind:        feed.KindPost,
		Text:        "The tide comes in, the tide goes out.",
		PublishedAt: townStart + int64(i)*1000,
	}
	if i%10 == 9 {
		p.Kind, p.RepostOf = feed.KindRepost, feed.PostID(1000+i-5)
	}
	return p
}

// firstPage and deepPage are the ranges of pages, with one more entry to detect the next page.
func firstPage() feed.Range { return feed.Range{Below: feed.Top, Limit: 21} }

func deepPage() feed.Range {
	r := firstPage()
	r.Below = feed.Key{TS: townStart + townPosts/2*1000}
	return r
}
