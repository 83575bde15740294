package feed

import (
	"context"
	"slices"
)

// lister returns keys within r, in its direction, at most r.Limit of them; fewer
// only when the interval holds no more.
type lister func(ctx context.Context, r Range) ([]Key, error)

// stream hands out the keys of an interval one by one, in the interval's
// direction, each once.
type stream interface {
	// next returns the next key, and false at the end.
	next(ctx context.Context) (Key, bool, error)
}

// chunkMax bounds how many keys a stream fetches at once. Chunks double while a
// read has to fill up what the predicate hid, so a feed that is almost all hidden
// costs few round trips.
const chunkMax = 400

// refillMin is how many keys are judged at once when filling up. Judging costs
// round trips, not keys, so one by one would be dear.
const refillMin = 32

// listStream is a stream over a lister, fetched in chunks.
type listStream struct {
	list lister
	// rest is what has not been fetched; rest.Limit is the size of the next chunk.
	rest      Range
	buf       []Key
	exhausted bool
}

// newListStream starts a stream over r whose first chunk holds r.Limit keys.
func newListStream(list lister, r Range) *listStream {
	return &listStream{list: list, rest: r, exhausted: r.Empty()}
}

// newFetchedStream is a stream over part, which is r or a piece at its lower end cut
// off, when the first chunk of r has been fetched already.
func newFetchedStream(list lister, r Range, fetched []Key, part Range) *listStream {
	s := newListStream(list, r)
	s.take(fetched)
	s.buf = slices.DeleteFunc(s.buf, func(k Key) bool { return !part.Holds(k) })
	s.rest.Above = Newest(s.rest.Above, part.Above)
	s.exhausted = s.exhausted || s.rest.Empty()
	return s
}

func (s *listStream) take(keys []Key) {
	s.buf = keys
	if len(keys) < s.rest.Limit {
		s.exhausted = true
		return
	}
	s.rest = s.rest.After(keys[len(keys)-1])
	s.exhausted = s.rest.Empty()
	s.rest.Limit = min(2*s.rest.Limit, chunkMax)
}

// peek returns the stream's head without taking it, and false at the end.
func (s *listStream) peek(ctx context.Context) (Key, bool, error) {
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

func (s *listStream) next(ctx context.Context) (Key, bool, error) {
	k, ok, err := s.peek(ctx)
	if ok {
		s.buf = s.buf[1:]
	}
	return k, ok, err
}

// mergeStream merges streams of one direction. Sources are fetched to different
// depths, so what is fetched must not simply be sorted and handed out: a key below
// the oldest fetched key of one source may have to wait for keys that this source
// has yet to deliver. The merge therefore hands out a key only when every source
// has a head or is exhausted, refilling first. A key that several sources hold is
// handed out once.
type mergeStream struct {
	sources []*listStream
	dir     Range
}

// newMergeStream merges sources whose ranges have r's direction.
func newMergeStream(r Range, sources ...*listStream) *mergeStream {
	return &mergeStream{sources: sources, dir: r}
}

func (m *mergeStream) next(ctx context.Context) (Key, bool, error) {
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

// chainStream hands out one stream after another.
type chainStream struct{ parts []stream }

func (c *chainStream) next(ctx context.Context) (Key, bool, error) {
	for len(c.parts) > 0 {
		k, ok, err := c.parts[0].next(ctx)
		if ok || err != nil {
			return k, ok, err
		}
		c.parts = c.parts[1:]
	}
	return Key{}, false, nil
}

// collect takes keys from s until judge has let want items through, or s ends.
// judge gets runs of keys and returns, in their order, those that may be shown:
// what it hides is thereby filled up from below.
func collect[T any](ctx context.Context, s stream, want int, judge func(ctx context.Context, keys []Key) ([]T, error)) ([]T, error) {
	var out []T
	for n := want; len(out) < want; n = max(want-len(out), refillMin) {
		keys, err := take(ctx, s, n)
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
	}
	return out[:min(len(out), want)], nil
}

// take returns the next n keys of s, fewer only at its end.
func take(ctx context.Context, s stream, n int) ([]Key, error) {
	keys := make([]Key, 0, min(n, chunkMax))
	for len(keys) < n {
		k, ok, err := s.next(ctx)
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
