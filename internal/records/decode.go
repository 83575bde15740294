package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Decode reads the record in one line, unaltered: what JSON would replace or drop is an
// error, and so is a field that no record of the type has. The error says what is wrong
// in words for the author of the file. Whether the record obeys [feed.RecordRules] is for
// the store to check.
func Decode(line []byte) (feed.Record, error) {
	for _, check := range []func([]byte) error{checkUTF8, checkEscapes, checkNames} {
		if err := check(line); err != nil {
			return feed.Record{}, err
		}
	}
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return feed.Record{}, fmt.Errorf("not a JSON object: %s", jsonReason(err))
	}
	switch head.Type {
	case "user":
		return decodeUser(line)
	case "follow":
		return decodeFollow(line)
	case "post":
		return decodePost(line)
	case "live":
		return decodeLive(line)
	case string(feed.ReactionLike), string(feed.ReactionFavorite):
		return decodeReaction(line, feed.Reaction(head.Type))
	case string(feed.RelationMute), string(feed.RelationHide), string(feed.RelationBlock):
		return decodeRelation(line, feed.RelationKind(head.Type))
	case "":
		return feed.Record{}, errors.New(`the field "type" is missing`)
	}
	return feed.Record{}, fmt.Errorf("%.40q is not a type; it is one of user, follow, post, live, like, favorite, mute, hide, block", head.Type)
}

func decodeUser(line []byte) (feed.Record, error) {
	var in userLine
	if err := strict(line, &in); err != nil {
		return feed.Record{}, err
	}
	var c checker
	u := feed.UserRecord{User: feed.User{
		ID:        c.user("id", in.ID),
		Name:      in.Name,
		AvatarURL: in.AvatarURL,
		CreatedAt: c.time("createdAt", in.CreatedAt),
	}}
	if in.DeletedAt != "" {
		u.DeletedAt = c.past("deletedAt", in.DeletedAt)
	} else {
		u.Handle = in.Handle
	}
	if in.LastSeenAt != "" {
		u.LastSeenAt = c.time("lastSeenAt", in.LastSeenAt)
	}
	return feed.Record{User: &u}, c.err
}

func decodeFollow(line []byte) (feed.Record, error) {
	var in followLine
	if err := strict(line, &in); err != nil {
		return feed.Record{}, err
	}
	var c checker
	f := feed.FollowRecord{
		Follower:  c.user("follower", in.Follower),
		Followee:  c.user("followee", in.Followee),
		CreatedAt: c.time("createdAt", in.CreatedAt),
	}
	return feed.Record{Follow: &f}, c.err
}

func decodePost(line []byte) (feed.Record, error) {
	var in postLine
	if err := strict(line, &in); err != nil {
		return feed.Record{}, err
	}
	var c checker
	p := feed.Post{
		ID:          c.content("id", in.ID),
		Author:      c.user("author", in.Author),
		Kind:        c.kind(in.Kind),
		Text:        in.Text,
		Media:       in.Media,
		PublishedAt: c.time("publishedAt", in.PublishedAt),
	}
	if in.ReplyTo != "" {
		p.ReplyTo = c.content("replyTo", in.ReplyTo)
	}
	if in.RepostOf != "" {
		p.RepostOf = c.content("repostOf", in.RepostOf)
	}
	if in.EditedAt != "" {
		p.EditedAt = c.time("editedAt", in.EditedAt)
	}
	p.DeletedAt = c.optionalPast("deletedAt", in.DeletedAt)
	return feed.Record{Post: &p}, c.err
}

func decodeLive(line []byte) (feed.Record, error) {
	var in liveLine
	if err := strict(line, &in); err != nil {
		return feed.Record{}, err
	}
	var c checker
	r := feed.LiveRecord{
		ID:          int64(c.user("id", in.ID)),
		Host:        c.user("host", in.Host),
		Title:       in.Title,
		ReplayURL:   in.ReplayURL,
		ScheduledAt: c.past("scheduledAt", in.ScheduledAt),
		StartedAt:   c.optionalPast("startedAt", in.StartedAt),
		EndedAt:     c.optionalPast("endedAt", in.EndedAt),
		CancelledAt: c.optionalPast("cancelledAt", in.CancelledAt),
	}
	return feed.Record{Live: &r}, c.err
}

func decodeReaction(line []byte, kind feed.Reaction) (feed.Record, error) {
	var in reactionLine
	if err := strict(line, &in); err != nil {
		return feed.Record{}, err
	}
	var c checker
	r := feed.ReactionRecord{
		Reaction:  kind,
		User:      c.user("user", in.User),
		Post:      c.content("post", in.Post),
		CreatedAt: c.time("createdAt", in.CreatedAt),
	}
	return feed.Record{Reaction: &r}, c.err
}

func decodeRelation(line []byte, kind feed.RelationKind) (feed.Record, error) {
	var in relationLine
	if err := strict(line, &in); err != nil {
		return feed.Record{}, err
	}
	var c checker
	r := feed.RelationRecord{
		Kind:      kind,
		User:      c.user("user", in.User),
		Target:    c.user("target", in.Target),
		CreatedAt: c.time("createdAt", in.CreatedAt),
	}
	return feed.Record{Relation: &r}, c.err
}

// strict unmarshals one object and refuses fields it does not know.
func strict(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errors.New(jsonReason(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON object")
	}
	return nil
}

// jsonReason says in plain words what a JSON error means.
func jsonReason(err error) string {
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return fmt.Sprintf("the field %q must not be a %s", typ.Field, typ.Value)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "the line ends in the middle of the JSON"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// checker checks fields and keeps the first error.
type checker struct{ err error }

func (c *checker) fail(field, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("the field %q %s", field, fmt.Sprintf(format, args...))
	}
}

func (c *checker) user(field, s string) feed.UserID {
	id, err := feed.ParseUserID(s)
	if err != nil {
		c.fail(field, "must be an id, a decimal string from \"1\" to \"9223372036854775807\", not %.40q", s)
	}
	return id
}

func (c *checker) content(field, s string) feed.ContentID { return feed.ContentID(c.user(field, s)) }

func (c *checker) time(field, s string) int64 {
	t, err := time.Parse(time.RFC3339, s)
	ms := t.UnixMilli()
	if err != nil || ms < 0 || ms > feed.MaxTime {
		c.fail(field, "must be a time from 1970 on such as 2026-01-31T12:00:00.000Z, not %.40q", s)
	}
	return ms
}

// past reads a time of which 0 would say that it has not happened.
func (c *checker) past(field, s string) int64 {
	ms := c.time(field, s)
	if ms == 0 {
		c.fail(field, "must be later than the beginning of 1970")
	}
	return ms
}

// optionalPast is past for a field that may be left out.
func (c *checker) optionalPast(field, s string) int64 {
	if s == "" {
		return 0
	}
	return c.past(field, s)
}

func (c *checker) kind(s string) feed.Kind {
	k := feed.Kind(s)
	if !k.Valid() {
		c.fail("kind", "must be one of %s, not %.40q", kinds(), s)
	}
	return k
}

// kinds returns the names of all kinds, to be read by people.
func kinds() string {
	var names []string
	for _, k := range feed.AllKinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
