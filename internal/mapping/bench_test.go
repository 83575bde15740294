package mapping_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/mapping"
)

// A record of five members, as most tables make.
func BenchmarkRecords(b *testing.B) {
	o := options()
	o.Variables = []mapping.Variable{{Name: "row", Type: mapping.Members}}
	m, err := mapping.Parse([]byte("inputs:\n  a:\n    - {type: post, fields: {id: =row.id, author: =row.author, text: =row.text, publishedAt: =row.at, deletedAt: =row.gone}}"), o)
	if err != nil {
		b.Fatal(err)
	}
	row := map[string]any{"row": map[string]any{
		"id": int64(123456789), "author": int64(12345), "text": "About Friedrich Nietzsche, the death of God, the Übermensch", "at": time.Date(2026, 5, 1, 12, 0, 0, 7e6, time.UTC), "gone": nil,
	}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Records("a", row); err != nil {
			b.Fatal(err)
		}
	}
}
