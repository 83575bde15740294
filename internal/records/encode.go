package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// timeLayout writes times to the millisecond, in UTC, all in the same length.
const timeLayout = "2006-01-02T15:04:05.000Z"

// Encode writes a record as the line that [Decode] reads it from, with its end. The
// record's Line does not matter. Equal records are equal lines, byte for byte.
func Encode(r feed.Record) ([]byte, error) {
	var line any
	switch {
	case r.User != nil:
		line = encodeUser(r.User)
	case r.Follow != nil:
		line = followLine{
			Type: "follow", Follower: r.Follow.Follower.String(), Followee: r.Follow.Followee.String(),
			CreatedAt: encodeTime(r.Follow.CreatedAt),
		}
	case r.Post != nil:
		line = encodePost(r.Post)
	case r.Reaction != nil:
		line = reactionLine{
			Type: string(r.Reaction.Reaction), User: r.Reaction.User.String(), Post: r.Reaction.Post.String(),
			CreatedAt: encodeTime(r.Reaction.CreatedAt),
		}
	case r.Relation != nil:
		line = relationLine{
			Type: string(r.Relation.Kind), User: r.Relation.User.String(), Target: r.Relation.Target.String(),
			CreatedAt: encodeTime(r.Relation.CreatedAt),
		}
	case r.Live != nil:
		line = encodeLive(r.Live)
	default:
		return nil, errors.New("an empty record")
	}
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false) // People write "<3".
	err := to.Encode(line)
	return out.Bytes(), err
}

func encodeUser(u *feed.UserRecord) userLine {
	return userLine{
		Type:       "user",
		ID:         u.ID.String(),
		Handle:     u.Handle,
		Name:       u.Name,
		AvatarURL:  u.AvatarURL,
		CreatedAt:  encodeTime(u.CreatedAt),
		LastSeenAt: encodeOptionalTime(u.LastSeenAt),
		DeletedAt:  encodeOptionalTime(u.DeletedAt),
	}
}

func encodePost(p *feed.Post) postLine {
	return postLine{
		Type:        "post",
		ID:          p.ID.String(),
		Author:      p.Author.String(),
		Kind:        string(p.Kind),
		Text:        p.Text,
		Media:       p.Media,
		ReplyTo:     encodeOptionalID(p.ReplyTo),
		RepostOf:    encodeOptionalID(p.RepostOf),
		PublishedAt: encodeTime(p.PublishedAt),
		EditedAt:    encodeOptionalTime(p.EditedAt),
		DeletedAt:   encodeOptionalTime(p.DeletedAt),
	}
}

func encodeLive(r *feed.LiveRecord) liveLine {
	return liveLine{
		Type:        "live",
		ID:          live.ID(r.ID).String(),
		Host:        r.Host.String(),
		Title:       r.Title,
		ScheduledAt: encodeTime(r.ScheduledAt),
		StartedAt:   encodeOptionalTime(r.StartedAt),
		EndedAt:     encodeOptionalTime(r.EndedAt),
		CancelledAt: encodeOptionalTime(r.CancelledAt),
		ReplayURL:   r.ReplayURL,
	}
}

func encodeTime(ms int64) string { return time.UnixMilli(ms).UTC().Format(timeLayout) }

func encodeOptionalTime(ms int64) string {
	if ms == 0 {
		return ""
	}
	return encodeTime(ms)
}

func encodeOptionalID(id feed.ContentID) string {
	if id == 0 {
		return ""
	}
	return id.String()
}
