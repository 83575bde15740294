package propose

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/connect/mirror"
)

// The words by which tables and columns of common frameworks are recognized: of Rails, Django,
// Laravel, Phoenix, Prisma, TypeORM, WordPress and others. Words are in the singular, and names of
// columns without the name of their table. In lists of names, the first that a table has counts.

// weights are how sure a word in the name of a table makes.
type weights map[string]int

var (
	userTables = weights{"user": 8, "account": 6, "member": 6, "person": 5, "people": 5, "profile": 4, "customer": 4, "player": 4, "author": 4}
	postTables = weights{
		"post": 8, "tweet": 8, "status": 6, "article": 7, "note": 6, "story": 6, "toot": 8, "entry": 5, "update": 4, "photo": 5, "video": 4,
		"publication": 5, "micropost": 8, "thought": 4, "content": 3, "blog": 3, "question": 4, "topic": 4,
	}
	commentTables = weights{"comment": 8, "reply": 7, "response": 4, "answer": 4}
	// sideTables are about users or posts, but have none.
	sideTables = weights{
		"session": -9, "token": -9, "role": -9, "permission": -9, "group": -7, "log": -9, "setting": -9, "device": -9, "notification": -9, "history": -9,
		"address": -9, "migration": -9, "tag": -7, "category": -7, "view": -7, "visit": -9, "version": -9, "attachment": -7, "report": -7, "audit": -9, "email": -7,
		"message": -7, "chat": -9, "draft": -5, "revision": -9, "translation": -9, "metum": -9, "meta": -9, "stat": -7, "count": -7, "score": -7, "key": -7,
		"payment": -9, "order": -9, "invoice": -9, "subscription": -3, "old": -3, "backup": -7, "archive": -5, "queue": -9, "job": -9, "type": -7, "preference": -9, "filter": -9, "scheduled": -7,
	}
	edgeTables = map[string]string{
		"follow": "follow", "follower": "follow", "following": "follow", "followee": "follow", "followship": "follow", "relationship": "follow", "relation": "follow",
		"friendship": "follow", "friend": "follow", "subscription": "follow", "connection": "follow", "edge": "follow",
		"block": "block", "blocked": "block", "blocking": "block", "mute": "mute", "muted": "mute", "silence": "mute", "ignore": "mute", "hide": "hide", "hidden": "hide",
	}
	reactionTables = map[string]string{
		"like": "like", "liked": "like", "liker": "like", "reaction": "like", "heart": "like", "clap": "like", "upvote": "like", "vote": "like", "applause": "like",
		"favorite": "favorite", "favourite": "favorite", "bookmark": "favorite", "bookmarked": "favorite", "saved": "favorite", "save": "favorite", "star": "favorite",
	}
)

var (
	userColumns = []string{
		"author", "user", "owner", "creator", "account", "member", "person", "profile", "poster", "writer", "customer", "player", "publisher", "created_by", "posted_by",
		"author",
	}
	// actors and targets are the ends of an edge.
	actors = []string{
		"follower", "from", "source", "src", "subscriber", "actor", "fan", "origin", "requester", "initiator", "blocker", "muter", "hider", "ignorer", "sender", "inviter",
	}
	targets = []string{
		"followee", "followed", "following", "followable", "leader", "target", "to", "dst", "dest", "destination", "friend", "object", "blocked", "blockee", "muted", "hidden", "ignored",
		"subscribed", "publisher", "recipient", "receiver", "addressee", "invitee", "idol",
	}
	handles = []string{
		"username", "user_name", "handle", "login", "nickname", "nick", "screen_name", "slug", "nicename", "preferred_username",
	}
	userNames = []string{"display_name", "displayname", "full_name", "fullname", "real_name", "name", "nickname"}
	avatars   = []string{
		"avatar_url", "avatar", "avatar_file_name", "avatar_path", "profile_image_url", "profile_image", "profile_picture", "profile_photo_path", "photo_url", "picture", "picture_url", "image_url", "image", "photo",
	}
	seens = []string{
		"last_seen_at", "last_seen", "last_active_at", "last_active", "last_activity_at", "last_activity", "current_sign_in_at", "last_login_at", "last_login", "last_sign_in_at", "last_visit",
	}
	creations = []string{
		"created_at", "created", "created_on", "createdat", "inserted_at", "date_joined", "joined_at", "joined", "registered_at", "registered", "signed_up_at", "date_created", "create_time",
		"creation_date", "creation_time", "create_date", "create_at", "since", "added_at", "date_added", "followed_at", "liked_at", "timestamp", "ts", "at", "time", "date",
	}
	publications = []string{
		"published_at", "published", "publish_date", "date_published", "pub_date", "published_on", "publish_time", "publication_date", "posted_at", "posted_on", "posted", "date_gmt",
	}
	deletions = []string{"deleted_at", "discarded_at"}
	expiries  = []string{"expires_at", "expired_at", "until", "muted_until"}
	edits     = []string{"edited_at", "edited", "last_edited_at"}
	updates   = []string{"updated_at", "updated", "modified_at", "modified", "updated_on", "last_modified"}
	bodies    = []string{
		"body", "content", "text", "message", "caption", "description", "note", "html", "markdown", "summary", "excerpt", "tweet", "raw", "cooked", "contents", "body_html", "payload", "data", "document",
	}
	titles = []string{"title", "subject", "headline"}
	medias = []string{
		"media", "media_url", "media_urls", "image_url", "image_urls", "image", "images", "photo", "photos", "photo_url", "picture", "picture_url", "pictures", "video_url", "attachment", "attachments", "attachment_url", "cover_image",
	}
	replies = []string{"in_reply_to", "reply_to", "parent", "replied_to", "response_to", "parent_comment", "parent_post"}
	// reposts are words of columns that name what a post repeats.
	reposts = []string{"repost", "reposted", "reblog", "reblogged", "retweet", "retweeted", "share", "shared", "original", "boost", "boosted", "quote", "quoted"}
	// votes are numbers of reactions, which are positive for likes.
	votes = []string{"value", "vote", "direction", "weight", "score", "points"}

	kinds = []string{"kind", "type", "relation", "relation_type", "relationship_type", "status", "state", "action", "reaction", "reaction_type"}
)

