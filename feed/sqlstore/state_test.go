package sqlstore_test

import "testing"

// Without it a database goes on with what it knew of its tables when they were empty.
func TestADatabaseThatLookedAtItselfKnowsHowMuchItHolds(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		if err := s.Analyze(t.Context()); err != nil {
			t.Fatal(err)
		}
		if known, err := s.KnownRows(t.Context(), "users"); err != nil || known != 2 {
			t.Errorf("it believes that there are %d users (error %v), of 2", known, err)
		}
	})
}

// SQLite never looks again by itself, so it must not believe for ever that nobody publishes.
func TestWhatIsEmptyWhenSQLiteLooksAtItselfIsNotTakenToStaySo(t *testing.T) {
	s := withUsers(t, sqliteBackend(t))
	if err := s.Analyze(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Empties(t.Context()); err != nil || n != 0 {
		t.Errorf("it believes that %d tables and indexes are empty (error %v)", n, err)
	}
}
