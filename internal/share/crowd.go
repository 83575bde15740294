package share

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
)

// Crowd has the changes of one thing that many ask for at the same time be made together. Of
// one thing one change is under way at a time, and whoever comes meanwhile is part of the
// next: so that those who would wait for one another where the thing is kept wait here, where
// that takes nothing from anybody else.
type Crowd[K comparable, P any] struct {
	change Change[K, P]
	common func(error) bool

	mu sync.Mutex
	// under has the things that are being changed, and who waits to change each.
	under map[K][]*part[P]
}

// Change makes the parts of a change of one thing. It returns either what is wrong with each
// of them, in their order and nil where nothing is, or nothing when nothing is wrong with any;
// or an error of the change as a whole, of which no part was made then.
type Change[K comparable, P any] func(ctx context.Context, key K, parts []P) (each []error, err error)

// crowdMax is how many parts a change has at most, so that it is over within milliseconds.
const crowdMax = 500

// part is what one of those who ask wants changed.
type part[P any] struct {
	what P
	// ctx carries what that of who asked does, and never ends.
	ctx context.Context
	// done is closed at the end, and err set before that.
	done chan struct{}
	err  error
}

// NewCrowd returns a crowd for one kind of change. A failure that is common is everybody's
// whom it meets, such as that of a server that is away. After another one, which may be one
// part's fault, each part is made by itself.
func NewCrowd[K comparable, P any](change Change[K, P], common func(error) bool) *Crowd[K, P] {
	return &Crowd[K, P]{change: change, common: common, under: map[K][]*part[P]{}}
}

// Do makes a part of a change of the thing that key names: by itself, and within ctx, when no
// change of that is under way, and with others otherwise. Whoever has no time left before his
// part is begun, of him nothing is changed.
func (c *Crowd[K, P]) Do(ctx context.Context, key K, what P) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p, alone := c.join(ctx, key, what)
	if alone {
		c.make(ctx, key, []*part[P]{p})
		c.next(key)
		return p.err
	}
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		c.leave(key, p)
		return ctx.Err()
	}
}

// join returns a part, and whether it is to be made at once.
func (c *Crowd[K, P]) join(ctx context.Context, key K, what P) (p *part[P], alone bool) {
	p = &part[P]{what: what, ctx: context.WithoutCancel(ctx), done: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting, under := c.under[key]
	if under {
		waiting = append(waiting, p)
	}
	c.under[key] = waiting
	return p, !under
}

// leave takes a part back that has not been begun.
func (c *Crowd[K, P]) leave(key K, p *part[P]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if waiting, under := c.under[key]; under {
		c.under[key] = slices.DeleteFunc(waiting, func(other *part[P]) bool { return other == p })
	}
}

// next begins the change of those who wait, if anybody does, on a goroutine of its own.
func (c *Crowd[K, P]) next(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := c.under[key]
	if len(waiting) == 0 {
		delete(c.under, key)
		return
	}
	n := min(len(waiting), crowdMax)
	parts := slices.Clone(waiting[:n])
	c.under[key] = slices.Delete(waiting, 0, n)
	go func() {
		c.make(parts[0].ctx, key, parts)
		c.next(key)
		for _, p := range parts {
			close(p.done)
		}
	}()
}

// make makes parts of a change, and sets what is wrong with each.
func (c *Crowd[K, P]) make(ctx context.Context, key K, parts []*part[P]) {
	each, err := c.attempt(ctx, key, parts)
	if err != nil && len(parts) > 1 && !c.common(err) {
		for _, p := range parts {
			c.make(p.ctx, key, []*part[P]{p}) //nolint:contextcheck // his own, without its end
		}
		return
	}
	for i, p := range parts {
		if p.err = err; err == nil && each != nil {
			p.err = each[i]
		}
	}
}

// attempt makes parts of a change. A panic is an error: nobody catches it on a goroutine that
// belongs to no request.
func (c *Crowd[K, P]) attempt(ctx context.Context, key K, parts []*part[P]) (each []error, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while changing: %v\n%s", p, debug.Stack())
		}
	}()
	what := make([]P, len(parts))
	for i, p := range parts {
		what[i] = p.what
	}
	each, err = c.change(ctx, key, what)
	if err == nil && each != nil && len(each) != len(parts) {
		err = fmt.Errorf("%d answers to %d parts of a change", len(each), len(parts))
	}
	return each, err
}
