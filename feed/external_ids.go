package feed

import (
	"context"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// IDMode says what the ids in requests, tokens and records are. A database has one for ever.
type IDMode string

// The modes.
const (
	// NumberIDs: the decimal numbers that the ports use.
	NumberIDs IDMode = "number"
	// TextIDs: texts of other systems, to which an [IDMap] assigns numbers.
	TextIDs IDMode = "text"
)

// IDKind is a kind of object with ids of its own.
type IDKind string

// The kinds.
const (
	UserIDs IDKind = "user"
	PostIDs IDKind = "post"
	LiveIDs IDKind = "live"
	// ListIDs are those of lists of authors, always numbers.
	ListIDs IDKind = "list"
)

// ExternalID is an id as clients and records have it, where ids are text. An object without one
// has its number in decimal.
type ExternalID string

// MaxExternalID is the maximum length of an external id in bytes.
const MaxExternalID = 128

// Check returns [CodeInvalid] unless id is 1 to 128 bytes of UTF-8 without control characters.
func (id ExternalID) Check() error {
	switch {
	case id == "":
		return Errorf(CodeInvalid, "an id must not be empty")
	case len(id) > MaxExternalID:
		return Errorf(CodeInvalid, "the id %.40q… has %d bytes; the maximum is %d", string(id), len(id), MaxExternalID)
	case !utf8.ValidString(string(id)):
		return Errorf(CodeInvalid, "the id %.40q is not valid UTF-8", string(id))
	}
	for _, c := range id {
		if unicode.IsControl(c) {
			return Errorf(CodeInvalid, "the id %.40q has a control character", string(id))
		}
	}
	return nil
}

// PublicID is an id as clients see it.
type PublicID struct {
	Number int64
	// External is empty for an object that has its number in decimal.
	External ExternalID
}

// Text returns the external id, or else the number in decimal.
func (id PublicID) Text() ExternalID {
	if id.External != "" {
		return id.External
	}
	return ExternalID(strconv.FormatInt(id.Number, 10))
}

// PublicUserID is the public id of a user.
type PublicUserID PublicID

// PublicID returns the user's id as clients see it.
func (u *User) PublicID() PublicUserID { return PublicUserID{int64(u.ID), u.External} }

// PublicPostID is the public id of a post.
type PublicPostID PublicID

// PublicID returns the post's id as clients see it.
func (p *Post) PublicID() PublicPostID { return PublicPostID{int64(p.ID), p.External} }

// IDFinder finds the numbers of ids in requests, and the ids of numbers.
type IDFinder interface {
	// FindIDs returns one number per id, 0 for those that no object has.
	FindIDs(ctx context.Context, kind IDKind, ids []ExternalID) ([]int64, error)
	// ExternalIDs returns one external id per number, empty for those without one.
	ExternalIDs(ctx context.Context, kind IDKind, numbers []int64) ([]ExternalID, error)
}

// DecimalIDs is the [IDFinder] where ids are numbers. It does not know which objects exist.
type DecimalIDs struct{}

// FindIDs implements [IDFinder].
func (DecimalIDs) FindIDs(_ context.Context, _ IDKind, ids []ExternalID) ([]int64, error) {
	numbers := make([]int64, len(ids))
	for i, id := range ids {
		if n, err := parseID(string(id)); err == nil {
			numbers[i] = n
		}
	}
	return numbers, nil
}

// ExternalIDs implements [IDFinder].
func (DecimalIDs) ExternalIDs(_ context.Context, _ IDKind, numbers []int64) ([]ExternalID, error) {
	return make([]ExternalID, len(numbers)), nil
}

// NumberedID is an external id and its number. For [IDMap.DrawIDs], number 0 means any.
type NumberedID struct {
	ID     ExternalID
	Number int64
}

// IDMap assigns numbers to external ids, separately for each kind of object. Ids are compared byte
// by byte. An assignment never changes and outlives the object.
type IDMap interface {
	// UseIDs stores the mode of an empty database at its first call, and returns the stored
	// mode. An empty mode accepts any, and stores [NumberIDs]. It returns [CodeConflict] if the
	// database has another mode, or has data from before modes and mode is [TextIDs].
	UseIDs(ctx context.Context, mode IDMode) (IDMode, error)
	// DrawIDs returns one number per id, 1 … 2^63-1. It assigns wanted or new numbers to ids
	// without one. The result is the stored number if it differs from the wanted one, and 0 if
	// another id has the wanted number. Concurrent calls agree. It returns [CodeInvalid], and
	// assigns nothing, if an id is malformed ([ExternalID.Check]).
	DrawIDs(ctx context.Context, kind IDKind, ids []NumberedID) ([]int64, error)
	// FindIDs returns one number per id, 0 for those without one.
	FindIDs(ctx context.Context, kind IDKind, ids []ExternalID) ([]int64, error)
	// ExternalIDs returns one external id per number, empty for those without one.
	ExternalIDs(ctx context.Context, kind IDKind, numbers []int64) ([]ExternalID, error)
}

// IDModeDiffers returns the error of [IDMap.UseIDs] for another mode than the stored one.
func IDModeDiffers(stored, wanted IDMode) *Error {
	return Errorf(CodeConflict, "the database has --ids=%s, which never changes, not %s: set --ids=%[1]s, or use a new database", stored, wanted)
}
