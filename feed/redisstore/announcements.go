package redisstore

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// announceChannel ignores databases, as every channel does: sites in other databases of one Redis
// hear each other, and ignore unknown posts.
const announceChannel = "tideline:announce"

// announceVersion changes if older processes would misread newer messages.
const announceVersion = 1

// Announcements implement [feed.Announcer] and [feed.Listener] for all processes on one Redis. They
// connect only while a process listens.
type Announcements struct{ redis redis.UniversalClient }

var (
	_ feed.Announcer = (*Announcements)(nil)
	_ feed.Listener  = (*Announcements)(nil)
)

// NewAnnouncements returns announcements over the client's Redis.
func NewAnnouncements(c *Client) *Announcements { return &Announcements{redis: c.redis} }

// announcement is the message, such as {"v":1,"content":7,"author":12}. Ids are numbers, because
// only this package reads them.
type announcement struct {
	V       int         `json:"v"`
	Content feed.PostID `json:"content"`
	Author  feed.UserID `json:"author"`
}

// Announce implements [feed.Announcer].
func (a *Announcements) Announce(ctx context.Context, said feed.Announcement) error {
	text, _ := json.Marshal(announcement{V: announceVersion, Content: said.Post, Author: said.Author})
	return failed(ctx, a.redis.Publish(ctx, announceChannel, text).Err())
}

var (
	errConnectedAgain = errors.New("redis: the connection was lost and made again")
	errUnknownMessage = errors.New("redis: an announcement cannot be read; a newer process may have sent it")
)

// Listen implements [feed.Listener].
func (a *Announcements) Listen(ctx context.Context, ready func(), heard func(feed.Announcement)) error {
	listening := false
	err := listenTo(ctx, a.redis, announceChannel, func() error {
		if listening {
			return errConnectedAgain
		}
		listening = true
		ready()
		return nil
	}, func(text string) error {
		var m announcement
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.V != announceVersion {
			return errUnknownMessage
		}
		heard(feed.Announcement{Post: m.Content, Author: m.Author})
		return nil
	})
	return failed(ctx, err)
}
