package records

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/tideline-feeds/tideline/feed"
)

// The fields by type, in the order in which [Encode] writes them.

// versions are fields of every record.
var versions = []field[feed.Record]{
	count("version", func(r *feed.Record) *int64 { return &r.Version.Number }).orNone(),
	count("epoch", func(r *feed.Record) *int64 { return &r.Version.Epoch }).orNone(),
	source(),
}

// sourceMax is the length of the name of a source in bytes. Names are keys in the database and labels
// of metrics.
const sourceMax = 64

// source is the name of the system that sent the record.
func source() field[feed.Record] {
	f := text("source", func(r *feed.Record) *string { return &r.Source }).orNone()
	f.read = func(c *checker, v value, into *feed.Record) {
		if len(v.text) > sourceMax || strings.ContainsFunc(v.text, unicode.IsControl) {
			c.fail("source", "must have at most %d bytes without control characters", sourceMax)
			return
		}
		into.Source = v.text
	}
	return f
}

// states are fields of records of objects.
var states = append(slices.Clone(versions), partial())

// partial marks a record that names only some fields.
func partial() field[feed.Record] {
	f := truth("partial", func(*feed.Record) *bool { return new(bool) })
	f.read = func(c *checker, v value, into *feed.Record) {
		if c.truth("partial", v.text) {
			into.Partial = []string{}
		}
	}
	return f
}

// unclear says why the sender does not know who may see the object.
func unclear() field[feed.Record] {
	return text("unclear", func(r *feed.Record) *string { return &r.Unclear }).orNone()
}

// moderatedStates are fields of records of users and posts.
var moderatedStates = append(slices.Clone(states), unclear(), moderated())

// moderated is the sanction in force, which exports write and imports restore.
func moderated() field[feed.Record] {
	type object struct {
		Reason string `json:"reason"`
		At     string `json:"at"`
	}
	f := field[feed.Record]{
		name: "moderated", object: true, bare: true, exported: true,
		write: func(r *feed.Record) value {
			text, _ := json.Marshal(object{r.Moderated.Reason, encodeTime(r.Moderated.At)}) // texts always marshal
			return value{text: string(text), zero: r.Moderated == feed.Moderated{}}
		},
		read: func(c *checker, v value, into *feed.Record) {
			var o object
			if v.text == "" || v.text == "null" {
				return
			}
			if err := json.Unmarshal([]byte(v.text), &o); err != nil {
				c.fail("moderated", "must have a reason and a time: %s", jsonReason("moderated", err))
				return
			}
			into.Moderated = feed.Moderated{Reason: o.Reason, At: c.past("moderated.at", o.At)}
		},
	}
	return f.orNone()
}

// deletedAt is that of objects without one of their own.
func deletedAt() field[feed.Record] {
	return event("deletedAt", func(r *feed.Record) *int64 { return &r.EndedAt }).orNone()
}

// endings are fields of records of objects that show nothing. An unclear record must not end them: without
// its block, a user would see more.
var endings = append(slices.Clone(states), deletedAt())

// visibleEndings are fields of records of objects that show something.
var visibleEndings = append(slices.Clone(states), unclear(), deletedAt().decides())

func userNumber(u *feed.UserRecord) *int64 { return (*int64)(&u.ID) }
func postNumber(p *feed.Post) *int64       { return (*int64)(&p.ID) }
func liveNumber(l *feed.LiveRecord) *int64 { return &l.ID }
func listNumber(l *feed.AuthorList) *int64 { return (*int64)(&l.ID) }

