package pagejson

import "sync"

// bufferMin is the size of new buffers, and bufferMax the largest that is reused. A page of twenty
// takes 10 kB, and one of a hundred 200 kB.
const (
	bufferMin = 16 << 10
	bufferMax = 512 << 10
)

// Buffers is a pool of byte slices. The zero value is ready. It is safe for concurrent use.
type Buffers struct{ pool sync.Pool }

// Take returns an empty slice with capacity.
func (p *Buffers) Take() []byte {
	if b, ok := p.pool.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, bufferMin)
}

// Return returns a slice to the pool, from which it need not come. The caller must not use it
// again.
func (p *Buffers) Return(b []byte) {
	if cap(b) >= bufferMin && cap(b) <= bufferMax {
		p.pool.Put(&b)
	}
}
