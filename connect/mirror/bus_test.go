package mirror

import (
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// Where our ids are numbers, a snapshot of texts would make bad records only.
func TestOpen_RefusesTextIDsWhereIDsAreNumbers(t *testing.T) {
	s := newStreamTest(t, `CREATE TABLE people (id uuid PRIMARY KEY)`, `CREATE TABLE numbered (id bigint PRIMARY KEY)`,
		`INSERT INTO people VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')`, `INSERT INTO numbered VALUES (1)`)
	catalog, err := Inspect(t.Context(), s.conn)
	check(t, err)
	for _, c := range []struct {
		table          string
		text, complete bool
		refused        bool
	}{{"people", false, false, true}, {"people", true, false, false}, {"people", false, true, false}, {"numbered", false, false, false}} {
		m, err := NewMapper([]byte(`inputs: {public.`+c.table+`: [{type: user, fields: {id: =row.id, name: x, createdAt: "2026-01-01T00:00:00Z"}}]}`), catalog)
		check(t, err)
		o := opened{Source: &Source{TextIDs: c.text, Clock: time.Now}, conn: s.conn, mapper: m, state: feed.Mirror{Complete: c.complete}}
		err = o.checkIDs(t.Context())
		var lost *ingest.LostError
		if errors.As(err, &lost) != c.refused || err != nil && !c.refused {
			t.Errorf("%+v: the error is %v", c, err)
		}
	}
}
