package feed

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// RecordType is the type of a change record.
type RecordType string

// The types.
const (
	RecordUser     RecordType = "user"
	RecordFollow   RecordType = "follow"
	RecordPost     RecordType = "post"
	RecordLike     RecordType = "like"
	RecordFavorite RecordType = "favorite"
	RecordMute     RecordType = "mute"
	RecordHide     RecordType = "hide"
	RecordBlock    RecordType = "block"
	RecordLive     RecordType = "live"
	RecordSeen     RecordType = "seen"
	RecordCounters RecordType = "counters"
	RecordList     RecordType = "list"
	// RecordListMember is a member of a list.
	RecordListMember RecordType = "list_member"
)

// RecordTypes is a set of types.
type RecordTypes []RecordType

// Has reports whether the set includes t.
func (ts RecordTypes) Has(t RecordType) bool { return slices.Contains(ts, t) }

// Same reports whether the sets are equal.
func (ts RecordTypes) Same(others RecordTypes) bool {
	for _, t := range OwnedTypes() {
		if ts.Has(t) != others.Has(t) {
			return false
		}
	}
	return true
}

// OwnedTypes are the types of objects that a source can own by name. Counters have a setting of
// their own ([CounterMode]), and records of type seen have no object.
func OwnedTypes() RecordTypes {
	return RecordTypes{
		RecordUser, RecordFollow, RecordPost, RecordLike, RecordFavorite, RecordMute, RecordHide, RecordBlock, RecordLive,
		RecordList, RecordListMember,
	}
}

// ParseOwnedTypes returns the types in a list such as "user,post"; none, but not nil, for an empty
// text.
func ParseOwnedTypes(list string) (RecordTypes, error) {
	types := RecordTypes{}
	for name := range strings.SplitSeq(list, ",") {
		t := RecordType(strings.TrimSpace(name))
		switch {
		case t == "" || types.Has(t):
		case !OwnedTypes().Has(t):
			return nil, Errorf(CodeInvalid, "%q is not a type that a source can own; the types are %s", t, OwnedTypes())
		default:
			types = append(types, t)
		}
	}
	return types, nil
}

// Unowned is the reason for refusing a record of type t that no source owns.
func Unowned(t RecordType) string {
	if t == RecordCounters {
		return "Tideline counts by itself; with --counters=source, counters come from records"
	}
	return fmt.Sprintf("no source owns the type %s; add it to --source-owns", t)
}

// CounterMode says where the counters of users and posts come from. The zero value is no choice.
type CounterMode string

// With CountersOwn, Tideline counts what is stored. With CountersSource, counters are those of
// records, and zero without one.
const (
	CountersOwn    CounterMode = "own"
	CountersSource CounterMode = "source"
)

// String returns the list that [ParseOwnedTypes] reads.
func (ts RecordTypes) String() string {
	names := make([]string, len(ts))
	for i, t := range ts {
		names[i] = string(t)
	}
	return strings.Join(names, ",")
}

// Object identifies the object of a record: its type, its id or first user, and for an edge the
// other user or post. Counters have their user as A, or their post as B.
type Object struct {
	Type RecordType
	A, B int64
}

// String returns a name for people, such as "user 7", "follow 1 2" or "counters of user 7".
func (o Object) String() string {
	switch {
	case o.Type == RecordCounters && o.A == 0:
		return fmt.Sprintf("%s %d", o.label(), o.B)
	case o.B == 0:
		return fmt.Sprintf("%s %d", o.label(), o.A)
	}
	return fmt.Sprintf("%s %d %d", o.label(), o.A, o.B)
}

// label returns the name without ids.
func (o Object) label() string {
	switch {
	case o.Type != RecordCounters:
		return string(o.Type)
	case o.A == 0:
		return "counters of post"
	}
	return "counters of user"
}

// Type returns the type of the record; empty for an empty record.
func (r *Record) Type() RecordType { return r.Object().Type }

