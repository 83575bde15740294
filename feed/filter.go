package feed

import "slices"

// Kind is the kind of a post.
type Kind string

// The kinds of post. A comment answers another post. A repost shows one again.
const (
	KindPost    Kind = "POST"
	KindComment Kind = "COMMENT"
	KindRepost  Kind = "REPOST"
)

// AllKinds returns all kinds.
func AllKinds() []Kind { return []Kind{KindPost, KindComment, KindRepost} }

// Valid reports whether k is one of the kinds.
func (k Kind) Valid() bool { return slices.Contains(AllKinds(), k) }

// Filter says which of the visible posts belong in a feed. The zero value lets all pass. Filters that
// let the same posts pass are equal. A cursor continues a feed under any filter; a sync token under its own.
type Filter struct {
	kinds kindSet
}

// kindSet has a bit for each of [AllKinds], in their order; 0 for all. Sync tokens have it.
type kindSet byte

const (
	everyKind   kindSet = 1<<3 - 1
	unknownKind kindSet = 1 << 7
)

func (k Kind) bit() kindSet {
	switch k {
	case KindPost:
		return 1 << 0
	case KindComment:
		return 1 << 1
	case KindRepost:
		return 1 << 2
	}
	return unknownKind
}

// OfKinds returns the filter for some kinds of post, or for all if there are none.
func OfKinds(kinds ...Kind) Filter {
	var set kindSet
	for _, k := range kinds {
		set |= k.bit()
	}
	if set == everyKind {
		set = 0
	}
	return Filter{kinds: set}
}

// Check returns [CodeBadInput] for a filter that names a kind that does not exist.
func (f Filter) Check() error {
	if f.kinds&unknownKind != 0 {
		return Errorf(CodeBadInput, "kinds has a kind of post that does not exist")
	}
	return nil
}

// Match reports whether a post passes.
func (f Filter) Match(p *Post) bool { return f.Has(p.Kind) }

// Has reports whether posts of a kind may pass.
func (f Filter) Has(k Kind) bool { return f.kinds == 0 || f.kinds&k.bit() != 0 }

// Kinds returns the kinds of posts that may pass.
func (f Filter) Kinds() []Kind {
	return slices.DeleteFunc(AllKinds(), func(k Kind) bool { return !f.Has(k) })
}

// Any reports whether all posts pass.
func (f Filter) Any() bool { return f == Filter{} }

// bits returns what sync tokens keep of the kinds: a bit for each that passes.
func (f Filter) bits() byte {
	if f.kinds == 0 {
		return byte(everyKind)
	}
	return byte(f.kinds)
}
