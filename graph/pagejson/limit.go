package pagejson

import "context"

// Limit bounds the bytes of one response. Several pages of a response are written concurrently.
type Limit interface {
	// Add counts n further bytes, which may be negative. It returns false beyond the limit.
	Add(n int) bool
}

type limitKey struct{}

// WithLimit returns a context whose pages count towards a limit.
func WithLimit(ctx context.Context, l Limit) context.Context {
	return context.WithValue(ctx, limitKey{}, l)
}

// LimitFrom returns the limit of a context; nil if there is none.
func LimitFrom(ctx context.Context) Limit {
	l, _ := ctx.Value(limitKey{}).(Limit)
	return l
}
