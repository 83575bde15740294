package transport

import (
	"bytes"
	"hash/maphash"
	"sync/atomic"
)

// bodies remembers what bodies of requests say that come again byte for byte, as those for
// the first page of a feed do from everybody who has the same client. A body is remembered
// when it comes for the second time, so that what comes once, such as a publish, is not.
//
// It is a table in which each body has one place, and takes it from the one that stood
// there: no lock and no list. Make it with [newBodies].
type bodies struct {
	seed maphash.Seed
	// seen are the hashes of those that came last, by place.
	seen  []atomic.Uint64
	known []atomic.Pointer[knownBody]
}

// mayBeShared says whether nobody changes what a body says. The executor puts values of
// variables into their types, and those within lists and objects where they stand.
func (b requestBody) mayBeShared() bool {
	for _, value := range b.Variables {
		switch value.(type) {
		case []any, map[string]any:
			return false
		}
	}
	return true
}

// knownBody is a body and what it says, which nobody changes.
type knownBody struct {
	text []byte
	says requestBody
}

// bodiesMax is how many bodies are remembered, and knownBodyMax the bytes of the longest:
// together, with what they say, they take some 10 MB at most.
const (
	bodiesMax    = 1024
	knownBodyMax = 4 << 10
)

func newBodies() bodies {
	return bodies{
		seed: maphash.MakeSeed(),
		seen: make([]atomic.Uint64, bodiesMax), known: make([]atomic.Pointer[knownBody], bodiesMax),
	}
}

// read returns what a body says, by parse unless that is known. The text is not kept.
func (b *bodies) read(text []byte, parse func([]byte) (requestBody, error)) (requestBody, error) {
	if len(text) > knownBodyMax {
		return parse(text)
	}
	hash := maphash.Bytes(b.seed, text)
	place := hash % bodiesMax
	if known := b.known[place].Load(); known != nil && bytes.Equal(known.text, text) {
		return known.says, nil
	}
	says, err := parse(text)
	if b.seen[place].Swap(hash) == hash && err == nil && says.mayBeShared() {
		b.known[place].Store(&knownBody{bytes.Clone(text), says})
	}
	return says, err
}