// userLines are users. Deleted accounts have no handle and name.
var userLines = lineType[feed.UserRecord]{
	names: []string{"user"},
	at:    func(r *feed.Record) **feed.UserRecord { return &r.User }, common: moderatedStates,
	fields: []field[feed.UserRecord]{
		constant[feed.UserRecord]("type", "user"),
		ownID(feed.UserIDs, userNumber, func(u *feed.UserRecord) *feed.ExternalID { return &u.External }),
		number(userNumber),
		text("handle", func(u *feed.UserRecord) *string { return &u.Handle }),
		text("name", func(u *feed.UserRecord) *string { return &u.Name }),
		text("avatarUrl", func(u *feed.UserRecord) *string { return &u.AvatarURL }).orNone(),
		custom(func(u *feed.UserRecord) *feed.CustomFields { return &u.Custom }),
		truth("private", func(u *feed.UserRecord) *bool { return &u.Private }).decides().neverEmpty(),
		truthOf("suspended", func(u *feed.UserRecord) *feed.HiddenFor { return &u.Suspended }, feed.HiddenForRecord).decides().neverEmpty(),
		moment("createdAt", func(u *feed.UserRecord) *int64 { return &u.CreatedAt }),
		moment("lastSeenAt", func(u *feed.UserRecord) *int64 { return &u.LastSeenAt }).orNone(),
		truth("absent", func(u *feed.UserRecord) *bool { return &u.Absent }),
		event("awaitedAt", func(u *feed.UserRecord) *int64 { return &u.AwaitedAt }).orNone(),
		event("deletedAt", func(u *feed.UserRecord) *int64 { return &u.DeletedAt }).orNone().decides(),
		event("erasedAt", func(u *feed.UserRecord) *int64 { return &u.ErasedAt }).orNone().decides(),
	},
	finish: func(u *feed.UserRecord, _ func(string) bool) {
		if max(u.DeletedAt, u.ErasedAt) != 0 {
			u.Handle = ""
		}
	},
}

var followLines = lineType[feed.FollowRecord]{
	names: []string{"follow"},
	at:    func(r *feed.Record) **feed.FollowRecord { return &r.Follow }, common: visibleEndings,
	fields: []field[feed.FollowRecord]{
		constant[feed.FollowRecord]("type", "follow"),
		id("follower", feed.UserIDs, func(f *feed.FollowRecord) *int64 { return (*int64)(&f.Follower) }).identifying(),
		id("followee", feed.UserIDs, func(f *feed.FollowRecord) *int64 { return (*int64)(&f.Followee) }).identifying(),
		moment("createdAt", func(f *feed.FollowRecord) *int64 { return &f.CreatedAt }),
		followState("state", func(f *feed.FollowRecord) *bool { return &f.Requested }).decides().neverEmpty(),
		followOption(0), followOption(1), followOption(2),
	},
}

// postLines are posts. Deleted posts have no text, and stay as targets of comments and reposts.
var postLines = lineType[feed.Post]{
	names: []string{"post"},
	at:    func(r *feed.Record) **feed.Post { return &r.Post }, common: moderatedStates,
	fields: append([]field[feed.Post]{
		constant[feed.Post]("type", "post"),
		ownID(feed.PostIDs, postNumber, func(p *feed.Post) *feed.ExternalID { return &p.External }),
		number(postNumber),
		id("author", feed.UserIDs, func(p *feed.Post) *int64 { return (*int64)(&p.Author) }).owning(),
	}, postFields()...),
	finish: func(p *feed.Post, has func(string) bool) {
		if !has("audience") {
			p.LeaveAudience()
		}
		for _, f := range feed.InheritedFields() {
			if p.IsBareRepost() && !has(f.Name) {
				f.Leave(p)
			}
		}
	},
}

// postFields are the stored fields of posts. A comment or repost names those that it would take from its
// parent, even if they are empty.
func postFields() []field[feed.Post] {
	fields := stored(feed.PostFields())
	byName := func(name string) *field[feed.Post] {
		return &fields[slices.IndexFunc(fields, func(f field[feed.Post]) bool { return f.name == name })]
	}
	omits := func(name string, when func(p *feed.Post, zero bool) bool) {
		f := byName(name)
		write := f.write
		f.write = func(p *feed.Post) value {
			v := write(p)
			v.zero = when(p, v.zero)
			return v
		}
	}
	for _, inherited := range feed.InheritedFields() {
		omits(inherited.Name, func(p *feed.Post, zero bool) bool { return zero && !p.IsBareRepost() })
	}
	for _, name := range []string{"audience", "takenDown"} {
		f := byName(name)
		*f = f.decides().neverEmpty()
	}
	*byName("deletedAt") = byName("deletedAt").decides()
	omits("audience", func(p *feed.Post, zero bool) bool {
		return p.Audience == feed.AudienceOfParent || zero && (p.Kind == feed.KindPost || p.DeletedAt != 0)
	})
	omits("audienceAuthor", func(p *feed.Post, zero bool) bool { return zero || p.Kind == feed.KindPost })
	return fields
}

