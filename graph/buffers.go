package graph

import "sync"

// bufferMin is what new buffers hold, and bufferMax the most that one may hold to be used
// again: a page of twenty takes 10 kB, one of a hundred with all that can be asked for some
// 200.
const (
	bufferMin = 16 << 10
	bufferMax = 512 << 10
)

// Buffers are byte slices that are used again. The zero value is ready; it may be used by
// many goroutines.
type Buffers struct{ pool sync.Pool }

// Take returns an empty slice with room.
func (p *Buffers) Take() []byte {
	if b, ok := p.pool.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, bufferMin)
}

// Return takes a slice back that nobody uses any more, whoever made it.
func (p *Buffers) Return(b []byte) {
	if cap(b) >= bufferMin && cap(b) <= bufferMax {
		p.pool.Put(&b)
	}
}
