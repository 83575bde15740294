package sqlstore_test

import (
	"errors"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// later migrates a database like a later program would: to version 900, by an addition.
func later(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	for _, stmt := range []string{
		"ALTER TABLE users ADD COLUMN of_later BIGINT NOT NULL DEFAULT 7",
		"INSERT INTO schema_versions (version_id, is_applied) VALUES (900, TRUE)",
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
}

func TestMigrate_AcceptsCompatibleNewerSchema(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		url := b.newURL(t)
		later(t, opened(t, url))
		s := opened(t, url)
		if applied, err := s.Migrate(t.Context()); len(applied) > 0 || err != nil {
			t.Fatalf("Migrate returned %v, %v", applied, err)
		}
		importAll(t, s, []feed.Record{{User: townUser(1)}, {User: townUser(2)}})
		mustBe(t, "", s.Follow(t.Context(), 1, 2, townStart, 10))
	})
}

func TestMigrate_RefusesIncompatibleNewerSchema(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		url := b.newURL(t)
		first := opened(t, url)
		later(t, first)
		must(t, first.Exec(t.Context(), "UPDATE feed_state SET least_schema = 900"))
		_, err := opened(t, url).Migrate(t.Context())
		var newer *sqlstore.ErrNewerSchema
		if !errors.As(err, &newer) || newer.Needs != 900 || newer.Knows >= 900 {
			t.Errorf("the error is %v", err)
		}
	})
}

// A development version wrote its versions into another table.
func TestMigrate_RefusesDevelopmentSchema(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		for name, c := range map[string]struct {
			url  string
			made []string
		}{
			"all its migrations": {b.newURL(t), []string{"ALTER TABLE schema_versions RENAME TO goose_db_version"}},
			"only its first":     {b.emptyURL(t), []string{"CREATE TABLE goose_db_version (version_id BIGINT)", "CREATE TABLE feed_state (id BIGINT)"}},
		} {
			t.Run(name, func(t *testing.T) {
				s := opened(t, c.url)
				for _, stmt := range c.made {
					mustBe(t, "", s.Exec(t.Context(), stmt))
				}
				before, err := s.Tables(t.Context())
				mustBe(t, "", err)
				if applied, err := s.Migrate(t.Context()); !errors.Is(err, sqlstore.ErrDevelopmentSchema) || len(applied) > 0 {
					t.Errorf("Migrate returned %v, %v", applied, err)
				}
				after, err := s.Tables(t.Context())
				mustBe(t, "", err)
				same(t, after, before)
			})
		}
	})
}