// sessionLines are live sessions. Times of what has not happened are omitted.
var sessionLines = lineType[feed.LiveRecord]{
	names: []string{"live"},
	at:    func(r *feed.Record) **feed.LiveRecord { return &r.Live }, common: visibleEndings,
	fields: append([]field[feed.LiveRecord]{
		constant[feed.LiveRecord]("type", "live"),
		ownID(feed.LiveIDs, liveNumber, func(l *feed.LiveRecord) *feed.ExternalID { return &l.External }),
		number(liveNumber),
		id("host", feed.UserIDs, func(l *feed.LiveRecord) *int64 { return (*int64)(&l.Host) }).owning(),
	}, stored(feed.LiveFields())...),
}

var reactionLines = lineType[feed.ReactionRecord]{
	names: []string{string(feed.ReactionLike), string(feed.ReactionFavorite)},
	at:    func(r *feed.Record) **feed.ReactionRecord { return &r.Reaction }, common: endings,
	fields: []field[feed.ReactionRecord]{
		text("type", func(r *feed.ReactionRecord) *feed.Reaction { return &r.Reaction }),
		id("user", feed.UserIDs, func(r *feed.ReactionRecord) *int64 { return (*int64)(&r.User) }).identifying(),
		id("post", feed.PostIDs, func(r *feed.ReactionRecord) *int64 { return (*int64)(&r.Post) }).identifying(),
		moment("createdAt", func(r *feed.ReactionRecord) *int64 { return &r.CreatedAt }),
	},
}

var (
	relationLines = linesOfRelations([]feed.RelationKind{feed.RelationHide, feed.RelationBlock})
	muteLines     = linesOfRelations([]feed.RelationKind{feed.RelationMute}, moment("until", func(r *feed.RelationRecord) *int64 { return &r.Until }).orNone())
)

func linesOfRelations(kinds []feed.RelationKind, further ...field[feed.RelationRecord]) lineType[feed.RelationRecord] {
	l := lineType[feed.RelationRecord]{
		at: func(r *feed.Record) **feed.RelationRecord { return &r.Relation }, common: endings,
		fields: append([]field[feed.RelationRecord]{
			text("type", func(r *feed.RelationRecord) *feed.RelationKind { return &r.Kind }),
			id("user", feed.UserIDs, func(r *feed.RelationRecord) *int64 { return (*int64)(&r.User) }).identifying(),
			id("target", feed.UserIDs, func(r *feed.RelationRecord) *int64 { return (*int64)(&r.Target) }).identifying(),
			moment("createdAt", func(r *feed.RelationRecord) *int64 { return &r.CreatedAt }),
		}, further...),
	}
	for _, kind := range kinds {
		l.names = append(l.names, string(kind))
	}
	return l
}

// seenLines say when users were active.
var seenLines = lineType[feed.SeenRecord]{
	names: []string{string(feed.RecordSeen)},
	at:    func(r *feed.Record) **feed.SeenRecord { return &r.Seen }, common: versions,
	fields: []field[feed.SeenRecord]{
		constant[feed.SeenRecord]("type", string(feed.RecordSeen)),
		id("user", feed.UserIDs, func(r *feed.SeenRecord) *int64 { return (*int64)(&r.User) }).identifying(),
		moment("at", func(r *feed.SeenRecord) *int64 { return &r.At }),
	},
}

// counterLines are counters of a user or of a post. Zeros are omitted.
var counterLines = lineType[feed.CountersRecord]{
	names: []string{string(feed.RecordCounters)},
	at:    func(r *feed.Record) **feed.CountersRecord { return &r.Counters }, common: endings,
	fields: append([]field[feed.CountersRecord]{
		constant[feed.CountersRecord]("type", string(feed.RecordCounters)),
		id("user", feed.UserIDs, func(c *feed.CountersRecord) *int64 { return (*int64)(&c.User) }).identifying().orNone(),
		id("post", feed.PostIDs, func(c *feed.CountersRecord) *int64 { return (*int64)(&c.Post) }).identifying().orNone(),
	}, stored(feed.CounterFields())...),
}

