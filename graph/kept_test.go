package graph

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// textRun is a run of two fields.
func textRun(alias string) *run {
	return newRun("Post", []planned{{key: `"id":`, code: 1}, {key: `,"` + alias + `":`, code: 4}})
}

func (k *Kept) wantKept(t *testing.T, r *run, p *feed.Post, want string) {
	t.Helper()
	if got := string(k.find(r, int64(p.ID), p)); got != want {
		t.Errorf("of post %d %q is kept, and should be %q", p.ID, got, want)
	}
}

// A text is found by the object that it was written from, and by none that is equal to it; and
// by runs of the same fields under the same names, also those of another document.
func TestTextsAreKeptByObjectAndRun(t *testing.T) {
	k := NewKept(1 << 20)
	first, second := &feed.Post{ID: 7, Text: "x"}, &feed.Post{ID: 7, Text: "x"}
	k.keep(textRun("text"), 7, first, []byte("written"))
	k.wantKept(t, textRun("text"), first, "written")
	k.wantKept(t, textRun("text"), second, "")
	k.wantKept(t, textRun("body"), first, "")
	other := newRun("Post", []planned{{key: `"id":`, code: 1}, {key: `,"text":`, code: 5}})
	k.wantKept(t, other, first, "")
	k.keep(textRun("text"), 7, second, []byte("again"))
	k.wantKept(t, textRun("text"), first, "")
	k.wantKept(t, textRun("text"), second, "again")
}

// What is kept is a copy: the buffer that it was written into is used again.
func TestWhatIsKeptIsACopy(t *testing.T) {
	k := NewKept(1 << 20)
	p, buffer := &feed.Post{ID: 1}, []byte("written")
	k.keep(textRun("text"), 1, p, buffer)
	copy(buffer, "another")
	k.wantKept(t, textRun("text"), p, "written")
}

// However much is written, no more is kept than may be, and the books are right.
func TestKeptTextsAreBounded(t *testing.T) {
	const most = 100_000
	k := NewKept(most)
	r, text := textRun("text"), []byte(strings.Repeat("x", 1000))
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range 10_000 {
				p := &feed.Post{ID: feed.ContentID(i*4 + worker)}
				k.keep(r, int64(p.ID), p, text[:1+i%1000])
			}
		})
	}
	group.Wait()
	s := k.Stats()
	var taken int64
	entries := 0
	for i := range k.places {
		if held := k.places[i].Load(); held != nil {
			taken, entries = taken+costOf(held.text), entries+1
		}
	}
	// Workers who come at the same time may each find room for the last one.
	if s.Bytes != taken || s.Entries != entries || s.Bytes > most+4*costOf(text) || entries == 0 {
		t.Errorf("%+v, and %d entries with %d bytes are held", s, entries, taken)
	}
}

// What is too long is not kept, and takes the place of nothing but what stood there.
func TestLongTextsAreNotKept(t *testing.T) {
	k := NewKept(1 << 20)
	p := &feed.Post{ID: 1}
	k.keep(textRun("text"), 1, p, make([]byte, keptLongest+1))
	k.wantKept(t, textRun("text"), p, "")
	if s := k.Stats(); s != (KeptStats{}) {
		t.Errorf("%+v is held", s)
	}
}

// Without room there is no table, and no table has nothing.
func TestNoRoomIsNoTable(t *testing.T) {
	if k := NewKept(keptPlace - 1); k != nil || k.Stats() != (KeptStats{}) {
		t.Errorf("there is a table, with %+v", k.Stats())
	}
	k := NewKept(keptPlace)
	k.keep(textRun("text"), 1, &feed.Post{ID: 1}, nil)
}

// Texts that meet in the same places leave each other in peace, unless there are three.
func TestHardlyAnyTextMakesRoomForAnother(t *testing.T) {
	const texts = 10_000
	k, r, lost := NewKept(16<<20), textRun("text"), 0
	posts := make([]feed.Post, texts)
	for i := range posts {
		posts[i].ID = feed.ContentID(1000 + 37*i)
		k.keep(r, int64(posts[i].ID), &posts[i], []byte("a text"))
	}
	for i := range posts {
		if k.find(r, int64(posts[i].ID), &posts[i]) == nil {
			lost++
		}
	}
	if lost > texts/1000 {
		t.Errorf("%d of %d texts are lost", lost, texts)
	}
}

// Runs are the fields next to each other that are an object's own, and at least two.
func TestRuns(t *testing.T) {
	for own, want := range map[string]string{"": "", "x": "0", "xx": "20", "xxx.xx.x": "30002000", ".xx": "020", "x.x": "000"} {
		fields, flags := make([]planned, len(own)), make([]bool, len(own))
		for i := range own {
			flags[i] = own[i] == 'x'
		}
		findRuns("Post", fields, flags)
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

// benchPosts are as many contents as twenty pages have.
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

// BenchmarkOwnFields writes what is a content's own: copied from what was written before, and
// field by field.
func BenchmarkOwnFields(b *testing.B) {
	fields := []planned{{key: `"id":`, code: 1}, {key: `,"databaseId":`, code: 2}, {key: `,"kind":`, code: 3}, {key: `,"text":`, code: 4}, {key: `,"publishedAt":`, code: 7}}
	findRuns("Post", fields, []bool{true, true, true, true, true})
	p, posts := &plan{fields: fields}, benchPosts()
	for name, kept := range map[string]*Kept{"copied": NewKept(1 << 20), "written": nil} {
		b.Run(name, func(b *testing.B) {
			e := encoder{kept: kept}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				e.b = e.b[:0]
				e.encodePost(p, posts[i%len(posts)])
			}
		})
	}
}
