package bench_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// network is a database with a generated network.
type network struct {
	b   *testing.B
	url string
	sql *pgxpool.Pool
	// copies is the number of copies made.
	copies atomic.Int64
}

func openNetwork(b *testing.B, databaseURL string) *network {
	b.Helper()
	pool, err := pgxpool.New(b.Context(), databaseURL)
	must(b, err)
	n := &network{b: b, url: databaseURL, sql: pool}
	b.Cleanup(func() { n.sql.Close() })
	return n
}

// copy returns a copy of the database on the same server. Each inbox location needs its own
// database, because programs with different locations would discard each other's inboxes. The
// original must have no other connections.
func (n *network) copy() *network {
	n.b.Helper()
	from, err := url.Parse(n.url)
	must(n.b, err)
	original := strings.TrimPrefix(from.Path, "/")
	name := fmt.Sprintf("%s_copy_%d", original, n.copies.Add(1))
	n.sql.Reset()
	n.execOutside(n.b.Context(), fmt.Sprintf(`CREATE DATABASE %q TEMPLATE %q`, name, original))
	n.b.Cleanup(func() { n.execOutside(context.Background(), fmt.Sprintf(`DROP DATABASE %q WITH (FORCE)`, name)) })
	out := openNetwork(n.b, from.ResolveReference(&url.URL{Path: "/" + name, RawQuery: from.RawQuery}).String())
	out.analyze()
	return out
}

// execOutside runs a statement outside the database, such as one that copies it.
func (n *network) execOutside(ctx context.Context, statement string) {
	n.b.Helper()
	config, err := pgx.ParseConfig(n.url)
	must(n.b, err)
	config.Database = "postgres"
	conn, err := pgx.ConnectConfig(ctx, config)
	must(n.b, err)
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	must(n.b, err)
}

// analyze runs ANALYZE, as PostgreSQL does itself a minute after tables have grown. It skips empty
// tables, for which it would plan as if they stayed empty.
func (n *network) analyze() {
	n.b.Helper()
	rows, err := n.sql.Query(n.b.Context(), `SELECT relname FROM pg_stat_user_tables WHERE pg_relation_size(relid) > 0`)
	must(n.b, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(n.b, err)
	n.exec(`VACUUM ANALYZE ` + strings.Join(tables, ", "))
}

// settle makes the server write its data to files. Otherwise it does so during the next minutes and
// disturbs the measurement: an uncached page took 348 µs meanwhile, and 260 afterwards.
func (n *network) settle() {
	n.b.Helper()
	n.exec(`CHECKPOINT`)
}

func (n *network) exec(statement string, args ...any) {
	n.b.Helper()
	_, err := n.sql.Exec(n.b.Context(), statement, args...)
	must(n.b, err)
}

// number returns the number that a query selects.
func (n *network) number(query string, args ...any) (number int64) {
	n.b.Helper()
	must(n.b, n.sql.QueryRow(n.b.Context(), query, args...).Scan(&number))
	return number
}