// listLines are lists of authors.
var listLines = lineType[feed.AuthorList]{
	names: []string{string(feed.RecordList)},
	at:    func(r *feed.Record) **feed.AuthorList { return &r.List }, common: visibleEndings,
	fields: append([]field[feed.AuthorList]{
		constant[feed.AuthorList]("type", string(feed.RecordList)),
		ownID(feed.ListIDs, listNumber, func(l *feed.AuthorList) *feed.ExternalID { return &l.External }),
		number(listNumber),
		id("owner", feed.UserIDs, func(l *feed.AuthorList) *int64 { return (*int64)(&l.Owner) }).owning(),
	}, listFields()...),
}

// listFields are the stored fields of lists. Whether a list is public says who may see it.
func listFields() []field[feed.AuthorList] {
	fields := stored(feed.ListFields())
	for i, f := range fields {
		if f.name == "isPublic" {
			fields[i] = f.decides().neverEmpty()
		}
	}
	return fields
}

var memberLines = lineType[feed.ListMemberRecord]{
	names: []string{string(feed.RecordListMember)},
	at:    func(r *feed.Record) **feed.ListMemberRecord { return &r.ListMember }, common: endings,
	fields: []field[feed.ListMemberRecord]{
		constant[feed.ListMemberRecord]("type", string(feed.RecordListMember)),
		id("list", feed.ListIDs, func(r *feed.ListMemberRecord) *int64 { return (*int64)(&r.List) }).identifying(),
		id("user", feed.UserIDs, func(r *feed.ListMemberRecord) *int64 { return (*int64)(&r.User) }).identifying(),
		moment("createdAt", func(r *feed.ListMemberRecord) *int64 { return &r.CreatedAt }),
	},
}

// lineTypes are all types, in the order of error messages.
var lineTypes = []codec{userLines, followLines, postLines, sessionLines, reactionLines, muteLines, relationLines, listLines, memberLines, seenLines, counterLines}

// stored returns the fields of lines for stored fields.
func stored[T any](fields []feed.Field[T]) (list []field[T]) {
	for _, f := range fields {
		line := lineOf(f)
		line.optional = !f.Required
		list = append(list, line)
	}
	return list
}

func lineOf[T any](f feed.Field[T]) field[T] {
	switch f.At(new(T)).(type) {
	case *feed.Kind:
		return postKind(f.Name, feed.Place[feed.Kind](f))
	case *feed.PostID:
		at := feed.Place[feed.PostID](f)
		return id(f.Name, feed.PostIDs, func(v *T) *int64 { return (*int64)(at(v)) })
	case *feed.UserID:
		at := feed.Place[feed.UserID](f)
		return id(f.Name, feed.UserIDs, func(v *T) *int64 { return (*int64)(at(v)) })
	case *feed.OtherMedia:
		return truthOf(f.Name, feed.Place[feed.OtherMedia](f), feed.SomeOtherMedia)
	case *feed.HiddenFor:
		return truthOf(f.Name, feed.Place[feed.HiddenFor](f), feed.HiddenForRecord)
	case *feed.PostAudience:
		return scalar(f.Name, feed.Place[feed.PostAudience](f), feed.PostAudience.String, (*checker).audience)
	case *[]string:
		return texts(f.Name, feed.Place[[]string](f))
	case *feed.CustomFields:
		return custom(feed.Place[feed.CustomFields](f))
	case *bool:
		return truth(f.Name, feed.Place[bool](f))
	case *int64:
		return numberOf(f)
	}
	return text(f.Name, feed.Place[string](f))
}

func numberOf[T any](f feed.Field[T]) field[T] {
	switch at := feed.Place[int64](f); f.Form {
	case feed.FormMoment:
		return moment(f.Name, at)
	case feed.FormEvent:
		return event(f.Name, at)
	default:
		return total(f.Name, at)
	}
}
