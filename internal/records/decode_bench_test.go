package records_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/internal/records"
)

func BenchmarkDecode(b *testing.B) {
	for name, line := range map[string]string{
		"post": `{"type": "post", "id": "9223372036854775", "author": "4398046511139", "kind": "POST", "text": "About Augustine of Hippo, 430) was an early Christian theologian whose writings are considered very influential", "publishedAt": "2012-09-13T09:02:11.843Z", "version": 12}`,
		"like": `{"type": "like", "user": "4398046511139", "post": "9223372036854775", "createdAt": "2012-09-13T09:02:11.843Z", "version": 12}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (records.Format{}).Decode([]byte(line)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
