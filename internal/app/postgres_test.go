package app

import (
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// The store says why its numbers are what they are; the flags only repeat them.
func TestTheSettingsOfPostgresAreTheStoresOwnByDefault(t *testing.T) {
	var s struct{ postgresSettings }
	parser, err := kong.New(&s)
	check(t, err)
	_, err = parser.Parse(nil)
	check(t, err)
	d := sqlstore.DefaultPostgres()
	want := postgresSettings{
		d.Conns, d.IdleFor, d.LivesFor, d.WaitFor, d.ConnectWithin, d.StatementWithin, d.LockWithin, d.IdleInTxWithin, d.SilentFor,
	}
	if s.postgresSettings != want {
		t.Errorf("the flags say %+v, the store %+v", s.postgresSettings, want)
	}
}

// A server that PostgreSQL does not answer has found that out before an operation's time
// is over.
func TestASilentDatabaseIsNoticedBeforeOperationsRunOut(t *testing.T) {
	d := sqlstore.DefaultPostgres()
	if noticed := d.SilentFor + d.SilentFor/2 + d.ConnectWithin; noticed > OperationWithin-3*time.Second {
		t.Errorf("it takes up to %v, an operation has %v", noticed, OperationWithin)
	}
}
