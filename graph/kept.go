package graph

import (
	"hash/fnv"
	"math/bits"
	"strconv"
	"strings"
	"sync/atomic"
)

// Kept keeps what was written of objects that many pages show, so that it is copied from
// then on: of contents, users and sessions those fields that are their own, and never what
// depends on who asks or on the time, such as counters.
//
// What was written is kept for the very object that it was written from, and found again
// only by it. Objects that are shared never change: after an edit, a new name or a deletion
// whoever reads gets another object, as he does when the time of a cached one is over, and
// that is written anew. So nothing has to be evicted from here, and an answer is never older
// than the objects that it is made of.
//
// It is a table in which each text has two places beside each other, and takes them from
// whatever stood there: no lock and no list. Make it with [NewKept]; it may be used by many
// goroutines. A nil one keeps nothing.
type Kept struct {
	places []atomic.Pointer[kept]
	// shift leaves of a hash the number of a place.
	shift int
	// most is how many bytes all may take.
	most int64

	hits, misses, taken, entries atomic.Int64
}

// kept is what was written of one object.
type kept struct {
	run  *run
	id   int64
	of   any
	text []byte
}

// A text of up to a few hundred bytes stands right behind its entry, so that whoever has the
// entry finds the text in the next lines of the processor's cache, and not somewhere else in
// memory. The sizes are those that users and contents mostly have, and with the entry they are
// sizes that Go allocates.
type (
	keptShort struct {
		kept
		room [320 - keptSize]byte
	}
	keptMiddle struct {
		kept
		room [512 - keptSize]byte
	}
	keptLong struct {
		kept
		room [768 - keptSize]byte
	}
)

// keptSize is the size of an entry without its text.
const keptSize = 56

// newKept makes an entry with a copy of the text.
func newKept(r *run, id int64, of any, text []byte) *kept {
	var k *kept
	var room []byte
	switch n := len(text); {
	case n <= len(keptShort{}.room):
		whole := new(keptShort)
		k, room = &whole.kept, whole.room[:]
	case n <= len(keptMiddle{}.room):
		whole := new(keptMiddle)
		k, room = &whole.kept, whole.room[:]
	case n <= len(keptLong{}.room):
		whole := new(keptLong)
		k, room = &whole.kept, whole.room[:]
	default:
		k = new(kept)
	}
	k.run, k.id, k.of, k.text = r, id, of, append(room[:0], text...)
	return k
}

// is says whether an entry is of these fields of the object with this id, or of an earlier one
// with the id; or there is none.
func (k *kept) is(r *run, id int64) bool {
	return k == nil || k.id == id && k.writtenBy(r)
}

func (k *kept) writtenBy(r *run) bool { return k.run == r || k.run.name == r.name }

// What is kept takes its text, and holds the object, which may have been forgotten by all
// others: about as much text again, the struct, and the entry itself.
const keptCost = 300

// keptPlace is how many bytes there are for each place. Texts take many times as much, so that
// three of them hardly ever meet in the same two: with one place for each, one in twenty of
// what pages show was written anew all the time.
const keptPlace = 64

// keptLongest is the longest text that is kept. Most have some hundred bytes.
const keptLongest = 16 << 10

// NewKept returns a table that takes at most so many bytes, with the objects that it holds;
// nil when there are too few for one text.
func NewKept(most int64) *Kept {
	if most < keptPlace {
		return nil
	}
	width := max(1, bits.Len64(uint64(most/keptPlace-1)))
	return &Kept{places: make([]atomic.Pointer[kept], 1<<width), shift: 64 - width, most: most}
}

// KeptStats tell how a table does: how many texts were copied and how many written since the
// start, and what is held now.
type KeptStats struct {
	Hits, Misses uint64
	Entries      int
	Bytes        int64
}

// Stats returns the counts so far and what is held now.
func (k *Kept) Stats() KeptStats {
	if k == nil {
		return KeptStats{}
	}
	return KeptStats{
		Hits: uint64(k.hits.Load()), Misses: uint64(k.misses.Load()),
		Entries: int(k.entries.Load()), Bytes: k.taken.Load(),
	}
}

// pair returns the two places where the text of an object may stand, in one line of the
// processor's cache. The number spreads ids that follow each other over the whole table.
func (k *Kept) pair(r *run, id int64) *[2]atomic.Pointer[kept] {
	const spread = 0x9E3779B97F4A7C15
	at := (uint64(id) ^ r.salt) * spread >> k.shift &^ 1
	return (*[2]atomic.Pointer[kept])(k.places[at:])
}

// find returns what was written of an object; nil when that is not kept.
func (k *Kept) find(r *run, id int64, of any) []byte {
	pair := k.pair(r, id)
	for i := range pair {
		if found := pair[i].Load(); found != nil && found.of == of && found.writtenBy(r) {
			return found.text
		}
	}
	return nil
}

// keep keeps a copy of what was written of an object: in the place of what was written of an
// earlier one, or where nothing stands, or in the first place, from where what stood there
// goes to the second. When all have taken too much, what has to make room goes and nothing
// comes.
func (k *Kept) keep(r *run, id int64, of any, text []byte) {
	var coming *kept
	if cost := costOf(text); len(text) <= keptLongest && k.taken.Load()+cost <= k.most {
		coming = newKept(r, id, of, text)
		k.count(1, cost)
	}
	pair := k.pair(r, id)
	var gone *kept
	switch {
	case pair[0].Load().is(r, id):
		gone = pair[0].Swap(coming)
	case pair[1].Load().is(r, id):
		gone = pair[1].Swap(coming)
	default:
		gone = pair[1].Swap(pair[0].Swap(coming))
	}
	if gone != nil {
		k.count(-1, -costOf(gone.text))
	}
}

func (k *Kept) count(entries, bytes int64) {
	k.entries.Add(entries)
	k.taken.Add(bytes)
}

func costOf(text []byte) int64 { return keptCost + 2*int64(len(text)) }

// run is several fields of an object in a row that are its own.
type run struct {
	// fields is how many they are.
	fields int
	// name says which fields of what, under which names: runs of one name write the same of
	// an object, also those of different documents. salt is its hash.
	name string
	salt uint64
}

// newRun returns the run of fields of a type.
func newRun(typ string, fields []planned) *run {
	var name strings.Builder
	name.WriteString(typ)
	for _, f := range fields {
		name.WriteString(f.key)
		name.WriteString(strconv.Itoa(f.code))
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name.String())) // a hash never fails
	return &run{fields: len(fields), name: name.String(), salt: hash.Sum64()}
}

// runMin is how many fields it takes for copying to be less than writing.
const runMin = 2

// findRuns notes the runs among the fields of a type in the first field of each. own says of
// each field whether it is the object's own.
func findRuns(typ string, fields []planned, own []bool) {
	for from := 0; from < len(fields); from++ {
		to := from
		for to < len(fields) && own[to] {
			to++
		}
		if to-from >= runMin {
			fields[from].run = newRun(typ, fields[from:to])
		}
		from = to
	}
}
