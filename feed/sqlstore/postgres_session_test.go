package sqlstore_test

import (
	"database/sql"
	"sync"
	"testing"

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

func TestSession_SetsWhatTheStoreReliesOn(t *testing.T) {
	for name, c := range map[string]struct {
		defaults []string
		url      string
		want     map[string]string
	}{
		"whatever the database has":  {defaults: testenv.StrictDefaults(), want: reliedOn()},
		"except weaker commits":      {defaults: []string{"synchronous_commit = 'local'"}, want: map[string]string{"synchronous_commit": "local"}},
		"whatever level the URL has": {url: "&default_transaction_isolation=repeatable%20read", want: map[string]string{"transaction_isolation": "read committed"}},
		"except limits in the URL":   {url: "&lock_timeout=7s", want: map[string]string{"jit": "off", "statement_timeout": "30s", "lock_timeout": "7s"}},
	} {
		t.Run(name, func(t *testing.T) {
			database := testenv.Postgres(t)
			testenv.SetDefaults(t, database, c.defaults...)
			s := openedWith(t, database+c.url, sqlstore.DefaultPostgres())
			for setting, want := range c.want {
				if got, err := s.Setting(t.Context(), setting); got != want || err != nil {
					t.Errorf("%s is %q (%v), want %q", setting, got, err, want)
				}
			}
			for _, setting := range []string{"statement_timeout", "idle_in_transaction_session_timeout"} {
				if got, err := s.Unlimited(t.Context(), setting); got != "0" || err != nil {
					t.Errorf("while migrating, %s is %q (%v)", setting, got, err)
				}
			}
		})
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
