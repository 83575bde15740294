package pagejson

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// textRun is a run of two fields.
func textRun(alias string) *fieldRun {
	return newFieldRun("Post", []plannedField{{key: `"id":`, code: 1}, {key: `,"` + alias + `":`, code: 4}})
}

func (c *FragmentCache) wants(t *testing.T, r *fieldRun, p *feed.Post, want string) {
	t.Helper()
	if got := string(c.get(r, int64(p.ID), p)); got != want {
		t.Errorf("of post %d %q is cached, want %q", p.ID, got, want)
	}
}

// An equal object is another version. A run of the same fields in another document is the same.
func TestFragmentCache_FindsByObjectAndRun(t *testing.T) {
	k := NewFragmentCache(1 << 20)
	first, second := &feed.Post{ID: 7, Text: "x"}, &feed.Post{ID: 7, Text: "x"}
	k.put(textRun("text"), 7, first, []byte("written"))
	k.wants(t, textRun("text"), first, "written")
	k.wants(t, textRun("text"), second, "")
	k.wants(t, textRun("body"), first, "")
	other := newFieldRun("Post", []plannedField{{key: `"id":`, code: 1}, {key: `,"text":`, code: 5}})
	k.wants(t, other, first, "")
	k.put(textRun("text"), 7, second, []byte("again"))
	k.wants(t, textRun("text"), first, "")
	k.wants(t, textRun("text"), second, "again")
}

// The buffer is used again.
func TestFragmentCache_CopiesText(t *testing.T) {
	k := NewFragmentCache(1 << 20)
	p, buffer := &feed.Post{ID: 1}, []byte("written")
	k.put(textRun("text"), 1, p, buffer)
	copy(buffer, "another")
	k.wants(t, textRun("text"), p, "written")
}

func TestFragmentCache_StaysWithinItsBytes(t *testing.T) {
	const most = 100_000
	k := NewFragmentCache(most)
	r, text := textRun("text"), []byte(strings.Repeat("x", 1000))
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range 10_000 {
				p := &feed.Post{ID: feed.ContentID(i*4 + worker)}
				k.put(r, int64(p.ID), p, text[:1+i%1000])
			}
		})
	}
	group.Wait()
	s := k.Stats()
	var taken int64
	entries := 0
	for i := range k.slots {
		if held := k.slots[i].Load(); held != nil {
			taken, entries = taken+sizeOf(held.text), entries+1
		}
	}
	// Concurrent workers may each find room for the last fragment.
	if s.Bytes != taken || s.Entries != entries || s.Bytes > most+4*sizeOf(text) || entries == 0 {
		t.Errorf("%+v, and %d entries with %d bytes are cached", s, entries, taken)
	}
}

func TestFragmentCache_SkipsLongTexts(t *testing.T) {
	k := NewFragmentCache(1 << 20)
	p := &feed.Post{ID: 1}
	k.put(textRun("text"), 1, p, make([]byte, maxText+1))
	k.wants(t, textRun("text"), p, "")
	if s := k.Stats(); s != (FragmentStats{}) {
		t.Errorf("%+v is cached", s)
	}
}

func TestFragmentCache_NilWithoutRoom(t *testing.T) {
	if k := NewFragmentCache(slotBytes - 1); k != nil || k.Stats() != (FragmentStats{}) {
		t.Errorf("there is a cache with %+v", k.Stats())
	}
	k := NewFragmentCache(slotBytes)
	k.put(textRun("text"), 1, &feed.Post{ID: 1}, nil)
}

func TestFragmentCache_DisplacesFewFragments(t *testing.T) {
	const texts = 10_000
	k, r, lost := NewFragmentCache(16<<20), textRun("text"), 0
	posts := make([]feed.Post, texts)
	for i := range posts {
		posts[i].ID = feed.ContentID(1000 + 37*i)
		k.put(r, int64(posts[i].ID), &posts[i], []byte("a text"))
	}
	for i := range posts {
		if k.get(r, int64(posts[i].ID), &posts[i]) == nil {
			lost++
		}
	}
	if lost > texts/1000 {
		t.Errorf("%d of %d texts are lost", lost, texts)
	}
}

func TestFindRuns_NeedsTwoAdjacentOwnFields(t *testing.T) {
	for own, want := range map[string]string{"": "", "x": "0", "xx": "20", "xxx.xx.x": "30002000", ".xx": "020", "x.x": "000"} {
		fields := make([]plannedField, len(own))
		for i := range own {
			fields[i].code = i
		}
		findRuns("Post", fields, func(_ string, code int) bool { return own[code] == 'x' })
		got := ""
		for _, f := range fields {
			n := 0
			if f.run != nil {
				n = f.run.fields
			}
			got += fmt.Sprint(n)
		}
		if got != want {
			t.Errorf("in %q the runs are %q, want %q", own, got, want)
		}
	}
}

// benchPosts are as many posts as twenty pages have.
func benchPosts() []*feed.Post {
	posts := make([]*feed.Post, 400)
	for i := range posts {
		posts[i] = &feed.Post{
			ID: feed.ContentID(7_000_000_000 + i), Kind: feed.KindPost, PublishedAt: 1_777_896_000_123,
			Text: strings.Repeat("What people write is about as long as this. ", 3),
		}
	}
	return posts
}

// BenchmarkOwnFields writes the field run of a post, from the cache and field by field.
func BenchmarkOwnFields(b *testing.B) {
	fields := []plannedField{{key: `"id":`, code: 1}, {key: `,"databaseId":`, code: 2}, {key: `,"kind":`, code: 3}, {key: `,"text":`, code: 4}, {key: `,"publishedAt":`, code: 7}}
	findRuns("Post", fields, isOwn)
	p, posts := &plan{fields: fields}, benchPosts()
	for name, cache := range map[string]*FragmentCache{"copied": NewFragmentCache(1 << 20), "written": nil} {
		b.Run(name, func(b *testing.B) {
			w := writer{fragments: cache}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				w.b = w.b[:0]
				w.writePost(p, posts[i%len(posts)])
			}
		})
	}
}
