package sqlstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// addLetters stores n letters of each of the sources a and b; those of b are overtaken.
func addLetters(t *testing.T, s *sqlstore.Store, n int) {
	t.Helper()
	for _, stmt := range []string{
		"INSERT INTO dead_letters (source, part, position, object, line, reason, created_at, tried_at, overtaken) " +
			"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + feed.PostID(n).String() + ") " +
			"SELECT s.text, '', '', '', '', 'bad', 100 + i, 0, CASE WHEN s.text = 'b' THEN 1 ELSE 0 END FROM n, (SELECT 'a' AS text UNION ALL SELECT 'b') AS s",
		"ANALYZE",
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
}

var counted = []feed.DeadLetterCount{{Source: "a", Letters: 3000, OldestAt: 101}, {Source: "b", Letters: 3000, Overtaken: 3000, OldestAt: 101}}

func TestMigrate_CountsStoredLetters(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		url := b.newURL(t)
		before := opened(t, url)
		addLetters(t, before, 3000)
		for _, stmt := range []string{ // undo all later migrations
			"DROP INDEX idx_live_of_host", "DROP TABLE dead_letter_counts", "DROP INDEX idx_dead_letters_source", "DELETE FROM schema_versions WHERE version_id > 1",
			"ALTER TABLE dead_letters DROP COLUMN cut", "ALTER TABLE mirrors DROP COLUMN counted",
			"ALTER TABLE dead_letters DROP COLUMN message_key", "ALTER TABLE dead_letters DROP COLUMN element",
		} {
			must(t, before.Exec(t.Context(), stmt))
		}
		s := opened(t, url)
		_, err := s.Migrate(t.Context())
		must(t, err)
		got, err := s.SourceStates(t.Context())
		must(t, err)
		same(t, got.DeadLetters, counted)
	})
}

// The states of sources are read for anyone, so their cost must not grow with the letters.
func TestSourceStates_ReadNoLetters(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		addLetters(t, s, 3000)
		must(t, s.Exec(t.Context(), "INSERT INTO dead_letter_counts (source, letters, overtaken) VALUES ('a', 1, 0)"))
		mustPlan(t, b, s.Explain, sqlstore.LetterStatements(), map[string]wantedPlan{
			"counts":  reads("idx_dead_letters_source").neverScanning("dead_letters"),
			"letters": reads("idx_dead_letters_source").neverScanning("dead_letters"),
		})
		got, err := s.SourceStates(t.Context())
		must(t, err)
		same(t, got.DeadLetters, []feed.DeadLetterCount{{Source: "a", Letters: 1, OldestAt: 101}})
	})
}
