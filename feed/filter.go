package feed

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"
)

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
	media mediaChoice
	// languages are primary subtags in lower case, sorted, with a comma before and after each; empty for all.
	languages string
}

// mediaChoice says whether posts must have media.
type mediaChoice byte

const (
	anyMedia mediaChoice = iota
	withMedia
	withoutMedia
)

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

// WithMedia returns f for posts that have media or, if has is false, for those that have none.
func (f Filter) WithMedia(has bool) Filter {
	f.media = withoutMedia
	if has {
		f.media = withMedia
	}
	return f
}

// FilterLanguagesMax is the maximum number of languages of a filter.
const FilterLanguagesMax = 20

// InLanguages returns f for posts in some languages, which are BCP 47 tags, or in all if there are
// none. Only the primary subtags are compared: en and en-GB are the same. Posts without a language pass.
func (f Filter) InLanguages(tags ...string) Filter {
	f.languages = ""
	if len(tags) > 0 {
		primary := make([]string, len(tags))
		for i, tag := range tags {
			if primary[i] = primarySubtag(tag); !isSubtag(primary[i]) {
				primary[i] = invalidLanguage
			}
		}
		slices.Sort(primary)
		f.languages = "," + strings.Join(slices.Compact(primary), ",") + ","
	}
	return f
}

// invalidLanguage is no subtag.
const invalidLanguage = "?"

// primarySubtag returns the first subtag of a BCP 47 tag in lower case.
func primarySubtag(tag string) string {
	primary, _, _ := strings.Cut(tag, "-")
	return strings.ToLower(primary)
}

// isSubtag reports whether BCP 47 allows a primary subtag. All else of a tag is ignored.
func isSubtag(s string) bool {
	return s != "" && len(s) <= 8 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

// Check returns [CodeBadInput] for a filter that names a kind or language that does not exist, or too
// many languages.
func (f Filter) Check() error {
	switch {
	case f.kinds&unknownKind != 0:
		return Errorf(CodeBadInput, "kinds has a kind of post that does not exist")
	case strings.Contains(f.languages, invalidLanguage):
		return Errorf(CodeBadInput, "languages must be BCP 47 tags such as pt-BR")
	case strings.Count(f.languages, ",") > FilterLanguagesMax+1:
		return Errorf(CodeBadInput, "a filter names at most %d languages", FilterLanguagesMax)
	}
	return nil
}

// Match reports whether a post passes, by its own fields: a repost without text has the language and media
// that its original had when it was published.
func (f Filter) Match(p *Post) bool {
	return f.Has(p.Kind) && (f.media == anyMedia || (f.media == withMedia) == p.HasMedia()) && f.hasLanguage(p.Language)
}

func (f Filter) hasLanguage(tag string) bool {
	return f.languages == "" || tag == "" || strings.Contains(f.languages, ","+primarySubtag(tag)+",")
}

// Has reports whether posts of a kind may pass.
func (f Filter) Has(k Kind) bool { return f.kinds == 0 || f.kinds&k.bit() != 0 }

// Kinds returns the kinds of posts that may pass.
func (f Filter) Kinds() []Kind {
	return slices.DeleteFunc(AllKinds(), func(k Kind) bool { return !f.Has(k) })
}

// Any reports whether all posts pass.
func (f Filter) Any() bool { return f == Filter{} }

// Media reports whether posts that have media may pass, and those that have none.
func (f Filter) Media() (with, without bool) { return f.media != withoutMedia, f.media != withMedia }

// Languages returns the primary subtags in lower case, with a comma before and after each; empty for all.
func (f Filter) Languages() string { return f.languages }

// Fixed returns the filter without criteria that an edit can change.
func (f Filter) Fixed() Filter { return Filter{kinds: f.kinds} }

// Only returns f without the kinds that keep does not keep. If none is left, [Filter.Kinds] is empty.
func (f Filter) Only(keep func(Kind) bool) Filter {
	kept := slices.DeleteFunc(f.Kinds(), func(k Kind) bool { return !keep(k) })
	if f.kinds = OfKinds(kept...).kinds; len(kept) == 0 {
		f.kinds = unknownKind
	}
	return f
}

// bits returns what sync tokens keep of the kinds: a bit for each that passes.
func (f Filter) bits() byte { return byte(cmp.Or(f.kinds, everyKind)) }

// digest returns what sync tokens keep of the other criteria; nil if there are none.
func (f Filter) digest() []byte {
	if f == f.Fixed() {
		return nil
	}
	sum := sha256.Sum256(append([]byte{byte(f.media)}, f.languages...))
	return sum[:digestSize]
}

// digestSize is in bytes. A client can only take its own tokens to another filter.
const digestSize = 8
