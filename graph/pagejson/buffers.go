package pagejson

import "sync"

// Buffers are made with bufferMin and reused up to bufferMax bytes. A page of twenty takes 10 kB.
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

// Return gives a slice of any origin to the pool. The caller must not use it again.
func (p *Buffers) Return(b []byte) {
	if cap(b) >= bufferMin && cap(b) <= bufferMax {
		p.pool.Put(&b)
	}
}
