package feed

import (
	"context"
	"slices"
)

// Lister returns at most r.Limit keys within r, in its direction; fewer only if r holds no more.
type Lister func(ctx context.Context, r Range) ([]Key, error)

// Stream yields the keys of an interval, in its direction and each once.
type Stream interface {
	// Next returns the next key; false at the end.
	Next(ctx context.Context) (Key, bool, error)
}

// ChunkMax limits a fetch and a judgement. Both double while posts are hidden, so that a page takes at most
// twenty of each for the largest inbox, of 10,000 entries.
const ChunkMax = 1000

// RefillMin is the least number of keys that a refill judges, which costs round trips, not keys.
const RefillMin = 32

// ListStream is a stream over a lister that fetches chunks. Use [NewListStream].
type ListStream struct {
	list Lister
	// rest has not been fetched; rest.Limit is the size of the next chunk.
	rest      Range
	buf       []Key
	exhausted bool
}

// NewListStream returns a stream over r whose first chunk has r.Limit keys.
func NewListStream(list Lister, r Range) *ListStream {
	return &ListStream{list: list, rest: r, exhausted: r.Empty()}
}

// NewFetchedStream returns a stream over the part of r above a key. fetched is r's first chunk.
func NewFetchedStream(list Lister, r Range, fetched []Key, above Key) *ListStream {
	s := NewListStream(list, r)
	s.take(fetched)
	s.buf = slices.DeleteFunc(s.buf, func(k Key) bool { return !k.Newer(above) })
	s.rest.Above = Newest(s.rest.Above, above)
	s.exhausted = s.exhausted || s.rest.Empty()
	return s
}

func (s *ListStream) take(keys []Key) {
	s.buf = keys
	if len(keys) < s.rest.Limit {
		s.exhausted = true
		return
	}
	s.rest = s.rest.After(keys[len(keys)-1])
	s.exhausted = s.rest.Empty()
	s.rest.Limit = min(2*s.rest.Limit, ChunkMax)
}

func (s *ListStream) peek(ctx context.Context) (Key, bool, error) {
	if len(s.buf) == 0 && !s.exhausted {
		keys, err := s.list(ctx, s.rest)
		if err != nil {
			return Key{}, false, err
		}
		s.take(keys)
	}
	if len(s.buf) == 0 {
		return Key{}, false, nil
	}
	return s.buf[0], true, nil
}

// Next implements [Stream].
func (s *ListStream) Next(ctx context.Context) (Key, bool, error) {
	k, ok, err := s.peek(ctx)
	if ok {
		s.buf = s.buf[1:]
	}
	return k, ok, err
}

type mergeStream struct {
	sources []*ListStream
	dir     Range
}

// Merge returns the merge of sources with r's direction. It yields a key of several sources once,
// and any key only when every source has a next key or has ended: their depths differ.
func Merge(r Range, sources ...*ListStream) Stream { return &mergeStream{sources: sources, dir: r} }

func (m *mergeStream) Next(ctx context.Context) (Key, bool, error) {
	best, found := Key{}, false
	for _, s := range m.sources {
		head, ok, err := s.peek(ctx)
		if err != nil {
			return Key{}, false, err
		}
		if ok && (!found || m.dir.Before(head, best)) {
			best, found = head, true
		}
	}
	if !found {
		return Key{}, false, nil
	}
	for _, s := range m.sources {
		if len(s.buf) > 0 && s.buf[0] == best {
			s.buf = s.buf[1:]
		}
	}
	return best, true, nil
}

type chainStream struct{ parts []Stream }

// Chain returns a stream that yields one stream after another.
func Chain(parts ...Stream) Stream { return &chainStream{parts} }

func (c *chainStream) Next(ctx context.Context) (Key, bool, error) {
	for len(c.parts) > 0 {
		k, ok, err := c.parts[0].Next(ctx)
		if ok || err != nil {
			return k, ok, err
		}
		c.parts = c.parts[1:]
	}
	return Key{}, false, nil
}

// Collect takes keys from s until judge has let want items pass or s ends. judge keeps their order.
func Collect[T any](ctx context.Context, s Stream, want int, judge func(ctx context.Context, keys []Key) ([]T, error)) ([]T, error) {
	var out []T
	for n := want; len(out) < want; {
		keys, err := Take(ctx, s, n)
		if err != nil {
			return nil, err
		}
		if len(keys) == 0 {
			break
		}
		shown, err := judge(ctx, keys)
		if err != nil {
			return nil, err
		}
		out = append(out, shown...)
		if n = max(want-len(out), RefillMin); len(shown) == 0 {
			n = max(n, min(2*len(keys), ChunkMax))
		}
	}
	return out[:min(len(out), want)], nil
}

// Take returns the next n keys of s; fewer only at its end.
func Take(ctx context.Context, s Stream, n int) ([]Key, error) {
	keys := make([]Key, 0, min(n, ChunkMax))
	for len(keys) < n {
		k, ok, err := s.Next(ctx)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		keys = append(keys, k)
	}
	return keys, nil
}