// Object returns the record's object. It is zero for an empty record.
func (r *Record) Object() Object {
	switch {
	case r.User != nil:
		return Object{RecordUser, int64(r.User.ID), 0}
	case r.Follow != nil:
		return Object{RecordFollow, int64(r.Follow.Follower), int64(r.Follow.Followee)}
	case r.Post != nil:
		return Object{RecordPost, int64(r.Post.ID), 0}
	case r.Reaction != nil:
		return Object{RecordType(r.Reaction.Reaction), int64(r.Reaction.User), int64(r.Reaction.Post)}
	case r.Relation != nil:
		return Object{RecordType(r.Relation.Kind), int64(r.Relation.User), int64(r.Relation.Target)}
	case r.Live != nil:
		return Object{RecordLive, r.Live.ID, 0}
	case r.Seen != nil:
		return Object{RecordSeen, int64(r.Seen.User), 0}
	case r.List != nil:
		return Object{RecordList, int64(r.List.ID), 0}
	case r.ListMember != nil:
		return Object{RecordListMember, int64(r.ListMember.List), int64(r.ListMember.User)}
	case r.Counters != nil:
		return Object{RecordCounters, int64(r.Counters.User), int64(r.Counters.Post)}
	}
	return Object{}
}

// ObjectVersion orders the records of one object. It grows with every change; a source that was
// restored raises the epoch. The zero value is no version. Unsettled is stored with that of a bad record that was
// applied as far as it says who may see its object: another record with it may follow.
type ObjectVersion struct {
	Epoch, Number int64
	Unsettled     bool
}

// Compare compares epochs, then numbers.
func (v ObjectVersion) Compare(w ObjectVersion) int {
	return cmp.Or(cmp.Compare(v.Epoch, w.Epoch), cmp.Compare(v.Number, w.Number))
}

// versionMax is the highest number and epoch. It leaves room for four billion later records of the
// object, which would otherwise be frozen.
const versionMax = math.MaxInt64 - 1<<32

// Check refuses a version that leaves no room for later ones.
func (v ObjectVersion) Check() error {
	switch {
	case v.Number > versionMax:
		return Errorf(CodeInvalid, "must be at most %d, so that later records of the object can follow", int64(versionMax)).At("version")
	case v.Epoch > versionMax:
		return Errorf(CodeInvalid, "must be at most %d, so that later records can follow", int64(versionMax)).At("epoch")
	}
	return nil
}

const (
	// timesWithin says which versions are times: those of the last ten years, in a unit, up to a day in the
	// future.
	timesWithin = 10 * 365 * 24 * time.Hour
	timesAhead  = 24 * time.Hour
	// jumpMax is the difference from now that a version after a time may have. Counters that look like
	// times, such as places in a log of some terabytes, do not grow that much between two records.
	jumpMax = 100 * 365 * 24 * time.Hour
)

// CheckAfter refuses a version that can be no successor of the last one: that is a time since 1970 in
// milliseconds, microseconds or nanoseconds, and this one is far in the future in the same unit. now is in
// milliseconds. Seconds are not recognized, since counters have such values.
func (v ObjectVersion) CheckAfter(last ObjectVersion, now int64) error {
	if v.Epoch != last.Epoch {
		return nil
	}
	for _, unit := range []struct {
		name      string
		perMillis int64
	}{{"milliseconds", 1}, {"microseconds", 1000}, {"nanoseconds", 1_000_000}} {
		was := last.Number / unit.perMillis
		isTime := was >= now-timesWithin.Milliseconds() && was <= now+timesAhead.Milliseconds()
		if isTime && v.Number/unit.perMillis > now+jumpMax.Milliseconds() {
			return Errorf(CodeInvalid, "%d is no successor of %d, a time in %s; if the unit has changed, raise the epoch, or run: tideline ingest reset-version",
				v.Number, last.Number, unit.name).At("version")
		}
	}
	return nil
}

// UpstreamRef names an object to a service that owns its content. ID is the public id. Counters are
// those of the user or the post of a [RecordCounters].
type UpstreamRef struct {
	Object Object
	ID     ExternalID
	// Author and Audience are those of a post as it is stored.
	Author   UserID
	Audience PostAudience
}

