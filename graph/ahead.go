package graph

import "sync/atomic"

// A page copies some forty texts from all over the memory, and each of them is found by a place
// that leads to an entry that leads to the text. Done one after the other, as a page is
// written, the processor waits for every step of every one. Here each step is done for all of
// them, so that it waits for them together; and what is copied then is in its caches.

// aheadMost is how many texts are looked at together. A processor has some tens of requests to
// memory under way at once.
const aheadMost = 32

// lineBytes is the size of a line of a processor's cache.
const lineBytes = 64

// ahead are the runs that a page writes of each of its contents: of themselves, and of their
// authors. Either is nil when there is none.
type ahead struct{ post, author *run }

// aheadOf returns the runs of a plan of a FeedConnection.
func aheadOf(p *plan) ahead {
	post := p.below("FeedConnection", "edges").below("FeedEdge", "node")
	return ahead{post: post.firstRun(), author: post.below("Post", "author").firstRun()}
}

// below returns what is selected of a field of a type; nil when nothing is.
func (p *plan) below(typ, field string) *plan {
	if p == nil {
		return nil
	}
	code, _, _ := shape(typ, field)
	for _, f := range p.fields {
		if f.code == code {
			return f.below
		}
	}
	return nil
}

// firstRun returns the first run of a plan; nil when there is none.
func (p *plan) firstRun() *run {
	if p == nil {
		return nil
	}
	for _, f := range p.fields {
		if f.run != nil {
			return f.run
		}
	}
	return nil
}

// touch looks at what is kept of the contents of a page and of their authors. What it returns
// is of no use to anybody, and only shows that all of it was looked at.
func (k *Kept) touch(a ahead, edges []FeedEdge) (sum byte) {
	if k == nil {
		return 0
	}
	var found [aheadMost]*kept
	n := 0
	for _, edge := range edges {
		if n+4 > len(found) {
			sum, n = sum+touchAll(found[:n]), 0
		}
		if a.post != nil {
			n += load(k.pair(a.post, int64(edge.Node.ID)), found[n:])
		}
		if a.author != nil {
			n += load(k.pair(a.author, int64(edge.Node.Author)), found[n:])
		}
	}
	return sum + touchAll(found[:n])
}

// load loads what stands in two places, and returns how many entries these are.
func load(pair *[2]atomic.Pointer[kept], into []*kept) (n int) {
	for i := range pair {
		if entry := pair[i].Load(); entry != nil {
			into[n] = entry
			n++
		}
	}
	return n
}

// touchAll reads a byte of every line of the texts of some entries.
func touchAll(entries []*kept) (sum byte) {
	var texts [aheadMost][]byte
	for i, entry := range entries {
		texts[i] = entry.text
	}
	for _, text := range texts[:len(entries)] {
		for at := 0; at < len(text); at += lineBytes {
			sum += text[at]
		}
	}
	return sum
}
