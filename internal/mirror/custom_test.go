package mirror_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/internal/mirror"
)

func TestLines_HaveCustomFields(t *testing.T) {
	s := newSource(t, `
		CREATE TABLE item (id bigint PRIMARY KEY, owner text NOT NULL, color text, attributes jsonb NOT NULL);
		INSERT INTO item VALUES (7, 'ann', 'red', '{"size": 12, "id": 9007199254740993, "tags": ["a", 1.5]}');`)
	const fields = `{id: =row.id, author: =row.owner, kind: POST, text: x, publishedAt: "2026-01-01T00:00:00Z", custom: `
	for custom, want := range map[string]string{
		`=row.attributes`: `{"id":9007199254740993,"size":12,"tags":["a",1.5]}`,
		`'={"color": row.color, "size": row.attributes.size}'`: `{"color":"red","size":12}`,
	} {
		m := s.mapper("inputs:\n  public.item:\n    - type: post\n      fields: " + fields + custom + "}\n")
		table := m.Tables()[0]
		want = `{"type":"post","id":"7","author":"ann","kind":"POST","text":"x","publishedAt":"2026-01-01T00:00:00Z","custom":` + want + `}`
		if got := lines(m, mirror.RowChange{Table: table, New: s.rows(table, "id")[0]}); got != want {
			t.Errorf("custom: %s makes %s, want %s", custom, got, want)
		}
	}
}