// UpstreamRef returns the reference of the post's content.
func (p *Post) UpstreamRef() UpstreamRef {
	return UpstreamRef{Object{RecordPost, int64(p.ID), 0}, PublicID(p.PublicID()).Text(), p.Author, p.Audience}
}

// CountersRef returns the reference of the post's counters.
func (p *Post) CountersRef() UpstreamRef {
	return UpstreamRef{Object: Object{RecordCounters, 0, int64(p.ID)}, ID: PublicID(p.PublicID()).Text()}
}

// UpstreamRef returns the reference of the user's profile.
func (u *User) UpstreamRef() UpstreamRef {
	return UpstreamRef{Object: Object{RecordUser, int64(u.ID), 0}, ID: PublicID(u.PublicID()).Text()}
}

// CountersRef returns the reference of the user's counters.
func (u *User) CountersRef() UpstreamRef {
	return UpstreamRef{Object: Object{RecordCounters, int64(u.ID), 0}, ID: PublicID(u.PublicID()).Text()}
}

// PostContent is what the service that owns posts has of one. EditedAt is in milliseconds; 0 for not
// edited. Without Custom, the stored custom fields are shown.
type PostContent struct {
	Text     string
	Media    []string
	EditedAt int64
	Custom   CustomFields
	// Audience is AudiencePublic also if the service does not name one.
	Audience PostAudience
}

// Content returns the stored content of the post.
func (p *Post) Content() PostContent {
	return PostContent{p.Text, p.Media, p.EditedAt, p.Custom, p.Audience}
}

// Narrows reports whether the service says that a post is for fewer viewers than is stored.
func (c *PostContent) Narrows(ref UpstreamRef) bool {
	return c.Audience == AudienceUnknown || c.Audience == AudienceFollowers && ref.Audience == AudiencePublic
}

// Profile is what the service that owns users has of one. Without Custom, the stored custom fields
// are shown.
type Profile struct {
	Handle, Name, AvatarURL string
	Custom                  CustomFields
}

// Profile returns the stored profile of the user.
func (u *User) Profile() Profile { return Profile{u.Handle, u.Name, u.AvatarURL, u.Custom} }

// UpstreamCounters are those of a user or of a post; the others are zero.
type UpstreamCounters struct {
	User UserCounters
	Post PostCounters
}

// UpstreamProblem says why an answer of a service is missing or may be outdated.
type UpstreamProblem string

// The problems. Clients see the texts.
const (
	// UpstreamNotFound: the service does not have the object, or has left it out.
	UpstreamNotFound UpstreamProblem = "NOT_FOUND"
	// UpstreamGone: the service says that the object was deleted, or is for fewer viewers than was stored. It
	// is stored now, so another read fills the page.
	UpstreamGone UpstreamProblem = "GONE"
	// UpstreamOutdated: the answer is older than the last change record.
	UpstreamOutdated UpstreamProblem = "OUTDATED"
	// UpstreamInvalid: the answer breaks the rules of records.
	UpstreamInvalid UpstreamProblem = "INVALID"
	// UpstreamTimeout: the service did not answer in time.
	UpstreamTimeout UpstreamProblem = "TIMEOUT"
	// UpstreamUnavailable: the service cannot be reached, fails, or is not asked because it has failed.
	UpstreamUnavailable UpstreamProblem = "UNAVAILABLE"
)

// Fetched is an answer of a service about one object. Without a problem it is current. With one, it
// is missing unless it is stale.
type Fetched[V any] struct {
	Value   V
	Problem UpstreamProblem
	Stale   bool
}

// Missing reports whether there is no value.
func (f *Fetched[V]) Missing() bool { return f.Problem != "" && !f.Stale }

// Content refuses a content that no record may have.
func (r Rules) Content(c PostContent) error {
	return cmp.Or(r.Text(c.Text, true), r.Media(c.Media))
}

// Profile refuses a profile that no record may have.
func (r Rules) Profile(p Profile) error {
	if p.Handle != "" {
		if err := checkHandle(p.Handle); err != nil {
			return err
		}
	}
	return cmp.Or(r.Name(p.Name), r.optionalURL("avatarUrl", p.AvatarURL))
}
