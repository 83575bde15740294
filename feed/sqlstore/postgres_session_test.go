package sqlstore_test

import (
	"database/sql"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// reliedOn are the settings of every connection, for any defaults.
func reliedOn() map[string]string {
	return map[string]string{
		"transaction_isolation": "read committed", "transaction_read_only": "off",
		"client_encoding": "UTF8", "standard_conforming_strings": "on", "bytea_output": "hex",
		"TimeZone": "UTC", "DateStyle": "ISO, MDY", "IntervalStyle": "postgres",
		"statement_timeout": "30s", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "10s",
		"idle_session_timeout": "0", "synchronous_commit": "on",
	}
}

func TestSession_OverridesDefaultsOfTheDatabase(t *testing.T) {
	database := testenv.Postgres(t)
	testenv.SetDefaults(t, database, testenv.StrictDefaults()...)
	s := openedWith(t, database, sqlstore.DefaultPostgres())
	for name, want := range reliedOn() {
		if got, err := s.Setting(t.Context(), name); got != want || err != nil {
			t.Errorf("%s is %q (%v), want %q", name, got, err, want)
		}
	}
}

func TestSession_KeepsOtherLevelsOfSynchronousCommit(t *testing.T) {
	database := testenv.Postgres(t)
	testenv.SetDefaults(t, database, "synchronous_commit = 'local'")
	s := opened(t, database)
	if got, err := s.Setting(t.Context(), "synchronous_commit"); got != "local" || err != nil {
		t.Errorf("synchronous_commit is %q, %v", got, err)
	}
}

// A URL may have the isolation level as a parameter too.
func TestSession_OverridesTheIsolationOfTheURL(t *testing.T) {
	s := opened(t, testenv.Postgres(t)+"&default_transaction_isolation="+"repeatable%20read")
	if got, err := s.Setting(t.Context(), "transaction_isolation"); got != "read committed" || err != nil {
		t.Errorf("transaction_isolation is %q, %v", got, err)
	}
}

// There are more concurrent writers of one row than attempts at a higher level.
func TestSession_ManyWritersOfOneRowSucceed(t *testing.T) {
	database := testenv.Postgres(t)
	testenv.SetDefaults(t, database, "default_transaction_isolation = 'serializable'")
	s := opened(t, database)
	mustBe(t, "", s.Exec(t.Context(), "CREATE TABLE counted (n int); INSERT INTO counted VALUES (0)"))
	var all sync.WaitGroup
	const writers, changes = 16, 25
	for range writers {
		all.Go(func() {
			for range changes {
				mustBe(t, "", s.Change(t.Context(), func(tx *sql.Tx) error {
					_, err := tx.ExecContext(t.Context(), "UPDATE counted SET n = n + 1")
					return err
				}))
			}
		})
	}
	all.Wait()
	var n int
	mustBe(t, "", s.Change(t.Context(), func(tx *sql.Tx) error {
		return tx.QueryRowContext(t.Context(), "SELECT n FROM counted").Scan(&n)
	}))
	if n != writers*changes {
		t.Errorf("the row was changed %d times, want %d", n, writers*changes)
	}
}

// A replica cannot run serializable transactions.
func TestSession_ReadsFromAReplicaOfASerializableDatabase(t *testing.T) {
	primary := testenv.StartPostgres(t)
	migrated(t, primary.URL())
	replica := testenv.StartPostgresReplica(t, primary)
	testenv.SetDefaults(t, primary.URL(), "default_transaction_isolation = 'serializable'")
	replica.CatchUp(primary)
	s, err := sqlstore.Open(t.Context(), replica.URL(), sqlstore.WithPostgres(sqlstore.Postgres{Standby: true}))
	mustBe(t, "", err)
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Posts(t.Context(), []feed.PostID{1}); err != nil {
		t.Error(err)
	}
}