var (
	// celName matches names that can follow a dot, celReserved are those that cannot.
	celName     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	celReserved = []string{
		"true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
	}
	// plainKey matches keys of tables that need no quotes.
	plainKey = regexp.MustCompile(`^[\p{L}\p{N}_]+([.-][\p{L}\p{N}_]+)*$`)
	// plainYAML matches scalars that need no quotes.
	plainYAML = regexp.MustCompile(`^[=\p{L}][\p{L}\p{N}_=."()\[\]+<>|&?/,\\^$*!-]*( [\p{L}\p{N}_=."()\[\]+<>|&?/,\\^$*!-]+)*$`)
)

// pendingWords are in names of tables with edges that do not hold.
var pendingWords = []string{"request", "invitation", "invite", "suggestion", "recommendation", "pending", "history", "log", "event", "notification", "count", "stat"}

// times are the kinds of columns that may have times. Numbers count seconds or milliseconds.
var times = []mirror.Kind{mirror.Time, mirror.ZonelessTime, mirror.Date, mirror.Number}

// singular returns an English word in the singular.
func singular(word string) string {
	for _, rule := range [][2]string{{"ies", "y"}, {"statuses", "status"}, {"sses", "ss"}, {"xes", "x"}, {"ches", "ch"}, {"shes", "sh"}, {"people", "person"}} {
		if stem, is := strings.CutSuffix(word, rule[0]); is && len(word) > len(rule[0])-1 {
			return stem + rule[1]
		}
	}
	if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") {
		return word[:len(word)-1]
	}
	return word
}

// tableWords returns the words of a table's name in the singular.
func tableWords(name string) []string {
	list := mirror.NameWords(name)
	for i, word := range list {
		list[i] = singular(word)
	}
	return list
}

// weigh returns the weight of the words of a table. The last known word counts.
func (w weights) weigh(list []string) int {
	for _, word := range slices.Backward(list) {
		if n := w[word]; n != 0 {
			return n
		}
	}
	return 0
}

// columnNames returns the names of a column: the whole one, and without the name of its table.
func columnNames(table []string, column string) []string {
	list := mirror.NameWords(column)
	if len(list) == 0 {
		return nil
	}
	names := []string{strings.Join(list, "_")}
	if len(list) > 1 && len(table) > 0 && singular(list[0]) == table[len(table)-1] {
		names = append(names, strings.Join(list[1:], "_"))
	}
	return names
}

// referenceNames are those of columnNames, also without their "id".
func referenceNames(table []string, column string) []string {
	names := columnNames(table, column)
	for _, name := range names {
		for _, end := range []string{"_id", "_uuid", "_uid", "_fk", "_key", "_ref", "_nr", "_no", "id"} {
			if stem, is := strings.CutSuffix(name, end); is && len(stem) > 3 {
				names = append(names, stem) // user_id and userid
				break
			}
		}
	}
	return names
}
