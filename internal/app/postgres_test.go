package app

import (
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func TestPostgresSettings_DefaultsEqualStore(t *testing.T) {
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
		t.Errorf("the flags are %+v, the store has %+v", s.postgresSettings, want)
	}
}

func TestPostgresSettings_DetectSilenceWithinOperation(t *testing.T) {
	d := sqlstore.DefaultPostgres()
	if noticed := d.SilentFor + d.SilentFor/2 + d.ConnectWithin; noticed > OperationTimeout-3*time.Second {
		t.Errorf("detection takes up to %v, an operation %v", noticed, OperationTimeout)
	}
}
