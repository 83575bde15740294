package sqlstore

import (
	"strings"
	"unicode"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// The columns of the tables that are exported and imported. All statements that read, insert,
// import, update, empty or export rows are made from these lists.

// profileColumns are the columns of users that hold a profile.
var profileColumns = fields[feed.UserRecord]{
	intField("id", func(u *feed.UserRecord) *feed.UserID { return &u.ID }).once(),
	textField("external_id", func(u *feed.UserRecord) *feed.ExternalID { return &u.External }),
	textField("handle", func(u *feed.UserRecord) *string { return &u.Handle }).
		changedBy(func(c *feed.ProfileChange) *string { return c.Handle }),
	textField("name", func(u *feed.UserRecord) *string { return &u.Name }).
		changedBy(func(c *feed.ProfileChange) *string { return c.Name }),
	textField("avatar_url", func(u *feed.UserRecord) *string { return &u.AvatarURL }).
		changedBy(func(c *feed.ProfileChange) *string { return c.AvatarURL }),
	textField("custom", func(u *feed.UserRecord) *feed.CustomFields { return &u.Custom }),
	intField("created_at", func(u *feed.UserRecord) *int64 { return &u.CreatedAt }),
	flagField("private", func(u *feed.UserRecord) *bool { return &u.Private }),
	intField("suspended", func(u *feed.UserRecord) *feed.HiddenFor { return &u.Suspended }),
}

var (
	foldColumn = computedField("handle_fold", foldOf).changedBy(func(c *feed.ProfileChange) *string {
		if c.Handle == nil {
			return nil
		}
		return new(feed.FoldHandle(*c.Handle))
	})
	markColumn      = intField("mark", func(u *feed.UserRecord) *feed.CoverageFlag { return &u.Flag })
	lastSeenColumn  = intField("last_seen_at", func(u *feed.UserRecord) *int64 { return &u.LastSeenAt })
	deletedAtColumn = intField("deleted_at", func(u *feed.UserRecord) *int64 { return &u.DeletedAt })

	// userColumns are read for [feed.Users], userRecordColumns for exports and imports.
	userColumns       = profileColumns.and(markColumn)
	userRecordColumns = profileColumns.and(lastSeenColumn, deletedAtColumn)
	// storedUserColumns are loaded for a batch.
	storedUserColumns = userRecordColumns.and(field[feed.UserRecord]{
		name: "absent", dest: func(u *feed.UserRecord) any { return &u.Absent },
	}, intField("awaited_at", func(u *feed.UserRecord) *int64 { return &u.AwaitedAt }))
	// A sign-in inserts newUserColumns, a profile change updates changedUserColumns.
	newUserColumns     = profileColumns.and(foldColumn, markColumn)
	changedUserColumns = profileColumns.and(foldColumn)
)

// postColumns are the columns of contents that hold a post.
var postColumns = fields[feed.Post]{
	intField("id", func(p *feed.Post) *feed.PostID { return &p.ID }).once(),
	textField("external_id", func(p *feed.Post) *feed.ExternalID { return &p.External }),
	intField("author_id", func(p *feed.Post) *feed.UserID { return &p.Author }).once(),
}.and(mapped(feed.PostFields(), columnOf)...)

func columnOf[T any](f feed.Field[T]) field[T] {
	var c field[T]
	switch name := snake(f.Name); f.At(new(T)).(type) {
	case *feed.Kind:
		c = textField(name, feed.Place[feed.Kind](f))
	case *feed.CustomFields:
		c = textField(name, feed.Place[feed.CustomFields](f))
	case *[]string:
		c = mediaField(name, feed.Place[[]string](f))
	case *feed.PostID:
		c = intField(name, feed.Place[feed.PostID](f))
	case *feed.UserID:
		c = intField(name, feed.Place[feed.UserID](f))
	case *feed.OtherMedia:
		c = intField(name, feed.Place[feed.OtherMedia](f))
	case *feed.HiddenFor:
		c = intField(name, feed.Place[feed.HiddenFor](f))
	case *feed.PostAudience:
		c = intField(name, feed.Place[feed.PostAudience](f))
	case *bool:
		c = flagField(name, feed.Place[bool](f))
	case *int64:
		c = intField(name, feed.Place[int64](f))
	default:
		c = textField(name, feed.Place[string](f))
	}
	c.fixed = f.Fixed
	return c
}

// snake returns a name in camel case as that of a column: replyTo is reply_to.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

var sessionColumns = fields[live.Session]{
	intField("id", func(s *live.Session) *live.ID { return &s.ID }).once(),
	textField("external_id", func(s *live.Session) *feed.ExternalID { return &s.External }).once(),
	intField("host_id", func(s *live.Session) *feed.UserID { return &s.Host }).once(),
	textField("title", func(s *live.Session) *string { return &s.Title }),
	intField("state", func(s *live.Session) *live.State { return &s.State }),
	intField("scheduled_at", func(s *live.Session) *int64 { return &s.ScheduledAt }),
	intField("started_at", func(s *live.Session) *int64 { return &s.StartedAt }),
	intField("ended_at", func(s *live.Session) *int64 { return &s.EndedAt }),
	intField("cancelled_at", func(s *live.Session) *int64 { return &s.CancelledAt }),
	textField("replay_url", func(s *live.Session) *string { return &s.ReplayURL }),
	intField("number", func(s *live.Session) *int64 { return &s.Number }),
}

// listColumns are the columns of author_lists, except when a source has deleted the list.
var listColumns = fields[feed.AuthorList]{
	intField("id", func(l *feed.AuthorList) *feed.ListID { return &l.ID }).once(),
	textField("external_id", func(l *feed.AuthorList) *feed.ExternalID { return &l.External }).once(),
	intField("owner_id", func(l *feed.AuthorList) *feed.UserID { return &l.Owner }).once(),
	intField("members", func(l *feed.AuthorList) *int64 { return &l.Members }),
}.and(mapped(feed.ListFields(), columnOf)...)

var sanctionColumns = fields[feed.Sanction]{
	intField("number", func(s *feed.Sanction) *int64 { return &s.Number }),
	intField("content_id", func(s *feed.Sanction) *feed.PostID { return &s.Post }),
	intField("user_id", func(s *feed.Sanction) *feed.UserID { return &s.User }),
	textField("reason", func(s *feed.Sanction) *string { return &s.Reason }),
	textField("imposed_by", func(s *feed.Sanction) *string { return &s.By }),
	intField("imposed_at", func(s *feed.Sanction) *int64 { return &s.At }),
	intField("until", func(s *feed.Sanction) *int64 { return &s.Until }),
	intField("lifted_at", func(s *feed.Sanction) *int64 { return &s.LiftedAt }),
	textField("lifted_by", func(s *feed.Sanction) *string { return &s.LiftedBy }),
}

// userCounterColumns and postCounterColumns are the counters that a source has sent.
var (
	userCounterColumns = fields[feed.CountersRecord]{
		intField("user_id", func(c *feed.CountersRecord) *feed.UserID { return &c.User }).once(),
	}.and(mapped(feed.UserCounterFields(), columnOf)...)
	postCounterColumns = fields[feed.CountersRecord]{
		intField("content_id", func(c *feed.CountersRecord) *feed.PostID { return &c.Post }).once(),
	}.and(mapped(feed.PostCounterFields(), columnOf)...)
)

var followEdges = edges[feed.FollowRecord]{
	table: "follows",
	key: fields[feed.FollowRecord]{
		intField("follower_id", func(r *feed.FollowRecord) *feed.UserID { return &r.Follower }).once(),
		intField("followee_id", func(r *feed.FollowRecord) *feed.UserID { return &r.Followee }).once(),
	},
	at:      func(r *feed.FollowRecord) *int64 { return &r.CreatedAt },
	options: func(r *feed.FollowRecord) *feed.FollowOptions { return &r.Options.On },
	record: func(r *feed.FollowRecord) feed.Record {
		r.Options.Named = r.Options.On
		return feed.Record{Follow: r}
	},
	undone: "t.active = 0",
	exported: `active = 1 AND follower_id <> followee_id
  AND follower_id NOT IN ` + leavers + ` AND followee_id NOT IN ` + leavers,
}

// requestEdges are requests to follow. They have no row once they have ended.
var requestEdges = edges[feed.FollowRecord]{
	table: "follow_requests", key: followEdges.key, at: followEdges.at, options: followEdges.options,
	record: func(r *feed.FollowRecord) feed.Record {
		r.Requested = true
		return followEdges.record(r)
	},
	undone:   "FALSE",
	exported: `follower_id NOT IN ` + leavers + ` AND followee_id NOT IN ` + leavers,
}

var reactionEdges = edges[feed.ReactionRecord]{
	table: "reactions",
	key: fields[feed.ReactionRecord]{
		intField("content_id", func(r *feed.ReactionRecord) *feed.PostID { return &r.Post }).once(),
		textField("kind", func(r *feed.ReactionRecord) *feed.Reaction { return &r.Reaction }).once(),
		intField("user_id", func(r *feed.ReactionRecord) *feed.UserID { return &r.User }).once(),
	},
	at:     func(r *feed.ReactionRecord) *int64 { return &r.CreatedAt },
	record: func(r *feed.ReactionRecord) feed.Record { return feed.Record{Reaction: r} },
	absent: fields[feed.ReactionRecord]{
		intField("user_id", func(r *feed.ReactionRecord) *feed.UserID { return &r.User }),
		textField("kind", func(r *feed.ReactionRecord) *feed.Reaction { return &r.Reaction }),
		intField("target_id", func(r *feed.ReactionRecord) *feed.PostID { return &r.Post }),
	},
	// The post may not have arrived. A subquery per post, because for a join PostgreSQL might read all
	// posts again for every page.
	exported: `(SELECT 1 FROM contents AS c WHERE c.id = reactions.content_id AND (c.deleted_at <> 0 OR c.author_id IN ` + leavers + `)) IS NULL
  AND user_id NOT IN ` + leavers,
}

// relationColumns are the primary key of relations, and of relations in absent_edges.
var relationColumns = fields[feed.RelationRecord]{
	intField("user_id", func(r *feed.RelationRecord) *feed.UserID { return &r.User }).once(),
	textField("kind", func(r *feed.RelationRecord) *feed.RelationKind { return &r.Kind }).once(),
	intField("target_id", func(r *feed.RelationRecord) *feed.UserID { return &r.Target }).once(),
}

var relationEdges = edges[feed.RelationRecord]{
	table:    "relations",
	key:      relationColumns,
	at:       func(r *feed.RelationRecord) *int64 { return &r.CreatedAt },
	until:    func(r *feed.RelationRecord) *int64 { return &r.Until },
	record:   func(r *feed.RelationRecord) feed.Record { return feed.Record{Relation: r} },
	absent:   relationColumns,
	exported: `user_id <> target_id AND user_id NOT IN ` + leavers + ` AND target_id NOT IN ` + leavers,
}

var memberEdges = edges[feed.ListMemberRecord]{
	table: "list_members", since: "added_at",
	key: fields[feed.ListMemberRecord]{
		intField("list_id", func(r *feed.ListMemberRecord) *feed.ListID { return &r.List }).once(),
		intField("user_id", func(r *feed.ListMemberRecord) *feed.UserID { return &r.User }).once(),
	},
	at:     func(r *feed.ListMemberRecord) *int64 { return &r.CreatedAt },
	record: func(r *feed.ListMemberRecord) feed.Record { return feed.Record{ListMember: r} },
	absent: fields[feed.ListMemberRecord]{
		intField("user_id", func(r *feed.ListMemberRecord) *feed.UserID { return &r.User }),
		computedField("kind", func(*feed.ListMemberRecord) string { return string(feed.RecordListMember) }),
		intField("target_id", func(r *feed.ListMemberRecord) *feed.ListID { return &r.List }),
	},
	exported: `user_id NOT IN ` + leavers + ` AND list_id IN (SELECT id FROM author_lists WHERE ` + keptLists + `)`,
}

// keptLists is the condition on the lists of an export.
const keptLists = `deleted_at = 0 AND owner_id NOT IN ` + leavers

var (
	// Each statement adds the condition that the account is not deleted.
	selectUsers = "SELECT " + userColumns.names("") + " FROM users "
	// A condition on c follows. Both ignore absence.
	selectStored = selectPostsWith("0")
	selectLoaded = selectPostsWith("0", "c.repost_depth")
	// Lists that are there. A condition follows.
	selectLists = "SELECT " + listColumns.names("") + " FROM author_lists WHERE deleted_at = 0 AND "
	// A condition on s or u follows. The sessions of deleted accounts and absent users are excluded.
	selectSessions = "SELECT " + sessionColumns.names("s.") + `
FROM live_sessions AS s JOIN users AS u ON u.id = s.host_id WHERE u.deleted_at = 0 AND u.absent = 0 AND `
)

// selectPostsWith selects posts; a condition on c follows. A post counts as deleted together with
// its author's account, even if its row is not updated yet. Other posts have other as deleted_at.
// further columns follow.
func selectPostsWith(other string, further ...string) string {
	return "SELECT " + strings.Replace(strings.Join(append([]string{postColumns.names("c.")}, further...), ", "), "c.deleted_at", `
       CASE WHEN c.deleted_at <> 0 THEN c.deleted_at
            WHEN c.author_id IN `+leavers+` THEN (SELECT p.deleted_at FROM purges AS p WHERE p.user_id = c.author_id)
            ELSE `+other+` END`, 1) + `
FROM contents AS c `
}
