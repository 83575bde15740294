package pagejson

import (
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// A response may have thousands of empty pages, and holds all of them.
func TestEncode_TakesMemoryLikeTheLastPage(t *testing.T) {
	encoder, p := NewEncoder(Resolvers{}), &plan{}
	page := func(posts int) encoded {
		b, _ := encoder.encode(t.Context(), p, slices.Repeat([]*feed.Post{{}}, posts)).(encoded)
		return b
	}
	page(4000)
	if b := page(4000); len(b) != 12_001 || cap(b) > len(b)*5/4 {
		t.Errorf("a page like the last has %d bytes and takes %d", len(b), cap(b))
	}
	if b := page(0); string(b) != "[]" || cap(b) > beginBytes {
		t.Errorf("an empty page after a long one is %q and takes %d bytes", b, cap(b))
	}
	if page(100_000); p.capacity() != expectMax {
		t.Errorf("after a page of 300 kB, %d bytes are allocated first; want %d", p.capacity(), expectMax)
	}
}
